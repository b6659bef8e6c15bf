"""Lines on boards that have too many to list them: a line is found by shifting a whole set of stones
along it.

A line starts at its lowest bit, and its cells lie `step` bits apart; `starts` are the cells from which a
whole line fits the board. Where cell c is bit c, row by row, lines run right, down, or along one of the
diagonals.

    pairs = stones & stones >> step    fours = pairs & pairs >> 2 * step    fives = fours & fours >> step
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from damier.core.bits import popcount


class LineRules(NamedTuple):
    """What a game asks about the lines of its board."""

    is_made: Callable[[int], bool]
    """is_made(stones): whether they hold a whole line."""
    begun: Callable[[int, int], int]
    """begun(mine, theirs): lines that hold some of mine and none of theirs."""
    open_threats: Callable[[int, int], int]
    """open_threats(mine, theirs): lines that lack one of mine, and hold none of theirs."""


def line_rules(width: int, height: int, length: int) -> LineRules:
    """The rules for lines of `length` cells on a board of any size, row by row."""
    return lines_along(directions(width, height, length), length, (1 << width * height) - 1)


def lines_along(ways: Iterable[tuple[int, int]], length: int, board: int) -> LineRules:
    """The rules for lines of `length` cells; `ways` are their steps, each with where they start."""
    is_made: Callable[[int], bool] = _never
    begun: Callable[[int, int], int] = _none
    open_threats: Callable[[int, int], int] = _none
    for step, starts in ways:
        if not starts:
            continue
        is_made = _or_along(is_made, step, starts, length)
        begun = _and_begun(begun, step, starts, length, board)
        open_threats = _and_threats(open_threats, step, starts, length, board)
    return LineRules(is_made, begun, open_threats)


def directions(width: int, height: int, length: int) -> list[tuple[int, int]]:
    """How far apart the cells of a line are, and where lines start: right, down, both diagonals.

    >>> [(step, starts.bit_count()) for step, starts in directions(15, 15, 5)]
    [(1, 165), (15, 165), (16, 121), (14, 121)]
    """

    def starts(columns: range, rows: range) -> int:
        return sum(1 << row * width + column for row in rows for column in columns)

    every_row, every_column = range(height), range(width)
    high, left, right = range(height - length + 1), range(width - length + 1), range(length - 1, width)
    return [
        (1, starts(left, every_row)),
        (width, starts(every_column, high)),
        (width + 1, starts(left, high)),
        (width - 1, starts(right, high)),
    ]


def _never(stones: int) -> bool:
    return False


def _none(mine: int, theirs: int) -> int:
    return 0


def _or_along(before: Callable[[int], bool], step: int, starts: int, length: int) -> Callable[[int], bool]:
    held: Callable[[int], int] = _all
    known = 1  # from each cell of `held` on, so many cells are held
    while 2 * known < length:
        held, known = _and_further(held, known * step), 2 * known
    held = _and_further(held, (length - known) * step)

    def is_made(stones: int) -> bool:
        return held(stones) & starts != 0 or before(stones)

    return is_made


def _all(stones: int) -> int:
    return stones


def _and_further(before: Callable[[int], int], places: int) -> Callable[[int], int]:
    def held(stones: int) -> int:
        found = before(stones)
        return found & found >> places

    return held


def _and_begun(
    before: Callable[[int, int], int], step: int, starts: int, length: int, board: int
) -> Callable[[int, int], int]:
    def begun(mine: int, theirs: int) -> int:
        without, some = starts & ~theirs, starts & mine
        for cell in range(1, length):
            without &= ~(theirs >> cell * step)
            some |= starts & mine >> cell * step
        return popcount(without & some & board) + before(mine, theirs)

    return begun


def _and_threats(
    before: Callable[[int, int], int], step: int, starts: int, length: int, board: int
) -> Callable[[int, int], int]:
    def open_threats(mine: int, theirs: int) -> int:
        without = starts & ~theirs
        all_so_far, all_but_one = starts & mine, starts & ~mine
        for cell in range(1, length):
            without &= ~(theirs >> cell * step)
            held = mine >> cell * step
            all_but_one = all_but_one & held | all_so_far & ~held
            all_so_far &= held
        return popcount(without & all_but_one & board) + before(mine, theirs)

    return open_threats
