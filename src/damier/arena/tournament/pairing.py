"""Who meets whom: everybody everybody, or by the Swiss system, in which those meet who have as many
points.

Entrants are numbers, in the order of their names; a pair is two of them, the smaller one first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple, Protocol, TypeAlias

Pair: TypeAlias = tuple[int, int]


class Round(NamedTuple):
    """The pairs of a round; `bye` is who has nobody to meet, and gets the points of a won pairing."""

    pairs: tuple[Pair, ...]
    bye: int | None = None


class Pairing(NamedTuple):
    """Two entrants who meet, and the number under which the store knows that."""

    id: int
    round: int
    pair: Pair


class System(Protocol):
    """How it is decided who meets whom.

    adaptive   whether results decide it
    rounds     how many there are
    meetings   pairings of each entrant in all of them, a bye for one
    pairings   of all entrants
    """

    @property
    def name(self) -> str: ...
    @property
    def adaptive(self) -> bool: ...
    @property
    def rounds(self) -> int: ...
    @property
    def meetings(self) -> int: ...
    @property
    def pairings(self) -> int: ...

    def round(
        self, points: Sequence[float], met: Collection[Pair], had_bye: Collection[int], seed: int
    ) -> Round:
        """The next round.

        points   of each entrant
        met      the pairs of all rounds before
        had_bye  who has had a bye
        seed     decides among equals
        """
        ...


@dataclass(frozen=True)
class RoundRobin:
    """Every pair, in one round.

    >>> RoundRobin(3).round((), (), (), 0).pairs
    ((0, 1), (0, 2), (1, 2))
    """

    entrants: int

    name, adaptive, rounds = "round-robin", False, 1

    @property
    def meetings(self) -> int:
        return self.entrants - 1

    @property
    def pairings(self) -> int:
        return self.entrants * (self.entrants - 1) // 2

    def round(
        self, points: Sequence[float], met: Collection[Pair], had_bye: Collection[int], seed: int
    ) -> Round:
        return Round(tuple(combinations(range(self.entrants), 2)))


@dataclass(frozen=True)
class OpenRoundRobin(RoundRobin):
    """Every pair of those who are there; more may come, and some give way to their successors."""

    name = "open"


@dataclass(frozen=True)
class Swiss:
    """In each round those meet who have as many points; none meets another twice while it can be
    avoided, and nobody has a second bye while others had none.

    There are as many rounds as a knock-out would need to find a winner, and two for the places
    behind.

    >>> Swiss(65).rounds, Swiss(128).rounds
    (9, 9)
    """

    entrants: int

    name, adaptive = "swiss", True

    @property
    def rounds(self) -> int:
        return (self.entrants - 1).bit_length() + 2

    @property
    def meetings(self) -> int:
        return self.rounds

    @property
    def pairings(self) -> int:
        return self.rounds * (self.entrants // 2)

    def round(
        self, points: Sequence[float], met: Collection[Pair], had_bye: Collection[int], seed: int
    ) -> Round:
        lots = list(range(self.entrants))
        Random(seed).shuffle(lots)
        ranked = sorted(range(self.entrants), key=lambda entrant: (-points[entrant], lots[entrant]))
        bye = None
        if len(ranked) % 2:
            bye = next((entrant for entrant in reversed(ranked) if entrant not in had_bye), ranked[-1])
            ranked.remove(bye)
        pairs: list[Pair] = []
        while ranked:
            first = ranked.pop(0)
            place = next((i for i, other in enumerate(ranked) if ordered(first, other) not in met), 0)
            pairs.append(ordered(first, ranked.pop(place)))
            if pairs[-1] in met:
                exchange_last(pairs, met)
        return Round(tuple(pairs), bye)


MOST_IN_ROUND_ROBIN = 64


def system_for(entrants: int) -> System:
    """Every pair up to 64 entrants; more play by the Swiss system."""
    return RoundRobin(entrants) if entrants <= MOST_IN_ROUND_ROBIN else Swiss(entrants)


def exchange_last(pairs: list[Pair], met: Collection[Pair]) -> None:
    """Lets the last pair, who have met, change partners with the nearest pair before it, so that
    neither new pair has met.

    Of the pairs before, at most as many stand in the way as there were rounds (each has two members
    whom one of the two has met), so there is such a pair where there are more than three times as
    many entrants as rounds. Where there is none, they meet again.
    """
    a, b = pairs[-1]
    for place in reversed(range(len(pairs) - 1)):
        c, d = pairs[place]
        for one, other in ((ordered(a, c), ordered(b, d)), (ordered(a, d), ordered(b, c))):
            if one not in met and other not in met:
                pairs[place], pairs[-1] = one, other
                return


def ordered(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
