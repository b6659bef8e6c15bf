"""Exercises of every kind behind one interface: a picture with boxes, the fields that belong into them, and
marks with reasons. Their kinds are listed in `kinds`.

The right answers come from damier's own algorithms, run on what the seed drew: no exercise works
anything out by itself.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from damier.core.json_types import JsonObject
from damier.core.open_addressing import plain_index
from damier.core.tree import Value
from damier.core.words import decimal, labelled
from damier.learn.parameters import as_numbers
from damier.learn.qtable import COUNTERS, PLAYING, SeatArrays

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


NEAR = 0.01
"""How far an answer may be off: two decimals are enough."""
NUMBER = re.compile(r"[-−]?[0-9]{1,12}(?:\.[0-9]{0,20})?(?:/[0-9]{1,12})?")


FieldKind: TypeAlias = Literal["number", "numbers", "choice", "branches", "branch"]
"""number     typed; numbers: one for each player
choice     one of some words
branches   which branches of a tree; branch: which one of them
"""
Answers: TypeAlias = Mapping[str, str]
"""By the keys of their fields, as they were typed."""


class Marked(NamedTuple):
    """A question (its key in the answers), whether the answer is right, why the right one is so;
    and a hint, which says how it is found and not what it is.
    """

    key: str
    is_right: bool
    reason: str
    hint: str


class FieldChoice(NamedTuple):
    """A word that may be answered: as it is kept, and as people read it."""

    value: str
    text: str


class AnswerField(NamedTuple):
    """One question of an exercise.

    Attributes:
        key: of its answer, and of its box in the picture (`data-blank`)
        label: what is asked, for those who do not see where the box stands
        node: of which node the branches are (`data-branch` is NODE/MOVE)
    """

    key: str
    label: str
    kind: FieldKind
    choices: tuple[FieldChoice, ...] = ()
    node: str = ""


class KnownAnswer(NamedTuple):
    """A field, the right answer (a number, or one of its words), the reason, and a hint."""

    field: AnswerField
    right: float | str
    reason: str
    hint: str

    def marked(self, answers: Answers) -> Marked:
        text = answers.get(self.field.key, "").strip()
        if isinstance(self.right, str):  # a word, as data or as it is read
            is_right = text in (self.right, self.shown)
        else:
            is_right = is_value(text, self.right)
        return Marked(self.field.key, is_right, self.reason, self.hint)

    @property
    def text(self) -> str:
        """As it is typed: six figures are enough."""
        return self.right if isinstance(self.right, str) else f"{self.right:.6g}"

    @property
    def shown(self) -> str:
        """As it is read."""
        if not isinstance(self.right, str):
            return decimal(self.right, ".6g")
        return {choice.value: choice.text for choice in self.field.choices}.get(self.right, self.right)


class Drill(ABC):
    """An exercise: the same kind and seed give the same."""

    kind: str
    seed: int

    @property
    def known(self) -> Sequence[KnownAnswer]:
        """The right answers that are a number or a word, in the order in which one would go through them."""
        return ()

    @abstractmethod
    def task(self) -> str:
        """Return what is asked, in sentences."""

    def fields(self) -> tuple[AnswerField, ...]:
        """The questions, in the order in which one would go through them; nothing of the answers."""
        return tuple(each.field for each in self.known)

    @abstractmethod
    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        """The picture with empty boxes, or worked out; the lines of `note` stand below it, and the title
        above, unless that stands elsewhere.
        """

    @abstractmethod
    def facts(self) -> JsonObject:
        """The exercise and its key as plain data."""

    @abstractmethod
    def lines(self) -> list[str]:
        """The sheet as lines of text."""

    def tree_text(self) -> str:
        """Its tree as the tree room reads it; empty where there is none to be searched."""
        return ""

    def marked(self, answers: Answers) -> list[Marked]:
        """Every field marked; what is missing in `answers` is empty."""
        return [each.marked(answers) for each in self.known]

    def right_answers(self) -> dict[str, str]:
        """Return what fills in the sheet without a fault."""
        return {each.field.key: each.text for each in self.known}

    def solution(self) -> list[str]:
        """The answers in sentences."""
        return [labelled(each.field.label, each.reason) for each in self.known]

    def filled(self, *, solved: bool) -> dict[str, str]:
        """Return what stands in the boxes of the picture."""
        return {each.field.key: each.shown for each in self.known} if solved else {}

    def key_facts(self) -> JsonObject:
        """The right answers as plain data."""
        return {each.field.key: each.right for each in self.known}


def is_value(text: str, value: Value) -> bool:
    """Return whether somebody wrote a value; a bound may be written `≤ 3`, and a number for each player in
    brackets or without.
    """
    wanted = value if isinstance(value, tuple) else (value,)
    text = text.lstrip("≤≥<>= ")
    written = numbers(text.replace(",", ".") if len(wanted) == 1 else text)
    return len(written) == len(wanted) and all(
        abs(a - b) <= NEAR for a, b in zip(written, wanted, strict=True)
    )


def numbers(text: str) -> list[float]:
    """The numbers of an answer; none where it holds anything else.

    >>> numbers("(3, -1.5)"), numbers("1/4"), numbers("2,5"), numbers("three")
    ([3.0, -1.5], [0.25], [2.0, 5.0], [])
    """
    words = text.strip("()[] ").replace(",", " ").replace(";", " ").split()
    return [as_number(word) for word in words] if all(NUMBER.fullmatch(word) for word in words) else []


def as_number(word: str) -> float:
    above, _slash, below = word.replace("−", "-").partition("/")
    return float(above) / float(below) if below and float(below) else float("nan") if below else float(above)


# What an exercise is worth to who does it: all for what is right at once, half for the second try, a
# quarter with hints. What an empty sheet has right is worth nothing.

SHARES = (1.0, 0.5, 0.25)
"""Of an answer that is right at the first, the second, the third marking."""
MARKINGS = len(SHARES)
POINTS = 10
"""Of one exercise."""
NONE: Answers = {}


def points(drill: Drill, markings: Sequence[Answers]) -> float:
    """The points of one exercise, whose answers were marked so often; to a tenth."""
    return round(POINTS * share(drill, markings), 1)


def share(drill: Drill, markings: Sequence[Answers]) -> float:
    """The share of an exercise's points that was gained by answers that were marked so often, 0 to 1."""
    found = [{each.key: each.is_right for each in drill.marked(given)} for given in markings[:MARKINGS]]
    free = sum(each.is_right for each in drill.marked(NONE))
    blanks = len(drill.fields()) - free
    if not found or blanks <= 0:
        return 0.0
    return max(0.0, sum(share_of(key, found) for key in found[0]) - free) / blanks


def share_of(key: str, found: Sequence[dict[str, bool]]) -> float:
    """Return what an answer counts: by the marking since which it has been right."""
    if not found[-1][key]:
        return 0.0
    wrong = [number for number, each in enumerate(found) if not each[key]]
    return SHARES[wrong[-1] + 1 if wrong else 0]


# One game that a learner has played, as its engine sees it: a table of the positions that came up, and
# what was drawn in each.


def one_game(
    rows: Sequence[Sequence[float]],
    taken: Sequence[int],
    rewards: Sequence[float],
    parameters: DataclassInstance,
) -> SeatArrays:
    """A seat just before its game is learnt from.

    Args:
        rows: of each position what its entries hold: values, and where they are whole, beads
        taken: of each decision the entry of its row that was taken; rows come in their order
        rewards: what was gained before each decision, and since the last
    """
    first = list(accumulate(map(len, rows), initial=0))
    values = [float(value) for row in rows for value in row]
    decisions = len(taken)
    counters = [0] * COUNTERS
    counters[PLAYING] = 1
    return SeatArrays(
        plain_index([]),
        first,
        [entry for row in rows for entry in range(len(row))],
        values,
        [int(value) for value in values],
        counters,
        [0.0, 0.0],
        list(range(decisions)),
        [first[row] + entry for row, entry in enumerate(taken)],
        [max(rows[row]) for row in range(decisions)],
        [float(reward) for reward in rewards],
        [decisions],
        [],
        as_numbers(parameters),
    )


def row_values(seat: SeatArrays, row: int) -> list[float]:
    return [float(value) for value in seat.values[seat.first[row] : seat.first[row + 1]]]


def row_beads(seat: SeatArrays, row: int) -> list[int]:
    return [int(count) for count in seat.counts[seat.first[row] : seat.first[row + 1]]]
