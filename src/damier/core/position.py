"""A position, the object for people: immutable, every move checked.

>>> from damier import load
>>> p = load("hexapawn").position()
>>> p.moves
('a1a2', 'b1b2', 'c1c2')
>>> print(p.play("b1b2"))
3  B B B
2  . W .
1  W . W
   a b c
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from damier.core.errors import BadInput, IllegalMove, Unsuitable
from damier.core.game import Game
from damier.core.past import after, past_of
from damier.core.rules import CHANCE, Field, State
from damier.core.words import message, printable


@dataclass(frozen=True)
class Position:
    """A state of a game, and what can be asked of it; what was asked once is kept."""

    game: Game
    state: State
    before: tuple[State, ...] = field(default=(), compare=False, repr=False)
    # the positions before it that may come back, where a game's past matters
    plies: int = field(default=0, compare=False, repr=False)
    # how many were played before it, as far as is known

    text: ClassVar[Callable[[Position], str]] = lambda position: position.game.show(position.state)
    svg: ClassVar[Callable[[Position], str]] = lambda position: ""
    # how boards are drawn: `draw` puts its own functions here, so that core need not know it

    def __str__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    @cached_property
    def mover(self) -> int:
        """Whose turn it is, from 0."""
        return int(self.game.mover(self.state))

    @cached_property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over(self.state))

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """What the game was worth to each player; None while it goes on."""
        return (
            tuple(int(self.game.payoff(self.state, player)) for player in range(self.game.players))
            if self.over
            else None
        )

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The legal moves in the game's own words and order; none once the game is over."""
        return tuple(self.named_moves)

    @cached_property
    def named_moves(self) -> dict[str, int]:
        """The legal moves by name, each as the game's rules know it: one bit."""
        return {self.game.name_move(self.state, move): move for move in self.game.legal(self.state)}

    @cached_property
    def board(self) -> str:
        """The cells in one text, row by row from the top left, a space for an empty one.

        Raises Unsuitable for a game that is no board of cells.

        >>> from damier import load
        >>> load("tictactoe").position().play("4", "0").board
        'O   X    '
        """
        if self.game.grid is None:
            raise Unsuitable(message("{game} is not played on a board of cells", game=self.game.text))
        return "".join(self.game.grid(self.state).rows).replace(".", " ")

    @property
    def id(self) -> int | list[int] | None:
        """The number that the documents give this position, one per view for pawns; None where they
        give none.
        """
        return self.game.id(self.state) if self.game.id else None

    def play(self, *moves: str) -> Position:
        """The position after some moves. Raises IllegalMove, which says what is legal."""
        position = self
        for move in moves:
            position = position.after(position.read(move))
        return position

    def after(self, move: int) -> Position:
        """The position after a legal move, as the game's rules know it."""
        return Position(self.game, *after(self.game, self.state, move, self.before), self.plies + 1)

    def read(self, text: str) -> int:
        """The legal move that is written `text`. Raises IllegalMove."""
        named = self.named_moves
        if text in named:
            return named[text]
        wanted = text.strip()
        if self.over:
            raise IllegalMove(message("{move}: the game is over, there is nothing left to play", move=wanted))
        alike = [move for name, move in named.items() if name.casefold() == wanted.casefold()]
        if wanted in named:
            return named[wanted]
        if len(alike) == 1:
            return alike[0]
        raise IllegalMove(
            message("{move} is not a legal move here; legal: {moves}", move=wanted, moves=" ".join(named))
        )


def written(position: Position) -> str:
    """A position on one line: in the game's own notation or, where it has none, the rows of the board
    joined by `/` and, after a space, `first` or `second` for who moves.

    >>> from damier import load
    >>> written(load("tictactoe").position().play("4"))
    '.../.X./... O'
    """
    game, s = position.game, position.state
    if game.write_clocks:
        return game.write_clocks(s, len(position.before), position.plies)
    if game.write_position:
        return game.write_position(s)
    mover = position.mover
    who = "chance" if mover == CHANCE else ("first", "second")[mover] if mover < 2 else str(mover + 1)
    return f"{'/'.join(game.show(s).splitlines())} {who}"


def read(game: Game, text: str) -> Position:
    """The position that is written so.

    Raises BadInput, in one sentence, for what is no legal position, and for a game that cannot tell.
    """
    if game.read_position is None:
        raise BadInput(
            message("{game} reads no positions: it gives no read_position; give the moves", game=game.text)
        )
    if not text.strip():
        first = printable(written(start(game)), 100)
        raise BadInput(message("the position is empty; the first one is written {position}", position=first))
    s = game.read_state([*map(as_list, game.read_position(text))])
    if game.read_clocks is None:
        return Position(game, s)
    before, plies = game.read_clocks(text)
    return Position(game, game.with_past(s, past_of(game, before)), before, plies)


def as_list(field: Field) -> int | list[int]:
    return list(field) if isinstance(field, tuple) else field


def start(game: Game) -> Position:
    """The first position of a game."""
    return Position(game, game.start)


def line(game: Game, moves: Iterable[str], begin: str | None = None) -> list[Position]:
    """Every position of a game played through `moves`, the first one included; it begins in the position
    that is written `begin`, by default in the game's first.

    Raises IllegalMove, which says at which ply, and BadInput as `read` does.
    """
    positions = [start(game) if begin is None else read(game, begin)]
    for number, move in enumerate(moves, 1):
        try:
            positions.append(positions[-1].play(move))
        except IllegalMove as error:
            raise IllegalMove(message("move {number}: {error}", number=number, error=error)) from None
    return positions
