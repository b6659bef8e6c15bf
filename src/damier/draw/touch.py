"""The places of a board as something that a person can point at: nothing to see, but every place has its
number and its name in words.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.board import Board
from damier.core.grid import Look
from damier.core.number_board import NumberBoard
from damier.core.words import N_, _
from damier.draw.frame import BoardFrame, outline
from damier.draw.marks import is_free
from damier.draw.svg import number, tag

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
