"""Random numbers for an agent of one's own: Python's `random.Random`, drawn from the game's stream.

Game *n* of a seed draws the same numbers whatever was played before it, so a match with several
jobs, and a training that goes on from a file, give the same games again.
"""

from __future__ import annotations

from random import Random

from damier.core.bits import Rng, random_unit, random_word

WORD_BITS = 53
"""Bits of one random word."""


class GameRandom(Random):
    """What is `random.Random` to whoever draws; `drawn` counts how often anybody has.

    The stream is that of the game which is being played; it cannot be seeded.
    """

    def __init__(self) -> None:
        self.stream: Rng = [0]
        self.drawn = 0
        super().__init__(0)

    def random(self) -> float:
        self.drawn += 1
        return random_unit(self.stream)

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError(k)
        self.drawn += 1
        bits, found = 0, 0
        while bits < k:
            found |= random_word(self.stream) << bits
            bits += WORD_BITS
        return found & ((1 << k) - 1)

    def seed(self, *_arguments: object) -> None:
        """Does nothing: the game's seed is the seed."""
