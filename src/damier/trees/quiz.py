"""The evaluation quiz (row A-57): two positions of Pacman, four evaluations; which of them prefer
the left one?

    1 / d(food)     d(ghost)     d(ghost) + 1 / d(food)     d(ghost) + 1000 / d(food)

d is the number of steps in an open room, rows and columns added. No value is that of a real game:
the quiz is about what a formula weighs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from damier.core.bits import random_below, reseed
from damier.core.board import Grid
from damier.core.json_types import JsonObject
from damier.core.tree import written_value
from damier.core.words import N_, _

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


@dataclass(frozen=True)
class Quiz:
    left: Room
    right: Room

    @property
    def rooms(self) -> tuple[Room, Room]:
        return self.left, self.right


EVALUATIONS: Final[Mapping[str, Callable[[Room], float]]] = {
    N_("1 / d(food)"): lambda room: 1 / room.to_food,
    N_("d(ghost)"): lambda room: room.to_ghost,
    N_("d(ghost) + 1 / d(food)"): lambda room: room.to_ghost + 1 / room.to_food,
    N_("d(ghost) + 1000 / d(food)"): lambda room: room.to_ghost + 1000 / room.to_food,
}


def steps(a: Cell, b: Cell) -> int:
    """Steps from one cell to another."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def quiz(seed: int) -> Quiz:
    """The first two rooms of a seed about which the evaluations disagree, none of them undecided."""
    rng = [0]
    reseed(rng, seed, 0)
    while True:
        drawn = Quiz(random_room(rng), random_room(rng))
        if {preferred(drawn, name) for name in EVALUATIONS} == {"left", "right"}:
            return drawn


def random_room(rng: list[int]) -> Room:
    """Three different cells."""
    free = [(column, row) for column in range(WIDTH) for row in range(HEIGHT)]
    pacman, ghost, food = (free.pop(random_below(rng, len(free))) for _piece in range(3))
    return Room(pacman, ghost, food)


def preferred(quiz: Quiz, name: str) -> str:
    """Return which position an evaluation prefers: left, right, or neither."""
    left, right = (EVALUATIONS[name](room) for room in quiz.rooms)
    return "left" if left > right else "right" if right > left else "neither"


def task() -> str:
    """Return what is asked."""
    return _(
        "d counts the steps to Pacman, rows and columns added. What does each evaluation give, and which"
        " position does it prefer?"
    )


def solution(quiz: Quiz) -> list[str]:
    """The answers in sentences."""
    words = {"left": _("prefers the left"), "right": _("prefers the right"), "neither": _("prefers neither")}
    said = [
        _(
            "left: d(food) = {a}, d(ghost) = {b}; right: d(food) = {c}, d(ghost) = {d}",
            a=quiz.left.to_food,
            b=quiz.left.to_ghost,
            c=quiz.right.to_food,
            d=quiz.right.to_ghost,
        )
    ]
    for name, evaluation in EVALUATIONS.items():
        left, right = (written_value(round(evaluation(room), 3)) for room in quiz.rooms)
        said.append(
            _(
                "{name}: left {left}, right {right}; {prefers}",
                name=_(name),
                left=left,
                right=right,
                prefers=words[preferred(quiz, name)],
            )
        )
    return said


def facts(quiz: Quiz) -> JsonObject:
    """The quiz and its key as plain data."""
    rooms: list[JsonObject] = [
        {"board": list(room.grid.rows), "pacman": room.pacman, "ghost": room.ghost, "food": room.food}
        for room in quiz.rooms
    ]
    answers: JsonObject = {
        name: {
            "left": evaluation(quiz.left),
            "right": evaluation(quiz.right),
            "prefers": preferred(quiz, name),
        }
        for name, evaluation in EVALUATIONS.items()
    }
    return {"positions": dict(zip(("left", "right"), rooms, strict=True)), "answers": answers}
