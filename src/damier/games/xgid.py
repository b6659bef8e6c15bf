"""XGID, in which positions of backgammon are written: that of the program eXtreme Gammon.

    XGID=a---…---A:0:0:1:65:0:0:0:0:10

The 26 places are the bar of the second player, the points 1 to 24 as the first player counts them, and
his bar: `A` one checker of the first player, `B` two …, `a` one of the second …, `-` none. Then, between
colons, the doubling cube (0:0, in the middle), whose turn it is (1 the first player, -1 the second), the
dice (00 before they are thrown), and the score of a match: 0:0:0:0:10 where a game is not part of one.

>>> written_xgid((24, 23), (25,), 1, 6, 5)
'XGID=a----------------------AA-:0:0:-1:65:0:0:0:0:10'
>>> read_xgid(written_xgid((24, 23), (25,), 1, 6, 5))
Xgid(first=(24, 23), second=(25,), mover=1, high=6, low=5)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.words import message, printable

PLACES = 26
BAR = PLACES - 1
LETTERS = "ABCDEFGHIJKLMNO"
"""One to fifteen checkers of the first player."""
TURNS = ("1", "-1")
CUBE, MATCH = "0:0", "0:0:0:0:10"
NOTATION = re.compile(f"XGID=([-A-Oa-o]{{{PLACES}}}):{CUBE}:(1|-1):(00|[1-6][1-6]):{MATCH}")


class Xgid(NamedTuple):
    """What an XGID says; every player's points are counted from 24 down to 1, as he goes, and 25 is his
    bar.
    """

    first: tuple[int, ...]  # where the checkers of the first player stand, the hindmost first
    second: tuple[int, ...]
    mover: int
    high: int  # the dice, the larger first; 0 before they are thrown
    low: int


def written_xgid(first: Sequence[int], second: Sequence[int], mover: int, high: int, low: int) -> str:
    """A position with checkers at these places; those that are off are left out."""
    places = []
    for place in range(PLACES):
        mine, theirs = first.count(place), second.count(BAR - place)
        places.append(LETTERS[mine - 1] if mine else LETTERS[theirs - 1].lower() if theirs else "-")
    return f"XGID={''.join(places)}:{CUBE}:{TURNS[mover]}:{high}{low}:{MATCH}"


def read_xgid(text: str) -> Xgid:
    """What is written so. Raises BadInput."""
    found = NOTATION.fullmatch(text.strip())
    if found is None:
        raise BadInput(
            message(
                "{text}: a position is an XGID without cube and match: {example}",
                text=printable(text, 80),
                example=written_xgid((24, 23, 22), (24, 23, 22), 0, 0, 0),
            )
        )
    sides: tuple[list[int], list[int]] = ([], [])
    for place, mark in enumerate(found[1]):
        if mark != "-":
            player = int(mark.islower())
            sides[player].extend([place if player == 0 else BAR - place] * (LETTERS.index(mark.upper()) + 1))
    first, second = (tuple(sorted(side, reverse=True)) for side in sides)
    if 0 in first or 0 in second:
        raise BadInput(message("a checker stands on the bar of the other player"))
    low, high = sorted(map(int, found[3]))
    return Xgid(first, second, TURNS.index(found[2]), high, low)
