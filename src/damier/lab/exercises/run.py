"""Some exercises in a row, the same for all who are given the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from damier.core.words import _
from damier.lab.exercises.drill import Answers, Drill
from damier.lab.exercises.kind import DrillKind
from damier.lab.exercises.kinds import NAMES, drill, kind_of
from damier.lab.exercises.scoring import POINTS, points
from damier.trees.exercise import TreeShape

USUAL_COUNT, MOST_COUNT = 10, 20
APART = 100
"""Exercise n of the run of seed s has the seed 100 s + n, so that it can be made alone."""
LARGEST_SEED = (1 << 53) // APART - 1


class RunPoints(NamedTuple):
    """The points of every exercise of a run, and of how many each."""

    each: tuple[float, ...]
    of_each: int = POINTS

    @property
    def total(self) -> float:
        return round(sum(self.each), 1)

    @property
    def of(self) -> int:
        return self.of_each * len(self.each)


@dataclass(frozen=True)
class DrillRun:
    """`count` exercises of one kind, or of all in turn; where a class has a `sheet` of that name, its seed
    is told to nobody.
    """

    kind: DrillKind
    seed: int
    count: int = USUAL_COUNT
    shape: TreeShape | None = None
    sheet: str = ""

    @property
    def title(self) -> str:
        """What a list calls it."""
        shape = "" if self.shape is None else f", {self.shape.branching}×{self.shape.plies}"
        if self.sheet:
            return _(
                "Sheet {sheet}: {kind}, {n} exercises",
                sheet=self.sheet,
                kind=_(NAMES[self.kind]) + shape,
                n=self.count,
            )
        return _(
            "{kind}, seed {seed}, {n} exercises",
            kind=_(NAMES[self.kind]) + shape,
            seed=self.seed,
            n=self.count,
        )

    def title_of(self, number: int) -> str:
        """What stands above an exercise."""
        if self.sheet:
            return _(
                "Exercise {n} of {of}: {kind}, sheet {sheet}",
                n=number,
                of=self.count,
                kind=_(NAMES[kind_of(self.kind, self.seed_of(number))]),
                sheet=self.sheet,
            )
        return _(
            "Exercise {n} of {of}: {kind}, seed {seed}",
            n=number,
            of=self.count,
            kind=_(NAMES[kind_of(self.kind, self.seed_of(number))]),
            seed=self.seed_of(number),
        )

    def seed_of(self, number: int) -> int:
        """The seed of an exercise; they are counted from 1."""
        return APART * self.seed + number

    def drill(self, number: int) -> Drill:
        """Raises BadInput for a shape that does not fit."""
        return drill(self.kind, self.seed_of(number), self.shape)

    def points(self, markings: Sequence[Sequence[Answers]]) -> RunPoints:
        """The points of a run, given what was marked of each exercise; what is missing has none."""
        given = [*markings[: self.count], *[()] * (self.count - len(markings))]
        return RunPoints(
            tuple(points(self.drill(number), each) if each else 0.0 for number, each in enumerate(given, 1))
        )
