"""Tables: games that several people play, each at a page of their own.

The hub knows the moves and who sits where; a worker judges the moves.

A move is judged first and accepted afterwards, only if nothing has happened at the table in
between, so that no move counts twice.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from damier.core.words import _, language
from damier.web.asked import MOST_MOVES
from damier.web.askers import Asker
from damier.web.gate import Buckets
from damier.web.hub import Client, Handler, Hub, Message
from damier.web.messages.board import BoardReply, Judged
from damier.web.messages.hub import Failure, HubAnswer, OpenedTable, SeatKey, SeatNumber
from damier.web.messages.parts import NoAnswer
from damier.web.pool import Answer
from damier.web.query import Query
from damier.web.tables.messages import name_of, text_of, texts_of, whole_of
from damier.web.tables.table import HUMAN, Refused, Seat, Table, played

MOST_TABLES = 2_000
MOST_BYTES = 64 << 20
"""Of the moves of all tables, about."""
MOST_SEATS = 16
FORGOTTEN = 3600.0
"""Seconds after which a table is forgotten at which nobody moves, and which nobody watches."""
OPENED = (20.0, 400.0)
"""Tables a second from one address, and how many at once."""
TRIES = 4
"""How often an agent is asked while the lab is busy; each time after twice the pause of the last."""

Ask: TypeAlias = Callable[[Query], Awaitable[Answer]]


class Tables:
    """All tables; `ask` asks a worker."""

    def __init__(self, hub: Hub, ask: Ask) -> None:
        self.hub, self._ask = hub, ask
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.bytes = 0
        self._opened = Buckets(*OPENED)
        self._replying: set[asyncio.Task[None]] = set()
        actions: dict[str, Handler] = {
            "open": self._open,
            "look": self._look,
            "sit": self._sit,
            "move": self._move,
            "back": self._back,
            "again": self._again,
            "leave": self._leave,
        }
        hub.handlers |= {f"table.{name}": polite(action) for name, action in actions.items()}

    async def _open(self, client: Client, message: Message) -> OpenedTable:
        """A new table, at which the opener sits at the first seat of a person."""
        game, moves, seats = (
            text_of(message, "game"),
            texts_of(message, "moves", MOST_MOVES),
            texts_of(message, "seats", MOST_SEATS),
        )
        agents = [agent for agent in seats if agent != HUMAN]
        if len(agents) == len(seats):
            raise Refused(_("a table needs at least one seat for a person"))
        if not self._opened.take(client.asker.place):
            raise Refused(_("too many questions at once; try again in a moment"))
        found = await self._judged(client.asker, game=game, moves=moves)
        if len(seats) != found["players"]:
            raise Refused(_("{game} has {n} seats, not {m}", game=game, n=found["players"], m=len(seats)))
        if agents:
            await self._asked("table.agents", client.asker, game=game, agents=agents)
        self._make_room()
        table = Table(
            secrets.token_urlsafe(6),
            game,
            [Seat(agent) for agent in seats],
            *played(found),
            new_seed(),
            time.monotonic(),
        )
        self.tables[table.name] = table
        first = seats.index(HUMAN)
        table.seats[first].name = name_of(message)
        key = self._seated(table, first)
        self._go_on(table, client.asker)
        return {"table": table.name, "key": key, "seat": first + 1}

    async def _look(self, client: Client, message: Message) -> SeatNumber:
        """Whether the table is there still, and the seat, from 1, of whoever has this key; 0 for
        who has none.
        """
        table = self._table(message)
        try:
            return {"seat": table.seat_of(message.get("key")) + 1}
        except Refused:
            return {"seat": 0}

    async def _sit(self, client: Client, message: Message) -> SeatKey:
        """Sits down at a seat, from 1, that is free."""
        table, number = self._table(message), whole_of(message, "seat")
        if not 1 <= number <= len(table.seats) or table.seats[number - 1].taken:
            raise Refused(_("this seat is not free"))
        table.seats[number - 1].name = name_of(message)
        return {"key": self._seated(table, number - 1)}

    async def _leave(self, client: Client, message: Message) -> NoAnswer:
        """Gets up: the seat is free for others."""
        table = self._table(message)
        seat = table.seats[table.seat_of(message["key"])]
        seat.key, seat.name = "", ""
        self._changed(table)
        return {}

    async def _move(self, client: Client, message: Message) -> NoAnswer:
        """Plays the next move of whoever has the key."""
        table = self._table(message)
        before, move = table.turn_of(message["key"], message["at"]), text_of(message, "move")
        found = await self._judged(client.asker, game=table.game, moves=before, move=move)
        table.accept(before, found)
        self._changed(table)
        self._go_on(table, client.asker)
        return {}

    async def _back(self, client: Client, message: Message) -> NoAnswer:
        """Takes back to the last decision of the only person at the table."""
        table = self._table(message)
        seat = table.seat_of(message["key"])
        table.seen_by(message["at"])
        table.take_back(seat)
        self._changed(table)
        return {}

    async def _again(self, client: Client, message: Message) -> NoAnswer:
        """A new game of the same people; with `swap`, of whom another begins."""
        table = self._table(message)
        before = table.ended(message["key"], message["at"])
        found = await self._judged(client.asker, game=table.game, moves=[])
        table.begin(before, found, new_seed(), swapped=message.get("swap") is True)
        self._changed(table)
        self._go_on(table, client.asker)
        return {}

    def _table(self, message: Message) -> Table:
        name = message["table"]
        if not isinstance(name, str) or name not in self.tables:
            raise Gone(_("this table is no more; go on from the same position at a new one"))
        self.tables.move_to_end(name)
        return self.tables[name]

    def _seated(self, table: Table, number: int) -> str:
        table.seats[number].key = secrets.token_urlsafe(18)
        self._changed(table)
        return table.seats[number].key

    def _changed(self, table: Table) -> None:
        """Tells everybody; a table that grew may cost another its place."""
        if self.tables.get(table.name) is not table:  # forgotten meanwhile
            return
        table.seen = time.monotonic()
        self.bytes += table.measured()
        if self.bytes > MOST_BYTES and (oldest := self._unwatched(table)):
            self._forget(oldest)
        self.hub.publish(table.topic, table.state())

    def _go_on(self, table: Table, asker: Asker) -> None:
        """Lets agents and dice play until a person's turn."""
        if not table.waits_for_person:
            task = asyncio.create_task(self._replies(table, asker))
            self._replying.add(task)
            task.add_done_callback(self._replying.discard)

    async def _replies(self, table: Table, asker: Asker) -> None:
        tries = 0
        while not table.waits_for_person and self.tables.get(table.name) is table:
            before = table.moves
            try:
                table.accept(before, await self._reply(table, asker))
                self._changed(table)
                tries = 0
            except Refused as refusal:
                tries += 1
                if not isinstance(refusal, Busy) or tries == TRIES:
                    return self._troubled(table, before, str(refusal))
                await asyncio.sleep(0.5 * 2**tries)

    async def _reply(self, table: Table, asker: Asker) -> Judged:
        """The position after the move of an agent, or of a die."""
        agent = table.seats[table.mover].agent if table.mover >= 0 else ""
        body = await self._asked(
            "board.reply", asker, game=table.game, moves=table.moves, agent=agent, seed=table.seed
        )
        reply: BoardReply = json.loads(body)
        return await self._judged(asker, game=table.game, moves=table.moves, move=reply["move"])

    def _troubled(self, table: Table, before: tuple[str, ...], sentence: str) -> None:
        """Says at the table why its agent does not play."""
        if table.moves is before:
            table.trouble = sentence
            self._changed(table)

    async def _judged(self, asker: Asker, **values: object) -> Judged:
        """What the judge finds of some moves. Raises Refused with its sentence."""
        found: Judged = json.loads(await self._asked("table.judge", asker, **values))
        return found

    async def _asked(self, verb: str, asker: Asker, **values: object) -> bytes:
        """What a worker answers, as JSON. Raises Refused with its sentence."""
        answer = await self._ask(Query(verb, values, language(), asker))
        if answer.status != 200:
            why: Failure = json.loads(answer.body)
            raise (Busy if answer.status == 503 else Refused)(why["error"])
        return answer.body

    def _make_room(self) -> None:
        """Forgets the table that was used longest ago and that nobody watches, where there are too
        many, or too large ones. Raises Refused.
        """
        while len(self.tables) >= MOST_TABLES or self.bytes > MOST_BYTES:
            unwatched = self._unwatched()
            if unwatched is None:
                raise Refused(_("all tables of this lab are taken"))
            self._forget(unwatched)

    def _unwatched(self, but: Table | None = None) -> Table | None:
        """The table that was used longest ago and that nobody watches."""
        return next(
            (
                table
                for table in self.tables.values()
                if table is not but and not self.hub.watchers.get(table.topic)
            ),
            None,
        )

    def sweep(self, now: float) -> None:
        """Forgets the tables that have long been left. `now` is a time of `time.monotonic`."""
        for table in tuple(self.tables.values()):
            if self.hub.watchers.get(table.topic):
                table.seen = now
            elif now - table.seen > FORGOTTEN:
                self._forget(table)

    def _forget(self, table: Table) -> None:
        del self.tables[table.name]
        self.bytes -= table.bytes
        self.hub.forget(table.topic)

    async def watch_the_clock(self) -> None:
        """Sweeps once a minute, for as long as the lab runs."""
        while True:
            await asyncio.sleep(60)
            self.sweep(time.monotonic())

    async def close(self) -> None:
        for task in tuple(self._replying):
            task.cancel()
        await asyncio.gather(*self._replying, return_exceptions=True)


class Busy(Refused):
    """The lab has no time for it now."""


class Gone(Refused):
    """There is no such table: it was forgotten, or the lab was started anew."""


def polite(action: Handler) -> Handler:
    """The action, answering with a sentence where it is refused."""

    async def handled(client: Client, message: Message) -> HubAnswer | None:
        try:
            return await action(client, message)
        except Gone as gone:
            return {"error": str(gone), "gone": True}
        except Refused as refused:
            return {"error": str(refused)}

    return handled


def new_seed() -> int:
    """Of the dice of a game, and of its agents."""
    return secrets.randbelow(1 << 31)
