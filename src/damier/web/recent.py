"""Who has asked of late: a person looks at a position for some seconds between two moves, so that those who
wait at one moment are a few of those who play.
"""

from __future__ import annotations

from collections import OrderedDict

from damier.web.askers import Asker

SECONDS = 10.0
"""Seconds for which an asker is taken to play on."""
MOST = 1_000
"""Askers who are remembered."""


class RecentAskers:
    """The askers of the last SECONDS, the latest last."""

    def __init__(self) -> None:
        self._seen: OrderedDict[Asker, float] = OrderedDict()

    def note(self, asker: Asker, now: float) -> int:
        """Notes who asks `now`, in seconds of a clock that never goes back; how many others have of late."""
        self._seen[asker] = now
        self._seen.move_to_end(asker)
        while len(self._seen) > MOST or next(iter(self._seen.values())) < now - SECONDS:
            self._seen.popitem(last=False)
        return len(self._seen) - 1
