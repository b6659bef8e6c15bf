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
from dataclasses import dataclass
from typing import TypeAlias

from damier.core.errors import BadInput
from damier.core.json_types import JsonObject
from damier.core.words import language, message, printable
from damier.web.gate import same
from damier.web.hub import Client, Gone, Hub
from damier.web.limits import Buckets, ClientId
from damier.web.messages import (
    MOST_MOVES,
    BoardReply,
    Judged,
    Params,
    Query,
)
from damier.web.pool import Answer, Tasks

# One table: a game, its moves so far, and who may make the next one.

HUMAN = "human"
MOVE = 80
"""Bytes that a move takes besides its letters."""


@dataclass
class Seat:
    """Seat at a table.

    Attributes:
        agent: its text, or `human`
        key: the secret of the person who sits there; empty while nobody does
        name: what that person wants to be called; may be empty
    """

    agent: str
    key: str = ""
    name: str = ""

    @property
    def taken(self) -> bool:
        return self.agent != HUMAN or bool(self.key)


@dataclass
class Table:
    """One game.

    Attributes:
        game: as pages name it
        now: its moves so far, who made each and whose turn it is, as the judge found them; another object
            with every move
        round: how many games were played here before; players may have changed their seats with each
        bytes: of its moves, when they were last measured
    """

    name: str
    game: str
    seats: list[Seat]
    now: Judged
    seed: int
    seen: float
    trouble: str = ""
    round: int = 0
    bytes: int = 0

    @property
    def topic(self) -> str:
        return f"table:{self.name}"

    @property
    def waits_for_person(self) -> bool:
        mover = self.now["mover"]
        return self.now["over"] or (mover >= 0 and self.seats[mover].agent == HUMAN)

    def measured(self) -> int:
        """By how many bytes it has grown since it was last measured: two copies of each move, one
        as it is told.
        """
        before, self.bytes = self.bytes, sum(2 * len(move) + MOVE for move in self.now["moves"])
        return self.bytes - before

    def seat_of(self, key: object) -> int:
        """The seat, from 0, that a key belongs to. Raises BadInput."""
        for number, seat in enumerate(self.seats):
            if seat.key and isinstance(key, str) and same(seat.key, key):
                return number
        raise BadInput(message("you do not sit at this table"))

    def state(self) -> JsonObject:
        """Return what everybody may know of it."""
        return {
            "game": self.game,
            "moves": self.now["moves"],
            "seats": [{"agent": seat.agent, "taken": seat.taken, "name": seat.name} for seat in self.seats],
            "mover": self.now["mover"],
            "over": self.now["over"],
            "seed": self.seed,
            "trouble": self.trouble,
            "round": self.round,
        }

    def turn_of(self, key: object, at: object) -> Judged:
        """The position, where it is the turn of the holder of `key`, who has seen `at` moves.

        Raises BadInput.
        """
        seat = self.seat_of(key)
        self.seen_by(at)
        if self.now["over"]:
            raise BadInput(message("the game is over"))
        if seat != self.now["mover"]:
            raise BadInput(message("it is not your turn"))
        return self.now

    def seen_by(self, at: object) -> None:
        """Raises BadInput unless `at` is the number of moves so far."""
        if at is True or at is False or at != len(self.now["moves"]):
            raise overtaken()

    def accept(self, before: Judged, found: Judged) -> None:
        """Puts a judged move in place.

        Raises BadInput where something else has happened since `before`.
        """
        if self.now is not before:
            raise overtaken()
        self.now, self.trouble = found, ""

    def ended(self, key: object, at: object) -> Judged:
        """The position of a game that is over, or that an agent does not go on with, for a player who
        has seen `at` moves. Raises BadInput.
        """
        self.seat_of(key)
        self.seen_by(at)
        if not (self.now["over"] or self.trouble):
            raise BadInput(message("the game goes on"))
        return self.now

    def begin(self, before: Judged, found: Judged, seed: int, *, swapped: bool) -> None:
        """A new game after the one that was at `before`; `swapped` gives every seat to who sat at the
        next. Raises BadInput where it has begun already.
        """
        self.accept(before, found)
        self.seed = seed
        self.round += 1
        if swapped:
            self.seats = [*self.seats[1:], self.seats[0]]

    def take_back(self, seat: int) -> None:
        """Takes back to the last decision of the only person here. Raises BadInput."""
        if sum(other.agent == HUMAN for other in self.seats) > 1:
            raise BadInput(message("another person plays here: no move is taken back"))
        own = [ply for ply, mover in enumerate(self.now["movers"]) if mover == seat]
        if not own:
            raise BadInput(message("there is no move of yours to take back"))
        self.trouble = ""  # it was about a position that is no more
        self.now = {
            "moves": self.now["moves"][: own[-1]],
            "movers": self.now["movers"][: own[-1]],
            "mover": seat,
            "over": False,
            "players": self.now["players"],
        }


def overtaken() -> BadInput:
    return BadInput(message("something else has been played here in between"))


MOST_TABLES = 2_000
MOST_BYTES = 64 << 20
"""Of the moves of all tables, about."""
MOST_SEATS = 16
SHOWN_NAME = 24
"""Characters of a name that are shown."""
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
        self.replying = Tasks[None]()
        hub.handlers |= {
            "table.open": self._open,
            "table.look": self._look,
            "table.sit": self._sit,
            "table.move": self._move,
            "table.back": self._back,
            "table.again": self._again,
            "table.leave": self._leave,
        }

    async def _open(self, client: Client, params: Params) -> JsonObject:
        """A new table, at which the opener sits at the first seat of a person: `table`, `key`, `seat`."""
        game, moves, seats = (
            params.text("game"),
            params.texts("moves", MOST_MOVES),
            params.texts("seats", MOST_SEATS),
        )
        agents = [agent for agent in seats if agent != HUMAN]
        if len(agents) == len(seats):
            raise BadInput(message("a table needs at least one seat for a person"))
        if not self._opened.take(client.asker.place):
            raise BadInput(message("too many questions at once; try again in a moment"))
        found = await self._judged(client.asker, game=game, moves=moves)
        if len(seats) != found["players"]:
            raise BadInput(
                message("{game} has {n} seats, not {m}", game=game, n=found["players"], m=len(seats))
            )
        if agents:
            await self._answer("table.agents", client.asker, game=game, agents=agents)
        self._make_room()
        table = Table(
            secrets.token_urlsafe(6),
            game,
            [Seat(agent) for agent in seats],
            found,
            new_seed(),
            time.monotonic(),
        )
        self.tables[table.name] = table
        first = seats.index(HUMAN)
        table.seats[first].name = name_of(params)
        key = self._seated(table, first)
        self._go_on(table, client.asker)
        return {"table": table.name, "key": key, "seat": first + 1}

    async def _look(self, client: Client, params: Params) -> JsonObject:
        """Return whether the table is there still, and the `seat`, from 1, of whoever has this key; 0
        for who has none.
        """
        table = self._table(params)
        try:
            return {"seat": table.seat_of(params.values.get("key")) + 1}
        except BadInput:
            return {"seat": 0}

    async def _sit(self, client: Client, params: Params) -> JsonObject:
        """Sits down at a seat, from 1, that is free; its `key` is to be shown from then on."""
        table, number = self._table(params), params.whole("seat", 0)
        if not 1 <= number <= len(table.seats) or table.seats[number - 1].taken:
            raise BadInput(message("this seat is not free"))
        table.seats[number - 1].name = name_of(params)
        return {"key": self._seated(table, number - 1)}

    async def _leave(self, client: Client, params: Params) -> None:
        """Gets up: the seat is free for others."""
        table = self._table(params)
        seat = table.seats[table.seat_of(params.values["key"])]
        seat.key, seat.name = "", ""
        self._changed(table)

    async def _move(self, client: Client, params: Params) -> None:
        """Plays the next move of whoever has the key."""
        table = self._table(params)
        before, move = table.turn_of(params.values["key"], params.values["at"]), params.text("move")
        if not move:
            raise BadInput(message("a message that nobody understands"))
        found = await self._judged(client.asker, game=table.game, moves=before["moves"], move=move)
        table.accept(before, found)
        self._changed(table)
        self._go_on(table, client.asker)

    async def _back(self, client: Client, params: Params) -> None:
        """Takes back to the last decision of the only person at the table."""
        table = self._table(params)
        seat = table.seat_of(params.values["key"])
        table.seen_by(params.values["at"])
        table.take_back(seat)
        self._changed(table)

    async def _again(self, client: Client, params: Params) -> None:
        """A new game of the same people; with `swap`, of whom another begins."""
        table = self._table(params)
        before = table.ended(params.values["key"], params.values["at"])
        found = await self._judged(client.asker, game=table.game, moves=[])
        table.begin(before, found, new_seed(), swapped=params.values.get("swap") is True)
        self._changed(table)
        self._go_on(table, client.asker)

    def _table(self, params: Params) -> Table:
        name = params.text("table")
        if name not in self.tables:
            raise Gone(message("this table is no more; go on from the same position at a new one"))
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

    def _go_on(self, table: Table, asker: ClientId) -> None:
        """Lets agents and dice play until a person's turn."""
        if not table.waits_for_person:
            self.replying.start(self._replies(table, asker))

    async def _replies(self, table: Table, asker: ClientId) -> None:
        tries = 0
        while not table.waits_for_person and self.tables.get(table.name) is table:
            before = table.now
            try:
                table.accept(before, await self._reply(table, asker))
                self._changed(table)
                tries = 0
            except BadInput as refusal:
                tries += 1
                if not isinstance(refusal, Busy) or tries == TRIES:
                    if table.now is before:  # why its agent does not play
                        table.trouble = str(refusal)
                        self._changed(table)
                    return
                await asyncio.sleep(0.5 * 2**tries)

    async def _reply(self, table: Table, asker: ClientId) -> Judged:
        """The position after the move of an agent, or of a die."""
        mover, moves = table.now["mover"], table.now["moves"]
        agent = table.seats[mover].agent if mover >= 0 else ""
        body = await self._answer(
            "board.reply", asker, game=table.game, moves=moves, agent=agent, seed=table.seed
        )
        reply: BoardReply = json.loads(body)
        return await self._judged(asker, game=table.game, moves=moves, move=reply["move"])

    async def _judged(self, asker: ClientId, **values: object) -> Judged:
        """Return what the judge finds of some moves. Raises BadInput with its sentence."""
        found: Judged = json.loads(await self._answer("table.judge", asker, **values))
        return found

    async def _answer(self, verb: str, asker: ClientId, **values: object) -> bytes:
        """Return what a worker answers, as JSON. Raises BadInput with its sentence."""
        answer = await self._ask(Query(verb, values, language(), asker))
        if answer.status != 200:
            why = json.loads(answer.body)["error"]
            raise (Busy if answer.status == 503 else BadInput)(why)
        return answer.body

    def _make_room(self) -> None:
        """Forgets the table that was used longest ago and that nobody watches, where there are too
        many, or too large ones. Raises BadInput.
        """
        while len(self.tables) >= MOST_TABLES or self.bytes > MOST_BYTES:
            unwatched = self._unwatched()
            if unwatched is None:
                raise BadInput(message("all tables of this lab are taken"))
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
        await self.replying.cancel()


class Busy(BadInput):
    """The lab has no time for it now."""


def name_of(params: Params) -> str:
    """Return what whoever sits down wants to be called, in one line; nothing where nothing is said."""
    return printable(" ".join(params.text("name").split()), SHOWN_NAME)


def new_seed() -> int:
    """Of the dice of a game, and of its agents."""
    return secrets.randbelow(1 << 31)
