"""Small multiples: panels with one scale of values, in each some lines whose points stand in their
intervals, under the ceiling that is known.

Every line has a colour, a pattern and, at its end, its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from damier.core.words import _, decimal, printable
from damier.draw.axes import (
    PENS,
    Axes,
    Label,
    Scale,
    axes,
    dots,
    games_scale,
    pen_line,
    pens,
    plot_block,
    scale,
    wrapped_name,
)
from damier.draw.svg import CHARACTER, SvgBlock, corners, document, label, moved, number, tag
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
    """marks     what is written at x = 0, 1, 2, …; none: x is a number of games
    across    what x is
    ceilings  the most that a value can be, and how that is written
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
    shown = range(0, last + 1, step)
    return Scale(
        -0.3,
        last + 0.3,
        WIDTH,
        tuple(map(float, shown)),
        panel.across,
        marks=tuple(panel.marks[place] for place in shown),
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
    said = []
    for line in panel.lines:
        points = line.points if panel.marks else line.points[-1:]
        values = ", ".join(
            _("{value} at {x}", value=in_words(point, written), x=mark_of(panel, point)) for point in points
        )
        said.append(f"{printable(line.name)}: {values}")
    ceilings = [text for _value, text in panel.ceilings]
    return "\n".join([_("{title}:", title=printable(panel.title)), *said, *ceilings])


def mark_of(panel: MultiplePanel, point: IntervalPoint) -> str:
    return panel.marks[int(point.x)] if panel.marks else _("{n} games", n=int(point.x))


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
        _("{value} at {n} plies", value=decimal(point.value, "+.4f"), n=int(point.x)) for point in line.points
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
