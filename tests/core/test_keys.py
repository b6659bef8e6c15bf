"""States as one int, and back."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from damier import BadGame, Game
from damier.core.keys import default_bits, packer, unpacker, widths


@st.composite
def states(draw: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The bits of a state, and fields that fit them."""
    left, bits, fields = 62, [], []
    for _field in range(draw(st.integers(1, 8))):
        parts = []
        for _part in range(draw(st.integers(1, 4))):
            if left:
                width = draw(st.integers(1, left))
                left -= width
                parts.append(width)
        if not parts:
            break
        values = tuple(draw(st.integers(0, (1 << width) - 1)) for width in parts)
        flat = len(parts) == 1 and draw(st.booleans())
        bits.append(parts[0] if flat else tuple(parts))
        fields.append(values[0] if flat else values)
    return tuple(bits), tuple(fields)


@given(states())
def test_a_state_comes_back_from_its_key(state: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
    bits, fields = state
    k = packer(bits)(fields)
    assert 0 <= k < 1 << 62
    assert unpacker(bits, lambda *values: values)(k) == fields


@given(states(), st.data())
def test_a_field_that_does_not_fit_is_refused(
    state: tuple[tuple[Any, ...], tuple[Any, ...]], data: Any
) -> None:
    bits, fields = state
    index = data.draw(st.integers(0, len(fields) - 1))
    wrong = [1 << 62, -1]
    if isinstance(bits[index], tuple):
        part = data.draw(st.integers(0, len(bits[index]) - 1))
        wrong.append(1 << bits[index][part])
        replaced = [
            tuple(value if i == part else old for i, old in enumerate(fields[index])) for value in wrong
        ]
    else:
        wrong.append(1 << bits[index])
        replaced = list(wrong)
    for value in replaced:
        with pytest.raises(OverflowError, match="more bits"):
            packer(bits)((*fields[:index], value, *fields[index + 1 :]))


def test_the_first_field_takes_the_lowest_bits() -> None:
    assert packer((9, 9))((0b11, 0b101)) == 0b101_000000011
    assert packer((1, (3, 3)))((1, (0b010, 0b111))) == 0b111_010_1


def test_widths_and_defaults() -> None:
    assert widths((1, (3, 3), 2)) == (1, 3, 3, 2)
    assert default_bits((0, 0)) == (31, 31)
    assert default_bits((0, (0, 0, 0))) == (15, (15, 15, 15))
    assert default_bits((0,)) == (62,)


class Pair(NamedTuple):
    a: int
    b: tuple[int, int]


class One(NamedTuple):
    mover: int


def built(start: Any, **options: Any) -> Game:
    return Game("test", start, lambda s: 1, lambda s, move: s, lambda s: 0, mover=lambda s: 0, **options)


@pytest.mark.parametrize("bits", [(5000,), (0,), (-1,), (1, 1), (), ((1,),)])
def test_bits_that_do_not_fit_the_state_are_refused_when_the_game_is_built(bits: Any) -> None:
    with pytest.raises(BadGame, match="bits"):
        built(One(0), bits=bits)


@pytest.mark.parametrize("bits", [(1, 1), (1, (1,)), (1, (1, 1, 1)), ((1, 1), 1)])
def test_bits_of_tuples_must_have_their_shape(bits: Any) -> None:
    with pytest.raises(BadGame, match="bits"):
        built(Pair(0, (0, 0)), bits=bits)


def test_a_game_of_more_than_62_bits_has_keys_of_several_words() -> None:
    assert built(Pair(0, (0, 0)), bits=(62, (1, 1))).key_words == 2
    assert built(Pair(0, (0, 0)), bits=(60, (1, 1))).key_words == 1


@pytest.mark.parametrize("start", [(0, 0), 5, None, [0]])
def test_a_start_that_is_no_named_tuple_is_refused(start: Any) -> None:
    with pytest.raises(BadGame, match="NamedTuple"):
        built(start)
