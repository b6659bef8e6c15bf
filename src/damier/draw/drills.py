"""Pictures of exercises: a step of Q-learning, values in a ring, the beads of a game, two boards compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from damier.core.board import Grid
from damier.core.words import _, decimal
from damier.draw.board import board_block
from damier.draw.matchbox import BeadKind, bead
from damier.draw.svg import (
    BOX,
    CHARACTER,
    FILL_IN_FONT,
    LEAST,
    NOTHING,
    FillInLine,
    SvgBlock,
    answer_box,
    arrow_head,
    fill_in_block,
    label,
    left_in,
    moved,
    number,
    sheet_svg,
    tag,
    text_block,
)
from damier.draw.text import columns_of

VALUE_WIDTH, VALUE_HEIGHT, VALUE_NAME = 66.0, 32.0, 46.0


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
        label(
            move, VALUE_NAME + VALUE_WIDTH * (column + 0.5), VALUE_HEIGHT / 2, FILL_IN_FONT, class_="d-quiet"
        )
        for column, move in enumerate(moves)
    ]
    for line, row in enumerate(rows, 1):
        y = VALUE_HEIGHT * line
        drawn.append(label(row.name, VALUE_NAME - 12, y + VALUE_HEIGHT / 2, FILL_IN_FONT, "end"))
        for column, value in enumerate(row.values):
            x = VALUE_NAME + VALUE_WIDTH * column
            drawn.append(tag("rect", class_="d-cell", x=x, y=y, width=VALUE_WIDTH, height=VALUE_HEIGHT))
            drawn.append(label(decimal(value), x + VALUE_WIDTH / 2, y + VALUE_HEIGHT / 2, FILL_IN_FONT))
    for line, row in enumerate(rows, 1):
        if row.taken >= 0:
            x, y = VALUE_NAME + VALUE_WIDTH * row.taken + 1.5, VALUE_HEIGHT * line + 1.5
            frame = {"width": VALUE_WIDTH - 3, "height": VALUE_HEIGHT - 3, "stroke_width": 3}
            drawn.append(tag("rect", class_="d-line-ring", x=x, y=y, **frame))
    return SvgBlock(VALUE_NAME + VALUE_WIDTH * len(moves), VALUE_HEIGHT * (len(rows) + 1), "".join(drawn))


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
    numbers = SvgBlock(width, 24, label(given, 0, 12, FILL_IN_FONT, "start"))
    blocks = [values_block(rows, moves), numbers, fill_in_block(lines, filled, width)]
    words = [
        f"{row.name}: " + ", ".join(f"{m} {decimal(v)}" for m, v in zip(moves, row.values, strict=True))
        for row in rows
    ]
    words += [given, *(line.text for line in lines), *said]
    return sheet_svg(title, blocks, width, said, words, headed=headed)


# A few positions in a ring, arrows from each to those that its moves lead to, and in each a box for
# what it is worth.

RING_WIDTH, RING_HEIGHT = BOX + 24, 58.0
RING_ACROSS, RING_DOWN = 230.0, 165.0
"""Distances of the positions from the middle."""
RING_BEND = 0.09
"""Bend of an arrow, of its length: two that go to and fro are told apart."""

Point = tuple[float, float]


def ring_block(names: Sequence[str], moves: Sequence[Sequence[int]], filled: Mapping[str, str]) -> SvgBlock:
    """The positions, and their moves."""
    at = [place_of(number_, len(names)) for number_ in range(len(names))]
    drawn = [arrow(at[one], at[other]) for one in range(len(names)) for other in moves[one]]
    for name, (x, y) in zip(names, at, strict=True):
        body = tag("rect", class_="d-cell", width=RING_WIDTH, height=RING_HEIGHT, rx=8)
        body += label(name, RING_WIDTH / 2, 12, FILL_IN_FONT)
        body += answer_box(f"worth:{name}", (RING_WIDTH - BOX) / 2, 23, BOX, filled)
        drawn.append(moved(body, x - RING_WIDTH / 2, y - RING_HEIGHT / 2))
    return SvgBlock(2 * RING_ACROSS + RING_WIDTH, 2 * RING_DOWN + RING_HEIGHT, "".join(drawn))


def place_of(place: int, of: int) -> Point:
    """Return where a position stands: the first on top, then as the clock goes."""
    angle = 2 * pi * place / of - pi / 2
    return RING_ACROSS * (1 + cos(angle)) + RING_WIDTH / 2, RING_DOWN * (1 + sin(angle)) + RING_HEIGHT / 2


def arrow(one: Point, other: Point) -> str:
    """From the edge of a position to the edge of another, bent to its right."""
    (x, y), (to_x, to_y) = one, other
    dx, dy = to_x - x, to_y - y
    bent = ((x + to_x) / 2 - RING_BEND * dy, (y + to_y) / 2 + RING_BEND * dx)
    start, end = edge_towards(one, bent), edge_towards(other, bent)
    d = f"M{number(start[0])} {number(start[1])}Q{number(bent[0])} {number(bent[1])}"
    line = tag("path", class_="d-line-quiet", d=f"{d} {number(end[0])} {number(end[1])}", stroke_width=1.6)
    return line + arrow_head(bent, end, "quiet", 11)


def edge_towards(centre: Point, to: Point) -> Point:
    """Return where the way from the centre of a position leaves it."""
    dx, dy = to[0] - centre[0], to[1] - centre[1]
    part = min(
        (RING_WIDTH / 2 + 3) / abs(dx) if dx else float("inf"),
        (RING_HEIGHT / 2 + 3) / abs(dy) if dy else float("inf"),
    )
    return centre[0] + part * dx, centre[1] + part * dy


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
    words = [
        _("{name} leads to {others}", name=name, others=", ".join(names[other] for other in below))
        if below
        else _("{name} has no move", name=name)
        for name, below in zip(names, moves, strict=True)
    ]
    return sheet_svg(title, [left_in(drawn, width)], width, said, [*words, *said], headed=headed)


# The boxes that were opened in a game, the beads drawn from them, and room for what they hold after
# it.

BEAD_COLUMN, BEAD_ROW, BEAD_RADIUS = 104.0, 46.0, 12.0


class BeadBox(NamedTuple):
    """A box as it was opened: its beads by kind, and the kind that was drawn."""

    beads: Sequence[int]
    drawn: int


def boxes_block(boxes: Sequence[BeadBox], filled: Mapping[str, str]) -> SvgBlock:
    """One line a box: of every kind a bead, how many there were, and a box for how many there are."""
    drawn, left = [], 74.0
    for n, box in enumerate(boxes, 1):
        y = BEAD_ROW * (n - 1)
        drawn.append(label(_("box {n}", n=n), 0, y + BEAD_ROW / 2, FILL_IN_FONT, "start"))
        for place, count in enumerate(box.beads):
            x, kind = left + BEAD_COLUMN * place, BeadKind(place)
            drawn.append(bead(kind, x + BEAD_RADIUS, y + BEAD_ROW / 2, BEAD_RADIUS))
            if place == box.drawn:
                ring = {
                    "cx": x + BEAD_RADIUS,
                    "cy": y + BEAD_ROW / 2,
                    "r": BEAD_RADIUS + 3,
                    "stroke_width": 3,
                }
                drawn.append(tag("circle", class_="d-line-ring", **ring))
            drawn.append(
                label(f"{count} →", x + 2 * BEAD_RADIUS + 6, y + BEAD_ROW / 2, FILL_IN_FONT, "start")
            )
            drawn.append(answer_box(f"box:{n}:{kind.letter}", x + 56, y + 8, 0.85 * BOX, filled))
    return SvgBlock(
        left + BEAD_COLUMN * max(len(box.beads) for box in boxes), BEAD_ROW * len(boxes), "".join(drawn)
    )


def bead_step_svg(
    title: str,
    boxes: Sequence[BeadBox],
    lines: Sequence[FillInLine],
    filled: Mapping[str, str] = NOTHING,
    said: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text; `said` are sentences below it."""
    drawn = boxes_block(boxes, filled)
    width = max(LEAST, drawn.width, columns_of(title) * CHARACTER * 14) if headed else drawn.width
    blocks = [drawn, fill_in_block(lines, filled, width)]
    words = [*map(beads_in_words, boxes), *(line.text for line in lines), *said]
    return sheet_svg(title, blocks, width, said, words, headed=headed)


def beads_in_words(box: BeadBox) -> str:
    """A box for those who do not see it."""
    beads = ", ".join(f"{BeadKind(place).letter} {count}" for place, count in enumerate(box.beads))
    return _("beads {beads}; drawn: {letter}", beads=beads, letter=BeadKind(box.drawn).letter)


# Two boards side by side, with sentences or lines to fill in below them.

PAIR_GAP = 28.0
PAIR_CELL = 34.0
PAIR_LINE, PAIR_BOX = 34.0, 70.0
PAIR_COLUMNS = (230.0, 152.0, 74.0)
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
    boards = [board_block(grid, size=PAIR_CELL) for grid in (left, right)]
    width = max(LEAST, sum(board.width for board in boards) + PAIR_GAP)
    beside, x = [], 0.0
    for board, name in zip(boards, (_("left"), _("right")), strict=True):
        beside.append(moved(label(name, board.width / 2, 8, 12) + moved(board.body, 0, 20), x, 0))
        x += board.width + PAIR_GAP
    drawn = SvgBlock(width, 20 + max(board.height for board in boards), "".join(beside))
    blocks = [drawn, text_block(said, width)]
    if blanks:
        names = zip(PAIR_COLUMNS, (_("left"), _("right"), _("prefers")), strict=True)
        head = "".join(
            label(name, width - x + PAIR_BOX / 2, PAIR_LINE / 2, 10.5, "middle", "d-quiet")
            for x, name in names
        )
        rows = "".join(pair_line(text, width, row) for row, text in enumerate(blanks))
        blocks.append(SvgBlock(width, PAIR_LINE * (len(blanks) + 1), head + rows))
    words = [*left.rows, "", *right.rows, *said, *blanks]
    return sheet_svg(title, blocks, width, (), words, headed=headed)


def pair_line(text: str, width: float, row: int) -> str:
    """A name, and room for two numbers and a word."""
    y = PAIR_LINE * (row + 1)
    boxes = "".join(
        answer_box(f"{asked}:{row}", width - x, y + 2, PAIR_BOX)
        for x, asked in zip(PAIR_COLUMNS, ("left", "right", "prefers"), strict=True)
    )
    return label(text, 0, y + PAIR_LINE / 2, 11.5, "start") + boxes
