"""The exact values of a small game, beside what a learner takes its moves to be worth."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.core.solution import AnySolution, AnyValue, ValueSolution, distance_of, side, value_of_score
from damier.core.tiers import Allowance
from damier.lab.lab import Lab
from damier.learn.action_values import Row
from damier.solve import solve
from damier.solve.reach import TooMany, pure_layers

LARGEST = 30_000
"""Positions of the largest game whose values are quickly found."""


@dataclass
class Truth:
    """The exact values of a small game.

    `known` finds, for a position as a player sees it, one that can come up.
    """

    solution: AnySolution
    known: dict[State, State]

    def of_move(self, game: Game, s: State, move: int) -> tuple[AnyValue, int | None] | None:
        """What a move leads to for the player who makes it, and in how many plies."""
        real = self.known.get(s)
        return None if real is None else self.solution.explain(real)[move]

    def of_afterstate(self, game: Game, s: State) -> tuple[AnyValue, int | None] | None:
        """What a position is worth to the player who has just moved."""
        real = self.known.get(s)
        if real is None:
            return None
        if isinstance(self.solution, ValueSolution):
            worth = self.solution.for_first(real)
            return worth if side(game, real) < 0 else -worth, None
        score = self.solution.score(real)
        return value_of_score(-score * side(game, real)), distance_of(
            game, real, score, self.solution.table.top
        )


def truth(lab: Lab) -> Truth | None:
    """The exact values, where they are quickly found."""
    try:
        states = [
            s
            for layer in pure_layers(lab.game, lab.game.start, Job(), allowance=Allowance(LARGEST))
            for s in layer
        ]
        return Truth(
            solve(lab.game, job=lab.job), {lab.game.canonical(s): s for s in states} | {s: s for s in states}
        )
    except (TooMany, LimitReached, Unsuitable):
        return None


def exact_of(game: Game, name: str, row: Row, exact: Truth) -> list[tuple[AnyValue, int | None] | None]:
    """The exact value of every entry of a row."""
    if name == "v":
        return [exact.of_afterstate(game, row.state)]
    return [exact.of_move(game, row.state, move) for move in row.moves]
