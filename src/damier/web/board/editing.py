"""A position that a person sets up, piece by piece or in the game's own notation: accepted where it is
legal, and told why where it is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from damier.core.errors import BadInput, IllegalMove
from damier.core.game import Game
from damier.core.grid import Grid
from damier.core.position import Position, read, written
from damier.web.board.written import is_impossible_shown, moves_to

FREE = "."


@dataclass(frozen=True)
class SetUp:
    """The notation of a position in the making.

    rows  its board, where the notation writes it row by row; rest: what follows
    """

    game: Game
    rows: tuple[str, ...]
    rest: str
    compressed: bool

    @property
    def text(self) -> str:
        """The notation."""
        rows = self.rows
        if self.compressed:
            rows = tuple(re.sub(r"\.+", lambda found: str(len(found[0])), row) for row in rows)
        return f"{'/'.join(rows)} {self.rest}".strip()

    @property
    def movers(self) -> tuple[str, ...]:
        """How the notation says who moves: as the first position does, and as the next one."""
        first = Position(self.game, self.game.start)
        both = (first, first.play(first.moves[0]))
        return tuple(dict.fromkeys(written(position).split()[1] for position in both))

    @property
    def mover(self) -> str:
        return self.rest.split()[0]

    def put(self, cell: int, piece: str) -> SetUp:
        """With a piece in a cell, or nothing where that stood there already."""
        width = len(self.rows[0])
        row, column = divmod(cell, width)
        if not 0 <= row < len(self.rows) or piece not in pieces(self.game):
            return self
        old = self.rows[row]
        new = FREE if old[column] == piece else piece
        line = old[:column] + new + old[column + 1 :]
        return replace(self, rows=(*self.rows[:row], line, *self.rows[row + 1 :]))

    def moved_by(self, mover: str) -> SetUp:
        """With somebody else to move."""
        return replace(self, rest=" ".join([mover, *self.rest.split()[1:]])) if mover in self.movers else self

    def tidied(self) -> SetUp:
        """With the other to move where only that is legal, or where it is wrong for another reason: who
        moves mostly follows from the stones, and it is the other reason that helps.
        """
        why = fault(self.game, self.text)
        if not why:
            return self
        others = [self.moved_by(mover) for mover in self.movers if mover != self.mover]
        faults = {other.text: fault(self.game, other.text) for other in others}
        legal = (other for other in others if not faults[other.text])
        return next(legal, next((other for other in others if faults[other.text] != why), self))

    def board(self, grid: Grid) -> Grid:
        """As a board, whether it is legal or not."""
        columns, lines = ("",) * len(grid.columns), ("",) * len(grid.lines)  # too small to be read there
        return replace(grid, rows=self.rows, caption="", columns=columns, lines=lines)


def pieces(game: Game) -> tuple[str, ...]:
    """The pieces that can be put on a board."""
    grid = game.grid(game.start) if game.grid else None
    return tuple(grid.looks) if isinstance(grid, Grid) else ()


def set_up(game: Game, text: str) -> SetUp | None:
    """A position in the making; None where the notation is not the rows of a board."""
    grid = game.grid(game.start) if game.grid else None
    first = parsed(game, written(Position(game, game.start)))
    if not isinstance(grid, Grid) or first is None or first.rows != tuple(grid.rows):
        return None
    found = parsed(game, text)
    if found is None or [len(row) for row in found.rows] != [len(row) for row in grid.rows]:
        return None
    return found


def parsed(game: Game, text: str) -> SetUp | None:
    """The rows of a notation and what follows them; numbers stand for free cells, as in chess."""
    board, _space, rest = text.strip().partition(" ")
    rows = [re.sub("[0-9]{1,2}", lambda found: FREE * int(found[0]), row) for row in board.split("/")]
    return SetUp(game, tuple(rows), rest, any(mark.isdigit() for mark in board)) if rest else None


def fault(game: Game, text: str) -> str:
    """Why a position is none; nothing where it is legal."""
    try:
        if is_impossible_shown(game) and (found := set_up(game, text)):
            moves_to(game, "".join(found.rows))
        read(game, text)
    except (BadInput, IllegalMove) as error:
        return str(error)
    return ""
