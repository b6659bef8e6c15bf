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

from collections.abc import Iterable

from damier.core.errors import BadInput, IllegalMove
from damier.core.game import Game, Position
from damier.core.past import past_of
from damier.core.rules import CHANCE, Field
from damier.core.words import message, printable


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


def apart(game: Game, moves: list[str]) -> list[str]:
    """Return moves one by one that are written as one row of digits, as those of Connect Four are
    published, where every first move of a game is called by one digit.

    >>> from damier import load
    >>> apart(load("connect_four"), ["4453"]), apart(load("chess"), ["e2e4"])
    (['4', '4', '5', '3'], ['e2e4'])
    """
    if len(moves) != 1 or len(moves[0]) < 2 or not (moves[0].isascii() and moves[0].isdigit()):
        return moves
    return [*moves[0]] if all(len(name) == 1 for name in start(game).moves) else moves


def line(game: Game, moves: Iterable[str], begin: str | None = None) -> list[Position]:
    """Every position of a game played through `moves`, the first one included; it begins in the position
    that is written `begin`, by default in the game's first.

    Raises IllegalMove, which says at which ply, and BadInput as `read` does.
    """
    positions = [start(game) if begin is None else read(game, begin)]
    for number, move in enumerate(apart(game, [*moves]), 1):
        try:
            positions.append(positions[-1].play(move))
        except IllegalMove as error:
            raise IllegalMove(message("move {number}: {error}", number=number, error=error)) from None
    return positions
