"""Lines of values with their intervals, as several plots draw them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class IntervalPoint(NamedTuple):
    """A value at `x`, and its interval, where that is known."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class IntervalLine:
    """Points from left to right; at least one."""

    name: str
    points: tuple[IntervalPoint, ...]
