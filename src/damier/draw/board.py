"""A position as a picture: the board, the moves with what they lead to, and the same in words for
those who do not see it.

>>> from damier import load
>>> picture = board_svg(load("tictactoe").position())
>>> picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 216 216"')
True
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from damier.core.board import Board, Grid, Hexagons, Look, NumberBoard
from damier.core.game import Position
from damier.core.rules import CHANCE
from damier.core.words import N_, _, percent, printable
from damier.draw import svg
from damier.draw.background import ground, label_room, labels, material
from damier.draw.history import in_words
from damier.draw.pieces import (
    DISC,
    BoardFrame,
    bare_frame,
    circle,
    frame_of,
    outline,
    pieces,
    readable,
    rim_of,
)
from damier.draw.text import (
    MoveMark,
    alone_in_their_cell,
    columns_of,
    count_in_row,
    grid_of,
    is_free,
    is_heaps,
    legend,
    own_lines,
    player_in_words,
)

if TYPE_CHECKING:
    from damier.core.grade import Mistake

LIST_WIDTH = 240.0
"""The least room, in units of the picture, that words below a board are given."""


def board_svg(
    position: Position, marks: Iterable[MoveMark] | None = None, size: float = 64, touch: Touch | None = None
) -> str:
    """The picture as SVG text; a cell is `size` units high.

    Moves of `marks` that the board cannot show are listed below it; `touch` makes it a board to
    play on, which leaves that list, the caption and the legend to the page that it is part of.
    """
    marks = list(marks or ())
    blocks = position_blocks(position, marks, size, touch)
    return svg.document(
        svg.stacked(blocks), title_of(position), description_of(position, grid_of(position), marks)
    )


def grid_svg(grid: Board, title: str, touch: Touch, size: float = 64) -> str:
    """A board alone, whether a game can come to it or not, as SVG text."""
    rows = [_row_in_words(grid, row) for row in range(len(grid.rows))]
    return svg.document(board_block(grid, (), size, touch), title, "\n".join(rows))


def thumbnail_svg(position: Position, size: float = 64) -> str:
    """The board as a small picture, without the names of its columns and rows, which could not be read
    there, and without its caption; words only where there is no board.
    """
    grid = grid_of(position)
    if grid is None:
        return board_svg(position, size=size)
    if isinstance(grid, NumberBoard) and not any(spot.pieces for spot in grid.spots):
        spots = (spot if spot.number is None else spot._replace(label="") for spot in grid.spots)
        bare: Board = replace(grid, spots=tuple(spots))  # its numbers are what it shows
    else:
        bare = unlabelled(grid)
    return svg.document(board_block(bare, size=size), title_of(position), description_of(position, grid, ()))


def unlabelled(grid: Board) -> Board:
    """Return the board with its columns, rows and cells named by nothing."""
    if isinstance(grid, NumberBoard):
        return replace(grid, spots=tuple(spot._replace(number=None, label="") for spot in grid.spots))
    bare = replace(grid, columns=("",) * len(grid.columns), lines=("",) * len(grid.lines))
    return replace(bare, numbers=("",) * len(bare.numbers)) if isinstance(bare, Grid) else bare


def position_blocks(
    position: Position, marks: Sequence[MoveMark] = (), size: float = 64, touch: Touch | None = None
) -> list[svg.SvgBlock]:
    """The parts of that picture, one below the other."""
    grid = grid_of(position)
    marked = marks_on_board(marks, grid) if grid else set()
    board = (
        board_block(grid, [mark for mark in marks if mark in marked], size, touch)
        if grid
        else svg.board_text_block(own_lines(position), 0.3 * size)
    )
    listed = [] if touch else [mark for mark in marks if mark not in marked]
    room = max(board.width, LIST_WIDTH)
    blocks = [board]
    if grid and grid.caption and not touch:
        blocks.append(svg.wrapped_block(printable(grid.caption), room, 14))
    if listed:
        blocks.append(chips(listed, 13, room))
    if any(mark.value for mark in marks) and not touch:
        blocks.append(
            svg.wrapped_block(_("{legend}; thick outline: keeps the value", legend=legend(marks)), room, 11)
        )
    return blocks


def board_block(
    grid: Board, marks: Sequence[MoveMark] = (), size: float = 64, touch: Touch | None = None
) -> svg.SvgBlock:
    """A board with its labels, and those of `marks` that it can show: as a part of any picture."""
    frame = frame_of(grid, size)
    names = grid
    if touch and touch.flipped:
        grid, names, frame = flipped(grid, frame)
    right, drawn = frame.left + frame.across, labels(names, frame)
    if isinstance(grid, NumberBoard) and touch and touch.thrown:
        grid = grid.thrown(touch.thrown)
    if is_heaps(grid):
        counts = [f"({count_in_row(grid, row)})" for row in range(len(grid.rows))]
        drawn += "".join(
            svg.label(count, right + 0.5 * frame.font, (row + 0.5) * size, frame.font, "start", "d-quiet")
            for row, count in enumerate(counts)
        )
        right += (0.7 + svg.CHARACTER * max(map(len, counts))) * frame.font
    moving = [mark for mark in marks if len(mark.cells) > 1]
    moves = arrows(moving, grid, frame) + cell_badges(alone_in_their_cell(marks, grid), grid, frame)
    pointed = targets(grid, frame, touch) if touch else ""
    below_pieces, above_pieces = traces(grid, frame, touch) if touch else ("", "")
    men = pieces(grid, frame, apart=touch is not None)
    made = svg.tag("g", ground(grid, frame), below_pieces, men, above_pieces, class_=material(grid))
    body = made + drawn + pointed + moves
    rim = rim_of(grid) * size
    below = label_room(frame) if grid.columns and not isinstance(grid, Hexagons) else 0
    return svg.SvgBlock(right + rim, frame.top + frame.down + rim + below, body)


def title_of(position: Position) -> str:
    """The game and whose turn it is, or how it ended, as people call both."""
    game, payoffs = position.game, position.payoffs
    name = _(game.title) if game.title else game.source.stem if game.source else game.name
    if payoffs is None:
        if position.mover == CHANCE:
            return _("{game}: chance to move", game=name)
        return _("{game}: {player} to move", game=name, player=player_in_words(game, position.mover))
    if sorted(payoffs) == [-1, 1]:
        return _("{game}: {player} has won", game=name, player=player_in_words(game, payoffs.index(1)))
    if not any(payoffs):
        return _("{game}: drawn", game=name)
    return _("{game}: over, payoffs {payoffs}", game=name, payoffs=" ".join(map(str, payoffs)))


def description_of(position: Position, grid: Board | None, marks: Iterable[MoveMark]) -> str:
    """The board row by row and the moves, in words."""
    lines = own_lines(position)
    if grid:
        names = [*grid.lines, *map(str, range(len(grid.lines) + 1, len(grid.rows) + 1))][: len(grid.rows)]
        lines = [
            _("Row {row}: {cells}", row=name, cells=_row_in_words(grid, row))
            for row, name in enumerate(names)
        ]
        lines += [printable(grid.caption)] if grid.caption else []
    return "\n".join([*lines, *(mark.words for mark in marks)])


def _row_in_words(grid: Board, row: int) -> str:
    """Return what stands in a row from left to right, equal neighbours counted together."""
    names = [piece_name(grid, grid.piece(place)) for place in grid.by_rows[row]]
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return ", ".join(name if count == 1 else _("{n} × {piece}", n=count, piece=name) for name, count in runs)


def marks_on_board(marks: Sequence[MoveMark], grid: Board) -> set[MoveMark]:
    """The marks that the board itself can show: alone in their cell, or an arrow from one cell to
    another.
    """
    cells = range(grid.places)
    moving = {
        mark
        for mark in marks
        if len(mark.cells) > 1
        and mark.cells[-2] != mark.cells[-1]
        and all(cell in cells for cell in mark.cells)
    }
    return moving | set(alone_in_their_cell(marks, grid).values())


# The places of a board as something that a person can point at: nothing to see, but every place has its
# number and its name in words.

NAMES: dict[Look, str] = {
    "cross": N_("cross"),
    "ring": N_("ring"),
    "light": N_("light"),
    "dark": N_("dark"),
    "light_king": N_("light king"),
    "dark_king": N_("dark king"),
    "white": N_("white"),
    "black": N_("black"),
    "red": N_("red"),
    "yellow": N_("yellow"),
    "white_stone": N_("white"),
    "black_stone": N_("black"),
    "match": N_("match"),
    "wall": N_("wall"),
    "food": N_("food"),
    "capsule": N_("capsule"),
    "pacman": N_("Pacman"),
    "ghost": N_("ghost"),
    "scared": N_("scared ghost"),
    "dot": N_("dot"),
    "across": N_("line"),
    "upright": N_("line"),
    "owned": N_("closed box"),
    "white_king": N_("white king"),
    "white_queen": N_("white queen"),
    "white_rook": N_("white rook"),
    "white_bishop": N_("white bishop"),
    "white_knight": N_("white knight"),
    "white_pawn": N_("white pawn"),
    "black_king": N_("black king"),
    "black_queen": N_("black queen"),
    "black_rook": N_("black rook"),
    "black_bishop": N_("black bishop"),
    "black_knight": N_("black knight"),
    "black_pawn": N_("black pawn"),
}


class Touch(NamedTuple):
    """A board that can be pointed at; `last` are the cells of the move played last, `line` those of the
    line or chain that won, one beside the other; `thrown` is what a die showed last, 0 where none was;
    `alarm` the places of kings in check; `flipped` whether it is seen from the other side; `walls` whether
    walls can be pointed at, too.
    """

    last: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    thrown: int = 0
    alarm: tuple[int, ...] = ()
    flipped: bool = False
    walls: bool = False


def has_sides(board: Board | None) -> bool:
    """Return whether a board lies between two players, each with a side of his own, so that each would see it
    from there: squares with men, pits, points.
    """
    if isinstance(board, NumberBoard):
        return any(spot.look in ("pit", "point") for spot in board.spots)
    return board is not None and material(board) == "m-inlay"


def flipped(board: Board, frame: BoardFrame) -> tuple[Board, Board, BoardFrame]:
    """Return a board seen from its other side, the same with its labels in the order in which they then
    stand, and its frame.
    """
    if isinstance(board, NumberBoard):
        across, down = board.extent
        spots = (
            spot._replace(x=across - spot.x - spot.width, y=down - spot.y - spot.height)
            for spot in board.spots
        )
        turned = replace(board, spots=tuple(spots))
        return turned, turned, bare_frame(turned, frame.height, frame.left, frame.top)
    right, foot = 2 * frame.left + frame.across, 2 * frame.top + frame.down
    names = replace(board, columns=board.columns[::-1], lines=board.lines[::-1])
    return board, names, frame._replace(centres=tuple((right - x, foot - y) for x, y in frame.centres))


def traces(board: Board, frame: BoardFrame, touch: Touch) -> tuple[str, str]:
    """Traces of the last move, and of a king in check: tinted below the pieces where cells have a ground
    of their own, else ringed above them.
    """
    last = [place for place in dict.fromkeys(touch.last) if 0 <= place < board.places]
    alarm = "".join(outline(board, frame, place, 0, class_="d-alarm") for place in touch.alarm)
    made = material(board)
    if isinstance(board, Hexagons) or (isinstance(board, Grid) and made != "m-rack" and not is_heaps(board)):
        inset = 0 if made == "m-inlay" else 0.02  # what seams there are stay
        return "".join(outline(board, frame, place, inset, class_="d-tint") for place in last) + alarm, ""
    if isinstance(board, NumberBoard) or is_heaps(board):
        framed = (
            outline(board, frame, place, 0.06, class_="d-trace", stroke_width=0.035 * frame.height)
            for place in last
        )
        return "", "".join(framed)
    radius, width = (0.43, 0.05) if made == "m-rack" else (0.24, 0.07)
    ringed = (
        circle(*frame.centre(place), radius * frame.height, "d-trace", stroke_width=width * frame.height)
        for place in last
    )
    return "", "".join(ringed)


def targets(board: Board, frame: BoardFrame, touch: Touch) -> str:
    """Every place but walls that nobody may point at, invisible, with its number as `data-cell` and its name
    as `data-name`; `data-free` where nothing stands.
    """
    pointed = [
        outline(
            board,
            frame,
            place,
            0,
            class_="d-touch",
            fill="none",
            pointer_events="all",
            data_cell=place,
            data_name=words_of(board, place),
            data_free="" if is_free(board.piece(place)) else None,
        )
        for place in range(board.places)
        if touch.walls or not is_wall(board, place)
    ]
    return "".join(won(frame, touch.line) + pointed)


def won(frame: BoardFrame, line: tuple[int, ...]) -> list[str]:
    """A stroke through the cells that won, on a broad one of paper, so that it is seen on every piece."""
    if not line:
        return []
    shape = {
        "d": svg.polyline(map(frame.centre, line)),
        "fill": "none",
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }
    return [
        svg.tag("path", class_="d-line-paper", stroke_width=0.18 * frame.height, **shape),
        svg.tag("path", class_="d-line-bad", stroke_width=0.09 * frame.height, **shape),
    ]


def is_wall(board: Board, place: int) -> bool:
    """Return whether a place is a wall."""
    return board.looks.get(board.piece(place)) == "wall"


def words_of(board: Board, place: int) -> str:
    """Return where a place is, and what stands in it."""
    what = piece_name(board, board.piece(place))
    if isinstance(board, NumberBoard):
        return what
    if name := board.name_of(place):
        return _("{cell}: {piece}", cell=name, piece=what)
    row = next(number for number, places in enumerate(board.by_rows) if place in places)
    column = board.by_rows[row].index(place)
    return _("row {row}, column {column}: {piece}", row=row + 1, column=column + 1, piece=what)


def piece_name(board: Board, piece: str) -> str:
    """Return what stands in a cell, in words."""
    return _("free") if is_free(piece) else _(NAMES[board.looks[piece]]) if piece in board.looks else piece


# Moves on a picture: arrows, and badges that say what a move leads to.
#
# Moves cross each other and end in the same cell, so a badge lies anywhere along its arrow where it
# covers no other badge and no arrowhead.

ALONG = (0.45, 0.4, 0.5, 0.35, 0.3, 0.55, 0.25, 0.2, 0.6, 0.15, 0.1, 0.65, 0.05, 0.7)
"""Parts of an arrow where its badge may lie, the best first."""
ROUNDS = 8
"""Number of times that every badge may look for a better place: two arrows that cross are settled in two
rounds, rows of them in a few more.
"""


class Box(NamedTuple):
    """A rectangle around x, y."""

    x: float
    y: float
    width: float
    height: float

    def overlap(self, other: Box) -> float:
        """The area that two boxes share."""
        across = (self.width + other.width) / 2 - abs(self.x - other.x)
        down = (self.height + other.height) / 2 - abs(self.y - other.y)
        return max(0.0, across) * max(0.0, down)


class Arrow(NamedTuple):
    """A move from one cell to another as it is drawn: from x, y by dx, dy."""

    mark: MoveMark
    x: float
    y: float
    dx: float
    dy: float

    def at(self, part: float) -> tuple[float, float]:
        """The point at a part of its length."""
        return self.x + part * self.dx, self.y + part * self.dy


def cell_badges(marks: dict[int, MoveMark], board: Board, frame: BoardFrame) -> str:
    """Badges in cells: in the middle of a free one, at the foot of a piece."""
    longest = max((len(mark.short or mark.text) for mark in marks.values()), default=0)
    widest = frame.width / (svg.BOLD * max(1, longest))  # no wider than the cell
    size = min(max(0.26 * frame.height, readable(frame)), widest)
    drawn = []
    for cell, mark in marks.items():
        x, y = frame.centre(cell)
        foot = 0.0 if is_free(board.piece(cell)) else 0.5 * frame.height - 0.85 * size
        text = mark.short or mark.text
        drawn.append(_moving(mark, badge(mark, text, x, y + foot, size, 0.97 * frame.width)))
    return "".join(drawn)


def arrows(marks: Iterable[MoveMark], board: Board, frame: BoardFrame) -> str:
    """Moves from one place to another, and what they lead to where it is known; a move of several
    steps has its arrow at the last one.
    """
    drawn = [_arrow(mark, board, frame) for mark in marks]
    size = max(0.19 * frame.height, readable(frame))
    valued = [arrow for arrow in drawn if arrow.mark.short]
    badges = [
        _moving(arrow.mark, badge(arrow.mark, arrow.mark.short, box.x, box.y, size))
        for arrow, box in zip(valued, _places(valued, size), strict=True)
    ]
    in_order = sorted(drawn, key=lambda arrow: arrow.mark.best)  # best moves are seen whole
    shapes = (
        _moving(arrow.mark, _way(arrow.mark, frame) + _shape(arrow, frame.height)) for arrow in in_order
    )
    return "".join(shapes) + "".join(badges)


def chips(marks: Iterable[MoveMark], size: float, width: float) -> svg.SvgBlock:
    """Moves in words, each with its badge, in as many columns as fit in `width`."""
    marks = list(marks)
    name_width = max((columns_of(mark.text) for mark in marks), default=0) * svg.BOLD * size
    badge_width = max((_extent(mark.short, size)[0] for mark in marks if mark.short), default=0)
    across, down = name_width + badge_width + 2 * size, 2 * size
    columns = min(len(marks), max(1, int((width + size) // across)))
    drawn = []
    for number_, mark in enumerate(marks):
        x, y = number_ % columns * across, (number_ // columns + 0.5) * down
        name = svg.label(mark.text, x, y, size, "start")
        short_badge = (
            badge(mark, mark.short, x + name_width + 0.4 * size + badge_width / 2, y, size)
            if mark.short
            else ""
        )
        drawn.append(_moving(mark, name + short_badge))
    return svg.SvgBlock(columns * across - size, -(-len(marks) // columns) * down, "".join(drawn))


def badge(mark: MoveMark, text: str, x: float, y: float, size: float, room: float | None = None) -> str:
    """A text on a coloured ground, no wider than `room`; a thick outline says that the move keeps the
    value.
    """
    width, height = _extent(text, size)
    class_ = f"d-{mark.value or 'none'}{' d-best' if mark.best else ''}"
    outline = 0.2 * size if mark.best else 0.08 * size
    width = min(width, room - outline) if room else width
    box = svg.tag(
        "rect",
        class_=class_,
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=height / 2,
        stroke_width=outline,
    )
    return box + svg.label(text, x, y, size, class_="d-value")


def _extent(text: str, size: float) -> tuple[float, float]:
    return max(1.5, svg.BOLD * len(text) + 0.6) * size, 1.5 * size


def _moving(mark: MoveMark, body: str) -> str:
    return svg.tag("g", svg.tag("title", svg.escaped(mark.words)), body, data_move=mark.name)


def _way(mark: MoveMark, frame: BoardFrame) -> str:
    """The steps of a move before its last one."""
    if len(mark.cells) < 3:
        return ""
    way = svg.polyline(map(frame.centre, mark.cells[:-1]))
    return svg.tag("path", class_="d-line-quiet", d=way, stroke_width=0.05 * frame.height)


def _arrow(mark: MoveMark, board: Board, frame: BoardFrame) -> Arrow:
    """From the edge of the piece that goes to the middle of a free cell, or to the edge of what is
    taken.
    """
    (x, y), (to_x, to_y) = frame.centre(mark.cells[-2]), frame.centre(mark.cells[-1])
    length = hypot(to_x - x, to_y - y)
    begin = 0.6 * DISC * frame.height / length
    end = 1 - (-0.04 if is_free(board.piece(mark.cells[-1])) else 0.55 * DISC) * frame.height / length
    return Arrow(
        mark,
        x + begin * (to_x - x),
        y + begin * (to_y - y),
        (end - begin) * (to_x - x),
        (end - begin) * (to_y - y),
    )


def _places(drawn: list[Arrow], size: float) -> list[Box]:
    """Return where the badges lie: each in turn goes to the place along its arrow that covers least of the
    other badges and arrows.
    """
    choices: list[list[tuple[Box, float]]] = []  # places, and how much of the arrows each covers
    for arrow in drawn:
        obstacles = [_head(arrow, size)] + [
            box for other in drawn if other is not arrow for box in _grains(other, size)
        ]
        width, height = _extent(arrow.mark.short, size)
        # with some air around
        places = [Box(*arrow.at(part), width + 0.3 * size, height + 0.3 * size) for part in ALONG]
        choices.append([(place, sum(map(place.overlap, obstacles))) for place in places])
    chosen = [places[0][0] for places in choices]
    for _round in range(ROUNDS):
        for i, places_and_costs in enumerate(choices):
            others = chosen[:i] + chosen[i + 1 :]
            chosen[i] = min(
                places_and_costs, key=lambda choice: choice[1] + sum(map(choice[0].overlap, others))
            )[0]
    return chosen


def _head(arrow: Arrow, size: float) -> Box:
    return Box(*arrow.at(0.92), 0.8 * size, 0.8 * size)


def _grains(arrow: Arrow, size: float) -> list[Box]:
    """An arrow as a row of small boxes and its head."""
    return [Box(*arrow.at(part / 8), 0.4 * size, 0.4 * size) for part in range(8)] + [_head(arrow, size)]


def _shape(arrow: Arrow, size: float) -> str:
    """One outline, so that it stands out from whatever it crosses."""
    length = hypot(arrow.dx, arrow.dy)
    along, aside = (arrow.dx / length, arrow.dy / length), (-arrow.dy / length, arrow.dx / length)
    thin = (0.05 if arrow.mark.best else 0.028) * size
    wide, neck = 0.1 * size, length - 0.2 * size
    outline = ((0, thin), (neck, thin), (neck, wide), (length, 0), (neck, -wide), (neck, -thin), (0, -thin))
    points = (
        (arrow.x + a * along[0] + b * aside[0], arrow.y + a * along[1] + b * aside[1]) for a, b in outline
    )
    class_ = f"d-{arrow.mark.value or 'none'}{' d-best' if arrow.mark.best else ''}"
    return svg.tag(
        "polygon",
        class_=class_,
        points=svg.corners(points),
        stroke_width=(0.03 if arrow.mark.best else 0.02) * size,
        stroke_linejoin="round",
    )


# Mistakes as pictures: each board with the value of every move, and in words what was played.

MISTAKE_WIDTH, MISTAKE_FONT = 300.0, 13.0
"""The width of the words below a board, and their size, in units of the picture."""


def mistakes_svg(found: Sequence[tuple[Mistake, list[MoveMark]]], title: str) -> str:
    """The picture as SVG text: the mistakes one below the other, each with the marks of its moves."""
    blocks = [svg.wrapped_block(title, MISTAKE_WIDTH, MISTAKE_FONT)]
    for mistake, marks in found:
        blocks += position_blocks(mistake.position, marks, 56)
        blocks += [
            svg.wrapped_block(sentence, MISTAKE_WIDTH, MISTAKE_FONT)
            for sentence in mistake_sentences(mistake)
        ]
    description = " ".join(sentence for mistake, _marks in found for sentence in mistake_sentences(mistake))
    return svg.document(svg.stacked(blocks), title, description or title)


def mistake_sentences(mistake: Mistake) -> list[str]:
    """A mistake in sentences."""
    share = "" if mistake.share > 1 - 1e-9 else f" ({percent(mistake.share, '.0f')})"
    return [
        _(
            "Ply {n}, seat {seat}: it plays {move}{share}; {before} before, {after} after.",
            n=len(mistake.moves) + 1,
            seat=mistake.seat + 1,
            move=mistake.played,
            share=share,
            before=in_words(mistake.before),
            after=in_words(mistake.after),
        ),
        _("Right: {moves}.", moves=" ".join(mistake.right)),
        _("What punishes it: {moves}", moves=" ".join(mistake.punished) or _("the game is over")),
    ]
