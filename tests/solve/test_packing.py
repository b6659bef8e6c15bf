"""Packed keys: the same keys again, wherever blocks and buffers end; every key is found, and no other."""

from __future__ import annotations

import random

import numpy as np
import pytest

from damier import load
from damier.core.arrays import IntArray
from damier.core.compile import instantiate
from damier.solve.packed_store import BLOCK, LONGEST, Packed, blocks_of, find_packed, pack, unpack

GAME = load("tictactoe")


def some_keys(many: int, seed: int) -> IntArray:
    """Ascending keys with differences of every length, from 1 to 62 bits."""
    rng = random.Random(seed)
    keys, key = [], rng.randrange(1 << 20)
    for _number in range(many):
        keys.append(key)
        key += 1 + rng.getrandbits(rng.choice([0, 1, 3, 7, 8, 14, 15, 21, 40]))
    return np.array(keys, np.int64)


def packed(keys: IntArray, room: int, index: int, jit: bool) -> Packed:
    """Packed with a buffer of so many bytes, and an index of so many blocks, at a time."""
    run = instantiate(pack, GAME, jit=jit)
    state = np.zeros(5, np.int64)
    parts, columns, done = [], [], 0
    while done < len(keys):
        buffer = np.empty(room, np.uint8)
        first_keys, places = np.empty(index, np.int64), np.empty(index, np.int64)
        before, done = done, int(run(keys, done, buffer, first_keys, places, state))
        assert done > before
        filled, blocks = int(state[2]), int(state[3])
        parts.append(buffer[:filled])
        columns.append((first_keys[:blocks], places[:blocks]))
        state[4] += filled
        state[2] = state[3] = 0
    first, places = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Packed(len(keys), first, places, np.concatenate(parts))


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("many", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK, 700])
@pytest.mark.parametrize(("room", "index"), [(LONGEST, 1), (57, 3), (1 << 16, 100)])
def test_keys_are_unpacked_as_they_were(many: int, room: int, index: int, jit: bool) -> None:
    keys = some_keys(many, many + room)
    found = packed(keys, room, index, jit)
    assert len(found.first_keys) == blocks_of(many)
    again = np.empty(many, np.int64)
    assert instantiate(unpack, GAME, jit=jit)(found.differences, found.first_keys, again) == len(
        found.differences
    )
    assert again.tolist() == keys.tolist()
    whole = packed(keys, 1 << 16, 100, False)
    assert [array.tolist() for array in found[1:4]] == [array.tolist() for array in whole[1:4]]


def test_the_largest_difference_takes_nine_bytes() -> None:
    keys = np.array([0, (1 << 62) + 5, (1 << 63) - 1], np.int64)
    found = packed(keys, 100, 1, True)
    assert len(found.differences) <= 2 * LONGEST
    again = np.empty(3, np.int64)
    instantiate(unpack, GAME, jit=True)(found.differences, found.first_keys, again)
    assert again.tolist() == keys.tolist()


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_every_key_is_found_where_it_stands_and_no_other(jit: bool) -> None:
    keys = some_keys(3 * BLOCK + 7, 1)
    table = packed(keys, 1 << 16, 100, True)
    there = {int(key): number for number, key in enumerate(keys)}
    asked = sorted({neighbour for key in there for neighbour in (key - 1, key, key + 1)} | {0, (1 << 62)})
    found = np.empty(len(asked), np.int64)
    run = instantiate(find_packed, GAME, jit=jit)
    run(np.array(asked, np.int64), table.first_keys, table.places, table.differences, 0, len(keys), found)
    assert found.tolist() == [there.get(key, -1) for key in asked]
    for key in asked:
        block = int(np.searchsorted(table.first_keys, key, "right")) - 1
        if block >= 0:
            place = table.place_in_block(key, block)
            assert (block * BLOCK + place if place >= 0 else -1) == there.get(key, -1)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_nothing_is_looked_for_beyond_the_last_difference(jit: bool) -> None:
    keys = some_keys(2 * BLOCK, 2)
    whole = packed(keys, 1 << 16, 100, True)
    run, wanted, found = instantiate(find_packed, GAME, jit=jit), keys[-1:] + 1, np.zeros(1, np.int64)
    for places in (whole.places, whole.places + 60, whole.places * 0 + len(whole.differences)):
        run(wanted, whole.first_keys, places, whole.differences, 0, 2 * BLOCK, found)
        assert found.tolist() == [-1]
        table = Packed(2 * BLOCK, whole.first_keys, places, whole.differences)
        assert table.place_in_block(int(wanted[0]), 1) == -1
