"""What the hub orders a training to do, as lines of JSON: read by a thread, so that nobody waits
for them who has games to play.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import threading
import time
from dataclasses import dataclass
from typing import IO

from damier.web.messages.training import Order

LAST_SECONDS = 30.0
"""What is left to save when the hub has gone."""


@dataclass
class Orders:
    """What the hub has sent and was not yet read. The end of the stream is an order to stop."""

    source: IO[bytes]

    def __post_init__(self) -> None:
        self._lines: queue.SimpleQueue[Order] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.source:
            with contextlib.suppress(ValueError):
                self._lines.put(json.loads(line))
        self._lines.put({"do": "stop"})
        time.sleep(LAST_SECONDS)
        os._exit(1)

    def next(self, seconds: float = 0.0) -> Order | None:
        """The next order, waited for so long; None where there is none."""
        with contextlib.suppress(queue.Empty):
            return self._lines.get(timeout=seconds) if seconds > 0 else self._lines.get_nowait()
        return None
