"""Codes of positions in arrays: what a table writes down to know a position again.

A code is the key of a state: one int below 2**62, or a tuple of words where a state needs more
(`key_words`). Compiled, a list of codes is an array of words, `code_words()` for each, and every one of
them is compared. In plain Python a list holds the codes as they are, whatever they are.

The functions are what they say for codes of one word; `of_words` binds them for codes of several.
Outside of engines, `core/open_addressing.py` goes over such arrays with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from damier.core.arrays import Ints
from damier.core.bits import mix64
from damier.core.keys import KEY_BITS, TOO_WIDE, Bits, widths
from damier.core.rules import Field, Key, State
from damier.core.wide import as_wide, as_word, is_wide

# The key of a state that no word holds: a tuple of words of 62 bits, and back.
#
# The bits of all fields lie one after the other, as in `keys`; the last word holds the lowest 62 of them,
# and a field may begin in one word and end in the one before:
#
#     State(mine, theirs), bits=(64, 64)       word 0: 4 bits     word 1: 60 | 2     word 2: 62
#
# Words are never negative, and the highest bits come first: so keys are ordered as the one int that they
# make would be, alike in plain Python and compiled.

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
    """Return how many words hold the key of a state with fields of these bits.

    >>> words_needed((9, 9)), words_needed((64, 64))
    (1, 3)
    """
    return max(1, -(-sum(widths(bits)) // KEY_BITS))


def places(bits: Bits) -> Iterator[PackedInt]:
    """Yield where every int of a state lies."""
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
        read = reader_of(place)
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
    """Return what some functions of the same value answer, as a tuple; built of closures, so that the
    compiler unrolls it.
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


def reader_of(place: PackedInt) -> Reader:
    """Return what reads an int of a state."""
    return field_reader(place.field) if place.element is None else _element(place.field, place.element)


def field_reader(field: int) -> Reader:
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


Writer: TypeAlias = Callable[[Ints, int, Words], None]
Mixer: TypeAlias = Callable[[Words], int]
Sealer: TypeAlias = Callable[[Words, int], tuple[Words, int]]
"""The words of a code so far, sealed or open, and what the next one is xored with."""
FRACTION = (1 << 62) - 1


def code_words() -> int:
    """Return how many words of an array hold a code."""
    return 1


def code_room(codes: Ints) -> int:
    """Return how many codes an array holds, or has room for."""
    return len(codes)


def code_at(codes: Ints, number: int) -> Key:
    """Code number `number` of a list."""
    return codes[number]


def code_from(words: Ints, place: int) -> Key:
    """The code whose first word lies in a place of an array that holds other words too."""
    return words[place]


def put_code_from(words: Ints, place: int, code: Key) -> None:
    """Writes a code there."""
    words[place] = code  # type: ignore[call-overload]  # as in `put_code`


def is_code(codes: Ints, number: int) -> bool:
    """Return whether there is a code in a place: else its first word is negative."""
    return codes[number] >= 0


def put_code(codes: Ints, number: int, code: Key) -> None:
    """Writes a code."""
    codes[number] = code  # type: ignore[call-overload]  # a tuple: in plain Python, or `of_words`


def word_of_code(code: Key) -> int:
    """One word, not negative, that tells most codes apart: what a table finds a place by."""
    return code  # type: ignore[return-value]  # a tuple is never met here: `of_words`


def sealed(code: Key, word: int) -> Key:
    """A code xor a word that is written beside it: so one can tell whether both were written together."""
    return word_of_code(code) ^ word


def unsealed(code: Key, word: int) -> Key:
    """The code that was sealed with a word."""
    return word_of_code(code) ^ word


def as_it_is(code: Key, word: int) -> Key:
    """`sealed` and `unsealed` in plain Python, where a code of several words is one thing."""
    return code


@cache
def of_words(words: int) -> dict[Callable[..., object], Callable[..., object]]:
    """Return what stands for the functions of this file in compiled code, where a code has so many words."""
    if words == 1:
        return {}
    write: Writer = _written
    mix: Mixer = _unmixed
    seal: Sealer = _none_sealed
    unseal: Sealer = _none_sealed
    for word in range(words):
        write, mix = _with_word(write, word), _mixed(mix, word)
        seal, unseal = _with_sealed(seal, word), _with_unsealed(unseal, word)
    read = joined([_word_at(word) for word in range(words)])

    def read_from(held: Ints, place: int) -> Words:
        return read((held, place))

    def read_at(codes: Ints, number: int) -> Words:
        return read((codes, number * words))

    def write_at(codes: Ints, number: int, code: Words) -> None:
        write(codes, number * words, code)

    def mixed(code: Words) -> int:
        return mix(code) & FRACTION

    def sealed_words(code: Words, word: int) -> Words:
        return seal(code, word)[0]

    def unsealed_words(code: Words, word: int) -> Words:
        return unseal(code, word)[0]

    def how_many() -> int:
        return words

    def room(codes: Ints) -> int:
        return len(codes) // words

    def holds_code(codes: Ints, number: int) -> bool:
        return codes[number * words] >= 0

    return {
        code_words: how_many,
        code_room: room,
        code_at: read_at,
        put_code: write_at,
        code_from: read_from,
        put_code_from: write,
        is_code: holds_code,
        word_of_code: mixed,
        sealed: sealed_words,
        unsealed: unsealed_words,
    }


def in_plain(words: int) -> dict[Callable[..., object], Callable[..., object]]:
    """Return what stands for the functions of this file in plain Python; there a code is one thing."""
    if words == 1:
        return {}
    return {word_of_code: of_words(words)[word_of_code], sealed: as_it_is, unsealed: as_it_is}


def _word_at(word: int) -> Callable[[tuple[Ints, int]], int]:
    def read(place: tuple[Ints, int]) -> int:
        return place[0][place[1] + word]

    return read


def _written(held: Ints, place: int, code: Words) -> None:
    return None


def _with_word(before: Writer, word: int) -> Writer:
    def write(held: Ints, place: int, code: Words) -> None:
        before(held, place, code)
        held[place + word] = code[word]

    return write


def _unmixed(code: Words) -> int:
    return 0


def _mixed(before: Mixer, word: int) -> Mixer:
    def mix(code: Words) -> int:
        return mix64(before(code) ^ code[word])

    return mix


def _none_sealed(code: Words, mask: int) -> tuple[Words, int]:
    return (), mask


def _with_sealed(before: Sealer, word: int) -> Sealer:
    """Each word is xored with a hash of the words before it: words of two codes make none together."""

    def seal(code: Words, mask: int) -> tuple[Words, int]:
        found, mask = before(code, mask)
        return found + (code[word] ^ mask,), mix64(mask ^ code[word])

    return seal


def _with_unsealed(before: Sealer, word: int) -> Sealer:
    def unseal(code: Words, mask: int) -> tuple[Words, int]:
        found, mask = before(code, mask)
        plain = code[word] ^ mask
        return found + (plain,), mix64(mask ^ plain)

    return unseal
