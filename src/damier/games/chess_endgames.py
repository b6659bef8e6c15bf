"""The slices of chess with three or four pieces, kings included: KQ-K, KBN-K, KP-KR.

The *first* side has more pieces, or the dearer one. Its number has a digit for each of two pieces (0
none, 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen), and one that says whose the second piece is. A
position is numbered as the first side sees it, its king on the left half of the board and, without
pawns, on the lower half (mirrored, a position is worth the same). A place is made of four cells,
king, other king and the two pieces, and of whose move it is: even places the first side's.

What no place holds: rights to castle, cells that a pawn has passed (so KP-KP has no slice), and draws by
what was before.
"""

from __future__ import annotations

from damier.core.bits import bit, byteswap, lowest, position_of, reversed_bits
from damier.core.hooks import Endgames, Slice
from damier.games.chess_rules import (
    RANK_1,
    RANK_8,
    ChessState,
    checkers,
    diagonal_attacks,
    king_attacks,
    knight_attacks,
    straight_attacks,
    turned_over,
)

MOST = 4
NONE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN = range(6)
LETTERS = " PNBRQ"
RIGHT_HALF = 0xF0F0F0F0F0F0F0F0
UPPER_HALF = 0xFFFFFFFF00000000
RANK_5 = RANK_1 << 32
FIRST, SECOND = 0, 1
"""Whose the second piece is."""


def chess_endgames() -> Endgames[ChessState]:
    """The slices of chess."""
    return Endgames(stages, slice_of, place_of, state_at, unmoves, unplay, most_pieces=MOST)


def stages(pieces: int) -> list[list[Slice]]:
    """Fewer pieces first, then fewer pawns: a promotion leads to a slice with one pawn less."""
    found: list[list[Slice]] = []
    if pieces >= 3:
        found += [[one_piece(kind) for kind in (QUEEN, ROOK)], [one_piece(PAWN)]]
    if pieces >= 4:
        pairs = [(a, b, owner) for a in range(1, 6) for b in range(1, a + 1) for owner in (FIRST, SECOND)]
        for pawns in range(3):
            found.append(
                [
                    two_pieces(*pair)
                    for pair in pairs
                    if pair[:2].count(PAWN) == pawns and pair != (PAWN, PAWN, SECOND)
                ]
            )
    return found


def one_piece(kind: int) -> Slice:
    return Slice(12 * kind, f"K{LETTERS[kind]}-K", (32 if kind == PAWN else 16) * 64**2 * 2)


def two_pieces(a: int, b: int, owner: int) -> Slice:
    own, other = LETTERS[a] + LETTERS[b] * (owner == FIRST), LETTERS[b] * (owner == SECOND)
    kings = 32 if b == PAWN else 16
    return Slice(12 * a + 2 * b + owner, f"K{own}-K{other}", kings * 64**3 * 2)


def kind_at(s: ChessState, piece: int) -> int:
    """The digit of a piece that is no king; of no piece 0."""
    if piece & s.pawns:
        return PAWN
    if piece & s.knights:
        return KNIGHT
    if piece & s.diagonal:
        return QUEEN if piece & s.straight else BISHOP
    return ROOK if piece & s.straight else NONE


def slice_of(s: ChessState) -> int:
    others = (s.mine | s.theirs) & ~s.kings
    lower = lowest(others)
    upper = others ^ lower
    if s.rights or s.drawn or others == 0 or upper & (upper - 1):
        return -1
    one, two = kind_at(s, lower), kind_at(s, upper)
    a, b = max(one, two), min(one, two)
    owner = SECOND if b and (lower & s.mine != 0) != (upper & s.mine != 0) else FIRST
    return -1 if a == b == PAWN and owner == SECOND else 12 * a + 2 * b + owner


def place_of(s: ChessState) -> int:
    """Its place; of no position, such as `state_at` answers, -1."""
    if s.kings == 0:
        return -1
    others = (s.mine | s.theirs) & ~s.kings
    a = lowest(others)
    b = others ^ a
    kind_a, kind_b = kind_at(s, a), kind_at(s, b)
    equal = kind_a == kind_b
    if kind_a < kind_b or (equal and a & s.mine == 0):  # the dearer first; of equals, the mover's
        a, b = b, a
    first = (a | (b if equal else a)) & s.mine != 0
    together = equal and (a & s.mine != 0) == (b & s.mine != 0)
    king, foe = s.kings & s.mine, s.kings & s.theirs
    if not first:
        king, foe, a, b = byteswap(foe), byteswap(king), byteswap(a), byteswap(b)
    if king & RIGHT_HALF:
        king, foe, a, b = mirrored(king), mirrored(foe), mirrored(a), mirrored(b)
    if king & UPPER_HALF and s.pawns == 0:
        king, foe, a, b = byteswap(king), byteswap(foe), byteswap(a), byteswap(b)
    if together and b & (a - 1):
        a, b = b, a
    k = position_of(king)
    place = ((k >> 3) * 4 + (k & 3)) * 64 + position_of(foe)
    place = place * 64 + position_of(a)
    if b:
        place = place * 64 + position_of(b)
    return 2 * place + (0 if first else 1)


def mirrored(cells: int) -> int:
    """Left and right exchanged."""
    return byteswap(reversed_bits(cells, 64))


def state_at(slice: int, place: int) -> ChessState:
    """No pieces at all where two would share a cell, a pawn cannot be, or who is not to move is in
    check.
    """
    kind_a, kind_b, owner = slice // 12, slice // 2 % 6, slice & 1
    second_moves, place = place & 1, place >> 1
    nothing = bit(0) ^ bit(0)
    b = nothing
    if kind_b:
        b, place = bit(place & 63), place >> 6
    a, foe, k = bit(place & 63), bit(place >> 6 & 63), place >> 12
    king = bit((k >> 2) * 8 + (k & 3))
    all_cells = king | foe | a | b
    apart = king != foe and a != b and a & (king | foe) == 0 and b & (king | foe) == 0
    pawns = (a if kind_a == PAWN else nothing) | (b if kind_b == PAWN else nothing)
    if not apart or pawns & (RANK_1 | RANK_8):
        return ChessState(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    mine = king | a | (b if owner == FIRST else nothing)
    s = ChessState(
        mine,
        all_cells ^ mine,
        pawns,
        (a if kind_a == KNIGHT else nothing) | (b if kind_b == KNIGHT else nothing),
        (a if kind_a in (BISHOP, QUEEN) else nothing) | (b if kind_b in (BISHOP, QUEEN) else nothing),
        (a if kind_a >= ROOK else nothing) | (b if kind_b >= ROOK else nothing),
        king | foe,
        nothing,
        0,
        0,
    )
    t = turned_over(s)
    if second_moves:
        s, t = t, s
    return ChessState(0, 0, 0, 0, 0, 0, 0, 0, 0, 0) if checkers(t) else s


def unmoves(s: ChessState, found: list[int]) -> None:
    """Moves of the other player that took nothing and made nothing of a pawn; his pawns came down."""
    taken = s.mine | s.theirs
    left = s.theirs
    while left:
        goal = lowest(left)
        left ^= goal
        starts = goal ^ goal
        if goal & s.pawns:
            starts |= goal << 8 & ~taken & ~RANK_8
            if goal & RANK_5 and starts:
                starts |= goal << 16 & ~taken
        if goal & s.knights:
            starts |= knight_attacks(goal)
        if goal & s.kings:
            starts |= king_attacks(goal)
        if goal & s.diagonal:
            starts |= diagonal_attacks(goal, taken)
        if goal & s.straight:
            starts |= straight_attacks(goal, taken)
        starts &= ~taken
        to = position_of(goal) << 6
        while starts:
            start = lowest(starts)
            starts ^= start
            found.append(position_of(start) | to)


def unplay(s: ChessState, unmove: int) -> ChessState:
    goal = bit(unmove >> 6)
    way = goal | bit(unmove & 63)
    none = goal ^ goal
    return turned_over(
        ChessState(
            s.mine,
            s.theirs ^ way,
            s.pawns ^ (way if s.pawns & goal else none),
            s.knights ^ (way if s.knights & goal else none),
            s.diagonal ^ (way if s.diagonal & goal else none),
            s.straight ^ (way if s.straight & goal else none),
            s.kings ^ (way if s.kings & goal else none),
            s.rights,
            s.mover,
            0,
        )
    )
