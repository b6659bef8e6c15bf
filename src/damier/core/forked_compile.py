"""Work done by a copy of this process, at low priority: what it leaves on disk is all that it
leaves.

Only where a process can be copied as a whole (Linux): on other systems there is no copy, and
whoever wanted one does the work himself (docs/decisions/0042).
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from typing import NoReturn

from damier.core.errors import Uncompilable
from damier.core.interruptible import forget_deadline
from damier.core.job import stand_back, uninterrupted

NICENESS = 3
"""Added to the priority number of the copy: a third of the processor's time where it has to share."""
KILL_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""
LONGEST = 1 << 16

_apart: list[int] = []  # how far the session of copies stands back, where they have one


def copies_stand_back(nice: int) -> None:
    """From here on copies of this process stand back behind every process that stands back less: where
    this one answers somebody, they would take a share of its own time, not of what is left to all.
    """
    _apart[:] = [nice]


class CopyOfProcess:
    """A copy that is at work. It ends with its work, or with this process."""

    def __init__(self, number: int, answer: int) -> None:
        self._number, self._answer = number, answer
        self._heard: bytes | None = None
        self._hearing = threading.Lock()

    @property
    def refusal(self) -> str:
        """Why the work could not be done (Uncompilable), once it has ended; empty where it was
        done.
        """
        return (self._heard or b"").decode(errors="replace")

    def kill(self) -> None:
        """Ends it, whatever it is at."""
        with self._hearing:
            if self._heard is None:
                os.kill(self._number, signal.SIGKILL)
                os.waitpid(self._number, 0)
                os.close(self._answer)
                self._heard = b""

    def ended(self) -> bool:
        """Whether it has ended."""
        with self._hearing:
            if self._heard is None and select.select([self._answer], [], [], 0.0)[0]:
                self._heard = os.read(self._answer, LONGEST)
                os.close(self._answer)
                os.waitpid(self._number, 0)
        return self._heard is not None


def copied(work: Callable[[], object]) -> CopyOfProcess | None:
    """Does `work` in a copy of this process, without its streams; None where there can be no copy."""
    if sys.platform != "linux":
        return None
    answer, says = os.pipe()
    parent = os.getpid()
    with uninterrupted():  # a Ctrl-C that the copy took for its own would go on as this process
        try:
            number = os.fork()
        except OSError:  # no room for one more process
            os.close(answer)
            os.close(says)
            return None
        if number == 0:
            _work_apart(work, parent, says)
    os.close(says)
    return CopyOfProcess(number, answer)


def _work_apart(work: Callable[[], object], parent: int, says: int) -> NoReturn:
    """What the copy does, and its end."""
    try:
        _stand_apart(parent, says)
        forget_deadline()
        work()
    except Uncompilable as error:
        os.write(says, str(error).encode()[:LONGEST])
    finally:
        os._exit(0)


def _stand_apart(parent: int, says: int) -> None:
    """Makes this process one of low priority, deaf to Ctrl-C, that ends with its parent and holds no
    file of it open but the one to which it says how it went: who waits for the end of a pipe waits
    for all that hold it.
    """
    ctypes.CDLL(None).prctl(KILL_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # which ended before it was asked for
        os._exit(0)
    for number in (signal.SIGINT, signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if _apart:
        os.setsid()
        stand_back(_apart[0])
    else:
        os.nice(NICENESS)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.closerange(3, says)
    os.closerange(says + 1, os.sysconf("SC_OPEN_MAX"))
    # the old ones may be locked by a thread that was not copied
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
