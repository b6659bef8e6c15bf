"""A call into somebody's own code that does not come back is ended after some seconds.

A thread looks on. What it raises in the thread that is late reaches Python code only: a call that
sleeps in the system, or computes in C, is ended when it comes back.
"""

from __future__ import annotations

import ctypes
import threading
import time
import weakref

from damier.core.interruptible import EndedFromOutside

LOOK = 0.25
"""Seconds between two looks."""
SETTLED = 1000
"""Steps of plain Python in which an exception that was asked for arrives."""


class TooLong(EndedFromOutside):
    """A call has taken longer than it may."""


class Overtime:
    """A clock around calls of one thread: `with` it, a call of more than `seconds` raises TooLong."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun = 0.0  # 0: nothing runs
        self._thread = 0
        self._asked = False  # TooLong, for the call that runs
        self._looking = threading.Lock()
        _watch(self)

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        self._begun = time.monotonic()

    def __exit__(self, *_raised: object) -> None:
        if self._begun and time.monotonic() - self._begun < self.seconds - 2 * LOOK:
            self._begun = 0.0  # nobody has asked yet
            return
        with self._looking:
            self._begun = 0.0
        if self._asked:
            self._asked = False
            for _step in range(SETTLED):  # it arrives here, if it has not arrived yet
                pass

    def look(self) -> None:
        """Ends the call that runs, if it is late; again where it has caught what was to end it."""
        with self._looking:
            begun = self._begun
            if begun and time.monotonic() - begun > self.seconds:
                self._asked = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(TooLong)
                )


_clocks: weakref.WeakSet[Overtime] = weakref.WeakSet()
_watchers: list[threading.Thread] = []
_guard = threading.Lock()
"""Held where clocks are added or gone through: a set that grows meanwhile would end the one thread
that looks at all of them, and with it every limit of time.
"""


def _watch(clock: Overtime) -> None:
    """Has a clock looked at; one thread looks at all."""
    with _guard:
        _clocks.add(clock)
        if not _watchers:
            _watchers.append(threading.Thread(target=_look_on, daemon=True, name="overtime"))
            _watchers[0].start()


def watched() -> list[Overtime]:
    """All clocks that are looked at."""
    with _guard:
        return list(_clocks)


def _look_on() -> None:
    while True:
        time.sleep(LOOK)
        for clock in watched():
            clock.look()
