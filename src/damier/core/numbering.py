"""Positions numbered in order of discovery: what every table of positions is built on, in plain Python and compiled.

Compiled, an index is (found, slots, filled): the codes in order; the number of the code of each slot, -1 where it is empty; how many. In
plain Python it is (found, numbers): a list and a dictionary. An engine names the functions of this file; `NUMBERS_IN_DICTIONARY` binds
them to those for plain Python.
"""

from __future__ import annotations

from typing import Any

from damier.core.compile import Bindings
from damier.core.open_addressing import empty_slot, slot_of_number

FULL = 0.7
"""The share of slots in use at which a compiled index is grown."""


def number_of(index: Any, wanted: int) -> int:
    """The number of a code; a new one gets the next. The index must have room for it."""
    found, slots, filled = index
    slot = slot_of_number(slots, found, wanted)
    if slots[slot] < 0:
        slots[slot] = filled[0]
        found[filled[0]] = wanted
        filled[0] += 1
    return int(slots[slot])


def number_if_known(index: Any, wanted: int) -> int:
    """The number of a code, -1 if it has none."""
    found, slots, _filled = index
    return int(slots[slot_of_number(slots, found, wanted)])


def size(index: Any) -> int:
    """How many codes have a number."""
    return int(index[2][0])


def has_room(index: Any, more: int) -> bool:
    """Whether so many new codes fit."""
    found, slots, filled = index
    return bool(filled[0] + more <= len(found) and filled[0] + more <= FULL * len(slots))


def renumber(index: Any) -> None:
    """Enters the codes found so far into empty slots."""
    found, slots, filled = index
    for number in range(filled[0]):
        slots[empty_slot(slots, found[number])] = number


def number_in_dictionary(index: Any, wanted: Any) -> int:
    found, numbers = index
    number = numbers.setdefault(wanted, len(found))
    if number == len(found):
        found.append(wanted)
    return int(number)


def known_in_dictionary(index: Any, wanted: Any) -> int:
    return int(index[1].get(wanted, -1))


def size_of_dictionary(index: Any) -> int:
    return len(index[0])


def always_room(index: Any, more: int) -> bool:
    return True


NUMBERS_IN_DICTIONARY: Bindings = {
    number_of: number_in_dictionary,
    number_if_known: known_in_dictionary,
    size: size_of_dictionary,
    has_room: always_room,
}
