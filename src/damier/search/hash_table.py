"""The transposition table of a selective search: what it found out about a position, for when that comes
back by another way (R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, 1967 [Greenblatt67]; A. L.
Zobrist, "A new hashing method with application for game playing", 1970 [Zobrist70]).

One array of words, four to an entry: the code of the position plus 1 (0: nothing), the facts, the best
move, and what the position was judged at. Two entries make a bucket, one line of a processor's cache;
the one that is older, or was searched less deep, gives way. Threads share a table without locks: the
first word is written xor the other three, so that an entry of which two threads wrote a part each is
none (R. M. Hyatt and T. Mann, 2002 [HyattMann02]).

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
NOTHING = -1
"""No facts."""
UNJUDGED = 1 << 20
"""What a threatened position is judged at: it is not."""


def find(code: int, table: Ints) -> tuple[int, int, int]:
    """The facts of the entry of a position, its best move, and what it was judged at, read once; NOTHING, 0
    and UNJUDGED where there is none.
    """
    first = BUCKET * fibonacci_slot(code, BUCKETS)
    for place in (first, first + WORDS):
        facts, move, judged = int(table[place + FACTS]), int(table[place + MOVE]), int(table[place + JUDGED])
        if table[place] == sealed(code, facts, move, judged):
            return facts, move, judged
    return NOTHING, 0, UNJUDGED


def sealed(code: int, facts: int, move: int, judged: int) -> int:
    """The first word of an entry: where threads wrote several at once, it fits no position."""
    return (code + 1) ^ facts ^ move ^ judged


def value_in(facts: int) -> int:
    """The value of an entry, as `write` left it."""
    return (facts & 0xFFFF) - ZERO


def depth_in(facts: int) -> int:
    """How deep it was searched."""
    return facts >> DEPTH & 0xFF


def bound_in(facts: int) -> int:
    """UPPER, LOWER or EXACT."""
    return facts >> BOUND & 3


def complete_in(facts: int) -> bool:
    """Whether all lines came to an end of the game, and nothing was left out."""
    return facts >> COMPLETE & 1 != 0


def age_in(facts: int) -> int:
    """In which search it was written, of the last AGES."""
    return facts >> AGE


def place_for(code: int, age: int, table: Ints) -> tuple[int, int]:
    """Where a position is written: over its own entry, or over the one that is least worth keeping; and the
    move of its own entry, or 0.
    """
    first = BUCKET * fibonacci_slot(code, BUCKETS)
    for place in (first, first + WORDS):
        move = int(table[place + MOVE])
        if table[place] == sealed(code, int(table[place + FACTS]), move, int(table[place + JUDGED])):
            return place, move
    second = first + WORDS
    return first if keeps(first, age, table) <= keeps(second, age, table) else second, 0


def keeps(place: int, age: int, table: Ints) -> int:
    """How much an entry is worth keeping: those of this search first, then the deep ones."""
    facts = int(table[place + FACTS])
    return depth_in(facts) + (256 if age_in(facts) == age else 0)


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
    place, before = place_for(code, age, table)
    if move == 0:
        move = before
    whole = 1 if complete else 0
    facts = value + ZERO | depth << DEPTH | bound << BOUND | whole << COMPLETE | age << AGE
    table[place] = sealed(code, facts, move, judged)
    table[place + FACTS], table[place + MOVE], table[place + JUDGED] = facts, move, judged
