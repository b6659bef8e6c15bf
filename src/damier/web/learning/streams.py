"""What the lab tells of its trainings to whoever watches.

Everything is made once for all who see the same, by workers of its own, and never for nobody:

* `progress/NAME/LANGUAGE`: the numbers of a training, small, as often as it tells them (ten times a
  second)
* `training/NAME/LANGUAGE/ORDER`: its curve, what it is worth, and its table in that order of rows,
  as fast as they are drawn; more seldom where many watch
* `trainings/LANGUAGE`: the list of all
"""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

from damier.core.words import languages
from damier.web.hub import Hub
from damier.web.learning.process import TrainingProcess
from damier.web.messages.training import ListedTraining, TrainingNumbers
from damier.web.params import Query
from damier.web.pool import Pool
from damier.web.settings import Settings

LOOK, LISTED = 0.025, 40
"""Seconds between two looks at what has changed: a quarter of those between two tellings; and so
many looks between two lists.
"""
BYTES_A_SECOND = 20e6
"""What the pictures of one topic may take of the network: the more watch, the fewer they get.

The numbers are small, and come always.
"""
DRAWING = 10.0
"""Seconds that a picture may take."""

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
                    "learning.drawn",
                    spoken,
                    {**training.facts(), "order": order},
                )
            case ["trainings", spoken] if spoken in languages():
                self._list(topic, spoken, look // LISTED)

    def _numbers_of(self, topic: str, name: str, spoken: str) -> None:
        """How far a training is.

        A learner that is not learning here is said to be `asleep`: its file says what there is to
        say.
        """
        if name in self.known:
            training = self.known[name]
            self._publish(
                topic,
                (id(training), training.told),
                self._numbers,
                "learning.numbers",
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
        seen = (
            self.changes,
            [(training.name, training.state) for training in trainings],
            second if any(training.runs for training in trainings) else 0,
        )
        facts = [listed(training.numbers) for training in trainings]
        self._publish(topic, seen, self._pictures, "learning.listed", spoken, {"trainings": facts})

    def _publish(
        self, topic: str, seen: object, pool: Pool, verb: str, spoken: str, values: Mapping[str, object]
    ) -> None:
        """Has it drawn and told, unless the topic shows it already, or is being drawn for."""
        stream = self._streams.setdefault(topic, Stream())
        if stream.drawing or stream.shown == seen or time.monotonic() < stream.due:
            return
        stream.shown = seen
        stream.drawing = asyncio.create_task(
            self._draw(topic, stream, pool, Query(verb, values, spoken).line)
        )

    async def _draw(self, topic: str, stream: Stream, pool: Pool, question: bytes) -> None:
        try:
            answer = await pool.ask(question, DRAWING)
            self.hub.publish(topic, json.loads(answer.body))
            stream.due = time.monotonic() + (
                len(answer.body) * len(self.hub.watchers.get(topic, ())) / BYTES_A_SECOND
                if pool is self._pictures
                else 0.0
            )
        finally:
            stream.drawing = None


def listed(numbers: TrainingNumbers) -> ListedTraining:
    """What the list of all says of a training."""
    return {
        "name": numbers["name"],
        "game": numbers["game"],
        "learner": numbers["learner"],
        "state": numbers["state"],
        "games": numbers["games"],
        "of": numbers["of"],
    }
