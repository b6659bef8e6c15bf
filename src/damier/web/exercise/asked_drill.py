"""What an address says of an exercise: one alone, or one of a run."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass

from damier.core.errors import BadInput
from damier.core.words import _, message
from damier.lab.exercises.drill import Drill
from damier.lab.exercises.kind import DrillKind
from damier.lab.exercises.kinds import (
    KINDS,
    LARGEST_SEED,
    MOST_COUNT,
    NAMES,
    USUAL_COUNT,
    DrillRun,
    drill,
    has_shape,
    kind_of,
    require_shape,
    usual_shape,
)
from damier.trees.marking import TreeShape
from damier.web import pages
from damier.web.messages.parts import AddressValues
from damier.web.messages.rooms import DrillState
from damier.web.params import Asked

SIZES = ("branching", "plies", "players")
LIMITS = {"branching": (2, 8), "plies": (1, 8), "players": (2, 6)}
CLASS_PAGE = "/class/exercises"
"""Where the sheets of a class are worked on."""
LONGEST_SHEET = 30
SHEET = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST_SHEET}}}")
MOST_ANSWERS, LONGEST_ANSWER = 600, 200


@dataclass(frozen=True)
class AskedDrill:
    """An exercise as it is asked for. `count` is 0 for one alone; in a run of so many it is number
    `item`; of a class it is one of the `sheet` of that name, and its seed is told to nobody.
    """

    kind: DrillKind
    seed: int
    shape: TreeShape | None
    count: int
    item: int
    sheet: str = ""

    @classmethod
    def asked(cls, asked: Asked) -> AskedDrill:
        """What a page asks; where it says nothing, a run begins. Raises BadInput."""
        kind = asked.choice("kind", KINDS)
        usual = 0 if {"kind", "seed"} & asked.values.keys() else USUAL_COUNT
        count = asked.whole("run", usual, 0, MOST_COUNT)
        seed = asked.whole("seed", 1, 0, LARGEST_SEED) if count else asked.whole("seed", 1)
        return cls(kind, seed, shape_of(kind, asked), count, asked.whole("item", 1, 1, max(1, count)))

    @classmethod
    def of_class(cls, asked: Asked, secret: bytes) -> AskedDrill:
        """One of the sheet of a class, whose seed follows from its name and the `secret` of the class.

        The size of the trees has a say in it: who hands in the sheet with other trees, and sees their
        key, has not seen these.

        Raises BadInput.
        """
        kind, sheet = asked.choice("kind", KINDS), asked.text("sheet")
        if not SHEET.fullmatch(sheet):
            raise BadInput(
                message("a sheet has a name of up to {n} letters, digits, - and _", n=LONGEST_SHEET)
            )
        count = asked.whole("run", USUAL_COUNT, 1, MOST_COUNT)
        shape = shape_of(kind, asked)
        sizes = () if shape is None else sizes_of(shape)
        drawn = hmac.digest(secret, " ".join(map(str, (sheet, kind, count, *sizes))).encode(), "sha256")
        seed = int.from_bytes(drawn[:8], "big") % (LARGEST_SEED + 1)
        return cls(kind, seed, shape, count, asked.whole("item", 1, 1, count), sheet)

    @property
    def run(self) -> DrillRun | None:
        return DrillRun(self.kind, self.seed, self.count, self.shape, self.sheet) if self.count else None

    @property
    def drill(self) -> Drill:
        """Raises BadInput."""
        return self.run.drill(self.item) if self.run else drill(self.kind, self.seed, self.shape)

    @property
    def title(self) -> str:
        if self.run:
            return self.run.title_of(self.item)
        return _(
            "Exercise: {kind}, seed {seed}", kind=_(NAMES[kind_of(self.kind, self.seed)]), seed=self.seed
        )

    @property
    def of_run(self) -> AddressValues:
        """What an address says, the number of the exercise left out."""
        sizes: dict[str, int] = (
            {} if self.shape is None else dict(zip(SIZES, sizes_of(self.shape), strict=True))
        )
        count = {"run": self.count} if self.count else {}
        named: dict[str, int | str] = {"sheet": self.sheet} if self.sheet else {"seed": self.seed}
        return {"kind": self.kind, **named, **sizes, **count}

    @property
    def values(self) -> AddressValues:
        return {**self.of_run, "item": self.item} if self.count else self.of_run

    def address(self, item: int) -> str:
        """Of an exercise of the same run."""
        return self._page(**{**self.of_run, "item": item})

    def sheet_address(self, *, keys: bool) -> str:
        """Of the page to be printed."""
        if self.sheet:
            return pages.address(f"{CLASS_PAGE}/print", **self.of_run, keys="1" if keys else "")
        return pages.address("/tree", view="sheet", **self.of_run, keys="1" if keys else "")

    def _page(self, **values: str | int) -> str:
        return (
            pages.address(CLASS_PAGE, **values)
            if self.sheet
            else pages.address("/tree", view="exercise", **values)
        )

    def state(self, *, closed: bool = False, has_key: bool = True) -> DrillState:
        return {
            "values": self.values,
            "address": self._page(**self.values),
            "run": pages.address("", **self.of_run) if self.count else "",
            "kept": pages.address("", **self.of_run),
            "item": self.item,
            "count": self.count,
            "closed": closed,
            "has_key": has_key,
        }


def sizes_of(shape: TreeShape) -> tuple[int, int, int]:
    return shape.branching, shape.plies, shape.players


def shape_of(kind: DrillKind, asked: Asked) -> TreeShape | None:
    """The size of the trees, where something else than usual was said of it. Raises BadInput."""
    if not has_shape(kind) or not any(asked.values.get(name) for name in SIZES):
        return None
    usual = usual_shape(kind)
    given = Asked({name: value for name, value in asked.values.items() if value != ""})
    found = TreeShape(
        *(given.whole(name, size, *LIMITS[name]) for name, size in zip(SIZES, sizes_of(usual), strict=True))
    )
    if kind in ("expectimax", "minimal"):
        found = TreeShape(found.branching, found.plies)
    require_shape(kind, found)
    return None if found == usual and kind != "minimal" else found


def answers_of(found: object) -> dict[str, str]:
    """The answers that a page sent. Raises BadInput."""
    if isinstance(found, dict) and len(found) <= MOST_ANSWERS:
        answers = {
            name: text
            for name, text in found.items()
            if isinstance(text, str) and len(text) <= LONGEST_ANSWER
        }
        if len(answers) == len(found):
            return answers
    raise BadInput(
        message("answers must be at most {n} texts, each by the name of its question", n=MOST_ANSWERS)
    )


def markings_of(found: object, most: int) -> list[dict[str, str]]:
    """Answers that were marked one after the other. Raises BadInput."""
    if isinstance(found, list) and len(found) <= most:
        return [answers_of(each) for each in found]
    raise BadInput(message("an exercise is marked {n} times at most", n=most))


def items_of(found: object, markings: int) -> list[list[dict[str, str]]]:
    """What was marked of every exercise of a run. Raises BadInput."""
    if isinstance(found, list) and len(found) <= MOST_COUNT:
        return [markings_of(each, markings) for each in found]
    raise BadInput(message("a run has at most {n} exercises", n=MOST_COUNT))
