"""The games of a pair as pieces of work.

A game is known by its pair and its number: the first of the pair sits at seat 1 in games of an even
number, at seat 2 in the others, and the random numbers come from stream `number` of the pair's own
seed. So a game is the same whoever plays it, when, and what was played before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from damier.arena.tournament.pairing import Pairing
from damier.core.words import Text

SWEEPS = 10
"""Parts in which the games of a pair are played: a table half-way says something of everybody."""
LARGEST_PIECE = 10_000
"""Games of a piece at most, so that a pair of many games is shared among processors."""


class Piece(NamedTuple):
    """Some games of one pairing, one after the other; `seed` is that of the pair."""

    pairing: Pairing
    seed: int
    numbers: range


class PlayedGame(NamedTuple):
    """A game of a pairing, as it is kept; payoffs are those of the pair's first and second."""

    number: int
    moves: list[str]
    payoffs: tuple[int, int]
    finished: bool
    resigned: bool
    fault: Text


Keep: TypeAlias = Callable[[Pairing, Sequence[PlayedGame]], None]


class Hands(Protocol):
    """Who plays games."""

    def play(self, pieces: Iterable[Piece], keep: Keep) -> None:
        """Plays all pieces; hands every game over as soon as it is played, in this thread."""
        ...


def seed_of_pair(seed: int, first: str, second: str) -> int:
    """The seed of a pair's games, from the tournament's and the two names: the same whoever else
    takes part.

    `damier match` with this seed and --swap-seats plays the same games.
    """
    said = b"\0".join([str(seed).encode(), first.encode(), second.encode()])
    return int.from_bytes(hashlib.sha256(said).digest()[:8], "little") >> 2


def sweeps(games: int) -> Iterator[range]:
    """The numbers of a pair's games in some `SWEEPS` parts, each with both seats.

    >>> list(sweeps(5))
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    size = max(2, 2 * -(-games // (2 * SWEEPS)))
    return (range(first, min(first + size, games)) for first in range(0, games, size))


def missing(numbers: range, played: Collection[int]) -> Iterator[range]:
    """What is left to play of some games of a pair.

    >>> list(missing(range(0, 6), {0, 3}))
    [range(1, 3), range(4, 6)]
    """
    first = numbers.start
    while first < numbers.stop:
        stop = first
        while stop < numbers.stop and stop not in played and stop - first < LARGEST_PIECE:
            stop += 1
        if stop > first:
            yield range(first, stop)
        first = max(stop, first + 1)
