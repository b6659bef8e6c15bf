"""A training, as the hub sees it: a process, what it told last, and who waits for what it will tell
next.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import secrets
import time
from dataclasses import dataclass, field

from damier.core.interpreter import python
from damier.core.words import _, speaking
from damier.web.ending import end_process
from damier.web.messages.training import (
    Order,
    Progress,
    TrainingAbout,
    TrainingFacts,
    TrainingLine,
    TrainingNumbers,
    TrainingPicture,
    TrainingPlan,
)
from damier.web.settings import Settings

LONGEST_LINE = 8 << 20
ENDING = 10.0
"""Seconds that a process may take to save and end, before it is ended."""
RUNNING = ("preparing", "running", "paused")


@dataclass(eq=False)
class TrainingProcess:
    """One training.

    address  where it was begun; key: what whoever steers it from there must know
    about    what it told of itself once; now: its numbers at last; picture: its curve and its table
             at last
    placed   whether it has one of the places of those that learn; one that is paused has none
    told, drawn  how often it has told its numbers, and its picture
    error    why it ended, where it did not end well
    begun    set when it has said its first word, or ended; ended: when it is no more
    since    when its process began, and idle: when it was paused, on the clock of `time.monotonic`;
             None where it waits, or plays
    """

    settings: Settings
    plan: TrainingPlan
    address: str = ""
    key: str = field(default_factory=secrets.token_urlsafe)
    about: TrainingAbout = field(init=False)
    now: Progress = field(init=False)
    picture: TrainingPicture = field(default_factory=TrainingPicture)
    placed: bool = False
    told: int = 0
    drawn: int = 0
    since: float | None = None
    idle: float | None = None
    error: str = ""
    process: asyncio.subprocess.Process | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    _saving: dict[int, asyncio.Future[TrainingLine]] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    _stopped: bool = False

    def __post_init__(self) -> None:
        self.now = {
            "state": "preparing",
            "games": 0,
            "of": self.plan["games"],
            "stage": "",
            "pace": self.plan["pace"],
            "notes": [],
        }
        self.about = {
            "game": self.plan["game"],
            "learner": self.plan["learner"],
            "opponent": self.plan["opponent"],
            "seat": self.plan["seat"],
            "seed": self.plan["seed"],
        }

    @property
    def name(self) -> str:
        return self.plan["name"]

    @property
    def runs(self) -> bool:
        return not self.ended.is_set() and self.state in RUNNING

    @property
    def state(self) -> str:
        """preparing, running, paused; finished, stopped; failed."""
        return "failed" if self.error else self.now["state"]

    @property
    def waits(self) -> bool:
        """Whether it waits for its turn."""
        return self.runs and self.since is None

    @property
    def numbers(self) -> TrainingNumbers:
        """What is quickly shown of it: how far it is."""
        return {**self.about, **self.now, "name": self.name, "state": self.state, "error": self.error}

    def facts(self) -> TrainingFacts:
        """All that a page can show of it."""
        return {**self.numbers, **self.picture}

    async def run(self) -> None:
        """From its first line to its last."""
        self.since = time.monotonic()
        try:
            self.process = await self._started()
            if self._stopped:
                self.process.kill()
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
            *python("-m", "damier.web.learning.trainee", self.settings.as_text()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            # a Ctrl-C at the terminal is for the hub, which lets trainings save and end
            start_new_session=True,
        )

    def _heard(self, line: TrainingLine) -> None:
        if "saved" in line and "number" in line:
            waiting = self._saving.pop(line["number"], None)
            if waiting is not None and not waiting.done():
                waiting.set_result(line)
            return
        if "about" in line:
            self.about |= line["about"]
        self.now = line.get("now", self.now)
        self.picture = line.get("picture", self.picture)
        self.error = line.get("error", self.error)
        self.idle = (self.idle or time.monotonic()) if self.now["state"] == "paused" else None
        self.told += 1
        self.drawn += "picture" in line
        self.begun.set()

    def order(self, order: Order) -> None:
        """Sends an order; nothing happens where it runs no more."""
        if (
            self.process is not None
            and self.process.stdin is not None
            and not self.process.stdin.is_closing()
        ):
            with contextlib.suppress(OSError, RuntimeError):
                self.process.stdin.write(json.dumps(order).encode() + b"\n")

    async def save(self, as_name: str, seconds: float) -> TrainingLine:
        """Has it save now, as another learner too where a name is given: {"saved": games, …}.
        Raises TimeoutError.
        """
        number = next(self._numbers)
        waiting: asyncio.Future[TrainingLine] = asyncio.get_running_loop().create_future()
        self._saving[number] = waiting
        self.order({"do": "save", "number": number, "as": as_name})
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        finally:
            self._saving.pop(number, None)

    async def stop(self) -> None:
        """Lets it save and end; ends it where that takes too long.

        One that waits for its turn never begins.
        """
        self._stopped = True
        if self.since is None:
            await self._end()
            return
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(ENDING):
                await self.ended.wait()
        except TimeoutError:
            if self.process is not None:
                await end_process(self.process)
            await self._end()

    def _fail(self, sentence: str) -> None:
        self.error = self.error or sentence

    async def _wait_for_end(self, process: asyncio.subprocess.Process) -> None:
        """Ends a process that tells nothing any more and does not end by itself.

        To end one that does would take away how it ended.
        """
        try:
            async with asyncio.timeout(ENDING):
                await process.wait()
        except TimeoutError:
            await end_process(process)

    async def _end(self) -> None:
        """Whatever happens here, who waits for the end is told of it."""
        try:
            if self.process is not None and self.process.returncode is None:
                await self._wait_for_end(self.process)
            self._conclude()
        finally:
            for waiting in self._saving.values():
                if not waiting.done():
                    waiting.set_exception(TimeoutError())
            self.begun.set()
            self.ended.set()

    def _conclude(self) -> None:
        """Says how it ended, where it has not said so itself."""
        if self.now["state"] in RUNNING and not self.error:
            if self._stopped:  # before it had anything to show
                self.now = {**self.now, "state": "stopped", "stage": ""}
            else:
                with speaking(self.plan["language"]):
                    self._fail(
                        _("the training has ended; it may have taken too much memory. What it saved is kept")
                    )
        self.told += 1
