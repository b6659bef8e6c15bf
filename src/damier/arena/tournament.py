"""A tournament played: what its store lacks, a round after the other, each game kept as it comes.

Who plays (`PlayPieces`) may be this process or several: a game is the same whoever plays it, so a
tournament that was broken off anywhere goes on where its store says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from damier.arena.pairing import (
    Pairing,
    Piece,
    PlayedGame,
    PlayPieces,
    TournamentPlan,
    missing,
    seed_of_pair,
    sweeps,
)
from damier.arena.standings import Results, Tally, Vector
from damier.arena.store import Store
from damier.core.job import uninterrupted

KEEP_SECONDS = 0.25
"""Between two transactions: what a killed process may have to play again."""

Watch: TypeAlias = Callable[[Results], None]


@dataclass
class Tournament:
    """A plan in a store, under the number that it has there.

    Attributes:
        results: all that is kept so far
    """

    plan: TournamentPlan
    store: Store
    id: int
    results: Results = field(init=False)

    def __post_init__(self) -> None:
        self.recount()

    def recount(self) -> None:
        """The results as the store has them."""
        self.results = self.results_of(self.plan.system.rounds, 0)

    @property
    def games(self) -> int:
        """The number of games in all."""
        if self.plan.is_open:
            return self.plan.games * len(self.store.pairings(self.id))
        return self.plan.games * self.plan.system.pairings

    def results_of(self, round: int, games: int) -> Results:
        """Return what came of the rounds before `round` and, in it, of the first `games` games of each
        pair.
        """
        results = Results(len(self.plan.entrants))
        results.add(self.store.tallies(self.id, round, games))
        if not self.plan.system.adaptive:  # nobody has a bye
            return results
        paired: dict[int, set[int]] = {}
        for pairing in self.store.pairings(self.id):
            paired.setdefault(pairing.round, set()).update(pairing.pair)
        for number in range(min(round, len(paired))):
            for absent in set(range(len(self.plan.entrants))) - paired[number]:
                results.byes[absent] += self.plan.games
        return results

    def pairings(self, round: int) -> list[Pairing]:
        """The pairings of a round; those of a new one follow from the rounds before it."""
        before = self.results_of(round, 0)
        met = {pairing.pair for pairing in self.store.pairings(self.id) if pairing.round < round}
        had_bye = set(np.flatnonzero(before.byes).tolist())
        seed = seed_of_pair(self.plan.seed, "round", str(round))
        paired = self.plan.system.round(before.points.tolist(), met, had_bye, seed)
        return self.store.pair(self.id, round, paired.pairs)

    def pieces(
        self, pairings: Sequence[Pairing], numbers: range, played: dict[int, set[int]]
    ) -> Iterator[Piece]:
        """Yield what is left to play of some games of each of these."""
        for pairing in pairings:
            names = (self.plan.entrants[entrant].name for entrant in pairing.pair)
            seed = seed_of_pair(self.plan.seed, *names)
            for left in missing(numbers, played.get(pairing.id, ())):
                yield Piece(pairing, seed, left)

    def undecided(self, pairings: Sequence[Pairing], round: int, games: int) -> list[Pairing]:
        """Those whose games can still change a place, as the results are before game number `games`
        of this round.
        """
        results = self.results_of(round, games)
        played = results.wins + results.wins.T + results.draws
        left = self.plan.games * self.plan.system.meetings - played.sum(axis=1) - results.byes
        sure = settled(results.points, left)
        return [pairing for pairing in pairings if not all(sure[entrant] for entrant in pairing.pair)]


def run(
    tournament: Tournament,
    play: PlayPieces,
    *,
    until_sure: bool = False,
    watch: Watch = lambda results: None,
) -> None:
    """Plays what is missing. What was played when it is interrupted is kept.

    Args:
        until_sure: leaves out the games of those whose places are certain. That is looked at between the
            sweeps of a round, so that the same games are played whatever the number of processes
        watch: called whenever games have been kept
    """
    keeper = Keeper(tournament, watch)
    try:
        for round in range(tournament.plan.system.rounds):
            pairings = tournament.pairings(round)
            tournament.recount()  # a bye counts from here on
            played = tournament.store.numbers(tournament.id, round)
            parts = sweeps(tournament.plan.games)
            if not until_sure:
                play(
                    (piece for part in parts for piece in tournament.pieces(pairings, part, played)),
                    keeper.keep,
                )
            for part in parts:  # none is left without until_sure
                chosen = tournament.undecided(pairings, round, part.start)
                play(tournament.pieces(chosen, part, played), keeper.keep)
                keeper.flush()
            keeper.flush()
    finally:
        keeper.flush()


@dataclass
class Keeper:
    """Gathers games for a transaction now and then."""

    tournament: Tournament
    watch: Watch
    waiting: list[tuple[Pairing, PlayedGame]] = field(default_factory=list)
    since: float = field(default_factory=time.monotonic)

    def keep(self, pairing: Pairing, games: Sequence[PlayedGame]) -> None:
        with uninterrupted():
            self.waiting += [(pairing, game) for game in games]
        if time.monotonic() - self.since >= KEEP_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Everything gathered is in the store, and counted, when this returns."""
        with uninterrupted():
            if self.waiting:
                self.tournament.store.keep(self.waiting)
                self.tournament.results.add(tally_of(pairing, game) for pairing, game in self.waiting)
                self.waiting = []
            self.since = time.monotonic()
        self.watch(self.tournament.results)


def tally_of(pairing: Pairing, game: PlayedGame) -> Tally:
    """One game, counted."""
    payoff, other = game.payoffs
    return Tally(
        pairing.pair,
        wins=int(payoff > 0),
        draws=int(payoff == 0),
        losses=int(payoff < 0),
        faults_first=int(bool(game.fault) and payoff < 0),
        faults_second=int(bool(game.fault) and other < 0),
    )


# When nothing can change: which places no game that is left can touch.


def settled(points: Vector, left: Vector) -> NDArray[np.bool_]:
    """Return whether the place of each entrant is certain, with so many points, and games left to play.

    It is where everybody else is certainly behind or certainly before it: even if one loses all that
    is left and the other wins it. Two who have played everything keep their order, also if it is
    shared.

    >>> settled(np.array([9.0, 4.0, 3.0]), np.array([2.0, 2.0, 2.0]))
    array([ True, False, False])
    """
    before = points[:, None] > (points + left)[None, :]
    done = (left == 0)[:, None] & (left == 0)[None, :]
    certain = before | before.T | done
    np.fill_diagonal(certain, True)
    return np.asarray(certain.all(axis=1))
