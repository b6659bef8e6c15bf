"""A learner's scores are exactly the means of the games that it has played.

After [S4], section 2.2: the score of a move is the mean of the games in which the agent played it,
as if it had been played once, for a score of 0, before the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import FormattedNumber, message, plural
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.items.learning import met, scores_checked
from damier.lab.marking.submission import Submission

Means = dict[tuple[State, int], tuple[float, int]]
"""For each decision that was taken, by position and move: the sum of its scores, their number."""


def add_game(means: Means, game: Game, line: Iterable[int], seat: int) -> None:
    """Adds a game that the agent played at `seat`."""
    s, taken = game.start, []
    for move in line:
        if game.mover(s) == seat:
            taken.append((s, move))
        s = game.play(s, move)
    score = int(game.payoff(s, seat))
    for decision in taken:
        total, count = means.get(decision, (0.0, 1))
        means[decision] = total + score, count + 1


def mean_of(means: Means, s: State, move: int) -> float:
    """The score that a move must have."""
    total, count = means.get((s, move), (0.0, 1))
    return total / count


@dataclass(frozen=True)
class MeansItem:
    """agent    the name of its class
    games    after so many games it is asked, ascending; 0: before the first, and in every position
    learning whether it is told to learn; if not, nothing may change
    seed     of the games
    """

    agent: str
    games: tuple[int, ...]
    learning: bool
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, means, played = truth.game, Means(), 0
        agent = submission.agent(self.agent, self.seed)
        seen = met(game, ())
        for games in self.games:
            lines = submission.train(agent, range(played, games), learning=self.learning, seed=self.seed)
            seen |= met(game, lines, played)
            if self.learning:
                for number, line in enumerate(lines, played):
                    add_game(means, game, line, number % 2)
            played = games
            asked = list(seen) if games else truth.decisions
            what = plural("after {n} game", "after {n} games", games)
            wrong = scores_checked(submission, agent, game, asked, partial(mean_of, means), what)
            if wrong is not None:
                return wrong
        if not self.learning:
            return Finding(True, message("no score changes while it only plays what it knows"))
        return Finding(
            True, message("every score right to 1e-9, in {n} positions", n=FormattedNumber(len(asked), ","))
        )
