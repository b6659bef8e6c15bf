"""A position of draughts in the notation of PDN (Adrian Millett, "Portable Draughts Notation" [MillettPdn]):
who moves, then each side with the numbers of its squares, `K` before those of kings.

    B:W18,24,27,28,K10:B12,16,20
"""

from __future__ import annotations

import re

from damier.core.bits import each, position_of
from damier.core.errors import BadInput
from damier.core.words import _, printable
from damier.games.draughts_board import DarkSquares, DraughtsState

COLOURS = "BW"
LONGEST = 1000
"""The most characters in a position: 40 pieces need 160."""


def written_fen(squares: DarkSquares, s: DraughtsState, black: int) -> str:
    """A position; `black` is the number of the player who has the black pieces."""
    as_black = s if s.mover == black else _turned(squares, s)
    sides = {"B": as_black.mine, "W": as_black.theirs}
    written = [
        colour
        + ",".join(
            ("K" if piece & as_black.kings else "") + str(squares.number_of(position_of(piece)))
            for piece in each(sides[colour])
        )
        for colour in "WB"
    ]
    return ":".join(["B" if s.mover == black else "W", *written])


def read_fen(squares: DarkSquares, text: str, black: int) -> DraughtsState:
    """The position that is written so. Raises BadInput, which says what is wrong and where."""
    parts = text.strip().removesuffix(".").split(":")
    if len(text) > LONGEST or len(parts) != 3 or parts[0] not in tuple(COLOURS):
        raise _not_a_position(text)
    sides = {part[:1]: part[1:] for part in parts[1:]}
    if set(sides) != set(COLOURS):
        raise _not_a_position(text)
    pieces, kings = {}, 0
    for colour, written in sides.items():
        pieces[colour], crowned = _read_side(squares, colour, written)
        kings |= crowned
    both = pieces["B"] & pieces["W"]
    if both:
        raise BadInput(_("square {n} holds a piece of each colour", n=squares.numbers_of(both)[0]))
    s = DraughtsState(pieces["B"], pieces["W"], kings, black)
    return s if parts[0] == "B" else _turned(squares, s)


def _read_side(squares: DarkSquares, colour: str, written: str) -> tuple[int, int]:
    """The pieces of a colour, and those of them that are kings, as Black sees the board."""
    pieces = kings = 0
    for word in filter(None, written.split(",")):
        match = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", word.strip())
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not match or not 1 <= first <= last <= squares.numbers:
            raise BadInput(
                _(
                    "{word} is no square of a position: they are numbered from 1 to {n}, K before a king",
                    word=printable(word, 20),
                    n=squares.numbers,
                )
            )
        for number in range(first, last + 1):
            piece = 1 << squares.bit_of(number)
            if pieces & piece:
                raise BadInput(_("square {n} is given twice", n=number))
            pieces |= piece
            kings |= piece if match[1] else 0
    _check_side(squares, colour, pieces, kings)
    return pieces, kings


def _check_side(squares: DarkSquares, colour: str, pieces: int, kings: int) -> None:
    """No more pieces than at the start, and no man where it would be a king."""
    most = squares.men.bit_count()
    if pieces.bit_count() > most:
        raise BadInput(
            _("{n} pieces of one colour; each side starts with {most}", n=pieces.bit_count(), most=most)
        )
    far = squares.crown if colour == "B" else squares.turned(squares.crown)
    uncrowned = pieces & far & ~kings
    if uncrowned:
        raise BadInput(
            _("square {n} holds a man on the far row, which would be a king", n=_first(squares, uncrowned))
        )


def _first(squares: DarkSquares, pieces: int) -> int:
    return squares.numbers_of(pieces)[0]


def _turned(squares: DarkSquares, s: DraughtsState) -> DraughtsState:
    """The same board as the other player sees it, who is then to move."""
    mine, theirs, kings = (squares.turned(pieces) for pieces in s[:3])
    return DraughtsState(theirs, mine, kings, 1 - s.mover)


def _not_a_position(text: str) -> BadInput:
    return BadInput(
        _(
            "{text}: a position of draughts is written like B:W18,24,K10:B12,16, who moves first",
            text=printable(text, 60),
        )
    )
