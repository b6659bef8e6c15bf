"""The side of a child process: orders on its standard input, answers on its standard output."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable
from typing import IO, NamedTuple


class ChildStreams(NamedTuple):
    """The lines that a parent sends, and where answers to them go."""

    orders: IO[bytes]
    answers: IO[bytes]


def serve_parent() -> ChildStreams:
    """Return the streams to the parent (`take_streams`). Ctrl-C is ignored from here on: the parent answers
    it, and ends this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return take_streams()


def take_streams() -> ChildStreams:
    """Return standard input and output as files that nobody else has: from here on, code that reads finds
    nothing, and what it prints goes to standard error.
    """
    streams = ChildStreams(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    release_streams()
    return streams


def release_streams() -> None:
    """Replace standard input by an empty file, and standard output by standard error."""
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)


def listen(orders: IO[bytes], take: Callable[[bytes], object]) -> threading.Thread:
    """Start a thread that passes on every line; it ends this process at the end of the lines, whatever
    that is at, since the parent has gone.
    """

    def until_the_parent_ends() -> None:
        for line in orders:
            take(line)
        os._exit(0)

    thread = threading.Thread(target=until_the_parent_ends, daemon=True)
    thread.start()
    return thread


class OrderLines:
    """The lines of a parent, one after the other; without a parent this process ends."""

    def __init__(self, orders: IO[bytes]) -> None:
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        listen(orders, self._lines.put)

    def next(self) -> bytes:
        """Return the next line, once there is one."""
        return self._lines.get()


def end_with_parent() -> None:
    """Have this process killed when the one that started it ends (Linux)."""
    import ctypes

    end_with_it = 1  # PR_SET_PDEATHSIG of prctl(2)
    ctypes.CDLL(None).prctl(end_with_it, signal.SIGKILL)
