"""The transposition table of a search to a given depth: what it found out about a position, for
when that comes back by another way.

A slot holds the last position that was sent there: its key, all words of it, a value to its mover,
what that is (exact, or a bound), how many plies deep it was searched, whether all of its lines came to
an end of the game within them, and its best move. In plain Python the slots are a dictionary.

What is complete holds for every deeper search as well, and has one slot. What is not holds for its
own depth only, and each depth has a slot of its own: where a position comes back after a circle,
what is known of it at one depth is not lost to another (docs/decisions/0024).
"""

from __future__ import annotations

from typing import TypeAlias, cast

from damier.core.arrays import FloatArray, IntArray
from damier.core.bits import fibonacci_slot
from damier.core.codes import code_at, put_code, word_of_code
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.rules import Key, State, key
from damier.search.counting import DEPTH_CUTOFFS, Counts
from damier.search.lookahead import fails_high, fails_low
from damier.search.minimax import INFINITY

SLOTS = 1 << 20
AROUND = 15
"""A position has this many slots beside its first; of two depths that lie so far apart, the later
one stays.
"""

EXACT, LOWER, UPPER = 0, 1, 2
COMPLETE = 4  # added: no line was cut off by the limit of plies, so that a deeper search finds the same
PLIES = 8  # the depth, times this

DepthTable: TypeAlias = tuple[IntArray, FloatArray, IntArray, IntArray]
"""(codes, values, kinds, moves), each [SLOTS]: the key of the position, as `damier.core.codes` reads it; a
value; what it is, with the depth; the best move. In plain Python a `PlainTable` stands for it,
which only the functions bound by `PURE` can read.
"""

PlainTable: TypeAlias = dict[int, tuple[Key, tuple[float, int, int]]]
"""By slot: the key, and (value, kind, move)."""


def slot_of(home: int, plies: int) -> int:
    """The slot of a depth, near the home of its position."""
    return home ^ (1 + plies % AROUND)


def probe(
    s: State, plies: int, low: float, high: float, ours: bool, theirs: bool, table: DepthTable, count: Counts
) -> tuple[float, float, int]:
    """The least and the most that `s` is worth to its mover, if that settles a search of this depth
    in this window; else nothing, and the hash move: the best one in an earlier search of all lines,
    of this depth, or of the one before; or 0.
    """
    wanted = key(s)
    home = fibonacci_slot(word_of_code(wanted), SLOTS)
    for slot in (home, slot_of(home, plies)):
        if is_there(table, slot, wanted):
            value, kind, _move = entry_at(table, slot)
            depth, complete = kind // PLIES, kind & COMPLETE != 0
            lower = -INFINITY if kind & UPPER else value
            upper = INFINITY if kind & LOWER else value
            holds = plies == depth or (complete and plies > depth)
            if holds and (lower == upper or fails_high(lower, high, ours) or fails_low(upper, low, theirs)):
                if not complete:
                    count[DEPTH_CUTOFFS] += 1
                return lower, upper, 0
    for slot in (home, slot_of(home, plies), slot_of(home, plies - 1)):
        if is_there(table, slot, wanted):
            return -INFINITY, INFINITY, entry_at(table, slot)[2]
    return -INFINITY, INFINITY, 0


def known(s: State, plies: int, table: DepthTable) -> tuple[float, float]:
    """The least and the most that the table alone knows `s` to be worth to its mover: nothing that holds at
    every depth, unless `bounds_table` is bound.
    """
    return -INFINITY, INFINITY


def store(
    s: State,
    plies: int,
    complete: bool,
    lower: float,
    upper: float,
    move: int,
    cost: int,
    table: DepthTable,
) -> None:
    """Notes what a search of this depth found out about `s`: its value, or one bound of it. The last one
    stays, whatever it cost (nodes).
    """
    wanted = key(s)
    home = fibonacci_slot(word_of_code(wanted), SLOTS)
    kind = EXACT if lower == upper else LOWER if upper == INFINITY else UPPER
    value = upper if kind == UPPER else lower
    write(
        table,
        home if complete else slot_of(home, plies),
        wanted,
        value,
        plies * PLIES + (COMPLETE if complete else 0) + kind,
        move,
    )


def is_there(table: DepthTable, slot: int, wanted: Key) -> bool:
    """Whether a slot holds the position of this key."""
    return code_at(table[0], slot) == wanted


def entry_at(table: DepthTable, slot: int) -> tuple[float, int, int]:
    """A value; what it is, with the depth; the best move."""
    return table[1][slot], table[2][slot], table[3][slot]


def write(table: DepthTable, slot: int, wanted: Key, value: float, kind: int, move: int) -> None:
    codes, values, kinds, moves = table
    put_code(codes, slot, wanted)
    values[slot] = value
    kinds[slot] = kind
    moves[slot] = move


def is_in_dictionary(table: PlainTable, slot: int, wanted: Key) -> bool:
    found = table.get(slot)
    return found is not None and found[0] == wanted


def entry_in_dictionary(table: PlainTable, slot: int) -> tuple[float, int, int]:
    return table[slot][1]


def write_to_dictionary(
    table: PlainTable, slot: int, wanted: Key, value: float, kind: int, move: int
) -> None:
    table[slot] = (wanted, (value, kind, move))


def nothing_known(
    s: State, plies: int, low: float, high: float, ours: bool, theirs: bool, table: DepthTable, count: Counts
) -> tuple[float, float, int]:
    return -INFINITY, INFINITY, 0


def nothing_kept(
    s: State,
    plies: int,
    complete: bool,
    lower: float,
    upper: float,
    move: int,
    cost: int,
    table: DepthTable,
) -> None:
    return None


PURE: Bindings = {is_there: is_in_dictionary, entry_at: entry_in_dictionary, write: write_to_dictionary}
NONE: Bindings = {probe: nothing_known, store: nothing_kept}


def empty(game: Game, jit: bool, kept: bool) -> DepthTable:
    """An empty table as the engines read it."""
    if not jit:
        return cast("DepthTable", PlainTable())
    import numpy as np

    slots = SLOTS if kept else 1
    return (
        np.full(slots * game.key_words, -1, np.int64),
        np.zeros(slots, np.float64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
    )
