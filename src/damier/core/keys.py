"""A state as one int below 2**62, and back, derived from the number of bits of each field.

The first field takes the lowest bits. A field that is a tuple lays its elements one after the
other:

    State(mine, theirs), bits=(9, 9)             theirs theirs | mine mine
    State(mover, piles), bits=(1, (3, 3))        piles[1] piles[0] | mover

Both functions are built from small closures, one a field, so that the compiler unrolls them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from damier.core.rules import Field, State
from damier.core.words import N_

Bits: TypeAlias = tuple["int | tuple[int, ...]", ...]
KEY_BITS = 62
TOO_WIDE = N_("a field of the state needs more bits than the game gives it")

Reader: TypeAlias = Callable[..., int]
"""Reads one field of a state, which the function that is made knows to be an int, or a tuple of
ints.
"""
Fields: TypeAlias = Callable[[int], tuple[Field, ...]]
"""The fields of a key, as far as they are read."""
Elements: TypeAlias = Callable[[int], tuple[int, ...]]
"""The ints of one field of a key."""
F = TypeVar("F", int, Field)


def widths(bits: Bits) -> tuple[int, ...]:
    """The bits of every int in a state, tuples laid flat."""
    return flat(bits)


def flat(fields: Iterable[Field]) -> tuple[int, ...]:
    """The ints of a state, those inside tuples included."""
    return tuple(value for field in fields for value in (field if isinstance(field, tuple) else (field,)))


def default_bits(start: State) -> Bits:
    """An equal share of the 62 bits for every int of the state `start`."""
    ints = sum(len(field) if isinstance(field, tuple) else 1 for field in start)
    share = KEY_BITS // max(ints, 1)
    return tuple((share,) * len(field) if isinstance(field, tuple) else share for field in start)


def packer(bits: Bits) -> Callable[[State], int]:
    """`key`: raises OverflowError where a field is negative or needs more bits than it was given."""
    packed: Reader = _zero
    excess: Reader = _zero
    shift = 0
    for field, width in enumerate(bits):
        if isinstance(width, tuple):
            for element, part in enumerate(width):
                packed, excess = (
                    _pack_element(packed, field, element, shift),
                    _excess_element(excess, field, element, part),
                )
                shift += part
        else:
            packed, excess = _pack_field(packed, field, shift), _excess_field(excess, field, width)
            shift += width

    def key(s: State) -> int:
        if excess(s):
            raise OverflowError(TOO_WIDE)
        return packed(s)

    return key


def unpacker(bits: Bits, make: Callable[..., State]) -> Callable[[int], State]:
    """`unkey`: the state, built by `make(*fields)`."""
    fields: Fields = _nothing
    shift = 0
    for width in bits:
        if isinstance(width, tuple):
            elements: Elements = _nothing
            for part in width:
                elements = _append_int(elements, shift, (1 << part) - 1)
                shift += part
            fields = _append_tuple(fields, elements)
        else:
            fields = _append_int(fields, shift, (1 << width) - 1)
            shift += width

    def unkey(k: int) -> State:
        return make(*fields(k))

    return unkey


def _zero(s: State) -> int:
    return 0


def _pack_field(before: Reader, field: int, shift: int) -> Reader:
    def pack(s: Sequence[int]) -> int:
        return before(s) | s[field] << shift

    return pack


def _pack_element(before: Reader, field: int, element: int, shift: int) -> Reader:
    def pack(s: Sequence[tuple[int, ...]]) -> int:
        return before(s) | s[field][element] << shift

    return pack


def _excess_field(before: Reader, field: int, width: int) -> Reader:
    def excess(s: Sequence[int]) -> int:
        return before(s) | s[field] >> width

    return excess


def _excess_element(before: Reader, field: int, element: int, width: int) -> Reader:
    def excess(s: Sequence[tuple[int, ...]]) -> int:
        return before(s) | s[field][element] >> width

    return excess


def _nothing(k: int) -> tuple[()]:
    return ()


def _append_int(
    before: Callable[[int], tuple[F, ...]], shift: int, mask: int
) -> Callable[[int], tuple[F, ...]]:
    def append(k: int) -> tuple[F, ...]:
        return before(k) + (k >> shift & mask,)

    return append


def _append_tuple(before: Fields, elements: Elements) -> Fields:
    def append(k: int) -> tuple[Field, ...]:
        return before(k) + (elements(k),)

    return append


# A tuple with one element changed, in plain Python and compiled: a state may hold tuples, and no
# rule can assign to one.
#
# The function is built from small closures, one an element, so that the compiler unrolls it.
#
# >>> changed = setter(3)
# >>> changed((7, 8, 9), 1, 5)
# (7, 5, 9)

Setter: TypeAlias = Callable[[tuple[int, ...], int, int], tuple[int, ...]]


def setter(length: int) -> Setter:
    """The function (tuple, index, value) -> tuple, for tuples of `length` ints; an index outside
    changes nothing.
    """
    changed: Setter = _no_elements
    for index in range(length):
        changed = _append(changed, index)
    return changed


def _no_elements(elements: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return ()


def _append(before: Setter, element: int) -> Setter:
    def append(elements: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
        return before(elements, index, value) + (value if index == element else elements[element],)

    return append
