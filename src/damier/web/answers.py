"""Answers that depend on nothing but the question: kept for whoever asks the same, and worked out
once where several ask at once.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TypeAlias

from damier.web.pool import Answer

KEPT = 8 << 20
"""Bytes of questions and answers that are kept."""
LARGEST_KEPT = 1 << 20
"""Bytes of one that is kept."""

Work: TypeAlias = Callable[[], Coroutine[object, None, Answer]]


@dataclass
class Shared:
    """One piece of work, and how many wait for it."""

    task: asyncio.Task[Answer]
    waiting: int = 0


class Answers:
    """`of(question, work)` answers from memory where it can."""

    def __init__(self, kept: int = KEPT) -> None:
        self.size, self._room = 0, kept
        self._kept: OrderedDict[bytes, Answer] = OrderedDict()
        self._shared: dict[bytes, Shared] = {}

    async def of(self, question: bytes, work: Work) -> Answer:
        """The answer that is kept, that another already waits for, or that `work` finds.

        Work for which nobody waits any more is cancelled.
        """
        if question in self._kept:
            self._kept.move_to_end(question)
            return self._kept[question]
        shared = self._shared.get(question) or self._begun(question, work)
        shared.waiting += 1
        try:
            return await asyncio.shield(shared.task)
        finally:
            shared.waiting -= 1
            if not shared.waiting:
                shared.task.cancel()
                if self._shared.get(question) is shared:
                    del self._shared[question]

    def forget(self) -> None:
        """Gives up all that is kept."""
        self._kept.clear()
        self.size = 0

    def _begun(self, question: bytes, work: Work) -> Shared:
        shared = self._shared[question] = Shared(asyncio.create_task(work()))
        shared.task.add_done_callback(lambda task: self._done(question, task))
        return shared

    def _done(self, question: bytes, task: asyncio.Task[Answer]) -> None:
        if not task.cancelled() and task.exception() is None and task.result().status == 200:
            self._keep(question, task.result())

    def _keep(self, question: bytes, answer: Answer) -> None:
        size = len(question) + len(answer.body)
        if size > LARGEST_KEPT or question in self._kept:
            return
        self._kept[question] = answer
        self.size += size
        while self.size > self._room:
            old, dropped = self._kept.popitem(last=False)
            self.size -= len(old) + len(dropped.body)
