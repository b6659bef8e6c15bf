"""How often something succeeds over two things that were varied, as a picture: a panel of cells, the
fuller the colour the more often; every cell says its share as a number and its 95 % interval as a line
from 0 to 100 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from damier.core.words import _, printable
from damier.draw.svg import BOLD, CHARACTER, SvgBlock, document, escaped, label, moved, number, tag
from damier.draw.text import columns_of

WIDTH, HEIGHT, FONT = 88.0, 66.0, 12.0
AIR = 6.0
"""Between two cells."""
FAINTEST, FULLEST = 0.04, 0.4
"""How opaque the colour of no success and of nothing else is: on all of it text can be read."""


@dataclass(frozen=True)
class HeatCell:
    """share, low, high  how often it succeeded, and the interval of that; None: nothing is known yet
    below  a few characters below it; words: all of it as a sentence; key: what a page calls the cell
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
    heading = SvgBlock(
        max(columns_of(title) * 1.2, columns_of(measured)) * CHARACTER * FONT,
        3.6 * FONT,
        label(title, 0, 0.7 * FONT, 1.2 * FONT, "start")
        + label(measured, 0, 2.4 * FONT, FONT, "start", "d-quiet"),
    )
    body, left = heading.body, 0.0
    for block in blocks:
        body += moved(block.body, left, heading.height)
        left += block.width + 2 * FONT
    size = SvgBlock(
        max(heading.width, left - 2 * FONT), heading.height + max(block.height for block in blocks), body
    )
    return document(size, title, "\n".join([measured, *map(in_words, panels)]))


def panel_svg(panel: HeatPanel) -> str:
    """One panel as a picture of its own, for a page that lays several out itself."""
    return document(panel_block(panel), panel.title, in_words(panel), margin=6)


def panel_block(panel: HeatPanel) -> SvgBlock:
    """A panel as a part of any picture."""
    across = len(panel.columns) * (WIDTH + AIR) - AIR
    names = [panel.title, *(name for name, _cells in panel.rows)]
    width = max(across, *(columns_of(printable(name)) * BOLD * FONT for name in names))
    drawn = [label(printable(panel.title), 0, 0.7 * FONT, 1.1 * FONT, "start")]
    top = 2.2 * FONT
    for column, name in enumerate(panel.columns):
        drawn.append(label(name, column * (WIDTH + AIR) + WIDTH / 2, top, FONT, class_="d-quiet"))
    top += FONT
    for name, cells in panel.rows:
        drawn.append(label(printable(name), 0, top + 0.7 * FONT, FONT, "start"))
        top += 1.6 * FONT
        drawn += [cell_shape(cell, column * (WIDTH + AIR), top) for column, cell in enumerate(cells)]
        top += HEIGHT + AIR
    return SvgBlock(width, top, "".join(drawn))


def cell_shape(cell: HeatCell, x: float, y: float) -> str:
    """One cell."""
    middle = x + WIDTH / 2
    ground = tag("rect", class_="d-cell", x=x, y=y, width=WIDTH, height=HEIGHT, rx=4)
    if cell.share is None:
        return tag(
            "g",
            tag("title", escaped(cell.words)),
            ground,
            label("…", middle, y + HEIGHT / 2, FONT, class_="d-quiet"),
        )
    shade = FAINTEST + (FULLEST - FAINTEST) * cell.share
    colour = tag("rect", class_="d-area-good", x=x, y=y, width=WIDTH, height=HEIGHT, rx=4, fill_opacity=shade)
    text = label(f"{100 * cell.share:.0f} %", middle, y + 17, 1.4 * FONT) + label(
        cell.below, middle, y + 36, FONT
    )
    return tag(
        "g",
        tag("title", escaped(cell.words)),
        ground + colour + text + interval_shape(cell, x + 8, y + HEIGHT - 11, WIDTH - 16),
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


def in_words(panel: HeatPanel) -> str:
    """A panel for those who do not see it."""
    lines = [cell.words for _name, cells in panel.rows for cell in cells]
    return "\n".join([_("{title}:", title=printable(panel.title)), *lines])
