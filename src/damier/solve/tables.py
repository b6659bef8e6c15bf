"""Tables that engines look states up in: dictionaries in plain Python; open addressing, or sorted
keys, compiled.

An engine names the functions of this file; `PURE` binds them to a dictionary's own methods, and
compiled they are what they say. The compiled table is a tuple of arrays, `(keys, values, size)`:
keys, as `damier.core.codes` reads them, are -1 where a slot is empty; there are as many slots as a
power of two, and it must be grown before it fills up.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.codes import code_at, code_room, is_code, put_code
from damier.core.compile import Bindings
from damier.core.open_addressing import empty_slot_of_code, slot_of_code
from damier.core.rules import Key, State, key

ScoreTable: TypeAlias = tuple[IntArray, SmallIntArray, IntArray]
"""(keys, values, size), as said above. In plain Python what `plain_table` makes stands for it."""


def recall(table: ScoreTable, s: State, unknown: int) -> int:
    """What is stored for the state `s`, or `unknown`."""
    k = key(s)
    keys, values, _size = table
    slot = slot_of_code(keys, keys, k)
    return int(values[slot]) if code_at(keys, slot) == k else unknown


def store(table: ScoreTable, s: State, value: int) -> None:
    """Stores a value for a state that has none yet."""
    k = key(s)
    keys, values, filled = table
    slot = slot_of_code(keys, keys, k)
    put_code(keys, slot, k)
    values[slot] = value
    filled[0] += 1


def size(table: ScoreTable) -> int:
    """How many states have a value."""
    return int(table[2][0])


PURE: Bindings = {recall: dict.get, store: dict.__setitem__, size: len}


def plain_table(scores: dict[State, int]) -> ScoreTable:
    """A dictionary as a table; only the functions bound by `PURE` can read it."""
    return cast("ScoreTable", scores)


def store_checked(table: dict[State, int], s: State, value: int) -> None:
    """`store` for a user's game: its state must have a key, as it must compiled."""
    key(s)
    table[s] = value


CHECKED: Bindings = PURE | {store: store_checked}


def find(wanted: Key, keys: IntArray, low: int, many: int) -> int:
    """The index of the key `wanted` among the `many` ascending ones from keys[low]; of the next
    larger one, if it is not there.
    """
    while many > 0:
        half = many >> 1
        if code_at(keys, low + half) < wanted:
            low += half + 1
            many -= half + 1
        else:
            many = half
    return low


def rehash(keys: IntArray, values: SmallIntArray, new_keys: IntArray, new_values: SmallIntArray) -> None:
    """Moves every entry to larger arrays."""
    for old in range(code_room(keys)):
        if is_code(keys, old):
            slot = empty_slot_of_code(new_keys, code_at(keys, old))
            put_code(new_keys, slot, code_at(keys, old))
            new_values[slot] = values[old]


def empty_arrays(slots: int, words: int, dtype: str) -> tuple[IntArray, SmallIntArray]:
    """Keys of so many words, and values, of a table of `slots` entries, a power of two."""
    import numpy as np

    return np.full(slots * words, -1, np.int64), np.zeros(slots, dtype)
