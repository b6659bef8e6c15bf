"""Two lanes for replies of agents: one for those that are quick, one for those that think.

What an agent will cost nobody knows before it has played, so the asker is what is known by: who
has just asked for a reply that took long waits the next time with others who did, and nobody waits
behind them who plays against an agent that is quick. A reply that was quick leads back. A browser
that has asked for none yet goes where the last such browser of its address belonged.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from damier.web.askers import Asker
from damier.web.pool import Answer, Pool

LONG = 0.25
"""CPU seconds of a reply after which the next of the same asker is thought about in the other lane."""
REMEMBERED = 4_000
"""Askers of whom it is known what they wait for."""


@dataclass
class Lanes:
    """quick, thinking: the workers of each lane."""

    quick: Pool
    thinking: Pool
    _long: OrderedDict[Asker, bool] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.quick.told = self.thinking.told = self.note

    def lane(self, asker: Asker) -> Pool:
        """Where the next reply to an asker is thought about."""
        waits_long = self._long.get(asker, self._long.get(newcomer(asker), False))
        return self.thinking if waits_long else self.quick

    async def ask(self, question: bytes, seconds: float, asker: Asker) -> Answer:
        return await self.lane(asker).ask(question, seconds, asker)

    def note(self, asker: Asker, seconds: float) -> None:
        """Remembers what a reply has cost."""
        for one in (asker,) if asker in self._long else (asker, newcomer(asker)):
            self._long[one] = seconds > LONG
            self._long.move_to_end(one)
        while len(self._long) > REMEMBERED:
            self._long.popitem(last=False)


def newcomer(asker: Asker) -> Asker:
    """Who stands for all browsers of an address that have not asked yet."""
    return Asker(asker.place, "")
