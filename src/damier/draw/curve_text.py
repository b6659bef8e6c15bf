"""A learning curve for the terminal: columns of blocks that grow towards the ceiling, and touch it
only where the learner has reached it.

>>> half = RateInterval(0.5, 0.4, 0.6)
>>> points = (Point(50, (half,) * 3, 0.0, 0.0, 0.5), Point(100, (half,) * 3, 0.0, 0.5, 0.5))
>>> print(curve_text(Series("q", points), 40, 5))
+0.5000 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ ceiling
                        ████████████████
                        ████████████████
-0.1000 ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄████████████████
        0                      100 games
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from damier.core.words import _, decimal, grouped, percent
from damier.draw.curve import Point, RateInterval, Series
from damier.draw.text import columns_of

__all__ = [
    "ASCII",
    "BLOCKS",
    "Point",
    "RateInterval",
    "Series",
    "Signs",
    "curve_line",
    "curve_text",
    "signs_for",
]

LEFT = 8
"""Columns for the numbers on the left."""
LEAST = 5
"""The fewest lines of a plot; `curve_line` takes one."""


class Signs(NamedTuple):
    """What a plot is made of: parts of a column, from none to a whole one; what the ceiling is
    drawn with; what marks a line of a table.
    """

    levels: str
    ceiling: str
    marker: str


class Span(NamedTuple):
    """What the plot reaches from and to, what that top is, and how values are written."""

    low: float
    top: float
    name: str
    written: Callable[[float], str]


BLOCKS = Signs(" ▁▂▃▄▅▆▇█", "┄", "▶")
ASCII = Signs(" .:|#", "-", ">")


def signs_for(encoding: str) -> Signs:
    """The signs that a stream of this encoding takes."""
    return BLOCKS if encoding.lower().startswith("utf") else ASCII


def curve_text(
    series: Series, width: int = 78, height: int = 10, games: int = 0, signs: Signs = BLOCKS
) -> str:
    """A plot of `width` by `height` characters, height at least 5: the exact payoff block by block
    under the ceiling.

    Where no block is graded, how many games of each were won instead. `games` is how many there
    will be: room is left for those to come.
    """
    columns, rows = width - LEFT, max(height, LEAST) - 2
    values, span = _values(series)
    filled = _filled(series, values, max(games, 1), columns)
    lines = [[_part(value, span, rows, row, signs) for value in filled] for row in reversed(range(rows))]
    drawn = ["".join(line).rstrip() for line in lines]
    highest, lowest = (span.written(value).ljust(LEFT) for value in (span.top, span.low))
    ruled = highest + (signs.ceiling * (columns - columns_of(span.name) - 1) + " " + span.name)[-columns:]
    labels = [" " * LEFT] * (rows - 1) + [lowest]
    end = _("{n} games", n=grouped(max(games, series.points[-1].games if series.points else 0)))
    axis = " " * LEFT + "0" + end.rjust(columns - 1)
    return "\n".join(
        [ruled, *((left + line).rstrip() for left, line in zip(labels, drawn, strict=True)), axis]
    )


def curve_line(series: Series, width: int, games: int = 0, signs: Signs = BLOCKS) -> str:
    """The same curve in one line, where there is no room for more."""
    values, span = _values(series)
    return "".join(
        _part(value, span, 1, 0, signs) for value in _filled(series, values, max(games, 1), width)
    ).rstrip()


def _values(series: Series) -> tuple[list[float | None], Span]:
    """What is drawn of every block, and on what span; a block without a grade is drawn as the one
    before it.
    """
    if not series.ceilings:
        return [point.rates[0].rate for point in series.points], Span(
            0.0, 1.0, _("all games won"), in_percent
        )
    values: list[float | None] = []
    known = None
    for point in series.points:
        known = known if point.payoff is None else point.payoff
        values.append(known)
    top = series.ceilings[-1]
    return values, Span(_foot([payoff for _games, payoff in series.graded], top), top, _("ceiling"), signed)


def _foot(values: list[float], top: float) -> float:
    """A round number below all values, but not below -1, the least that there is."""
    low = min(values)
    step = 0.5 if top - low > 0.5 else 0.1
    foot = step * (ceil(low / step - 1e-9) - 1)
    return max(foot, -1.0) if top > -1 else foot


def signed(value: float) -> str:
    return decimal(value, "+.4f")


def in_percent(value: float) -> str:
    return percent(value, ".0f")


def _filled(series: Series, values: list[float | None], games: int, columns: int) -> list[float | None]:
    """The value of the block that each column lies in, None beyond the last."""
    ends = [point.games for point in series.points]
    games = max(games, ends[-1] if ends else 1)
    edges = [games * column / columns for column in range(columns + 1)]
    blocks = [bisect_left(ends, (left + right) / 2) for left, right in pairwise(edges)]
    return [values[block] if block < len(values) else None for block in blocks]


def _part(value: float | None, span: Span, rows: int, row: int, signs: Signs) -> str:
    """The part of a column that lies in a row, 0 the lowest.

    Only what reaches the top is drawn up to it; the least is still drawn.
    """
    if value is None:
        return " "
    whole = len(signs.levels) - 1
    height = (value - span.low) / (span.top - span.low) * rows * whole
    parts = rows * whole if value >= span.top - 1e-9 else min(max(1, floor(height)), rows * whole - 1)
    return signs.levels[max(0, min(whole, parts - row * whole))]
