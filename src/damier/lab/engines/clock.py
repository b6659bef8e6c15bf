"""How long an engine thinks about a move that has a clock."""

from __future__ import annotations

MOVES_TO_GO = 30
"""Moves for which the time must last, where nobody says."""
OF_INCREMENT = 0.8
MOST = 0.5
"""How much of its time it spends at most on one move that is not the last before more comes."""
DELAY, LEAST = 0.05, 0.01
"""Seconds that are kept for the way to the clock; that it takes at least."""


def seconds_for_move(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """Seconds to think, of those that are `left` for so many moves.

    >>> seconds_for_move(300.0), seconds_for_move(60.0, 1.0), seconds_for_move(0.02)
    (10.0, 2.8, 0.01)
    """
    share = left / (moves_to_go or MOVES_TO_GO) + OF_INCREMENT * increment
    return max(LEAST, min(share, MOST * left if moves_to_go != 1 else left, left - DELAY))
