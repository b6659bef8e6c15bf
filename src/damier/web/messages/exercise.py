"""What the rooms of exercises and guided sheets answer."""

from __future__ import annotations

from typing import TypedDict

from damier.web.messages.parts import AddressState, Parts, PartsAnswer


class DrillState(AddressState):
    """An exercise; `kept` is what it, or its run, is kept under in a browser, `run` the same, but empty for
    one alone; `item` counts from 1.

    closed   whether nothing more is marked of it
    has_key  whether its key may be seen: that of a class, once it is handed in
    """

    run: str
    kept: str
    item: int
    count: int
    closed: bool
    has_key: bool


class DrillAnswer(TypedDict):
    """An exercise, or the same after a marking."""

    state: DrillState
    parts: Parts


class MarkAnswer(TypedDict):
    """An exercise, marked: what is right, and its points so far; none where they are not told yet."""

    right: int
    of: int
    points: float | None
    closed: bool
    parts: Parts


class RunAnswer(TypedDict):
    """A run, finished: its points, and what a list calls it."""

    total: float
    of: int
    title: str
    parts: Parts


class CourseAnswer(PartsAnswer):
    """An answer of a guided sheet, marked, or a command: whether it was right, or understood."""

    right: bool
