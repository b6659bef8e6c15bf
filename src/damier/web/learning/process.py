"""A training, as the hub sees it: a process, what it told last, and who waits for what it will tell next."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from dataclasses import dataclass, field
from typing import Any

from damier.core.words import _, speaking
from damier.web.settings import Settings

LONGEST_LINE = 8 << 20
ENDING = 10.0
"""Seconds that a process may take to save and end, before it is ended."""
RUNNING = ("preparing", "running", "paused")

Facts = dict[str, Any]


@dataclass(eq=False)
class TrainingProcess:
    """One training.

    about    what it told of itself once; picture: what it told last; version: how often it has told something
    error    why it ended, where it did not end well
    begun    set when it has said its first word, or ended; ended: when it is no more
    """

    settings: Settings
    plan: Facts
    about: Facts = field(default_factory=dict)
    picture: Facts = field(default_factory=dict)
    version: int = 0
    error: str = ""
    process: asyncio.subprocess.Process | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _saving: dict[int, asyncio.Future[Facts]] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.picture = {"state": "preparing", "games": 0, "of": self.plan["games"], "stage": "", "pace": self.plan["pace"], "notes": []}
        self.about = {name: self.plan[name] for name in ("game", "learner", "opponent", "seat", "seed")}

    @property
    def name(self) -> str:
        return str(self.plan["name"])

    @property
    def runs(self) -> bool:
        return not self.ended.is_set() and self.state in RUNNING

    @property
    def state(self) -> str:
        """preparing, running, paused; finished, stopped; failed."""
        return "failed" if self.error else str(self.picture["state"])

    def facts(self) -> Facts:
        """All that a page can show of it."""
        return {**self.about, **self.picture, "name": self.name, "state": self.state, "error": self.error}

    async def run(self) -> None:
        """From its first line to its last."""
        try:
            self.process = await self._started()
            self.order({"do": "train", **self.plan})
            assert self.process.stdout is not None
            async for line in self.process.stdout:
                self._heard(json.loads(line))
        except (OSError, ValueError) as error:  # a line that is too long
            self._fail(str(error))
        finally:
            await self._end()

    async def _started(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "damier.web.learning.trainee",
            self.settings.as_text(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,  # a Ctrl-C at the terminal is for the hub, which lets trainings save and end
        )

    def _heard(self, line: Facts) -> None:
        if "saved" in line:
            waiting = self._saving.pop(line["number"], None)
            if waiting is not None and not waiting.done():
                waiting.set_result(line)
            return
        self.about |= line.get("about", {})
        self.picture = line.get("picture", self.picture)
        self.error = line.get("error", self.error)
        self.version += 1
        self.begun.set()

    def order(self, order: Facts) -> None:
        """Sends an order; nothing happens where it runs no more."""
        if self.process is not None and self.process.stdin is not None and not self.process.stdin.is_closing():
            with contextlib.suppress(OSError, RuntimeError):
                self.process.stdin.write(json.dumps(order).encode() + b"\n")

    async def save(self, as_name: str, seconds: float) -> Facts:
        """Has it save now, as another learner too where a name is given: {"saved": games, …}. Raises TimeoutError."""
        number = next(self._numbers)
        waiting: asyncio.Future[Facts] = asyncio.get_running_loop().create_future()
        self._saving[number] = waiting
        self.order({"do": "save", "number": number, "as": as_name})
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        finally:
            self._saving.pop(number, None)

    async def stop(self) -> None:
        """Lets it save and end; ends it where that takes too long."""
        if self.process is None or self.process.stdin is None:
            return
        self.process.stdin.close()
        try:
            async with asyncio.timeout(ENDING):
                await self.ended.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.ended.wait()

    def _fail(self, sentence: str) -> None:
        self.error = self.error or sentence

    async def _wait_for_end(self) -> None:
        """Ends a process that tells nothing any more and does not end by itself. To end one that does would take away how it ended."""
        assert self.process is not None
        try:
            async with asyncio.timeout(ENDING):
                await self.process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            await self.process.wait()

    async def _end(self) -> None:
        if self.process is not None:
            await self._wait_for_end()
        if self.picture["state"] in RUNNING and not self.error:
            with speaking(self.plan["language"]):
                self._fail(_("the training has ended; it may have taken too much memory. What it saved is kept"))
        self.version += 1
        for waiting in self._saving.values():
            waiting.set_exception(TimeoutError())
        self.begun.set()
        self.ended.set()
