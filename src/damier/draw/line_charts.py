"""Small multiples: panels with one scale of values, in each some lines whose points stand in their
intervals, under the ceiling that is known.

Every line has a colour, a pattern and, at its end, its name.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import NamedTuple

from damier.core.words import N_, _, decimal, grouped, labelled, ngettext, printable
from damier.draw.svg import CHARACTER, SvgBlock, corners, document, label, moved, number, polyline, tag
from damier.draw.text import columns_of

WIDTH, HEIGHT, FONT = 260.0, 200.0, 12.0
NAME = 24
"""Characters of a name in one line."""
ACROSS = 3
"""Panels side by side."""
MARKED = 8
"""The most values that are written below a panel."""
AIR = 24.0
DODGE = 5.0
"""Between the points of two lines at one value."""


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


@dataclass(frozen=True)
class MultiplePanel:
    """One of several charts beside each other.

    Attributes:
        marks: what is written at x = 0, 1, 2, …; none: x is a number of games
        across: what x is
        ceilings: the most that a value can be, and how that is written
    """

    title: str
    lines: tuple[IntervalLine, ...]
    across: str
    marks: tuple[str, ...] = ()
    ceilings: tuple[tuple[float, str], ...] = ()


def multiples_svg(
    panels: Sequence[MultiplePanel], title: str, measured: str, written: Callable[[float], str]
) -> str:
    """All panels as SVG text; `measured` says in words what the values are, `written` how one is
    written.
    """
    down = scale([value for panel in panels for value in values_of(panel)], HEIGHT, -1e300, highest(panels))
    blocks = [panel_of(panel, down, written) for panel in panels]
    heading = SvgBlock(
        max(columns_of(title) * 1.15, columns_of(measured)) * CHARACTER * FONT,
        3.8 * FONT,
        label(printable(title, 200), 0, 0.7 * FONT, 1.15 * FONT, "start")
        + label(measured, 0, 2.3 * FONT, FONT, "start", "d-quiet"),
    )
    body, top, width = heading.body, heading.height, heading.width
    for row in (blocks[first : first + ACROSS] for first in range(0, len(blocks), ACROSS)):
        left = 0.0
        for block in row:
            body += moved(block.body, left, top)
            left += block.width + AIR
        top, width = top + max(block.height for block in row) + AIR, max(width, left - AIR)
    described = "\n".join([measured, *(panel_in_words(panel, written) for panel in panels)])
    return document(SvgBlock(width, top - AIR, body), title, described)


def values_of(panel: MultiplePanel) -> list[float]:
    """All that has to be seen of a panel."""
    return interval_values(panel.lines) + [value for value, _text in panel.ceilings]


def interval_values(lines: Iterable[IntervalLine]) -> list[float]:
    """Return the values of lines and the ends of their intervals."""
    points = [point for line in lines for point in line.points]
    found = [value for point in points for value in (point.value, point.low, point.high)]
    return [value for value in found if value is not None]


def highest(panels: Sequence[MultiplePanel]) -> float:
    """Return the end of the scale: at the ceilings, where there are any."""
    return max((value for panel in panels for value, _text in panel.ceilings), default=1e300)


def panel_of(panel: MultiplePanel, down: Scale, written: Callable[[float], str]) -> SvgBlock:
    """One panel, its title above it, the names of its lines beside it."""
    plot = axes(scale_of(panel), down, written)
    labels = [Label(plot.y(value), (text,), "ink") for value, text in panel.ceilings]
    lines = []
    for place, (line, (colour, dashes)) in enumerate(zip(panel.lines, pens(len(panel.lines)), strict=True)):
        aside = DODGE * (place - (len(panel.lines) - 1) / 2) if panel.marks else 0.0
        lines.append(line_of(plot, line, colour, dashes, aside, is_band=not panel.marks))
        if len(panel.lines) > 1:
            labels.append(
                Label(plot.y(line.points[-1].value), wrapped_name(line.name, NAME, 2), colour, dashes)
            )
    for value, _text in panel.ceilings:  # over the lines, which end there
        d = f"M0 {number(plot.y(value))}h{number(WIDTH)}"
        lines.append(tag("path", class_="d-line-ink", d=d, stroke_width=1.2, stroke_dasharray="1 2.5"))
    heading = wrapped_name(panel.title, 44, 2)
    body = "".join(
        label(text, 0, (0.7 + 1.3 * row) * FONT, FONT, "start") for row, text in enumerate(heading)
    )
    return plot_block(SvgBlock(0, (0.9 + 1.3 * len(heading)) * FONT, body), plot, lines, labels, FONT)


def scale_of(panel: MultiplePanel) -> Scale:
    """The scale across a panel: of games, or one place for each value."""
    if not panel.marks:
        return games_scale(int(max(point.x for line in panel.lines for point in line.points)), WIDTH)
    last = len(panel.marks) - 1
    step = -(-len(panel.marks) // MARKED)
    ticks = range(0, last + 1, step)
    return Scale(
        -0.3,
        last + 0.3,
        WIDTH,
        tuple(map(float, ticks)),
        panel.across,
        marks=tuple(panel.marks[place] for place in ticks),
    )


def line_of(plot: Axes, line: IntervalLine, colour: str, dashes: str, aside: float, *, is_band: bool) -> str:
    """A line with its points, moved aside so that those of several lines can be told apart; each in its
    interval, or all in a band.
    """
    places = [(plot.x(point.x) + aside, plot.y(point.value)) for point in line.points]
    drawn = band_of(plot, line, colour) if is_band else ""
    drawn += pen_line(places, colour, dashes, 1.8)
    for (x, y), point in zip(places, line.points, strict=True):
        drawn += dots([(x, y)], colour, 1.8 if is_band else 2.8)
        if not is_band and point.low is not None and point.high is not None:
            low, high, left = (number(one) for one in (plot.y(point.low), plot.y(point.high), x - 3))
            ends = f"M{number(x)} {low}L{number(x)} {high}M{left} {low}h6M{left} {high}h6"
            drawn += tag("path", class_=f"d-line-{colour}", d=ends, stroke_width=1.1)
    return drawn


def band_of(plot: Axes, line: IntervalLine, colour: str) -> str:
    """The intervals of a line as one area."""
    ends = [(plot.x(point.x), point.low, point.high) for point in line.points]
    above = [(x, plot.y(high)) for x, _low, high in ends if high is not None]
    below = [(x, plot.y(low)) for x, low, _high in reversed(ends) if low is not None]
    if not above:
        return ""
    return tag("polygon", class_=f"d-area-{colour}", points=corners(above + below), fill_opacity=0.18)


def panel_in_words(panel: MultiplePanel, written: Callable[[float], str]) -> str:
    """A panel for those who do not see it: of curves the last value."""
    sentences = []
    for line in panel.lines:
        points = line.points if panel.marks else line.points[-1:]
        values = ", ".join(
            _("{value} at {x}", value=in_words(point, written), x=mark_of(panel, point)) for point in points
        )
        sentences.append(labelled(printable(line.name), values))
    ceilings = [text for _value, text in panel.ceilings]
    return "\n".join([_("{title}:", title=printable(panel.title)), *sentences, *ceilings])


def mark_of(panel: MultiplePanel, point: IntervalPoint) -> str:
    n = int(point.x)
    return panel.marks[n] if panel.marks else ngettext("{n} game", "{n} games", n, n=grouped(n))


def in_words(point: IntervalPoint, written: Callable[[float], str]) -> str:
    if point.low is None or point.high is None:
        return written(point.value)
    return f"{written(point.value)} [{written(point.low)}, {written(point.high)}]"


# What a deeper search and a better evaluation are worth, as a picture: a line an evaluation, a
# point a depth (document [S2], row A-54).
#
# Every line has a colour, a pattern and, at its end, its name; what was estimated from games stands
# in its interval.

DEPTHS_WIDTH, DEPTHS_HEIGHT, DEPTHS_FONT = 380.0, 220.0, 12.0
DEPTHS_NAME = 26
"""Characters of a name in one line."""
MOST_DEPTHS = 12
"""The most depths that are written below the plot."""


def depths_svg(lines: Sequence[IntervalLine], title: str, measured: str, *, least: float) -> str:
    """A picture as SVG text.

    A line is an evaluation, and x how many plies deep the search was; `measured` says in words what the
    values are; they lie between `least` and 1.
    """
    plot = axes(
        depth_scale([int(point.x) for line in lines for point in line.points]),
        scale(interval_values(lines), DEPTHS_HEIGHT, least, 1),
        lambda value: decimal(value, "+.2f" if least < 0 else ".2f"),
    )
    drawn, labels = [], []
    for i, line in enumerate(lines):
        colour, dashes = PENS[i % len(PENS)]
        drawn.append(_depths_line(plot, line, colour, dashes))
        last = line.points[-1].value
        name = wrapped_name(line.name, DEPTHS_NAME, 3)
        labels.append(
            Label(plot.y(last), (*name, decimal(last, "+.4f" if least < 0 else ".4f")), colour, dashes)
        )
    heading = SvgBlock(
        max(columns_of(title), columns_of(measured)) * 1.1 * CHARACTER * DEPTHS_FONT,
        3.4 * DEPTHS_FONT,
        label(title, 0, 0.6 * DEPTHS_FONT, 1.1 * DEPTHS_FONT, "start")
        + label(measured, 0, 2.2 * DEPTHS_FONT, DEPTHS_FONT, "start", "d-quiet"),
    )
    size = plot_block(heading, plot, drawn, labels, DEPTHS_FONT)
    return document(size, title, "\n".join([measured, *map(depths_in_words, lines)]))


def depth_scale(depths: Sequence[int]) -> Scale:
    """A scale of depths: every one is marked, or every second, third …"""
    marked = sorted(set(depths))
    step = -(-len(marked) // MOST_DEPTHS)
    low, high = marked[0], marked[-1]
    air = 0.04 * (high - low) or 0.5
    return Scale(
        low - air,
        high + air,
        DEPTHS_WIDTH,
        tuple(float(depth) for depth in marked[::step]),
        _("depth of the search, in plies"),
    )


def depths_in_words(line: IntervalLine) -> str:
    """A line for those who do not see it."""
    points = ", ".join(
        ngettext(
            "{value} at {n} ply", "{value} at {n} plies", int(point.x), value=decimal(point.value, "+.4f")
        )
        for point in line.points
    )
    return _("{name}: {points}", name=printable(line.name), points=points)


def _depths_line(plot: Axes, line: IntervalLine, colour: str, dashes: str) -> str:
    points = [(plot.x(point.x), plot.y(point.value)) for point in line.points]
    drawn = pen_line(points, colour, dashes) + dots(points, colour, 3.0)
    for point in line.points:
        if point.low is not None and point.high is not None:
            x = plot.x(point.x)
            drawn += pen_line([(x, plot.y(point.low)), (x, plot.y(point.high))], colour, width=1.2)
    return drawn


# The frame of a plot: axes with round numbers, and names at the ends of lines that keep out of
# each other's way.

AXIS_FONT = 11.0
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
        scaled = tick / self.unit
        return grouped(scaled) if scaled == round(scaled) else decimal(scaled, ".12g")


@dataclass(frozen=True)
class Axes:
    """The ground of a plot, its corner at 0, 0; what stands below it; and the room that its numbers
    take on the left.
    """

    across: Scale
    down: Scale
    ground: str
    below: SvgBlock
    left: float

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


LEFT = (6 * CHARACTER + 0.6) * AXIS_FONT
"""Room for the numbers on the left: the same in every plot whose numbers are not longer, so that plots one
below the other are in line.
"""


def axes(across: Scale, down: Scale, written: Callable[[float], str]) -> Axes:
    """Ground and numbers of a plot; `written` says how those on the left are written."""
    labels = [written(tick + 0.0) for tick in down.ticks]
    ground = [tag("rect", class_="d-cell", x=0.0, y=0.0, width=across.length, height=down.length)]
    for tick, text in zip(down.ticks, labels, strict=True):
        y = down.length - down.place(tick)
        ground += [
            tag("path", class_="d-rule", d=polyline([(0, y), (across.length, y)]), stroke_width=1.0),
            label(text, -0.6 * AXIS_FONT, y, AXIS_FONT, "end", "d-quiet"),
        ]
    below, right = [], 0.0
    for tick, text in zip(across.ticks, across.marks or map(across.written, across.ticks), strict=True):
        x = across.place(tick)
        below += [
            tag("path", class_="d-rule", d=polyline([(x, 0), (x, 4)]), stroke_width=1.0),
            label(text, x, 1.2 * AXIS_FONT, AXIS_FONT, class_="d-quiet"),
        ]
        right = max(right, x + len(text) * CHARACTER * AXIS_FONT / 2)
    below.append(label(across.name, across.length / 2, 2.7 * AXIS_FONT, AXIS_FONT, class_="d-quiet"))
    body = moved("".join(below), 0, down.length)
    left = max(LEFT, (max(map(columns_of, labels), default=0) * CHARACTER + 0.6) * AXIS_FONT)
    return Axes(across, down, "".join(ground), SvgBlock(left + right, 3.3 * AXIS_FONT, body), left)


def plot_block(
    heading: SvgBlock, plot: Axes, lines: Iterable[str], labels: Sequence[Label], font: float
) -> SvgBlock:
    """Return a plot below its heading, with its lines, and their names to the right of it."""
    names = end_labels(labels, plot.height, font)
    drawn = plot.ground + "".join(lines) + moved(names.body, plot.width, 0) + plot.below.body
    return SvgBlock(
        max(heading.width, plot.below.width, plot.left + plot.width + names.width),
        heading.height + max(plot.height + plot.below.height, names.height),
        heading.body + moved(drawn, plot.left, heading.height),
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
