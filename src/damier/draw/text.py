"""A position as text, for a terminal of any width of board: the values of moves stand in the free
cells where there is room for them, else in a list below.

>>> from damier import load
>>> print(board_text(load("hexapawn").position().play("b1b2")))
3  B B B
2  . W .
1  W . W
   a b c
"""

from __future__ import annotations

from collections.abc import Iterable

from damier.core.number_board import NumberBoard
from damier.core.position import Position
from damier.core.words import _, printable
from damier.draw.marks import MoveMark, alone_in_their_cell, grid_of, is_free, legend
from damier.draw.rows import board_lines, padded
from damier.draw.rows import columns_of as columns_of

LINE = 78
"""The most characters in a line of the list of moves."""


def board_text(position: Position, marks: Iterable[MoveMark] | None = None) -> str:
    """The board, and the moves of `marks` with what they lead to: `*` follows those that keep the
    value.
    """
    marks = list(marks or ())
    grid = grid_of(position)
    in_cells: dict[int, MoveMark] = {}
    if grid and not isinstance(grid, NumberBoard):
        in_cells = {
            cell: mark for cell, mark in alone_in_their_cell(marks, grid).items() if is_free(grid.piece(cell))
        }
        board = board_lines(
            grid, {cell: _starred(mark, mark.short or mark.name) for cell, mark in in_cells.items()}
        )
    else:
        board = own_lines(position)
    shown = set(in_cells.values())
    listed = _in_columns(
        [_starred(mark, f"{mark.name} {mark.short}".strip()) for mark in marks if mark not in shown]
    )
    explanation = (
        [_("{legend}; * keeps the value", legend=legend(marks))] if any(mark.value for mark in marks) else []
    )
    paragraphs = ["\n".join(lines) for lines in (board, listed + explanation) if lines]
    return "\n\n".join(paragraphs)


def own_lines(position: Position) -> list[str]:
    """The board as its game writes it, safe to show."""
    return [printable(line, LINE * 10) for line in position.game.show(position.state).splitlines()]


def _starred(mark: MoveMark, text: str) -> str:
    return printable(text) + ("*" if mark.best else "")


def _in_columns(entries: list[str]) -> list[str]:
    """The entries side by side, one below the other, in as many columns as fit."""
    width = max((columns_of(entry) for entry in entries), default=0)
    across = max(1, (LINE + 3) // (width + 3))
    rows = [entries[i : i + across] for i in range(0, len(entries), across)]
    return ["   ".join(padded(entry, width) for entry in row).rstrip() for row in rows]
