"""How far the work of a process stands back behind that of others."""

from __future__ import annotations

import os
import sys
import threading
import time

REFUSED = 0.1
"""Seconds for which Linux refuses one more session another weight, after it has given one."""


def stand_back(nice: int) -> None:
    """From here on this process stands back behind others, as nice(1) says.

    Linux may weigh sessions before processes (sched(7), "autogroup"), and a process with a session of
    its own that is nice to nobody in it would be nice to nobody at all: then its session stands back too,
    as far as the process does.
    """
    least = os.nice(nice)
    if sys.platform == "linux" and os.getsid(0) == os.getpid() and not _weighed(least):
        threading.Thread(target=_weigh, args=(least,), daemon=True).start()


def _weighed(nice: int) -> bool:
    """Whether no more is to be done: the session weighs as much, or never will."""
    try:
        with open("/proc/self/autogroup", "w") as group:
            group.write(str(nice))
    except BlockingIOError:  # others who are no administrator have just asked for the same
        return False
    except OSError:  # sessions are not weighed here
        return True
    return True


def _weigh(nice: int) -> None:
    while not _weighed(nice):
        time.sleep(REFUSED)
