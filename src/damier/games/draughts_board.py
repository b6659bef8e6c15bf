"""The dark squares of a draughts board as bits, and what a move of draughts is as one int.

Black's men start on the lowest bits and move up. After every second row one bit stays empty, so that
up is `half` or `half` + 1 bits further from every square, and a step over the edge meets no square.
On 8 × 8, half = 4, with square 1 at the top left as it is printed:

         0   1   2   3          square  1 …       Black
       4   5   6   7                    5 …
         9  10  11  12                  9 …
      13  14  15  16                   13 …
        18  19  20  21                 17 …
      22  23  24  25                   21 …
        27  28  29  30                 25 …
      31  32  33  34                   29 …       White

A move is start | goal << 6 | (taken >> half) << 12: the bits of two squares, and the set of the
pieces that are jumped. Nothing on the first row can be jumped, so that 62 bits are enough for both
boards. Two ways to jump the same pieces from the same start to the same goal are one move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from damier.core.bits import bit, each, position_of

Variant: TypeAlias = Literal["english", "international"]

FIELD = 63
"""The six bits of a square in a move."""


class DraughtsState(NamedTuple):
    mine: int  # pieces of the player to move
    theirs: int
    kings: int  # those of both that are kings
    mover: int  # 0 who began: Black in English draughts, White in international draughts
    drawn: int  # 1: by what was before (`draughts_draws`)


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
    threatened: Callable[[DraughtsState], bool]


class DarkSquares(NamedTuple):
    """The squares of a board as wide as 2 × half squares.

    half     dark squares in a row
    flying   whether kings go any distance
    black    the number of the player who has the black pieces
    bits     how many bits they take, the empty ones between them included
    numbers  how many squares there are, from square 1
    board    all squares
    crown    where a man of each player becomes a king
    men      where the men of each player start
    """

    half: int
    flying: bool
    black: int
    bits: int
    numbers: int
    board: int
    crown: tuple[int, int]
    men: tuple[int, int]

    def bit_of(self, number: int) -> int:
        """The bit of a square by its number."""
        return number - 1 + (number - 1) // (2 * self.half)

    def number_of(self, place: int) -> int:
        """The number of the square of a bit."""
        return place + 1 - (place + 1) // (2 * self.half + 1)

    def numbers_of(self, pieces: int) -> list[int]:
        """The numbers of some squares."""
        return [self.number_of(position_of(piece)) for piece in each(pieces)]

    def cell_of(self, number: int) -> int:
        """The cell of a square on the board as it is printed, row by row from the top left."""
        row, place = divmod(number - 1, self.half)
        return row * 2 * self.half + 2 * place + (row % 2 == 0)

    def parts(self, move: int) -> DraughtsMove:
        return DraughtsMove(move & FIELD, move >> 6 & FIELD, move >> 12 << self.half)


def dark_squares(half: int, flying: bool, black: int) -> DarkSquares:
    """The squares of the board of 2 × half rows; the men of each player start on all but one row of
    a half.

    >>> squares = dark_squares(4, flying=False, black=0)
    >>> squares.numbers, squares.bits, squares.bit_of(9), squares.number_of(34), squares.cell_of(5)
    (32, 35, 9, 32, 8)
    """
    count, men = 2 * half * half, half * (half - 1)
    places = [1 << number + number // (2 * half) for number in range(count)]
    crowns = sum(places[-half:]), sum(places[:half])
    starts = sum(places[:men]), sum(places[-men:])
    if black == 1:
        crowns, starts = crowns[::-1], starts[::-1]
    return DarkSquares(half, flying, black, places[-1].bit_length(), count, sum(places), crowns, starts)


SQUARES: dict[Variant, DarkSquares] = {
    "english": dark_squares(4, flying=False, black=0),
    "international": dark_squares(5, flying=True, black=1),
}


def play_on(squares: DarkSquares) -> Callable[[DraughtsState, int], DraughtsState]:
    """The rule `play`, which all variants share."""
    half, (crown, other_crown) = squares.half, squares.crown

    def play(s: DraughtsState, move: int) -> DraughtsState:
        start, goal = bit(move & FIELD), bit(move >> 6 & FIELD)
        taken = move >> 12 << half
        crowned = goal if s.kings & start else goal & (crown if s.mover == 0 else other_crown)
        return DraughtsState(
            s.theirs & ~taken, s.mine & ~start | goal, s.kings & ~(start | taken) | crowned, 1 - s.mover, 0
        )

    return play


def move_of(start: int, goal: int, taken: int, half: int) -> int:
    """A move from the square `start` to `goal`, each a set of one, over the pieces `taken`."""
    return position_of(start) | position_of(goal) << 6 | taken >> half << 12


def listed(move: int, found: list[int], since: int) -> bool:
    """Whether a move is among those found from number `since` on."""
    for i in range(since, len(found)):  # noqa: SIM110  compiled, a list of moves knows no `in`
        if found[i] == move:
            return True
    return False


def paths(squares: DarkSquares, s: DraughtsState, move: int) -> Iterator[tuple[int, ...]]:
    """The ways that a move may go: start, every landing square of its jumps, goal, as bits."""
    start, goal, taken = squares.parts(move)
    free = squares.board & ~(s.mine | s.theirs) | 1 << start
    far = squares.flying and bool(s.kings >> start & 1)
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
