"""Observation and bounds of a long job: a line of progress, and a budget of memory."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from damier.core.errors import LimitReached
from damier.core.words import FormattedNumber, _, decimal, grouped, in_short, message

Progress: TypeAlias = Callable[[int, "int | None", str], None]
"""Called now and then with what is done, what is to be done in all (None: not known), and what is
being counted.
"""


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """A Ctrl-C that comes inside the block is held back until its end, or that of the block around
    it: for what must happen whole or not at all.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[bool] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: held.append(True))
    _blocks.append(True)
    try:
        yield
    finally:
        _blocks.pop()
        signal.signal(signal.SIGINT, before)
        if held:
            # to whom it was meant for: it raises KeyboardInterrupt, or is held by the block around this one
            signal.raise_signal(signal.SIGINT)


_blocks: list[bool] = []


def holding() -> bool:
    """Return whether the main thread is in a block that holds Ctrl-C back."""
    return bool(_blocks)


_presses = 0


def press() -> None:
    """Called by what answers Ctrl-C with a KeyboardInterrupt, before it raises it."""
    global _presses
    _presses += 1


def presses() -> int:
    """Return how often that was: who remembers it knows later whether a KeyboardInterrupt came from
    outside.
    """
    return _presses


@contextlib.contextmanager
def calls_deep(calls: int) -> Iterator[None]:
    """Room for a plain Python function that calls itself `calls` times."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 3 * calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def no_progress(done: int, total: int | None, what: str) -> None:
    return None


def no_note(sentence: str) -> None:
    return None


class Notes(list[str]):
    """Sentences that a person should read about a job, each sentence once: the `note` of a job,
    which collects what it is called with.
    """

    def __call__(self, sentence: str) -> None:
        if sentence not in self:
            self.append(sentence)


def default_memory() -> int:
    """Half of the machine's memory, in bytes."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 2 << 30


@dataclass(frozen=True)
class Job:
    """Resources of a long job, and its listeners: `memory` in bytes, `jit` True or False to force
    compiled or plain Python.

    Attributes:
        jobs: among how many cores it may share what can be shared (`--jobs`)
        note: called with every sentence that a person should know about how it goes, with some more than
            once; who gives `Notes` has each of them once
    """

    memory: int = field(default_factory=default_memory)
    progress: Progress = no_progress
    jit: bool | None = None
    note: Callable[[str], None] = no_note
    jobs: int = 1

    def require(self, size: int, by_ply: list[int]) -> None:
        """Raises LimitReached, with the positions so far and their growth, where a job needs more
        than `size` bytes.
        """
        if size > self.memory:
            shown = [grouped(n) for n in by_ply]
            growth = " ".join(shown if len(shown) <= 24 else [*shown[:12], "…", *shown[-12:]])
            raise LimitReached(
                message(
                    "stopped at the memory budget of {budget} after {positions} positions; by ply: {growth}."
                    " A larger --memory goes further",
                    budget=gib(self.memory),
                    positions=FormattedNumber(sum(by_ply), ","),
                    growth=growth,
                ),
                {"positions": sum(by_ply), "by_ply": by_ply[:1000], "memory": self.memory},
            )


def gib(size: int) -> str:
    """Bytes as a number of GiB."""
    gibibytes = size / (1 << 30)
    return _("{n} GiB", n=in_short(round(gibibytes)) if gibibytes >= 100 else decimal(gibibytes, ".3g"))


_of_process: list[str] = []


def note_of_process(sentence: str) -> None:
    """Keeps a sentence for whoever uses this process, once: about what concerns every job of it."""
    if sentence not in _of_process:
        _of_process.append(sentence)


def take_notes_of_process() -> list[str]:
    """Return what was noted since it was last asked for."""
    taken = _of_process.copy()
    _of_process.clear()
    return taken


# How far the work of a process stands back behind that of others.

REFUSED = 0.1
"""Seconds for which Linux refuses one more session another weight, after it has given one."""


def stand_back(nice: int) -> None:
    """From here on this process stands back behind others, as nice(1) says.

    Linux may weigh sessions before processes (sched(7), "autogroup"), and a process with a session of
    its own that is nice to nobody in it would be nice to nobody at all: then its session stands back too,
    as far as the process does.
    """
    least = os.nice(nice)
    if sys.platform == "linux" and os.getsid(0) == os.getpid() and not weighed(least):
        threading.Thread(target=_weigh, args=(least,), daemon=True).start()


def resident() -> int:
    """Return the bytes of memory that this process holds now; 0 where the system does not tell."""
    with contextlib.suppress(OSError, IndexError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def seconds_queued(process: int) -> float:
    """Return the seconds that a process could have run and had no processor, as sched-stats.rst says; 0 where
    the system does not tell.
    """
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/schedstat", "rb") as file:
        return int(file.read().split()[1]) / 1e9
    return 0.0


def children_of(process: int) -> list[int]:
    """Return the processes that a process started, by whichever of its threads; none where the system does
    not tell.
    """
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def weighed(nice: int) -> bool:
    """Return whether no more is to be done: the session weighs as much, or never will."""
    try:
        with open("/proc/self/autogroup", "w") as group:
            group.write(str(nice))
    except BlockingIOError:  # others who are no administrator have just asked for the same
        return False
    except OSError:  # sessions are not weighed here
        return True
    return True


def _weigh(nice: int) -> None:
    while not weighed(nice):
        time.sleep(REFUSED)
