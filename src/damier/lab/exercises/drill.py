"""What every exercise is to whoever shows and marks it: a picture with boxes, the fields that belong
into them, and marks with reasons.

The right answers come from damier's own algorithms, run on what the seed drew: no exercise works
anything out by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from damier.core.json_types import JsonObject
from damier.core.words import decimal
from damier.trees.marking import Marked, is_value

FieldKind: TypeAlias = Literal["number", "numbers", "choice", "branches", "branch"]
"""number     typed; numbers: one for each player
choice     one of some words
branches   which branches of a tree; branch: which one of them
"""
Answers: TypeAlias = Mapping[str, str]
"""By the keys of their fields, as they were typed."""


class FieldChoice(NamedTuple):
    """A word that may be answered: as it is kept, and as people read it."""

    value: str
    shown: str


class AnswerField(NamedTuple):
    """One question of an exercise.

    key     of its answer, and of its box in the picture (`data-blank`)
    label   what is asked, for those who do not see where the box stands
    node    of which node the branches are (`data-branch` is NODE/MOVE)
    """

    key: str
    label: str
    kind: FieldKind
    choices: tuple[FieldChoice, ...] = ()
    node: str = ""


class Drill(Protocol):
    """An exercise: the same kind and seed give the same."""

    @property
    def kind(self) -> str: ...

    @property
    def seed(self) -> int: ...

    def task(self) -> str:
        """What is asked, in sentences."""

    def fields(self) -> tuple[AnswerField, ...]:
        """The questions, in the order in which one would go through them; nothing of the answers."""

    def sheet_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        """The picture with empty boxes; the lines of `note` stand below it, and the title above, unless
        that stands elsewhere.
        """

    def key_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        """The picture worked out."""

    def marked(self, answers: Answers) -> list[Marked]:
        """Every field marked; what is missing in `answers` is empty."""

    def right_answers(self) -> dict[str, str]:
        """What fills in the sheet without a fault."""

    def solution(self) -> list[str]:
        """The answers in sentences."""

    def facts(self) -> JsonObject:
        """The exercise and its key as plain data."""

    def lines(self) -> list[str]:
        """The sheet as lines of text."""

    def tree_text(self) -> str:
        """Its tree as the tree room reads it; empty where there is none to be searched."""


class KnownAnswer(NamedTuple):
    """A field, the right answer (a number, or one of its words), the reason, and a hint."""

    field: AnswerField
    right: float | str
    reason: str
    hint: str

    def marked(self, answers: Answers) -> Marked:
        text = answers.get(self.field.key, "").strip()
        is_right = text == self.right if isinstance(self.right, str) else is_value(text, self.right)
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
        words = {choice.value: choice.shown for choice in self.field.choices}
        return words.get(self.right, self.right)


def marked_known(known: Sequence[KnownAnswer], answers: Answers) -> list[Marked]:
    return [each.marked(answers) for each in known]


def typed(known: Sequence[KnownAnswer]) -> dict[str, str]:
    return {each.field.key: each.text for each in known}


def shown_answers(known: Sequence[KnownAnswer]) -> dict[str, str]:
    """What stands in the boxes of a key."""
    return {each.field.key: each.shown for each in known}


def key_facts(known: Sequence[KnownAnswer]) -> JsonObject:
    """A key as plain data."""
    return {each.field.key: each.right for each in known}
