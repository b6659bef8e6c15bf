"""A position as one line of text: the rows of the board joined by `/` and, after a space, a word for
who moves. The form for games whose field has none of its own.

>>> written_rows(("X.", ".O"), "black")
'X./.O black'
>>> read_rows("X./.O black", 2, 2, ("X", "O"), ("black", "white"))
((1, 8), 0)
"""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.errors import BadInput
from damier.core.words import message, printable

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
