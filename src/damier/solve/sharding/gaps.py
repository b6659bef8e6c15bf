"""Ascending keys as bytes, dealt to shards: what shards send each other, and keep.

A key belongs to the shard that a hash of it names. Of each shard the keys are written one after the
other, each as its difference from the one before, the first from 0 (`damier.solve.packed_store`):
two to three
bytes instead of eight. Whoever dealt the keys can put together again, in their order, what every shard
says of each of its own, since a shard keeps the order too: so an answer needs no keys.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.bits import mix64
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.solve.packed_store import ByteArray, bytes_of_number, number_at, put_number


class Gaps(NamedTuple):
    """So many ascending keys, as bytes."""

    keys: int
    packed: ByteArray


def shard_of(key: int, shards: int) -> int:
    """The shard that a key belongs to, of so many: fewer than 2**31."""
    return ((mix64(key) >> 30) * shards) >> 32


def measure(keys: IntArray, before: IntArray, counts: IntArray, sizes: IntArray) -> None:
    """Adds up how many of the keys each shard has, and how many bytes they take; `before`: zeros, and
    then the last key of each shard.
    """
    shards = len(counts)
    for index in range(len(keys)):
        key = keys[index]
        shard = shard_of(key, shards)
        gap = key - before[shard]
        before[shard] = key
        counts[shard] += 1
        sizes[shard] += bytes_of_number(gap)


def write_gaps(keys: IntArray, before: IntArray, places: IntArray, packed: ByteArray) -> None:
    """Writes each key to its shard's part of `packed`, which begins at places[shard]."""
    shards = len(places)
    for index in range(len(keys)):
        key = keys[index]
        shard = shard_of(key, shards)
        gap = key - before[shard]
        before[shard] = key
        places[shard] = put_number(gap, packed, places[shard])


def read_gaps(packed: ByteArray, keys: IntArray) -> None:
    """Fills `keys` with what `write_gaps` wrote for one shard."""
    place, key = 0, 0
    for index in range(len(keys)):
        gap, place = number_at(packed, place)
        key += gap
        keys[index] = key


def write_places(layer: IntArray, part: IntArray, places: IntArray) -> None:
    """places[i]: where part[i] stands in the layer; both ascend, and the layer has all of the part."""
    index = 0
    for which in range(len(part)):
        while layer[index] < part[which]:
            index += 1
        places[which] = index


def collect(keys: IntArray, places: IntArray, said: SmallIntArray, scores: SmallIntArray) -> None:
    """scores[i]: what the shard of keys[i] says of it; what shard t says begins at said[places[t]]."""
    shards = len(places)
    for index in range(len(keys)):
        shard = shard_of(keys[index], shards)
        scores[index] = said[places[shard]]
        places[shard] += 1


class Packer:
    """The engines of this file, for the keys of a game; compiled once for all games."""

    def __init__(self, game: Game) -> None:
        self._measure = instantiate(measure, game, jit=True)
        self._write = instantiate(write_gaps, game, jit=True)
        self._read = instantiate(read_gaps, game, jit=True)
        self._places = instantiate(write_places, game, jit=True)
        self._collect = instantiate(collect, game, jit=True)

    def deal(self, keys: IntArray, shards: int) -> list[Gaps]:
        """The keys of each shard."""
        import numpy as np

        counts, sizes = np.zeros(shards, np.int64), np.zeros(shards, np.int64)
        self._measure(keys, np.zeros(shards, np.int64), counts, sizes)
        ends = np.cumsum(sizes)
        places, packed = ends - sizes, np.empty(int(sizes.sum()), np.uint8)
        self._write(keys, np.zeros(shards, np.int64), places, packed)
        cuts = [0, *ends.tolist()]
        return [Gaps(int(counts[shard]), packed[cuts[shard] : cuts[shard + 1]]) for shard in range(shards)]

    def pack(self, keys: IntArray) -> Gaps:
        return self.deal(keys, 1)[0]

    def unpack(self, gaps: Gaps) -> IntArray:
        import numpy as np

        keys = np.empty(gaps.keys, np.int64)
        self._read(gaps.packed, keys)
        return keys

    def places(self, layer: IntArray, part: IntArray) -> Gaps:
        """Where the keys of a part stand in a layer, packed."""
        import numpy as np

        found = np.empty(len(part), np.int64)
        self._places(layer, part, found)
        return self.pack(found)

    def collected(self, keys: IntArray, said: list[SmallIntArray]) -> SmallIntArray:
        """What all shards say of ascending keys, in the order of the keys."""
        import numpy as np

        scores = np.empty(len(keys), said[0].dtype)
        places = np.cumsum([0, *(len(part) for part in said[:-1])])
        self._collect(keys, places.astype(np.int64), np.concatenate(said), scores)
        return scores
