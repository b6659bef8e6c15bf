"""Scores beside packed keys: a solution that is read from its file without being unpacked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.codes import code_at, word_of_code
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.rules import State, ply, unkey
from damier.core.score_table import TOPS, KeyTable
from damier.solve.leb128 import ByteArray
from damier.solve.packing import BLOCK, Packed, place_of, unpack


def fill_plies(keys: IntArray, plies: IntArray) -> None:
    """plies[i]: the ply of the position of key number i."""
    for index in range(len(plies)):
        plies[index] = ply(unkey(code_at(keys, index)))


def find_packed(
    wanted: IntArray,
    first_keys: IntArray,
    places: IntArray,
    differences: ByteArray,
    base: int,
    count: int,
    found: IntArray,
) -> None:
    """found[i]: where the key wanted[i] stands in a layer of `count` packed keys; -1 where it does not."""
    for number in range(len(wanted)):
        key = wanted[number]
        low, many = 0, len(first_keys)  # the first block that begins beyond the key
        while many > 0:
            half = many >> 1
            if first_keys[low + half] <= key:
                low += half + 1
                many -= half + 1
            else:
                many = half
        block = low - 1
        found[number] = -1
        if block >= 0:
            found[number] = place_of(key, block, first_keys, places, differences, base, count)


@dataclass
class PackedTable:
    """Scores in the order of packed keys, of a game whose keys are one word; the arrays lie in a file.

    Layer i is layers[i] with the scores [offsets[i]:offsets[i + 1]]. A game with one layer has all
    positions in it; else layer i holds those of ply first_ply + i.
    """

    game: Game
    layers: tuple[Packed, ...]
    scores: SmallIntArray
    offsets: tuple[int, ...]
    first_ply: int = 0

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def top(self) -> int:
        return TOPS[self.scores.dtype.itemsize]

    def key_table(self, game: Game) -> KeyTable[int]:
        """All keys unpacked: eight bytes each."""
        import numpy as np

        run = instantiate(unpack, game, jit=True)
        keys = np.empty(len(self), np.int64)
        for layer, begin in zip(self.layers, self.offsets, strict=False):
            run(layer.differences, layer.first_keys, keys[begin : begin + layer.keys])
        return KeyTable(game, keys, self.scores, self.offsets, self.first_ply)

    def searchable(self, game: Game) -> PackedTable:
        return self

    def score(self, s: State) -> int:
        """Raises KeyError for a state that it does not hold."""
        number = self.game.ply(s) - self.first_ply if len(self.layers) > 1 else 0
        if 0 <= number < len(self.layers):
            layer, wanted = self.layers[number], word_of_code(self.game.key(s))
            block = bisect_right(layer.first_keys, wanted) - 1
            place = layer.place_in_block(wanted, block) if block >= 0 else -1
            if place >= 0:
                return int(self.scores[self.offsets[number] + block * BLOCK + place])
        raise KeyError(s)

    def scores_of(self, keys: IntArray) -> SmallIntArray:
        """The scores of an array of keys.

        Raises KeyError, with the first key that it does not hold.
        """
        import numpy as np

        run = instantiate(find_packed, self.game, jit=True)
        scores = np.zeros(len(keys), self.scores.dtype)
        numbers = np.zeros(len(keys), np.int64)
        if len(self.layers) > 1:
            instantiate(fill_plies, self.game, jit=True)(np.ascontiguousarray(keys), numbers)
            numbers -= self.first_ply
        missing = np.ones(len(keys), bool)
        for number, (layer, begin) in enumerate(zip(self.layers, self.offsets, strict=False)):
            (here,) = (numbers == number).nonzero()
            wanted, places = keys[here], np.empty(len(here), np.int64)
            run(wanted, layer.first_keys, layer.places, layer.differences, layer.base, layer.keys, places)
            found = here[places >= 0]
            scores[found] = self.scores[begin + places[places >= 0]]
            missing[found] = False
        if missing.any():
            raise KeyError(int(keys[int(missing.argmax())]))
        return scores

    def spread(self, many: int) -> Iterator[tuple[int, int]]:
        """About so many keys, spread over all, each with its score."""
        blocks = sum(len(layer.first_keys) for layer in self.layers)
        step, number = max(1, blocks // many), 0
        for layer, begin in zip(self.layers, self.offsets, strict=False):
            while number < len(layer.first_keys):
                yield int(layer.first_keys[number]), int(self.scores[begin + number * BLOCK])
                number += step
            number -= len(layer.first_keys)
