"""Where the checkers of both sides stand in backgammon with few of them, and one step of a checker.

A side is an int, 5 bits a checker, the hindmost first: its point, counted as by its owner.

    bits   0…4 hindmost   5…9   10…14 foremost      0 off, 1…24 points, 25 the bar

Both sides are one int, the mover's in the lower 15 bits. The opponent's point n is one's own 25 - n.
"""

from __future__ import annotations

POINTS, BAR, OFF, HOME = 24, 25, 0, 6
SLOTS, WIDTH = 3, 15  # checkers at most, and the bits that hold where they stand


def pack(one: int, two: int = OFF, three: int = OFF) -> int:
    """Three points as a field of a state.

    >>> pack(22, 24, 23) == 24 | 23 << 5 | 22 << 10
    True
    """
    high, low = max(one, two, three), min(one, two, three)
    return high | (one + two + three - high - low) << 5 | low << 10


def point_of(checkers: int, slot: int) -> int:
    """Where a checker stands; that of slot 0 has the longest way to go."""
    return checkers >> 5 * slot & 31


def count_at(checkers: int, point: int) -> int:
    """How many of the checkers stand on a point."""
    return (checkers & 31 == point) + (checkers >> 5 & 31 == point) + (checkers >> 10 == point)


def with_point(checkers: int, slot: int, point: int) -> int:
    """The checkers after one of them has gone to another point."""
    one, two, three = checkers & 31, checkers >> 5 & 31, checkers >> 10
    if slot == 0:
        return pack(point, two, three)
    return pack(one, point, three) if slot == 1 else pack(one, two, point)


def step(both: int, slot: int, die: int) -> int:
    """Both sides' checkers after one step of one checker, the mover's in the lower bits; 0 where it may
    not be made.
    """
    mine, theirs = both & (1 << WIDTH) - 1, both >> WIDTH
    point, hindmost = point_of(mine, slot), mine & 31
    if point == OFF or (hindmost == BAR and point != BAR):
        return 0
    goal = point - die
    if goal <= OFF:
        if hindmost > HOME or (goal < OFF and point != hindmost):
            return 0
        return with_point(mine, slot, OFF) | theirs << WIDTH
    blots = count_at(theirs, BAR - goal)
    if blots > 1:
        return 0
    if blots == 1:
        theirs = with_point(theirs, slot_at(theirs, BAR - goal), BAR)
    return with_point(mine, slot, goal) | theirs << WIDTH


def slot_at(checkers: int, point: int) -> int:
    """The slot of a checker that stands on a point."""
    return 0 if checkers & 31 == point else 1 if checkers >> 5 & 31 == point else 2


def standing(checkers: int) -> tuple[int, ...]:
    """Where the checkers stand that are not off, the hindmost first."""
    return tuple(point for slot in range(SLOTS) if (point := point_of(checkers, slot)) != OFF)
