"""The dark squares of a draughts board as bits, and what a move of draughts is as one int.

The board is seen by the player to move, who moves up; it is turned round after every move. After
every second row one bit stays empty, so that up is `half` or `half` + 1 bits further from every
square, and a step over the edge meets no square. On 8 × 8, half = 4:

        31  32  33  34
      27  28  29  30            and on 10 × 10, half = 5:    44 …  up to 53
        22  23  24  25
      18  19  20  21
        13  14  15  16
       9  10  11  12
         4   5   6   7
       0   1   2   3            (to Black this is the board upside down: square 1 is bit 0)

A move is start | goal << 6 | (taken >> half) << 12: the bits of two squares, and the set of the
pieces that are jumped. Nothing on the first row can be jumped, so that 62 bits are enough for both
boards. Two ways to jump the same pieces from the same start to the same goal are one move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from damier.core.bits import bit, each, position_of, reversed_bits

FIELD = 63
"""The six bits of a square in a move."""


class DraughtsState(NamedTuple):
    mine: int  # pieces of the player to move, who moves up
    theirs: int
    kings: int  # those of both that are kings
    mover: int  # 0 who began: Black in English draughts, White in international draughts


class DraughtsMove(NamedTuple):
    """A move taken apart: two squares as numbers of bits, and a set of squares."""

    start: int
    goal: int
    taken: int


class DraughtsRules(NamedTuple):
    """What the variants of draughts are made of."""

    moves: Callable[[DraughtsState, list[int]], None]
    play: Callable[[DraughtsState, int], DraughtsState]
    outcome: Callable[[DraughtsState], int]


class DarkSquares(NamedTuple):
    """The squares of a board as wide as 2 × half squares.

    half     dark squares in a row
    bits     how many bits they take, the empty ones between them included
    numbers  how many squares there are, from square 1
    board    all squares
    crown    the far row, where a man becomes a king
    men      the squares of the men with which a player starts
    """

    half: int
    bits: int
    numbers: int
    board: int
    crown: int
    men: int

    def turned(self, pieces: int) -> int:
        """The same squares as the other player sees them."""
        return reversed_bits(pieces, self.bits)

    def bit_of(self, number: int) -> int:
        """The bit of a square by its number, as Black sees the board."""
        return number - 1 + (number - 1) // (2 * self.half)

    def number_of(self, place: int) -> int:
        """The number of the square of a bit, as Black sees the board."""
        return place + 1 - (place + 1) // (2 * self.half + 1)

    def numbers_of(self, pieces: int) -> list[int]:
        """The numbers of some squares, as Black sees the board."""
        return [self.number_of(position_of(piece)) for piece in each(pieces)]

    def cell_of(self, number: int) -> int:
        """The cell of a square on the board as it is printed, row by row from the top left."""
        row, place = divmod(number - 1, self.half)
        return row * 2 * self.half + 2 * place + (row % 2 == 0)

    def parts(self, move: int) -> DraughtsMove:
        return DraughtsMove(move & FIELD, move >> 6 & FIELD, move >> 12 << self.half)


def dark_squares(half: int) -> DarkSquares:
    """The squares of the board of 2 × half rows; each player starts with all but two rows of a half.

    >>> squares = dark_squares(4)
    >>> squares.numbers, squares.bits, squares.bit_of(9), squares.number_of(34), squares.cell_of(5)
    (32, 35, 9, 32, 8)
    """
    count = 2 * half * half
    places = [number + number // (2 * half) for number in range(count)]
    return DarkSquares(
        half,
        places[-1] + 1,
        count,
        sum(1 << place for place in places),
        sum(1 << place for place in places[-half:]),
        sum(1 << place for place in places[: half * (half - 1)]),
    )


def play_on(squares: DarkSquares) -> Callable[[DraughtsState, int], DraughtsState]:
    """The rule `play`, which all variants share: the board is turned round after the move."""
    half, bits, crown = squares.half, squares.bits, squares.crown

    def play(s: DraughtsState, move: int) -> DraughtsState:
        start, goal = bit(move & FIELD), bit(move >> 6 & FIELD)
        taken = move >> 12 << half
        crowned = goal if s.kings & start else goal & crown
        return DraughtsState(
            reversed_bits(s.theirs & ~taken, bits),
            reversed_bits(s.mine & ~start | goal, bits),
            reversed_bits(s.kings & ~(start | taken) | crowned, bits),
            1 - s.mover,
        )

    return play


def move_of(start: int, goal: int, taken: int, half: int) -> int:
    """A move from the square `start` to `goal`, each a set of one, over the pieces `taken`."""
    return position_of(start) | position_of(goal) << 6 | taken >> half << 12


def listed(move: int, found: list[int]) -> bool:
    """Whether a move has been found already."""
    for i in range(len(found)):  # noqa: SIM110  compiled, a list of moves knows no `in`
        if found[i] == move:
            return True
    return False


def paths(squares: DarkSquares, s: DraughtsState, move: int, flying: bool) -> Iterator[tuple[int, ...]]:
    """The ways that a move may go: start, every landing square of its jumps, goal, as bits."""
    start, goal, taken = squares.parts(move)
    free = squares.board & ~(s.mine | s.theirs) | 1 << start
    far = flying and bool(s.kings >> start & 1)
    stack: list[tuple[tuple[int, ...], int]] = [((start,), taken)]
    while stack:
        path, left = stack.pop()
        if not left and path[-1] == goal and len(path) > 1:
            yield path
        elif not taken:
            yield (start, goal)
        for over, landing in _jumps(squares, path[-1], left, free, far):
            stack.append(((*path, landing), left & ~over))


def _jumps(squares: DarkSquares, at: int, left: int, free: int, far: bool) -> Iterator[tuple[int, int]]:
    """What can be jumped from a square out of `left`, and where the piece may land."""
    for step in (-squares.half - 1, -squares.half, squares.half, squares.half + 1):
        place = _next(at, step, free) if far else at
        over = _square(place + step) & left
        landing = place + 2 * step
        while over and _square(landing) & free:
            yield over, landing
            landing = landing + step if far else -1


def _next(at: int, step: int, free: int) -> int:
    """The last free square on the way from `at`, or `at` itself."""
    while _square(at + step) & free:
        at += step
    return at


def _square(place: int) -> int:
    return 1 << place if place >= 0 else 0
