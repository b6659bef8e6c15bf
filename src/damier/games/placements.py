"""Numbers for the ways to place equal pieces: the combinatorial number system (D. E. Knuth, The Art of
Computer Programming, volume 4A [Knuth4], section 7.2.1.3).

k pieces on the free cells c1 < c2 < … < ck, counted from 0, have the number
C(c1, 1) + C(c2, 2) + … + C(ck, k): all numbers below C(cells, k), each once.
"""

from __future__ import annotations

from damier.core.bits import lowest, nth_bit, popcount


def choose(n: int, k: int) -> int:
    """How many ways there are to choose k of n things. (Divisions by constants are quick.)

    >>> [choose(32, k) for k in range(7)]
    [1, 32, 496, 4960, 35960, 201376, 906192]
    """
    if k < 2:
        return n if k else 1
    if k == 2:
        return n * (n - 1) >> 1
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    ways, left, number = n * (n - 1) * (n - 2) * (n - 3) // 24, n - 4, 5
    while number <= k:
        ways = ways * left // number
        left, number = left - 1, number + 1
    return ways


def number_of_placement(pieces: int, free: int) -> int:
    """The number of a set of `pieces` among those of its size on the cells `free`.

    >>> [number_of_placement(pieces, 0b1110) for pieces in (0b0110, 0b1010, 0b1100)]
    [0, 1, 2]
    """
    total, k = 0, 1
    while pieces:
        piece = lowest(pieces)
        pieces ^= piece
        total += choose(popcount(free & piece - 1), k)
        k += 1
    return total


def placement(number: int, k: int, free: int) -> int:
    """The set of k pieces on the cells `free` that has this number.

    >>> [bin(placement(number, 2, 0b1110)) for number in range(3)]
    ['0b110', '0b1010', '0b1100']
    """
    pieces, cell = 0, popcount(free)
    while k > 0:
        cell = number if k == 1 else cell - 1
        while choose(cell, k) > number:
            cell -= 1
        number -= choose(cell, k)
        pieces |= nth_bit(free, cell)
        k -= 1
    return pieces
