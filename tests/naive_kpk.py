"""King and pawn against king written plainly with whole arrays, won or not won, as bitbases are made:
[white king, black king, pawn] for each side to move, cells from a1 = 0.

A pawn that becomes a queen wins where the black king cannot take it at once; where the queen would
stalemate, a rook wins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Truth = NDArray[np.bool_]
N = 64


class Kpk(NamedTuple):
    """Which places hold positions, and which of them White wins, by who is to move."""

    white_to_move: Truth
    black_to_move: Truth
    won_by_mover: Truth
    lost_by_mover: Truth


def near(a: int, b: int) -> bool:
    """Whether two cells are neighbours, or the same."""
    return abs(a % 8 - b % 8) <= 1 and abs(a // 8 - b // 8) <= 1


NEAR = np.array([[near(a, b) for b in range(N)] for a in range(N)])
STEPS = NEAR & ~np.eye(N, dtype=bool)


def attacks(pawn: int, cell: int) -> bool:
    return abs(pawn % 8 - cell % 8) == 1 and cell // 8 == pawn // 8 + 1


ATTACKED = np.array([[attacks(pawn, cell) for pawn in range(N)] for cell in range(N)])


def kpk() -> Kpk:
    """All positions."""
    king, foe, pawn = np.ogrid[:N, :N, :N]
    apart = ~NEAR[king, foe] & (king != pawn) & (foe != pawn) & (pawn >= 8) & (pawn < 56)
    black_to_move, white_to_move = apart, apart & ~ATTACKED[foe, pawn]
    won = np.zeros((N, N, N), bool)  # White to move
    lost = np.zeros((N, N, N), bool)  # Black to move
    promotes = promotion(king, foe, pawn) & white_to_move
    while True:
        lost_now = black_loses(won, black_to_move)
        won_now = promotes | white_wins(lost_now, white_to_move)
        if (lost_now == lost).all() and (won_now == won).all():
            return Kpk(white_to_move, black_to_move, won, lost)
        won, lost = won_now, lost_now


def promotion(king: NDArray[np.int64], foe: NDArray[np.int64], pawn: NDArray[np.int64]) -> Truth:
    """Whether the pawn goes to the last row and is not taken there."""
    goal = np.minimum(pawn + 8, 63)
    free = (pawn >= 48) & (goal != king) & (goal != foe)
    safe: Truth = free & (~NEAR[foe, goal] | NEAR[king, goal])
    return safe


def black_loses(won: Truth, positions: Truth) -> Truth:
    """Whether every move of Black leads to what White wins, and there is one, or it is mate."""
    escapes = np.zeros((N, N, N), bool)
    can_move = np.zeros((N, N, N), bool)
    king, pawn = np.ogrid[:N, :N]
    for start in range(N):
        for goal in np.flatnonzero(STEPS[start]):
            takes = pawn == goal
            legal = ~NEAR[king, goal] & ~ATTACKED[goal, pawn]
            can_move[:, start] |= legal
            escapes[:, start] |= legal & (takes | ~won[:, goal])
    lost: Truth = positions & ~escapes & (can_move | ATTACKED)  # [black king, pawn] is broadcast
    return lost


def white_wins(lost: Truth, positions: Truth) -> Truth:
    """Whether a move of White leads to what Black loses."""
    wins = np.zeros((N, N, N), bool)
    for start in range(N):
        for goal in np.flatnonzero(STEPS[start]):
            wins[start] |= lost[goal]
    king, foe = np.ogrid[:N, :N]
    for pawn in range(8, 48):
        ahead = pawn + 8
        free = (king != ahead) & (foe != ahead)
        wins[:, :, pawn] |= free & lost[:, :, ahead]
        if pawn < 16:
            twice = pawn + 16
            wins[:, :, pawn] |= free & (king != twice) & (foe != twice) & lost[:, :, twice]
    return wins & positions
