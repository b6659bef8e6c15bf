"""Games that are given: an agent is told of them as if it had played them, and what it has learnt is
compared with what it must have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import State
from damier.core.words import message, plural
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.items.learning import met, scores_checked
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class TakenDecision:
    """A decision of an agent: where, what, and what it gained until its next one."""

    state: State
    move: int
    gained: int


@dataclass(frozen=True)
class Episode:
    """A game as the agent lived it; `moves` are those of both players."""

    moves: tuple[int, ...]
    decisions: tuple[TakenDecision, ...]
    payoff: int

    def told(self, game: Game) -> str:
        """Its moves by name."""
        s, names = game.start, []
        for move in self.moves:
            names.append(game.name_move(s, move))
            s = game.play(s, move)
        return " ".join(names)


class RightLearner(Protocol):
    """What an agent must know after some games, worked out here."""

    def learn(self, episode: Episode) -> None: ...

    def score(self, s: State, move: int) -> float:
        """What it must say of a move."""
        ...

    def may_play(self, s: State) -> Sequence[int]:
        """The moves that it can have chosen; none where it resigns."""
        ...


def drawn(
    truth: ExactTruth, learner: RightLearner, seat: int, rng: Random, *, strong: bool
) -> Episode | None:
    """A game between random moves, the agent's at this seat among those that it can have chosen, the
    opponent's among all or, where it is strong, among the best; None where the agent resigns.
    """
    game = truth.game
    s, moves, decisions, player = game.start, list[int](), list[TakenDecision](), seat - 1
    while not game.over(s):
        mine = game.mover(s) == player
        others = list(each(truth.best_moves[s])) if strong else game.legal(s)
        choices = learner.may_play(s) if mine else others
        if not choices:
            return None
        move = rng.choice(choices)
        gained = game.reward(s, move)
        if mine:
            decisions.append(TakenDecision(s, move, gained))
        elif decisions and gained:
            last = decisions[-1]
            decisions[-1] = TakenDecision(last.state, last.move, last.gained - gained)
        moves.append(move)
        s = game.play(s, move)
    return Episode(tuple(moves), tuple(decisions), int(game.payoff(s, player)))


def learning_checked(
    submission: Submission,
    agent: int,
    learner: RightLearner,
    episodes: Sequence[int],
    truth: ExactTruth,
    *,
    seat: int,
    seed: int,
) -> Finding:
    """Tells an agent of games and compares its scores in all positions of these after `episodes` of
    them: after 1, 2 and 10, say; after 0 in all that it can meet. In every other game the opponent
    plays the best moves, so that it loses, too.
    """
    game, rng, played, asked = submission.game, Random(seed), 0, list[State]()
    decisions = [s for s in truth.decisions if game.mover(s) == seat - 1]
    seen = met(game, (), seat=seat)
    last = ""
    for games in episodes:
        lines = []
        while played < games:
            episode = drawn(truth, learner, seat, rng, strong=played % 2 == 1)
            played += 1
            if episode is not None:
                learner.learn(episode)
                lines.append(episode.moves)
                last = episode.told(game)
        submission.replay(agent, lines, seat=seat, seed=seed)
        asked = list(seen := seen | met(game, lines, seat=seat)) if games else decisions
        what = plural("after {n} game", "after {n} games", games)
        if last:
            what = message("{what} (the last: {moves}; at seat {seat})", what=what, moves=last, seat=seat)
        wrong = scores_checked(submission, agent, game, asked, learner.score, what)
        if wrong is not None:
            return wrong
    return Finding(
        True,
        plural(
            "every score right to 1e-9, in {n} position",
            "every score right to 1e-9, in {n} positions",
            len(asked),
        ),
    )
