"""A position of draughts in the notation of PDN (Adrian Millett, "Portable Draughts Notation" [MillettPdn]):
who moves, then each side with the numbers of its squares, `K` before those of kings.

    B:W18,24,27,28,K10:B12,16,20
"""

from __future__ import annotations

import re

from damier.core.bits import each, position_of
from damier.core.errors import BadInput
from damier.core.words import message, printable
from damier.games.draughts_board import DarkSquares, DraughtsState

COLOURS = "BW"
LONGEST = 1000
"""The most characters in a position: 40 pieces need 160."""


def written_fen(squares: DarkSquares, s: DraughtsState) -> str:
    """A position."""
    black_moves = s.mover == squares.black
    black, white = (s.mine, s.theirs) if black_moves else (s.theirs, s.mine)
    written = [
        colour
        + ",".join(
            ("K" if piece & s.kings else "") + str(squares.number_of(position_of(piece)))
            for piece in each(pieces)
        )
        for colour, pieces in (("W", white), ("B", black))
    ]
    return ":".join(["B" if black_moves else "W", *written])


def read_fen(squares: DarkSquares, text: str) -> DraughtsState:
    """The position that is written so. Raises BadInput, which says what is wrong and where."""
    parts = text.strip().removesuffix(".").split(":")
    if len(text) > LONGEST or len(parts) != 3 or parts[0] not in tuple(COLOURS):
        raise _not_a_position(text)
    sides = {part[:1]: part[1:] for part in parts[1:]}
    if set(sides) != set(COLOURS):
        raise _not_a_position(text)
    black, black_kings = _read_side(squares, squares.black, sides["B"])
    white, white_kings = _read_side(squares, 1 - squares.black, sides["W"])
    if black & white:
        raise BadInput(
            message("square {n} holds a piece of each colour", n=squares.numbers_of(black & white)[0])
        )
    kings = black_kings | white_kings
    if parts[0] == "B":
        return DraughtsState(black, white, kings, squares.black, 0)
    return DraughtsState(white, black, kings, 1 - squares.black, 0)


def _read_side(squares: DarkSquares, player: int, written: str) -> tuple[int, int]:
    """The pieces of a player, and those of them that are kings."""
    pieces = kings = 0
    for word in written.split(",") if written.strip() else ():
        match = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", word.strip())
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not match or not 1 <= first <= last <= squares.numbers:
            raise BadInput(
                message(
                    "{word} is no square of a position: they are numbered from 1 to {n}, K before a king",
                    word=printable(word.strip(), 20) or "''",
                    n=squares.numbers,
                )
            )
        for number in range(first, last + 1):
            piece = 1 << squares.bit_of(number)
            if pieces & piece:
                raise BadInput(message("square {n} is given twice", n=number))
            pieces |= piece
            kings |= piece if match[1] else 0
    _check_side(squares, player, pieces, kings)
    return pieces, kings


def _check_side(squares: DarkSquares, player: int, pieces: int, kings: int) -> None:
    """No more pieces than at the start, and no man where it would be a king."""
    most = squares.men[player].bit_count()
    if pieces.bit_count() > most:
        raise BadInput(
            message("{n} pieces of one colour; each side starts with {most}", n=pieces.bit_count(), most=most)
        )
    uncrowned = squares.numbers_of(pieces & squares.crown[player] & ~kings)
    if uncrowned:
        raise BadInput(
            message("square {n} holds a man on the far row, which would be a king", n=uncrowned[0])
        )


def _not_a_position(text: str) -> BadInput:
    return BadInput(
        message(
            "{text}: a position of draughts is written like B:W18,24,K10:B12,16, who moves first",
            text=printable(text, 60),
        )
    )
