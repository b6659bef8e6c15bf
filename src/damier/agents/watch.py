"""One thread that starts the processes of agents and keeps an eye on them while they live.

It starts them since a process that is to end with its parent (PR_SET_PDEATHSIG) ends, on Linux, with
the thread that started it: this one stays as long as there is one of them.

What it sees: the memory of all processes of an agent together, how many they are, the sockets that
they hold, and the time of the processor that they took, also while it was not their turn. What is over
its limit is ended, and `verdict` says why.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import NamedTuple

from damier.agents.isolation import BWRAP_PROCESSES, Launch
from damier.core.words import Text, message

PERIOD = 0.1
"""Seconds between two looks."""
IDLE_SECONDS = 5.0
"""Seconds of processor that an agent may take beside those of `AgentLimits.share`."""


SOCKETS = 64
"""That an agent may hold, all its processes together."""


class Used(NamedTuple):
    """What some processes have taken: bytes, how many they are, seconds of processor.

    memory  in RAM or swapped out, with the kernel's tables of it: reading alone makes tables without end
    sockets  of its name space, if it has one: what waits in them, up to 208 KiB each, is of no process
    """

    memory: int
    processes: int
    sockets: int
    seconds: float


class Supervised:
    """A process of an agent and all that come of it. To be made by `started`."""

    def __init__(self, launch: Launch, process: subprocess.Popen[bytes]) -> None:
        self.launch, self.process = launch, process
        self.verdict: Text = ""
        self.asked_seconds = launch.limits.start_seconds
        self.asked_since: float | None = None  # while it is to move
        self._lock = threading.Lock()
        self._seen: dict[int, str] = {}  # its processes, each with when it began

    def look(self) -> None:
        """Ends it where it has taken too much."""
        if self.process.poll() is not None:
            return
        used = self.remember()
        limits = self.launch.limits
        if used.memory > limits.memory:
            said = message("it took more than {n} MiB of memory", n=limits.memory >> 20)
        elif used.processes > limits.processes + self._own:
            said = message("it started more than {n} processes", n=limits.processes)
        elif used.sockets > SOCKETS:
            said = message("it opened more than {n} sockets", n=SOCKETS)
        elif used.seconds > IDLE_SECONDS + limits.share * self._asked():
            said = message("it kept the processor busy when it was not its turn")
        else:
            return
        self.verdict = said
        self.end()

    def remember(self) -> Used:
        """What its processes have taken. Without a name space, those seen here will end with it."""
        memory, seconds, sockets = 0, 0.0, 0
        seen = {}
        for number, fields in _family(self.process.pid):
            seen[number] = fields[19]
            memory += _memory(number)
            seconds += sum(map(int, fields[11:15])) / _TICKS
        self._seen |= seen
        if self.launch.isolated:
            sockets = max(map(_sockets, _children(self.process.pid)), default=0)
        return Used(memory, len(seen), sockets, seconds)

    def end(self) -> None:
        """Ends the process, unless it has ended, and all that came of it."""
        with self._lock:
            if self.process.poll() is None:
                for number in _children(self.process.pid) if self.launch.isolated else ():
                    _kill(number)  # the first of its name space: with it, all in there
                if self.launch.isolated:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self.process.wait(1.0)
                self.remember()
                self.process.kill()
                self.process.wait()
            if not self.launch.isolated:
                self._end_seen()

    @property
    def _own(self) -> int:
        return BWRAP_PROCESSES if self.launch.isolated else 0

    def _asked(self) -> float:
        since = self.asked_since
        return self.asked_seconds + (time.monotonic() - since if since is not None else 0.0)

    def _end_seen(self) -> None:
        """Without a name space: ends those that were seen to be its own, wherever they went."""
        for number, began in self._seen.items():
            with contextlib.suppress(OSError):
                if _stat(number)[19] == began:
                    _kill(number)


def started(launch: Launch, asked: int, answers: int, errors: int) -> Supervised:
    """Starts an agent on these files, watched. Raises OSError."""
    future: Future[Supervised] = Future()

    def start() -> Supervised:
        return Supervised(launch, launch.start(asked, answers, errors))

    with _lock:
        _orders.put((start, future))
        _keep_watch()
    return future.result()


def _keep_watch() -> None:
    """Starts the thread, unless it is there; a copy of this process has none."""
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_watch, name="agents", daemon=True)
        _thread.start()


def _watch() -> None:
    """What the thread does, until there is nothing more to watch."""
    global _thread
    watched: list[Supervised] = []
    while True:
        try:
            start, future = _orders.get(timeout=PERIOD)
        except queue.Empty:
            for one in watched:
                one.look()
            watched = [one for one in watched if one.process.returncode is None]
            with _lock:
                if not watched and _orders.empty():
                    _thread = None
                    return
            continue
        try:
            watched.append(start())
            future.set_result(watched[-1])
        except BaseException as error:
            future.set_exception(error)


def _family(number: int) -> Iterator[tuple[int, list[str]]]:
    """A process and all that descend from it: what /proc/NUMBER/stat says of each, from its third
    field on (proc_pid_stat(5)).
    """
    waiting = [number] if sys.platform == "linux" else []
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):  # it has ended
            yield one, _stat(one)
            waiting += _children(one)


def _memory(number: int) -> int:
    """The bytes that a process has, as proc_pid_status(5) says: none where it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{number}/status", "rb") as file:
        lines = [line.split() for line in file if line.startswith((b"VmRSS:", b"VmSwap:", b"VmPTE:"))]
        return sum(int(words[1]) for words in lines) << 10
    return 0


def _sockets(number: int) -> int:
    """How many sockets there are in the network of a process: none where it has ended, or it is ours."""
    with contextlib.suppress(OSError):
        if os.stat(f"/proc/{number}/ns/net").st_ino != os.stat("/proc/self/ns/net").st_ino:
            with open(f"/proc/{number}/net/sockstat", "rb") as file:
                return int(file.readline().split()[-1])
    return 0


def _stat(number: int) -> list[str]:
    with open(f"/proc/{number}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].decode().split()


def _children(number: int) -> list[int]:
    """The processes that a process started, by whichever of its threads."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{number}/task"):
            with open(f"/proc/{number}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _kill(number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(number, signal.SIGKILL)


_TICKS = os.sysconf("SC_CLK_TCK") if sys.platform != "win32" else 100
_orders: queue.Queue[tuple[Callable[[], Supervised], Future[Supervised]]] = queue.Queue()
_lock = threading.Lock()
_thread: threading.Thread | None = None
