"""Sets of bits of any width do compiled what ints do in plain Python."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from damier.core.bits import (
    bit,
    byteswap,
    highest,
    lowest,
    nth_bit,
    nth_position,
    popcount,
    position_of,
    reversed_bits,
    word_of,
)
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.rules import Field, as_state
from damier.core.wide import WORD, joined, machine_width, widened, words_of

BIG = 0x123456789ABCDEF0123456789ABCDEF


class Pair(NamedTuple):
    one: int
    two: int
    n: int


def mixed(s: Any) -> int:
    """Every operator, and a constant that no word holds."""
    x = (s.one & s.two | s.one ^ BIG) ^ (s.two >> s.n)
    x = x + (s.one & 0xFFFF) - (s.two & 0xFF) & s.one | (s.one << s.n & s.two)
    return x if s.one > s.two or s.one == s.two else ~x & s.one


def answers(fields: tuple[Field, ...], words: Any) -> int:
    """Writes what every function says of two sets; returns how much that is."""
    s = as_state(fields)
    x, n = s.one, s.n
    chosen = lowest(x) | bit(n) | highest(x) | nth_bit(x, 0)
    sets = (mixed(s), chosen, reversed_bits(x, 190), byteswap(x & s.two))
    place = 0
    for found in sets:
        for number in range(3):
            words[place] = word_of(found, number)
            place += 1
    words[place] = popcount(x)
    words[place + 1] = position_of(x)
    words[place + 2] = nth_position(x, popcount(x) - 1)
    words[place + 3] = x.bit_length()
    words[place + 4] = (x > s.two) + 2 * (x <= s.two) + 4 * (x != 0) + 8 * (not x) + 16 * bool(x & s.two)
    return place + 5


@functools.cache
def game() -> Game:
    return Game(
        "pair",
        Pair(1, 1, 0),
        lambda s: 1,
        lambda s, move: s,
        lambda s: 0,
        mover=lambda s: 0,
        bits=(190, 190, 8),
    )


@given(st.integers(1, (1 << 190) - 1), st.integers(0, WORD), st.integers(0, 189))
def test_compiled_sets_are_plain_ints(one: int, two: int, n: int) -> None:
    import numpy as np

    plain, compiled = [0] * 20, np.zeros(20, np.int64)
    fields = game().fields(Pair(one, two, n))
    written = instantiate(answers, game(), jit=False)(fields, plain)
    assert instantiate(answers, game(), jit=True)(fields, compiled) == written
    assert [said & WORD for said in plain] == [int(said) & WORD for said in compiled]


@given(st.integers(0, (1 << 256) - 1))
def test_words_are_joined_again(value: int) -> None:
    assert joined(words_of(value, 256)) == value


@pytest.mark.parametrize(
    ("bits", "most", "width"), [((9, 9), 62, 0), ((63,), 62, 64), ((9,), 65, 128), (((70, 3), 1), 9, 128)]
)
def test_a_game_has_one_width_for_all_that_is_wide(bits: Any, most: int, width: int) -> None:
    assert machine_width(bits, most) == width


def test_constants_beside_a_wide_one_are_wide() -> None:
    table = widened(((1, 1 << 70), (2, 3)), 128)
    assert table == ((1, 1 << 70), (2, 3))
    assert [[type(part).__name__ for part in row] for row in table] == [["int", "WideInt"]] * 2  # type: ignore[attr-defined]
    assert widened((1, 2), 128) == (1, 2)
