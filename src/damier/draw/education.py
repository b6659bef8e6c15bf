"""Pictures that teach. Of exercises: a step of Q-learning, values in a ring, the beads of a game, two boards
compared. Of the education of a machine of matchboxes: its rules in three moves, the games in which it can
still be beaten, the beads that were taken out of it, and all of that on one card to hand on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

from damier.core.board import Grid
from damier.core.words import _, decimal, grouped, labelled, ngettext
from damier.draw import svg
from damier.draw.background import ground, material
from damier.draw.board import board_block, unlabelled
from damier.draw.matchbox import BeadKind, bead
from damier.draw.pieces import bare_frame, pieces
from damier.draw.text import columns_of

VALUE_WIDTH, VALUE_HEIGHT, VALUE_NAME = 66.0, 32.0, 46.0


class ValueRow(NamedTuple):
    """A position of the table: its name, the values of its moves, the number of the move taken (-1 for
    none).
    """

    name: str
    values: Sequence[float]
    taken: int = -1


def values_block(rows: Sequence[ValueRow], moves: Sequence[str]) -> svg.SvgBlock:
    """The table: moves in columns, the value of the move that was taken framed."""
    drawn = [
        svg.label(
            move,
            VALUE_NAME + VALUE_WIDTH * (column + 0.5),
            VALUE_HEIGHT / 2,
            svg.FILL_IN_FONT,
            class_="d-quiet",
        )
        for column, move in enumerate(moves)
    ]
    for line, row in enumerate(rows, 1):
        y = VALUE_HEIGHT * line
        drawn.append(svg.label(row.name, VALUE_NAME - 12, y + VALUE_HEIGHT / 2, svg.FILL_IN_FONT, "end"))
        for column, value in enumerate(row.values):
            x = VALUE_NAME + VALUE_WIDTH * column
            drawn += [
                svg.tag("rect", class_="d-cell", x=x, y=y, width=VALUE_WIDTH, height=VALUE_HEIGHT),
                svg.label(decimal(value), x + VALUE_WIDTH / 2, y + VALUE_HEIGHT / 2, svg.FILL_IN_FONT),
            ]
    for line, row in enumerate(rows, 1):
        if row.taken >= 0:
            x, y = VALUE_NAME + VALUE_WIDTH * row.taken + 1.5, VALUE_HEIGHT * line + 1.5
            frame = {"width": VALUE_WIDTH - 3, "height": VALUE_HEIGHT - 3, "stroke_width": 3}
            drawn.append(svg.tag("rect", class_="d-line-ring", x=x, y=y, **frame))
    return svg.SvgBlock(VALUE_NAME + VALUE_WIDTH * len(moves), VALUE_HEIGHT * (len(rows) + 1), "".join(drawn))


def q_step_svg(
    title: str,
    rows: Sequence[ValueRow],
    moves: Sequence[str],
    given: str,
    lines: Sequence[svg.FillInLine],
    filled: Mapping[str, str] = svg.NOTHING,
    sentences: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text: `given` are the numbers of the step, `sentences` sentences below it."""
    width = max(svg.LEAST, columns_of(title) * svg.CHARACTER * 14) if headed else 0.0
    numbers = svg.SvgBlock(width, 24, svg.label(given, 0, 12, svg.FILL_IN_FONT, "start"))
    blocks = [values_block(rows, moves), numbers, svg.fill_in_block(lines, filled, width)]
    words = [
        labelled(row.name, ", ".join(f"{m} {decimal(v)}" for m, v in zip(moves, row.values, strict=True)))
        for row in rows
    ]
    words += [given, *(line.text for line in lines), *sentences]
    return svg.sheet_svg(title, blocks, width, sentences, words, headed=headed)


# A few positions in a ring, arrows from each to those that its moves lead to, and in each a box for
# what it is worth.

RING_WIDTH, RING_HEIGHT = svg.BOX + 24, 58.0
RING_ACROSS, RING_DOWN = 230.0, 165.0
"""Distances of the positions from the middle."""
RING_BEND = 0.09
"""Bend of an arrow, of its length: two that go to and fro are told apart."""

Point = tuple[float, float]


def ring_block(
    names: Sequence[str], moves: Sequence[Sequence[int]], filled: Mapping[str, str]
) -> svg.SvgBlock:
    """The positions, and their moves."""
    at = [place_of(number_, len(names)) for number_ in range(len(names))]
    drawn = [arrow(at[one], at[other]) for one in range(len(names)) for other in moves[one]]
    for name, (x, y) in zip(names, at, strict=True):
        body = svg.tag("rect", class_="d-cell", width=RING_WIDTH, height=RING_HEIGHT, rx=8)
        body += svg.label(name, RING_WIDTH / 2, 12, svg.FILL_IN_FONT)
        written = columns_of(filled.get(f"worth:{name}", "")) * 0.7 * svg.FILL_IN_FONT
        box = written + 6 if written > svg.BOX else svg.BOX
        body += svg.answer_box(f"worth:{name}", (RING_WIDTH - box) / 2, 23, box, filled)
        drawn.append(svg.moved(body, x - RING_WIDTH / 2, y - RING_HEIGHT / 2))
    return svg.SvgBlock(2 * RING_ACROSS + RING_WIDTH, 2 * RING_DOWN + RING_HEIGHT, "".join(drawn))


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
    d = f"M{svg.number(start[0])} {svg.number(start[1])}Q{svg.number(bent[0])} {svg.number(bent[1])}"
    line = svg.tag(
        "path", class_="d-line-quiet", d=f"{d} {svg.number(end[0])} {svg.number(end[1])}", stroke_width=1.6
    )
    return line + svg.arrow_head(bent, end, "quiet", 11)


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
    filled: Mapping[str, str] = svg.NOTHING,
    sentences: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text; `sentences` are sentences below it."""
    drawn = ring_block(names, moves, filled)
    width = max(svg.LEAST, drawn.width, columns_of(title) * svg.CHARACTER * 14)
    words = [
        _("{name} leads to {others}", name=name, others=", ".join(names[other] for other in below))
        if below
        else _("{name} has no move", name=name)
        for name, below in zip(names, moves, strict=True)
    ]
    return svg.sheet_svg(
        title, [svg.left_in(drawn, width)], width, sentences, [*words, *sentences], headed=headed
    )


# The boxes that were opened in a game, the beads drawn from them, and room for what they hold after
# it.

BEAD_COLUMN, BEAD_ROW, BEAD_RADIUS = 104.0, 46.0, 12.0


class BeadBox(NamedTuple):
    """A box as it was opened: its beads by kind, and the kind that was drawn."""

    beads: Sequence[int]
    drawn: int


def boxes_block(boxes: Sequence[BeadBox], filled: Mapping[str, str]) -> svg.SvgBlock:
    """One line a box: of every kind a bead, how many there were, and a box for how many there are."""
    drawn, left = [], 74.0
    for n, box in enumerate(boxes, 1):
        y = BEAD_ROW * (n - 1)
        drawn.append(svg.label(_("box {n}", n=n), 0, y + BEAD_ROW / 2, svg.FILL_IN_FONT, "start"))
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
                drawn.append(svg.tag("circle", class_="d-line-ring", **ring))
            drawn += [
                svg.label(f"{count} →", x + 2 * BEAD_RADIUS + 6, y + BEAD_ROW / 2, svg.FILL_IN_FONT, "start"),
                svg.answer_box(f"box:{n}:{kind.letter}", x + 56, y + 8, 0.85 * svg.BOX, filled),
            ]
    return svg.SvgBlock(
        left + BEAD_COLUMN * max(len(box.beads) for box in boxes), BEAD_ROW * len(boxes), "".join(drawn)
    )


def bead_step_svg(
    title: str,
    boxes: Sequence[BeadBox],
    lines: Sequence[svg.FillInLine],
    filled: Mapping[str, str] = svg.NOTHING,
    sentences: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text; `sentences` are sentences below it."""
    drawn = boxes_block(boxes, filled)
    width = max(svg.LEAST, drawn.width, columns_of(title) * svg.CHARACTER * 14) if headed else drawn.width
    blocks = [drawn, svg.fill_in_block(lines, filled, width)]
    words = [*map(beads_in_words, boxes), *(line.text for line in lines), *sentences]
    return svg.sheet_svg(title, blocks, width, sentences, words, headed=headed)


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
    sentences: Sequence[str],
    blanks: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text: `sentences` are sentences, `blanks` lines to be filled in."""
    boards = [board_block(grid, size=PAIR_CELL) for grid in (left, right)]
    width = max(svg.LEAST, sum(board.width for board in boards) + PAIR_GAP)
    beside, x = [], 0.0
    for board, name in zip(boards, (_("left"), _("right")), strict=True):
        beside.append(svg.moved(svg.label(name, board.width / 2, 8, 12) + svg.moved(board.body, 0, 20), x, 0))
        x += board.width + PAIR_GAP
    drawn = svg.SvgBlock(width, 20 + max(board.height for board in boards), "".join(beside))
    blocks = [drawn, svg.text_block(sentences, width)]
    if blanks:
        names = zip(PAIR_COLUMNS, (_("left"), _("right"), _("prefers")), strict=True)
        head = "".join(
            svg.label(name, width - x + PAIR_BOX / 2, PAIR_LINE / 2, 10.5, "middle", "d-quiet")
            for x, name in names
        )
        rows = "".join(pair_line(text, width, row) for row, text in enumerate(blanks))
        blocks.append(svg.SvgBlock(width, PAIR_LINE * (len(blanks) + 1), head + rows))
    return svg.sheet_svg(
        title, blocks, width, (), [*left.rows, "", *right.rows, *sentences, *blanks], headed=headed
    )


def pair_line(text: str, width: float, row: int) -> str:
    """A name, and room for two numbers and a word."""
    y = PAIR_LINE * (row + 1)
    boxes = "".join(
        svg.answer_box(f"{column}:{row}", width - x, y + 2, PAIR_BOX)
        for x, column in zip(PAIR_COLUMNS, ("left", "right", "prefers"), strict=True)
    )
    return svg.label(text, 0, y + PAIR_LINE / 2, 11.5, "start") + boxes


# The education of a machine. What moves has a class (`d-goes-…`, `d-gone`, `d-new`); the page that a picture
# is part of says how, or not at all.

CELL = 20.0
"""Height of a cell of the rules: the page moves a piece by so many units."""


class RuleScene(NamedTuple):
    """Board on which one piece goes: rows without it and what it takes, where it is and how it goes (the
    end of its class), what it takes.
    """

    still: Sequence[str]
    goes: Sequence[str]
    way: str
    gone: Sequence[str]


FREE = ("...", "...", "...")
PAWN_RULES = (
    RuleScene(("bbb", "...", ".ww"), ("...", "...", "w.."), "ahead", FREE),
    RuleScene(("b.b", "...", ".ww"), ("...", "w..", "..."), "across", (".b.", "...", "...")),
    RuleScene(("..b", "b..", "..w"), ("...", ".w.", "..."), "home", FREE),
)
"""A pawn steps ahead, takes across, reaches the far side."""


def rules_svg(grid: Grid, scenes: Sequence[RuleScene], title: str) -> str:
    """Small boards side by side; `grid` says what the pieces `w` and `b` look like."""
    looks = {"w": grid.looks[grid.rows[-1][0]], "b": grid.looks[grid.rows[0][0]]}
    bare = unlabelled(grid)
    assert isinstance(bare, Grid)
    frame, drawn, left = bare_frame(bare, CELL), [], 0.0
    for scene in scenes:
        board = [
            replace(bare, rows=tuple(rows), looks=looks) for rows in (scene.still, scene.gone, scene.goes)
        ]
        body = ground(board[0], frame) + pieces(board[0], frame)
        body += (
            svg.tag("g", pieces(board[1], frame), class_="d-gone") if any(map(str.strip, scene.gone)) else ""
        )
        body += svg.tag("g", pieces(board[2], frame), class_=f"d-goes-{scene.way}")
        drawn.append(svg.moved(svg.tag("g", body, class_=material(board[0])), left, 0))
        left += frame.across + 0.6 * CELL
    return svg.document(svg.SvgBlock(left - 0.6 * CELL, frame.down, "".join(drawn)), title, "", 2)


# In how many games it can still be beaten, game by game: a line that falls.

LINE_WIDTH, LINE_HEIGHT, FONT = 300.0, 84.0, 11.0
FEWEST = 8
"""Games that the line has room for at least."""


def falling_block(counts: Sequence[int], width: float = LINE_WIDTH) -> svg.SvgBlock:
    """The counts before the first game, and after each: the first, the last and what fits between them are
    written at the line.
    """
    top, foot = 16.0, LINE_HEIGHT - 8
    step = (width - 44) / max(FEWEST, len(counts) - 1)
    places = [
        (14 + step * game, foot - (foot - top) * count / max(1, counts[0]))
        for game, count in enumerate(counts)
    ]
    falls = [0, *(n for n, (one, next_) in enumerate(pairwise(counts), 1) if next_ != one)]
    written = [0]
    for game in falls[1:]:
        if places[game][0] - places[written[-1]][0] >= 26:
            written.append(game)
    if falls[-1] not in written:
        written = [game for game in written if game == 0 or places[falls[-1]][0] - places[game][0] >= 26]
        written.append(falls[-1])
    drawn = [
        svg.tag("path", class_="d-rule", d=svg.polyline([(14, foot), (width - 10, foot)]), stroke_width=1.0)
    ]
    if len(places) > 1:
        drawn.append(
            svg.tag("path", class_="d-line-good", d=svg.polyline(places), stroke_width=2.5, pathLength="1")
        )
    drawn += [
        svg.tag("circle", class_="d-area-good", cx=x, cy=y, r=3.2) for x, y in (places[n] for n in falls)
    ]
    drawn += [svg.label(grouped(counts[n]), places[n][0], places[n][1] - 10, FONT) for n in written]
    return svg.SvgBlock(width, LINE_HEIGHT, "".join(drawn))


def falling_svg(counts: Sequence[int]) -> str:
    """That line alone."""
    return svg.document(
        falling_block(counts), _("Games in which it can be beaten"), falling_in_words(counts), 0
    )


def falling_in_words(counts: Sequence[int]) -> str:
    """The counts that differ, one after the other.

    >>> falling_in_words([47, 41, 41, 0])
    '47 → 41 → 0'
    """
    return " → ".join(grouped(count) for n, count in enumerate(counts) if n == 0 or counts[n - 1] != count)


# The beads that were taken out, in a jar that stays.

JAR_ROW, JAR_BEAD = 6, 9.5
JAR_WIDTH, JAR_HEIGHT = 2 * JAR_BEAD * JAR_ROW + 10, 84.0


def jar_block(taken: Sequence[BeadKind], new: int = 0) -> svg.SvgBlock:
    """A jar with the beads that were put there, the last `new` of them marked as those that fall into it
    now. It grows where they need more room.
    """
    height = max(JAR_HEIGHT, 2 * JAR_BEAD * -(-len(taken) // JAR_ROW) + 22)
    glass = (
        f"M8 3H{JAR_WIDTH - 8:g}M10 3V11Q1 14 1 22V{height - 9:g}Q1 {height - 1:g} 9 {height - 1:g}"
        f"H{JAR_WIDTH - 9:g}Q{JAR_WIDTH - 1:g} {height - 1:g} {JAR_WIDTH - 1:g} {height - 9:g}V22"
        f"Q{JAR_WIDTH - 1:g} 14 {JAR_WIDTH - 10:g} 11V3"
    )
    drawn = []
    for place, kind in enumerate(taken):
        row, across = divmod(place, JAR_ROW)
        x, y = 5 + JAR_BEAD * (2 * across + 1), height - 4 - JAR_BEAD * (2 * row + 1)
        fresh = "d-new" if place >= len(taken) - new else None
        drawn.append(svg.tag("g", bead(kind, x, y, 0.94 * JAR_BEAD), class_=fresh))
    drawn.append(svg.tag("path", class_="d-edge", d=glass, stroke_width=1.6))
    return svg.SvgBlock(JAR_WIDTH, height, "".join(drawn))


def jar_svg(taken: Sequence[BeadKind], new: int = 0) -> str:
    """That jar alone."""
    sentence = ngettext("{n} bead has been taken out.", "{n} beads have been taken out.", len(taken))
    return svg.document(jar_block(taken, new), _("The beads that were taken out"), sentence, 1)


# All of it on a card.

CARD = (600.0, 315.0)
"""The shape in which pictures of links are shown."""


def card_svg(title: str, lines: Iterable[str], counts: Sequence[int], taken: Sequence[BeadKind]) -> str:
    """A card: what came of it, in words; the line that fell, and the jar."""
    width, height = CARD
    jar, fall = jar_block(taken), falling_block(counts, 290)
    drawn = [svg.label(title, 30, 44, min(26, 540 / (svg.CHARACTER * len(title))), "start")]
    drawn += [svg.label(line, 30, 82 + 24 * n, 15, "start", "d-quiet") for n, line in enumerate(lines)]
    for block, left, factor in ((fall, 10.0, 1.5), (jar, 440.0, 1.1)):
        larger = svg.tag("g", block.body, transform=f"scale({factor})")
        drawn.append(svg.moved(larger, left, height - factor * block.height - 22))
    drawn.append(svg.label("damier", width - 20, 20, 15, "end"))
    return svg.document(svg.SvgBlock(width, height, "".join(drawn)), title, falling_in_words(counts), 0)
