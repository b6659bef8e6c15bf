"""The trainings of the lab, as the hub sees them: a bounded number of processes, and who may say
what to them.

Whoever begins a training is given its key, and steers it; so does the owner of the lab
(`damier.web.gate`). All others watch it, play against it and compare it. What is told of
trainings: `damier.web.learning.streams`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from typing import Literal

from damier.core.errors import BadInput, LimitReached
from damier.core.words import _, language, message
from damier.web.hub import Client, Handler, Hub, Message
from damier.web.learning import learners
from damier.web.learning.kept import LearnerFiles
from damier.web.learning.process import TrainingProcess
from damier.web.learning.quota import Quota, owner_of
from damier.web.learning.steering import is_owner, may_steer
from damier.web.learning.streams import Streams
from damier.web.messages.hub import (
    Failure,
    MaySteer,
    RoomLeft,
    SavedGames,
    StartedTraining,
)
from damier.web.messages.parts import NoAnswer
from damier.web.messages.training import TrainingPlan
from damier.web.params import Asked
from damier.web.settings import Settings

MOST = 4
"""Trainings that run at once; more wait for their turn."""
MOST_WAITING = 60
MOST_PAUSED = 8
"""Trainings that are paused: they take no place of those that learn, but memory; of one more, the one
that has been paused longest is stopped.
"""
MOST_OF_ONE = 2
"""Trainings of one machine that learn or wait, and as many that are paused; of the owner, any number."""
TURN, REST = 300.0, 180.0
"""Seconds after which a training that is not the owner's, and after which one that is paused, makes
way for those that wait.
"""
MOST_ENDED = 20
"""Trainings whose last picture is kept; their learners lie in files."""
MOST_GAMES = 1_000_000_000
MOST_SEED = (1 << 53) - 1
MOST_PACE = 1_000_000
SEATS: tuple[Literal["", "1", "2", "alternate"], ...] = ("", "1", "2", "alternate")
BEGINNING, SAVING = 20.0, 20.0
"""Seconds that are waited for a first word, which may be why it cannot be; and for a learner to be
saved.
"""


class Trainings:
    """All trainings of this lab, by the names of their learners."""

    def __init__(self, settings: Settings, hub: Hub) -> None:
        self.settings, self.hub = settings, hub
        self.quota = Quota(settings.folder, settings.disk)
        self.known: dict[str, TrainingProcess] = {}
        self.streams = Streams(settings, hub, self.known)
        self._places = asyncio.Semaphore(MOST)
        self._going_on: set[TrainingProcess] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        actions: dict[str, Handler] = {
            "start": self._start,
            "stop": self._stop,
            "pause": self._order,
            "go": self._order,
            "pace": self._pace,
            "save": self._save,
            "may": self._may,
            "room": self._room,
        }
        hub.handlers |= {f"training.{name}": action for name, action in actions.items()}
        LearnerFiles(self).open()

    async def open(self) -> None:
        """Shows trainings to whoever watches, and gives turns; goes on until it is cancelled."""
        await asyncio.gather(self.streams.run(), self._give_turns())

    async def close(self) -> None:
        """Lets all trainings save and end; none begins any more."""
        self._closed = True
        await asyncio.gather(*(training.stop() for training in self.known.values() if training.runs))
        left = tuple(self._tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self.streams.close()

    async def _start(self, client: Client, message: Message) -> StartedTraining | Failure:
        """A new training, or, with `resume`, one that goes on.

        Answers when the process has said its first word, takes its time, or waits for its turn.
        """
        plan = self._plan(client, Asked(message))
        self._refuse_many(client.address)
        self._retire_paused(client.address)
        self.quota.require(plan["owner"], plan["name"])
        self.quota.note(plan["name"], plan["owner"])
        self.known.pop(plan["name"], None)
        training = self.known[plan["name"]] = TrainingProcess(self.settings, plan, client.address)
        self._make_room()
        self._begin(training)
        if training.waits:
            return {"name": training.name, "key": training.key}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BEGINNING):
                await training.begun.wait()
        if training.error:
            del self.known[training.name]
            return {"error": training.error}
        return {"name": training.name, "key": training.key}

    def _refuse_many(self, address: str) -> None:
        """Raises LimitReached where too many wait, or too many of another machine learn or wait, or
        the lab itself is short of memory, or closes.
        """
        if self.hub.memory.short or self._closed:
            raise LimitReached(message("too many questions at once; try again in a moment"))
        if sum(training.waits for training in self.known.values()) >= MOST_WAITING:
            raise LimitReached(message("{n} trainings wait already; try again in a moment", n=MOST_WAITING))
        if not is_owner(address) and self._learning_at(address) >= MOST_OF_ONE:
            raise LimitReached(
                message(
                    "{n} trainings begun at this machine are learning or wait; stop one of them first",
                    n=MOST_OF_ONE,
                )
            )

    def _learning_at(self, address: str) -> int:
        """Trainings of one machine that learn or wait: one that is paused frees its place."""
        return sum(
            training.runs and training.idle is None and training.address == address
            for training in self.known.values()
        )

    def _retire_paused(self, address: str) -> None:
        """Where too many are paused, of one machine or in all, stops the one that has been longest: it is
        saved, and goes on when somebody asks for it.
        """
        paused = sorted(
            (training for training in self.known.values() if training.runs and training.idle is not None),
            key=lambda training: training.idle or 0.0,
        )
        mine = [training for training in paused if training.address == address and not is_owner(address)]
        if len(mine) >= MOST_OF_ONE:
            self._do(mine[0].stop())
        elif len(paused) >= MOST_PAUSED:
            self._do(paused[0].stop())

    def refuse_learning(self, name: str) -> None:
        """Raises BadInput where a training will save under this name, though its file may not be
        there yet.
        """
        if name in self.known and self.known[name].runs:
            raise BadInput(message("{name} is learning now; take another name", name=name))

    def _plan(self, client: Client, asked: Asked) -> TrainingPlan:
        """What a training is to be, as far as the hub can judge: names, numbers and lengths.

        Raises BadInput.
        """
        resume = asked.flag("resume")
        game, learner, name = asked.text("game", "hexapawn"), asked.text("learner", "q"), asked.text("name")
        folder = self.settings.folder
        if not name:
            name = learners.free_name(
                folder, f"{game.partition(':')[0]}-{learner.partition(':')[0]}", set(self.known)
            )
        self.refuse_learning(name)
        if name in self.known and resume:
            self._require(client, self.known[name], asked)
        learners.kept(folder, name) if resume else learners.refuse_taken(folder, name)
        return {
            "name": name,
            "game": game,
            "learner": learner,
            "resume": resume,
            "owner": owner_of(client.asker),
            "seed": asked.whole("seed", 0, 0, MOST_SEED),
            "games": asked.whole("games", 400, 1, MOST_GAMES),
            "pace": pace_of(asked),
            "opponent": asked.text("opponent"),
            "seat": asked.choice("seat", SEATS),
            "language": language(),
        }

    def _begin(self, training: TrainingProcess) -> None:
        """Runs it when there is a place."""
        self.streams.changes += 1
        if self._places.locked():
            training.now["stage"] = _("waits until another training has ended")
        else:
            training.since = time.monotonic()
        self._do(self._run(training))

    def _do(self, work: Coroutine[object, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, training: TrainingProcess) -> None:
        try:
            await self._take_place(training)
            if training.runs:  # it may have been stopped while it waited
                await training.run()
        finally:
            self._give_place(training)

    async def _take_place(self, training: TrainingProcess) -> None:
        await self._places.acquire()
        training.placed = True

    def _give_place(self, training: TrainingProcess) -> None:
        if training.placed:
            training.placed = False
            self._places.release()

    async def _go_on(self, training: TrainingProcess) -> None:
        """Lets a training go on that was paused, once there is a place."""
        self._going_on.add(training)
        try:
            if self._places.locked():
                training.now = {**training.now, "stage": _("waits until another training has ended")}
                training.told += 1
            await self._take_place(training)
            training.order({"do": "go"})
            if not training.runs:
                self._give_place(training)
        finally:
            self._going_on.discard(training)

    async def _give_turns(self) -> None:
        """Where others wait, makes way for one of them."""
        while True:
            await asyncio.sleep(1.0)
            if self._going_on or any(training.waits for training in self.known.values()):
                late = [
                    training
                    for training in self.known.values()
                    if training.placed and has_had_its_turn(training, time.monotonic())
                ]
                for training in late[:1]:
                    await training.stop()

    def _make_room(self) -> None:
        """Forgets the trainings that ended longest ago."""
        ended = [name for name, training in self.known.items() if not training.runs]
        for name in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self.known[name]

    def _running(self, asked: Asked) -> TrainingProcess:
        """Raises BadInput where no such training runs."""
        name = asked.text("name")
        if name not in self.known or not self.known[name].runs:
            raise BadInput(message("{name} is not learning now", name=name))
        return self.known[name]

    def _steered(self, client: Client, message: Message) -> TrainingProcess:
        """The same. Raises BadInput where somebody else steers it."""
        asked = Asked(message)
        training = self._running(asked)
        self._require(client, training, asked)
        return training

    def _require(self, client: Client, training: TrainingProcess, asked: Asked) -> None:
        if not may_steer(client.address, training, asked):
            raise BadInput(
                message(
                    "{name} is steered by whoever began it; you can watch it, play against it and compare it",
                    name=training.name,
                )
            )

    async def _may(self, client: Client, message: Message) -> MaySteer:
        """Whether who asks may steer a training, or go on with it."""
        asked = Asked(message)
        name = asked.text("name")
        return {"may": name not in self.known or may_steer(client.address, self.known[name], asked)}

    async def _room(self, client: Client, message: Message) -> RoomLeft:
        """What is left of the room for learners, in words."""
        return {"said": self.quota.told(owner_of(client.asker))}

    async def _order(self, client: Client, message: Message) -> NoAnswer:
        """Pauses, which frees a place for another, or goes on."""
        training = self._steered(client, message)
        if message["do"] == "training.pause":
            training.order({"do": "pause"})
            self._give_place(training)
        elif training.placed:
            training.order({"do": "go"})
        elif not training.waits and training not in self._going_on:
            self._do(self._go_on(training))
        return {}

    async def _pace(self, client: Client, message: Message) -> NoAnswer:
        """Games a second from now on; 0: as many as there can be."""
        self._steered(client, message).order({"do": "pace", "pace": pace_of(Asked(message))})
        return {}

    async def _stop(self, client: Client, message: Message) -> NoAnswer:
        await self._steered(client, message).stop()
        return {}

    async def _save(self, client: Client, message: Message) -> SavedGames | Failure:
        """Saves what the learner knows now, so that whoever plays against it meets it as it is;
        under another name too, with `as`.
        """
        asked = Asked(message)
        name = asked.text("as")
        if name:
            self.refuse_learning(name)
            learners.refuse_taken(self.settings.folder, name)
        training = self._steered(client, message) if name else self._running(asked)
        if name:
            self.quota.note(name, training.plan["owner"])
        try:
            saved = await training.save(name, SAVING)
        except TimeoutError:
            return {"error": _("{name} could not be saved just now", name=training.name)}
        self.streams.changes += 1
        return {"error": saved["error"]} if "error" in saved else {"saved": saved["saved"]}


def has_had_its_turn(training: TrainingProcess, now: float) -> bool:
    """Whether a training is to make way where others wait: it is saved, and goes on when somebody
    asks for it.
    """
    if not training.runs or training.since is None:
        return False
    if training.idle is not None and now - training.idle > REST:
        return True
    return not is_owner(training.address) and now - training.since > TURN


def pace_of(asked: Asked) -> int:
    """Games a second; 0: as many as there can be."""
    return asked.whole("pace", 0, 0, MOST_PACE)
