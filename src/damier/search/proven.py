"""The table of an exact search: the least and the most that a position is worth to its mover, as far as that is proven, and the move to try first.

A slot is two words, which lie on one cache line; it holds the last position that was sent there, whatever it was:

    key + 1    0: empty               the move's number    most    least
                                                    6        16       16  bits

In plain Python the slots are a dictionary, with as many places, so that the same is forgotten.
"""

from __future__ import annotations

from typing import Any

from damier.core.bits import fibonacci_slot, position_of, prefetch
from damier.core.compile import Bindings
from damier.core.rules import State, key
from damier.core.score import TOP

WIDTH = 16
MASK = (1 << WIDTH) - 1
NOTHING = TOP + TOP << WIDTH
"""What is known of a position that is not there: at least a loss, at most a win, move number 0."""
SLOT_BYTES = 16
LEAST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 27


def announce(table: Any, s: State) -> None:
    """Says that the fact about `s` will be asked for soon."""
    prefetch(table, 2 * fibonacci_slot(key(s), len(table) >> 1))


def recall(table: Any, s: State) -> int:
    """The fact about `s`; NOTHING where there is none."""
    wanted = key(s)
    slot = 2 * fibonacci_slot(wanted, len(table) >> 1)
    return int(table[slot + 1]) if table[slot] == wanted + 1 else NOTHING


def store(table: Any, s: State, fact: int) -> None:
    """Notes a fact about `s`."""
    wanted = key(s)
    slot = 2 * fibonacci_slot(wanted, len(table) >> 1)
    table[slot] = wanted + 1
    table[slot + 1] = fact


def fact_of(least: int, most: int, move: int) -> int:
    """What a slot says: the bounds and the first move to try."""
    return (position_of(move) << WIDTH | most + TOP) << WIDTH | least + TOP


def least_of(fact: int) -> int:
    return (fact & MASK) - TOP


def most_of(fact: int) -> int:
    return (fact >> WIDTH & MASK) - TOP


def move_of(fact: int) -> int:
    return 1 << (fact >> 2 * WIDTH)


def move_over(table: Any, larger: Any) -> None:
    """Enters what is in one table into a larger one."""
    for slot in range(0, len(table), 2):
        if table[slot]:
            place = 2 * fibonacci_slot(table[slot] - 1, len(larger) >> 1)
            larger[place] = table[slot]
            larger[place + 1] = table[slot + 1]


class Slots(dict[int, tuple[int, int]]):
    """As many places as a table of arrays would have, in plain Python."""

    def __init__(self, places: int) -> None:
        super().__init__()
        self.places = places


def recall_in_slots(table: Slots, s: State) -> int:
    wanted = key(s)
    held, fact = table.get(fibonacci_slot(wanted, table.places), (-1, NOTHING))
    return fact if held == wanted else NOTHING


def announce_nothing(table: Slots, s: State) -> None:
    return None


def store_in_slots(table: Slots, s: State, fact: int) -> None:
    wanted = key(s)
    table[fibonacci_slot(wanted, table.places)] = (wanted, fact)


PURE: Bindings = {announce: announce_nothing, recall: recall_in_slots, store: store_in_slots}


def slots_within(memory: int) -> int:
    """The most slots, a power of two, that a budget in bytes holds beside a table half as large, from which it grew; within LEAST_SLOTS and MOST_SLOTS."""
    room = max(1, memory * 2 // 3 // SLOT_BYTES)
    return max(LEAST_SLOTS, min(MOST_SLOTS, 1 << (room.bit_length() - 1)))


def empty(jit: bool, slots: int) -> Any:
    """An empty table as the engines read it: pages that nothing was sent to take no memory yet."""
    if not jit:
        return Slots(slots)
    import numpy as np

    return np.zeros(2 * slots, np.int64)
