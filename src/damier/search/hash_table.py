"""The transposition table of a selective search: what it found out about a position, for when that comes
back by another way (R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, 1967 [Greenblatt67]; A. L.
Zobrist, "A new hashing method with application for game playing", 1970 [Zobrist70]).

One array of words, four to an entry: the code of the position plus 1 (0: nothing), the facts, the best
move, and what the position was judged at. Two entries make a bucket, one line of a processor's cache;
the one that is older, or was searched less deep, gives way.

    facts    value + 32768 (16 bits) | depth (8) | which bound (2) | complete (1) | age (6)

A code has 62 bits, compared in full. Of the 2^62 codes, 2^19 buckets leave 2^43 that share a bucket:
where another position lies there, it is taken for this one once in 4·10^12 questions. A best move is
played only if it is legal, so that such an error costs a wrong value, never a wrong move.
"""

from __future__ import annotations

from damier.core.arrays import Ints
from damier.core.bits import fibonacci_slot

BUCKETS = 1 << 19
WORDS = 4
BUCKET = 2 * WORDS
CODE, FACTS, MOVE, JUDGED = range(WORDS)

UPPER, LOWER, EXACT = 1, 2, 3
"""Which bound a value is: bits, so that `EXACT` is both."""

VALUE, DEPTH, BOUND, COMPLETE, AGE = 0, 16, 24, 26, 27
"""Where a fact begins in its word."""
ZERO = 1 << 15
AGES = 64
NOWHERE = -1


def find(code: int, table: Ints) -> int:
    """Where the entry of a position begins, or NOWHERE."""
    first = BUCKET * fibonacci_slot(code, BUCKETS)
    if table[first] == code + 1:
        return first
    return first + WORDS if table[first + WORDS] == code + 1 else NOWHERE


def value_at(place: int, table: Ints) -> int:
    """The value of an entry, as `to_table` left it."""
    return (int(table[place + FACTS]) & 0xFFFF) - ZERO


def depth_at(place: int, table: Ints) -> int:
    """How deep it was searched."""
    return int(table[place + FACTS]) >> DEPTH & 0xFF


def bound_at(place: int, table: Ints) -> int:
    """UPPER, LOWER or EXACT."""
    return int(table[place + FACTS]) >> BOUND & 3


def complete_at(place: int, table: Ints) -> bool:
    """Whether all lines came to an end of the game, and nothing was left out."""
    return int(table[place + FACTS]) >> COMPLETE & 1 != 0


def age_at(place: int, table: Ints) -> int:
    """In which search it was written, of the last AGES."""
    return int(table[place + FACTS]) >> AGE


def place_for(code: int, age: int, table: Ints) -> int:
    """Where a position is written: over its own entry, or over the one that is least worth keeping."""
    place = find(code, table)
    if place != NOWHERE:
        return place
    first = BUCKET * fibonacci_slot(code, BUCKETS)
    second = first + WORDS
    return first if keeps(first, age, table) <= keeps(second, age, table) else second


def keeps(place: int, age: int, table: Ints) -> int:
    """How much an entry is worth keeping: those of this search first, then the deep ones."""
    return depth_at(place, table) + (256 if age_at(place, table) == age else 0)


def write(
    code: int,
    depth: int,
    value: int,
    bound: int,
    complete: bool,
    move: int,
    judged: int,
    age: int,
    table: Ints,
) -> None:
    """Notes what was found out; the best move stays where none is known now."""
    place = place_for(code, age, table)
    if move != 0 or table[place] != code + 1:
        table[place + MOVE] = move
    table[place] = code + 1
    table[place + JUDGED] = judged
    whole = 1 if complete else 0
    table[place + FACTS] = value + ZERO | depth << DEPTH | bound << BOUND | whole << COMPLETE | age << AGE
