"""What the pieces of chess attack, by arithmetic on sets of cells: no tables.

Cells are numbered from the mover's own side, row by row and left to right: a1 is bit 0, h1 bit 7,
a8 bit 56 where White moves. Sliding pieces: on every line through a cell, the first piece on either
side is the lowest set bit above it and the highest below it, and one subtraction fills what lies
between (the "obstruction difference" of chessprogramming.org [Cpw]).
"""

from __future__ import annotations

from damier.core.bits import byteswap, highest, lowest, position_of

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
    """What a rook on `cell` sees where `taken` are occupied, the first piece on each side included."""
    n = position_of(cell)
    return seen_along(column_of(n), cell, taken) | seen_along(row_of(n), cell, taken)


def diagonal_attacks(cell: int, taken: int) -> int:
    """What a bishop on `cell` sees."""
    n = position_of(cell)
    return seen_along(rising(n), cell, taken) | seen_along(falling(n), cell, taken)


def seen_along(line: int, cell: int, taken: int) -> int:
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
