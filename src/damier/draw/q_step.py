"""A small table of values, and one step of learning to be worked out below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from damier.core.words import decimal
from damier.draw.fill_in import FONT, NOTHING, FillInLine, fill_in_block
from damier.draw.svg import CHARACTER, SvgBlock, document, label, stacked, tag
from damier.draw.text import columns_of
from damier.draw.tree import LEAST, left_in, text_block

CELL, HEIGHT, HEAD = 66.0, 32.0, 46.0


class ValueRow(NamedTuple):
    """A position of the table: its name, the values of its moves, the number of the move taken (-1 for
    none).
    """

    name: str
    values: Sequence[float]
    taken: int = -1


def values_block(rows: Sequence[ValueRow], moves: Sequence[str]) -> SvgBlock:
    """The table: moves in columns, the value of the move that was taken framed."""
    drawn = [
        label(move, HEAD + CELL * (column + 0.5), HEIGHT / 2, FONT, class_="d-quiet")
        for column, move in enumerate(moves)
    ]
    for number, row in enumerate(rows, 1):
        y = HEIGHT * number
        drawn.append(label(row.name, HEAD - 12, y + HEIGHT / 2, FONT, "end"))
        for column, value in enumerate(row.values):
            x = HEAD + CELL * column
            drawn.append(tag("rect", class_="d-cell", x=x, y=y, width=CELL, height=HEIGHT))
            drawn.append(label(decimal(value), x + CELL / 2, y + HEIGHT / 2, FONT))
    for number, row in enumerate(rows, 1):
        if row.taken >= 0:
            x, y = HEAD + CELL * row.taken + 1.5, HEIGHT * number + 1.5
            frame = {"width": CELL - 3, "height": HEIGHT - 3, "stroke_width": 3}
            drawn.append(tag("rect", class_="d-line-ring", x=x, y=y, **frame))
    return SvgBlock(HEAD + CELL * len(moves), HEIGHT * (len(rows) + 1), "".join(drawn))


def q_step_svg(
    title: str,
    rows: Sequence[ValueRow],
    moves: Sequence[str],
    given: str,
    lines: Sequence[FillInLine],
    filled: Mapping[str, str] = NOTHING,
    said: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text: `given` are the numbers of the step, `said` sentences below it."""
    width = max(LEAST, columns_of(title) * CHARACTER * 14) if headed else 0.0
    heading = SvgBlock(width, 22, label(title, 0, 10, 14, "start"))
    numbers = SvgBlock(width, 24, label(given, 0, 12, FONT, "start"))
    blocks = [
        *([heading] if headed else []),
        values_block(rows, moves),
        numbers,
        fill_in_block(lines, filled, width),
    ]
    if said:
        blocks.append(text_block(list(said), width))
    words = [
        f"{row.name}: " + ", ".join(f"{m} {decimal(v)}" for m, v in zip(moves, row.values, strict=True))
        for row in rows
    ]
    description = "\n".join([*words, given, *(line.text for line in lines), *said])
    return document(
        stacked([left_in(block, max(each.width for each in blocks)) for block in blocks]), title, description
    )
