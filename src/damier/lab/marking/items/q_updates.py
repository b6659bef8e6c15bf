"""Q-learning: after games that are given, every Q(s, a) is what the update makes it, to 1e-9.

After [S0], rows A-7 to A-9 and A-19: for the decisions of a game from the last to the first,

    Q(s, a) <- (1 - alpha) Q(s, a) + alpha (r + gamma max Q(s', .))

where after the last decision r is the reward of the end alone and the maximum 0, and before it the
maximum is that of the row of s' after its own update.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from damier.core.game import Game
from damier.core.rules import State
from damier.lab.marking.finding import ExactTruth, Finding, Seat
from damier.lab.marking.items.episodes import Episode, learning_checked
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class QUpdatesItem:
    """agent     the name of its class
    episodes  after so many games it is asked, ascending; 0: before the first
    seats     at which it sits; one agent for each
    seed      of the games
    alpha     the step size
    gamma     the discount factor
    event     the reward of a gain, such as a pawn taken; win, draw: of the end
    """

    agent: str
    episodes: tuple[int, ...]
    seats: tuple[Seat, ...]
    seed: int
    alpha: float
    gamma: float
    event: float
    win: float
    draw: float

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        found = Finding(True, "")
        for seat in self.seats:
            agent = submission.agent(self.agent, self.seed)
            learner = QTable(truth.game, self)
            found = learning_checked(
                submission, agent, learner, self.episodes, truth, seat=seat, seed=self.seed + seat
            )
            if not found.passed:
                return found
        return found


@dataclass
class QTable:
    """The right Q-table."""

    game: Game
    item: QUpdatesItem
    rows: dict[State, dict[int, float]] = field(default_factory=dict)

    def row(self, s: State) -> dict[int, float]:
        return self.rows.setdefault(s, dict.fromkeys(self.game.legal(s), 0.0))

    def learn(self, episode: Episode) -> None:
        item, later = self.item, 0.0
        reward = item.win * episode.payoff if episode.payoff else item.draw
        for number in reversed(range(len(episode.decisions))):
            taken = episode.decisions[number]
            row = self.row(taken.state)
            row[taken.move] = (1 - item.alpha) * row[taken.move] + item.alpha * (reward + item.gamma * later)
            later = max(row.values())
            reward = item.event * episode.decisions[number - 1].gained if number else 0.0

    def score(self, s: State, move: int) -> float:
        return self.row(s)[move]

    def may_play(self, s: State) -> Sequence[int]:
        return self.game.legal(s)
