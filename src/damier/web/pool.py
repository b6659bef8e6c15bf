"""Workers, as the hub sees them: a bounded number of processes, a bounded number of questions that
wait, a bounded time for each answer. Their processes are forked where that is possible, else started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from damier.core.job import children_of, seconds_queued
from damier.core.runtime import ONE_THREAD, python
from damier.core.words import _
from damier.web.limits import LAB, SPARE, ClientId, Crowded, FairSemaphore, RecentClients
from damier.web.messages import FORK, FORK_SERVER, LARGEST_ANSWER, LONGEST, WARM, own_agent_in
from damier.web.settings import Settings

Done = TypeVar("Done")


class Tasks(set["asyncio.Task[Done]"], Generic[Done]):
    """Work that goes on beside, held until it is done."""

    def start(self, work: Coroutine[object, None, Done]) -> asyncio.Task[Done]:
        task = asyncio.create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    async def cancel(self) -> None:
        """Ends all of it."""
        left = tuple(self)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


# How a process of the lab is ended: at once, and without a wait for what may never come.


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Kills a process that runs, and waits until it is no more.

    For asyncio a process has ended when its pipes have, too. It reads none that is full, and one
    that another process holds open (a child of a user's game) goes on: so they are closed here, and
    who reads from them or writes to them is told so.
    """
    if process.stdin is not None and not process.stdin.is_closing():
        process.stdin.transport.abort()
    # kills it; nothing that asyncio declares closes the pipe that is read
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  of asyncio
    await process.wait()


def tell_process(process: asyncio.subprocess.Process | None, line: bytes) -> None:
    """Sends a process a line; nothing happens where there is none, or it runs no more."""
    if process is not None and process.stdin is not None and not process.stdin.is_closing():
        with contextlib.suppress(OSError, RuntimeError):
            process.stdin.write(line + b"\n")


async def start_process(
    module: str, *arguments: str, stdin: int = PIPE, stdout: int = PIPE
) -> asyncio.subprocess.Process:
    """Start a module as a process of the lab; its answers are lines, or parts of up to LARGEST_ANSWER bytes.

    A Ctrl-C at the terminal is for the hub, which ends its processes itself.
    """
    return await asyncio.create_subprocess_exec(
        *python("-m", module, *arguments),
        stdin=stdin,
        stdout=stdout,
        limit=LARGEST_ANSWER,
        start_new_session=True,
        env={**ONE_THREAD, **os.environ},
    )


# The process of a worker, as the hub sees it: two streams, `asks`, where questions are written, and
# `answers`; whether it runs; its end, which kills it, whatever it works on, and waits until it is no more.


@dataclass(frozen=True)
class StartedProcess:
    """One that was started by itself, and imports what it needs."""

    process: asyncio.subprocess.Process
    pid: int
    asks: asyncio.StreamWriter
    answers: asyncio.StreamReader

    @property
    def runs(self) -> bool:
        return self.process.returncode is None

    async def end(self) -> None:
        if self.runs:
            await end_process(self.process)


async def started(settings: Settings, nice: int) -> StartedProcess:
    """A new worker, wherever processes can be started."""
    process = await start_process("damier.web.worker", settings.as_text(), str(nice))
    assert process.stdin is not None
    assert process.stdout is not None
    return StartedProcess(process, process.pid, process.stdin, process.stdout)


# The fork server, as the hub sees it: where new workers come from (Linux).


def are_possible() -> bool:
    """Return whether this system has what forked workers need: a handle of a process that is no child."""
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
    answers: asyncio.StreamReader
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


WorkerProcess: TypeAlias = StartedProcess | ForkedProcess
Start: TypeAlias = Callable[[Settings, int], Awaitable[WorkerProcess]]
"""start(settings, nice): a new worker. Raises OSError where the machine has no room for it."""


class Forks:
    """The fork server; started when the first worker is needed, and again where it has ended."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.server: asyncio.subprocess.Process | None = None
        self._line: socket.socket | None = None
        self.ordered: deque[asyncio.Future[tuple[int, int]]] = deque()
        self._warm = asyncio.Event()
        self.starting = asyncio.Lock()

    async def worker(self, settings: Settings, nice: int) -> ForkedProcess:
        """A new worker. Raises OSError where there is no room for it."""
        ours, theirs = socket.socketpair()
        reader, asks = await asyncio.open_unix_connection(sock=ours, limit=LARGEST_ANSWER)
        try:
            with theirs:
                order = [FORK + str(nice).encode()], [theirs.fileno()]
                try:
                    socket.send_fds(await self._started(), *order)
                except ConnectionError:  # it has ended in this very moment
                    self._lost()
                    socket.send_fds(await self._started(), *order)
            forked: asyncio.Future[tuple[int, int]] = asyncio.get_running_loop().create_future()
            self.ordered.append(forked)
            return ForkedProcess(*await forked, reader, asks)
        except BaseException:  # it sees that nobody asks it, and ends
            asks.transport.abort()
            raise

    async def warmed(self) -> None:
        """Returns when all is imported and looked up that makes workers quick, or nothing will be."""
        with contextlib.suppress(OSError):
            line = await self._started()
            self._warm.clear()
            line.send(WARM)
            await self._warm.wait()

    async def close(self) -> None:
        process, self.server = self.server, None
        if process is not None and process.returncode is None:
            await end_process(process)
        self._lost()

    async def _started(self) -> socket.socket:
        async with self.starting:
            if self._line is None:
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                with theirs:
                    self.server = await start_process(
                        "damier.web.worker",
                        self.settings.as_text(),
                        FORK_SERVER,
                        stdin=theirs.fileno(),
                        stdout=DEVNULL,
                    )
                self._line = ours
                asyncio.get_running_loop().add_reader(ours.fileno(), self._heard)
            return self._line

    def _heard(self) -> None:
        """Takes one answer: a worker, for who ordered one first, that there is no room for it, or that all is
        warm.
        """
        assert self._line is not None
        message, files, _flags, _address = socket.recv_fds(self._line, LONGEST, 1)
        if not message:
            self._lost()
        elif message == WARM:
            self._warm.set()
        elif (forked := self.ordered.popleft()).done():  # who waits no more has hung up on it
            for handle in files:
                os.close(handle)
        elif files:
            forked.set_result((int(message), files[0]))
        else:
            forked.set_exception(BlockingIOError())

    def _lost(self) -> None:
        """The fork server has ended, and with it all that it forked: the next order starts another."""
        line, self._line = self._line, None
        if line is not None:
            asyncio.get_running_loop().remove_reader(line.fileno())
            line.close()
        self._warm.set()
        while self.ordered:
            forked = self.ordered.popleft()
            if not forked.done():
                forked.set_exception(ChildProcessError())


STARTING = 20.0
"""Seconds that a new process may take to import what it needs, on top of the time for its first
answer.
"""
CLOSING = 0.1
"""Seconds between two looks at what still has to be ended."""
PATIENCE = 60.0
"""Seconds after which a question is answered by an apology where no worker has become free."""
AT_ONCE = 3
"""Of so many who have asked of late, one is taken to wait."""


class Answer(NamedTuple):
    """status as in HTTP, the type of the content, the content; and the cookies that it leaves, of an answer
    to one browser alone.
    """

    status: int
    kind: str
    body: bytes
    cookies: tuple[str, ...] = ()


def failure(status: int, sentence: str) -> Answer:
    return Answer(status, "application/json", json.dumps({"error": sentence}).encode())


def crowded() -> Answer:
    return failure(503, _("too many questions at once; try again in a moment"))


@dataclass(eq=False)
class Worker:
    """One process that answers one question at a time; started when it is first needed, and again
    after it was ended.

    Attributes:
        nice: how far its work stands back behind that of others (see nice(1)), so that the hub is never kept
            from its own
        begin: how its process is made
        spent: CPU seconds that the last answer took
    """

    settings: Settings
    nice: int = 0
    begin: Start = started
    process: WorkerProcess | None = None
    spent: float = 0.0
    _answered: bool = False
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.runs

    async def start(self) -> None:
        """Starts the process where it does not run."""
        async with self.starting:
            if not self.runs:
                self._answered = False
                self.process = await self.begin(self.settings, self.nice)

    async def answer(self, question: bytes, seconds: float, others: int = 0) -> Answer:
        """Asks the process, and tells it how many `others` wait; ends it where no answer comes in time,
        or where it holds too much memory afterwards.
        """
        try:
            await self.start()
            async with self._limit(seconds + STARTING * (not self._answered)):
                found, resident, self.spent = await self.exchange(b"%d %b" % (others, question))
        except TimeoutError:
            await self.end()
            self.spent = seconds
            return failure(503, self.too_long(question, seconds))
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, OSError):
            await self.end()
            return failure(
                500, _("the process that worked on it has ended; it may have taken too much memory")
            )
        except asyncio.CancelledError:  # its answer would be taken for that of the next question
            await self.end()
            raise
        self._answered = True
        if resident > self.settings.resident:
            await self.end()
        return found

    @contextlib.asynccontextmanager
    async def _limit(self, seconds: float) -> AsyncIterator[None]:
        """Ends what is done within after so many seconds; those that the process could have worked and had no
        processor, up to PATIENCE, do not count, for they say nothing of the question.
        """
        assert self.process is not None
        loop, pid = asyncio.get_running_loop(), self.process.pid
        ends, queued = loop.time() + seconds, _queued(pid)
        timer: asyncio.TimerHandle

        def look() -> None:
            nonlocal timer
            granted = ends + min(PATIENCE, _queued(pid) - queued)
            if granted > loop.time():
                timer = loop.call_at(granted, look)
            else:
                limit.reschedule(loop.time())

        timer = loop.call_at(ends, look)
        try:
            async with asyncio.timeout(None) as limit:
                yield
        finally:
            timer.cancel()

    def too_long(self, question: bytes, seconds: float) -> str:
        """Return what is told of a question that took too long; a user's own agent or game, which may
        never end, is named.
        """
        values = json.loads(json.loads(question)["body"])
        if agent := own_agent_in(values, self.settings):
            return _(
                "{agent}: it takes longer than the {n} seconds there are for it, or never ends",
                agent=agent,
                n=round(seconds),
            )
        game = values.get("game")
        if isinstance(game, str) and game.partition(":")[0] in self.settings.games:
            return _(
                "{game}: its rules take longer than the {n} seconds there are for it, or never end",
                game=game,
                n=round(seconds),
            )
        return _("that takes longer than the {n} seconds there are for it; ask for less", n=round(seconds))

    async def exchange(self, question: bytes) -> tuple[Answer, int, float]:
        """The answer, the bytes of memory that the process holds now, and the CPU seconds it took."""
        process = self.process
        assert process is not None
        process.asks.write(question + b"\n")
        await process.asks.drain()
        status, kind, length, resident, spent = (await process.answers.readuntil()).split()
        if int(length) > LARGEST_ANSWER:  # a worker refuses it itself: this one is not what it was
            raise ValueError(length)
        body = await process.answers.readexactly(int(length))
        return Answer(int(status), kind.decode(), body), int(resident), float(spent)

    async def end(self) -> None:
        """Ends the process."""
        process, self.process = self.process, None
        if process is not None:
            await process.end()


def _queued(process: int) -> float:
    """Return the seconds that a worker has waited for a processor, or a compiler that it waits for."""
    return sum(map(seconds_queued, (process, *children_of(process))))


@dataclass
class Pool:
    """Some workers, and those who wait for one.

    Attributes:
        size: how many work as long as that suffices; SPARE more are started for those who have waited, and
            ended when nobody waits
        hurried: whether an answer is to take less long the more others wait for theirs, or will again soon
        of_one: how many of them a browser may hold, and `of_place` an address; None: all
        note_cost: called with who asked, and the seconds of CPU time that the answer took
    """

    settings: Settings
    size: int
    nice: int = 0
    waiting: int = 300
    of_one: int | None = None
    of_place: int | None = None
    note_cost: Callable[[ClientId, float], None] = lambda asker, seconds: None
    begin: Start = started
    hurried: bool = False
    idle: list[Worker] = field(default_factory=list)
    working: Tasks[Answer] = field(default_factory=Tasks)
    _closed: bool = False

    def __post_init__(self) -> None:
        self.workers = tuple(
            Worker(self.settings, self.nice, self.begin) for _number in range(self.size + SPARE)
        )
        self.idle = list(reversed(self.workers))
        self.turns = FairSemaphore(self.size, self.waiting, of_one=self.of_one, of_place=self.of_place)
        self._recent = RecentClients()

    async def ask(self, question: bytes, seconds: float, asker: ClientId = LAB) -> Answer:
        """The answer of the worker that is free first; at once an apology where too many wait
        already.

        Who is cancelled while waiting gives up the turn. What a worker has begun it finishes,
        within its `seconds`: that costs less than a new process, whose memory of games and
        solutions would be empty.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self.turns.take(asker)
        except (Crowded, TimeoutError):
            return crowded()
        if self._closed:
            self.turns.give(asker)
            return crowded()
        return await asyncio.shield(self.working.start(self._work(question, seconds, asker)))

    async def _work(self, question: bytes, seconds: float, asker: ClientId) -> Answer:
        """One question, by the worker that was used last: its caches are warm."""
        worker = self.idle.pop()
        try:
            found = await worker.answer(question, seconds, self.count_others(asker) if self.hurried else 0)
            self.note_cost(asker, worker.spent)
            return found
        finally:
            if not self.turns.count and sum(each.runs for each in self.workers) > self.size:
                await worker.end()
            elif not self._closed:
                with contextlib.suppress(OSError):  # the next question says so
                    await worker.start()
            self.idle.append(worker)
            # the last is taken first: one that runs, and of these the one used last
            self.idle.sort(key=lambda each: each.runs)
            self.turns.give(asker)

    def count_others(self, asker: ClientId) -> int:
        """Return how many others wait, or are taken to: all at once would find the processor taken by
        some.
        """
        recent = self._recent.note(asker, time.monotonic())
        return max(self.turns.taken + self.turns.count - 1, recent // AT_ONCE)

    async def warm(self, number: int | None = None) -> None:
        """Starts the usual workers that do not run, or the first `number` of them, so that no
        question waits for one to start.
        """
        with contextlib.suppress(OSError):  # the first question says so
            for worker in self.workers[: min(self.size, number or self.size)]:
                if not self._closed:
                    await worker.start()
        if self._closed:  # meanwhile
            await self.close()

    async def renew(self) -> None:
        """Has others in the place of workers that run and do nothing."""
        for worker in self.idle:
            if worker.runs:
                await worker.end()
                with contextlib.suppress(OSError):  # the next question says so
                    await worker.start()

    async def close(self) -> None:
        """Ends all workers, whatever they work on: who waits for them is told so."""
        self._closed = True
        while self.working or any(worker.runs for worker in self.workers):
            await asyncio.gather(*(worker.end() for worker in self.workers))
            # again soon: a process that was just being started was not there yet to be ended
            if self.working:
                await asyncio.wait(self.working, timeout=CLOSING)
