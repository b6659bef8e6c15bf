"""Which proofs are worth to be begun: of a game that is too large to enumerate, the search of an early
position ends at its limit of time for everybody who asks, and a class that begins a game asks many.

The later a position, the less can follow it. So where a search came to no end, one of a position several
plies earlier hardly will, and is not begun; in between it is given less time, for what a few moves decide.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from damier.core.errors import LimitReached

BRIEF = 0.25
"""The share of the time for a position no later than one whose search came to no end."""
HOPELESS = 4
"""Plies before such a one where no search is begun."""
BUSY = 0.5
"""The share of its time in which a search must have worked, or its end tells nothing: others were."""
REMEMBERED = 60.0
"""Seconds after which such a search is forgotten: compiled code may be there by now."""
GAMES = 64


@dataclass
class Prospects:
    """most  seconds for a search at most."""

    most: float
    _vain: OrderedDict[str, tuple[int, float]] = field(default_factory=OrderedDict)

    def seconds(self, game: str, ply: int) -> float:
        """Seconds for a search of a position at a ply; 0 where none is begun."""
        vain = self._latest(game)
        if ply > vain:
            return self.most
        return BRIEF * self.most if ply > vain - HOPELESS else 0.0

    @contextmanager
    def told(self, game: str, ply: int, seconds: float) -> Iterator[None]:
        """Around a search of so many seconds: remembers where it came to no end."""
        begun = time.process_time()
        try:
            yield
        except LimitReached:
            if seconds >= self.most and time.process_time() - begun > BUSY * seconds:
                self._remember(game, ply)
            raise

    def _latest(self, game: str) -> int:
        """The latest ply at which a search came to no end of late; -1 where none did."""
        ply, forgotten = self._vain.get(game, (-1, 0.0))
        return ply if time.monotonic() < forgotten else -1

    def _remember(self, game: str, ply: int) -> None:
        later = self._latest(game) > ply
        if not later:
            self._vain[game] = ply, time.monotonic() + REMEMBERED
        self._vain.move_to_end(game)
        if len(self._vain) > GAMES:
            self._vain.popitem(last=False)
