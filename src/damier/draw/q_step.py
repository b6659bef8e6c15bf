"""A small table of values, and one step of learning to be worked out below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from damier.core.words import _, decimal
from damier.draw.fill_in import BOX, FONT, NOTHING, FillInLine, answer_box, fill_in_block
from damier.draw.svg import CHARACTER, SvgBlock, document, label, moved, number, stacked, tag
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
    for line, row in enumerate(rows, 1):
        y = HEIGHT * line
        drawn.append(label(row.name, HEAD - 12, y + HEIGHT / 2, FONT, "end"))
        for column, value in enumerate(row.values):
            x = HEAD + CELL * column
            drawn.append(tag("rect", class_="d-cell", x=x, y=y, width=CELL, height=HEIGHT))
            drawn.append(label(decimal(value), x + CELL / 2, y + HEIGHT / 2, FONT))
    for line, row in enumerate(rows, 1):
        if row.taken >= 0:
            x, y = HEAD + CELL * row.taken + 1.5, HEIGHT * line + 1.5
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


# A few positions in a ring, arrows from each to those that its moves lead to, and in each a box for
# what it is worth.

WIDE, HIGH = BOX + 24, 58.0
ACROSS, DOWN = 230.0, 165.0
"""How far from the middle the positions stand."""
BEND = 0.09
"""How far an arrow bends aside, of its length: two that go to and fro are told apart."""

Point = tuple[float, float]


def ring_block(names: Sequence[str], moves: Sequence[Sequence[int]], filled: Mapping[str, str]) -> SvgBlock:
    """The positions, and their moves."""
    at = [place_of(number_, len(names)) for number_ in range(len(names))]
    drawn = [arrow(at[one], at[other]) for one in range(len(names)) for other in moves[one]]
    for name, (x, y) in zip(names, at, strict=True):
        body = tag("rect", class_="d-cell", width=WIDE, height=HIGH, rx=8)
        body += label(name, WIDE / 2, 12, FONT)
        body += answer_box(f"worth:{name}", (WIDE - BOX) / 2, 23, BOX, filled)
        drawn.append(moved(body, x - WIDE / 2, y - HIGH / 2))
    return SvgBlock(2 * ACROSS + WIDE, 2 * DOWN + HIGH, "".join(drawn))


def place_of(place: int, of: int) -> Point:
    """Where a position stands: the first on top, then as the clock goes."""
    angle = 2 * pi * place / of - pi / 2
    return ACROSS * (1 + cos(angle)) + WIDE / 2, DOWN * (1 + sin(angle)) + HIGH / 2


def arrow(one: Point, other: Point) -> str:
    """From the edge of a position to the edge of another, bent to its right."""
    (x, y), (to_x, to_y) = one, other
    dx, dy = to_x - x, to_y - y
    bent = ((x + to_x) / 2 - BEND * dy, (y + to_y) / 2 + BEND * dx)
    start, end = edge_towards(one, bent), edge_towards(other, bent)
    d = f"M{number(start[0])} {number(start[1])}Q{number(bent[0])} {number(bent[1])}"
    line = tag("path", class_="d-line-quiet", d=f"{d} {number(end[0])} {number(end[1])}", stroke_width=1.6)
    return line + head(bent, end)


def edge_towards(centre: Point, to: Point) -> Point:
    """Where the way from the centre of a position leaves it."""
    dx, dy = to[0] - centre[0], to[1] - centre[1]
    part = min(
        (WIDE / 2 + 3) / abs(dx) if dx else float("inf"), (HIGH / 2 + 3) / abs(dy) if dy else float("inf")
    )
    return centre[0] + part * dx, centre[1] + part * dy


def head(before: Point, end: Point) -> str:
    """The head of an arrow."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    corners = ((0.0, 0.0), (-11.0, 4.5), (-11.0, -4.5))
    points = " ".join(
        f"{number(end[0] + back * ux - side * uy)},{number(end[1] + back * uy + side * ux)}"
        for back, side in corners
    )
    return tag("polygon", class_="d-area-quiet", points=points)


def ring_svg(
    title: str,
    names: Sequence[str],
    moves: Sequence[Sequence[int]],
    filled: Mapping[str, str] = NOTHING,
    said: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text; `said` are sentences below it."""
    drawn = ring_block(names, moves, filled)
    width = max(LEAST, drawn.width, columns_of(title) * CHARACTER * 14)
    heading = SvgBlock(width, 22, label(title, 0, 10, 14, "start"))
    blocks = [*([heading] if headed else []), drawn]
    if said:
        blocks.append(text_block(list(said), width))
    words = [
        _("{name} leads to {others}", name=name, others=", ".join(names[other] for other in below))
        if below
        else _("{name} has no move", name=name)
        for name, below in zip(names, moves, strict=True)
    ]
    return document(stacked([left_in(block, width) for block in blocks]), title, "\n".join([*words, *said]))
