"""Codes of positions in arrays: what a table writes down to know a position again.

A code is the key of a state: one int below 2**62, or a tuple of words where a state needs more
(`key_words`). Compiled, a list of codes is an array of words, `code_words()` for each, and every one of
them is compared. In plain Python a list holds the codes as they are, whatever they are.

The functions are what they say for codes of one word; `of_words` binds them for codes of several.
Outside of engines, `code_arrays` goes over such arrays with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from damier.core.arrays import Ints
from damier.core.bits import mix64
from damier.core.key_words import Words, joined
from damier.core.rules import Key

Writer: TypeAlias = Callable[[Ints, int, Words], None]
Mixer: TypeAlias = Callable[[Words], int]
Sealer: TypeAlias = Callable[[Words, int], tuple[Words, int]]
"""The words of a code so far, sealed or open, and what the next one is xored with."""
FRACTION = (1 << 62) - 1


def code_words() -> int:
    """How many words of an array hold a code."""
    return 1


def code_room(codes: Ints) -> int:
    """How many codes an array holds, or has room for."""
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
    """Whether there is a code in a place: else its first word is negative."""
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
    """What stands for the functions of this file in compiled code, where a code has so many words."""
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
    """What stands for the functions of this file in plain Python: a code is one thing, whatever it is."""
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
