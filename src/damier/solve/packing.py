"""Ascending keys in little more than a byte each: blocks of differences.

A block is BLOCK keys, the last of a layer may have fewer. Its first key stands in an index beside the
place at which its differences begin; each further key is written as its difference from the one before,
less 1, seven bits a byte, the lowest first, the top bit set where more follow (LEB128). One block is
decoded in less than a microsecond, so that a key is found by a search in the index and a look at one
block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from damier.core.arrays import IntArray

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ByteArray: TypeAlias = "NDArray[np.uint8]"
"""Differences of keys, as they lie in a file."""

BLOCK = 128
"""Keys that are found by one look at the index: 16 bytes of it are 1/8 byte a key."""
LONGEST = 9
"""Bytes that a difference of 63 bits takes."""
MORE, LOW_BITS, BITS = 128, 127, 7


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
            difference = key - before - 1
            while difference > LOW_BITS:
                packed[filled] = (difference & LOW_BITS) | MORE
                difference >>= BITS
                filled += 1
            packed[filled] = difference
            filled += 1
        before = key
        count += 1
        index += 1
    state[0], state[1], state[2], state[3] = count, before, filled, blocks
    return index


def unpack(packed: ByteArray, first_keys: IntArray, keys: IntArray) -> int:
    """Fills `keys` with those of the blocks whose first keys are given and whose differences begin at
    packed[0]; returns how many bytes they took.
    """
    place, key = 0, 0
    for index in range(len(keys)):
        if index % BLOCK == 0:
            key = first_keys[index // BLOCK]
        else:
            byte = int(packed[place])
            difference, shift = byte & LOW_BITS, 0
            while byte >= MORE:
                place += 1
                shift += BITS
                byte = int(packed[place])
                difference |= (byte & LOW_BITS) << shift
            place += 1
            key += difference + 1
        keys[index] = key
    return place


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
        key, difference, shift, place = int(self.first_keys[block]), 0, 0, 0
        if key == wanted:
            return 0
        for byte in self.differences[begin:stop].tobytes():
            difference |= (byte & LOW_BITS) << shift
            if byte >= MORE:
                shift += BITS
                continue
            key += difference + 1
            place += 1
            if key >= wanted:
                return place if key == wanted else -1
            difference = shift = 0
        return -1
