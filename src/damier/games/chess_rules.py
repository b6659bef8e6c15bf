"""The rules of chess, as functions over sets of cells (FIDE, *Laws of Chess* [Fide23]).

The board is seen by the mover, who moves up: with each ply it is turned over, row 1 becoming row 8.
A move is `start | goal << 6 | kind << 12`: two cells as their mover numbers them, a1
being 0 where White moves, and what a pawn becomes: 1 knight, 2 bishop, 4 rook, 6 queen, 0 for any other move.

Equal positions are equal states, as article 9.2 counts them: a cell that a pawn has passed is kept
only where a legal move takes the pawn there, a rook that may castle only until it or its king moves.

A position is dead, and drawn, where no sequence of moves gives mate (article 5.2.2). Here that is
seen by the pieces alone: kings, with one knight or with bishops on cells of one colour. Positions
that are dead because pawns block each other go on. Published perft counts go on from dead positions
too; none is met in the standard positions up to the depths that are published.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.bits import bit, byteswap, highest, lowest, position_of
from damier.core.past import ago, length
from damier.core.rules import ONGOING, Past

KNIGHT, BISHOP, ROOK, QUEEN = 1, 2, 4, 6  # what a pawn becomes: a queen goes like both
ROOK_A, ROOK_H = 0x01, 0x80
BETWEEN_A, BETWEEN_H = 0x0E, 0x60  # what must be free to castle on either side
LEAP_A, LEAP_H = 0x09, 0xA0  # where the rook leaves, and where it comes to stand
LIGHT_CELLS = 0x55AA55AA55AA55AA


class ChessState(NamedTuple):
    mine: int  # pieces of the player to move
    theirs: int
    pawns: int
    knights: int
    diagonal: int  # bishops and queens
    straight: int  # rooks and queens
    kings: int
    rights: int  # in rows 1 and 8 rooks that may castle; in row 6 the cell that a pawn has passed
    mover: int  # 0 White, 1 Black
    drawn: int  # 1: by what was before, threefold repetition or 50 moves without a pawn or a capture


START = ChessState(
    mine=0xFFFF,
    theirs=0xFFFF << 48,
    pawns=0xFF << 8 | 0xFF << 48,
    knights=0x42 | 0x42 << 56,
    diagonal=0x2C | 0x2C << 56,
    straight=0x89 | 0x89 << 56,
    kings=0x10 | 0x10 << 56,
    rights=0x81 | 0x81 << 56,
    mover=0,
    drawn=0,
)


def moves(s: ChessState, found: list[int]) -> None:
    """Appends the legal moves, piece by piece from a1 on."""
    king, taken = s.kings & s.mine, s.mine | s.theirs
    check = checkers(s) != 0
    free, pinned = ~s.mine & FULL, perhaps_pinned(s, king, taken)
    if check:  # pieces go to the attacker or before it: the king sees both, or the attacker is a knight
        free &= s.knights | s.rights & RANK_6 | diagonal_attacks(king, taken) | straight_attacks(king, taken)
    left = s.mine
    while left:
        piece = lowest(left)
        left ^= piece
        if piece & king:
            goals = untested = king_attacks(king) & ~s.mine | castling(s, king, taken, check)
        else:
            goals = untested = piece_goals(s, piece, taken) & free
            if not (check or piece & pinned):
                untested &= s.rights & RANK_6
        while untested:
            goal = lowest(untested)
            untested ^= goal
            if not is_safe(s, piece, goal, taken):
                goals ^= goal
        if piece & king:  # castling passes over a cell to which the king could go
            goals &= king_attacks(king) | goals << 1 & king << 2 | goals >> 1 & king >> 2
        start = position_of(piece)
        promotes = piece & s.pawns & RANK_7 != 0
        while goals:
            goal = lowest(goals)
            goals ^= goal
            move = start | position_of(goal) << 6
            if promotes:
                for kind in (KNIGHT, BISHOP, ROOK, QUEEN):
                    found.append(move | kind << 12)
            else:
                found.append(move)


def attackers(s: ChessState, cell: int, taken: int) -> int:
    """The opponent's pieces that attack `cell` where `taken` are occupied."""
    return s.theirs & (
        pawn_attacks(cell) & s.pawns
        | knight_attacks(cell) & s.knights
        | king_attacks(cell) & s.kings
        | diagonal_attacks(cell, taken) & s.diagonal
        | straight_attacks(cell, taken) & s.straight
    )


def perhaps_pinned(s: ChessState, king: int, taken: int) -> int:
    """The mover's pieces that may not be free to move: those that the king sees on rows and columns,
    or on diagonals, where an attacker stands behind any of them.
    """
    diagonally, straight = diagonal_attacks(king, taken), straight_attacks(king, taken)
    pinned = 0
    if diagonal_attacks(king, taken & ~(diagonally & s.mine)) & ~diagonally & s.theirs & s.diagonal:
        pinned |= diagonally
    if straight_attacks(king, taken & ~(straight & s.mine)) & ~straight & s.theirs & s.straight:
        pinned |= straight
    return pinned


def piece_goals(s: ChessState, piece: int, taken: int) -> int:
    """Return where a piece that is no king could go if nothing threatened."""
    if piece & s.pawns:
        step = piece << 8 & ~taken
        return step | (step & RANK_3) << 8 & ~taken | pawn_attacks(piece) & (s.theirs | s.rights & RANK_6)
    if piece & s.knights:
        return knight_attacks(piece)
    goals = 0
    if piece & s.diagonal:
        goals |= diagonal_attacks(piece, taken)
    if piece & s.straight:
        goals |= straight_attacks(piece, taken)
    return goals


def castling(s: ChessState, king: int, taken: int, check: bool) -> int:
    """Return where the king would go by castling, if no cell on the way is attacked."""
    goals = 0
    if not check:
        if s.rights & ROOK_H and taken & BETWEEN_H == 0:
            goals |= king << 2
        if s.rights & ROOK_A and taken & BETWEEN_A == 0:
            goals |= king >> 2
    return goals


def checkers(s: ChessState) -> int:
    """The opponent's pieces that give check."""
    return attackers(s, s.kings & s.mine, s.mine | s.theirs)


def is_safe(s: ChessState, piece: int, goal: int, taken: int) -> bool:
    """Return whether nothing attacks the mover's king once `piece` has gone to `goal`."""
    king, victim = s.kings & s.mine, goal
    if piece & king:
        king = goal
    if piece & s.pawns:
        victim |= (goal & s.rights & RANK_6) >> 8
    return attackers(s, king, (taken ^ piece) & ~victim | goal) & ~victim == 0


def play(s: ChessState, move: int) -> ChessState:
    """The board after a move, turned over for the other player."""
    start, goal, kind = bit(move & 63), bit(move >> 6 & 63), move >> 12
    out = start | goal
    mine, theirs = s.mine ^ out, s.theirs & ~goal
    pawns, knights, diagonal, straight = (
        s.pawns & ~out,
        s.knights & ~out,
        s.diagonal & ~out,
        s.straight & ~out,
    )
    kings, rights = s.kings & ~out, s.rights & (RANK_1 | RANK_8) & ~out
    if start & s.pawns:
        if goal & s.rights & RANK_6:
            theirs ^= goal >> 8
            pawns ^= goal >> 8
        if kind == 0:
            pawns |= goal
        if kind == KNIGHT:
            knights |= goal
        if kind & BISHOP:
            diagonal |= goal
        if kind & ROOK:
            straight |= goal
        if goal == start << 16 and pawns & theirs & (goal << 1 & NOT_A | goal >> 1 & NOT_H):
            rights |= start << 8
    if start & s.knights:
        knights |= goal
    if start & s.diagonal:
        diagonal |= goal
    if start & s.straight:
        straight |= goal
    if start & s.kings:
        kings |= goal
        rights &= ~RANK_1
        if goal == start << 2:
            mine ^= LEAP_H
            straight ^= LEAP_H
        if goal == start >> 2:
            mine ^= LEAP_A
            straight ^= LEAP_A
    after = ChessState(
        byteswap(theirs),
        byteswap(mine),
        byteswap(pawns),
        byteswap(knights),
        byteswap(diagonal),
        byteswap(straight),
        byteswap(kings),
        byteswap(rights),
        1 - s.mover,
        0,
    )
    return truly_passed(after) if rights & RANK_3 else after


def irreversible(s: ChessState, move: int) -> bool:
    """A pawn moves, or something is taken: what the 50 moves are counted from."""
    return (s.pawns & bit(move & 63) | s.theirs & bit(move >> 6 & 63)) != 0


def with_past(s: ChessState, past: Past[ChessState]) -> ChessState:
    """A position that is there for the third time is drawn, and so is one after 50 moves of each side
    without a pawn move or a capture, unless it is checkmate: articles 9.2 and 9.3, as if every draw
    that may be claimed were claimed.
    """
    times = 1
    for n in range(4, length(past) + 1, 2):
        times += is_same(ago(past, n), s)
    if times < 3 and length(past) < 100:
        return s
    return ChessState(
        s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.rights, s.mover, 1
    )


def is_same(one: ChessState, other: ChessState) -> bool:
    """Return whether two positions are equal as article 9.2.3 counts them."""
    return (
        one.mover == other.mover
        and one.mine == other.mine
        and one.theirs == other.theirs
        and one.pawns == other.pawns
        and one.diagonal == other.diagonal
        and one.straight == other.straight
        and one.kings == other.kings
        and one.rights == other.rights
    )


def turned_over(s: ChessState) -> ChessState:
    """Return the board seen by the other player, who is then to move."""
    return ChessState(
        byteswap(s.theirs),
        byteswap(s.mine),
        byteswap(s.pawns),
        byteswap(s.knights),
        byteswap(s.diagonal),
        byteswap(s.straight),
        byteswap(s.kings),
        byteswap(s.rights),
        1 - s.mover,
        s.drawn,
    )


def null_move(s: ChessState) -> ChessState:
    """The board after a pass; with king and pawns alone to pass may be better than any move."""
    if s.mine & ~(s.pawns | s.kings) == 0:
        return s
    return turned_over(with_rights(s, s.rights & (RANK_1 | RANK_8)))


def truly_passed(s: ChessState) -> ChessState:
    """Return the state without the cell that was passed where no pawn can take on it."""
    left = ((s.rights & RANK_6) >> 7 & NOT_A | (s.rights & RANK_6) >> 9 & NOT_H) & s.pawns & s.mine
    while left:
        pawn = lowest(left)
        left ^= pawn
        if is_safe(s, pawn, s.rights & RANK_6, s.mine | s.theirs):
            return s
    return with_rights(s, s.rights & ~RANK_6)


def with_rights(s: ChessState, rights: int) -> ChessState:
    """Return the state with other rights."""
    return ChessState(
        s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, rights, s.mover, s.drawn
    )


def outcome(s: ChessState) -> int:
    """Checkmate loses for who is to move; stalemate draws, and so do positions that are dead, or drawn
    by what was before.
    """
    if is_dead(s):
        return 0
    king, taken = s.kings & s.mine, s.mine | s.theirs
    check = checkers(s) != 0
    if not check and moves_at_a_glance(s, king, taken):
        return 0 if s.drawn else ONGOING
    piece, left = king, s.mine ^ king
    while piece:
        goals = king_attacks(king) if piece & king else piece_goals(s, piece, taken)
        goals &= ~s.mine
        while goals:
            goal = lowest(goals)
            goals ^= goal
            if is_safe(s, piece, goal, taken):
                return 0 if s.drawn else ONGOING
        piece = lowest(left)
        left ^= piece
    return -1 if check else 0


def moves_at_a_glance(s: ChessState, king: int, taken: int) -> bool:
    """Return whether a pawn or a knight can move that the king does not see: no line to the king is opened
    by that. Nearly always, and outcomes are asked at every node.
    """
    hidden = s.mine & ~(diagonal_attacks(king, taken) | straight_attacks(king, taken))
    steps = (hidden & s.pawns) << 8 & ~taken
    return (steps | knight_attacks(hidden & s.knights) & ~s.mine) != 0


def is_dead(s: ChessState) -> bool:
    """Return whether neither side has the pieces for any checkmate: kings alone, with one knight, or with
    bishops that all stand on cells of one colour. (Other dead positions, such as pawns that block each
    other, go on.)
    """
    if s.pawns | s.straight:
        return False
    if s.knights:
        return s.diagonal == 0 and s.knights & (s.knights - 1) == 0
    return s.diagonal & LIGHT_CELLS == 0 or s.diagonal & ~LIGHT_CELLS == 0


# What the pieces of chess attack, by arithmetic on sets of cells: no tables.
#
# Cells are numbered from the mover's own side, row by row and left to right: a1 is bit 0, h1 bit 7,
# a8 bit 56 where White moves. Sliding pieces: on every line through a cell, the first piece on either
# side is the lowest set bit above it and the highest below it, and one subtraction fills what lies
# between (the "obstruction difference" of chessprogramming.org [Cpw]).

FULL = (1 << 64) - 1
FILE_A = 0x0101010101010101
FILE_H = FILE_A << 7
NOT_A, NOT_H = FULL ^ FILE_A, FULL ^ FILE_H
NOT_AB, NOT_GH = FULL ^ (FILE_A | FILE_A << 1), FULL ^ (FILE_H | FILE_H >> 1)
RANK_1 = 0xFF
RANK_3 = RANK_1 << 16
RANK_6 = RANK_1 << 40
RANK_7 = RANK_1 << 48
RANK_8 = RANK_1 << 56
RISING = 0x8040201008040201  # a1 to h8


def pawn_attacks(cells: int) -> int:
    """The cells diagonally ahead of `cells`."""
    return (cells << 7 & NOT_H | cells << 9 & NOT_A) & FULL


def knight_attacks(cells: int) -> int:
    """The cells a knight's move from any of `cells`."""
    near = cells << 1 & NOT_A | cells >> 1 & NOT_H
    far = cells << 2 & NOT_AB | cells >> 2 & NOT_GH
    return (near << 16 | near >> 16 | far << 8 | far >> 8) & FULL


def king_attacks(cell: int) -> int:
    """The cells around `cell`."""
    row = cell | cell << 1 & NOT_A | cell >> 1 & NOT_H
    return (row | row << 8 | row >> 8) & ~cell & FULL


def straight_attacks(cell: int, taken: int) -> int:
    """Return what a rook on `cell` sees where `taken` are occupied, the first piece on each side included."""
    n = position_of(cell)
    return attacks_along(column_of(n), cell, taken) | attacks_along(row_of(n), cell, taken)


def diagonal_attacks(cell: int, taken: int) -> int:
    """Return what a bishop on `cell` sees."""
    n = position_of(cell)
    return attacks_along(rising(n), cell, taken) | attacks_along(falling(n), cell, taken)


def attacks_along(line: int, cell: int, taken: int) -> int:
    """The cells of one line through `cell` up to the first piece on either side."""
    stops = line & taken
    above, below = lowest(stops & -(cell << 1)), highest(stops & cell - 1 | 1)
    return line & (above << 1) - below & ~cell


def column_of(n: int) -> int:
    """The column of cell `n`."""
    return FILE_H >> 7 - (n & 7)


def row_of(n: int) -> int:
    """The row of cell `n`."""
    return RANK_8 >> 56 - (n & 56)


def rising(n: int) -> int:
    """The diagonal through cell `n` that rises to the right, up to the edges."""
    up = 8 * ((n >> 3) - (n & 7))
    return RISING << up & FULL if up >= 0 else RISING >> -up


def falling(n: int) -> int:
    """The diagonal through cell `n` that falls to the right."""
    return byteswap(rising(n ^ 56))


# What quiescence follows in chess: captures that do not lose in the exchange on their cell, and pawns
# that become queens.
#
# The exchange is the "static exchange evaluation" of chessprogramming.org [Cpw]: both sides take on one
# cell in turn, each with the least of its pieces, as long as that pays.

KING_POINTS = 100
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


def points_of(s: ChessState, piece: int) -> int:
    """The points of a piece: a pawn 1, a knight or a bishop 3, a rook 5, a queen 9."""
    if piece & s.pawns:
        return 1
    if piece & s.straight:
        return 9 if piece & s.diagonal else 5
    return KING_POINTS if piece & s.kings else 3


def holds_up(s: ChessState, piece: int, goal: int, taken: int) -> bool:
    """Return whether `piece`, which takes on `goal`, loses nothing if both sides go on taking there."""
    victim = points_of(s, goal) if goal & s.theirs else 1
    risk = points_of(s, piece) - victim
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
        risk = points_of(s, next_piece) - risk
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
