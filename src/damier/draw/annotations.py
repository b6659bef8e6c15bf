"""Moves with what is known about them, ready to be drawn: a picture says it in signs and numbers, since
colour alone would be lost on many people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from damier.core.board import Board, Grid
from damier.core.game import Game, Position
from damier.core.moves import move_in_words
from damier.core.rules import CHANCE, State
from damier.core.solution import AnyValue, PayoffValue, Value, payoff_of, word_of
from damier.core.words import _, ngettext

SIGNS: dict[Value, str] = {"win": "+", "draw": "0", "loss": "-"}


MARGIN = 2e-6
"""Payoffs that differ by no more are as good."""


@dataclass(frozen=True)
class MoveMark:
    """One legal move on a picture, and what it leads to for who plays it.

    Attributes:
        move: the move, a set of one
        name: the move in the game's own words
        cells: where it happens: one place for a stone put down, for a piece that goes all that it touches
            from the first to the last; none where nothing shows it
        value: what it leads to, None where that is not known
        distance: plies from before the move to the end, None where that is not known or nothing forces an end
        best: whether it keeps the value of the position
        worth: the payoff that it leads to, of games whose values are payoffs
        written: the move as people write it, where that is not its name
    """

    move: int
    name: str
    cells: tuple[int, ...] = ()
    value: Value | None = None
    distance: int | None = None
    best: bool = False
    worth: PayoffValue | None = None
    written: str = ""

    @property
    def said(self) -> str:
        """The move as a person reads it; what is asked and answered is its name."""
        return self.written or move_in_words(self.name)

    @property
    def short(self) -> str:
        """The value in a few characters, nothing where it is not known.

        >>> MoveMark(1, "a1a2", value="win", distance=3).short, MoveMark(2, "b1b2", value="draw").short
        ('+3', '0')
        """
        if self.worth is not None:
            return str(self.worth)
        if self.value is None:
            return ""
        return SIGNS[self.value] + (
            "" if self.value == "draw" or self.distance is None else str(self.distance)
        )

    @property
    def words(self) -> str:
        """Return the same in a sentence."""
        if self.worth is not None:
            return _("{move} {worth}", move=self.said, worth=self.worth.words)
        if self.value == "win" and self.distance is not None:
            return ngettext(
                "{move} wins in {n} ply", "{move} wins in {n} plies", self.distance, move=self.said
            )
        if self.value == "loss" and self.distance is not None:
            return ngettext(
                "{move} loses in {n} ply", "{move} loses in {n} plies", self.distance, move=self.said
            )
        if self.value == "win":
            return _("{move} wins", move=self.said)
        if self.value == "loss":
            return _("{move} loses", move=self.said)
        return _("{move} draws", move=self.said) if self.value else _("{move} is legal", move=self.said)


def move_marks(
    game: Game, s: State, explained: Mapping[int, tuple[AnyValue, int | None]] | None = None
) -> list[MoveMark]:
    """A mark for every legal move of `s`, in the game's own order; `explained` is what
    `Solution.explain` says of them, as far as it is known.

    >>> from damier import load
    >>> game = load("nim:matches=3")
    >>> [mark.short for mark in move_marks(game, game.start, {1: ("loss", 4), 2: ("win", 2), 4: ("loss", 1)})]
    ['-4', '+2', '-1']
    """
    known = explained or {}
    most = max((payoff_of(value) for value, _distance in known.values()), default=0.0) - MARGIN
    marks = []
    for move in game.legal(s):
        value, distance = known.get(move, (None, None))
        cells = tuple(game.place(s, move)) if game.place else ()
        marks.append(
            MoveMark(
                move,
                game.name_move(s, move),
                cells,
                None if value is None else word_of(value),
                distance,
                value is not None and game.mover(s) != CHANCE and payoff_of(value) >= most,
                value if isinstance(value, PayoffValue) else None,
                game.say_move(s, move),
            )
        )
    return marks


def legend(marks: Iterable[MoveMark] = ()) -> str:
    """Return what the short texts mean."""
    kinds = {mark.worth.kind for mark in marks if mark.worth}
    if kinds:
        return (
            _("n % the chance to win")
            if kinds == {"chance"}
            else _("+n wins by n, 0 draw, -n loses by n")
            if kinds == {"margin"}
            else _("the payoff that a move leads to")
        )
    return _("+n wins in n plies, 0 draw, -n loses in n plies")


def grid_of(position: Position) -> Board | None:
    """The board of a position as data; None where the game gives none, or one without places."""
    board = position.game.grid(position.state) if position.game.grid else None
    return board if board and board.places else None


def is_free(piece: str) -> bool:
    """Return whether a character of a board stands for an empty place."""
    return piece in ". "


def is_heaps(board: Board) -> bool:
    """Return whether a board is rows of matches: there a cell without a match is no place where something
    could be put.
    """
    return isinstance(board, Grid) and "match" in board.looks.values()


def count_in_row(board: Board, row: int) -> int:
    """Return how many places of a row are taken."""
    return sum(not is_free(piece) for piece in board.rows[row])


def alone_in_their_cell(marks: Iterable[MoveMark], board: Board) -> dict[int, MoveMark]:
    """By place, the marks that can be shown in it: those of moves that concern one cell only and
    share it with no other such move.
    """
    in_cells = [mark for mark in marks if len(mark.cells) == 1 and 0 <= mark.cells[0] < board.places]
    sharing = Counter(mark.cells for mark in in_cells)
    return {mark.cells[0]: mark for mark in in_cells if sharing[mark.cells] == 1}
