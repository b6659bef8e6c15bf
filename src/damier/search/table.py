"""The transposition table: what a search found out about a position, for when it comes back by another way (R. D. Greenblatt, D. E. Eastlake
and S. D. Crocker, "The Greenblatt chess program", FJCC 1967).

A slot holds the last position that was sent there: its code, its worth to player 0, what that is (exact, or a bound), how many plies deep it
was searched, whether all of its lines came to an end of the game within them, and its best move. In plain Python the slots are a dictionary.

What is complete holds for every deeper search as well, and has one slot. What is not holds for its own depth only, and each depth has a slot
of its own: where a position comes back after a circle, what is known of it at one depth is not lost to another (docs/decisions/0024).
"""

from __future__ import annotations

from typing import Any

from damier.core.bits import fibonacci_slot
from damier.core.compile import Bindings
from damier.core.rules import State
from damier.search.counting import LIMITED, code

SLOTS = 1 << 20
AROUND = 15
"""A position has this many slots beside its first; of two depths that lie so far apart, the later one stays."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
COMPLETE = 4  # added: no line was cut off by the limit of plies, so that a deeper search finds the same
PLIES = 8  # the depth, times this
UNKNOWN = 1e300

BOTH = 3
MAX_CUTS, MIN_CUTS = 1, 2
"""Who cuts at equality too, as a set: nobody where pruning is strict, both where it is weak."""


def slot_of(first: int, plies: int) -> int:
    """The slot of a depth, near the first slot of its position."""
    return first ^ (1 + plies % AROUND)


def recall(table: Any, s: State, plies: int, alpha: float, beta: float, weak: int, count: Any) -> float:
    """What the table knows of `s`, if it settles a search of this depth between these bounds; else UNKNOWN."""
    codes, worths, facts, _moves = table
    wanted = code(s)
    first = fibonacci_slot(wanted, len(codes))
    if codes[first] == wanted:
        known = settled(worths[first], facts[first], plies, alpha, beta, weak, count)
        if known != UNKNOWN:
            return known
    slot = slot_of(first, plies)
    if codes[slot] != wanted:
        return UNKNOWN
    return settled(worths[slot], facts[slot], plies, alpha, beta, weak, count)


def settled(worth: float, fact: int, plies: int, alpha: float, beta: float, weak: int, count: Any) -> float:
    """`worth`, if what is known of it is enough; else UNKNOWN."""
    deep, complete, kind = fact // PLIES, fact & COMPLETE, fact & 3
    if plies != deep and not (complete and plies > deep):
        return UNKNOWN
    high = kind == AT_LEAST and (worth > beta or (weak & MAX_CUTS != 0 and worth == beta))
    low = kind == AT_MOST and (worth < alpha or (weak & MIN_CUTS != 0 and worth == alpha))
    if kind == EXACT or high or low:
        if not complete:
            count[LIMITED] += 1
        return worth
    return UNKNOWN


def fact_of(plies: int, complete: bool, worth: float, alpha: float, beta: float, weak: int) -> int:
    """What a search of this depth between these bounds says about the worth that it returned."""
    kind = EXACT
    if worth > beta or (weak & MAX_CUTS != 0 and worth == beta):
        kind = AT_LEAST
    elif worth < alpha or (weak & MIN_CUTS != 0 and worth == alpha):
        kind = AT_MOST
    return plies * PLIES + (COMPLETE if complete else 0) + kind


def store(table: Any, s: State, worth: float, fact: int, move: int) -> None:
    """Notes what was found out about `s`."""
    codes, worths, facts, moves = table
    wanted = code(s)
    slot = fibonacci_slot(wanted, len(codes))
    if fact & COMPLETE == 0:
        slot = slot_of(slot, fact // PLIES)
    codes[slot] = wanted
    worths[slot] = worth
    facts[slot] = fact
    moves[slot] = move


def best_known(table: Any, s: State, plies: int) -> int:
    """The best move of `s` in an earlier search of all its lines, of this depth, or of the one before; or 0."""
    codes, _worths, _facts, moves = table
    wanted = code(s)
    first = fibonacci_slot(wanted, len(codes))
    for slot in (first, slot_of(first, plies), slot_of(first, plies - 1)):
        if codes[slot] == wanted:
            return int(moves[slot])
    return 0


def recall_in_dictionary(table: Any, s: State, plies: int, alpha: float, beta: float, weak: int, count: Any) -> float:
    wanted = code(s)
    first = fibonacci_slot(wanted, SLOTS)
    for slot in (first, slot_of(first, plies)):
        found = table.get(slot)
        if found is not None and found[0] == wanted:
            known = settled(found[1], found[2], plies, alpha, beta, weak, count)
            if known != UNKNOWN:
                return known
    return UNKNOWN


def store_in_dictionary(table: Any, s: State, worth: float, fact: int, move: int) -> None:
    wanted = code(s)
    first = fibonacci_slot(wanted, SLOTS)
    table[first if fact & COMPLETE else slot_of(first, fact // PLIES)] = (wanted, worth, fact, move)


def best_in_dictionary(table: Any, s: State, plies: int) -> int:
    wanted = code(s)
    first = fibonacci_slot(wanted, SLOTS)
    for slot in (first, slot_of(first, plies), slot_of(first, plies - 1)):
        found = table.get(slot)
        if found is not None and found[0] == wanted:
            return int(found[3])
    return 0


def recall_nothing(table: Any, s: State, plies: int, alpha: float, beta: float, weak: int, count: Any) -> float:
    return UNKNOWN


def store_nothing(table: Any, s: State, worth: float, fact: int, move: int) -> None:
    return None


def best_unknown(table: Any, s: State, plies: int) -> int:
    return 0


PURE: Bindings = {recall: recall_in_dictionary, store: store_in_dictionary, best_known: best_in_dictionary}
NONE: Bindings = {recall: recall_nothing, store: store_nothing, best_known: best_unknown}


def empty(jit: bool, kept: bool) -> Any:
    """An empty table as the engines read it."""
    if not jit:
        return {}
    import numpy as np

    slots = SLOTS if kept else 1
    return (np.full(slots, -1, np.int64), np.zeros(slots, np.float64), np.zeros(slots, np.int64), np.zeros(slots, np.int64))
