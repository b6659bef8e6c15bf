"""The kinds of exercises by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, get_args

from damier.core.errors import BadInput
from damier.core.json_types import JsonObject
from damier.core.words import N_, FormattedNumber, _, message
from damier.draw.education import pair_svg
from damier.lab.exercises import POINTS, AnswerField, Answers, Drill, FieldChoice, points
from damier.lab.exercises.learning_drills import BeadDrill, QDrill
from damier.lab.exercises.value_drills import MinimalDrill, RetrogradeDrill, TreeDrill
from damier.trees.explicit import Algorithm
from damier.trees.marking import (
    EVALUATIONS,
    MOST_LEAVES,
    USUAL,
    Marked,
    Quiz,
    TreeShape,
    facts,
    marked_quiz,
    preferred,
    quiz,
    quiz_solution,
    quiz_task,
)

# The kinds of exercises, by name: what a command reads before any of them is made.

DrillKind: TypeAlias = Literal[
    "minimax",
    "alphabeta",
    "expectimax",
    "maxn",
    "evaluation",
    "minimal",
    "q",
    "beads",
    "retrograde",
    "mixed",
]


KINDS: tuple[DrillKind, ...] = get_args(DrillKind)
MIXED: DrillKind = "mixed"
NAMES: dict[DrillKind, str] = {
    "minimax": N_("Minimax"),
    "alphabeta": N_("Alpha-beta"),
    "expectimax": N_("Expectimax"),
    "maxn": N_("Several players (max^n)"),
    "evaluation": N_("Evaluations of Pacman"),
    "minimal": N_("The minimal tree of alpha-beta"),
    "q": N_("One step of Q-learning"),
    "beads": N_("Beads after a game"),
    "retrograde": N_("Retrograde analysis"),
    "mixed": N_("All kinds in turn"),
}
TREES: tuple[Algorithm, ...] = get_args(Algorithm)


def usual_shape(kind: DrillKind) -> TreeShape:
    """The size of the trees of a kind, where something else is said of it."""
    return next((USUAL[each] for each in TREES if each == kind), TreeShape(3, 3))


def has_shape(kind: DrillKind) -> bool:
    """Return whether something may be said of the size of its trees."""
    return kind in TREES or kind == "minimal"


def kind_of(kind: DrillKind, seed: int) -> DrillKind:
    """Return what a seed is an exercise of: `mixed` takes the kinds in turn."""
    return KINDS[seed % (len(KINDS) - 1)] if kind == MIXED else kind


@lru_cache(maxsize=64)
def drill(kind: DrillKind, seed: int, shape: TreeShape | None = None) -> Drill:
    """An exercise: the same kind, seed and shape give the same.

    Raises BadInput for a shape that its kind does not have, or that is too large for a sheet.
    """
    if kind == MIXED:
        return drill(kind_of(kind, seed), seed)
    if shape is not None:
        require_shape(kind, shape)
    for each in TREES:
        if each == kind:
            return TreeDrill.of(each, seed, shape or USUAL[each])
    if kind == "minimal":
        return MinimalDrill.of(seed, shape)
    if kind == "evaluation":
        return EvaluationDrill.of(seed)
    if kind == "q":
        return QDrill.of(seed)
    return BeadDrill.of(seed) if kind == "beads" else RetrogradeDrill.of(seed)


def require_shape(kind: DrillKind, shape: TreeShape) -> None:
    """Raises BadInput."""
    if not has_shape(kind):
        raise BadInput(
            message(
                "{kind} has no tree: branching, plies and players go with the kinds that have one", kind=kind
            )
        )
    leaves = shape.branching**shape.plies
    if leaves > MOST_LEAVES:
        raise BadInput(
            message(
                "up to {n} leaves; a sheet has {most} at most",
                n=FormattedNumber(leaves, ","),
                most=MOST_LEAVES,
            )
        )
    if kind == "expectimax" and shape.players != 2:
        raise BadInput(message("{n} players: in expectimax one player moves, and chance", n=shape.players))
    if kind == "minimal" and shape.players != 2:
        raise BadInput(message("{n} players: the minimal tree is one of two players", n=shape.players))


# The quiz on evaluations: two positions of Pacman, four formulas.


@dataclass(frozen=True)
class EvaluationDrill(Drill):
    """Two numbers a formula, and which position it prefers."""

    seed: int
    made: Quiz
    kind: str = "evaluation"

    @classmethod
    def of(cls, seed: int) -> EvaluationDrill:
        return cls(seed, quiz(seed))

    def task(self) -> str:
        return quiz_task()

    def fields(self) -> tuple[AnswerField, ...]:
        sides = (
            FieldChoice("left", _("left")),
            FieldChoice("right", _("right")),
            FieldChoice("neither", _("neither")),
        )
        found: list[AnswerField] = []
        for row, name in enumerate(EVALUATIONS):
            found += [
                AnswerField(f"left:{row}", _("Left: {name}", name=_(name)), "number"),
                AnswerField(f"right:{row}", _("Right: {name}", name=_(name)), "number"),
                AnswerField(f"prefers:{row}", _("{name} prefers", name=_(name)), "choice", sides),
            ]
        return tuple(found)

    def picture(self, title: str, note: str, *, solved: bool, headed: bool) -> str:
        said = note.split("\n") if note else []
        names = [] if solved else [f"{_(name)}   =" for name in EVALUATIONS]
        return pair_svg(self.made.left.grid, self.made.right.grid, title, said, names, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        return marked_quiz(self.made, answers)

    def right_answers(self) -> dict[str, str]:
        right: dict[str, str] = {}
        for row, (name, evaluation) in enumerate(EVALUATIONS.items()):
            right |= {
                f"left:{row}": f"{evaluation(self.made.left):.3f}",
                f"right:{row}": f"{evaluation(self.made.right):.3f}",
                f"prefers:{row}": preferred(self.made, name),
            }
        return right

    def solution(self) -> list[str]:
        return quiz_solution(self.made)

    def facts(self) -> JsonObject:
        return facts(self.made)

    def lines(self) -> list[str]:
        grids = zip(self.made.left.grid.rows, self.made.right.grid.rows, strict=True)
        return ["    ".join(row.replace(" ", ".") for row in rows) for rows in grids] + [
            _(name) for name in EVALUATIONS
        ]


# Some exercises in a row, the same for all who are given the same seed.

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
        """Its name in a list."""
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
        """Return what stands above an exercise."""
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
