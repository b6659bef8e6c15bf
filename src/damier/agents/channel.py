"""The two pipes to the process of an agent, and its standard error: lines, within time and size."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Iterator

from damier.agents.isolation import Launch
from damier.agents.watch import Supervised, started
from damier.core.errors import AgentFault
from damier.core.words import FormattedNumber, message, printable

PIECE = 1 << 16
FAREWELL = 0.2
"""Seconds that a process has to end by itself: when it has no more to read, or has closed its output."""


class Channel:
    """A process of an agent, spoken to. Every fault is an AgentFault: what the agent did, no name.

    Ended by `kill` or `close`, or when nobody holds it any more, or when damier ends, however it ends.
    """

    def __init__(self, launch: Launch) -> None:
        self.limits = launch.limits
        self._errors, path = tempfile.mkstemp()
        os.fchmod(self._errors, 0o666)  # for programs that open /dev/stderr
        errors = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.unlink(path)
        theirs, self._asks = os.pipe()
        self._hears, answers = os.pipe()
        os.set_blocking(self._asks, False)
        ends = [self._asks, self._hears, self._errors]
        try:
            self._process = started(launch, theirs, answers, errors)
        except OSError as error:
            self._release(os.getpid(), ends, None)
            raise AgentFault(message("it could not be started: {error}", error=error.strerror)) from None
        finally:
            for number in (theirs, answers, errors):
                os.close(number)
        self._rest = b""
        self._listening, self._sending = select.poll(), select.poll()
        self._listening.register(self._hears, select.POLLIN)
        self._sending.register(self._asks, select.POLLOUT)
        self.kill = weakref.finalize(self, self._release, os.getpid(), ends, self._process)

    def close(self) -> None:
        """Lets the process end by itself, which has a moment for that once there is no more to read."""
        self._process.remember()
        os.dup2(self._hears, self._asks)  # closes the pipe; the number is still there to be closed
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.process.wait(FAREWELL)
        self.kill()

    @contextlib.contextmanager
    def its_turn(self) -> Iterator[None]:
        """Inside, the agent is to move: its work is counted as asked for."""
        self._process.asked_since = begun = time.monotonic()
        try:
            yield
        finally:
            self._process.asked_since = None
            self._process.asked_seconds += time.monotonic() - begun

    def say(self, line: bytes, until: float) -> None:
        """Sends lines, before the moment `until` of `time.monotonic`. Raises AgentFault, TimeoutError."""
        left = memoryview(line)
        while left:
            try:
                left = left[os.write(self._asks, left) :]
            except BlockingIOError:
                if not self._sending.poll(_milliseconds(until)):
                    raise TimeoutError from None
            except OSError:
                raise self._ended() from None

    def be_silent(self) -> None:
        """Raises AgentFault where the agent said something though nobody had asked it."""
        if self._rest or self._listening.poll(0):
            if not self._rest and not self._read():
                raise self._ended()
            raise AgentFault(message("it wrote to its standard output without being asked"))

    def hear(self, until: float) -> bytes:
        """The next line, without its end. Raises AgentFault, TimeoutError."""
        while (end := self._rest.find(b"\n")) < 0 and len(self._rest) <= self.limits.answer:
            if not self._listening.poll(_milliseconds(until)):
                raise TimeoutError
            read = self._read()
            if not read:
                raise self._ended()
            self._rest += read
        if not 0 <= end <= self.limits.answer:
            raise AgentFault(
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
                    "it wrote more than {n} bytes to its standard error",
                    n=FormattedNumber(self.limits.errors, ","),
                )
            )

    def last_words(self) -> str:
        """The last line on its standard error, fit to be shown."""
        size = os.fstat(self._errors).st_size
        end = os.pread(self._errors, PIECE, max(0, size - PIECE))
        lines = end.decode(errors="replace").strip().splitlines()
        return printable(lines[-1].strip(), 200) if lines else ""

    def _read(self) -> bytes:
        try:
            return os.read(self._hears, PIECE)
        except OSError:
            return b""

    def _ended(self) -> AgentFault:
        """Why there is nothing more to hear."""
        process = self._process
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


def _milliseconds(until: float) -> int:
    return max(0, int((until - time.monotonic()) * 1000) + 1)
