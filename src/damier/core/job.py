"""Long work: its bounds and who hears of it (`Job`), and how Ctrl-C, or the end of the time there is, ends
it at once.

What nothing interrupts (the compiler, one long compiled call) runs in a thread of its own, and the main
thread waits for it: a Ctrl-C is answered at once, and the thread is left behind. What it still finds out,
nobody reads; `left_behind` says that there is one (docs/decisions/0033).
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from damier.core.errors import LimitReached
from damier.core.runtime import has_threads
from damier.core.words import FormattedNumber, Text, _, decimal, error_text, grouped, in_short, message

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Progress: TypeAlias = Callable[[int, "int | None", str], None]
"""Called now and then with what is done, what is to be done in all (None: not known), and what is
being counted.
"""


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
            counts = [grouped(n) for n in by_ply]
            growth = " ".join(counts if len(counts) <= 24 else [*counts[:12], "…", *counts[-12:]])
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


# Ctrl-C: held back, counted, or answered though the work goes on.


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


T = TypeVar("T")
E = TypeVar("E", bound=Callable[..., object])

LOOK = 0.05
"""Seconds between two looks at a thread that is waited for: is it at work that cannot be stopped?"""

GRACE = 3.0
"""Seconds in which work ends by itself whose time is over."""

_deadline: float | None = None  # of `time.perf_counter`, for what the main thread waits for
_unstoppable: set[int] = set()  # threads at work that cannot be stopped
_left: set[int] = set()  # those of them that nobody waits for any more
_changing = threading.Lock()  # the two sets
STACK = 16 << 20
"""Bytes of stack for a thread: engines call themselves as deep as a game is long."""


class EndedFromOutside(BaseException):
    """Ends whatever runs, wherever it is. Not an Exception: code that catches those ends too."""


class TimeIsUp(EndedFromOutside):
    """The time there is has ended.

    Like KeyboardInterrupt it may come anywhere, and is not an error of whatever it ends.
    """


def from_outside(error: BaseException, before: int) -> bool:
    """Return whether an exception that comes out of somebody's own code is no doing of that code: the end
    of the time or of the memory, or Ctrl-C, of which `presses` said `before` when it was called.

    Where Python itself answers Ctrl-C, which tells nobody, every KeyboardInterrupt is taken for one.
    """
    if not isinstance(error, KeyboardInterrupt):
        return isinstance(error, (MemoryError, EndedFromOutside))
    return presses() != before or (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
        and threading.current_thread() is threading.main_thread()
    )


def words_of(error: BaseException) -> Text:
    """Return what an exception says, whose words may be somebody's own code: nothing where that fails."""
    before = presses()
    try:
        return error_text(error)
    except BaseException as another:
        if from_outside(another, before):
            raise
        return ""


def exception_in_words(error: BaseException, text: Text | None = None) -> Text:
    """Return the kind of an exception and what it says, by default `words_of` it; a bare `assert` says
    nothing.
    """
    kind, text = type(error).__name__, words_of(error) if text is None else text
    return message("{kind}: {error}", kind=kind, error=text) if text else kind


OTHERS = (Path(__file__).parents[1], Path(os.__file__).parent)
"""Where no file of somebody's own lies, wherever their folder is: damier, and Python's library."""


def own_place(error: BaseException, source: Path) -> str:
    """Return where an exception was raised in somebody's own code, `FILE:LINE`: the innermost line of the
    file at `source`, or of the files in its folder, called by their places in there; nothing if it went
    through none of them.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(os.path.abspath(frame.filename))
        if path == source or is_own_file(path, source.parent):
            return f"{path.relative_to(source.parent).as_posix()}:{frame.lineno}"
    return ""


def is_own_file(path: Path, folder: Path) -> bool:
    """Return whether a file is of somebody's own folder, and not of a library that is installed there."""
    installed = {"site-packages", "dist-packages"}.intersection(path.parts)
    return (
        path.is_relative_to(folder)
        and not installed
        and not any(path.is_relative_to(other) for other in OTHERS)
        and path.is_file()
    )


def fault_in_words(error: BaseException) -> str:
    """Return what nothing should end with, in a line."""
    return _("a fault of the game, or of damier itself: {error}", error=exception_in_words(error))


def left_behind() -> bool:
    """Return whether a thread is still at work that nobody waits for."""
    return bool(_left)


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raises TimeIsUp in the main thread where the block still runs GRACE after its `seconds`: a
    rule that never ends, say.

    What can tell how far it came ends at its time by itself. Where the system has no SIGALRM
    (Windows), the limit is not kept.
    """
    if (
        seconds is None
        or not has_threads()
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def is_past(deadline: float | None) -> bool:
    """Return whether a time of `time.perf_counter` is over; None never comes."""
    return deadline is not None and time.perf_counter() >= deadline


@contextlib.contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Inside, in the main thread, `patiently` waits until `deadline` (of `time.perf_counter`) at
    most.
    """
    global _deadline
    before = _deadline
    if deadline is not None and threading.current_thread() is threading.main_thread():
        _deadline = deadline if before is None else min(before, deadline)
    try:
        yield
    finally:
        _deadline = before


def forget_deadline() -> None:
    """From here on nothing is waited for no longer than `until` says: in a copy of the process, whose work
    outlasts what it was begun in.
    """
    global _deadline
    _deadline = None


def patiently(work: Callable[[], T]) -> T:
    """Return what `work` gives or raises.

    In the main thread Ctrl-C is answered meanwhile; raises TimeIsUp at the deadline of `until`.

    In another thread it is done there; `wait_for` does not wait for it.
    """
    if not has_threads() or threading.current_thread() is not threading.main_thread():
        return _unstopped(work)
    found: list[T] = []
    here = contextvars.copy_context()
    if not wait_for(lambda: found.append(here.run(_unstopped, work)), _deadline):
        raise TimeIsUp
    return found[0]


def within(seconds: float, work: Callable[[], T]) -> T | None:
    """Return what `work` gives, or nothing where it takes longer; in the main thread only, elsewhere it
    takes its time.
    """
    try:
        with until(time.perf_counter() + seconds):
            return patiently(work)
    except TimeIsUp:
        return None


def patient(engine: E) -> E:
    """An engine whose calls may be long, and can be left as `patiently` says."""
    return cast("E", lambda *arguments: patiently(lambda: engine(*arguments)))


def _unstopped(work: Callable[[], T]) -> T:
    """Does `work`; where nobody waits for it any more when it is done, the thread ends."""
    me = threading.get_ident()
    if me in _unstoppable:
        return work()
    with _changing:
        _unstoppable.add(me)
    try:
        return work()
    finally:
        with _changing:
            _unstoppable.discard(me)
            abandoned = me in _left
            _left.discard(me)
        if abandoned:
            raise SystemExit


def wait_for(
    work: Callable[[], None], deadline: float | None, stop: Callable[[], None] = lambda: None
) -> bool:
    """Does `work` in a thread; False where the deadline came first. Raises what `work` raises.

    At the deadline, and at a KeyboardInterrupt, `stop` is called, and the thread is waited for
    unless it is at work that cannot be stopped. An Event is waited for, not the thread: in Python
    3.11 a join that Ctrl-C interrupts takes its thread for ended.
    """
    ended = threading.Event()
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # told in the thread that waits
            failures.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=run, daemon=True)
    in_time = left = False
    try:
        with uninterrupted():  # a thread half started can neither be waited for nor left alone
            before = threading.stack_size(STACK)
            thread.start()
            threading.stack_size(before)
        in_time = ended.wait(None if deadline is None else max(0.0, deadline - time.perf_counter()))
    finally:
        if not in_time and thread.ident is not None:
            stop()
            left = _let_go(thread.ident, ended)
    if failures and not left:
        raise failures[0]
    return in_time


def let_go(at_work: set[int]) -> bool:
    """Waits until every thread has left a set, which it does when its work is done, or all that have
    not are found at work that cannot be stopped; returns whether there are such.
    """
    while at_work:
        with _changing:
            if (waited_for := set(at_work)) <= _unstoppable:
                _left.update(waited_for)
                return bool(waited_for)
        time.sleep(LOOK)
    return False


def _let_go(thread: int, ended: threading.Event) -> bool:
    """Waits until a thread that was told to stop has ended, or is found at work that cannot be
    stopped; returns whether that is left to itself.
    """
    while not ended.is_set():
        with _changing:
            if thread in _unstoppable:
                _left.add(thread)
                return True
        ended.wait(LOOK)
    return False


def started(work: Callable[[int], None], numbers: Iterable[int]) -> list[threading.Thread]:
    """Threads that each do the work of a number, with a stack for engines."""
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in numbers]
    before = threading.stack_size(STACK)
    for thread in threads:
        thread.start()
    threading.stack_size(before)
    return threads


# The cores of this machine, and work that is shared among them by threads: compiled engines run beside
# each other, plain Python does not.

Item = TypeVar("Item")
Result = TypeVar("Result")

ALONE = 0.05
"""Seconds that one core works before others join it."""
PROCESSES_PAY = 1.0


def processes_pay(seconds: float) -> bool:
    """Return whether so many seconds of plain Python are worth starting other processes."""
    return seconds >= PROCESSES_PAY


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """`jobs` cores that share work as long as a block lasts. The first of them begins alone, unless it
    is known that there is much to do: what is over soon starts no thread.
    """

    def __init__(self, jobs: int, *, much: bool = False) -> None:
        self.jobs = jobs
        self._alone = 0.0 if much else ALONE  # seconds for which one core still works alone
        self._pool: ThreadPoolExecutor | None = None
        self._at_work: set[int] = set()  # threads that somebody may leave behind

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, *raised: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            left = kind is not None and let_go(self._at_work)
            self._pool.shutdown(wait=not left)

    def begin(self, work: Callable[[], Result]) -> Callable[[], Result]:
        """Has a core do some work that may be long; returns what gives, or raises, what comes of it. One
        core alone does it then.

        Work that is still going on when an exception ends the block is left behind, as `patiently` does.
        """
        if self.jobs == 1:
            return work

        def at_work() -> Result:
            me = threading.get_ident()
            self._at_work.add(me)
            try:
                return work()
            finally:
                self._at_work.discard(me)

        return self._submit(at_work).result

    def _submit(self, work: Callable[[], Result]) -> Future[Result]:
        from concurrent.futures import ThreadPoolExecutor  # its logger costs some milliseconds

        self._pool = self._pool or ThreadPoolExecutor(self.jobs)
        return self._pool.submit(contextvars.copy_context().run, work)

    def in_order(
        self, work: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        """Yield what `work` makes of each item, in their order, as many at a time as there are cores;
        items are taken as they are needed.

        Raises what `work` raises. Who leaves early waits for what was begun, and for nothing else.
        """
        left = iter(items)
        while self.jobs == 1 or self._alone > 0:
            begun = time.perf_counter()
            for item in left:
                result = work(item)
                break
            else:
                return
            self._alone -= time.perf_counter() - begun
            yield result
        yield from self._side_by_side(work, left)

    def _side_by_side(
        self, work: Callable[[Item], Result], items: Iterator[Item]
    ) -> Generator[Result, None, None]:
        first = list(islice(items, 2))
        if len(first) < 2:  # who asks can do one as well
            yield from map(work, first)
            return
        from concurrent.futures import wait

        waiting: deque[Future[Result]] = deque()
        try:
            for item in chain(first, items):
                waiting.append(self._submit(partial(work, item)))
                if len(waiting) > 2 * self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            wait([future for future in waiting if not future.cancel()])


def in_order(
    jobs: int, work: Callable[[Item], Result], items: Iterable[Item], *, much: bool = False
) -> Generator[Result, None, None]:
    """`Workers.in_order` of workers of its own."""
    with Workers(jobs, much=much) as workers:
        yield from workers.in_order(work, items)


@contextlib.contextmanager
def calls_deep(calls: int) -> Iterator[None]:
    """Room for a plain Python function that calls itself `calls` times."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 3 * calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


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
