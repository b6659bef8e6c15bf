"""A position that a person sets up, piece by piece or in the game's own notation: accepted where it is
legal, and told why where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from damier.core.board import Board
from damier.core.errors import BadInput, IllegalMove
from damier.core.game import Game
from damier.core.number_board import NumberBoard
from damier.core.points import Points
from damier.core.position import Position, read, written
from damier.web.board.notations import FREE, UNUSED, Notation, notation_of
from damier.web.board.written import is_impossible_shown, moves_to


@dataclass(frozen=True)
class SetUp:
    """A position in the making.

    rows  its board, as it is drawn; rest: what the notation says beside it, who moves first
    """

    game: Game
    notation: Notation
    rows: tuple[str, ...]
    rest: str

    @property
    def text(self) -> str:
        """The notation."""
        return self.notation.write(self.rows, self.rest)

    @property
    def movers(self) -> tuple[str, ...]:
        """How the notation says who moves: as the first position does, and as the next one."""
        first = Position(self.game, self.game.start)
        both = (first, first.play(first.moves[0]))
        found = (self.notation.read(written(position)) for position in both)
        return tuple(dict.fromkeys(made[1].split()[0] for made in found if made))

    @property
    def mover(self) -> str:
        return self.rest.split()[0]

    def put(self, place: int, piece: str) -> SetUp:
        """With a piece on a place, or nothing where that stood there already."""
        board = board_of(self.game)
        if board is None or not 0 <= place < board.places or piece not in pieces(self.game):
            return self
        row = next(number for number, places in enumerate(board.by_rows) if place in places)
        column, line = board.by_rows[row].index(place), self.rows[row]
        if line[column] == UNUSED:
            return self
        line = line[:column] + (FREE if line[column] == piece else piece) + line[column + 1 :]
        rows = (*self.rows[:row], line, *self.rows[row + 1 :])
        return set_up(self.game, replace(self, rows=rows).text) or self

    def moved_by(self, mover: str) -> SetUp:
        """With somebody else to move."""
        return replace(self, rest=" ".join([mover, *self.rest.split()[1:]])) if mover in self.movers else self

    def tidied(self) -> SetUp:
        """With the other to move, or other men in hand, where only that is legal, or where it is wrong for
        another reason: these mostly follow from what stands on the board, and it is the other reason that
        helps.
        """
        why = fault(self.game, self.text)
        if not why:
            return self
        others = [other for other in self.beside() if other != self]
        faults = {other.text: fault(self.game, other.text) for other in others}
        legal = (other for other in others if not faults[other.text])
        return next(legal, next((other for other in others if faults[other.text] != why), self))

    def beside(self) -> Iterator[SetUp]:
        """The same board with whatever else may be said beside it: who moves and, where that is a number,
        how many men are in hand, from the nearest on.
        """
        words = self.rest.split()
        hands = [""]
        if len(words) == 2 and words[1].isdecimal():
            hand, most = int(words[1]), int(set_up_at_first(self.game).rest.split()[1])
            hands = [str(n) for n in sorted(range(most + 1), key=lambda n: abs(n - hand))]
        for hand_said in hands:
            for mover in (self.mover, *(mover for mover in self.movers if mover != self.mover)):
                rest = f"{mover} {hand_said}" if hand_said else self.moved_by(mover).rest
                yield replace(self, rest=rest)

    def board(self) -> Board:
        """As a board, whether it is legal or not; labels are too small to be read there."""
        board = board_of(self.game)
        assert board is not None
        assert not isinstance(board, NumberBoard)  # no notation says it by rows
        if isinstance(board, Points):
            marks = {
                place: piece
                for places, row in zip(board.by_rows, self.rows, strict=True)
                for place, piece in zip(places, row, strict=True)
            }
            shown = "".join(marks[place] for place in range(board.places))
            return replace(board, marks=shown, columns=(), lines=(), caption="")
        columns, lines = ("",) * len(board.columns), ("",) * len(board.lines)
        return replace(board, rows=self.rows, columns=columns, lines=lines, caption="")


def board_of(game: Game) -> Board | None:
    """The board of the first position."""
    return game.grid(game.start) if game.grid else None


def pieces(game: Game) -> tuple[str, ...]:
    """The pieces that can be put on a board."""
    board = board_of(game)
    return tuple(board.looks) if board else ()


def set_up(game: Game, text: str) -> SetUp | None:
    """A position in the making; None where the notation says no board of the game's, or is not written
    as it should be: nothing that somebody typed is mended in silence.
    """
    board = board_of(game)
    notation = notation_of(game, board) if board and not isinstance(board, NumberBoard) else None
    found = notation.read(text) if notation else None
    if notation and found and notation.write(*found) != " ".join(text.split()):
        as_written = legal(game, text)  # perhaps in another order
        found = notation.read(written(as_written)) if as_written else None
    if board is None or notation is None or found is None:
        return None
    if [len(row) for row in found[0]] != [len(row) for row in board.rows]:
        return None
    return SetUp(game, notation, *found)


def set_up_at_first(game: Game) -> SetUp:
    """The first position, of a game that has others in the making."""
    made = set_up(game, written(Position(game, game.start)))
    assert made is not None
    return made


def legal(game: Game, text: str) -> Position | None:
    """The position that is written so, if it is one."""
    try:
        return read(game, text)
    except BadInput:
        return None


def fault(game: Game, text: str) -> str:
    """Why a position is none; nothing where it is legal."""
    try:
        if is_impossible_shown(game) and (found := set_up(game, text)):
            moves_to(game, "".join(found.rows))
        read(game, text)
    except (BadInput, IllegalMove) as error:
        return str(error)
    return ""
