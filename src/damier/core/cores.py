"""The cores of this machine, and work that is shared among them by threads: compiled engines run beside
each other, plain Python does not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    jobs: int, work: Callable[[Item], Result], items: Iterable[Item]
) -> Generator[Result, None, None]:
    """What `work` makes of each item, in their order, `jobs` of them at a time; items are taken as they
    are needed.

    Raises what `work` raises. Who leaves early waits for what was begun, and for nothing else.
    """
    if jobs == 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # its logger costs every command some milliseconds

    pool = ThreadPoolExecutor(jobs)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        for future in waiting:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)
