"""Open addressing with linear probing: where a code stands in a table of slots (D. E. Knuth, The
Art of Computer Programming, volume 3 [Knuth3], section 6.4). The one such loop of damier: positions
are numbered (`numbering`), counted (`search.counting`) and solved (`solve.tables`) with it.

There are as many slots as a power of two, and some must be empty. A slot holds a code itself
(`damier.core.codes`), all of its words; or the number of one in a list of codes found, -1 where it is
empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from damier.core.arrays import Ints
from damier.core.bits import fibonacci_slot
from damier.core.codes import code_at, code_room, is_code, word_of_code
from damier.core.rules import Key

Room: TypeAlias = Callable[[Ints], int]
"""How many slots there are."""
Taken: TypeAlias = Callable[[Ints, int], bool]
"""Whether a slot holds something."""
SlotOf: TypeAlias = Callable[[Ints, Ints, Key], int]
"""slot_of(slots, found, wanted): the slot of a code, or the empty one where it would be entered."""
EmptySlot: TypeAlias = Callable[[Ints, Key], int]
"""empty_slot(slots, wanted): where a code that is not there yet is entered."""


def prober(room: Room, taken: Taken, code_of: Callable[[Ints, Ints, int], Key]) -> SlotOf:
    """`slot_of` of tables in which a slot that is taken stands for the code code_of(slots, found, slot)."""

    def slot_of(slots: Ints, found: Ints, wanted: Key) -> int:
        many = room(slots)
        slot = fibonacci_slot(word_of_code(wanted), many)
        while taken(slots, slot) and code_of(slots, found, slot) != wanted:
            slot = (slot + 1) & (many - 1)
        return slot

    return slot_of


def finder(room: Room, taken: Taken) -> EmptySlot:
    """`empty_slot` of such tables."""

    def empty_slot(slots: Ints, wanted: Key) -> int:
        many = room(slots)
        slot = fibonacci_slot(word_of_code(wanted), many)
        while taken(slots, slot):
            slot = (slot + 1) & (many - 1)
        return slot

    return empty_slot


def itself(slots: Ints, found: Ints, slot: int) -> Key:
    return code_at(slots, slot)


def numbered(slots: Ints, found: Ints, slot: int) -> Key:
    return code_at(found, slots[slot])


def numbers_room(slots: Ints) -> int:
    return len(slots)


def is_number(slots: Ints, slot: int) -> bool:
    return slots[slot] >= 0


slot_of_code = prober(code_room, is_code, itself)
slot_of_number = prober(numbers_room, is_number, numbered)
empty_slot_of_code = finder(code_room, is_code)
empty_slot_of_number = finder(numbers_room, is_number)
