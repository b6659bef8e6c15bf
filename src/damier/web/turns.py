"""Whose turn it is where many wait for few: askers take turns, and the questions of one asker keep their order.

So a person who asks a hundred things at once holds up nobody else by more than one of them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque


class Crowded(Exception):
    """Too many wait already."""


class Turns:
    """`places` that can be taken; at most `waiting` wait for one, and at most half of these for one asker."""

    def __init__(self, places: int, waiting: int) -> None:
        self.free, self.waiting = places, waiting
        self._lines: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._count = 0

    async def take(self, asker: str) -> None:
        """Waits for a place. Raises Crowded at once where too many wait. Who is cancelled waits no more."""
        if self.free and not self._count:
            self.free -= 1
            return
        line = self._lines.get(asker, ())
        if self._count >= self.waiting or 2 * len(line) >= self.waiting:
            raise Crowded
        turn = asyncio.get_running_loop().create_future()
        self._lines.setdefault(asker, deque()).append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given in the same moment
                self.give()
            else:
                self._withdraw(asker, turn)
            raise

    def give(self) -> None:
        """Gives a place back: it goes to the asker whose last turn is longest ago."""
        if not self._count:
            self.free += 1
            return
        asker, line = self._lines.popitem(last=False)
        turn = line.popleft()
        if line:
            self._lines[asker] = line
        self._count -= 1
        turn.set_result(None)

    def _withdraw(self, asker: str, turn: asyncio.Future[None]) -> None:
        line = self._lines[asker]
        line.remove(turn)
        self._count -= 1
        if not line:
            del self._lines[asker]
