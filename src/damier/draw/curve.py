"""Learning curves as a picture: what learners were worth after so many games, exactly, under the
most that any policy gets, and how the games of each block ended (row A-23 shows a learner at work;
the ceiling is `best_against` of `core/grade.py`).

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

from damier.core.display import Displayed
from damier.core.words import _, decimal, grouped, ngettext, percent, printable
from damier.draw.line_charts import (
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
from damier.draw.svg import CHARACTER, SvgBlock, corners, document, label, left_in, lines_block, stacked, tag
from damier.draw.text import columns_of

FONT = 12.0
NAME = 26
"""Characters of a name in one line at the end of its curve."""


class RateInterval(NamedTuple):
    """A share of the games of a block, and the ends of its interval."""

    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Point:
    """The end of a block.

    Attributes:
        games: played since the learner began
        rates: wins, draws and losses of the learner in the block
        epsilon: how often it explores from there on
        payoff: what it is worth, exactly, without exploration; None where that is not known
        ceiling: the most that any policy is worth at its place
    """

    games: int
    rates: tuple[RateInterval, RateInterval, RateInterval]
    epsilon: float = 0.0
    payoff: float | None = None
    ceiling: float | None = None


@dataclass(frozen=True)
class Series(Displayed):
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


class PlotSize(NamedTuple):
    """Of the ground of a plot, without what stands around it."""

    width: float
    height: float


USUAL_SIZE = PlotSize(460.0, 200.0)


def curve_svg(
    series: Sequence[Series],
    title: str = "",
    games: int = 0,
    size: PlotSize = USUAL_SIZE,
    *,
    rates: bool = True,
) -> str:
    """A picture of learning curves as SVG text, with room for so many `games`; `size` is that of each plot.

    One series: its exact payoff under the ceiling, and below it the rates of its games with their
    intervals, and epsilon, unless those are left out. Several: their exact payoffs in one plot; where none
    is graded, how many of their games they have won.
    """
    across = games_scale(max((games, *(point.games for one in series for point in one.points))), size.width)
    blocks = [_heading(title, size.width)] if title else []
    if any(one.graded for one in series):
        blocks.append(_payoffs(series, across, size))
    if (rates and len(series) == 1) or not any(one.graded for one in series):
        blocks.append(_rates(series, across, size))
    return document(_at_left(blocks, size), title or _("learning curves"), "\n".join(map(in_words, series)))


def in_words(series: Series) -> str:
    """A curve for those who do not see it."""
    if not series.points:
        return _("{name}: no games yet", name=series.name)
    last = series.points[-1]
    win, draw, loss = (percent(rate.rate) for rate in last.rates)
    sentence = _(
        "{name}: after {games} games {win} won, {draw} drawn, {loss} lost",
        name=series.name,
        games=grouped(last.games),
        win=win,
        draw=draw,
        loss=loss,
    )
    if last.payoff is None:
        return sentence
    payoffs = [payoff for _games, payoff in series.graded]
    graded = _(
        "; exact payoff {first} at first, {last} at last",
        first=decimal(payoffs[0], "+.4f"),
        last=decimal(last.payoff, "+.4f"),
    )
    return (
        sentence
        + graded
        + (
            _("; ceiling {ceiling}", ceiling=decimal(last.ceiling, "+.4f"))
            if last.ceiling is not None
            else ""
        )
    )


def _payoffs(series: Sequence[Series], games: Scale, size: PlotSize) -> SvgBlock:
    """Exact payoffs, and the ceilings."""
    ceilings = sorted({ceiling for one in series for ceiling in one.ceilings})
    payoffs = [payoff for one in series for _games, payoff in one.graded]
    plot = axes(games, scale([*payoffs, *ceilings], size.height, -1, 1), lambda value: decimal(value, "+.2f"))
    lines, labels = [], []
    for ceiling in ceilings:
        sentence = _("ceiling {payoff}", payoff=decimal(ceiling, "+.4f"))
        labels.append(Label(plot.y(ceiling), (sentence,), "ink"))
    for (colour, dashes), one in zip(pens(len(series)), series, strict=True):
        if one.graded:
            points = [(plot.x(played), plot.y(payoff)) for played, payoff in one.graded]
            lines.append(pen_line(points, colour, dashes) + dots(points, colour, 2.4))
            name = (*_name(one.name), decimal(one.graded[-1][1], "+.4f"))
            labels.append(Label(points[-1][1], name, colour, dashes))
    for y in map(plot.y, ceilings):  # over the curves, which end there
        lines.append(pen_line([(0, y), (size.width, y)], "ink", "1 2.5", 1.2))
    against = {printable(one.against, 60) for one in series if one.graded}
    heading = (
        _("exact mean payoff against {against}", against=against.pop())
        if len(against) == 1
        else _("exact mean payoff")
    )
    return _plot(plot, heading, lines, labels)


def _rates(series: Sequence[Series], games: Scale, size: PlotSize) -> SvgBlock:
    """Return how the games of each block ended, with intervals, and epsilon; of several learners, how many
    of their games they have won.
    """
    plot = axes(games, scale([0, 1], size.height, 0, 1), lambda value: percent(value, ".0f"))
    lines, labels = [], []
    drawn: list[tuple[Series, int, tuple[str, ...], str, str]]
    alone = series[0] if len(series) == 1 else None
    if alone:
        ends = ((_("win"), "good", ""), (_("draw"), "quiet", "7 3"), (_("loss"), "bad", "3 2.5"))
        drawn = [(alone, end, (name,), colour, dashes) for end, (name, colour, dashes) in enumerate(ends)]
    else:
        drawn = [(one, 0, _name(one.name), *pen) for one, pen in zip(series, pens(len(series)), strict=True)]
    for one, end, name, colour, dashes in drawn:
        rates = [point.rates[end] for point in one.points]
        if rates:
            lines.append(_steps(plot, one.points, rates, colour, dashes))
            last = percent(rates[-1].rate)
            words = (f"{name[0]} {last}",) if alone else (*name, last)
            labels.append(Label(plot.y(rates[-1].rate), words, colour, dashes))
    if not alone:
        return _plot(plot, _("games won in each block, with 95 % intervals"), lines, labels)
    exploring = [(plot.x(point.games), plot.y(point.epsilon)) for point in alone.points]
    if any(point.epsilon > 0 for point in alone.points):
        lines.append(pen_line(exploring, "ring", "1.5 2.5") + dots(exploring[-1:], "ring", 2.4))
        last = "ε " + decimal(alone.points[-1].epsilon, ".3f")
        labels.append(Label(exploring[-1][1], (last,), "ring", "1.5 2.5"))
    return _plot(plot, _("how the games of each block ended, with 95 % intervals"), lines, labels)


def _plot(plot: Axes, heading: str, lines: Iterable[str], labels: Sequence[Label]) -> SvgBlock:
    """A plot with its heading."""
    width = columns_of(heading) * CHARACTER * FONT
    body = label(heading, 0, 0.6 * FONT, FONT, "start", "d-quiet")
    return plot_block(SvgBlock(width, 2.2 * FONT, body), plot, lines, labels, FONT)


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
    band = [(x, plot.y(rate.high)) for left, right, rate in spans for x in (left, right)]
    band += [(x, plot.y(rate.low)) for left, right, rate in reversed(spans) for x in (right, left)]
    level = [(x, plot.y(rate.rate)) for left, right, rate in spans for x in (left, right)]
    area = tag("polygon", class_=f"d-area-{colour}", points=corners(band), fill_opacity=0.22)
    return area + pen_line(level, colour, dashes, 1.6)


def _name(name: str) -> tuple[str, ...]:
    """A name in at most three lines."""
    spaced = printable(name).replace(",", ", ").replace(":", ": ")
    lines = wrapped_name(spaced, NAME, 3) or ("",)
    return tuple(line.replace(", ", ",").replace(": ", ":") for line in lines)


def _heading(title: str, width: float) -> SvgBlock:
    """A title, in lines as wide as the plots."""
    size = 1.15 * FONT
    lines = textwrap.wrap(
        printable(title), int(1.35 * width / (CHARACTER * size)), max_lines=4, placeholder=" …"
    )
    return lines_block(lines, size)


def _at_left(blocks: Sequence[SvgBlock], size: PlotSize) -> SvgBlock:
    """Blocks one below the other, their left edges in line."""
    if not blocks:
        return SvgBlock(*size, "")
    width = max(block.width for block in blocks)
    return stacked([left_in(block, width) for block in blocks], 18)


# A learning curve for the terminal: columns of blocks that grow towards the ceiling, and touch it
# only where the learner has reached it.

LEFT = 8
"""Columns for the numbers on the left, where these are not longer."""
LEAST = 5
"""The fewest lines of a plot; `curve_line` takes one."""


class Signs(NamedTuple):
    """Signs that a plot is made of: parts of a column, from none to a whole one; what the ceiling is drawn
    with; what marks a line of a table.
    """

    levels: str
    ceiling: str
    marker: str


class Span(NamedTuple):
    """Range of a plot, the name of its top, and how values are written."""

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

    >>> half = RateInterval(0.5, 0.4, 0.6)
    >>> points = (Point(50, (half,) * 3, 0.0, 0.0, 0.5), Point(100, (half,) * 3, 0.0, 0.5, 0.5))
    >>> print(curve_text(Series("q", points), 40, 5))
    +0.5000 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ ceiling
                            ████████████████
                            ████████████████
    -0.1000 ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄████████████████
            0                      100 games
    """
    values, span = _values(series)
    ends = [span.written(value) for value in (span.top, span.low)]
    left = max(LEFT, *(len(end) + 1 for end in ends))
    columns, rows = max(1, width - left), max(height, LEAST) - 2
    filled = _filled(series, values, max(games, 1), columns)
    lines = [[_part(value, span, rows, row, signs) for value in filled] for row in reversed(range(rows))]
    drawn = ["".join(line).rstrip() for line in lines]
    highest, lowest = (end.ljust(left) for end in ends)
    ruled = highest + (signs.ceiling * (columns - columns_of(span.name) - 1) + " " + span.name)[-columns:]
    labels = [" " * left] * (rows - 1) + [lowest]
    played = max(games, series.points[-1].games if series.points else 0)
    end = ngettext("{n} game", "{n} games", played, n=grouped(played))
    axis = " " * left + "0" + end.rjust(columns - 1)
    return "\n".join(
        [ruled, *((label + line).rstrip() for label, line in zip(labels, drawn, strict=True)), axis]
    )


def curve_line(series: Series, width: int, games: int = 0, signs: Signs = BLOCKS) -> str:
    """Return a curve in one line, where there is no room for more."""
    values, span = _values(series)
    return "".join(
        _part(value, span, 1, 0, signs) for value in _filled(series, values, max(games, 1), width)
    ).rstrip()


def _values(series: Series) -> tuple[list[float | None], Span]:
    """Return the values that are drawn of every block, and their span; a block without a grade is drawn as
    the one before it.
    """
    if not series.ceilings:
        span = Span(0.0, 1.0, _("all games won"), lambda value: percent(value, ".0f"))
        return [point.rates[0].rate for point in series.points], span
    values: list[float | None] = []
    known = None
    for point in series.points:
        known = known if point.payoff is None else point.payoff
        values.append(known)
    top = series.ceilings[-1]
    foot = _foot([payoff for _games, payoff in series.graded], top)
    return values, Span(foot, top, _("ceiling"), lambda value: decimal(value, "+.4f"))


def _foot(values: list[float], top: float) -> float:
    """A round number below all values, but not below -1 where nothing is: a game that is lost."""
    low = min(values)
    step = 0.5 if top - low > 0.5 else 0.1
    foot = step * (ceil(low / step - 1e-9) - 1)
    return max(foot, -1.0) if top > -1 and low >= -1 else foot


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
