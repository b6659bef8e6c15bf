"""The memory of the hub, watched as that of its workers is; but it cannot be ended and replaced, so
it gives up what it can spare, and begins nothing new.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field

from damier.core.words import _

LOOK = 1.0
"""Seconds between two looks."""
log = logging.getLogger(__name__)


def resident() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@dataclass
class MemoryWatch:
    """most     bytes that this process may hold
    spared   what is called to give some back
    short    whether it holds more: then nothing new begins
    """

    most: int = 1 << 62
    spared: list[Callable[[], None]] = field(default_factory=list)
    short: bool = False

    async def run(self) -> None:
        """Goes on until it is cancelled."""
        while True:
            self.look(resident())
            await asyncio.sleep(LOOK)

    def look(self, held: int) -> None:
        """Judges how much is held; said once, until there is room again."""
        if held > self.most:
            if not self.short:
                log.warning(
                    _(
                        "the lab holds {n} MB, more than its {most}; it begins nothing new until it holds"
                        " less",
                        n=held >> 20,
                        most=self.most >> 20,
                    )
                )
            for spare in self.spared:
                spare()
            gc.collect()
            give_back()
        self.short = held > self.most


def give_back() -> None:
    """Returns to the system what was freed, where the C library can be told to (Linux)."""
    import ctypes
    from contextlib import suppress

    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
