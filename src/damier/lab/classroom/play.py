"""The games of a class, played on in the background: a pair at a time, the quick agents first."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from damier.agents.process import ProcessPlayer
from damier.arena.classroom.queue import ClassQueue, CurrentEntrant
from damier.arena.match import match
from damier.arena.tournament.pairing import Pairing
from damier.arena.tournament.plan import TournamentPlan
from damier.arena.tournament.schedule import PlayedGame, missing, seed_of_pair
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.record import GameRecord
from damier.lab.classroom.check import LIMITS, read_report
from damier.lab.process_agent import isolated_player
from damier.lab.tournament import played

KEEP_SECONDS = 0.25
"""Between two transactions: what a killed process may have to play again."""
MOST_PLAYERS = 32
"""Agents that are kept running between their games: each is a process."""


class MoreUrgent(Exception):
    """There is something more urgent than games."""


class NextPair(NamedTuple):
    """A pair that has games to play, and the seconds that one of them is thought to take.

    is_suspect  whether its games were broken off before (`ClassQueue.take_over`)
    """

    pairing: Pairing
    first: CurrentEntrant
    second: CurrentEntrant
    pace: float
    is_suspect: bool

    @property
    def id(self) -> int:
        return self.pairing.id


@dataclass
class ClassGames:
    """The games of a class. `text_of` is the agent of an entrant, its file in place."""

    queue: ClassQueue
    plan: TournamentPlan
    game: Game
    text_of: Callable[[CurrentEntrant], str]
    _players: OrderedDict[int, ProcessPlayer] = field(default_factory=OrderedDict, init=False)
    _waiting: list[tuple[Pairing, PlayedGame]] = field(default_factory=list, init=False)
    _since: float = field(default=0.0, init=False)

    def next(self) -> NextPair | None:
        """The pair to play next: the quick ones first, what is suspect last; None where nothing is left."""
        pair = self._next()
        if pair is None:
            self.close()  # an agent that waits costs memory, and somebody who watches it
        return pair

    def play(self, pair: NextPair, urgent: Callable[[], bool]) -> bool:
        """Plays what is left of a pair; whether to its end. Breaks off, what was played kept, as soon as
        something else is `urgent`.
        """
        try:
            self._play(pair, urgent)
            return True
        except MoreUrgent:
            return False
        except Exception:
            self.close()  # nobody knows what its agents are at
            raise
        finally:
            self._flush()

    def close(self) -> None:
        """Ends all agents."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def _next(self) -> NextPair | None:
        current = {entrant.place: entrant for entrant in self.queue.current()}
        paces = {place: pace_of(entrant) for place, entrant in current.items()}
        return min(
            (
                NextPair(
                    pairing,
                    current[pairing.pair[0]],
                    current[pairing.pair[1]],
                    round(paces[pairing.pair[0]] + paces[pairing.pair[1]], 1),
                    is_suspect,
                )
                for pairing, is_suspect in self.queue.unplayed(self.plan.games)
            ),
            key=lambda pair: (pair.is_suspect, pair.pace, pair.id),
            default=None,
        )

    def _play(self, pair: NextPair, urgent: Callable[[], bool]) -> None:
        seed = seed_of_pair(self.plan.seed, pair.first.name, pair.second.name)
        setup = MatchSetup(
            self.game,
            (self._player(pair.first), self._player(pair.second)),
            seed,
            swap=1,
            limit=self.plan.max_plies,
            record=True,
            strict=False,
        )
        known = self.queue.store.played(pair.pairing.id)

        def keep(records: list[GameRecord]) -> None:
            self._waiting += [(pair.pairing, played(record)) for record in records]
            if time.monotonic() - self._since >= KEEP_SECONDS:
                self._flush()
            if urgent():
                raise MoreUrgent

        for numbers in missing(range(self.plan.games), known):
            match(setup, len(numbers), Job(jit=False), first=numbers.start, keep=keep)

    def _player(self, entrant: CurrentEntrant) -> ProcessPlayer:
        if entrant.place not in self._players:
            player = isolated_player(self.text_of(entrant), self.game, LIMITS)
            player.text = entrant.student
            self._players[entrant.place] = player
        self._players.move_to_end(entrant.place)
        while len(self._players) > MOST_PLAYERS:
            self._players.popitem(last=False)[1].close()
        return self._players[entrant.place]

    def _flush(self) -> None:
        """Everything gathered is in the store when this returns."""
        self.queue.store.keep(self._waiting)
        self._waiting = []
        self._since = time.monotonic()


def pace_of(entrant: CurrentEntrant) -> float:
    """Seconds a game, as it was tried."""
    report = read_report(entrant.report)
    return report["pace"] if report else 0.0
