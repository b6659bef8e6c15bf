"""The keys of states that no word holds: back from their words, alike plain and compiled, refused
where a field does not fit.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from lasting import shortly

from damier import load
from damier.core.arrays import Ints, ints
from damier.core.bits import reseed
from damier.core.codes import (
    code_at,
    code_words,
    of_words,
    packer,
    put_code,
    sealed,
    unpacker,
    unsealed,
    word_of_code,
    words_needed,
)
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.moves import random_move
from damier.core.rules import Field, State, as_state, key, unkey

GAMES = ["chess", "go:size=9", "othello", "draughts:variant=international", "hex", "mnk:width=9,height=9"]


@st.composite
def wide_states(draw: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The bits of a state, and fields that fit them."""
    bits, fields = [], []
    for _field in range(draw(st.integers(1, 6))):
        widths = draw(st.lists(st.integers(1, 200), min_size=1, max_size=4))
        values = tuple(draw(st.integers(0, (1 << width) - 1)) for width in widths)
        flat = len(widths) == 1 and draw(st.booleans())
        bits.append(widths[0] if flat else tuple(widths))
        fields.append(values[0] if flat else values)
    return tuple(bits), tuple(fields)


@given(wide_states())
def test_a_state_comes_back_from_its_words(state: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
    bits, fields = state
    words = packer(bits)(fields)
    assert len(words) == words_needed(bits)
    assert all(0 <= word < 1 << 62 for word in words)
    assert unpacker(bits, lambda *values: values)(words) == fields


@given(wide_states())
def test_a_field_that_is_too_wide_is_refused(state: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
    bits, fields = state
    first = fields[0]
    for wrong in (-1, 1 << 300):
        broken = (wrong, *first[1:]) if isinstance(first, tuple) else wrong
        with pytest.raises(OverflowError, match="more bits"):
            packer(bits)((broken, *fields[1:]))


def written_and_read(fields: tuple[Field, ...], codes: Ints, number: int) -> int:
    """Writes the code of a state, reads it back and writes what it says next to it."""
    put_code(codes, number, key(as_state(fields)))
    put_code(codes, number + 1, key(unkey(code_at(codes, number))))
    return word_of_code(code_at(codes, number + 1))


@pytest.mark.parametrize("text", shortly(GAMES, "mnk:width=9,height=9"))
def test_words_are_the_same_plain_and_compiled(text: str) -> None:
    game = load(text)
    run = instantiate(written_and_read, game, jit=True)
    words = game.key_words
    codes, rng, s = ints(2 * words, True), [0], game.start
    reseed(rng, 1, 1)
    for _ply in range(40):
        if game.over(s):
            break
        run(game.fields(s), codes, 0)
        wanted = as_words(game, s)
        assert [int(word) for word in codes] == [*wanted, *wanted]
        assert game.unkey(game.key(s)) == s
        s = game.play(s, random_move(rng, game.moves(s)))


def as_words(game: Game, s: State) -> tuple[int, ...]:
    key: Any = game.key(s)
    return key if isinstance(key, tuple) else (key,)


def test_how_many_words_a_code_has() -> None:
    def words() -> int:
        return code_words()

    assert instantiate(words, load("chess"), jit=True)() == load("chess").key_words > 1
    assert instantiate(words, load("hexapawn"), jit=True)() == 1


def test_a_field_may_be_a_tuple_of_nothing() -> None:
    bits, fields = (70, (), (3, 60)), (1 << 69, (), (5, 7))
    words = packer(bits)(fields)  # type: ignore[arg-type]
    assert unpacker(bits, lambda *values: values)(words) == fields  # type: ignore[arg-type, return-value]


WORD = st.integers(0, (1 << 62) - 1)


@given(st.lists(WORD, min_size=2, max_size=5), st.integers(1, (1 << 63) - 1))
def test_a_sealed_code_comes_back(code: list[int], entry: int) -> None:
    functions = of_words(len(code))
    held = functions[sealed](tuple(code), entry)
    assert held != tuple(code)
    assert functions[unsealed](held, entry) == tuple(code)


@given(st.tuples(WORD, WORD, WORD), st.tuples(WORD, WORD, WORD), st.integers(1, (1 << 63) - 1), WORD)
def test_words_of_two_codes_are_sealed_as_none(
    one: tuple[int, ...], other: tuple[int, ...], entry: int, difference: int
) -> None:
    """Also of two codes that were sealed with the same entry, whose words would else make a third code."""
    seal = of_words(3)[sealed]
    if one[0] == other[0] or one[1:] == other[1:]:
        return
    for entry_of_other in (entry, entry ^ difference | 1):
        first, second = seal(one, entry), seal(other, entry_of_other)
        torn = (first[0], *second[1:])  # type: ignore[index, misc]
        for code in (one, other, (one[0], *other[1:])):
            assert torn != seal(code, entry)
