"""What a deeper search and a better evaluation are worth, as a picture: a line an evaluation, a
point a depth (document [S2], row A-54).

Every line has a colour, a pattern and, at its end, its name; what was estimated from games stands
in its interval.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from damier.core.words import _, decimal, printable
from damier.draw.axes import Axes, Label, Scale, axes, end_labels, scale
from damier.draw.bars import IntervalLine
from damier.draw.svg import CHARACTER, SvgBlock, document, label, number, tag
from damier.draw.text import columns_of

WIDTH, HEIGHT, FONT = 380.0, 220.0, 12.0
NAME = 26
"""Characters of a name in one line."""
PENS = (
    ("good", ""),
    ("bad", "7 4"),
    ("ring", "2 3"),
    ("ink", "10 3 2 3"),
    ("head", "4 4"),
    ("quiet", "12 5"),
)
MARKED = 12
"""The most depths that are written below the plot."""


def depths_svg(lines: Sequence[IntervalLine], title: str, measured: str, *, least: float) -> str:
    """A picture as SVG text.

    A line is an evaluation, and x how many plies deep the search was; `measured` says in words what the
    values are; they lie between `least` and 1.
    """
    values = [
        value
        for line in lines
        for point in line.points
        for value in (point.value, point.low, point.high)
        if value is not None
    ]
    plot = axes(
        depth_scale([int(point.x) for line in lines for point in line.points]),
        scale(values, HEIGHT, least, 1),
        lambda value: decimal(value, "+.2f" if least < 0 else ".2f"),
    )
    drawn, labels = [], []
    for i, line in enumerate(lines):
        colour, dashes = PENS[i % len(PENS)]
        drawn.append(_line(plot, line, colour, dashes))
        last = line.points[-1].value
        name = tuple(textwrap.wrap(printable(line.name), NAME, max_lines=3, placeholder=" …"))
        labels.append(
            Label(
                plot.y(last),
                (*name, decimal(last, "+.4f") if least < 0 else decimal(last, ".4f")),
                colour,
                dashes,
            )
        )
    heading = SvgBlock(max(columns_of(title), columns_of(measured)) * 1.1 * CHARACTER * FONT, 3.4 * FONT, "")
    names = end_labels(labels, plot.height, FONT)
    body = label(title, 0, 0.6 * FONT, 1.1 * FONT, "start") + label(
        measured, 0, 2.2 * FONT, FONT, "start", "d-quiet"
    )
    inside = (
        plot.ground
        + "".join(drawn)
        + tag("g", names.body, transform=f"translate({number(plot.width)} 0)")
        + plot.below.body
    )
    body += tag("g", inside, transform=f"translate({number(plot.left)} {number(heading.height)})")
    size = SvgBlock(
        max(heading.width, plot.left + plot.width + names.width),
        heading.height + max(plot.height + plot.below.height, names.height),
        body,
    )
    return document(size, title, "\n".join([measured, *map(in_words, lines)]))


def depth_scale(depths: Sequence[int]) -> Scale:
    """A scale of depths: every one is marked, or every second, third …"""
    marked = sorted(set(depths))
    step = -(-len(marked) // MARKED)
    low, high = marked[0], marked[-1]
    air = 0.04 * (high - low) or 0.5
    return Scale(
        low - air,
        high + air,
        WIDTH,
        tuple(float(depth) for depth in marked[::step]),
        _("depth of the search, in plies"),
    )


def in_words(line: IntervalLine) -> str:
    """A line for those who do not see it."""
    points = ", ".join(
        _("{value} at {n} plies", value=decimal(point.value, "+.4f"), n=int(point.x)) for point in line.points
    )
    return _("{name}: {points}", name=printable(line.name), points=points)


def _line(plot: Axes, line: IntervalLine, colour: str, dashes: str) -> str:
    points = [(plot.x(point.x), plot.y(point.value)) for point in line.points]
    d = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    drawn = [
        tag("path", class_=f"d-line-{colour}", d=f"M{d}", stroke_width=2.0, stroke_dasharray=dashes or None)
    ]
    drawn += [tag("circle", class_=f"d-area-{colour}", cx=x, cy=y, r=3.0) for x, y in points]
    for point in line.points:
        if point.low is not None and point.high is not None:
            x, low, high = (
                number(length) for length in (plot.x(point.x), plot.y(point.low), plot.y(point.high))
            )
            drawn.append(tag("path", class_=f"d-line-{colour}", d=f"M{x} {low}L{x} {high}", stroke_width=1.2))
    return "".join(drawn)
