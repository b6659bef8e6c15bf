"""Matchboxes and lists: after games that are given, every move has as many beads as it must.

After [S0], rows A-26 to A-30 (MENACE), and [S1], rows A-39 to A-46 (lists in which a move stands
several times).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from damier.core.game import Game
from damier.core.rules import State
from damier.lab.marking.finding import ExactTruth, Finding, Positive, Seat
from damier.lab.marking.items.episodes import Episode, learning_checked
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class BeadsItem:
    """agent     the name of its class
    episodes  after so many games it is asked, ascending; 0: before the first
    seat      at which it sits
    seed      of the games
    beads     of every move at first
    win       that are added after a game won; draw: after one drawn
    rewarded  whether every decision of a game is, or its last one
    loss      after a game lost: nothing; or the bead is taken out of the last box and, as long as a box
              is empty then, out of the one before it
    symmetric whether positions that are alike but turned or mirrored share a box
    """

    agent: str
    episodes: tuple[int, ...]
    seat: Seat
    seed: int
    beads: Positive
    win: int
    draw: int
    rewarded: Literal["every", "last"]
    loss: Literal["nothing", "last-box"]
    symmetric: bool

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        agent = submission.agent(self.agent, self.seed)
        boxes = RightBoxes(truth.game, self)
        return learning_checked(
            submission, agent, boxes, self.episodes, truth, seat=self.seat, seed=self.seed
        )


@dataclass
class RightBoxes:
    """The beads that must lie in each box."""

    game: Game
    item: BeadsItem
    boxes: dict[State, dict[int, int]] = field(default_factory=dict)

    def learn(self, episode: Episode) -> None:
        item = self.item
        decisions = episode.decisions if item.rewarded == "every" else episode.decisions[-1:]
        added = item.win if episode.payoff > 0 else item.draw if episode.payoff == 0 else 0
        for taken in decisions if added else ():
            box, bead = self._bead(taken.state, taken.move)
            box[bead] += added
        if episode.payoff < 0 and item.loss == "last-box":
            for taken in reversed(episode.decisions):
                box, bead = self._bead(taken.state, taken.move)
                box[bead] -= 1
                if any(box.values()):
                    break

    def score(self, s: State, move: int) -> float:
        box, bead = self._bead(s, move)
        return box[bead]

    def may_play(self, s: State) -> Sequence[int]:
        return [move for move in self.game.legal(s) if self.score(s, move) > 0]

    def _bead(self, s: State, move: int) -> tuple[dict[int, int], int]:
        """The box of a position, and the bead in it that stands for a move."""
        symmetries = range(self.game.symmetries() if self.item.symmetric else 1)
        symmetry = min(symmetries, key=lambda symmetry: (tuple(self.game.turn(s, symmetry)), symmetry))
        same = self.game.turn(s, symmetry)
        box = self.boxes.setdefault(same, dict.fromkeys(self.game.legal(same), self.item.beads))
        return box, self.game.turn_move(move, symmetry)
