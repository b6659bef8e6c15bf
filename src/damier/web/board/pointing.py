"""What pointing at the places of a board means: the move of a place, the places that a move passes."""

from __future__ import annotations

from collections import Counter

from damier.core.board import Board
from damier.core.grid import Grid
from damier.core.number_board import NumberBoard
from damier.core.position import Position
from damier.draw.marks import MoveMark, grid_of, is_free


def is_plain(grid: Board, mark: MoveMark) -> bool:
    """A stone put on a free cell, or a place that says itself that it can be pressed."""
    return len(mark.cells) == 1 and (isinstance(grid, NumberBoard) or is_free(grid.piece(mark.cells[0])))


def columns_of_board(board: Board | None) -> int:
    """How many places there are in each row, 0 where rows are not of one length or not numbered one
    after the other.
    """
    rows = board.by_rows if board else ()
    length = len(rows[0]) if rows else 0
    numbered = [place for row in rows for place in row] == list(range(length * len(rows)))
    return length if numbered and all(len(row) == length for row in rows) else 0


def taps(position: Position, marks: list[MoveMark]) -> dict[int, str]:
    """By cell, the move that it means by itself.

    Where moves are named as the columns are, all of a column means its move; where a game says of no
    move where it happens, a cell means the move that is called as it is.
    """
    grid = grid_of(position)
    if grid is None:
        return {}
    if position.game.place is None:
        names = {mark.name for mark in marks}
        return {cell: name for cell in range(grid.places) if (name := grid.name_of(cell)) in names}
    alone = [mark for mark in marks if len(mark.cells) == 1]
    found = {
        mark.cells[0]: mark.name for mark in alone if sum(other.cells == mark.cells for other in alone) == 1
    }
    if isinstance(grid, Grid) and all(
        cell < grid.places and grid.columns[cell % grid.width : cell % grid.width + 1] == (name,)
        for cell, name in found.items()
    ):
        return {
            row * grid.width + cell % grid.width: name
            for cell, name in found.items()
            for row in range(grid.height)
        }
    return found


def routes(position: Position, marks: list[MoveMark]) -> list[tuple[tuple[int, ...], str]]:
    """The places that moves pass, one after the other: where a move has several, or shares its only
    one with others. There may be many ways to one move.
    """
    game, s = position.game, position.state
    if game.ways:
        named = position.named_moves
        return [(way, mark.name) for mark in marks for way in game.ways(s, named[mark.name])]
    shared = Counter(mark.cells for mark in marks)
    return [
        (mark.cells, mark.name)
        for mark in marks
        if len(mark.cells) > 1 or (mark.cells and shared[mark.cells] > 1)
    ]
