"""What marking finds: for each item the points, a sentence, and what was wrong, to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from damier.core.game import Game
from damier.core.job import Job
from damier.core.player import RandomPlayer
from damier.core.position import Position
from damier.core.rules import State
from damier.core.solution import Solution
from damier.lab.marking.submission import Submission
from damier.solve import solve
from damier.solve.grade import Grader

WORTH = {"win": 1, "draw": 0, "loss": -1}


@dataclass(frozen=True)
class WrongAnswer:
    """The first thing that was wrong: where, what should have been said, and what was."""

    position: Position
    expected: str
    got: str


@dataclass(frozen=True)
class Finding:
    """What came of an item: whether it passed, in a sentence how it stands, and what was wrong."""

    passed: bool
    sentence: str
    wrong: WrongAnswer | None = None


class ExactTruth:
    """What is known of the game of a sheet, worked out once for a class."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def prepare(self) -> None:
        """Works all of it out, before several threads ask for it."""
        for each in (self.worth, self.best_moves, self.against_random):
            assert each

    @cached_property
    def solution(self) -> Solution:
        return solve(self.game, job=Job(jit=False))

    @cached_property
    def states(self) -> list[State]:
        """Every position that can come up, those of fewer moves first."""
        found = dict.fromkeys([self.game.start])
        queue = list(found)
        for s in queue:
            for move in self.game.legal(s):
                child = self.game.play(s, move)
                if child not in found:
                    found[child] = None
                    queue.append(child)
        return queue

    @cached_property
    def decisions(self) -> list[State]:
        """Those in which somebody is to move."""
        return [s for s in self.states if not self.game.over(s)]

    @cached_property
    def worth(self) -> dict[State, int]:
        """The exact value of every position to the player to move: 1, 0 or -1."""
        return {s: WORTH[self.solution.value(s)] for s in self.states}

    @cached_property
    def best_moves(self) -> dict[State, int]:
        """The moves that keep the value, as a set, for every decision."""
        return {s: self.solution.best_moves(s) for s in self.decisions}

    @cached_property
    def against_random(self) -> Grader:
        """Grades policies against random moves."""
        return Grader(self.game, RandomPlayer(), Job(jit=False))


def share(rate: float) -> str:
    """A rate in percent."""
    return f"{100 * rate:.1f} %"


class Item(Protocol):
    """One kind of question of a sheet."""

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        """Raises AgentFault for what the submission did instead of answering."""
        ...
