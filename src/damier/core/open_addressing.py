"""Open addressing with linear probing: where a code stands in a table of slots (D. E. Knuth, The
Art of Computer Programming, volume 3 [Knuth3], section 6.4). The one such loop of damier: positions
are numbered, counted (`search/running.py`) and solved (`solve/depth_first.py`) with it.

There are as many slots as a power of two, and some must be empty. A slot holds a code itself
(`damier.core.codes`), all of its words; or the number of one in a list of codes found, -1 where it is
empty.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from damier.core.arrays import IntArray, Ints, SmallIntArray, np
from damier.core.bits import fibonacci_slot
from damier.core.codes import code_at, code_room, is_code, put_code, word_of_code
from damier.core.compile import Bindings
from damier.core.rules import Key

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


# Positions numbered in order of discovery: what every table of positions is built on, in plain
# Python and compiled.
#
# Compiled, an index is (found, slots, filled): the codes in order, as `damier.core.codes` reads them;
# the number of the code of each slot, -1 where it is empty; how many. In plain Python it is (found,
# numbers): a list and a dictionary. An engine names the functions of this file;
# `NUMBERS_IN_DICTIONARY` binds them to those for plain Python.

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
    """Return how many codes have a number."""
    return int(index[2][0])


def has_room(index: Index, more: int) -> bool:
    """Return whether so many new codes fit."""
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


# Arrays of codes with NumPy, outside of engines: [codes] int64 where a code is one word, else
# [codes, words]. Engines get them `flat`, and read them with `damier.core.codes`.


def array_of(codes: Iterable[Key], words: int) -> IntArray:
    """Some codes of so many words."""
    return as_codes(np.array(list(codes), np.int64).reshape(-1), words)


def as_codes(flat_: IntArray, words: int) -> IntArray:
    """The codes that an engine wrote one after the other."""
    return flat_ if words == 1 else flat_.reshape(-1, words)


def flat(codes: IntArray) -> IntArray:
    """Return the words one after the other, as engines read them."""
    return codes.reshape(-1)


def code_of(codes: IntArray, number: int) -> Key:
    """Code number `number`."""
    return int(codes[number]) if codes.ndim == 1 else tuple(codes[number].tolist())


def sought(codes: IntArray, wanted: Key, low: int, high: int) -> int:
    """Return where a code stands, or would stand, among the ascending ones from number low up to high."""
    if codes.ndim == 1:
        return bisect_left(codes, wanted, low, high)
    return low + bisect_left(range(low, high), wanted, key=lambda number: code_of(codes, number))


def listed(codes: IntArray) -> Sequence[Key]:
    """All of them."""
    return codes.tolist() if codes.ndim == 1 else [tuple(words) for words in codes.tolist()]


def there(codes: IntArray) -> NDArray[np.bool_]:
    """Return which places of a table hold a code: else the first word is negative."""
    return (codes if codes.ndim == 1 else codes[:, 0]) >= 0


def ascending(codes: IntArray) -> IntArray:
    """The numbers of the codes in ascending order."""
    # the last of the words that lexsort is given is looked at first
    return np.argsort(codes) if codes.ndim == 1 else np.lexsort(codes.T[::-1])


def comparable(codes: IntArray) -> NDArray[np.generic]:
    """Return codes as an array of one dimension that can be searched and compared: of several words,
    each is a record of them.
    """
    if codes.ndim == 1:
        return codes
    record = np.dtype([(f"word{number}", codes.dtype) for number in range(codes.shape[1])])
    return np.ascontiguousarray(codes).view(record).reshape(-1)
