"""The slices of draughts: the same men and kings on both sides, whoever is to move (Jonathan Schaeffer
and others, "Checkers is solved", 2007 [Schaeffer07]).

A slice is KM-K: first the side with more men (of equals, more kings). Its number has four digits to
the base MOST + 1: men and kings of that side, men and kings of the other. A position is numbered as
its mover sees it, the board turned so that his men move up: by the men of both sides, each where a
man can stand, then by the kings on what is left. Where the sides differ, even places have the first
to move, odd ones the other. What is drawn by what was before has no place.
"""

from __future__ import annotations

from damier.core.bits import lowest, nth_bit, popcount, position_of, reversed_bits
from damier.core.hooks import Endgames, Slice
from damier.games.draughts_rules import FIELD, DarkSquares, DraughtsState, jumpers

MOST = 6
"""Pieces of the largest slice that has a number."""
DIGIT = MOST + 1


def endgames_on(squares: DarkSquares) -> Endgames[DraughtsState]:
    """The slices on these squares; with un-moves where kings go one step."""
    half, bits, board, black = squares.half, squares.bits, squares.board, squares.black
    for_men, for_foes = board & ~squares.crown[black], board & ~squares.crown[1 - black]
    room = popcount(for_men)

    def slice_of(s: DraughtsState) -> int:
        men, foes = s.mine & ~s.kings, s.theirs & ~s.kings
        if s.drawn or s.mine == 0 or s.theirs == 0 or popcount(s.mine | s.theirs) > MOST:
            return -1
        ours = popcount(men) * DIGIT + popcount(s.mine & s.kings)
        others = popcount(foes) * DIGIT + popcount(s.theirs & s.kings)
        return max(ours, others) * DIGIT * DIGIT + min(ours, others)

    def place_of(s: DraughtsState) -> int:
        if s.mine == 0:
            return -1
        mine, theirs, crowned = s.mine, s.theirs, s.kings
        if s.mover != black:
            mine, theirs, crowned = turned(mine), turned(theirs), turned(crowned)
        men, kings = mine & ~crowned, mine & crowned
        foes, others = theirs & ~crowned, theirs & crowned
        free = board & ~(men | foes)
        number = number_of_placement(men, for_men)
        number = number * choose(room, popcount(foes)) + number_of_placement(foes, for_foes)
        number = number * choose(popcount(free), popcount(kings)) + number_of_placement(kings, free)
        free &= ~kings
        number = number * choose(popcount(free), popcount(others)) + number_of_placement(others, free)
        first = popcount(men) * DIGIT + popcount(kings)
        second = popcount(foes) * DIGIT + popcount(others)
        return number if first == second else 2 * number + (first < second)

    def turned(pieces: int) -> int:
        return reversed_bits(pieces, bits)

    def state_at(slice: int, place: int) -> DraughtsState:
        """No pieces at all where men of both sides would share a square."""
        first, second = slice // (DIGIT * DIGIT), slice % (DIGIT * DIGIT)
        if first != second:
            if place & 1:
                first, second = second, first
            place >>= 1
        a, b, x, d = first // DIGIT, first % DIGIT, second // DIGIT, second % DIGIT
        left = popcount(board) - a - x
        ways_d, ways_b, ways_x = choose(left - b, d), choose(left, b), choose(room, x)
        others_at, place = place % ways_d, place // ways_d
        kings_at, place = place % ways_b, place // ways_b
        men = placement(place // ways_x, a, for_men)
        foes = placement(place % ways_x, x, for_foes)
        if men & foes:
            return DraughtsState(0, 0, 0, black, 0)
        free = board & ~(men | foes)
        kings = placement(kings_at, b, free)
        others = placement(others_at, d, free & ~kings)
        return DraughtsState(men | kings, foes | others, kings | others, black, 0)

    def unmoves(s: DraughtsState, found: list[int]) -> None:
        """Steps of the other player, who had nothing to take before."""
        free, kings = board & ~(s.mine | s.theirs), s.theirs & s.kings
        up = s.theirs if s.mover != black else kings
        down = kings if s.mover != black else s.theirs
        for step in (half, half + 1):
            left = up & free << step
            while left:
                goal = lowest(left)
                left ^= goal
                take_back(s, goal, goal >> step, free, found)
            left = down & free >> step
            while left:
                goal = lowest(left)
                left ^= goal
                take_back(s, goal, goal << step, free, found)

    def take_back(s: DraughtsState, goal: int, start: int, free: int, found: list[int]) -> None:
        """Notes the way of a piece from `start` to `goal`, if it was free to go it."""
        pieces, free = s.theirs ^ goal ^ start, free ^ goal ^ start
        kings = pieces & (s.kings | start if goal & s.kings else s.kings)
        up = pieces if s.mover != black else kings
        down = kings if s.mover != black else pieces
        if jumpers(s.mine, free, up, down, half) == 0:
            found.append(position_of(start) | position_of(goal) << 6)

    def unplay(s: DraughtsState, unmove: int) -> DraughtsState:
        start, goal = 1 << (unmove & FIELD), 1 << (unmove >> 6)
        kings = s.kings ^ goal ^ start if s.kings & goal else s.kings
        return DraughtsState(s.theirs ^ goal ^ start, s.mine, kings, 1 - s.mover, 0)

    def stages(pieces: int) -> list[list[Slice]]:
        return [
            slices_with(number, men, squares.numbers, room)
            for number in range(2, pieces + 1)
            for men in range(number + 1)
        ]

    return Endgames(
        stages,
        slice_of,
        place_of,
        state_at,
        None if squares.flying else unmoves,
        None if squares.flying else unplay,
        most_pieces=MOST,
    )


def slices_with(pieces: int, men: int, cells: int, room: int) -> list[Slice]:
    """The slices with so many pieces, so many of them men: no move leads from one to another."""
    found = []
    for a in range(men, -1, -1):
        for b in range(pieces - men, -1, -1):
            x, d = men - a, pieces - men - b
            first, second = a * DIGIT + b, x * DIGIT + d
            if first >= second > 0:
                left = cells - a - x
                ways = choose(room, a) * choose(room, x) * choose(left, b) * choose(left - b, d)
                places = ways if first == second else 2 * ways
                name = f"{'K' * b}{'M' * a}-{'K' * d}{'M' * x}"
                found.append(Slice(first * DIGIT * DIGIT + second, name, places))
    return found


# Numbers for the ways to place equal pieces: the combinatorial number system (D. E. Knuth, The Art of
# Computer Programming, volume 4A [Knuth4], section 7.2.1.3).
#
# k pieces on the free cells c1 < c2 < … < ck, counted from 0, have the number
# C(c1, 1) + C(c2, 2) + … + C(ck, k): all numbers below C(cells, k), each once.


def choose(n: int, k: int) -> int:
    """Return how many ways there are to choose k of n things. (Divisions by constants are quick.)

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
