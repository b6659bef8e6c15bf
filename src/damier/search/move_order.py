"""In what order a search tries the moves of a position.

The sooner a good one comes, the more is cut.

A move lies on the stack with its promise: score · 64 + 63 - number, so that of moves that promise
the same the lowest comes first.
"""

from __future__ import annotations

from damier.core.arrays import Ints
from damier.core.bits import lowest, position_of
from damier.core.rules import State, move_score

HASH_MOVE = 1 << 44
"""More than any move scores: the best move of an earlier search of the position."""


def move_at(promise: int) -> int:
    """The move that lies on the stack so."""
    return 1 << (63 - (promise & 63))


def in_bit_order(tried: int, first: int, stack: Ints) -> int:
    """The game's own order."""
    last = first
    while tried:
        move = lowest(tried)
        tried ^= move
        stack[last] = 63 - position_of(move)
        last += 1
    return last


def most_promising_first(s: State, tried: int, hash_move: int, first: int, stack: Ints) -> int:
    """The hash move first, then those that the game scores highest: sorted as they are laid down."""
    last = first
    while tried:
        move = lowest(tried)
        tried ^= move
        promise = ((HASH_MOVE if move == hash_move else move_score(s, move)) << 6) + 63 - position_of(move)
        place = last
        while place > first and stack[place - 1] < promise:
            stack[place] = stack[place - 1]
            place -= 1
        stack[place] = promise
        last += 1
    return last
