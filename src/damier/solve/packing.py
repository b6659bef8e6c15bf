"""Ascending keys in little more than a byte each: blocks of differences.

A block is BLOCK keys, the last of a layer may have fewer. Its first key stands in an index beside the
place at which its differences begin; each further key is written as its difference from the one before,
less 1 (`damier.solve.leb128`). One block is decoded in less than a microsecond, so that a key is found by
a search in the index and a look at one block.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import IntArray, Ints
from damier.solve.leb128 import LONGEST, ByteArray, number_at, put_number

BLOCK = 128
"""Keys that are found by one look at the index: 16 bytes of it are 1/8 byte a key."""


def blocks_of(keys: int) -> int:
    """How many blocks so many keys take."""
    return -(-keys // BLOCK)


def pack(
    keys: IntArray, first: int, packed: ByteArray, first_keys: IntArray, places: IntArray, state: IntArray
) -> int:
    """Writes keys[first:], each larger than the one before, as far as `packed` and the index have
    room; returns where it stopped.

    state: keys so far, the last of them, bytes in `packed`, blocks in the index, bytes before `packed`.
    """
    count, before, filled, blocks, base = state[0], state[1], state[2], state[3], state[4]
    index = first
    while index < len(keys) and filled + LONGEST <= len(packed):
        key = keys[index]
        if count % BLOCK == 0:
            if blocks == len(first_keys):
                break
            first_keys[blocks] = key
            places[blocks] = base + filled
            blocks += 1
        else:
            filled = put_number(key - before - 1, packed, filled)
        before = key
        count += 1
        index += 1
    state[0], state[1], state[2], state[3] = count, before, filled, blocks
    return index


def unpack(packed: ByteArray, first_keys: IntArray, keys: IntArray) -> int:
    """Fills `keys` with those of the blocks whose first keys are given and whose differences begin at
    packed[0]; returns how many bytes they took. As many numbers as are needed must be there.
    """
    place, key = 0, 0
    for index in range(len(keys)):
        if index % BLOCK == 0:
            key = first_keys[index // BLOCK]
        else:
            difference, place = number_at(packed, place)
            key += difference + 1
        keys[index] = key
    return place


def place_of(
    wanted: int,
    block: int,
    first_keys: Ints,
    places: Ints,
    differences: ByteArray | bytes,
    base: int,
    count: int,
) -> int:
    """Where a key stands that could be in a block, of `count` packed keys; -1 where it is not there. The
    last difference ends with the last byte.
    """
    key, at = first_keys[block], places[block] - base
    place, stop = block * BLOCK, min(block * BLOCK + BLOCK, count)
    while key < wanted and place + 1 < stop and at < len(differences):
        difference, at = number_at(differences, at)
        key += difference + 1
        place += 1
    return place if key == wanted else -1


class Packed(NamedTuple):
    """Packed keys in memory; the differences of block i begin at differences[places[i] - base]."""

    keys: int
    first_keys: IntArray  # [blocks]
    places: IntArray  # [blocks]
    differences: ByteArray
    base: int = 0

    def place_in_block(self, wanted: int, block: int) -> int:
        """Where a key stands, counted from the first of its block; -1 where it is not there. In plain
        Python: some microseconds.
        """
        begin = int(self.places[block]) - self.base
        stop = int(self.places[block + 1]) - self.base if block + 1 < len(self.places) else None
        keys, differences = min(BLOCK, self.keys - block * BLOCK), self.differences[begin:stop].tobytes()
        return place_of(wanted, 0, [int(self.first_keys[block])], [0], differences, 0, keys)
