"""What a typed command comes to: lines of text, and the way into the room that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.words import message, printable


class RoomLink(NamedTuple):
    """A way into a room: the words, and the address."""

    words: str
    address: str


@dataclass(frozen=True)
class TypedAnswer:
    """What damier answers to a command.

    command  as it was understood, written in one way: two commands that mean the same have the same
    lines    what it says; doors: where it can be looked at
    """

    command: str
    lines: tuple[str, ...] = ()
    doors: tuple[RoomLink, ...] = field(default=())


def refused(text: str, understood: str) -> BadInput:
    """What is said of a command that is not understood; `understood` names some that are."""
    return BadInput(
        message("{text}: not understood. Try {understood}", text=printable(text, 60), understood=understood)
    )
