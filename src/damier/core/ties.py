"""Which of several equally good moves is taken: the first, the last, or any of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from damier.core.bits import Rng
from damier.core.moves import count_moves, first_move, holds, last_move, random_move
from damier.core.rules import Moves

Ties: TypeAlias = Literal["first", "last", "random"]

FIRST, LAST, RANDOM = 0, 1, 2
TIES: dict[Ties, int] = {"first": FIRST, "last": LAST, "random": RANDOM}


def chosen(equals: Moves, ties: int, rng: Rng) -> int:
    """One of some equally good moves."""
    if ties == FIRST:
        return first_move(equals)
    return random_move(rng, equals) if ties == RANDOM else last_move(equals)


def share_of(move: int, equals: Moves, ties: int) -> float:
    """How likely `chosen` is to take `move`."""
    if ties == RANDOM:
        return 1.0 / count_moves(equals) if holds(equals, move) else 0.0
    return 1.0 if move == (first_move(equals) if ties == FIRST else last_move(equals)) else 0.0
