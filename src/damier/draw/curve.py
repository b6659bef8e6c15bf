"""Learning curves as a picture: what learners were worth after so many games, exactly, under the
most that any policy gets, and how the games of each block ended (row A-23 shows a learner at work;
the ceiling is `best_against` of spec D, "Grade").

Every line has a colour, a pattern and, at its end, its name.
"""

from __future__ import annotations

import textwrap
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from damier.core.words import _, decimal, grouped, percent, printable
from damier.draw.axes import Axes, Label, Scale, axes, end_labels, games_scale, scale
from damier.draw.svg import CHARACTER, SvgBlock, document, label, number, stacked, tag
from damier.draw.text import columns_of

WIDTH, HEIGHT = 460.0, 200.0  # of the ground of a plot
FONT = 12.0
NAME = 26
"""Characters of a name in one line at the end of its curve."""
PENS = (
    ("good", ""),
    ("bad", "7 4"),
    ("ring", "2 3"),
    ("ink", "10 3 2 3"),
    ("head", "4 4"),
    ("quiet", "12 5"),
)
"""Colour and pattern of the lines of a comparison, in turn."""


class RateInterval(NamedTuple):
    """A share of the games of a block, and the ends of its interval."""

    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Point:
    """The end of a block.

    games    played since the learner began
    rates    wins, draws and losses of the learner in the block
    epsilon  how often it explores from there on
    payoff   what it is worth, exactly, without exploration; None where that is not known
    ceiling  the most that any policy is worth at its place
    """

    games: int
    rates: tuple[RateInterval, RateInterval, RateInterval]
    epsilon: float = 0.0
    payoff: float | None = None
    ceiling: float | None = None


@dataclass(frozen=True)
class Series:
    """The curve of one learner, its points by number of games; `against` says in words whom the
    payoff was gained from.
    """

    name: str
    points: tuple[Point, ...]
    against: str = ""

    @property
    def graded(self) -> list[tuple[float, float]]:
        """Games and exact payoff, where that is known."""
        return [(point.games, point.payoff) for point in self.points if point.payoff is not None]

    @property
    def ceilings(self) -> list[float]:
        return sorted({round(point.ceiling, 9) for point in self.points if point.ceiling is not None})


def curve_svg(series: Sequence[Series], title: str = "", games: int = 0) -> str:
    """A picture of learning curves as SVG text, with room for so many `games`.

    One series: its exact payoff under the ceiling, and below it the rates of its games with their
    intervals, and epsilon. Several: their exact payoffs in one plot; where none is graded, how many
    of their games they have won.
    """
    across = games_scale(max((games, *(point.games for one in series for point in one.points))), WIDTH)
    blocks = [_heading(title)] if title else []
    if any(one.graded for one in series):
        blocks.append(_payoffs(series, across))
    if len(series) == 1:
        blocks.append(_rates(series[0], across))
    elif not any(one.graded for one in series):
        blocks.append(_wins(series, across))
    return document(_at_left(blocks), title or _("learning curves"), "\n".join(map(in_words, series)))


def in_words(series: Series) -> str:
    """A curve for those who do not see it."""
    if not series.points:
        return _("{name}: no games yet", name=series.name)
    last = series.points[-1]
    win, draw, loss = (percent(rate.rate) for rate in last.rates)
    said = _(
        "{name}: after {games} games {win} won, {draw} drawn, {loss} lost",
        name=series.name,
        games=grouped(last.games),
        win=win,
        draw=draw,
        loss=loss,
    )
    if last.payoff is None:
        return said
    payoffs = [payoff for _games, payoff in series.graded]
    graded = _(
        "; exact payoff {first} at first, {last} at last",
        first=decimal(payoffs[0], "+.4f"),
        last=decimal(last.payoff, "+.4f"),
    )
    return (
        said
        + graded
        + (
            _("; ceiling {ceiling}", ceiling=decimal(last.ceiling, "+.4f"))
            if last.ceiling is not None
            else ""
        )
    )


def _payoffs(series: Sequence[Series], games: Scale) -> SvgBlock:
    """Exact payoffs, and the ceilings."""
    ceilings = sorted({ceiling for one in series for ceiling in one.ceilings})
    payoffs = [payoff for one in series for _games, payoff in one.graded]
    plot = axes(games, scale([*payoffs, *ceilings], HEIGHT, -1, 1), lambda value: decimal(value, "+.2f"))
    lines, labels = (
        [],
        [
            Label(plot.y(ceiling), (_("ceiling {payoff}", payoff=decimal(ceiling, "+.4f")),), "ink")
            for ceiling in ceilings
        ],
    )
    for (colour, dashes), one in zip(_pens(series), series, strict=True):
        if one.graded:
            lines.append(_line(plot, one.graded, colour, dashes) + _dots(plot, one.graded, colour))
            labels.append(
                Label(
                    plot.y(one.graded[-1][1]),
                    (*_name(one.name), decimal(one.graded[-1][1], "+.4f")),
                    colour,
                    dashes,
                )
            )
    for y in map(plot.y, ceilings):  # over the curves, which end there
        lines.append(
            tag(
                "path",
                class_="d-line-ink",
                d=f"M0 {number(y)}L{number(WIDTH)} {number(y)}",
                stroke_width=1.2,
                stroke_dasharray="1 2.5",
            )
        )
    against = {printable(one.against, 60) for one in series if one.graded}
    heading = (
        _("exact mean payoff against {against}", against=against.pop())
        if len(against) == 1
        else _("exact mean payoff")
    )
    return _plot(plot, heading, lines, labels)


def _rates(one: Series, games: Scale) -> SvgBlock:
    """How the games of each block ended, with intervals; and epsilon."""
    plot = axes(games, scale([0, 1], HEIGHT, 0, 1), lambda value: percent(value, ".0f"))
    lines, labels = [], []
    for end, (name, colour, dashes) in enumerate(
        ((_("win"), "good", ""), (_("draw"), "quiet", "7 3"), (_("loss"), "bad", "3 2.5"))
    ):
        rates = [point.rates[end] for point in one.points]
        if rates:
            lines.append(_steps(plot, one.points, rates, colour, dashes))
            labels.append(
                Label(plot.y(rates[-1].rate), (f"{name} {percent(rates[-1].rate)}",), colour, dashes)
            )
    exploring = [(float(point.games), point.epsilon) for point in one.points]
    if any(epsilon > 0 for _games, epsilon in exploring):
        lines.append(_line(plot, exploring, "ring", "1.5 2.5") + _dots(plot, exploring[-1:], "ring"))
        labels.append(
            Label(plot.y(exploring[-1][1]), ("ε " + decimal(exploring[-1][1], ".3f"),), "ring", "1.5 2.5")
        )
    return _plot(plot, _("how the games of each block ended, with 95 % intervals"), lines, labels)


def _wins(series: Sequence[Series], games: Scale) -> SvgBlock:
    """How many of their games several learners have won."""
    plot = axes(games, scale([0, 1], HEIGHT, 0, 1), lambda value: percent(value, ".0f"))
    lines, labels = [], []
    for (colour, dashes), one in zip(_pens(series), series, strict=True):
        rates = [point.rates[0] for point in one.points]
        if rates:
            lines.append(_steps(plot, one.points, rates, colour, dashes))
            labels.append(
                Label(
                    plot.y(rates[-1].rate),
                    (*_name(one.name), percent(rates[-1].rate)),
                    colour,
                    dashes,
                )
            )
    return _plot(plot, _("games won in each block, with 95 % intervals"), lines, labels)


def _plot(plot: Axes, heading: str, lines: Iterable[str], labels: Sequence[Label]) -> SvgBlock:
    """A plot with its heading, its lines, and their names to the right of it."""
    names = end_labels(labels, plot.height, FONT)
    room = max(plot.below.width, plot.left + plot.width + names.width)
    top = 2.2 * FONT
    body = label(heading, 0, 0.6 * FONT, FONT, "start", "d-quiet")
    drawn = (
        plot.ground
        + "".join(lines)
        + tag("g", names.body, transform=f"translate({number(plot.width)} 0)")
        + plot.below.body
    )
    return SvgBlock(
        max(room, columns_of(heading) * CHARACTER * FONT),
        top + max(plot.height + plot.below.height, names.height),
        body + tag("g", drawn, transform=f"translate({number(plot.left)} {number(top)})"),
    )


def _line(plot: Axes, points: Iterable[tuple[float, float]], colour: str, dashes: str) -> str:
    d = "L".join(f"{number(plot.x(x))} {number(plot.y(y))}" for x, y in points)
    return tag(
        "path", class_=f"d-line-{colour}", d=f"M{d}", stroke_width=2.0, stroke_dasharray=dashes or None
    )


def _dots(plot: Axes, points: Iterable[tuple[float, float]], colour: str) -> str:
    return "".join(
        tag("circle", class_=f"d-area-{colour}", cx=plot.x(x), cy=plot.y(y), r=2.4) for x, y in points
    )


def _steps(
    plot: Axes, points: Sequence[Point], rates: Sequence[RateInterval], colour: str, dashes: str
) -> str:
    """A rate of each block as a level from its first game to its last, in a band as wide as it is
    unsure.
    """
    begins = [0, *(point.games for point in points)]
    spans = [
        (plot.x(begin), plot.x(end), rate)
        for begin, end, rate in zip(begins, begins[1:], rates, strict=False)
    ]
    band = [f"{number(x)},{number(plot.y(rate.high))}" for left, right, rate in spans for x in (left, right)]
    band += [
        f"{number(x)},{number(plot.y(rate.low))}"
        for left, right, rate in reversed(spans)
        for x in (right, left)
    ]
    d = "L".join(
        f"{number(x)} {number(plot.y(rate.rate))}" for left, right, rate in spans for x in (left, right)
    )
    area = tag("polygon", class_=f"d-area-{colour}", points=" ".join(band), fill_opacity=0.22)
    return area + tag(
        "path", class_=f"d-line-{colour}", d=f"M{d}", stroke_width=1.6, stroke_dasharray=dashes or None
    )


def _pens(series: Sequence[Series]) -> list[tuple[str, str]]:
    """A pen for each, no two the same for as long as there are any."""
    n = len(PENS)
    return [(PENS[i % n][0], PENS[(i + i // n) % n][1]) for i in range(len(series))]


def _name(name: str) -> tuple[str, ...]:
    """A name in at most three lines."""
    spaced = printable(name).replace(",", ", ").replace(":", ": ")
    lines = textwrap.wrap(spaced, NAME, max_lines=3, placeholder=" …") or [""]
    return tuple(line.replace(", ", ",").replace(": ", ":") for line in lines)


def _heading(title: str) -> SvgBlock:
    """A title, in lines as wide as the plots."""
    size = 1.15 * FONT
    lines = textwrap.wrap(
        printable(title), int(1.35 * WIDTH / (CHARACTER * size)), max_lines=4, placeholder=" …"
    )
    drawn = [label(line, 0, (row + 0.5) * 1.4 * size, size, "start") for row, line in enumerate(lines)]
    return SvgBlock(max(map(columns_of, lines)) * CHARACTER * size, len(lines) * 1.4 * size, "".join(drawn))


def _at_left(blocks: Sequence[SvgBlock]) -> SvgBlock:
    """Blocks one below the other, their left edges in line."""
    width = max((block.width for block in blocks), default=WIDTH)
    return (
        stacked([SvgBlock(width, block.height, block.body) for block in blocks], 18)
        if blocks
        else SvgBlock(WIDTH, HEIGHT, "")
    )


# A learning curve for the terminal: columns of blocks that grow towards the ceiling, and touch it
# only where the learner has reached it.
#
# >>> half = RateInterval(0.5, 0.4, 0.6)
# >>> points = (Point(50, (half,) * 3, 0.0, 0.0, 0.5), Point(100, (half,) * 3, 0.0, 0.5, 0.5))
# >>> print(curve_text(Series("q", points), 40, 5))
# +0.5000 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ ceiling
#                         ████████████████
#                         ████████████████
# -0.1000 ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄████████████████
#         0                      100 games

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
