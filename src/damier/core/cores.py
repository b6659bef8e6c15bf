"""The cores of this machine, and work that is shared among them by threads: compiled engines run beside
each other, plain Python does not.
"""

from __future__ import annotations

import contextvars
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from damier.core.interruptible import let_go

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")

ALONE = 0.05
"""Seconds that one core works before others join it."""
PROCESSES_PAY = 1.0
"""Seconds of plain Python that are worth starting other processes."""


def cores() -> int:
    """How many cores this process may use."""
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

        Work that is still going on when an exception ends the block is left behind, as `patiently` does
        (`damier.core.interruptible`).
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
        """What `work` makes of each item, in their order, as many at a time as there are cores; items
        are taken as they are needed.

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
