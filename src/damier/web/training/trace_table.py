"""The table of one agent of a training room (row A-23): a row a position with its board, a column a move,
values as colour and number, what is exactly true on demand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import NamedTuple

from damier.core.board import Grid
from damier.core.game import Game
from damier.core.moves import move_number
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import language
from damier.draw.annotations import grid_of
from damier.draw.board import board_block, board_svg, description_of, title_of, unlabelled
from damier.draw.svg import document
from damier.draw.text import position_name
from damier.learn.action_values import Memory, Row
from damier.learn.episode_trace import WatchedEpisode
from damier.learn.player import AnyParameters
from damier.web import pages
from damier.web.learning.table import Exact, ExactAnswers, in_words, sign
from damier.web.training.words import exact_number, hue_of, short_number

MOST_ROWS = 60
CELL, MARGIN = 14, 2
"""Of the small boards: the size of a cell, and what is around them."""
KEPT_BOARDS = 4_000
_boards: dict[tuple[str, str, State], str] = {}


class TableCell(NamedTuple):
    """A move: its place in the table, what is known of it, and what is exactly true."""

    key: str
    move: str
    text: str
    exactly: str
    hue: str
    true: str
    true_in_words: str


@dataclass(frozen=True)
class TableRow:
    """A position; `is_new` where this game has come to it for the first time."""

    key: str
    board: str
    name: str
    visits: int
    is_new: bool
    cells: dict[int, TableCell]


@dataclass(frozen=True)
class SeatTable:
    """What the agent at a seat, from 0, knows before it learns from a game, in rows of which those of
    the game are always shown.

    known  how many rows it had before the game
    """

    seat: int
    algorithm: str
    parameters: AnyParameters  # the dataclass of its algorithm
    memory: Memory
    known: int

    @property
    def scale(self) -> float:
        """The largest value that there can be, or about."""
        if self.algorithm == "beads":
            return 1.0
        return max(abs(self.parameters.win), abs(self.parameters.loss)) or 1.0

    def text_of(self, value: float) -> str:
        return str(int(value)) if self.algorithm == "beads" else short_number(value)

    def hue(self, value: float, total: float = 0.0) -> str:
        """The colour of a value; of beads, by their share of the box."""
        return (
            hue_of(value / total if total else 0.0, 1.0)
            if self.algorithm == "beads"
            else hue_of(value, self.scale)
        )


def table_part(table: SeatTable, episode: WatchedEpisode, exact: ExactAnswers) -> str:
    """The table as a part of the page."""
    rows = by_names(rows_of(table, episode, exact))
    columns = headings(rows)
    return pages.part(
        "training_table.html",
        rows=rows,
        columns=columns,
        known=len(table.memory),
        is_exact=exact.truth is not None,
        kind=table.algorithm,
        numbered=exact.game.id is not None,
    )


def rows_of(table: SeatTable, episode: WatchedEpisode, exact: ExactAnswers) -> list[TableRow]:
    """The rows that are shown, as they were before they were learnt from."""
    memory, met = table.memory, {d.row for d in episode.decisions if d.player == table.seat and d.row >= 0}
    before: dict[int, float] = {}
    for update in episode.updates:
        if update.player == table.seat:
            before.setdefault(update.entry, update.before)
    _codes, first, _moves, _values, _counts = memory.columns()
    found = []
    for number, row in memory.selected(shown(memory, met)):
        found.append(row_of(table, exact, number, row, first[number], before))
    return found


def shown(memory: Memory, met: set[int]) -> list[int]:
    """The numbers of the rows that are shown: all of a small table, else those of the game and those
    learnt from most often.
    """
    if len(memory) <= MOST_ROWS:
        return list(range(len(memory)))
    visits = memory.visits()
    often = nlargest(
        MOST_ROWS - len(met), (n for n in range(len(memory)) if n not in met), key=visits.__getitem__
    )
    return sorted({*met, *often})


def row_of(
    table: SeatTable, exact: ExactAnswers, number: int, row: Row, first: int, before: dict[int, float]
) -> TableRow:
    game, beads = exact.game, table.algorithm == "beads"
    values = [
        before.get(first + place, float(row.counts[place]) if beads else row.values[place])
        for place in range(len(row.values))
    ]
    total = sum(values)
    shown = [
        (
            f"{table.seat + 1}-{number}-{first + place}",
            move,
            table.text_of(value),
            exact_number(value),
            table.hue(value, total),
        )
        for place, (move, value) in enumerate(zip(row.moves, values, strict=True))
    ]
    return TableRow(
        f"{table.seat + 1}-{number}",
        small_board(game, row.state),
        position_name(game, row.state),
        sum(row.counts),
        number >= table.known,
        cells_of(game, row.state, shown, exact.of(table.algorithm, row)),
    )


def cells_of(
    game: Game, s: State, shown: Sequence[tuple[str, int, str, str, str]], exact: Sequence[Exact]
) -> dict[int, TableCell]:
    """The cells of a row, by their columns: key, move, text, all digits and colour of each, and what is
    exactly true of it.
    """
    return {
        column_of(game, move): TableCell(
            key, game.name_move(s, move) if move else "", text, exactly, hue, sign(true), in_words(true)
        )
        for (key, move, text, exactly, hue), true in zip(shown, exact, strict=True)
    }


def column_of(game: Game, move: int) -> int:
    """The column of a move; -1 of an afterstate, which has none."""
    if not move:
        return -1
    return move_number(move) if game.moves_are_bits else move


def by_names(rows: Sequence[TableRow]) -> list[TableRow]:
    """The same rows with one column for all moves of one name, where that takes fewer and no position has
    two of them: in Connect Four each height of a column is another move.
    """
    names = {
        column: {row.cells[column].move for row in rows if column in row.cells}
        for column in sorted({column for row in rows for column in row.cells})
    }
    places: dict[str, int] = {}
    for column, found in names.items():
        for name in found:
            places.setdefault(name, column)
    two = any(len({cell.move for cell in row.cells.values()}) < len(row.cells) for row in rows)
    if two or len(places) >= len(names):
        return list(rows)
    return [replace(row, cells={places[cell.move]: cell for cell in row.cells.values()}) for row in rows]


def headings(rows: Sequence[TableRow]) -> dict[int, str]:
    """The head of every column: the names of the moves, if each has one name in all rows; else their
    numbers.
    """
    columns = sorted({column for row in rows for column in row.cells})
    names = {column: {row.cells[column].move for row in rows if column in row.cells} for column in columns}
    alike = all(len(found) == 1 for found in names.values())
    return {
        column: "V" if column < 0 else names[column].pop() if alike else str(column) for column in columns
    }


def small_board(game: Game, s: State) -> str:
    """A position as a small picture without labels, drawn once."""
    known_as = (language(), game.text, s)
    if known_as not in _boards:
        if len(_boards) >= KEPT_BOARDS:
            _boards.clear()
        position = Position(game, s)
        grid = grid_of(position)
        if isinstance(grid, Grid):
            block = board_block(unlabelled(grid), size=CELL)
            drawn = document(block, title_of(position), description_of(position, grid, ()), MARGIN)
        else:
            drawn = board_svg(position, size=CELL)
        _boards[known_as] = str(pages.picture(drawn))
    return _boards[known_as]
