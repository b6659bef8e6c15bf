"""A position as a picture: the board, the moves with what they lead to, and the same in words for
those who do not see it.

>>> from damier import load
>>> picture = board_svg(load("tictactoe").position())
>>> picture.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 216 216"')
True
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from damier.core.board import Board, Grid, Hexagons, Look, NumberBoard
from damier.core.position import Position
from damier.core.rules import CHANCE
from damier.core.words import N_, _, printable
from damier.draw.annotations import (
    MoveMark,
    alone_in_their_cell,
    count_in_row,
    grid_of,
    is_free,
    is_heaps,
    legend,
)
from damier.draw.background import ground, label_room, labels
from damier.draw.badges import arrows, cell_badges, chips
from damier.draw.frame import BoardFrame, frame_of, outline, rim_of
from damier.draw.pieces import pieces
from damier.draw.svg import CHARACTER, SvgBlock, document, label, number, stacked, tag
from damier.draw.text import columns_of, own_lines

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
    return document(stacked(blocks), title_of(position), description_of(position, grid_of(position), marks))


def grid_svg(grid: Board, title: str, touch: Touch, size: float = 64) -> str:
    """A board alone, whether a game can come to it or not, as SVG text."""
    rows = [_row_in_words(grid, row) for row in range(len(grid.rows))]
    return document(board_block(grid, (), size, touch), title, "\n".join(rows))


def thumbnail_svg(position: Position, size: float = 64) -> str:
    """The board as a small picture, without the names of its columns and rows, which could not be read
    there, and without its caption; words only where there is no board, or all that it shows are numbers.
    """
    grid = grid_of(position)
    if grid is None:
        return board_svg(position, size=size)
    if isinstance(grid, NumberBoard) and not any(spot.pieces for spot in grid.spots):
        block = lines_block(own_lines(position), 0.3 * size)
    else:
        block = board_block(unlabelled(grid), size=size)
    return document(block, title_of(position), description_of(position, grid, ()))


def unlabelled(grid: Board) -> Board:
    """The same board, its columns, rows and cells named by nothing."""
    if isinstance(grid, NumberBoard):
        return replace(grid, spots=tuple(spot._replace(number=None, label="") for spot in grid.spots))
    bare = replace(grid, columns=("",) * len(grid.columns), lines=("",) * len(grid.lines))
    return replace(bare, numbers=("",) * len(bare.numbers)) if isinstance(bare, Grid) else bare


def position_blocks(
    position: Position, marks: Sequence[MoveMark] = (), size: float = 64, touch: Touch | None = None
) -> list[SvgBlock]:
    """The parts of that picture, one below the other."""
    grid = grid_of(position)
    shown = _shown(marks, grid) if grid else set()
    board = (
        board_block(grid, [mark for mark in marks if mark in shown], size, touch)
        if grid
        else lines_block(own_lines(position), 0.3 * size)
    )
    listed = [] if touch else [mark for mark in marks if mark not in shown]
    room = max(board.width, LIST_WIDTH)
    blocks = [board]
    if grid and grid.caption and not touch:
        blocks.append(wrapped_block(printable(grid.caption), room, 14))
    if listed:
        blocks.append(chips(listed, 13, room))
    if any(mark.value for mark in marks) and not touch:
        blocks.append(
            wrapped_block(_("{legend}; thick outline: keeps the value", legend=legend(marks)), room, 11)
        )
    return blocks


def board_block(
    grid: Board, marks: Sequence[MoveMark] = (), size: float = 64, touch: Touch | None = None
) -> SvgBlock:
    """A board with its labels, and those of `marks` that it can show: as a part of any picture."""
    frame = frame_of(grid, size)
    right, drawn = frame.left + frame.across, labels(grid, frame)
    if isinstance(grid, NumberBoard) and touch and touch.thrown:
        grid = grid.thrown(touch.thrown)
    if is_heaps(grid):
        counts = [f"({count_in_row(grid, row)})" for row in range(len(grid.rows))]
        drawn += "".join(
            label(count, right + 0.5 * frame.font, (row + 0.5) * size, frame.font, "start", "d-quiet")
            for row, count in enumerate(counts)
        )
        right += (0.7 + CHARACTER * max(map(len, counts))) * frame.font
    moving = [mark for mark in marks if len(mark.cells) > 1]
    moves = arrows(moving, grid, frame) + cell_badges(alone_in_their_cell(marks, grid), grid, frame)
    pointed = targets(grid, frame, touch) if touch else ""
    body = ground(grid, frame) + drawn + pieces(grid, frame) + pointed + moves
    rim = rim_of(grid) * size
    below = label_room(frame) if grid.columns and not isinstance(grid, Hexagons) else 0
    return SvgBlock(right + rim, frame.top + frame.down + rim + below, body)


def title_of(position: Position) -> str:
    """The game and whose turn it is, or how it ended."""
    game = position.game
    payoffs = position.payoffs
    if payoffs is None:
        if position.mover == CHANCE:
            return _("{game}: a die is thrown", game=game.text)
        return _("{game}: player {n} to move", game=game.text, n=position.mover + 1)
    if sorted(payoffs) == [-1, 1]:
        return _("{game}: player {n} has won", game=game.text, n=payoffs.index(1) + 1)
    if not any(payoffs):
        return _("{game}: drawn", game=game.text)
    return _("{game}: over, payoffs {payoffs}", game=game.text, payoffs=" ".join(map(str, payoffs)))


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
    """What stands in a row from left to right, equal neighbours counted together."""
    names = [piece_name(grid, grid.piece(place)) for place in grid.by_rows[row]]
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return ", ".join(name if count == 1 else _("{n} × {piece}", n=count, piece=name) for name, count in runs)


def _shown(marks: Sequence[MoveMark], grid: Board) -> set[MoveMark]:
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


def lines_block(lines: Sequence[str], font: float) -> SvgBlock:
    """A board that is only text."""
    drawn = [
        label(line, 0, (number + 0.7) * 1.4 * font, font, "start", "d-mono")
        for number, line in enumerate(lines)
    ]
    width = max(map(columns_of, lines), default=0) * CHARACTER * font
    return SvgBlock(max(width, font), max(1, len(lines)) * 1.4 * font, "".join(drawn))


def wrapped_block(text: str, room: float, font: float) -> SvgBlock:
    """Words below a board, in lines that fit in `room`."""
    lines = textwrap.wrap(text, int(room / (CHARACTER * font)), break_on_hyphens=False)
    width = max(len(line) for line in lines) * CHARACTER * font
    drawn = [
        label(line, width / 2, (number + 0.5) * 1.4 * font, font, class_="d-quiet")
        for number, line in enumerate(lines)
    ]
    return SvgBlock(width, len(lines) * 1.4 * font, "".join(drawn))


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
    line or chain that won, one beside the other; `thrown` is what a die showed last, 0 where none was.
    """

    last: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    thrown: int = 0


def targets(board: Board, frame: BoardFrame, touch: Touch) -> str:
    """Every place but walls, invisible, with its number as `data-cell` and its name as `data-name`;
    the last move is framed.
    """
    framed = [
        outline(board, frame, place, 0.06, class_="d-line-ring", stroke_width=0.035 * frame.height)
        for place in dict.fromkeys(touch.last)
        if 0 <= place < board.places
    ]
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
        )
        for place in range(board.places)
        if not is_wall(board, place)
    ]
    return "".join(framed + won(frame, touch.line) + pointed)


def won(frame: BoardFrame, line: tuple[int, ...]) -> list[str]:
    """A stroke through the cells that won, on a broad one of paper, so that it is seen on every piece."""
    if not line:
        return []
    points = (" ".join(map(number, frame.centre(place))) for place in line)
    shape = {
        "d": f"M{'L'.join(points)}",
        "fill": "none",
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }
    return [
        tag("path", class_="d-line-paper", stroke_width=0.18 * frame.height, **shape),
        tag("path", class_="d-line-bad", stroke_width=0.09 * frame.height, **shape),
    ]


def is_wall(board: Board, place: int) -> bool:
    """Whether nothing can ever happen in a place."""
    return board.looks.get(board.piece(place)) == "wall"


def words_of(board: Board, place: int) -> str:
    """Where a place is, and what stands in it."""
    what = piece_name(board, board.piece(place))
    if isinstance(board, NumberBoard):
        return what
    if name := board.name_of(place):
        return _("{cell}: {piece}", cell=name, piece=what)
    row = next(number for number, places in enumerate(board.by_rows) if place in places)
    column = board.by_rows[row].index(place)
    return _("row {row}, column {column}: {piece}", row=row + 1, column=column + 1, piece=what)


def piece_name(board: Board, piece: str) -> str:
    """What stands in a cell, in words."""
    return _("free") if is_free(piece) else _(NAMES[board.looks[piece]]) if piece in board.looks else piece
