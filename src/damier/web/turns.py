"""Whose turn it is where many wait for few: browsers take turns, and the questions of one keep
their order.

So a person who asks a hundred things at once holds up nobody else by more than one of them. And
that one may take a minute, so a browser never holds all places, and neither does its address, where
a class may sit or somebody with a new cookie for every question: some of the usual places may be
out of reach of both, and who has waited LATE seconds while others hold all of these is given a
spare one.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque

from damier.web.askers import Asker

SPARE = 2
"""Places on top of the usual: an address may hold one of them, and one is for those of other
addresses.
"""
LATE = 0.5
"""Seconds after which who still waits may have a spare place: sooner it would cost more, to start a
worker, than it saves.
"""


class Crowded(Exception):
    """Too many wait already."""


class Turns:
    """`places` that can be taken, by one browser `of_one` of them, by all of one address `of_place`,
    and SPARE more for those who have waited `late` seconds.

    At most `waiting` wait: at most half of these for one browser, and two thirds for one address.
    """

    def __init__(
        self,
        places: int,
        waiting: int,
        late: float = LATE,
        *,
        of_one: int | None = None,
        of_place: int | None = None,
    ) -> None:
        self.places, self.waiting, self.late = places, waiting, late
        self.of_one, self.of_place = of_one or places, of_place or places
        self.held: Counter[Asker] = Counter()
        self._lines: OrderedDict[Asker, deque[asyncio.Future[None]]] = OrderedDict()
        self._late: set[asyncio.Future[None]] = set()

    @property
    def count(self) -> int:
        """How many wait."""
        return sum(map(len, self._lines.values()))

    @property
    def taken(self) -> int:
        """How many places are held."""
        return self.held.total()

    async def take(self, asker: Asker) -> None:
        """Waits for a place.

        Raises Crowded at once where too many wait. Who is cancelled waits no more.
        """
        if asker not in self._lines and self._may(asker, late=False):
            self.held[asker] += 1
            return
        self._refuse_crowd(asker)
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._lines.setdefault(asker, deque()).append(turn)
        timer = loop.call_later(self.late, self._is_late, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given in the same moment
                self.give(asker)
            else:
                self._withdraw(asker, turn)
            raise
        finally:
            timer.cancel()
            self._late.discard(turn)

    def give(self, asker: Asker) -> None:
        """Gives a place back that an asker held."""
        self.held[asker] -= 1
        if not self.held[asker]:
            del self.held[asker]
        self._hand_out()

    def _hand_out(self) -> None:
        """Places that are free go to those whose last turn is longest ago."""
        while (
            asker := next(
                (
                    asker
                    for asker, line in self._lines.items()
                    if self._may(asker, late=line[0] in self._late)
                ),
                None,
            )
        ) is not None:
            line = self._lines.pop(asker)
            turn = line.popleft()
            if line:
                self._lines[asker] = line
            self.held[asker] += 1
            turn.set_result(None)

    def _may(self, asker: Asker, *, late: bool) -> bool:
        """Whether an asker may have one more place now; the lab itself is in no address."""
        if self.taken >= self.places + SPARE * late:
            return False
        if not asker.place:
            return True
        of_place = sum(held for other, held in self.held.items() if other.place == asker.place)
        # places that are out of its reach stay so, however long it waits
        most = self.of_place + (late and self.of_place == self.places)
        return self.held[asker] < self.of_one and of_place < most

    def _refuse_crowd(self, asker: Asker) -> None:
        of_place = sum(len(line) for other, line in self._lines.items() if other.place == asker.place)
        if (
            self.count >= self.waiting
            or 2 * len(self._lines.get(asker, ())) >= self.waiting
            or 3 * of_place >= 2 * self.waiting
        ):
            raise Crowded

    def _is_late(self, turn: asyncio.Future[None]) -> None:
        self._late.add(turn)
        self._hand_out()

    def _withdraw(self, asker: Asker, turn: asyncio.Future[None]) -> None:
        line = self._lines[asker]
        line.remove(turn)
        if not line:
            del self._lines[asker]
