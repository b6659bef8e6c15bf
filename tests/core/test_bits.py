"""Bits, hashes and random numbers: published values, and the same in plain Python and compiled."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from damier import load
from damier.core import bits
from damier.core.bits import (
    byteswap,
    fibonacci_slot,
    highest,
    lowest,
    mix64,
    nth_bit,
    nth_position,
    popcount,
    position_of,
    prefetch,
    random_below,
    random_bit,
    random_unit,
    random_word,
    reseed,
    reversed_bits,
    seeded,
    word_of,
)
from damier.core.compile import instantiate

np = pytest.importorskip("numpy")

SPLITMIX_OF_1234567 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first outputs of splitmix64 for seed 1234567 (rosettacode.org, "Pseudo-random
numbers/Splitmix64").
"""

INT64 = st.integers(-(2**63) + 1, 2**63 - 1)
INTS = [
    0,
    1,
    2,
    3,
    5,
    2**31,
    2**32 + 1,
    2**61,
    2**62 - 1,
    2**62,
    2**63 - 1,
    -1,
    -2,
    -8,
    -(2**31),
    -(2**62),
    -(2**63) + 1,
    0x5555555555555555,
    123456789,
]


def test_random_words_are_the_top_53_bits_of_splitmix64() -> None:
    rng = [1234567]
    assert [random_word(rng) for _draw in SPLITMIX_OF_1234567] == [word >> 11 for word in SPLITMIX_OF_1234567]


def test_the_state_of_the_generator_is_one_word() -> None:
    rng = [bits.WORD]
    random_word(rng)
    assert rng == [bits.GOLDEN - 1]


def test_a_hash_is_the_finalizer_of_splitmix64_shifted_down() -> None:
    """The first output for a seed is the finalizer of seed + golden."""
    assert mix64(1234567 + bits.GOLDEN) == SPLITMIX_OF_1234567[0] >> 2


@given(INT64)
def test_a_hash_has_62_bits(word: int) -> None:
    assert 0 <= mix64(word) < 1 << 62


@given(st.integers(0, 2**62 - 1))
def test_bits_of_a_set(moves: int) -> None:
    assert popcount(moves) == bin(moves).count("1")
    if moves:
        assert lowest(moves) == 1 << position_of(moves)
        assert moves % (2 * lowest(moves)) == lowest(moves)


@given(st.integers(0, 2**63 - 1), st.integers(0, 10_000))
def test_streams_of_a_seed_differ_and_come_back(seed: int, stream: int) -> None:
    first, again, other, third = [0], [5], [0], [0]
    reseed(first, seed, stream)
    reseed(again, seed, stream)
    reseed(other, seed, stream + 1)
    reseed(third, seed + 1, stream)
    assert first == again
    assert len({first[0], other[0], third[0]}) == 3


def test_a_seed_of_numpy_is_the_number_that_it_is() -> None:
    """Libraries draw the seeds of their environments themselves."""
    for seed in (0, 3, -1, 2**62):
        assert seeded(np.int64(seed), 5) == seeded(seed, 5)
    assert seeded(np.uint8(200)) == seeded(200)
    with pytest.raises(TypeError):
        seeded(1.5)  # type: ignore[arg-type]


@given(st.integers(0, 2**63), st.integers(1, 2**31))
def test_a_number_below_n_is_below_n(seed: int, n: int) -> None:
    assert 0 <= random_below([seed], n) < n


def test_units_are_in_0_to_1_and_average_to_a_half() -> None:
    rng = [42]
    drawn = [random_unit(rng) for _draw in range(10_000)]
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert abs(sum(drawn) / len(drawn) - 0.5) < 4 * (1 / 12 / len(drawn)) ** 0.5


def test_each_bit_of_a_set_is_as_likely() -> None:
    rng, moves = [7], 0b1011000010000001
    drawn = Counter(random_bit(rng, moves) for _draw in range(12_000))
    assert sum(drawn) == moves
    assert all(abs(times - 2400) < 5 * (12_000 * 0.2 * 0.8) ** 0.5 for times in drawn.values())


# ------------------------------------------------------------------------------------------
# compiled


def all_of(word: Any) -> Any:
    return popcount(word), lowest(word), mix64(word), word.bit_count(), word.bit_length()


def place_of(word: Any) -> Any:
    return position_of(word)


def some_words(rng: Any, n: Any) -> Any:
    return [random_word(rng) for _draw in range(n)]


def first_word(rng: Any, seed: Any, stream: Any) -> Any:
    reseed(rng, seed, stream)
    return random_word(rng)


def below(rng: Any, n: Any) -> Any:
    return random_below(rng, n)


def numbered(bits: Any, n: Any) -> Any:
    return nth_bit(bits, n)


def placed(word: Any, slots: Any) -> Any:
    return fibonacci_slot(word, slots)


def fetched(words: Any, place: Any) -> Any:
    prefetch(words, place)
    return words[place]


def bit(rng: Any, bits: Any) -> Any:
    return random_bit(rng, bits)


def unit(rng: Any) -> Any:
    return random_unit(rng)


@pytest.fixture(scope="session")
def compiled() -> dict[str, Any]:
    """All of bits as machine code."""
    game = load("nim")
    engines = {
        "ints": all_of,
        "position": place_of,
        "numbered": numbered,
        "words": some_words,
        "seeded": first_word,
        "below": below,
        "bit": bit,
        "unit": unit,
    }
    engines |= {"placed": placed, "fetched": fetched}
    return {name: instantiate(engine, game, jit=True) for name, engine in engines.items()}


def test_every_function_that_exists_twice_is_tested() -> None:
    assert {
        *(highest, nth_position, reversed_bits, byteswap, word_of),  # test_wide_bits.py
        popcount,
        position_of,
        nth_bit,
        mix64,
        fibonacci_slot,
        prefetch,
        random_word,
        reseed,
    } == bits.COMPILED


def test_asking_memory_for_a_word_changes_nothing(compiled: dict[str, Any]) -> None:
    words = np.arange(1000, dtype=np.int64)
    for place in (0, 7, 999):
        assert compiled["fetched"](words, place) == fetched(list(words), place) == place
    assert (words == np.arange(1000)).all()


@pytest.mark.parametrize("word", INTS)
def test_bits_and_hashes_are_the_same_compiled(compiled: dict[str, Any], word: int) -> None:
    plain = (popcount(word), lowest(word), mix64(word), word.bit_count(), word.bit_length())
    assert compiled["ints"](word) == plain


@given(word=INT64, exponent=st.integers(1, 40))
def test_any_int_has_the_same_place_in_a_table_compiled(
    compiled: dict[str, Any], word: int, exponent: int
) -> None:
    place = fibonacci_slot(word, 1 << exponent)
    assert 0 <= place < 1 << exponent
    assert compiled["placed"](word, 1 << exponent) == place


@given(word=INT64)
def test_any_int_has_the_same_bits_and_hash_compiled(compiled: dict[str, Any], word: int) -> None:
    assert compiled["ints"](word) == (
        popcount(word),
        lowest(word),
        mix64(word),
        word.bit_count(),
        word.bit_length(),
    )
    if word:
        assert compiled["position"](word) == position_of(word)


@pytest.mark.parametrize("word", [word for word in INTS if word])
def test_the_position_of_a_bit_is_the_same_compiled(compiled: dict[str, Any], word: int) -> None:
    assert compiled["position"](word) == position_of(word)


@pytest.mark.parametrize("seed", [0, 1, 1234567, 2**63, 2**64 - 1])
def test_random_words_are_the_same_compiled(compiled: dict[str, Any], seed: int) -> None:
    rng, array = [seed], np.array([seed], np.uint64)
    assert compiled["words"](array, 50) == [random_word(rng) for _draw in range(50)]
    assert int(array[0]) == rng[0]


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (0, 1), (1, 0), (2**62, 5), (-1, 3), (123, 10**9)])
def test_streams_are_the_same_compiled(compiled: dict[str, Any], seed: int, stream: int) -> None:
    rng, array = [0], np.zeros(1, np.uint64)
    reseed(rng, seed, stream)
    assert compiled["seeded"](array, seed, stream) == random_word(rng)
    assert int(array[0]) == rng[0]


@pytest.mark.parametrize(
    ("kind", "plain", "argument"),
    [("below", random_below, 1000), ("bit", random_bit, 0b1011000010000001), ("bit", random_bit, 2**62 - 1)],
)
def test_draws_are_the_same_compiled(compiled: dict[str, Any], kind: str, plain: Any, argument: int) -> None:
    rng, array = [99], np.array([99], np.uint64)
    assert [compiled[kind](array, argument) for _draw in range(100)] == [
        plain(rng, argument) for _draw in range(100)
    ]


def test_units_are_the_same_compiled(compiled: dict[str, Any]) -> None:
    rng, array = [99], np.array([99], np.uint64)
    assert [compiled["unit"](array) for _draw in range(100)] == [random_unit(rng) for _draw in range(100)]


@given(st.integers(1, 2**62 - 1), st.data())
def test_nth_bit_is_the_nth_of_the_set_bits(compiled: dict[str, Any], word: int, data: st.DataObject) -> None:
    ones = [1 << place for place in range(62) if word >> place & 1]
    n = data.draw(st.integers(0, len(ones) - 1))
    assert nth_bit(word, n) == compiled["numbered"](word, n) == ones[n]
