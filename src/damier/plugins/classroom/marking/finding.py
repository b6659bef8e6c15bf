"""The findings of marking: for each item the points, a sentence, and what was wrong, to be shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Annotated, Literal, TypeAlias

from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game, Position
from damier.core.job import Job
from damier.core.rules import Moves, State
from damier.core.solution import PAYOFFS, Solution
from damier.core.tiers import Allowance
from damier.core.tree import Scene
from damier.core.words import FormattedNumber, Message, Text, message
from damier.lab.agents import policy
from damier.lab.games import Lab
from damier.solve import solve
from damier.solve.grade import Grader
from damier.solve.reach import TooMany, pure_layers

MOST_POSITIONS = 200_000
"""Of the game of a sheet: each of them may be asked of every submission."""


@dataclass(frozen=True)
class WrongAnswer:
    """The first thing that was wrong: where, what should have been said, and what was.

    Attributes:
        position: None where it was a tree, worked out
    """

    position: Position | None
    expected: Text
    got: Text
    tree: Scene | None = None


@dataclass(frozen=True)
class Finding:
    """The finding of an item: whether it passed, in a sentence how it stands, and what was wrong."""

    passed: bool
    sentence: Text
    wrong: WrongAnswer | None = None


class ExactTruth:
    """Everything known of the game of a sheet, worked out once for a class."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lab = Lab(game, Job(jit=False), loads_files=False)
        self._graders: dict[str, Grader] = {}

    def prepare(self) -> None:
        """Works all of it out, before several threads ask for it."""
        for each in (self.states, self.worth, self.best_moves, self.against("random")):
            assert each

    @cached_property
    def solution(self) -> Solution:
        found = solve(self.game, job=Job(jit=False))
        if not isinstance(found, Solution):
            raise Unsuitable(
                message(
                    "a sheet asks for wins, draws and losses; values of {game} are payoffs",
                    game=self.game.text,
                )
            )
        return found

    @cached_property
    def states(self) -> list[State]:
        """Every position that can come up, those of fewer moves first.

        Raises LimitReached for more than MOST_POSITIONS.
        """
        try:
            return list(following(self.game, self.game.start, Allowance(MOST_POSITIONS)))
        except TooMany:
            raise LimitReached(
                message(
                    "{game} has more than {n} positions: too large for a sheet",
                    game=self.game.text,
                    n=FormattedNumber(MOST_POSITIONS, ","),
                )
            ) from None

    @cached_property
    def decisions(self) -> list[State]:
        """Those in which somebody is to move."""
        return [s for s in self.states if not self.game.over(s)]

    @cached_property
    def worth(self) -> dict[State, int]:
        """The exact value of every position to the player to move: 1, 0 or -1."""
        return {s: PAYOFFS[self.solution.value(s)] for s in self.states}

    @cached_property
    def best_moves(self) -> dict[State, Moves]:
        """The moves that keep the value, as a set, for every decision."""
        return {s: self.solution.best_moves(s) for s in self.decisions}

    def against(self, agent: str) -> Grader:
        """Grades policies against an agent of this name; it is none of somebody's own.

        Raises DamierError for what is no agent, or cannot be graded against.
        """
        if agent not in self._graders:
            self._graders[agent] = Grader(self.game, policy(self._lab, agent), self._lab.job)
        return self._graders[agent]


def following(game: Game, s: State, allowance: Allowance | None = None) -> Iterator[State]:
    """Give every position that can come up from here, this one first, each once. Raises TooMany where the
    allowance ends.
    """
    return chain.from_iterable(pure_layers(game, s, Job(jit=False), allowance=allowance))


def share(rate: float) -> Message:
    """A rate in percent."""
    return message("{n} %", n=FormattedNumber(100 * rate, ".1f"))


Positive: TypeAlias = Annotated[int, 1]
"""A whole number of a sheet that is at least 1; an int may be 0."""
Seat: TypeAlias = Literal[1, 2]
AnySeat: TypeAlias = Literal[0, 1, 2]
"""0: in turn at both."""
