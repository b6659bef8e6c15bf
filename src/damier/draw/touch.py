"""The cells of a board as places that a person can point at: nothing to see, but every cell has its
number and its name in words.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.grid import Grid, Look
from damier.core.words import N_, _
from damier.draw.marks import is_free
from damier.draw.pieces import CellFrame
from damier.draw.svg import tag

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
    """A board that can be pointed at; `last` are the cells of the move played last."""

    last: tuple[int, ...] = ()


def targets(grid: Grid, frame: CellFrame, touch: Touch) -> str:
    """Every cell but walls, invisible, with its number as `data-cell` and its name as `data-name`;
    the last move is framed.
    """
    cells = range(grid.width * grid.height)
    framed = [
        _cell(frame, cell, 0.06, class_="d-line-ring", stroke_width=0.035 * frame.height)
        for cell in dict.fromkeys(touch.last)
        if cell in cells
    ]
    pointed = [
        _cell(
            frame,
            cell,
            0,
            class_="d-touch",
            fill="none",
            pointer_events="all",
            data_cell=cell,
            data_name=words_of(grid, cell),
        )
        for cell in cells
        if not is_wall(grid, cell)
    ]
    return "".join(framed + pointed)


def is_wall(grid: Grid, cell: int) -> bool:
    """Whether nothing can ever happen in a cell."""
    return grid.looks.get(grid.piece(cell)) == "wall"


def words_of(grid: Grid, cell: int) -> str:
    """Where a cell is, and what stands in it."""
    row, column = divmod(cell, grid.width)
    number = grid.numbers[cell] if grid.numbers else ""
    what = piece_name(grid, grid.piece(cell))
    if number:
        return _("{cell}: {piece}", cell=number, piece=what)
    if row < len(grid.lines) and column < len(grid.columns):
        return _("{cell}: {piece}", cell=grid.columns[column] + grid.lines[row], piece=what)
    return _("row {row}, column {column}: {piece}", row=row + 1, column=column + 1, piece=what)


def piece_name(grid: Grid, piece: str) -> str:
    """What stands in a cell, in words."""
    return _("free") if is_free(piece) else _(NAMES[grid.looks[piece]]) if piece in grid.looks else piece


def _cell(frame: CellFrame, cell: int, inset: float, **attributes: object) -> str:
    x, y = frame.corner(cell)
    dx, dy = inset * frame.width, inset * frame.height
    return tag(
        "rect", x=x + dx, y=y + dy, width=frame.width - 2 * dx, height=frame.height - 2 * dy, **attributes
    )
