"""The process of a worker, as the hub sees it: two streams, whether it runs, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from damier.core.interpreter import python
from damier.web.ending import end_process
from damier.web.settings import Settings
from damier.web.verbs import LARGEST_ANSWER


class WorkerProcess(Protocol):
    """asks, told  where questions are written, and answers read"""

    @property
    def pid(self) -> int: ...
    @property
    def asks(self) -> asyncio.StreamWriter: ...
    @property
    def told(self) -> asyncio.StreamReader: ...
    @property
    def runs(self) -> bool: ...
    async def end(self) -> None:
        """Kills it, whatever it works on, and waits until it is no more."""


Start: TypeAlias = Callable[[Settings, int], Awaitable[WorkerProcess]]
"""start(settings, nice): a new worker. Raises OSError where the machine has no room for it."""


@dataclass(frozen=True)
class StartedProcess:
    """One that was started by itself, and imports what it needs."""

    process: asyncio.subprocess.Process

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def asks(self) -> asyncio.StreamWriter:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def told(self) -> asyncio.StreamReader:
        assert self.process.stdout is not None
        return self.process.stdout

    @property
    def runs(self) -> bool:
        return self.process.returncode is None

    async def end(self) -> None:
        if self.runs:
            await end_process(self.process)


async def started(settings: Settings, nice: int) -> StartedProcess:
    """A new worker, wherever processes can be started."""
    return StartedProcess(
        await asyncio.create_subprocess_exec(
            *python("-m", "damier.web.worker", settings.as_text(), str(nice)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LARGEST_ANSWER,
            start_new_session=True,  # a Ctrl-C at the terminal is for the hub, which ends its workers itself
        )
    )
