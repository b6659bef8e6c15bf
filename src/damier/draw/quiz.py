"""Two boards side by side, with sentences or lines to fill in below them."""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.board import Grid
from damier.core.words import _
from damier.draw.board import board_block
from damier.draw.fill_in import answer_box
from damier.draw.svg import SvgBlock, document, label, moved, stacked
from damier.draw.tree import LEAST, left_in, text_block

GAP = 28.0
CELL = 34.0
LINE, WIDE = 34.0, 70.0
COLUMNS = (230.0, 152.0, 74.0)
"""The left edges of what is to be filled in, from the right edge."""


def pair_svg(
    left: Grid,
    right: Grid,
    title: str,
    said: Sequence[str],
    blanks: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text: `said` are sentences, `blanks` lines to be filled in."""
    boards = [board_block(grid, size=CELL) for grid in (left, right)]
    width = max(LEAST, sum(board.width for board in boards) + GAP)
    beside, x = [], 0.0
    for board, name in zip(boards, (_("left"), _("right")), strict=True):
        beside.append(moved(label(name, board.width / 2, 8, 12) + moved(board.body, 0, 20), x, 0))
        x += board.width + GAP
    drawn = SvgBlock(width, 20 + max(board.height for board in boards), "".join(beside))
    heading = SvgBlock(width, 22, label(title, 0, 10, 14, "start"))
    blocks = [*([heading] if headed else []), drawn, text_block(list(said), width)]
    if blanks:
        names = zip(COLUMNS, (_("left"), _("right"), _("prefers")), strict=True)
        head = "".join(
            label(name, width - x + WIDE / 2, LINE / 2, 10.5, "middle", "d-quiet") for x, name in names
        )
        rows = "".join(blank(text, width, row) for row, text in enumerate(blanks))
        blocks.append(SvgBlock(width, LINE * (len(blanks) + 1), head + rows))
    return document(
        stacked([left_in(block, width) for block in blocks]),
        title,
        "\n".join((*left.rows, "", *right.rows, *said, *blanks)),
    )


def blank(text: str, width: float, row: int) -> str:
    """A name, and room for two numbers and a word."""
    y = LINE * (row + 1)
    boxes = "".join(
        answer_box(f"{asked}:{row}", width - x, y + 2, WIDE)
        for x, asked in zip(COLUMNS, ("left", "right", "prefers"), strict=True)
    )
    return label(text, 0, y + LINE / 2, 11.5, "start") + boxes
