"""The broadcast hub: whoever watches a topic is told its latest state.

What is published is encoded once. A watcher that reads slowly misses states in between and never
sees an old one after a new one, so what is kept for it is bounded by the topics that it watches.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.errors import BadInput, DamierError
from damier.core.job import fault_in_words
from damier.core.json_types import JsonObject
from damier.core.words import _
from damier.web.gate import asker_of
from damier.web.limits import Bucket, ClientId, MemoryWatch, place_of
from damier.web.messages import Params

MOST_TOPICS = 16
MOST_CLIENTS = 1_000
MOST_OF_ONE = 600
"""Connections from one address: a whole school may share one."""
LONGEST_MESSAGE = 16 << 10
LONGEST_TOPIC = 100
LARGEST_NUMBER = 1 << 53
MOST_ANSWERS = 100
"""Answers that wait to be read by one client; who reads none of so many is let go."""
SLOWEST = 20.0
"""Seconds after which a watcher that takes nothing is let go."""
MESSAGES = (20.0, 60.0)
"""Messages a second from one watcher, and how many at once."""

Handler: TypeAlias = "Callable[[Client, Params], Awaitable[JsonObject | None]]"
"""What answers one verb, as its docstring says, with an `error` or nothing: it refuses with a DamierError."""
SILENT = ("watch", "unwatch")
"""Verbs that are answered by what is watched; all others at least by an empty object."""


class Gone(BadInput):
    """Refusal of a message about what is no more: it was forgotten, or the lab was started anew."""


@dataclass(eq=False)
class Client:
    """One connection: what it watches, and what it has still to be told, by topic."""

    socket: WebSocket
    topics: set[str] = field(default_factory=set)
    pending: dict[str, str] = field(default_factory=dict)
    told: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def address(self) -> str:
        """Return where it comes from, as limits count it; the owner of the lab is in one place,
        wherever that is.
        """
        return place_of(self.socket.client.host) if self.socket.client else ""

    @property
    def asker(self) -> ClientId:
        return asker_of(self.socket.scope)

    def tell(self, topic: str, text: str) -> None:
        """The latest of a topic takes the place of what was not sent yet."""
        self.pending[topic] = text
        self.told.set()

    async def send(self) -> None:
        """Sends what there is to tell, for as long as the connection lasts."""
        while True:
            await self.told.wait()
            self.told.clear()
            while self.pending:
                text = self.pending.pop(next(iter(self.pending)))
                async with asyncio.timeout(SLOWEST):
                    await self.socket.send_text(text)


class Hub:
    """Topics and who watches them.

    `handlers` answer messages that name their verb: {"do": verb, …}.
    """

    def __init__(self, memory: MemoryWatch | None = None) -> None:
        self.memory = memory or MemoryWatch()
        self.latest: dict[str, str] = {}
        self.watchers: dict[str, set[Client]] = {}
        self.clients: set[Client] = set()
        self.addresses: Counter[str] = Counter()
        self.handlers: dict[str, Handler] = {"watch": self._watch, "unwatch": self._unwatch}

    def publish(self, topic: str, state: Mapping[str, object]) -> None:
        """Tells everybody who watches, and who will."""
        text = json.dumps({"topic": topic, **state}, ensure_ascii=False)
        self.latest[topic] = text
        for client in self.watchers.get(topic, ()):
            client.tell(topic, text)

    def forget(self, topic: str) -> None:
        """The topic is no more."""
        self.latest.pop(topic, None)

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its first message to its last."""
        client = Client(socket)
        if len(self.clients) >= MOST_CLIENTS or self.addresses[client.address] >= MOST_OF_ONE:
            await socket.close(1013)
            return
        self.clients.add(client)
        self.addresses[client.address] += 1
        try:
            await socket.accept()
            await self._converse(client)
        finally:
            self.clients.discard(client)
            for topic in client.topics:
                self._leave(client, topic)
            self.addresses[client.address] -= 1
            if not self.addresses[client.address]:
                del self.addresses[client.address]

    async def _converse(self, client: Client) -> None:
        """Sends and receives until one of both ends."""
        tasks = asyncio.create_task(client.send()), asyncio.create_task(self._receive(client))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
            async with asyncio.timeout(1):  # who reads nothing does not take our farewell either
                await client.socket.close(1008)

    async def _receive(self, client: Client) -> None:
        """Reads messages; one that cannot be meant is answered with an error.

        One that is too large or no text, or one too many, is the last.
        """
        bucket = Bucket(*MESSAGES)
        while True:
            message = await client.socket.receive()
            text = message.get("text")
            if (
                text is None
                or len(text) > LONGEST_MESSAGE
                or not bucket.take()
                or len(client.pending) > MOST_ANSWERS
            ):
                return
            await self._handle(client, text)

    async def _handle(self, client: Client, text: str) -> None:
        number: int | None = None
        answer: JsonObject | None = {"error": _("a message that nobody understands")}
        with contextlib.suppress(ValueError, RecursionError):
            message = understood(text)
            number = numbered(message)
            answer = await self.answer(client, message)
        if answer is not None:
            client.tell(f"answer {number}", json.dumps({"answer": number, **answer}, ensure_ascii=False))

    async def answer(self, client: Client, message: JsonObject) -> JsonObject | None:
        """Return what there is to say to a message, a refusal in one sentence."""
        try:
            verb = str(message["do"])
            found = await self.handlers[verb](client, Params(message))
            return {} if found is None and verb not in SILENT else found
        except Gone as error:
            return {"error": str(error), "gone": True}
        except DamierError as error:
            return {"error": str(error)}
        except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
            return {"error": _("a message that nobody understands")}
        except Exception as error:  # the connection is for other messages, too; who serves sees where it was
            sys.excepthook(*sys.exc_info())
            return {"error": fault_in_words(error)}

    async def _watch(self, client: Client, params: Params) -> JsonObject | None:
        topic = str(params.values["topic"])
        if topic not in client.topics and (len(client.topics) >= MOST_TOPICS or len(topic) > LONGEST_TOPIC):
            return {"error": _("at most {n} things can be watched at once", n=MOST_TOPICS)}
        client.topics.add(topic)
        self.watchers.setdefault(topic, set()).add(client)
        if topic in self.latest:
            client.tell(topic, self.latest[topic])
        return None

    async def _unwatch(self, client: Client, params: Params) -> None:
        topic = str(params.values["topic"])
        client.topics.discard(topic)
        self._leave(client, topic)

    def _leave(self, client: Client, topic: str) -> None:
        watchers = self.watchers.get(topic, set())
        watchers.discard(client)
        if not watchers:
            self.watchers.pop(topic, None)


def understood(text: str) -> JsonObject:
    """A message of a client: an object that names what to `do`, and may bear the `number` of its answer.

    Raises ValueError for what is none: also for half a character (U+D800 to U+DFFF), which could
    not be passed on.
    """
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError(text[:20])
    if "\\u" in text:
        json.dumps(message, ensure_ascii=False).encode()
    return message


def numbered(message: JsonObject) -> int | None:
    """The number by which the client knows the answer."""
    number = message.get("number")
    if number is not None and (not isinstance(number, int) or abs(number) > LARGEST_NUMBER):
        raise ValueError(number)
    return number
