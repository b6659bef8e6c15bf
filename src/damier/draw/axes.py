"""The frame of a plot: axes with round numbers, and names at the ends of lines that keep out of
each other's way.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import NamedTuple

from damier.core.words import N_, _, decimal, grouped, printable
from damier.draw.svg import CHARACTER, SvgBlock, label, moved, polyline, tag
from damier.draw.text import columns_of

FONT = 11.0
UNITS = (
    (5_000_000, 1_000_000, N_("games (millions)")),
    (20_000, 1_000, N_("games (thousands)")),
    (0, 1, N_("games")),
)
"""From how many games on, in which unit they are counted, and its name."""


@dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` on a length, with the values that are written; `name` of what is
    measured, `unit` its size; `marks` what is written instead of the values, if it is given.
    """

    low: float
    high: float
    length: float
    ticks: tuple[float, ...]
    name: str = ""
    unit: float = 1.0
    marks: tuple[str, ...] = ()

    def place(self, value: float) -> float:
        """Return how far from the beginning a value lies."""
        return self.length * (value - self.low) / (self.high - self.low)

    def written(self, tick: float) -> str:
        """Return how a value is written, in its unit."""
        shown = tick / self.unit
        return grouped(shown) if shown == round(shown) else decimal(shown, ".12g")


@dataclass(frozen=True)
class Axes:
    """The ground of a plot, its corner at 0, 0; what stands below it; and the room that its numbers
    take on the left.
    """

    across: Scale
    down: Scale
    ground: str
    below: SvgBlock

    @property
    def width(self) -> float:
        return self.across.length

    @property
    def height(self) -> float:
        return self.down.length

    def x(self, value: float) -> float:
        return self.across.place(value)

    def y(self, value: float) -> float:
        return self.down.length - self.down.place(value)


class Label(NamedTuple):
    """A name for the line that ends at `y`: in lines, with a sample of its pattern where it has
    one.
    """

    y: float
    lines: tuple[str, ...]
    colour: str
    dashes: str | None = None


def round_step(span: float, most: int) -> float:
    """The smallest step of 1, 2 or 5 times a power of 10 that is at least a `most`-th of a span
    above 0.

    >>> round_step(100_000, 5), round_step(0.3, 6)
    (20000.0, 0.05)
    """
    power = 10.0 ** floor(log10(span / most))
    return min(
        step
        for factor in (1, 2, 5, 10)
        if (step := float(f"{factor * power:.12g}")) >= span / most * (1 - 1e-9)
    )


def ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Round numbers from `low` to `high`.

    >>> ticks(-0.1, 0.52)
    (0.0, 0.2, 0.4)
    """
    step = round_step(high - low, most)
    return tuple(
        float(f"{n * step:.12g}") for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    )


def scale(values: Iterable[float], length: float, least: float, most: float) -> Scale:
    """A scale that shows all of these values, with some room around them; not beyond `least` and
    `most`, unless a value lies there.
    """
    values = list(values)
    low, high = min(values), max(values)
    # values that are all the same get a scale as well
    air = max(0.08 * (high - low), (0.2 - (high - low)) / 2, 0.0)
    low, high = min(low, max(low - air, least)), max(high, min(high + air, most))
    return Scale(low, high, length, ticks(low, high))


def games_scale(games: int, length: float) -> Scale:
    """A scale of numbers of games from 0 on."""
    unit, name = next((unit, name) for least, unit, name in UNITS if games >= least)
    high = max(games, 1) / unit
    marked = tuple(value * unit for value in ticks(0, high, 5))
    return Scale(
        0, max(games, 1), length, tuple(value for value in marked if value == int(value)), _(name), unit
    )


LEFT = (6 * CHARACTER + 0.6) * FONT
"""Room for the numbers on the left: the same in every plot, so that plots one below the other are
in line.
"""


def axes(across: Scale, down: Scale, written: Callable[[float], str]) -> Axes:
    """Ground and numbers of a plot; `written` says how those on the left are written."""
    labels = [written(tick + 0.0) for tick in down.ticks]
    ground = [tag("rect", class_="d-cell", x=0.0, y=0.0, width=across.length, height=down.length)]
    for tick, text in zip(down.ticks, labels, strict=True):
        y = down.length - down.place(tick)
        ground.append(
            tag("path", class_="d-rule", d=polyline([(0, y), (across.length, y)]), stroke_width=1.0)
        )
        ground.append(label(text, -0.6 * FONT, y, FONT, "end", "d-quiet"))
    below, right = [], 0.0
    for tick, text in zip(across.ticks, across.marks or map(across.written, across.ticks), strict=True):
        x = across.place(tick)
        below.append(tag("path", class_="d-rule", d=polyline([(x, 0), (x, 4)]), stroke_width=1.0))
        below.append(label(text, x, 1.2 * FONT, FONT, class_="d-quiet"))
        right = max(right, x + len(text) * CHARACTER * FONT / 2)
    below.append(label(across.name, across.length / 2, 2.7 * FONT, FONT, class_="d-quiet"))
    body = moved("".join(below), 0, down.length)
    return Axes(across, down, "".join(ground), SvgBlock(LEFT + right, 3.3 * FONT, body))


def plot_block(
    heading: SvgBlock, plot: Axes, lines: Iterable[str], labels: Sequence[Label], font: float
) -> SvgBlock:
    """Return a plot below its heading, with its lines, and their names to the right of it."""
    names = end_labels(labels, plot.height, font)
    drawn = plot.ground + "".join(lines) + moved(names.body, plot.width, 0) + plot.below.body
    return SvgBlock(
        max(heading.width, plot.below.width, LEFT + plot.width + names.width),
        heading.height + max(plot.height + plot.below.height, names.height),
        heading.body + moved(drawn, LEFT, heading.height),
    )


PENS = (
    ("good", ""),
    ("bad", "7 4"),
    ("ring", "2 3"),
    ("ink", "10 3 2 3"),
    ("head", "4 4"),
    ("quiet", "12 5"),
)
"""Colour and pattern of the lines of a comparison, in turn."""


def pens(count: int) -> list[tuple[str, str]]:
    """Return colour and pattern for each of some lines, no two the same for as long as there are any."""
    n = len(PENS)
    return [(PENS[i % n][0], PENS[(i + i // n) % n][1]) for i in range(count)]


def pen_line(
    points: Iterable[tuple[float, float]], colour: str, dashes: str | None = None, width: float = 2.0
) -> str:
    """Return a line through points."""
    return tag(
        "path",
        class_=f"d-line-{colour}",
        d=polyline(points),
        stroke_width=width,
        stroke_dasharray=dashes or None,
    )


def dots(points: Iterable[tuple[float, float]], colour: str, radius: float) -> str:
    """Return a dot on each point."""
    return "".join(tag("circle", class_=f"d-area-{colour}", cx=x, cy=y, r=radius) for x, y in points)


def wrapped_name(name: str, width: int, most: int) -> tuple[str, ...]:
    """Return a name in at most so many lines of `width` characters."""
    return tuple(textwrap.wrap(printable(name), width, max_lines=most, placeholder=" …"))


def end_labels(labels: Sequence[Label], height: float, font: float) -> SvgBlock:
    """Names beside the right edge of a plot, each as near the end of its line as the others let it,
    with a thread to it.
    """
    line, sample, thread = 1.25 * font, 2.2 * font, 1.6 * font
    ordered = sorted(labels, key=lambda one: one.y)
    tops = spread(
        [one.y - line * len(one.lines) / 2 for one in ordered],
        [line * len(one.lines) + 0.3 * font for one in ordered],
        height,
    )
    drawn, width, bottom = [], 0.0, 0.0
    for one, top in zip(ordered, tops, strict=True):
        middle = top + line * len(one.lines) / 2
        ends = [(2, one.y), (thread - 3, middle)]
        drawn.append(tag("path", class_="d-rule", d=polyline(ends), stroke_width=1.0))
        if one.dashes is not None:
            y = top + line / 2
            drawn.append(pen_line([(thread, y), (thread + sample - 4, y)], one.colour, one.dashes))
        left = thread + (sample if one.dashes is not None else 0.0)
        drawn += [
            label(text, left, top + (row + 0.5) * line, font, "start") for row, text in enumerate(one.lines)
        ]
        width = max(width, left + max(map(columns_of, one.lines)) * CHARACTER * font)
        bottom = max(bottom, top + line * len(one.lines))
    return SvgBlock(width, bottom, "".join(drawn))


def spread(wanted: Sequence[float], heights: Sequence[float], room: float) -> list[float]:
    """Return where things of these heights stand one below the other, near where each wants to: pushed down
    by those above it, then up from the end of the room. What has more height than the room begins at 0
    and goes beyond it.

    >>> spread([5, 6, 90], [10, 10, 10], 100)
    [5, 15, 90]
    """
    tops: list[float] = []
    for top, _height in zip(wanted, heights, strict=True):
        tops.append(max(top, 0, tops[-1] + heights[len(tops) - 1] if tops else 0))
    end = max(room, sum(heights))
    for i in reversed(range(len(tops))):
        tops[i] = max(0, min(tops[i], end - heights[i]))
        end = tops[i]
    return tops
