"""How the notations of positions say what stands on a board: each is read into the rows of the board as
it is drawn, and written from there, whether the position is legal or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from damier.core.board import Board
from damier.core.game import Game
from damier.core.grid import Grid
from damier.core.position import Position, written

FREE, UNUSED = ".", " "
MATCH = "|"

Rows = tuple[str, ...]


class Notation(Protocol):
    """One way to write a position."""

    def read(self, text: str) -> tuple[Rows, str] | None:
        """The rows of the board, and what the notation says beside it, who moves first; None where it is
        not written so.
        """

    def write(self, rows: Rows, rest: str) -> str:
        """The same back."""


@dataclass(frozen=True)
class RowsNotation:
    """`XX./.../... O`: the rows joined by `/`; where they are `compressed`, as in chess, numbers stand for
    free cells.
    """

    compressed: bool

    def read(self, text: str) -> tuple[Rows, str] | None:
        board, _space, rest = text.strip().partition(" ")
        rows = [re.sub("[0-9]{1,2}", lambda found: FREE * int(found[0]), row) for row in board.split("/")]
        return (tuple(rows), rest) if rest else None

    def write(self, rows: Rows, rest: str) -> str:
        if self.compressed:
            rows = tuple(re.sub(r"\.+", lambda found: str(len(found[0])), row) for row in rows)
        return f"{'/'.join(rows)} {rest}"


@dataclass(frozen=True)
class HeapsNotation:
    """`3/4/5 first`: how many matches lie in every heap; `largest` are those of the first position."""

    largest: tuple[int, ...]

    def read(self, text: str) -> tuple[Rows, str] | None:
        heaps, _space, rest = text.strip().partition(" ")
        if not re.fullmatch("[0-9]{1,2}(/[0-9]{1,2})*", heaps) or not rest:
            return None
        return tuple((MATCH * int(n)).ljust(max(self.largest), FREE) for n in heaps.split("/")), rest

    def write(self, rows: Rows, rest: str) -> str:
        counts = (min(row.count(MATCH), most) for row, most in zip(rows, self.largest, strict=True))
        return f"{'/'.join(map(str, counts))} {rest}"


@dataclass(frozen=True)
class SquaresNotation:
    """`B:W18,24,K10:B12,16`: who moves, and the numbers of the squares of each side, `K` before those of
    kings; capitals are kings on the board. `numbers` are those of all cells, "" for one that is not used.
    """

    numbers: tuple[str, ...]
    width: int

    def read(self, text: str) -> tuple[Rows, str] | None:
        found = re.fullmatch("([BW]):([BW])([K0-9,]*):([BW])([K0-9,]*)", text.strip())
        if not found or found[2] == found[4]:
            return None
        cells = [FREE if number else UNUSED for number in self.numbers]
        for colour, squares in ((found[2], found[3]), (found[4], found[5])):
            for king, number in re.findall("(K?)([0-9]+)", squares):
                if number not in self.numbers:
                    return None
                cells[self.numbers.index(number)] = colour if king else colour.lower()
        board = "".join(cells)
        return tuple(board[i : i + self.width] for i in range(0, len(board), self.width)), found[1]

    def write(self, rows: Rows, rest: str) -> str:
        pieces = [(piece, self.numbers[cell]) for cell, piece in enumerate("".join(rows))]
        sides = (
            colour
            + ",".join(
                "K" * (piece == colour) + number for piece, number in pieces if piece.upper() == colour
            )
            for colour in "WB"
        )
        return ":".join((rest, *sides))


def notation_of(game: Game, board: Board) -> Notation | None:
    """The one in which the first position of a game says its board; None where it is none of these."""
    first, rows = written(Position(game, game.start)), tuple(board.rows)
    for kind in _kinds(board):
        found = kind.read(first)
        if found and found[0] == rows and kind.write(*found) == first:
            return kind
    return None


def _kinds(board: Board) -> Iterator[Notation]:
    """Those that a board may have."""
    yield from (RowsNotation(compressed=False), RowsNotation(compressed=True))
    if isinstance(board, Grid):
        yield HeapsNotation(tuple(row.count(MATCH) for row in board.rows))
        if board.numbers:
            yield SquaresNotation(board.numbers, board.width)
