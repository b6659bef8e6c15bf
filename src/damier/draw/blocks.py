"""Blocks that pictures are put together of: lines of text, rows and columns of blocks, and boxes to be
filled in with a pen, or by a page that lays a field over each.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from damier.core.words import printable
from damier.draw.svg import CHARACTER, SvgBlock, document, label, moved, stacked, tag
from damier.draw.text import columns_of

BOX, BOX_HEIGHT = 46.0, 30.0
"""Large enough to write two figures into, by hand."""
FILL_IN_FONT, FILL_IN_ROW = 13.0, 36.0
NOTHING: Mapping[str, str] = {}


class FillInLine(NamedTuple):
    """A line that asks something: its words, and the key of its answer."""

    text: str
    key: str


def answer_box(key: str, x: float, y: float, width: float = BOX, filled: Mapping[str, str] = NOTHING) -> str:
    """A box, its corner at x, y; `data-blank` says what belongs into it. With an answer, that stands
    there.
    """
    size = {"x": x, "y": y, "width": width, "height": BOX_HEIGHT, "rx": 3}
    if key not in filled:
        return tag("rect", class_="d-paper", **size) + tag("rect", class_="d-edge", **size, data_blank=key)
    frame = tag("rect", class_="d-cell", **size)
    text = label(filled[key], x + width / 2, y + BOX_HEIGHT / 2, FILL_IN_FONT)
    return frame + tag("g", text, font_weight="bold")


def fill_in_block(lines: Sequence[FillInLine], filled: Mapping[str, str], width: float) -> SvgBlock:
    """Lines with a box at the end of each."""
    widest = max(columns_of(line.text) for line in lines) * CHARACTER * FILL_IN_FONT + 14
    box = max([1.4 * BOX, *(columns_of(text) * 0.7 * FILL_IN_FONT + 14 for text in filled.values())])
    drawn = "".join(
        label(line.text, 0, FILL_IN_ROW * row + BOX_HEIGHT / 2, FILL_IN_FONT, "start")
        + answer_box(line.key, widest, FILL_IN_ROW * row, box, filled)
        for row, line in enumerate(lines)
    )
    return SvgBlock(max(width, widest + box), FILL_IN_ROW * len(lines), drawn)


LEAST = 480.0
"""The least width of the sentences below a picture."""
NOTE_FONT = 10.5


def left_in(block: SvgBlock, width: float) -> SvgBlock:
    """A block at the left edge of a wider one."""
    return SvgBlock(width, block.height, block.body)


def text_block(lines: Sequence[str], width: float) -> SvgBlock:
    """Return sentences below a picture."""
    room = max(20, int(width / (CHARACTER * NOTE_FONT)))
    rows = [row for line in lines for row in textwrap.wrap(printable(line, 1000), room)]
    return left_in(lines_block(rows, NOTE_FONT, "d-quiet", spacing=1.5), width)


def lines_block(
    lines: Sequence[str], font: float, class_: str | None = None, *, spacing: float = 1.4, top: float = 0.5
) -> SvgBlock:
    """Return lines of text; `top` is the middle of the first one, in lines."""
    drawn = [
        label(line, 0, (row + top) * spacing * font, font, "start", class_) for row, line in enumerate(lines)
    ]
    width = max(map(columns_of, lines), default=0) * CHARACTER * font
    return SvgBlock(width, len(lines) * spacing * font, "".join(drawn))


def board_text_block(lines: Sequence[str], font: float) -> SvgBlock:
    """Return a board that is only text."""
    block = lines_block(lines, font, "d-mono", top=0.7)
    return SvgBlock(max(block.width, font), max(block.height, 1.4 * font), block.body)


def wrapped_block(text: str, room: float, font: float) -> SvgBlock:
    """Return words below a board, in lines that fit in `room`."""
    lines = textwrap.wrap(text, int(room / (CHARACTER * font)), break_on_hyphens=False)
    width = max(len(line) for line in lines) * CHARACTER * font
    drawn = [
        label(line, width / 2, (row + 0.5) * 1.4 * font, font, class_="d-quiet")
        for row, line in enumerate(lines)
    ]
    return SvgBlock(width, len(lines) * 1.4 * font, "".join(drawn))


def sheet_svg(
    title: str,
    blocks: Sequence[SvgBlock],
    width: float,
    said: Sequence[str],
    words: Sequence[str],
    *,
    headed: bool,
) -> str:
    """Return a picture of blocks, its title above it if it is `headed`, the sentences `said` below; `words`
    describe it.
    """
    parts = [*blocks, text_block(said, width)] if said else [*blocks]
    if headed:
        parts.insert(0, SvgBlock(width, 22, label(title, 0, 10, 14, "start")))
    widest = max(block.width for block in parts)
    return document(stacked([left_in(block, widest) for block in parts]), title, "\n".join(words))


def line_block(text: str, font: float, room: float) -> SvgBlock:
    """Return a line of text at the left edge of a room."""
    block = lines_block([text], font)
    return left_in(block, max(room, block.width))


def table_of(blocks: Sequence[SvgBlock], across: int, gap: float, room: float = 0) -> SvgBlock:
    """Blocks of one size, row by row."""
    width, height = blocks[0].width + gap, max(block.height for block in blocks) + gap
    drawn = [
        moved(block.body, place % across * width, place // across * height)
        for place, block in enumerate(blocks)
    ]
    rows = -(-len(blocks) // across)
    return SvgBlock(max(room, min(across, len(blocks)) * width - gap), rows * height - gap, "".join(drawn))
