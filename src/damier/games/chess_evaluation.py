"""Features of a position of chess, each a number from the side of White: what the evaluation weighs
(C. E. Shannon, "Programming a computer for playing chess", 1950 [Shannon50], names most of it).

What matters early and what matters late is told apart by the *phase*: how many of the pieces that are
no pawns are still there, from 24 (all) to 0. The numbers stand at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from damier.core.bits import lowest, popcount, position_of
from damier.core.words import N_
from damier.games.chess_rules import (
    FULL,
    NOT_A,
    NOT_H,
    ChessState,
    diagonal_attacks,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    straight_attacks,
)

ALL_PIECES = 24
"""The phase at the start: a knight or a bishop counts 1, a rook 2, a queen 4."""
EARLY = 1 << 16
"""Two numbers lie in one: what a place is worth late, and this times what it is worth early."""
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(0, 6 * 64, 64)
"""Offsets at which the numbers of each kind of piece begin."""


def ahead(s: ChessState, pieces: int) -> int:
    """Return how many more of `pieces` are White's than Black's."""
    lead = popcount(pieces & s.mine) - popcount(pieces & s.theirs)
    return lead if s.mover == 0 else -lead


def bishop_pairs(s: ChessState) -> int:
    """1 where White has two bishops, less 1 where Black has."""
    bishops = s.diagonal & ~s.straight
    ours, theirs = bishops & s.mine, bishops & s.theirs
    lead = (1 if ours & ours - 1 else 0) - (1 if theirs & theirs - 1 else 0)
    return lead if s.mover == 0 else -lead


def phase(s: ChessState) -> int:
    """Return how much of the pieces is still there, up to ALL_PIECES."""
    small, queens = s.knights | s.diagonal & ~s.straight, s.diagonal & s.straight
    return min(ALL_PIECES, popcount(small) + 2 * popcount(s.straight) + 2 * popcount(queens))


def tapered(early: int, late: int, now: int) -> float:
    """Return what counts `early` with all pieces and `late` with none, by the phase, in pawns of 100."""
    return (early * now + late * (ALL_PIECES - now)) / (100.0 * ALL_PIECES)


def placement(s: ChessState) -> float:
    """Return where the pieces stand, White's less Black's: the sum of their numbers, in pawns."""
    lead = places(s, s.mine, 0) - places(s, s.theirs, 56)
    late = (lead + EARLY // 2 & EARLY - 1) - EARLY // 2
    value = tapered((lead - late) // EARLY, late, phase(s))
    return value if s.mover == 0 else -value


def places(s: ChessState, side: int, turned: int) -> int:
    """The numbers of the places of a side's pieces, early and late in one; `turned`: 56 for the side
    that moves down.
    """
    total = 0
    left = side & s.pawns
    while left:
        total += PLACES[PAWN + (position_of(left) ^ turned)]
        left &= left - 1
    left = side & s.knights
    while left:
        total += PLACES[KNIGHT + (position_of(left) ^ turned)]
        left &= left - 1
    left = side & (s.diagonal | s.straight)
    while left:
        piece = lowest(left)
        kind = (QUEEN if piece & s.diagonal else ROOK) if piece & s.straight else BISHOP
        total += PLACES[kind + (position_of(left) ^ turned)]
        left ^= piece
    return total + PLACES[KING + (position_of(side & s.kings) ^ turned)]


def ahead_of(pawns: int) -> int:
    """All cells above some cells, on their own columns."""
    up = pawns << 8 & FULL
    up |= up << 8 & FULL
    up |= up << 16 & FULL
    return up | up << 32 & FULL


def behind(pawns: int) -> int:
    """All cells below some cells, on their own columns."""
    down = pawns >> 8
    down |= down >> 8
    down |= down >> 16
    return down | down >> 32


def beside(cells: int) -> int:
    """The cells left and right of some cells."""
    return cells << 1 & NOT_A | cells >> 1 & NOT_H


def columns(pawns: int) -> int:
    """All cells of the columns on which some pawns stand."""
    return ahead_of(pawns) | behind(pawns) | pawns


def passed_pawns(s: ChessState) -> float:
    """White's pawns that no pawn of Black can stop any more, by how far they have come, less Black's; in
    pawns.
    """
    ours, theirs = s.mine & s.pawns, s.theirs & s.pawns
    stopped, stops = behind(theirs), ahead_of(ours)
    free = ours & ~(stopped | beside(stopped) | behind(ours))
    other = theirs & ~(stops | beside(stops) | ahead_of(theirs))
    early, late = 0, 0
    while free:
        row = position_of(free) >> 3
        early, late = early + PASSED_EARLY[row], late + PASSED_LATE[row]
        free &= free - 1
    while other:
        row = 7 - (position_of(other) >> 3)
        early, late = early - PASSED_EARLY[row], late - PASSED_LATE[row]
        other &= other - 1
    value = tapered(early, late, phase(s))
    return value if s.mover == 0 else -value


def doubled_pawns(s: ChessState) -> int:
    """White's pawns that stand behind another of their own, less Black's."""
    ours, theirs = s.mine & s.pawns, s.theirs & s.pawns
    lead = popcount(ours & behind(ours)) - popcount(theirs & behind(theirs))
    return lead if s.mover == 0 else -lead


def isolated_pawns(s: ChessState) -> int:
    """White's pawns without another on the columns beside them, less Black's."""
    ours, theirs = s.mine & s.pawns, s.theirs & s.pawns
    lead = popcount(ours & ~beside(columns(ours))) - popcount(theirs & ~beside(columns(theirs)))
    return lead if s.mover == 0 else -lead


def open_rooks(s: ChessState) -> float:
    """White's rooks on columns without a pawn of their own, half as much where Black has one there, less
    Black's.
    """
    rooks, pawns = s.straight & ~s.diagonal, columns(s.pawns)
    ours, theirs = columns(s.pawns & s.mine), columns(s.pawns & s.theirs)
    lead = popcount(rooks & s.mine & ~ours) + popcount(rooks & s.mine & ~pawns)
    lead -= popcount(rooks & s.theirs & ~theirs) + popcount(rooks & s.theirs & ~pawns)
    return 0.5 * (lead if s.mover == 0 else -lead)


def king_shelter(s: ChessState) -> float:
    """White's pawns on the two rows before its king, less Black's, as far as there are pieces to attack
    it.
    """
    ours, theirs = s.kings & s.mine, s.kings & s.theirs
    front = ours | beside(ours)
    front = front << 8 | front << 16
    other = theirs | beside(theirs)
    other = other >> 8 | other >> 16
    lead = popcount(front & FULL & s.pawns & s.mine) - popcount(other & s.pawns & s.theirs)
    value = lead * phase(s) / ALL_PIECES
    return value if s.mover == 0 else -value


def goals(s: ChessState, piece: int, taken: int) -> int:
    """Return what a piece that is no pawn and no king attacks."""
    if piece & s.knights:
        return knight_attacks(piece)
    reached = 0
    if piece & s.diagonal:
        reached = diagonal_attacks(piece, taken)
    if piece & s.straight:
        reached |= straight_attacks(piece, taken)
    return reached


NEAR_KING = 2
"""Extra weight of a cell around the other king."""


def mobility(s: ChessState) -> int:
    """Cells that White's pieces attack and that no pawn of Black guards, those around Black's king three
    times, less those of Black's.
    """
    taken = s.mine | s.theirs
    guarded = pawn_attacks(s.pawns & s.mine)
    theirs = s.pawns & s.theirs
    shunned = (theirs >> 7 & NOT_A | theirs >> 9 & NOT_H) & FULL
    lead = reach(s, s.mine, FULL ^ (s.mine | shunned), king_attacks(s.kings & s.theirs), taken)
    lead -= reach(s, s.theirs, FULL ^ (s.theirs | guarded), king_attacks(s.kings & s.mine), taken)
    return lead if s.mover == 0 else -lead


def reach(s: ChessState, side: int, free: int, near: int, taken: int) -> int:
    """Return how many of the cells `free` a side's pieces attack, piece by piece; those `near` count more."""
    count, left = 0, side & ~(s.pawns | s.kings)
    while left:
        piece = lowest(left)
        left ^= piece
        attacked = goals(s, piece, taken)
        count += popcount(attacked & free) + NEAR_KING * popcount(attacked & near)
    return count


FEATURES: dict[str, Callable[[ChessState], float]] = {
    "pawns": lambda s: ahead(s, s.pawns),
    "knights": lambda s: ahead(s, s.knights),
    "bishops": lambda s: ahead(s, s.diagonal & ~s.straight),
    "rooks": lambda s: ahead(s, s.straight & ~s.diagonal),
    "queens": lambda s: ahead(s, s.diagonal & s.straight),
    "bishop_pair": bishop_pairs,
    "placement": placement,
    "passed": passed_pawns,
    "doubled": doubled_pawns,
    "isolated": isolated_pawns,
    "open_rooks": open_rooks,
    "shelter": king_shelter,
    "mobility": mobility,
    "to_move": lambda s: 1 if s.mover == 0 else -1,
}

EXPLANATIONS = {
    "pawns": N_("pawns, White's less Black's"),
    "knights": N_("knights, White's less Black's"),
    "bishops": N_("bishops, White's less Black's"),
    "rooks": N_("rooks, White's less Black's"),
    "queens": N_("queens, White's less Black's"),
    "bishop_pair": N_("two bishops see cells of both colours: they are worth more together"),
    "placement": N_(
        "where the pieces stand: each cell has a number for each kind, early and late in the game"
    ),
    "passed": N_("pawns that no pawn can stop any more, by how far they have come"),
    "doubled": N_("pawns behind another of their own: they stand in each other's way"),
    "isolated": N_("pawns without another on the columns beside them: none can guard them"),
    "open_rooks": N_("rooks on columns without pawns, where they see far"),
    "shelter": N_("pawns before the king, as long as there are pieces to attack it"),
    "mobility": N_("cells that the pieces attack, those around the other king most of all"),
    "to_move": N_("whose turn it is: to move is worth a little"),
}


# The numbers of the evaluation of chess, written by scripts/tune_chess
# (15143 positions of 500 games, 3000 nodes a move, seed 1).
#
# Places in hundredths of a pawn, row 1 first, as the side sees them whose piece it is.

WEIGHTS = {
    "pawns": 0.955,
    "knights": 3.269,
    "bishops": 3.367,
    "rooks": 4.826,
    "queens": 9.574,
    "bishop_pair": 0.2,
    "placement": 1.0,
    "passed": 1.0,
    "doubled": 0.048,
    "isolated": -0.22,
    "open_rooks": 0.169,
    "shelter": 0.02,
    "mobility": 0.041,
    "to_move": 0.071,
}

# fmt: off
EARLY_PLACES = (
    # pawn
    0, 0, 0, 0, 0, 0, 0, 0,
    -7, 11, -10, -17, -17, -10, 11, -7,
    -2, 4, 2, 7, 7, 2, 4, -2,
    7, 5, 3, 26, 26, 3, 5, 7,
    8, 4, 17, 27, 27, 17, 4, 8,
    16, 15, 12, 14, 14, 12, 15, 16,
    30, 30, 30, 30, 30, 30, 30, 30,
    0, 0, 0, 0, 0, 0, 0, 0,
    # knight
    -36, -27, -18, -10, -10, -18, -27, -36,
    -27, -18, -7, 0, 0, -7, -18, -27,
    -22, -9, -3, 10, 10, -3, -9, -22,
    -8, 1, 10, 18, 18, 10, 1, -8,
    -8, 3, 8, 20, 20, 8, 3, -8,
    -18, -8, 0, 11, 11, 0, -8, -18,
    -27, -18, -9, 0, 0, -9, -18, -27,
    -36, -27, -18, -9, -9, -18, -27, -36,
    # bishop
    -20, -16, -13, -9, -9, -13, -16, -20,
    -10, -3, -3, 2, 2, -3, -3, -10,
    -6, -3, 3, 6, 6, 3, -3, -6,
    -3, 3, 5, 12, 12, 5, 3, -3,
    1, -1, 7, 11, 11, 7, -1, 1,
    -5, -2, 3, 6, 6, 3, -2, -5,
    -10, -7, -2, 2, 2, -2, -7, -10,
    -15, -10, -6, -2, -2, -6, -10, -15,
    # rook
    -5, -1, 8, 6, 6, 8, -1, -5,
    -2, -2, 3, 6, 6, 3, -2, -2,
    -1, 1, 3, 7, 7, 3, 1, -1,
    0, 0, 4, 5, 5, 4, 0, 0,
    0, 0, 2, 6, 6, 2, 0, 0,
    1, 0, 3, 6, 6, 3, 0, 1,
    8, 11, 12, 17, 17, 12, 11, 8,
    0, 1, 2, 5, 5, 2, 1, 0,
    # queen
    -4, -2, -2, 1, 1, -2, -2, -4,
    -3, -2, -2, 2, 2, -2, -2, -3,
    -1, -3, 2, -1, -1, 2, -3, -1,
    -6, 1, 0, 1, 1, 0, 1, -6,
    0, 0, 0, 1, 1, 0, 0, 0,
    -1, -1, 0, 1, 1, 0, -1, -1,
    -3, -1, -1, 0, 0, -1, -1, -3,
    -4, -3, -2, -1, -1, -2, -3, -4,
    # king
    20, 26, 13, -13, 11, 1, 26, 17,
    -6, 9, -10, -27, -28, -20, 6, -6,
    -49, -50, -49, -50, -49, -49, -50, -50,
    -75, -75, -75, -76, -75, -75, -75, -75,
    -75, -75, -75, -75, -75, -75, -75, -75,
    -75, -75, -75, -75, -75, -75, -75, -75,
    -75, -75, -75, -75, -75, -75, -75, -75,
    -75, -75, -75, -75, -75, -75, -75, -75,
)
# fmt: on

# fmt: off
LATE_PLACES = (
    # pawn
    0, 0, 0, 0, 0, 0, 0, 0,
    1, 6, 5, -1, -1, 5, 6, 1,
    -6, 2, 4, -5, -5, 4, 2, -6,
    7, 5, 0, 7, 7, 0, 5, 7,
    12, 12, 12, 13, 13, 12, 12, 12,
    26, 26, 23, 24, 24, 23, 26, 26,
    45, 45, 46, 45, 45, 46, 45, 45,
    0, 0, 0, 0, 0, 0, 0, 0,
    # knight
    -32, -25, -18, -12, -12, -18, -25, -32,
    -25, -18, -10, -5, -5, -10, -18, -25,
    -19, -11, -3, 2, 2, -3, -11, -19,
    -10, -4, 3, 10, 10, 3, -4, -10,
    -11, -5, 3, 11, 11, 3, -5, -11,
    -18, -11, -3, 3, 3, -3, -11, -18,
    -25, -18, -12, -4, -4, -12, -18, -25,
    -32, -25, -18, -11, -11, -18, -25, -32,
    # bishop
    -12, -9, -8, -3, -3, -8, -9, -12,
    -9, -5, -3, 2, 2, -3, -5, -9,
    -6, -4, -1, 3, 3, -1, -4, -6,
    -3, 0, 3, 8, 8, 3, 0, -3,
    -3, 1, 4, 6, 6, 4, 1, -3,
    -6, -3, 2, 2, 2, 2, -3, -6,
    -9, -6, -3, 1, 1, -3, -6, -9,
    -12, -9, -6, -3, -3, -6, -9, -12,
    # rook
    -3, -2, 2, 1, 1, 2, -2, -3,
    0, 0, 0, -1, -1, 0, 0, 0,
    0, 0, -1, 0, 0, -1, 0, 0,
    1, 0, 1, 0, 0, 1, 0, 1,
    0, 0, -1, 0, 0, -1, 0, 0,
    1, -1, 0, 0, 0, 0, -1, 1,
    9, 10, 9, 10, 10, 9, 10, 9,
    1, 1, -1, -1, -1, -1, 1, 1,
    # queen
    -22, -15, -10, -4, -4, -10, -15, -22,
    -16, -10, -4, 2, 2, -4, -10, -16,
    -10, -4, 2, 8, 8, 2, -4, -10,
    -4, 2, 8, 14, 14, 8, 2, -4,
    -4, 2, 8, 13, 13, 8, 2, -4,
    -9, -4, 1, 8, 8, 1, -4, -9,
    -16, -10, -4, 2, 2, -4, -10, -16,
    -22, -16, -10, -4, -4, -10, -16, -22,
    # king
    -39, -28, -17, -2, -2, -17, -28, -39,
    -27, -16, -4, 6, 6, -4, -16, -27,
    -16, -5, 7, 17, 17, 7, -5, -16,
    -5, 6, 17, 25, 25, 17, 6, -5,
    -5, 6, 17, 27, 27, 17, 6, -5,
    -16, -4, 6, 17, 17, 6, -4, -16,
    -27, -16, -5, 6, 6, -5, -16, -27,
    -38, -27, -16, -5, -5, -16, -27, -38,
)
# fmt: on

PASSED_EARLY = (0, 3, 5, 8, 18, 37, 71, 0)
PASSED_LATE = (0, 12, 16, 37, 60, 89, 142, 0)

PLACES = tuple((early << 16) + late for early, late in zip(EARLY_PLACES, LATE_PLACES, strict=True))
"""Both numbers of each place in one: early times 2^16, and late."""
