"""A tournament: its game, its entrants and its rules. Whatever is the same in these three is the same
tournament, whenever and on however many processors it is played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

from damier.arena.standings import Pair
from damier.core.errors import BadInput
from damier.core.game import written
from damier.core.json_data import to_json
from damier.core.json_types import JsonValue
from damier.core.words import Text, message

# Who meets whom: everybody everybody, or by the Swiss system, in which those meet who have as many
# points.


class Round(NamedTuple):
    """The pairs of a round; `bye` is who has nobody to meet, and gets the points of a won pairing."""

    pairs: tuple[Pair, ...]
    bye: int | None = None


class Pairing(NamedTuple):
    """Two entrants who meet, and the number under which the store knows that."""

    id: int
    round: int
    pair: Pair


@dataclass(frozen=True)
class RoundRobin:
    """A system of pairing: every pair, in one round.

    Attributes:
        adaptive: whether results decide who meets whom
        rounds: how many there are
        meetings: pairings of each entrant in all of them, a bye for one
        pairings: of all entrants

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
        """The next round.

        Args:
            points: of each entrant
            met: the pairs of all rounds before
            had_bye: who has had a bye
            seed: decides among equals
        """
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


System: TypeAlias = RoundRobin | Swiss

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


# The games of a pair as pieces of work.
#
# A game is known by its pair and its number: the first of the pair sits at seat 1 in games of an even
# number, at seat 2 in the others, and the random numbers come from stream `number` of the pair's own
# seed. So a game is the same whoever plays it, when, and what was played before.

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


PlayPieces: TypeAlias = Callable[[Iterable[Piece], Keep], None]
"""Plays all pieces; hands every game over as soon as it is played, in this thread."""


def seed_of_pair(seed: int, first: str, second: str) -> int:
    """The seed of a pair's games, from the tournament's and the two names: the same whoever else
    takes part.

    `damier match` with this seed and --swap-seats plays the same games.
    """
    content = b"\0".join([str(seed).encode(), first.encode(), second.encode()])
    return int.from_bytes(hashlib.sha256(content).digest()[:8], "little") >> 2


def sweeps(games: int) -> Iterator[range]:
    """The numbers of a pair's games in some `SWEEPS` parts, each with both seats.

    >>> list(sweeps(5))
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    size = max(2, 2 * -(-games // (2 * SWEEPS)))
    return (range(first, min(first + size, games)) for first in range(0, games, size))


def missing(numbers: range, played: Collection[int]) -> Iterator[range]:
    """Yield what is left to play of some games of a pair.

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


class Entrant(NamedTuple):
    """An agent that takes part.

    Attributes:
        name: as it stands in the table; no other entrant has the same
        text: what makes it: a name with options, or the path of a file
        sha256: of all that it plays by: whoever edits a file enters another agent
    """

    name: str
    text: str
    sha256: str


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament before its first game.

    Attributes:
        game, options: the name of the game and its options, as a record has them
        game_sha256: of the file of a user's game, else empty
        entrants: in the order of their names
        games: for each pair, at both seats in turn
        max_plies: a longer game is stopped, and counts as a draw
        is_open: whether entrants come while it is played: then they do not tell it from others
    """

    game: str
    options: Mapping[str, JsonValue]
    game_sha256: str
    entrants: tuple[Entrant, ...]
    seed: int
    games: int
    max_plies: int
    is_open: bool = False

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2 and not self.is_open:
            raise BadInput(message("a tournament needs two agents at least; {n} given", n=len(names)))
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise BadInput(
                message("two agents are called {name}; each needs a name of its own", name=twice[0])
            )

    @property
    def system(self) -> System:
        return (OpenRoundRobin if self.is_open else system_for)(len(self.entrants))

    @property
    def game_text(self) -> str:
        """The game as it is written on the command line."""
        return written(self.game, self.options)

    @property
    def digest(self) -> str:
        """A digest that tells this tournament from any other.

        More games a pair go on with the same tournament, unless they would change who meets whom.
        """
        facts = {
            "game": self.game,
            "options": dict(self.options),
            "game_sha256": self.game_sha256,
            "entrants": [[entrant.name, entrant.sha256] for entrant in self.entrants],
            "seed": self.seed,
            "max_plies": self.max_plies,
            "games": self.games if self.system.adaptive else None,
        }
        if self.is_open:
            facts |= {"entrants": None, "open": True}
        return hashlib.sha256(to_json(facts).encode()).hexdigest()
