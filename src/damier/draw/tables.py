"""Tables as pictures: a heat map of how often something succeeds, and the cross table of a tournament.

In a heat map the colour of a cell is the fuller the more often; every cell says its share as a number and
its 95 % interval as a line from 0 to 100 %.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from damier.core.words import _, labelled, printable
from damier.draw.svg import BOLD, CHARACTER, SvgBlock, document, escaped, label, moved, number, tag
from damier.draw.text import columns_of

HEAT_WIDTH, HEAT_HEIGHT, HEAT_FONT = 88.0, 66.0, 12.0
HEAT_GAP = 6.0
"""Between two cells."""
FAINTEST, FULLEST = 0.04, 0.4
"""Opacities of the colour of no success and of nothing else: on all of it text can be read."""


@dataclass(frozen=True)
class HeatCell:
    """Cell of a heat map.

    Attributes:
        share, low, high: how often it succeeded, and the interval of that; None: nothing is known yet
        below: a few characters below it
        words: all of it as a sentence
        key: what a page calls the cell
    """

    share: float | None
    low: float
    high: float
    below: str
    words: str
    key: str = ""


@dataclass(frozen=True)
class HeatPanel:
    """Cells in rows, each with its name, below the names of the columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[HeatCell, ...]], ...]


def heat_svg(panels: Sequence[HeatPanel], title: str, measured: str) -> str:
    """All panels side by side, as SVG text; `measured` says in words what the cells are."""
    blocks = [panel_block(panel) for panel in panels]
    heading = heading_block(title, [measured], HEAT_FONT)
    body, left = heading.body, 0.0
    for block in blocks:
        body += moved(block.body, left, heading.height)
        left += block.width + 2 * HEAT_FONT
    size = SvgBlock(
        max(heading.width, left - 2 * HEAT_FONT), heading.height + max(block.height for block in blocks), body
    )
    return document(size, title, "\n".join([measured, *map(panel_in_words, panels)]))


def heading_block(title: str, lines: Sequence[str], font: float) -> SvgBlock:
    """The title of a picture, and below it what its numbers are."""
    body = label(title, 0, 0.7 * font, 1.2 * font, "start")
    for n, line in enumerate(lines):
        body += label(line, 0, (2.4 + 1.4 * n) * font, font, "start", "d-quiet")
    widest = max(columns_of(title) * 1.2, *map(columns_of, lines))
    return SvgBlock(widest * CHARACTER * font, (2.2 + 1.4 * len(lines)) * font, body)


def panels_svg(panels: Sequence[HeatPanel]) -> list[str]:
    """Panels as pictures of their own, for a page that lays them out itself: all of one width, so that it
    shows them at one scale.
    """
    blocks = [panel_block(panel) for panel in panels]
    width = max((block.width for block in blocks), default=0.0)
    return [
        document(SvgBlock(width, block.height, block.body), panel.title, panel_in_words(panel), margin=6)
        for panel, block in zip(panels, blocks, strict=True)
    ]


def panel_block(panel: HeatPanel) -> SvgBlock:
    """A panel as a part of any picture."""
    across = len(panel.columns) * (HEAT_WIDTH + HEAT_GAP) - HEAT_GAP
    names = [panel.title, *(name for name, _cells in panel.rows)]
    width = max(across, *(columns_of(printable(name)) * BOLD * HEAT_FONT for name in names))
    drawn = [label(printable(panel.title), 0, 0.7 * HEAT_FONT, 1.1 * HEAT_FONT, "start")]
    top = 2.2 * HEAT_FONT
    for column, name in enumerate(panel.columns):
        drawn.append(
            label(name, column * (HEAT_WIDTH + HEAT_GAP) + HEAT_WIDTH / 2, top, HEAT_FONT, class_="d-quiet")
        )
    top += HEAT_FONT
    for name, cells in panel.rows:
        drawn.append(label(printable(name), 0, top + 0.7 * HEAT_FONT, HEAT_FONT, "start"))
        top += 1.6 * HEAT_FONT
        drawn += [
            cell_shape(cell, column * (HEAT_WIDTH + HEAT_GAP), top) for column, cell in enumerate(cells)
        ]
        top += HEAT_HEIGHT + HEAT_GAP
    return SvgBlock(width, top, "".join(drawn))


def cell_shape(cell: HeatCell, x: float, y: float) -> str:
    """One cell."""
    middle = x + HEAT_WIDTH / 2
    ground = tag("rect", class_="d-cell", x=x, y=y, width=HEAT_WIDTH, height=HEAT_HEIGHT, rx=4)
    if cell.share is None:
        return tag(
            "g",
            tag("title", escaped(cell.words)),
            ground,
            label("…", middle, y + HEAT_HEIGHT / 2, HEAT_FONT, class_="d-quiet"),
        )
    shade = FAINTEST + (FULLEST - FAINTEST) * cell.share
    colour = tag(
        "rect", class_="d-area-good", x=x, y=y, width=HEAT_WIDTH, height=HEAT_HEIGHT, rx=4, fill_opacity=shade
    )
    text = label(f"{100 * cell.share:.0f} %", middle, y + 17, 1.4 * HEAT_FONT) + label(
        cell.below, middle, y + 36, HEAT_FONT
    )
    return tag(
        "g",
        tag("title", escaped(cell.words)),
        ground + colour + text + interval_shape(cell, x + 8, y + HEAT_HEIGHT - 11, HEAT_WIDTH - 16),
        data_heat=cell.key or None,
    )


def interval_shape(cell: HeatCell, x: float, y: float, length: float) -> str:
    """The interval on a line from 0 to 100 %, the share a bar across it."""
    assert cell.share is not None
    low, high, share = (number(x + length * value) for value in (cell.low, cell.high, cell.share))
    return (
        tag("path", class_="d-line-quiet", d=f"M{number(x)} {number(y)}h{number(length)}", stroke_width=1.0)
        + tag("path", class_="d-line-ink", d=f"M{low} {number(y)}L{high} {number(y)}", stroke_width=3.0)
        + tag("path", class_="d-line-ink", d=f"M{share} {number(y - 5)}v10", stroke_width=2.0)
    )


@dataclass(frozen=True)
class NumbersPanel:
    """Numbers in rows, each with its name, below the names of the columns; None where there is none."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


NUMBER_WIDTH, NUMBER_HEIGHT = 62.0, 20.0


def numbers_svg(
    panels: Sequence[NumbersPanel], title: str, written: Callable[[float], str], marked: float
) -> str:
    """Panels of numbers below one another, as SVG text: the colour of a number is the fuller the nearer it
    is to `marked`, on the side of good where it is above 0, of bad where it is below.
    """
    body, top, width = label(title, 0, 0.7 * HEAT_FONT, 1.2 * HEAT_FONT, "start"), 2.4 * HEAT_FONT, 0.0
    sentences = []
    for panel in panels:
        names = [name for name, _cells in panel.rows]
        left = max([*map(columns_of, names), 1]) * CHARACTER * HEAT_FONT + 12
        if panel.title:
            body += label(panel.title, 0, top + NUMBER_HEIGHT / 2, HEAT_FONT, "start")
            top += NUMBER_HEIGHT
        for column, name in enumerate(panel.columns):
            x = left + (column + 0.5) * NUMBER_WIDTH
            body += label(name, x, top + NUMBER_HEIGHT / 2, HEAT_FONT, class_="d-quiet")
        top += NUMBER_HEIGHT
        sentences.append(labelled(panel.title, " ".join(panel.columns)))
        for name, cells in panel.rows:
            body += label(name, left - 12, top + NUMBER_HEIGHT / 2, HEAT_FONT, "end")
            for column, value in enumerate(cells):
                if value is not None:
                    x = left + column * NUMBER_WIDTH
                    body += tag(
                        "rect",
                        class_="d-area-good" if value >= 0 else "d-area-bad",
                        x=x + 1,
                        y=top + 1,
                        width=NUMBER_WIDTH - 2,
                        height=NUMBER_HEIGHT - 2,
                        rx=3,
                        fill_opacity=FAINTEST + (FULLEST - FAINTEST) * min(1.0, abs(value) / marked),
                    )
                    body += label(written(value), x + NUMBER_WIDTH / 2, top + NUMBER_HEIGHT / 2, HEAT_FONT)
            sentences.append(
                labelled(name, " ".join("–" if value is None else written(value) for value in cells))
            )
            top += NUMBER_HEIGHT
        width = max(width, left + len(panel.columns) * NUMBER_WIDTH)
        top += HEAT_FONT
    width = max(width, columns_of(title) * 1.2 * CHARACTER * HEAT_FONT)
    return document(SvgBlock(width, top, body), title, "\n".join(sentences))


def panel_in_words(panel: HeatPanel) -> str:
    """A panel for those who do not see it."""
    lines = [cell.words for _name, cells in panel.rows for cell in cells]
    return "\n".join([_("{title}:", title=printable(panel.title)), *lines])


# A cross table: who took how many of the points from whom, a line and a column an agent.

CROSS_CELL, CROSS_ROW, CROSS_FONT = 38.0, 24.0, 13.0
LONGEST = 40
"""Characters of a name; a longer one is cut."""
STRONGEST = 0.4
"""Opacity of a cell that took everything, or nothing: text on it is still read easily."""


class CrossLine(NamedTuple):
    """An agent: its place, its name, what is said of it in short, and its share of the points against
    each, from 0 to 1; None where the two have not met.
    """

    place: int
    name: str
    text: str
    scores: Sequence[float | None]


def crosstable_svg(lines: Sequence[CrossLine], title: str, *, headed: bool = False) -> str:
    """The picture as SVG text; numbers are percents of the points. It is `headed` by its title, and what its
    numbers are, where nothing around it says that.
    """
    names = [printable(line.name, LONGEST) for line in lines]
    places = max(columns_of(str(line.place)) for line in lines) * CHARACTER * CROSS_FONT
    left = places + 8 + max(map(columns_of, names)) * CHARACTER * CROSS_FONT + 10
    right = left + CROSS_CELL * len(lines)
    text_width = max(columns_of(line.text) for line in lines) * CHARACTER * CROSS_FONT
    parts = [
        label(
            str(line.place),
            left + CROSS_CELL * (number + 0.5),
            CROSS_ROW / 2,
            CROSS_FONT,
            "middle",
            "d-quiet",
        )
        for number, line in enumerate(lines)
    ]
    for n, (line, name) in enumerate(zip(lines, names, strict=True)):
        middle = CROSS_ROW * (n + 1.5)
        parts += [
            label(str(line.place), places, middle, CROSS_FONT, "end", "d-quiet"),
            label(name, places + 8, middle, CROSS_FONT, "start"),
        ]
        parts += [
            score_cell(score, left + CROSS_CELL * column, CROSS_ROW * (n + 1), is_own=column == n)
            for column, score in enumerate(line.scores)
        ]
        parts.append(label(line.text, right + 10, middle, CROSS_FONT, "start", "d-quiet"))
    measured = _("Percents of the points that each line took from each column")
    described = "\n".join(
        labelled(f"{line.place} {name}", line.text) for line, name in zip(lines, names, strict=True)
    )
    block = SvgBlock(right + 10 + text_width, CROSS_ROW * (len(lines) + 1), "".join(parts))
    if headed:
        interval = _("On the right: Elo, and its 95 % interval")
        heading = heading_block(title, [measured, interval], CROSS_FONT)
        block = SvgBlock(
            max(heading.width, block.width),
            heading.height + block.height,
            heading.body + moved(block.body, 0, heading.height),
        )
    return document(block, title, measured + "\n" + described)


def score_cell(score: float | None, x: float, y: float, *, is_own: bool) -> str:
    """Return what one took from another."""
    frame = tag("rect", class_="d-cell", x=x, y=y, width=CROSS_CELL, height=CROSS_ROW)
    if is_own:
        return tag("rect", class_="d-shade", x=x, y=y, width=CROSS_CELL, height=CROSS_ROW)
    if score is None:
        return frame
    tint = tag(
        "rect",
        class_="d-area-good" if score >= 0.5 else "d-area-bad",
        opacity=STRONGEST * abs(2 * score - 1),
        x=x,
        y=y,
        width=CROSS_CELL,
        height=CROSS_ROW,
    )
    return frame + tint + label(score_percent(score), x + CROSS_CELL / 2, y + CROSS_ROW / 2, CROSS_FONT)


def score_percent(score: float) -> str:
    """A share in whole percents; not all and not nothing are never shown as all or nothing.

    >>> score_percent(0.5), score_percent(0.998), score_percent(0.001)
    ('50', '>99', '<1')
    """
    if 0.995 <= score < 1:
        return ">99"
    return "<1" if 0 < score < 0.005 else f"{100 * score:.0f}"


class IntervalSigns(NamedTuple):
    """Signs that an interval is drawn with: its ends, what is between, the value, the end of the scale."""

    left: str
    right: str
    between: str
    value: str
    end: str


LINES = IntervalSigns("├", "┤", "─", "●", "│")
PLAIN = IntervalSigns("[", "]", "-", "o", "|")


def interval_signs(encoding: str) -> IntervalSigns:
    """The signs that a stream of this encoding takes."""
    return LINES if encoding.lower().startswith("utf") else PLAIN


def interval_text(
    interval: tuple[float, float, float],
    low: float,
    high: float,
    width: int,
    signs: IntervalSigns = LINES,
) -> str:
    """Return an interval (low end, value, high end) as characters on a scale from `low` to `high`, where its
    end is marked; what lies outside is drawn at the edge.

    >>> interval_text((0.2, 0.5, 0.6), 0.0, 1.0, 21)
    '    ├─────●─┤       │'
    """
    left, value, right = (
        max(0, min(width - 1, round((one - low) / (high - low) * (width - 1)) if high > low else width - 1))
        for one in interval
    )
    line = [" "] * (width - 1) + [signs.end]
    line[left : right + 1] = signs.between * (right + 1 - left)
    line[left], line[right] = signs.left, signs.right
    line[value] = signs.value
    return "".join(line)
