"""Pairs of players of tic-tac-toe in front of a lab, in a process of their own: python -m
benchmarks.players ADDRESS TRAINING PAIRS SECONDS.

Each player moves every PAUSE seconds, watches TRAINING, and asks for the picture of every new
position, as its pages would. Prints what it saw, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

PAUSE = 2.0
PATIENCE = 30.0
GAME = "tictactoe"
CELLS = tuple("012345678")


@dataclass
class Seen:
    """What all pairs of a process saw. told: seconds from a move to the moment at which both its
    players knew it; streamed: numbers of the training.
    """

    told: list[float] = field(default_factory=list)
    streamed: int = 0
    pictures: int = 0
    games: int = 0
    faults: list[str] = field(default_factory=list)


class Player:
    """One connection of the socket, and one of HTTP for pictures."""

    def __init__(self, address: str, training: str, seen: Seen) -> None:
        self.address, self.training, self.seen = address, training, seen
        self.key = self.table = ""
        self.number = 0
        self.answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.state: dict[str, Any] = {}
        self.changed = asyncio.Event()

    async def come(self) -> Player:
        self.socket: ClientConnection = await connect(
            self.address.replace("http", "ws", 1) + "/live",
            origin=self.address,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
        )
        place = urlsplit(self.address)
        self.reader, self.writer = await asyncio.open_connection(place.hostname, place.port, limit=1 << 24)
        self.tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._look())]
        for topic in (f"progress/{self.training}/en", f"training/{self.training}/en/visits"):
            await self.socket.send(json.dumps({"do": "watch", "topic": topic}))
        return self

    async def tell(self, do: str, **message: Any) -> dict[str, Any]:
        self.number += 1
        answer = self.answers[self.number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"do": do, "number": self.number, **message}))
        async with asyncio.timeout(PATIENCE):
            return await answer

    async def sit(self, table: str, key: str) -> None:
        if self.table:
            await self.socket.send(json.dumps({"do": "unwatch", "topic": f"table:{self.table}"}))
        self.table, self.key, self.state = table, key, {}
        await self.socket.send(json.dumps({"do": "watch", "topic": f"table:{table}"}))

    async def knows(self, plies: int) -> None:
        """Waits until the table is known with so many moves."""
        async with asyncio.timeout(PATIENCE):
            while len(self.state.get("moves", ())) < plies:
                self.changed.clear()
                await self.changed.wait()

    async def _hear(self) -> None:
        async for text in self.socket:
            if text.startswith(('{"topic": "progress', '{"topic": "training')):
                self.seen.streamed += "progress" in text[:20]
                self.seen.pictures += "training" in text[:20]
                continue
            message = json.loads(text)
            if "topic" in message and message["topic"] == f"table:{self.table}":
                self.state = message
                self.changed.set()
                self.drawn.set()
            elif message.get("answer") in self.answers:
                self.answers.pop(message["answer"]).set_result(message)

    async def _look(self) -> None:
        """Asks for the picture of the latest position, again and again."""
        self.drawn = asyncio.Event()
        host = urlsplit(self.address).netloc
        while True:
            await self.drawn.wait()
            self.drawn.clear()
            body = json.dumps({"game": GAME, "moves": self.state.get("moves", [])})
            self.writer.write(
                f"POST /ask/board.show HTTP/1.1\r\nHost: {host}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
            await self.reader.readexactly(int(head.split(b"content-length:")[1].split()[0]))
            if not head.startswith(b"http/1.1 200"):
                self.seen.faults.append(head.split(b"\r\n")[0].decode())

    async def leave(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.writer.close()
        await self.socket.close()


async def pair(address: str, training: str, seconds: float, number: int, seen: Seen) -> None:
    """Two players, one game after the other."""
    rng = random.Random(number)
    two = [await Player(address, training, seen).come() for _seat in range(2)]
    until = time.monotonic() + seconds
    await asyncio.sleep(rng.random() * PAUSE)
    while time.monotonic() < until:
        await game(two, until, rng, seen)
    for player in two:
        await player.leave()


async def game(two: list[Player], until: float, rng: random.Random, seen: Seen) -> None:
    """A game at a new table: at its end both know exactly the moves that were sent."""
    opened = await two[0].tell("table.open", game=GAME, moves=[], seats=["human", "human"])
    key = (await two[1].tell("table.sit", table=opened["table"], seat=2))["key"]
    await two[0].sit(opened["table"], opened["key"])
    await two[1].sit(opened["table"], key)
    cells = rng.sample(CELLS, len(CELLS))
    for ply, cell in enumerate(cells):
        await asyncio.sleep(PAUSE / 2)
        begun = time.monotonic()
        if begun > until or two[ply % 2].state.get("over"):
            break
        answer, *_known = await asyncio.gather(
            two[ply % 2].tell("table.move", table=opened["table"], key=two[ply % 2].key, at=ply, move=cell),
            *(player.knows(ply + 1) for player in two),
        )
        seen.told.append(time.monotonic() - begun)
        sent = cells[: ply + 1]
        if "error" in answer or any(player.state["moves"] != sent for player in two):
            seen.faults.append(f"{answer}, sent {sent}, known {[player.state['moves'] for player in two]}")
    seen.games += 1


async def play(address: str, training: str, pairs: int, seconds: float) -> Seen:
    seen = Seen()
    playing = [pair(address, training, seconds, number, seen) for number in range(pairs)]
    for fault in await asyncio.gather(*playing, return_exceptions=True):
        if fault is not None:
            seen.faults.append(repr(fault))
    return seen


if __name__ == "__main__":
    found = asyncio.run(play(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
    print(json.dumps(vars(found)))
