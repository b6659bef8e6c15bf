"""How far the work of a process stands back behind that of others."""

from __future__ import annotations

import contextlib
import os
import sys


def stand_back(nice: int) -> None:
    """From here on this process stands back behind others, as nice(1) says.

    Linux may weigh sessions before processes (sched(7), "autogroup"), and a process with a session of
    its own that is nice to nobody in it would be nice to nobody at all: then its session stands back too.
    """
    os.nice(nice)
    if sys.platform == "linux" and os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError), open("/proc/self/autogroup", "w") as group:
            group.write(str(nice))
