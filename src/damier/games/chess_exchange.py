"""What quiescence follows in chess: captures that do not lose in the exchange on their cell, and pawns
that become queens.

The exchange is the "static exchange evaluation" of chessprogramming.org [Cpw]: both sides take on one
cell in turn, each with the least of its pieces, as long as that pays.
"""

from __future__ import annotations

from damier.core.bits import lowest, position_of
from damier.games.chess_rules import (
    FULL,
    NOT_A,
    NOT_H,
    QUEEN,
    RANK_6,
    RANK_7,
    RANK_8,
    ChessState,
    diagonal_attacks,
    is_safe,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    perhaps_pinned,
    piece_goals,
    straight_attacks,
)

KING_WORTH = 100
"""More than all that can be won on one cell."""


def noisy_moves(s: ChessState, found: list[int]) -> None:
    """Appends the captures that do not lose, and the pawns that become queens."""
    king, taken = s.kings & s.mine, s.mine | s.theirs
    untested, pawn_goals = s.rights & RANK_6, s.theirs | s.rights & RANK_6 | RANK_8
    pinned = perhaps_pinned(s, king, taken) | king
    left = s.mine
    while left:
        piece = lowest(left)
        left ^= piece
        goals = king_attacks(piece) if piece & king else piece_goals(s, piece, taken)
        goals &= pawn_goals if piece & s.pawns else s.theirs
        while goals:
            goal = lowest(goals)
            goals ^= goal
            if (piece & pinned or goal & untested) and not is_safe(s, piece, goal, taken):
                continue
            promotes = piece & s.pawns & RANK_7 != 0
            if piece & king or promotes or holds_up(s, piece, goal, taken):
                kind = QUEEN if promotes else 0
                found.append(position_of(piece) | position_of(goal) << 6 | kind << 12)


def worth(s: ChessState, piece: int) -> int:
    """The points of a piece: a pawn 1, a knight or a bishop 3, a rook 5, a queen 9."""
    if piece & s.pawns:
        return 1
    if piece & s.straight:
        return 9 if piece & s.diagonal else 5
    return KING_WORTH if piece & s.kings else 3


def holds_up(s: ChessState, piece: int, goal: int, taken: int) -> bool:
    """Whether `piece`, which takes on `goal`, loses nothing if both sides go on taking there."""
    victim = worth(s, goal) if goal & s.theirs else 1
    risk = worth(s, piece) - victim
    if risk <= 0:
        return True
    free = taken & ~piece
    ours, wins, left = False, True, attackers_of(s, goal, free) & free
    while True:
        side = left & (s.mine if ours else s.theirs)
        if side == 0:
            return wins
        wins = not wins
        next_piece = least(s, side)
        if next_piece & s.kings and left & (s.theirs if ours else s.mine):
            return not wins
        risk = worth(s, next_piece) - risk
        if risk < (1 if wins else 0):
            return wins
        free &= ~next_piece
        left = attackers_of(s, goal, free) & free
        ours = not ours


def least(s: ChessState, pieces: int) -> int:
    """One of the pieces that are worth least."""
    for kind in (s.pawns, s.knights, s.diagonal & ~s.straight, s.straight & ~s.diagonal, s.straight):
        if pieces & kind:
            return lowest(pieces & kind)
    return lowest(pieces)


def attackers_of(s: ChessState, cell: int, taken: int) -> int:
    """The pieces of both sides that attack `cell` where `taken` are occupied."""
    below = (cell >> 7 & NOT_A | cell >> 9 & NOT_H) & FULL
    return (
        pawn_attacks(cell) & s.pawns & s.theirs
        | below & s.pawns & s.mine
        | knight_attacks(cell) & s.knights
        | king_attacks(cell) & s.kings
        | diagonal_attacks(cell, taken) & s.diagonal
        | straight_attacks(cell, taken) & s.straight
    )
