"""The trainings of the lab, as the hub sees them: a bounded number of processes, and who may say
what to them.

Whoever begins a training is given its key, and steers it; so does the owner of the lab
(`damier.web.gate`). All others watch it, play against it and compare it: `Streams` tells them how it
goes.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from damier.core.errors import BadInput, LimitReached
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, language, languages, message, speaking
from damier.lab.training import MOST_TYPED
from damier.web import learners
from damier.web.gate import OWNER, same
from damier.web.hub import Client, Hub
from damier.web.learners import Quota, owner_of
from damier.web.messages import (
    Order,
    Params,
    Progress,
    Query,
    TrainingAbout,
    TrainingFacts,
    TrainingLine,
    TrainingNumbers,
    TrainingPicture,
    TrainingPlan,
)
from damier.web.pool import Pool, Tasks, end_process, start_process, tell_process
from damier.web.rooms import ROOMS
from damier.web.settings import Settings

# A training, as the hub sees it: a process, what it told last, and who waits for what it will tell
# next.


ENDING = 10.0
"""Seconds that a process may take to save and end, before it is ended."""
RUNNING = ("preparing", "running", "paused")


@dataclass(eq=False)
class TrainingProcess:
    """One training.

    Attributes:
        address: where it was begun
        key: what whoever steers it from there must know
        about: what it told of itself once
        now: its numbers at last
        picture: its curve and its table at last
        drawing: what another room draws of it
        placed: whether it has one of the places of those that learn; one that is paused has none
        told, drawn: how often it has told its numbers, and its picture
        error: why it ended, where it did not end well
        begun: set when it has said its first word, or ended
        ended: when it is no more
        since: when its process began, and idle: when it was paused, on the clock of `time.monotonic`; None
            where it waits, or plays
    """

    settings: Settings
    plan: TrainingPlan
    address: str = ""
    key: str = field(default_factory=secrets.token_urlsafe)
    about: TrainingAbout = field(init=False)
    now: Progress = field(init=False)
    picture: TrainingPicture = field(default_factory=TrainingPicture)
    drawing: JsonValue = None
    placed: bool = False
    told: int = 0
    drawn: int = 0
    since: float | None = None
    idle: float | None = None
    error: str = ""
    process: asyncio.subprocess.Process | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    saving: dict[int, asyncio.Future[TrainingLine]] = field(default_factory=dict)
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
            "starts": self.plan["starts"],
        }

    @property
    def name(self) -> str:
        return self.plan["name"]

    @property
    def room(self) -> str:
        """Return the name of the room that shows it."""
        return ROOMS.training(self.plan["learner"])

    @property
    def runs(self) -> bool:
        return not self.ended.is_set() and self.state in RUNNING

    @property
    def state(self) -> str:
        """preparing, running, paused; finished, stopped; failed."""
        return "failed" if self.error else self.now["state"]

    @property
    def waits(self) -> bool:
        """Return whether it waits for its turn."""
        return self.runs and self.since is None

    @property
    def numbers(self) -> TrainingNumbers:
        """Return what is quickly shown of it: how far it is."""
        return {**self.about, **self.now, "name": self.name, "state": self.state, "error": self.error}

    def facts(self) -> TrainingFacts:
        """All that a page can show of it."""
        return {**self.numbers, **self.picture, "order": ORDERS[0], "drawing": self.drawing}

    async def run(self) -> None:
        """From its first line to its last."""
        self.since = time.monotonic()
        try:
            self.process = await start_process("damier.web.trainee", self.settings.as_text())
            if self._stopped:
                self.process.kill()
            self.order({"do": "train", **self.plan})
            assert self.process.stdout is not None
            async for line in self.process.stdout:
                self._heard(json.loads(line))
        except (OSError, ValueError) as error:  # a line that is too long
            self.error = self.error or str(error)
        finally:
            await self.end()

    def _heard(self, line: TrainingLine) -> None:
        if "saved" in line and "number" in line:
            waiting = self.saving.pop(line["number"], None)
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
        self.drawing = line.get("drawing", self.drawing)
        self.drawn += "picture" in line or "drawing" in line
        self.begun.set()

    def order(self, order: Order) -> None:
        """Sends an order; nothing happens where it runs no more."""
        tell_process(self.process, json.dumps(order).encode())

    async def save(self, as_name: str, seconds: float) -> TrainingLine:
        """Has it save now, as another learner too where a name is given: {"saved": games, …}.
        Raises TimeoutError.
        """
        number = next(self._numbers)
        waiting: asyncio.Future[TrainingLine] = asyncio.get_running_loop().create_future()
        self.saving[number] = waiting
        self.order({"do": "save", "number": number, "as": as_name})
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        finally:
            self.saving.pop(number, None)

    async def stop(self) -> None:
        """Lets it save and end; ends it where that takes too long.

        One that waits for its turn never begins.
        """
        self._stopped = True
        if self.since is None:
            await self.end()
            return
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        try:
            async with asyncio.timeout(ENDING):
                await self.ended.wait()
        except TimeoutError:
            if self.process is not None:
                await end_process(self.process)
            await self.end()

    async def end(self) -> None:
        """Whatever happens here, who waits for the end is told of it, and how it ended, where the process has
        not said so itself.
        """
        try:
            if self.process is not None and self.process.returncode is None:
                try:  # to end one that ends by itself would take away how it ended
                    async with asyncio.timeout(ENDING):
                        await self.process.wait()
                except TimeoutError:
                    await end_process(self.process)
            if self.now["state"] in RUNNING and not self.error:
                if self._stopped:  # before it had anything to show
                    self.now = {**self.now, "state": "stopped", "stage": ""}
                else:
                    with speaking(self.plan["language"]):
                        self.error = _(
                            "the training has ended; it may have taken too much memory. What it saved is kept"
                        )
            self.told += 1
        finally:
            for waiting in self.saving.values():
                if not waiting.done():
                    waiting.set_exception(TimeoutError())
            self.begun.set()
            self.ended.set()


# What the lab tells of its trainings to whoever watches.
#
# Everything is made once for all who see the same, by workers of its own, and never for nobody:
#
# * `progress/NAME/LANGUAGE`: the numbers of a training, small, as often as it tells them (ten times a
# second)
# * `training/NAME/LANGUAGE/ORDER`: its curve, what it is worth, and its table in that order of rows,
# as fast as they are drawn; more seldom where many watch
# * `trainings/LANGUAGE`: the list of all


LOOK, LISTED = 0.025, 40
"""Seconds between two looks at what has changed: a quarter of those between two tellings; and so
many looks between two lists.
"""
BYTES_A_SECOND = 20e6
"""What the pictures of one topic may take of the network: the more watch, the fewer they get.

The numbers are small, and come always.
"""
DRAWING, AGAIN = 10.0, 2.0
"""Seconds that a picture may take, and at least until one that could not be drawn is asked for again."""

ORDERS = ("visits", "error", "discovery")


@dataclass
class Stream:
    """A topic: what it shows, when it may be told again, and what is being drawn for it."""

    shown: object = None
    due: float = 0.0
    drawing: asyncio.Task[None] | None = None


class Streams:
    """Keeps every topic that somebody watches at the latest. `known`: the trainings by name."""

    def __init__(self, settings: Settings, hub: Hub, known: dict[str, TrainingProcess]) -> None:
        self.hub, self.known = hub, known
        self.changes = 0
        self._numbers, self._pictures = Pool(settings, 1), Pool(settings, 1, nice=5)
        self._streams: dict[str, Stream] = {}
        self._warming: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Goes on until it is cancelled."""
        for look in itertools.count():
            for topic in [topic for topic in self._streams if topic not in self.hub.watchers]:
                del self._streams[topic]
                self.hub.forget(topic)
            for topic in list(self.hub.watchers):
                self._look_at(topic, look)
            await asyncio.sleep(LOOK)

    async def close(self) -> None:
        await asyncio.gather(self._numbers.close(), self._pictures.close())

    def _look_at(self, topic: str, look: int) -> None:
        match topic.split("/"):
            case ["progress", name, spoken] if spoken in languages():
                self._numbers_of(topic, name, spoken)
            case [
                "training",
                name,
                spoken,
                order,
            ] if spoken in languages() and order in ORDERS and name in self.known:
                training = self.known[name]
                self._publish(
                    topic,
                    (id(training), training.drawn),
                    self._pictures,
                    f"{training.room}.drawn",
                    spoken,
                    {**training.facts(), "order": order},
                )
            case ["trainings", spoken] if spoken in languages():
                self._list(topic, spoken, look // LISTED)

    def _numbers_of(self, topic: str, name: str, spoken: str) -> None:
        """Tell how far a training is.

        A learner that is not learning here is said to be `asleep`: its file says what there is to
        say.
        """
        if name in self.known:
            training = self.known[name]
            self._publish(
                topic,
                (id(training), training.told),
                self._numbers,
                f"{training.room}.numbers",
                spoken,
                training.numbers,
            )
        elif (stream := self._streams.setdefault(topic, Stream())).shown != "asleep":
            stream.shown = "asleep"
            self.hub.publish(topic, {"asleep": True})

    def _list(self, topic: str, spoken: str, second: int) -> None:
        """All learners: how far they are once a second, and at once where one begins, ends or is
        paused.
        """
        # who looks at the list may begin a training
        self._warming = self._warming or asyncio.create_task(self._numbers.warm())
        trainings = list(self.known.values())
        version = (
            self.changes,
            [(training.name, training.state) for training in trainings],
            second if any(training.runs for training in trainings) else 0,
        )
        facts = [training.numbers for training in trainings]
        self._publish(topic, version, self._pictures, "learning.listed", spoken, {"trainings": facts})

    def _publish(
        self, topic: str, version: object, pool: Pool, verb: str, spoken: str, values: Mapping[str, object]
    ) -> None:
        """Has it drawn and told, unless the topic shows it already, or is being drawn for."""
        stream = self._streams.setdefault(topic, Stream())
        if stream.drawing or stream.shown == version or time.monotonic() < stream.due:
            return
        stream.shown = version
        stream.drawing = asyncio.create_task(
            self._draw(topic, stream, pool, Query(verb, values, spoken).line)
        )

    async def _draw(self, topic: str, stream: Stream, pool: Pool, question: bytes) -> None:
        version, begun = stream.shown, time.monotonic()
        stream.shown = None  # asked for again, also where nothing changes any more, unless it is drawn
        try:
            answer = await pool.ask(question, DRAWING)
            self.hub.publish(topic, json.loads(answer.body))
            if answer.status == 200:
                stream.shown = version
                stream.due = time.monotonic() + (
                    len(answer.body) * len(self.hub.watchers.get(topic, ())) / BYTES_A_SECOND
                    if pool is self._pictures
                    else 0.0
                )
        finally:
            stream.drawing = None
            if stream.shown is None:  # what takes too long is not asked for without end
                now = time.monotonic()
                stream.due = now + max(AGAIN, 4 * (now - begun))


# Who steers a training.


def may_steer(address: str, training: TrainingProcess, params: Params) -> bool:
    """Return whether the key is known there, or it is the owner who asks."""
    return is_owner(address) or same(params.text("key"), training.key)


def is_owner(address: str) -> bool:
    """Return whether a client has shown the owner's key.

    The address of a machine gives no right: a proxy on this one brings the whole world.
    """
    return address == OWNER


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
        self.places = asyncio.Semaphore(MOST)
        self._going_on: set[TrainingProcess] = set()
        self.tasks = Tasks[None]()
        self._closed = False
        hub.handlers |= {
            "training.start": self._start,
            "training.stop": self._stop,
            "training.pause": self._order,
            "training.go": self._order,
            "training.pace": self._pace,
            "training.save": self._save,
            "training.may": self._may,
            "training.room": self._room,
            "training.remove": self._remove,
            "training.rename": self._rename,
        }

    async def open(self) -> None:
        """Shows trainings to whoever watches, and gives turns; goes on until it is cancelled."""
        await asyncio.gather(self.streams.run(), self._make_way())

    async def close(self) -> None:
        """Lets all trainings save and end; none begins any more."""
        self._closed = True
        await asyncio.gather(*(training.stop() for training in self.known.values() if training.runs))
        await self.tasks.cancel()
        await self.streams.close()

    async def _start(self, client: Client, params: Params) -> JsonObject:
        """A new training, or, with `resume`, one that goes on: its `name`, and the `key` that steers it.

        Answers when the process has said its first word, takes its time, or waits for its turn.
        """
        plan = self._plan(client, params)
        self.refuse_many(client.address)
        self.retire_paused(client.address)
        self.quota.require(plan["owner"], plan["name"])
        self._note(plan["name"], plan["owner"])
        self.known.pop(plan["name"], None)
        training = self.known[plan["name"]] = TrainingProcess(self.settings, plan, client.address)
        self._make_room()
        self.begin(training)
        if not training.waits:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEGINNING):
                    await training.begun.wait()
        if training.error:
            del self.known[training.name]
            return {"error": training.error}
        return {"name": training.name, "key": training.key}

    def _note(self, name: str, owner: str) -> None:
        """Remembers whose a learner is; a training that waits or prepares has not written its file yet."""
        self.quota.note(name, owner, {other for other, training in self.known.items() if training.runs})

    def refuse_many(self, address: str) -> None:
        """Raises LimitReached where too many wait, or too many of another machine learn or wait, or
        the lab itself is short of memory, or closes.
        """
        if self.hub.memory.short or self._closed:
            raise LimitReached(message("too many questions at once; try again in a moment"))
        if sum(training.waits for training in self.known.values()) >= MOST_WAITING:
            raise LimitReached(message("{n} trainings wait already; try again in a moment", n=MOST_WAITING))
        learning = sum(  # one that is paused frees its place
            training.runs and training.idle is None and training.address == address
            for training in self.known.values()
        )
        if not is_owner(address) and learning >= MOST_OF_ONE:
            raise LimitReached(
                message(
                    "{n} trainings begun at this machine are learning or wait; stop one of them first",
                    n=MOST_OF_ONE,
                )
            )

    def retire_paused(self, address: str) -> None:
        """Stop the training that has been paused longest where too many are, of one machine or in all:
        it is saved, and goes on when somebody asks for it.
        """
        paused = sorted(
            (training for training in self.known.values() if training.runs and training.idle is not None),
            key=lambda training: training.idle or 0.0,
        )
        mine = [training for training in paused if training.address == address and not is_owner(address)]
        if len(mine) >= MOST_OF_ONE:
            self.tasks.start(mine[0].stop())
        elif len(paused) >= MOST_PAUSED:
            self.tasks.start(paused[0].stop())

    def refuse_learning(self, name: str) -> None:
        """Raises BadInput where a training will save under this name, though its file may not be
        there yet.
        """
        if name in self.known and self.known[name].runs:
            raise BadInput(message("{name} is learning now; take another name", name=name))

    def _plan(self, client: Client, params: Params) -> TrainingPlan:
        """Return what a training is to be, as far as the hub can judge: names, numbers and lengths.

        Raises BadInput.
        """
        resume = params.flag("resume")
        game, learner, name = (
            params.text("game", "hexapawn"),
            params.text("learner", "q"),
            params.text("name"),
        )
        folder = self.settings.folder
        if not name:
            name = learners.free_name(
                folder, f"{game.partition(':')[0]}-{learner.partition(':')[0]}", set(self.known)
            )
        self.refuse_learning(name)
        if name in self.known and resume:
            self._require(client, self.known[name], params)
        learners.kept(folder, name) if resume else learners.refuse_taken(folder, name)
        return {
            "name": name,
            "game": game,
            "learner": learner,
            "resume": resume,
            "owner": owner_of(client.asker),
            "seed": params.whole("seed", 0, 0, MOST_SEED),
            "games": params.whole("games", 400, 1, MOST_GAMES),
            "pace": pace_of(params),
            "opponent": params.text("opponent"),
            "seat": params.choice("seat", SEATS),
            "starts": params.text("positions", longest=MOST_TYPED),
            "language": language(),
        }

    def begin(self, training: TrainingProcess) -> None:
        """Runs it when there is a place."""
        self.streams.changes += 1
        if self.places.locked():
            training.now["stage"] = _("waits until another training has ended")
        else:
            training.since = time.monotonic()
        self.tasks.start(self.run_in_turn(training))

    async def run_in_turn(self, training: TrainingProcess) -> None:
        try:
            await self._take_place(training)
            if training.runs:  # it may have been stopped while it waited
                await training.run()
        finally:
            self._give_place(training)

    async def _take_place(self, training: TrainingProcess) -> None:
        await self.places.acquire()
        training.placed = True

    def _give_place(self, training: TrainingProcess) -> None:
        if training.placed:
            training.placed = False
            self.places.release()

    async def _go_on(self, training: TrainingProcess) -> None:
        """Lets a training go on that was paused, once there is a place."""
        self._going_on.add(training)
        try:
            if self.places.locked():
                training.now = {**training.now, "stage": _("waits until another training has ended")}
                training.told += 1
            await self._take_place(training)
            training.order({"do": "go"})
            if not training.runs:
                self._give_place(training)
        finally:
            self._going_on.discard(training)

    async def _make_way(self) -> None:
        """Make way for one of those that wait, where others do."""
        while True:
            await asyncio.sleep(1.0)
            if self._going_on or any(training.waits for training in self.known.values()):
                overdue = [
                    training
                    for training in self.known.values()
                    if training.placed and has_had_its_turn(training, time.monotonic())
                ]
                for training in overdue[:1]:
                    await training.stop()

    def _make_room(self) -> None:
        """Forgets the trainings that ended longest ago."""
        ended = [name for name, training in self.known.items() if not training.runs]
        for name in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self.known[name]

    def _running(self, params: Params) -> TrainingProcess:
        """Raises BadInput where no such training runs."""
        name = params.text("name")
        if name not in self.known or not self.known[name].runs:
            raise BadInput(message("{name} is not learning now", name=name))
        return self.known[name]

    def _steered(self, client: Client, params: Params) -> TrainingProcess:
        """Return the same. Raises BadInput where somebody else steers it."""
        training = self._running(params)
        self._require(client, training, params)
        return training

    def _require(self, client: Client, training: TrainingProcess, params: Params) -> None:
        if not may_steer(client.address, training, params):
            raise BadInput(
                message(
                    "{name} is steered by whoever began it; you can watch it, play against it and compare it",
                    name=training.name,
                )
            )

    async def _may(self, client: Client, params: Params) -> JsonObject:
        """Return whether who asks `may` steer a training, or go on with it."""
        name = params.text("name")
        return {"may": name not in self.known or may_steer(client.address, self.known[name], params)}

    async def _room(self, client: Client, params: Params) -> JsonObject:
        """Return what is left of the room for learners, in words: `said`."""
        return {"said": self.quota.in_words(owner_of(client.asker))}

    async def _order(self, client: Client, params: Params) -> None:
        """Pauses, which frees a place for another, or goes on."""
        training = self._steered(client, params)
        if params.values["do"] == "training.pause":
            training.order({"do": "pause"})
            self._give_place(training)
        elif training.placed:
            training.order({"do": "go"})
        elif not training.waits and training not in self._going_on:
            self.tasks.start(self._go_on(training))

    async def _pace(self, client: Client, params: Params) -> None:
        """Games a second from now on; 0: as many as there can be."""
        self._steered(client, params).order({"do": "pace", "pace": pace_of(params)})

    async def _stop(self, client: Client, params: Params) -> None:
        await self._steered(client, params).stop()

    async def _save(self, client: Client, params: Params) -> JsonObject:
        """Saves what the learner knows now, so that whoever plays against it meets it as it is;
        under another name too, with `as`. How many games it had learnt from then is `saved`.
        """
        name = params.text("as")
        if name:
            self.refuse_learning(name)
            learners.refuse_taken(self.settings.folder, name)
        training = self._steered(client, params) if name else self._running(params)
        if name:
            self._note(name, training.plan["owner"])
        try:
            saved = await training.save(name, SAVING)
        except TimeoutError:
            return {"error": _("{name} could not be saved just now", name=training.name)}
        self.streams.changes += 1
        return {"error": saved["error"]} if "error" in saved else {"saved": saved["saved"]}

    async def _remove(self, client: Client, params: Params) -> None:
        """Deletes a learner. Raises BadInput."""
        name = self._resting(client, params)
        learners.kept(self.settings.folder, name).unlink()
        self._forget(name)

    async def _rename(self, client: Client, params: Params) -> None:
        """Calls a learner by another name, which none has. Raises BadInput, LimitReached."""
        folder = self.settings.folder
        name, to = self._resting(client, params), params.text("to")
        self.refuse_learning(to)
        learners.kept(folder, name).rename(learners.free_place(folder, to))
        if owner := self.quota.owner(name):
            self._note(to, owner)
        self._forget(name)
        self._forget(to)

    def _forget(self, name: str) -> None:
        self.known.pop(name, None)
        self.streams.changes += 1

    def _resting(self, client: Client, params: Params) -> str:
        """The name of a learner that does not learn now, and is the asker's. Raises BadInput."""
        name, known = params.text("name"), self.known
        learners.kept(self.settings.folder, name)
        if name in known and known[name].runs:
            raise BadInput(message("{name} is learning now; stop it first", name=name))
        began = name in known and may_steer(client.address, known[name], params)
        if not (is_owner(client.address) or began or self.quota.owner(name) == owner_of(client.asker)):
            raise BadInput(
                message("{name} belongs to whoever began it, or to whoever serves this lab", name=name)
            )
        return name


def has_had_its_turn(training: TrainingProcess, now: float) -> bool:
    """Return whether a training is to make way where others wait: it is saved, and goes on when
    somebody asks for it.
    """
    if not training.runs or training.since is None:
        return False
    if training.idle is not None and now - training.idle > REST:
        return True
    return not is_owner(training.address) and now - training.since > TURN


def pace_of(params: Params) -> int:
    """Games a second; 0: as many as there can be."""
    return params.whole("pace", 0, 0, MOST_PACE)
