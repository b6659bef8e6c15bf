"""Open addressing with linear probing: where a code stands in a table of slots (D. E. Knuth, The
Art of Computer Programming, volume 3 [Knuth3], section 6.4). The one such loop of damier: positions
are numbered (`numbering`), counted (`search.counting`) and solved (`solve.tables`) with it.

A slot is empty where it is negative; there are as many slots as a power of two, and some must be
empty. What a slot holds is a code itself, or the number of one in a list of codes found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from damier.core.arrays import Ints
from damier.core.bits import fibonacci_slot

SlotOf: TypeAlias = Callable[[Ints, Ints, int], int]
"""slot_of(slots, found, wanted): the slot of a code, or the empty one where it would be entered."""


def prober(code_of: Callable[[Ints, int], int]) -> SlotOf:
    """`slot_of` of tables in which a slot that holds h stands for the code code_of(found, h)."""

    def slot_of(slots: Ints, found: Ints, wanted: int) -> int:
        slot = fibonacci_slot(wanted, len(slots))
        while slots[slot] >= 0 and code_of(found, slots[slot]) != wanted:
            slot = (slot + 1) & (len(slots) - 1)
        return slot

    return slot_of


def empty_slot(slots: Ints, wanted: int) -> int:
    """Where a code that is not there yet is entered."""
    slot = fibonacci_slot(wanted, len(slots))
    while slots[slot] >= 0:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


def itself(found: Ints, held: int) -> int:
    return held


def numbered(found: Ints, held: int) -> int:
    return int(found[held])


slot_of_code = prober(itself)
slot_of_number = prober(numbered)
