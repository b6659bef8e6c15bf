"""Which of several equally good moves is taken: the first, the last, or any of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from damier.core.bits import Rng, lowest, popcount, random_bit

Ties: TypeAlias = Literal["first", "last", "random"]

FIRST, LAST, RANDOM = 0, 1, 2
TIES: dict[Ties, int] = {"first": FIRST, "last": LAST, "random": RANDOM}


def chosen(equals: int, ties: int, rng: Rng) -> int:
    """One of some equally good moves."""
    if ties == FIRST:
        return lowest(equals)
    return random_bit(rng, equals) if ties == RANDOM else highest(equals)


def share_of(move: int, equals: int, ties: int) -> float:
    """How likely `chosen` is to take `move`."""
    if ties == RANDOM:
        return 1.0 / popcount(equals) if equals & move else 0.0
    return 1.0 if move == (lowest(equals) if ties == FIRST else highest(equals)) else 0.0


def highest(moves: int) -> int:
    """The highest bit of a set, as a set of its own."""
    while moves & (moves - 1):
        moves &= moves - 1
    return moves
