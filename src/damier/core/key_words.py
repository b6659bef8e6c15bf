"""The key of a state that no word holds: a tuple of words of 62 bits, and back.

The bits of all fields lie one after the other, as in `keys`; the last word holds the lowest 62 of them,
and a field may begin in one word and end in the one before:

    State(mine, theirs), bits=(64, 64)       word 0: 4 bits     word 1: 60 | 2     word 2: 62

Words are never negative, and the highest bits come first: so keys are ordered as the one int that they
make would be, alike in plain Python and compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from damier.core.keys import KEY_BITS, TOO_WIDE, Bits, widths
from damier.core.rules import Field, State
from damier.core.wide import as_wide, as_word, is_wide

Words: TypeAlias = tuple[int, ...]
Reader: TypeAlias = Callable[..., int]
"""Reads some bits of a state, or of a key."""
Fields: TypeAlias = Callable[[Words], tuple[Field, ...]]
"""The fields of a key, as far as they are read."""
Finder: TypeAlias = Callable[..., bool]
"""Whether something is wrong with a state."""


class Part(NamedTuple):
    """Some bits of one int of a state, which lie in one word of its key.

    `above`: how many bits of the int lie below them; `shift`: how many of the word.
    """

    word: int
    above: int
    shift: int
    bits: int

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1


class PackedInt(NamedTuple):
    """An int of a state: its field, its element where that is a tuple, its bits and their parts."""

    field: int
    element: int | None
    bits: int
    parts: tuple[Part, ...]


def words_needed(bits: Bits) -> int:
    """How many words hold the key of a state with fields of these bits.

    >>> words_needed((9, 9)), words_needed((64, 64))
    (1, 3)
    """
    return max(1, -(-sum(widths(bits)) // KEY_BITS))


def places(bits: Bits) -> Iterator[PackedInt]:
    """Where every int of a state lies."""
    begin, last = 0, words_needed(bits) - 1
    for field, width in enumerate(bits):
        for element, part in enumerate(width if isinstance(width, tuple) else (width,)):
            found = tuple(parts(begin, part, last))
            yield PackedInt(field, element if isinstance(width, tuple) else None, part, found)
            begin += part


def parts(begin: int, bits: int, last: int) -> Iterator[Part]:
    """The parts of an int whose lowest bit is number `begin` of a key that ends with word number `last`."""
    done = 0
    while done < bits:
        word, shift = divmod(begin + done, KEY_BITS)
        here = min(bits - done, KEY_BITS - shift)
        yield Part(last - word, done, shift, here)
        done += here


def packer(bits: Bits) -> Callable[[State], Words]:
    """`key`: raises OverflowError where a field is negative or needs more bits than it was given."""
    readers: list[Reader] = [_zero] * words_needed(bits)
    excess: Finder = _nowhere
    for place in places(bits):
        read = _field(place.field) if place.element is None else _element(place.field, place.element)
        excess = _beyond(excess, read, place.bits)
        for part in place.parts:
            readers[part.word] = _with_part(readers[part.word], read, part.above, part.mask, part.shift)
    packed = joined(readers)

    def key(s: State) -> Words:
        if excess(s):
            raise OverflowError(TOO_WIDE)
        return packed(s)

    return key


def unpacker(bits: Bits, make: Callable[..., State]) -> Callable[[Words], State]:
    """`unkey`: the state, built by `make(*fields)`."""
    fields: Fields = _nothing
    by_field: dict[int, list[Reader]] = {field: [] for field in range(len(bits))}
    for place in places(bits):
        value = _read_wide if is_wide(place.bits) else _read
        read: Reader = _zero
        for part in place.parts:
            read = value(read, part.word, part.shift, part.mask, part.above)
        by_field[place.field].append(read)
    for field, readers in by_field.items():  # a field may be a tuple of no ints
        fields = _append(fields, joined(readers) if isinstance(bits[field], tuple) else readers[0])

    def unkey(k: Words) -> State:
        return make(*fields(k))

    return unkey


def joined(readers: Sequence[Reader]) -> Callable[..., Words]:
    """What some functions of the same value answer, as a tuple; built of closures, so that the compiler
    unrolls it.
    """
    found: Callable[..., Words] = _nothing
    for reader in readers:
        found = _append(found, reader)
    return found


def _zero(s: State) -> int:
    return 0


def _nowhere(s: State) -> bool:
    return False


def _nothing(k: object) -> tuple[()]:
    return ()


def _field(field: int) -> Reader:
    def read(s: Sequence[int]) -> int:
        return s[field]

    return read


def _element(field: int, element: int) -> Reader:
    def read(s: Sequence[Sequence[int]]) -> int:
        return s[field][element]

    return read


def _with_part(before: Reader, read: Reader, above: int, mask: int, shift: int) -> Reader:
    def word(s: State) -> int:
        return before(s) | (as_word(read(s) >> above) & mask) << shift

    return word


def _beyond(before: Finder, read: Reader, bits: int) -> Finder:
    """Half of the shift, twice: one of all its bits is more than a compiled int has."""
    half, rest = bits // 2, bits - bits // 2

    def excess(s: State) -> bool:
        return before(s) or read(s) >> half >> rest != 0

    return excess


def _read(before: Reader, word: int, shift: int, mask: int, above: int) -> Reader:
    def value(k: Words) -> int:
        return before(k) | (k[word] >> shift & mask) << above

    return value


def _read_wide(before: Reader, word: int, shift: int, mask: int, above: int) -> Reader:
    def value(k: Words) -> int:
        return before(k) | as_wide(k[word] >> shift & mask) << above

    return value


def _append(before: Callable[..., tuple[Field, ...]], read: Callable[..., Field]) -> Callable[..., Words]:
    def append(k: object) -> tuple[Field, ...]:
        return before(k) + (read(k),)

    return append  # type: ignore[return-value]  # of fields as of words
