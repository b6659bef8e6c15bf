"""The trainings of the lab: a bounded number of processes, and their pictures for whoever watches.

A picture is made once for all who see the same: by a worker of its own, for the topic `training/NAME/LANGUAGE/ORDER` (the order of the table's
rows), no more often than ten times a second, more seldom where many watch, and never for nobody. The topic `trainings/LANGUAGE` is the list of all.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time

from damier.core.errors import BadInput, LimitReached
from damier.core.words import _, language, languages
from damier.web.asked import Asked
from damier.web.hub import Client, Hub, Message
from damier.web.learning import learners
from damier.web.learning.process import TrainingProcess
from damier.web.pool import Pool
from damier.web.settings import Settings

MOST = 4
"""Trainings that run at once."""
MOST_ENDED = 20
"""Trainings whose last picture is kept; their learners lie in files."""
MOST_GAMES = 1_000_000_000
MOST_SEED = (1 << 53) - 1
MOST_PACE = 1_000_000
TICK, LISTED = 0.1, 10
"""Seconds between two looks at what has changed; and so many looks between two lists."""
BYTES_A_SECOND = 64e6
"""What is told to all who watch one training: the more there are, the fewer pictures."""
LISTED_FACTS = ("name", "game", "learner", "state", "games", "of")
ORDERS = ("visits", "error", "discovery")
SEATS = ("", "1", "2", "alternate")
BEGINNING, SAVING = 20.0, 20.0
"""Seconds that are waited for a first word, which may be why it cannot be; and for a learner to be saved."""
DRAWING = 10.0
"""Seconds that a picture may take."""


class Trainings:
    """All trainings of this lab, by the names of their learners."""

    def __init__(self, settings: Settings, hub: Hub) -> None:
        self.settings, self.hub = settings, hub
        self.known: dict[str, TrainingProcess] = {}
        self._pool = Pool(settings, 1, nice=5)
        self._tasks: list[asyncio.Task[None]] = []
        self._shown: dict[str, object] = {}  # what each topic shows
        self._due: dict[str, float] = {}  # when each topic may be told again
        self._changes = 0
        actions = {"start": self._start, "stop": self._stop, "pause": self._order, "go": self._order, "pace": self._pace, "save": self._save}
        hub.handlers |= {f"training.{name}": action for name, action in actions.items()}

    async def close(self) -> None:
        """Lets all trainings save and end."""
        await asyncio.gather(*(training.stop() for training in self.known.values() if training.runs))
        for task in self._tasks:
            task.cancel()
        await self._pool.close()

    async def _start(self, client: Client, message: Message) -> Message:
        """A new training, or, with `resume`, one that goes on. Answers when the process has said its first word, or takes its time."""
        plan = self._plan(Asked(message))
        if sum(training.runs for training in self.known.values()) >= MOST:
            raise LimitReached(_("{n} trainings run already; stop one of them first", n=MOST))
        training = self.known[plan["name"]] = TrainingProcess(self.settings, plan)
        self._make_room()
        self._begin(training)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BEGINNING):
                await training.begun.wait()
        if training.error:
            del self.known[training.name]
            return {"error": training.error}
        return {"name": training.name}

    def _plan(self, asked: Asked) -> Message:
        """What a training is to be, as far as the hub can judge: names, numbers and lengths. Raises BadInput."""
        resume = asked.flag("resume")
        game, learner, name = asked.text("game", "hexapawn"), asked.text("learner", "q"), asked.text("name")
        folder = self.settings.folder
        if not name:
            taken = {training.name for training in self.known.values()}
            name = learners.free_name(folder, f"{game.partition(':')[0]}-{learner.partition(':')[0]}", taken)
        if name in self.known and self.known[name].runs:
            raise BadInput(_("{name} is learning now; take another name", name=name))
        learners.kept(folder, name) if resume else learners.refuse_taken(folder, name)
        numbers = {"seed": asked.whole("seed", 0, 0, MOST_SEED), "games": asked.whole("games", 400, 1, MOST_GAMES), "pace": pace_of(asked)}
        words = {"opponent": asked.text("opponent"), "seat": asked.choice("seat", SEATS), "language": language()}
        return {"name": name, "game": game, "learner": learner, "resume": resume, **numbers, **words}

    def _begin(self, training: TrainingProcess) -> None:
        """Runs it, and shows it to whoever watches; the first training also starts that."""
        self._changes += 1
        if not self._tasks:
            self._tasks.append(asyncio.create_task(self._show_all()))
        self._tasks = [task for task in self._tasks if not task.done()]
        self._tasks.append(asyncio.create_task(training.run()))

    def _make_room(self) -> None:
        """Forgets the trainings that ended longest ago."""
        ended = [name for name, training in self.known.items() if not training.runs]
        for name in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self.known[name]

    def _running(self, message: Message) -> TrainingProcess:
        """Raises BadInput where no such training runs."""
        name = Asked(message).text("name")
        if name not in self.known or not self.known[name].runs:
            raise BadInput(_("{name} is not learning now", name=name))
        return self.known[name]

    async def _order(self, client: Client, message: Message) -> Message:
        """Pauses, or goes on."""
        self._running(message).order({"do": message["do"].removeprefix("training.")})
        return {}

    async def _pace(self, client: Client, message: Message) -> Message:
        """Games a second from now on; 0: as many as there can be."""
        self._running(message).order({"do": "pace", "pace": pace_of(Asked(message))})
        return {}

    async def _stop(self, client: Client, message: Message) -> Message:
        await self._running(message).stop()
        return {}

    async def _save(self, client: Client, message: Message) -> Message:
        """Saves what the learner knows now, so that whoever plays against it meets it as it is; under another name too, with `as`."""
        name = Asked(message).text("as")
        if name:
            learners.refuse_taken(self.settings.folder, name)
        training = self._running(message)
        try:
            saved = await training.save(name, SAVING)
        except TimeoutError:
            return {"error": _("{name} could not be saved just now", name=training.name)}
        self._changes += 1
        return {"error": saved["error"]} if "error" in saved else {"saved": saved["saved"]}

    async def _show_all(self) -> None:
        """Keeps every topic that somebody watches at the latest."""
        for look in itertools.count():
            for topic in [topic for topic in self._shown if topic not in self.hub.watchers]:
                del self._shown[topic], self._due[topic]
                self.hub.forget(topic)
            for topic in list(self.hub.watchers):
                kind, *parts = topic.split("/")
                if kind == "training" and len(parts) == 3:
                    await self._show_one(topic, *parts)
                elif kind == "trainings" and len(parts) == 1:
                    await self._show_list(topic, parts[0], look // LISTED)
            await asyncio.sleep(TICK)

    async def _show_one(self, topic: str, name: str, spoken: str, order: str) -> None:
        """One training: its curve, its numbers, its table."""
        if name in self.known and spoken in languages() and order in ORDERS:
            training = self.known[name]
            await self._publish(topic, (id(training), training.version), "learning.drawn", spoken, training.facts() | {"order": order})

    async def _show_list(self, topic: str, spoken: str, second: int) -> None:
        """All trainings: how far they are once a second, and at once where one begins, ends or is paused."""
        if self.known and spoken in languages():
            runs = any(training.runs for training in self.known.values())
            seen = (self._changes, [(training.name, training.state) for training in self.known.values()], second if runs else 0)
            facts = [{name: training.facts()[name] for name in LISTED_FACTS} for training in self.known.values()]
            await self._publish(topic, seen, "learning.listed", spoken, {"trainings": facts})

    async def _publish(self, topic: str, seen: object, verb: str, spoken: str, values: Message) -> None:
        """Has a picture drawn and tells it, unless the topic shows it already."""
        if self._shown.get(topic) == seen or time.monotonic() < self._due.get(topic, 0.0):
            return
        self._shown[topic] = seen
        question = json.dumps({"verb": verb, "language": spoken, "body": json.dumps(values)}).encode()
        answer = await self._pool.ask(question, DRAWING)
        self.hub.publish(topic, json.loads(answer.body))
        self._due[topic] = time.monotonic() + len(answer.body) * len(self.hub.watchers.get(topic, ())) / BYTES_A_SECOND


def pace_of(asked: Asked) -> int:
    """Games a second; 0: as many as there can be."""
    return asked.whole("pace", 0, 0, MOST_PACE)
