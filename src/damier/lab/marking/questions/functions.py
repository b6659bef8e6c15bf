"""What a function of a student's file is asked."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator
from types import FrameType

from damier.core.errors import AgentFault
from damier.core.json_types import JsonValue
from damier.lab.marking.student_file import Question, StudentFile, data, number

NOTHING_TYPED = "EOFError"


class TooManyCalls(Exception):
    """More calls than were to be counted."""


class NothingTyped(EOFError):
    """It reads on, and nobody types any more."""


def values(file: StudentFile, asked: Question) -> list[JsonValue]:
    """What a function says of some positions, as numbers."""
    function = file.function(asked.name)
    return [number(file.guarded(lambda: function(file.position(state)))) for state in asked.states]


def answers(file: StudentFile, asked: Question) -> list[JsonValue]:
    """What a function says, whatever it is, each time it is given one of `given`: a position
    (`["position", state]`), a move after it (`["move", state, name]`), or a list of numbers.
    """
    function = file.function(asked.name)

    def said(given: list[object]) -> JsonValue:
        kind, first, *more = given
        arguments = (first,) if kind == "numbers" else (file.position(first), *more)  # type: ignore[arg-type]  # of JSON
        return data(file.guarded(lambda: function(*arguments)))

    return [said(given) for given in asked.given]


def calls(file: StudentFile, asked: Question) -> int:
    """How many calls of functions of the file, or of those called `counted`, it takes a function to
    answer for a position; one more than `most` where it is more.
    """
    function, position = file.function(asked.name), file.position(asked.state)
    source, counted = str(file.path), 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        code = frame.f_code
        if event == "call" and code.co_filename == source and asked.counted in ("", code.co_name):
            counted += 1
            if counted > asked.most:
                sys.setprofile(None)
                raise TooManyCalls

    def counting() -> None:
        sys.setprofile(count)
        try:
            function(position)
        finally:
            sys.setprofile(None)

    try:
        file.guarded(counting)
    except AgentFault as fault:
        if not isinstance(fault.__cause__, TooManyCalls):
            raise
    return counted


def typed(file: StudentFile, asked: Question) -> list[JsonValue]:
    """What a function returns that reads with `input`, while somebody types `lines` for each of some
    positions, and how many of these it read.
    """
    function = file.function(asked.name)
    return [
        list(while_typing(file, lambda s=state: function(file.position(s)), iter(lines)))  # type: ignore[misc]
        for state, lines in zip(asked.states, asked.lines, strict=True)
    ]


def while_typing(
    file: StudentFile, call: Callable[[], object], lines: Iterator[str]
) -> tuple[JsonValue, int]:
    """What a call returns, and how many lines it read."""
    read = 0

    def next_line(_prompt: object = "") -> str:
        nonlocal read
        for line in lines:
            read += 1
            return line
        raise NothingTyped

    before, builtins.input = builtins.input, next_line
    try:
        return data(file.guarded(call)), read
    except AgentFault as fault:
        if not isinstance(fault.__cause__, NothingTyped):
            raise
        return NOTHING_TYPED, read
    finally:
        builtins.input = before


class AskedNode:
    """A node of a tree as a function sees it; who reads the value of an end is noted.

    player    0 maximises, 1 minimises
    children  the nodes below, in order; none at an end
    value     of an end
    """

    def __init__(self, number: int, nodes: list[tuple[int, list[int], float | None]], read: set[int]) -> None:
        self._number, self._read = number, read
        self.player, below, self._value = nodes[number]
        self.children = tuple(AskedNode(child, nodes, read) for child in below)

    @property
    def value(self) -> float | None:
        self._read.add(self._number)
        return self._value


def tree(file: StudentFile, asked: Question) -> list[JsonValue]:
    """What a function says of an explicit tree, and the ends whose value it read."""
    function, read = file.function(asked.name), set[int]()
    root = AskedNode(asked.root, asked.nodes, read)
    said = number(file.guarded(lambda: function(root)))
    return [said, sorted(read)]
