"""Pointing at the places of a board: the move that a place means, the places that a move passes."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from damier.core.board import Board, Grid, NumberBoard
from damier.core.game import Position
from damier.draw.annotations import MoveMark, grid_of, is_free

MOST_COMPARED = 512
"""Moves whose boards are compared with the one before them, at most."""
GONE = 3
"""Places that a move changes at most whose piece goes from one to another, and takes what it jumps over."""


def says_itself(grid: Board, mark: MoveMark) -> bool:
    """A stone put on a free cell, or a place that says itself that it can be pressed."""
    return len(mark.cells) == 1 and (isinstance(grid, NumberBoard) or is_free(grid.piece(mark.cells[0])))


def columns_of_board(board: Board | None) -> int:
    """Return how many places there are in each row, 0 where rows are not of one length or not numbered
    one after the other.
    """
    rows = board.by_rows if board else ()
    length = len(rows[0]) if rows else 0
    numbered = [place for row in rows for place in row] == list(range(length * len(rows)))
    return length if numbered and all(len(row) == length for row in rows) else 0


class Pointing(NamedTuple):
    """taps    by place, the move that it means by itself
    routes  the places of a move one after the other, and the move, where one place does not say it
    """

    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]


def pointing(position: Position, marks: list[MoveMark]) -> Pointing:
    """Return what pointing at the places of a position means; of games that do not tell where a move
    happens too.

    Where moves are named as the columns are, all of a column means its move.
    """
    grid = grid_of(position)
    if grid is None:
        return Pointing({}, [])
    if position.game.place is None:
        found = by_comparison(position, grid, marks)
        return Pointing(in_columns(grid, found.taps), found.routes)
    return Pointing(in_columns(grid, taps(marks)), routes(position, marks))


def taps(marks: list[MoveMark]) -> dict[int, str]:
    """By place, the only move that happens there and nowhere else."""
    alone = [mark for mark in marks if len(mark.cells) == 1]
    shared = Counter(mark.cells for mark in alone)
    return {mark.cells[0]: mark.name for mark in alone if shared[mark.cells] == 1}


def in_columns(grid: Board, found: dict[int, str]) -> dict[int, str]:
    """Return the same, with all cells of a column where each move is called as its column is."""
    if not isinstance(grid, Grid) or not all(
        cell < grid.places and grid.columns[cell % grid.width : cell % grid.width + 1] == (name,)
        for cell, name in found.items()
    ):
        return found
    return {
        row * grid.width + cell % grid.width: name
        for cell, name in found.items()
        for row in range(grid.height)
    }


def by_comparison(position: Position, grid: Board, marks: list[MoveMark]) -> Pointing:
    """Return what places mean in a game that tells of no move where it happens: a place means the move
    that is called as it is, else the moves that change what is there. Where those are several, the
    other places that each changes tell them apart, or else their names.
    """
    names = {mark.name for mark in marks}
    found = {place: name for place in range(grid.places) if (name := grid.name_of(place)) in names}
    meant: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
    for mark in marks if len(marks) <= MOST_COMPARED and not position.game.imperfect_information else ():
        places = changed(grid, grid_of(position.after(mark.move)))
        for place in places:
            if place not in found:
                meant.setdefault(place, []).append((mark.name, places))
    ways: list[tuple[tuple[int, ...], str]] = []
    for place, moves in meant.items():
        if len(moves) == 1:
            found[place] = moves[0][0]
            continue
        ways += [((place,), name) for name, _places in moves]
        if all(1 < len(places) <= GONE for _name, places in moves):
            ways += [((place, other), name) for name, places in moves for other in places if other != place]
    return Pointing(found, ways)


def changed(before: Board, after: Board | None) -> tuple[int, ...]:
    """The places of a board at which another shows something else; none where it is another board."""
    if after is None or type(after) is not type(before) or after.places != before.places:
        return ()
    return tuple(place for place in range(before.places) if before.piece(place) != after.piece(place))


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
