"""The kinds of exercises by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from damier.core.bits import random_below, seeded
from damier.core.board import Grid
from damier.core.errors import BadInput
from damier.core.json_types import JsonObject
from damier.core.tree import written_value
from damier.core.words import N_, FormattedNumber, _, message, ngettext
from damier.draw.education import pair_svg
from damier.lab.exercises import POINTS, AnswerField, Answers, Drill, FieldChoice, KnownAnswer, points
from damier.lab.exercises.learning_drills import BeadDrill, QDrill
from damier.lab.exercises.tree_drills import (
    MOST_LEAVES,
    USUAL,
    MinimalDrill,
    RetrogradeDrill,
    TreeDrill,
    TreeShape,
)
from damier.trees.explicit import Algorithm

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
    return MinimalDrill.of(seed, shape) if kind == "minimal" else WITHOUT_SHAPE[kind].of(seed)


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


# The evaluation quiz (row A-57): two positions of Pacman, four evaluations; which of them prefer
# the left one?
#
#     1 / d(food)     d(ghost)     d(ghost) + 1 / d(food)     d(ghost) + 1000 / d(food)
#
# d is the number of steps in an open room, rows and columns added. No value is that of a real game:
# the quiz is about what a formula weighs.

WIDTH, HEIGHT = 7, 4
Cell = tuple[int, int]
"""Column and row, from the top left."""


@dataclass(frozen=True)
class Room:
    """An open room with Pacman, a ghost and one food, in different cells."""

    pacman: Cell
    ghost: Cell
    food: Cell

    @property
    def to_food(self) -> int:
        return steps(self.pacman, self.food)

    @property
    def to_ghost(self) -> int:
        return steps(self.pacman, self.ghost)

    @property
    def grid(self) -> Grid:
        marks = {self.pacman: "P", self.ghost: "G", self.food: "·"}
        rows = tuple(
            "".join(marks.get((column, row), " ") for column in range(WIDTH)) for row in range(HEIGHT)
        )
        return Grid(rows, {"P": "pacman", "G": "ghost", "·": "food"})


EVALUATIONS: Final[Mapping[str, Callable[[Room], float]]] = {
    N_("1 / d(food)"): lambda room: 1 / room.to_food,
    N_("d(ghost)"): lambda room: room.to_ghost,
    N_("d(ghost) + 1 / d(food)"): lambda room: room.to_ghost + 1 / room.to_food,
    N_("d(ghost) + 1000 / d(food)"): lambda room: room.to_ghost + 1000 / room.to_food,
}


def steps(a: Cell, b: Cell) -> int:
    """Steps from one cell to another."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def random_room(rng: list[int]) -> Room:
    """Three different cells."""
    free = [(column, row) for column in range(WIDTH) for row in range(HEIGHT)]
    pacman, ghost, food = (free.pop(random_below(rng, len(free))) for _piece in range(3))
    return Room(pacman, ghost, food)


@dataclass(frozen=True)
class EvaluationDrill(Drill):
    """Two numbers a formula, and which position it prefers."""

    seed: int
    left: Room
    right: Room
    kind: str = "evaluation"

    @classmethod
    def of(cls, seed: int) -> EvaluationDrill:
        """The first two rooms of a seed about which the evaluations disagree, none of them undecided."""
        rng = seeded(seed)
        while True:
            drawn = cls(seed, random_room(rng), random_room(rng))
            if {drawn.preferred(name) for name in EVALUATIONS} == {"left", "right"}:
                return drawn

    @property
    def rooms(self) -> tuple[Room, Room]:
        return self.left, self.right

    def preferred(self, name: str) -> str:
        """Return which position an evaluation prefers: left, right, or neither."""
        left, right = (EVALUATIONS[name](room) for room in self.rooms)
        return "left" if left > right else "right" if right > left else "neither"

    @property
    def known(self) -> tuple[KnownAnswer, ...]:
        words = {"left": _("the left"), "right": _("the right"), "neither": _("neither")}
        sides = (
            FieldChoice("left", _("left")),
            FieldChoice("right", _("right")),
            FieldChoice("neither", _("neither")),
        )
        found = []
        for row, (name, evaluation) in enumerate(EVALUATIONS.items()):
            left = AnswerField(f"left:{row}", _("Left: {name}", name=_(name)), "number")
            right = AnswerField(f"right:{row}", _("Right: {name}", name=_(name)), "number")
            prefers = AnswerField(f"prefers:{row}", _("{name} prefers", name=_(name)), "choice", sides)
            for field, room in zip((left, right), self.rooms, strict=True):
                value = round(evaluation(room), 3)
                reason = _(
                    "d(food) = {food}, d(ghost) = {ghost}: {value}",
                    food=room.to_food,
                    ghost=room.to_ghost,
                    value=written_value(value),
                )
                hint = _("count d(food) and d(ghost) first: steps to the right or left, and up or down")
                found.append(KnownAnswer(field, value, reason, hint))
            side = self.preferred(name)
            reason = _("the larger number is preferred: {side}", side=words[side])
            hint = _("the position with the larger number is preferred")
            found.append(KnownAnswer(prefers, side, reason, hint))
        return tuple(found)

    def task(self) -> str:
        return _(
            "d counts the steps to Pacman, rows and columns added. What does each evaluation give, and which"
            " position does it prefer?"
        )

    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        lines = note.split("\n") if note else []
        names = [] if solved else [f"{_(name)}   =" for name in EVALUATIONS]
        return pair_svg(self.left.grid, self.right.grid, title, lines, names, headed=headed)

    def right_answers(self) -> dict[str, str]:
        return {
            each.field.key: each.right if isinstance(each.right, str) else f"{each.right:.3f}"
            for each in self.known
        }

    def solution(self) -> list[str]:
        """The answers in sentences."""
        words = {
            "left": _("prefers the left"),
            "right": _("prefers the right"),
            "neither": _("prefers neither"),
        }
        lines = [
            _(
                "left: d(food) = {a}, d(ghost) = {b}; right: d(food) = {c}, d(ghost) = {d}",
                a=self.left.to_food,
                b=self.left.to_ghost,
                c=self.right.to_food,
                d=self.right.to_ghost,
            )
        ]
        for name, evaluation in EVALUATIONS.items():
            left, right = (written_value(round(evaluation(room), 3)) for room in self.rooms)
            lines.append(
                _(
                    "{name}: left {left}, right {right}; {prefers}",
                    name=_(name),
                    left=left,
                    right=right,
                    prefers=words[self.preferred(name)],
                )
            )
        return lines

    def facts(self) -> JsonObject:
        """The quiz and its key as plain data."""
        rooms: list[JsonObject] = [
            {"board": list(room.grid.rows), "pacman": room.pacman, "ghost": room.ghost, "food": room.food}
            for room in self.rooms
        ]
        answers: JsonObject = {
            name: {
                "left": evaluation(self.left),
                "right": evaluation(self.right),
                "prefers": self.preferred(name),
            }
            for name, evaluation in EVALUATIONS.items()
        }
        return {"positions": dict(zip(("left", "right"), rooms, strict=True)), "answers": answers}

    def lines(self) -> list[str]:
        grids = zip(self.left.grid.rows, self.right.grid.rows, strict=True)
        return ["    ".join(row.replace(" ", ".") for row in rows) for rows in grids] + [
            _(name) for name in EVALUATIONS
        ]


WITHOUT_SHAPE: dict[DrillKind, type[EvaluationDrill | QDrill | BeadDrill | RetrogradeDrill]] = {
    "evaluation": EvaluationDrill,
    "q": QDrill,
    "beads": BeadDrill,
    "retrograde": RetrogradeDrill,
}
"""The kinds of which nothing is said but the seed."""


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
    """`count` exercises of one kind, or of all in turn; 0: one alone, which has the seed itself."""

    kind: DrillKind
    seed: int
    count: int = USUAL_COUNT
    shape: TreeShape | None = None

    @property
    def title(self) -> str:
        """Its name in a list."""
        shape = "" if self.shape is None else f", {self.shape.branching}×{self.shape.plies}"
        return ngettext(
            "{kind}, seed {seed}, {n} exercise",
            "{kind}, seed {seed}, {n} exercises",
            self.count,
            kind=_(NAMES[self.kind]) + shape,
            seed=self.seed,
        )

    def title_of(self, number: int) -> str:
        """Return what stands above an exercise."""
        kind = _(NAMES[kind_of(self.kind, self.seed_of(number))])
        if not self.count:
            return _("Exercise: {kind}, seed {seed}", kind=kind, seed=self.seed)
        return _(
            "Exercise {n} of {of}: {kind}, seed {seed}",
            n=number,
            of=self.count,
            kind=kind,
            seed=self.seed_of(number),
        )

    def seed_of(self, number: int) -> int:
        """The seed of an exercise; they are counted from 1."""
        return APART * self.seed + number if self.count else self.seed

    def drill(self, number: int) -> Drill:
        """Raises BadInput for a shape that does not fit."""
        return drill(self.kind, self.seed_of(number), self.shape)

    def points(self, markings: Sequence[Sequence[Answers]]) -> RunPoints:
        """The points of a run, given what was marked of each exercise; what is missing has none."""
        given = [*markings[: self.count], *[()] * (self.count - len(markings))]
        return RunPoints(
            tuple(points(self.drill(number), each) if each else 0.0 for number, each in enumerate(given, 1))
        )
