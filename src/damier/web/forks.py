"""The fork server, as the hub sees it: where new workers come from (Linux)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections import deque
from dataclasses import dataclass, field

from damier.core.interpreter import python
from damier.web.ending import end_process
from damier.web.messages.hub import FORK, LONGEST, WARM
from damier.web.settings import Settings
from damier.web.verbs import LARGEST_ANSWER


def are_possible() -> bool:
    """Whether this system has what forked workers need: a handle of a process that is no child."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:  # a kernel before 5.3, or a sandbox
        return False
    return True


@dataclass(eq=False)
class ForkedProcess:
    """One that was forked. `_handle` means this process and no other, also when it has ended."""

    pid: int
    _handle: int
    told: asyncio.StreamReader
    asks: asyncio.StreamWriter
    _gone: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        asyncio.get_running_loop().add_reader(self._handle, self._ended)

    @property
    def runs(self) -> bool:
        return not self._gone.is_set()

    async def end(self) -> None:
        self.asks.transport.abort()
        if self.runs:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            await self._gone.wait()

    def _ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._handle)
        os.close(self._handle)
        self._gone.set()


class Forks:
    """The fork server; started when the first worker is needed, and again where it has ended."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self._line: socket.socket | None = None
        self._ordered: deque[asyncio.Future[tuple[int, int]]] = deque()
        self._warm = asyncio.Event()
        self._starting = asyncio.Lock()

    async def worker(self, settings: Settings, nice: int) -> ForkedProcess:
        """A new worker. Raises OSError where there is no room for it."""
        ours, theirs = socket.socketpair()
        told, asks = await asyncio.open_unix_connection(sock=ours, limit=LARGEST_ANSWER)
        try:
            with theirs:
                forked = await self._order(nice, theirs)
            return ForkedProcess(*await forked, told, asks)
        except BaseException:  # it sees that nobody asks it, and ends
            asks.transport.abort()
            raise

    async def _order(self, nice: int, asked_by: socket.socket) -> asyncio.Future[tuple[int, int]]:
        """Orders a worker: the number of its process, and a handle of it."""
        order = [FORK + str(nice).encode()], [asked_by.fileno()]
        try:
            socket.send_fds(await self._started(), *order)
        except ConnectionError:  # it has ended in this very moment
            self._lost()
            socket.send_fds(await self._started(), *order)
        self._ordered.append(asyncio.get_running_loop().create_future())
        return self._ordered[-1]

    async def warmed(self) -> None:
        """Returns when all is imported and looked up that makes workers quick, or nothing will be."""
        with contextlib.suppress(OSError):
            line = await self._started()
            self._warm.clear()
            line.send(WARM)
            await self._warm.wait()

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            await end_process(process)
        self._lost()

    async def _started(self) -> socket.socket:
        async with self._starting:
            if self._line is None:
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    self._process = await asyncio.create_subprocess_exec(
                        *python("-m", "damier.web.fork_server", self.settings.as_text()),
                        stdin=theirs.fileno(),
                        stdout=asyncio.subprocess.DEVNULL,
                        start_new_session=True,  # a Ctrl-C at the terminal is for the hub
                    )
                self._line = ours
                asyncio.get_running_loop().add_reader(ours.fileno(), self._heard)
            return self._line

    def _heard(self) -> None:
        """Takes one answer: a worker, that there is no room for it, or that all is warm."""
        assert self._line is not None
        said, files, _flags, _address = socket.recv_fds(self._line, LONGEST, 1)
        if not said:
            self._lost()
        elif said == WARM:
            self._warm.set()
        else:
            self._answer(int(said), files)

    def _answer(self, pid: int, files: list[int]) -> None:
        """Hands over a worker to who ordered one first; who waits no more has hung up on it."""
        forked = self._ordered.popleft()
        if forked.done():
            for handle in files:
                os.close(handle)
        elif files:
            forked.set_result((pid, files[0]))
        else:
            forked.set_exception(BlockingIOError())

    def _lost(self) -> None:
        """The fork server has ended, and with it all that it forked: the next order starts another."""
        line, self._line = self._line, None
        if line is not None:
            asyncio.get_running_loop().remove_reader(line.fileno())
            line.close()
        self._warm.set()
        while self._ordered:
            forked = self._ordered.popleft()
            if not forked.done():
                forked.set_exception(ChildProcessError())
