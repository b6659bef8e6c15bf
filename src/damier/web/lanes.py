"""Two lanes for replies of agents: one for those that are quick, one for those that think.

What an agent will cost nobody knows before it has played, so the asker is what is known by: whose
replies have taken much of the processor of late waits with others of that kind, and nobody waits behind
them who plays against an agent that is quick. A browser that has asked for none yet goes where the latest
such browsers of its address belong, all taken together: with a new name for every question nobody is
quick for long.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from damier.web.askers import Asker
from damier.web.pool import Answer, Pool

MUCH = 1.0
"""CPU seconds of late replies beyond which the next of the same asker is thought about in the other lane: of
one that takes half a second, if it is asked for every three.
"""
LATE = 10.0
"""Seconds after which a reply counts 1/e of what it took."""
REMEMBERED = 4_000
"""Askers of whom it is known what they took."""


@dataclass
class Lanes:
    """quick, thinking: the workers of each lane; clock: seconds, never going back."""

    quick: Pool
    thinking: Pool
    clock: Callable[[], float] = time.monotonic
    _taken: OrderedDict[Asker, tuple[float, float]] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.quick.told = self.thinking.told = self.note

    def lane(self, asker: Asker) -> Pool:
        """Where the next reply to an asker is thought about."""
        known = asker if asker in self._taken else newcomer(asker)
        return self.thinking if self._of_late(known) > MUCH else self.quick

    async def ask(self, question: bytes, seconds: float, asker: Asker) -> Answer:
        return await self.lane(asker).ask(question, seconds, asker)

    def note(self, asker: Asker, seconds: float) -> None:
        """Remembers what a reply has cost."""
        for one in {asker} if asker in self._taken else {asker, newcomer(asker)}:
            self._taken[one] = self._of_late(one) + seconds, self.clock()
            self._taken.move_to_end(one)
        while len(self._taken) > REMEMBERED:
            self._taken.popitem(last=False)

    def _of_late(self, asker: Asker) -> float:
        """CPU seconds of the replies to an asker, the less the longer ago."""
        taken, when = self._taken.get(asker, (0.0, 0.0))
        return taken * math.exp((when - self.clock()) / LATE)


def newcomer(asker: Asker) -> Asker:
    """Who stands for all browsers of an address that have not asked yet."""
    return Asker(asker.place, "")
