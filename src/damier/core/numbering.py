"""Positions numbered in order of discovery: what every table of positions is built on, in plain
Python and compiled.

Compiled, an index is (found, slots, filled): the codes in order, as `damier.core.codes` reads them;
the number of the code of each slot, -1 where it is empty; how many. In plain Python it is (found,
numbers): a list and a dictionary. An engine names the functions of this file;
`NUMBERS_IN_DICTIONARY` binds them to those for plain Python.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias, TypeVar, cast

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.codes import code_at, code_room, put_code
from damier.core.compile import Bindings
from damier.core.open_addressing import empty_slot_of_number, slot_of_number
from damier.core.rules import Key

PlainIndex: TypeAlias = tuple[list[Hashable], dict[Hashable, int]]
Code = TypeVar("Code", bound=Hashable)

Index: TypeAlias = tuple[IntArray, SmallIntArray, IntArray]
"""(found, slots, filled), as said above. In plain Python what `plain_index` makes stands for it."""

FULL = 0.7
"""The share of slots in use at which a compiled index is grown."""


def number_of(index: Index, wanted: Key) -> int:
    """The number of a code; a new one gets the next. The index must have room for it."""
    found, slots, filled = index
    slot = slot_of_number(slots, found, wanted)
    if slots[slot] < 0:
        slots[slot] = filled[0]
        put_code(found, filled[0], wanted)
        filled[0] += 1
    return int(slots[slot])


def number_if_known(index: Index, wanted: Key) -> int:
    """The number of a code, -1 if it has none."""
    found, slots, _filled = index
    return int(slots[slot_of_number(slots, found, wanted)])


def size(index: Index) -> int:
    """How many codes have a number."""
    return int(index[2][0])


def has_room(index: Index, more: int) -> bool:
    """Whether so many new codes fit."""
    found, slots, filled = index
    return bool(filled[0] + more <= code_room(found) and filled[0] + more <= FULL * len(slots))


def renumber(index: Index) -> None:
    """Enters the codes found so far into empty slots."""
    found, slots, filled = index
    for number in range(filled[0]):
        slots[empty_slot_of_number(slots, code_at(found, number))] = number


def plain_index(found: list[Code]) -> Index:
    """An index in plain Python, of the codes found so far; only the functions bound by
    `NUMBERS_IN_DICTIONARY` can read it.
    """
    return cast("Index", (found, {code: number for number, code in enumerate(found)}))


def number_in_dictionary(index: PlainIndex, wanted: Hashable) -> int:
    found, numbers = index
    number = numbers.setdefault(wanted, len(found))
    if number == len(found):
        found.append(wanted)
    return number


def known_in_dictionary(index: PlainIndex, wanted: Hashable) -> int:
    return index[1].get(wanted, -1)


def size_of_dictionary(index: PlainIndex) -> int:
    return len(index[0])


def always_room(index: PlainIndex, more: int) -> bool:
    return True


NUMBERS_IN_DICTIONARY: Bindings = {
    number_of: number_in_dictionary,
    number_if_known: known_in_dictionary,
    size: size_of_dictionary,
    has_room: always_room,
}
