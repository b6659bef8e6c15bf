"""A question of a guided sheet: what is asked for, what the answer is, computed when it is needed, and
the wrong answers that have a reason of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.words import message, printable
from damier.lab.games import load
from damier.lab.graphs import DiagramPlan, shape

# What a typed command comes to: lines of text, and the way into the room that shows it.


class RoomLink(NamedTuple):
    """A way into a room: the words, and the address."""

    words: str
    address: str


@dataclass(frozen=True)
class TypedAnswer:
    """The answer to a command.

    Attributes:
        command: as it was understood, written in one way: two commands that mean the same have the same
        lines: what it says
        links: where it can be looked at
        whole: the same for a file, where the lines leave something out
        value: of a call, as a later one can name it
    """

    command: str
    lines: tuple[str, ...] = ()
    links: tuple[RoomLink, ...] = field(default=())
    whole: tuple[str, ...] = ()
    value: str = ""


def refused(text: str, understood: str) -> BadInput:
    """Return what is said of a command that is not understood; `understood` names some that are."""
    return BadInput(
        message("{text}: not understood. Try {understood}", text=printable(text, 60), understood=understood)
    )


CourseNumber: TypeAlias = "int | float"
NumberMaker: TypeAlias = Callable[[], CourseNumber]
QuestionKind: TypeAlias = Literal["number", "choice", "several", "error", "command"]
"""number: a number is typed; choice: one of some answers; several: all that are right; error: the line
that is wrong; command: a command as the document prints it.
"""


@dataclass(frozen=True)
class CourseQuestion:
    """One question.

    Attributes:
        name: what its texts are called by, in every language
        number: the key of a number, and how far an answer may be from it
        slips: wrong numbers that are often given, by the name of their reason
        chosen: the key of a choice, of several, or of an error: names of answers
        command: the key of a command, written in the one way that damier reads it back
        link: the address of the room where the answer can be looked at
        figure: the name of a picture that stands by it
    """

    name: str
    kind: QuestionKind
    number: NumberMaker | None = None
    tolerance: float = 0.0
    slips: Mapping[str, NumberMaker] = field(default_factory=dict)
    chosen: Callable[[], frozenset[str]] | None = None
    command: str = ""
    link: str = ""
    figure: str = ""


@dataclass(frozen=True)
class CoursePart:
    """Some questions under one heading."""

    name: str
    questions: tuple[CourseQuestion, ...]


def numeric(
    name: str,
    key: CourseNumber | NumberMaker,
    *,
    tolerance: float = 0.0,
    slips: Mapping[str, CourseNumber | NumberMaker] | None = None,
    link: str = "",
    figure: str = "",
) -> CourseQuestion:
    """A question that a number answers; `key` and `slips` are numbers, or what computes them."""
    wrong = {slip: maker_of(value) for slip, value in (slips or {}).items()}
    return CourseQuestion(name, "number", maker_of(key), tolerance, wrong, link=link, figure=figure)


def choice(
    name: str,
    key: str | Callable[[], frozenset[str]],
    kind: Literal["choice", "several", "error"] = "choice",
    *,
    link: str = "",
    figure: str = "",
) -> CourseQuestion:
    """A question that one of some answers answers, or several of them; `key` is the one that follows from the
    document itself, or what computes them.
    """
    chosen = (lambda: frozenset({key})) if isinstance(key, str) else key
    return CourseQuestion(name, kind, chosen=chosen, link=link, figure=figure)


def maker_of(key: CourseNumber | NumberMaker) -> NumberMaker:
    return key if callable(key) else lambda: key


def tree_nodes(game: str) -> int:
    """Return how many nodes the whole tree of a game has: every line of play apart."""
    played = load(game)
    return shape(DiagramPlan(played, played.start, "complete", None, False), Job()).nodes
