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

from collections.abc import Iterable, Sequence

from damier.core.errors import BadInput, IllegalMove
from damier.core.game import Game, Position
from damier.core.past import past_of
from damier.core.rules import CHANCE
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
    fields = game.read_position(text)
    s = game.read_state([list(field) if isinstance(field, tuple) else field for field in fields])
    if game.read_clocks is None:
        return Position(game, s)
    before, plies = game.read_clocks(text)
    return Position(game, game.with_past(s, past_of(game, before)), before, plies)


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


# A position as one line of text: the rows of the board joined by `/` and, after a space, a word for
# who moves. The form for games whose field has none of its own.
#
# >>> written_rows(("X.", ".O"), "black")
# 'X./.O black'
# >>> read_rows("X./.O black", 2, 2, ("X", "O"), ("black", "white"))
# ((1, 8), 0)

FREE = "."


def written_rows(rows: Sequence[str], mover: str) -> str:
    """The rows of a board, the top one first, and who moves."""
    return f"{'/'.join(rows)} {mover}"


def read_rows(
    text: str, width: int, height: int, pieces: Sequence[str], movers: Sequence[str]
) -> tuple[tuple[int, ...], int]:
    """For each of `pieces` the set of its cells, numbered row by row from the top left; and the
    number of the mover.

    Raises BadInput, which says what is wrong and in which row.
    """
    words = text.split()
    if len(words) != 2 or words[1] not in movers:
        raise BadInput(
            message(
                "{text}: a position is its rows joined by / and, after a space, who moves: {movers}",
                text=printable(text, 80),
                movers=" | ".join(movers),
            )
        )
    board = read_board(words[0], width, height, (FREE, *pieces))
    sets = tuple(sum(1 << cell for cell, mark in enumerate(board) if mark == piece) for piece in pieces)
    return sets, movers.index(words[1])


def read_board(text: str, width: int, height: int, marks: Sequence[str]) -> str:
    """The cells of a board whose rows are joined by `/`, row by row from the top left; each is one of
    `marks`. Raises BadInput, which says what is wrong and in which row.

    >>> read_board("X./.O", 2, 2, ".XO")
    'X..O'
    """
    rows = text.split("/")
    if len(rows) != height:
        raise BadInput(
            message("a position of {found} rows; this board has {height}", found=len(rows), height=height)
        )
    for number, row in enumerate(rows, 1):
        _check_row(row, number, width, marks)
    return "".join(rows)


def require_alternation(first: int, second: int, mover: int) -> None:
    """Raises BadInput unless as many pieces stand on the board as two players place by turns, one each."""
    if first - second != mover:
        raise BadInput(
            message(
                "pieces of the first player: {first}, of the second: {second}; they place one each, by"
                " turns, so it cannot be the turn of player {mover}",
                first=first,
                second=second,
                mover=mover + 1,
            )
        )


def _check_row(row: str, number: int, width: int, marks: Sequence[str]) -> None:
    if len(row) != width:
        raise BadInput(
            message(
                "row {n} has {found} cells; on this board it has {width}",
                n=number,
                found=len(row),
                width=width,
            )
        )
    for column, mark in enumerate(row, 1):
        if mark not in marks:
            raise BadInput(
                message(
                    "row {n}, column {column}: {mark} is none of {marks}",
                    n=number,
                    column=column,
                    mark=printable(mark),
                    marks=" ".join(marks),
                )
            )
