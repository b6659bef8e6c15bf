"""Signs of life of long work whose standard error is no terminal: a line after two seconds, and
then ever more rarely.
"""

from __future__ import annotations

import sys
import threading
import time

from damier.core.words import _, grouped, printable

FIRST, GROWTH, RAREST = 2.0, 1.5, 30.0
"""Seconds to the first line; how much longer each pause is than the one before; the longest pause."""


class Heartbeat:
    """A thread that says now and then how far the work is, also while the work itself says nothing."""

    def __init__(self) -> None:
        self._at: tuple[int, int | None, str] = (0, None, _("at work"))
        self._begun = self._stage_begun = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def tell(self, done: int, total: int | None, what: str) -> None:
        """What the next line says. A stage is what is counted, or what is being done: what follows a
        semicolon may change.
        """
        if stage_of(what) != stage_of(self._at[2]) and self._at[2]:
            self._stage_begun = time.monotonic()
        self._at = (done, total, what)

    def end(self) -> None:
        """No line comes after this."""
        self._ended.set()
        self._thread.join(1.0)

    def line(self) -> str:
        """What is said now."""
        now = time.monotonic()
        return sentence(*self._at, now - self._stage_begun, now - self._begun)

    def _beat(self) -> None:
        pause = FIRST
        while not self._ended.wait(pause):
            pause = min(RAREST, GROWTH * pause)
            try:
                print(printable(self.line()), file=sys.stderr, flush=True)
            except (OSError, ValueError):  # nobody reads it any more
                return


def stage_of(what: str) -> str:
    """What is being counted, or done, without what may change about it."""
    return what.partition(";")[0].rstrip()


def sentence(done: int, total: int | None, what: str, seconds: float, in_all: float) -> str:
    """How far the work is: for how long it has been at this, and for how long in all.

    >>> sentence(12000, 50000, "games", 4.2, 4.2)
    '… 12,000 / 50,000 games, 4 s'
    >>> sentence(0, None, "compiling", 2.0, 9.0)
    '… compiling, 2 s of 9 s'
    """
    of = "" if not done else f"{grouped(done)} " if total is None else f"{grouped(done)} / {grouped(total)} "
    if round(seconds) == round(in_all):
        return _("… {of}{what}, {seconds} s", of=of, what=what, seconds=grouped(seconds))
    return _(
        "… {of}{what}, {seconds} s of {in_all} s",
        of=of,
        what=what,
        seconds=grouped(seconds),
        in_all=grouped(in_all),
    )
