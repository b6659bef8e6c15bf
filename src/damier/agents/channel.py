"""The two pipes to the process of an agent, and its standard error: lines, within time and size."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import NamedTuple

from damier.agents.isolation import BWRAP_PROCESSES, Launch
from damier.core.errors import AgentFault
from damier.core.job import children_of, seconds_queued
from damier.core.words import FormattedNumber, Text, message, printable

# One thread that starts the processes of agents and keeps an eye on them while they live.
#
# It starts them since a process that is to end with its parent (PR_SET_PDEATHSIG) ends, on Linux, with
# the thread that started it: this one stays as long as there is one of them.
#
# What it sees: the memory of all processes of an agent together, how many they are, the sockets that
# they hold, and the time of the processor that they took, also while it was not their turn. What is over
# its limit is ended, and `verdict` says why.

PERIOD = 0.1
"""Seconds between two looks."""
IDLE_SECONDS = 5.0
"""Seconds of processor that an agent may take beside those of `AgentLimits.share`."""


SOCKETS = 64
"""That an agent may hold, all its processes together."""


STILL_WAITING = 0.5
"""Seconds that a wait for a processor may have lasted that has not ended."""


class Used(NamedTuple):
    """Resources that some processes have taken: bytes, how many they are, seconds of processor.

    Attributes:
        memory: in RAM or swapped out, with the kernel's tables of it: reading alone makes tables without end
        sockets: of its name space, if it has one: what waits in them, up to 208 KiB each, is of no process
        queued: seconds that one of them, the one with the most, could have run and had no processor; the
            kernel counts a wait when it ends
        may_wait: whether one of them runs, or waits to
    """

    memory: int
    processes: int
    sockets: int
    seconds: float
    queued: float
    may_wait: bool


class TurnBegun(NamedTuple):
    """The first look at a process in a turn of it, which began at `since`."""

    since: float
    at: float
    used: Used


class Supervised:
    """A process of an agent and all that come of it. To be made by `started`."""

    def __init__(self, launch: Launch, process: subprocess.Popen[bytes]) -> None:
        self.launch, self.process = launch, process
        self.verdict: Text = ""
        self.asked_seconds = launch.limits.start_seconds
        self.asked_since: float | None = None  # while it is to move
        self._turn: TurnBegun | None = None
        self._lock = threading.Lock()
        self._seen: dict[int, str] = {}  # its processes, each with when it began

    def look(self) -> None:
        """Ends it where it has taken too much."""
        if self.process.poll() is not None:
            return
        used, since = self.remember(), self.asked_since
        if since is not None and (self._turn is None or self._turn.since != since):
            self._turn = TurnBegun(since, time.monotonic(), used)
        limits = self.launch.limits
        if used.memory > limits.memory:
            sentence = message("it took more than {n} MiB of memory", n=limits.memory >> 20)
        elif used.processes > limits.processes + self._own:
            sentence = message("it started more than {n} processes", n=limits.processes)
        elif used.sockets > SOCKETS:
            sentence = message("it opened more than {n} sockets", n=SOCKETS)
        elif used.seconds > IDLE_SECONDS + limits.share * self._asked():
            sentence = message("it kept the processor busy when it was not its turn")
        else:
            return
        self.verdict = sentence
        self.end()

    def remember(self) -> Used:
        """Return what its processes have taken. Without a name space, those seen here will end with it."""
        memory, seconds, sockets, queued, may_wait = 0, 0.0, 0, 0.0, False
        running = {}
        for number, fields in _family(self.process.pid):
            running[number] = fields[19]
            memory += _memory(number)
            seconds += sum(map(int, fields[11:15])) / _TICKS
            queued = max(queued, seconds_queued(number))
            may_wait |= fields[0] == "R"
        self._seen |= running
        if self.launch.isolated:
            sockets = max(map(_sockets, children_of(self.process.pid)), default=0)
        return Used(memory, len(running), sockets, seconds, queued, may_wait)

    def waited(self) -> float:
        """Return the seconds since the first look in this turn in which it could have run and had no
        processor: at most those in which none of its processes worked.
        """
        turn = self._turn
        if turn is None or turn.since != self.asked_since:
            return 0.0
        used = self.remember()
        idle = time.monotonic() - turn.at - (used.seconds - turn.used.seconds)
        waited = used.queued - turn.used.queued + (STILL_WAITING if used.may_wait else 0.0)
        return max(0.0, min(waited, idle))

    def end(self) -> None:
        """Ends the process, unless it has ended, and all that came of it."""
        with self._lock:
            if self.process.poll() is None:
                for number in children_of(self.process.pid) if self.launch.isolated else ():
                    _kill(number)  # the first of its name space: with it, all in there
                if self.launch.isolated:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self.process.wait(1.0)
                self.remember()
                self.process.kill()
                self.process.wait()
            for number, began in () if self.launch.isolated else self._seen.items():  # wherever they went
                with contextlib.suppress(OSError):
                    if _stat(number)[19] == began:
                        _kill(number)

    @property
    def _own(self) -> int:
        return BWRAP_PROCESSES if self.launch.isolated else 0

    def _asked(self) -> float:
        since = self.asked_since
        return self.asked_seconds + (time.monotonic() - since if since is not None else 0.0)


def started(launch: Launch, questions: int, answers: int, errors: int) -> Supervised:
    """Starts an agent on these files, watched. Raises OSError."""
    future: Future[Supervised] = Future()

    def start() -> Supervised:
        return Supervised(launch, launch.start(questions, answers, errors))

    global _thread
    with _lock:
        _orders.put((start, future))
        if _thread is None or not _thread.is_alive():  # a copy of this process has none
            _thread = threading.Thread(target=_watch, name="agents", daemon=True)
            _thread.start()
    return future.result()


def _watch() -> None:
    """Start and look, until there is nothing more to watch."""
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
            waiting += children_of(one)


def _memory(number: int) -> int:
    """The bytes that a process has, as proc_pid_status(5) says: none where it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{number}/status", "rb") as file:
        lines = [line.split() for line in file if line.startswith((b"VmRSS:", b"VmSwap:", b"VmPTE:"))]
        return sum(int(words[1]) for words in lines) << 10
    return 0


def _sockets(number: int) -> int:
    """Return how many sockets there are in the network of a process: none where it has ended, or it is
    ours.
    """
    with contextlib.suppress(OSError):
        if os.stat(f"/proc/{number}/ns/net").st_ino != os.stat("/proc/self/ns/net").st_ino:
            with open(f"/proc/{number}/net/sockstat", "rb") as file:
                return int(file.readline().split()[-1])
    return 0


def _stat(number: int) -> list[str]:
    with open(f"/proc/{number}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].decode().split()


def _kill(number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(number, signal.SIGKILL)


_TICKS = os.sysconf("SC_CLK_TCK") if sys.platform != "win32" else 100
_orders: queue.Queue[tuple[Callable[[], Supervised], Future[Supervised]]] = queue.Queue()
_lock = threading.Lock()
_thread: threading.Thread | None = None


PIECE = 1 << 16
MOST_WAITING = 10
"""How many times its own time an agent may wait for a processor in a turn."""
FAREWELL = 0.2
"""Seconds that a process has to end by itself: when it has no more to read, or has closed its output."""


class TooLongAnswer(AgentFault):
    """A line of more bytes than an agent may answer."""


class Channel:
    """A process of an agent, spoken to. Every fault is an AgentFault, also that it cannot be started: what
    the agent did, no name.

    Ended by `kill` or `close`, or when nobody holds it any more, or when damier ends, however it ends.

    Attributes:
        keeps_errors: whether what it writes to its standard error is kept, and bounded
    """

    def __init__(self, launch: Launch, *, keeps_errors: bool = True) -> None:
        self.limits = launch.limits
        if keeps_errors:
            self._errors, path = tempfile.mkstemp()
            os.fchmod(self._errors, 0o666)  # for programs that open /dev/stderr
            errors = os.open(path, os.O_WRONLY | os.O_APPEND)
            os.unlink(path)
        else:
            self._errors, errors = (os.open(os.devnull, os.O_WRONLY) for _end in range(2))
        theirs, self._asks = os.pipe()
        self._hears, answers = os.pipe()
        os.set_blocking(self._asks, False)
        ends = [self._asks, self._hears, self._errors]
        try:
            self.supervised = started(launch, theirs, answers, errors)
        except OSError as error:
            self._release(os.getpid(), ends, None)
            raise AgentFault(message("it could not be started: {error}", error=error.strerror)) from None
        finally:
            for number in (theirs, answers, errors):
                os.close(number)
        self._rest = b""
        self.waited = 0.0  # seconds of the last turn in which it could have run and had no processor
        self._listening, self._sending = select.poll(), select.poll()
        self._listening.register(self._hears, select.POLLIN)
        self._sending.register(self._asks, select.POLLOUT)
        self.kill = weakref.finalize(self, self._release, os.getpid(), ends, self.supervised)

    def stop(self) -> None:
        """Ends the process, from any thread: who listens to it hears that it has ended."""
        self.supervised.end()

    def close(self) -> None:
        """Lets the process end by itself, which has a moment for that once there is no more to read."""
        self.supervised.remember()
        os.dup2(self._hears, self._asks)  # closes the pipe; the number is still there to be closed
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.supervised.process.wait(FAREWELL)
        self.kill()

    @contextlib.contextmanager
    def its_turn(self) -> Iterator[None]:
        """Inside, the agent is to move: its work is counted as asked for."""
        self.supervised.asked_since = begun = time.monotonic()
        try:
            yield
        finally:
            self.waited = self.supervised.waited()
            self.supervised.asked_since = None
            self.supervised.asked_seconds += time.monotonic() - begun

    def say(self, line: bytes, until: float) -> None:
        """Sends lines, before the moment `until` of `time.monotonic`. Raises AgentFault, TimeoutError."""
        left = memoryview(line)
        while left:
            try:
                left = left[os.write(self._asks, left) :]
            except BlockingIOError:
                self._wait(self._sending, until)
            except OSError:
                raise self._ended() from None

    @property
    def unread(self) -> bytes:
        """Bytes that it said after the line that was heard last."""
        return self._rest

    def be_silent(self) -> None:
        """Raises AgentFault where the agent said something though nobody had asked it."""
        if self._rest or self._listening.poll(0):
            if not self._rest and not self._read():
                raise self._ended()
            raise AgentFault(message("it wrote to its standard output without being asked"))

    def hear(self, until: float) -> bytes:
        """The next line, without its end. Raises AgentFault, TimeoutError."""
        while (end := self._rest.find(b"\n")) < 0 and len(self._rest) <= self.limits.answer:
            self._wait(self._listening, until)
            read = self._read()
            if not read:
                raise self._ended()
            self._rest += read
        if not 0 <= end <= self.limits.answer:
            raise TooLongAnswer(
                message(
                    "it answered a line of more than {n} bytes", n=FormattedNumber(self.limits.answer, ",")
                )
            )
        line, self._rest = self._rest[:end], self._rest[end + 1 :]
        return line

    def forget_errors(self) -> None:
        """Raises AgentFault where more was written to standard error than may be; room for more."""
        written = os.fstat(self._errors).st_size
        if written > self.limits.errors:
            os.ftruncate(self._errors, 0)
            raise AgentFault(
                message(
                    "it printed more than {n} bytes (by print, or to its standard error)",
                    n=FormattedNumber(self.limits.errors, ","),
                )
            )

    def last_words(self) -> str:
        """The last line on its standard error, fit to be shown."""
        size = os.fstat(self._errors).st_size
        end = os.pread(self._errors, PIECE, max(0, size - PIECE))
        lines = end.decode(errors="replace").strip().splitlines()
        return printable(lines[-1].strip(), 200) if lines else ""

    def _wait(self, ready: select.poll, until: float) -> None:
        """Waits until the agent is ready. Raises TimeoutError after `until`, later by what it has waited
        itself for a processor: a machine that is busy makes nobody late.
        """
        began = self.supervised.asked_since or until
        waited, most = 0.0, MOST_WAITING * (until - began)
        while not ready.poll(max(0, int((until + waited - time.monotonic()) * 1000) + 1)):
            before, waited = waited, min(most, self.supervised.waited())
            if waited <= before:
                raise TimeoutError

    def _read(self) -> bytes:
        try:
            return os.read(self._hears, PIECE)
        except OSError:
            return b""

    def _ended(self) -> AgentFault:
        """Return why there is nothing more to hear."""
        process = self.supervised
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.process.wait(FAREWELL)
        code = process.process.returncode
        if process.verdict:
            return AgentFault(process.verdict)
        if code is None:
            return AgentFault(message("it closed its streams"))
        number = -code if code < 0 else code - 128
        if number in set(signal.Signals):
            return AgentFault(message("it was ended by {signal}", signal=signal.Signals(number).name))
        return AgentFault(message("it ended, with exit code {code}", code=code))

    @staticmethod
    def _release(owner: int, ends: list[int], process: Supervised | None) -> None:
        if os.getpid() != owner:  # a copy of the process that started it
            return
        for number in ends:
            os.close(number)
        if process is not None:
            process.end()


def with_last_words(why: Text, channel: Channel | None) -> Text:
    """Return what went wrong, with the last that the agent wrote for people."""
    words = channel.last_words() if channel else ""
    return message("{what} ({words})", what=why, words=words) if words else why
