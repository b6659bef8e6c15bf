"""A class in front of a lab: students who play, some with exact values shown, students who turn pages,
and one who asks for whatever takes long, as fast as it goes; each at an address of its own.

python -m benchmarks.thirty ADDRESS SECONDS prints what the honest ones waited for, as JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

PROVING, PLAYING, READING = 12, 9, 8
"""Students who play Connect Four with exact values shown, who play other games, who turn pages."""
WARMING = 20.0
"""Seconds at the beginning that are told apart: engines are compiled, the first pages made."""
THINKING = (1.0, 4.0)
"""Seconds that a student looks at a position, or reads a page, before the next."""
PATIENCE = 120.0
GAMES = (
    ("tictactoe", "mcts"),
    ("hexapawn", "perfect"),
    ("othello", "alphabeta:plies=3"),
    ("nim", "perfect"),
    ("isola", "mcts"),
)
PAGES = (
    "/",
    "/games",
    "/training/hexapawn",
    "/learning",
    "/matchboxes",
    "/tree",
    "/tree?view=exercise&kind=alphabeta",
    "/tree?view=graph",
    "/lessons",
    "/lessons/q",
    "/hexapawn?moves=a1a2,b3b2",
    "/tictactoe?1=human&2=perfect&show=truth&moves=4",
    "/chess",
)
MALICE = 24
"""Questions that the hostile one keeps open at once, each under a new name."""


@dataclass
class Waited:
    """Seconds of moves with their replies, and of pages; in `early` those of the first WARMING seconds."""

    moves: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    early: list[float] = field(default_factory=list)
    proofs: int = 0
    hostile: int = 0
    faults: list[str] = field(default_factory=list)


class Browser:
    """A browser at an address: `ask` and `see` wait for an answer, and who gives up hangs up."""

    def __init__(self, address: str, number: int, name: str = "") -> None:
        self.host, self.port = urlsplit(address).hostname, urlsplit(address).port
        self.at = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self.cookie = f"damier_browser={name or f'student{number:09}'}"

    async def ask(self, verb: str, **values: object) -> tuple[int, dict[str, Any]]:
        status, body = await self._told("POST", f"/ask/{verb}", json.dumps(values).encode())
        return status, json.loads(body)

    async def see(self, path: str) -> int:
        status, _body = await self._told("GET", path, b"")
        return status

    async def _told(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        async with asyncio.timeout(PATIENCE), self._connection() as (reader, writer):
            writer.write(
                f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nConnection: close\r\n"
                f"Cookie: {self.cookie}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                + body
            )
            head, _end, found = (await reader.read(-1)).partition(b"\r\n\r\n")
            return int(head.split(None, 2)[1]), found

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection(
            self.host, self.port, local_addr=(self.at, 0), limit=1 << 24
        )
        try:
            yield reader, writer
        finally:
            writer.close()


@dataclass
class Class:
    """All students in front of the lab at `address`, until `until`."""

    address: str
    until: float
    waited: Waited = field(default_factory=Waited)

    def __post_init__(self) -> None:
        self.begun = time.monotonic()

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.until

    def took(self, kept: list[float], seconds: float, what: str) -> None:
        early = time.monotonic() - self.begun < WARMING
        (self.waited.early if early else kept).append(seconds)
        if seconds > 1:
            print(f"{'early ' * early}{what}: {seconds:.2f} s", file=sys.stderr)

    def expect(self, status: int, what: object) -> None:
        if status != 200:
            self.waited.faults.append(f"{status}: {what}")

    async def student(self, number: int) -> None:
        rng, browser = random.Random(number), Browser(self.address, number)
        await asyncio.sleep(rng.random() * THINKING[1])
        while self.goes_on:
            if number < PROVING:
                await self.game(browser, rng, "connect_four", "mcts", "truth")
            elif number < PROVING + PLAYING:
                await self.game(browser, rng, *GAMES[number % len(GAMES)], "")
            else:
                await self.page(browser, rng.choice(PAGES))
                await asyncio.sleep(rng.uniform(*THINKING))

    async def page(self, browser: Browser, path: str) -> None:
        begun = time.monotonic()
        self.expect(await browser.see(path), path)
        self.took(self.waited.pages, time.monotonic() - begun, path)

    async def game(self, browser: Browser, rng: random.Random, game: str, agent: str, show: str) -> None:
        """A game against an agent, as its page asks: a move, its reply, and what they are worth until
        the next.
        """
        seats = {"1": "human", "2": agent}
        await self.page(browser, f"/{game}?1=human&2={agent}&show={show}")
        asked: dict[str, Any] = {"game": game, "moves": [], "at": 0, **seats, "seed": rng.randrange(99)}
        status, answer = await browser.ask("board.show", **asked)
        while self.goes_on and status == 200 and not answer["state"]["over"]:
            state = answer["state"]
            asked |= {"moves": state["moves"], "at": state["at"], "show": show}
            proof = asyncio.create_task(self.proof(browser, asked)) if state["truth"] == "wait" else None
            await asyncio.sleep(rng.uniform(*THINKING))
            if proof:
                proof.cancel()
            status, answer = await self.move(browser, asked, rng.choice(state["legal"]))
        self.expect(status, answer.get("error"))

    async def move(self, browser: Browser, asked: dict[str, Any], move: str) -> tuple[int, dict[str, Any]]:
        """A move and its reply."""
        begun = time.monotonic()
        status, answer = await browser.ask("board.move", **asked, move=move)
        while status == 200 and not answer["state"]["over"] and not answer["state"]["person"]:
            state = answer["state"]
            verb = "board.soon" if state["light"] else "board.reply"
            status, answer = await browser.ask(verb, **asked | {"moves": state["moves"], "at": state["at"]})
        self.took(self.waited.moves, time.monotonic() - begun, f"{asked['game']} {asked['moves']}")
        return status, answer

    async def proof(self, browser: Browser, asked: dict[str, Any]) -> None:
        with contextlib.suppress(TimeoutError):
            status, answer = await browser.ask("truth.show", **asked)
            self.waited.proofs += status == 200 and answer["state"]["truth"] == "here"

    async def hostile(self, number: int) -> None:
        """Whatever takes long, with another name each time."""
        rng = random.Random(number)
        while self.goes_on:
            browser = Browser(self.address, PROVING + PLAYING + READING, f"{rng.randrange(10**15):016}")
            columns = [str(rng.randrange(1, 8)) for _ply in range(rng.randrange(12))]
            choice = rng.randrange(7)
            with contextlib.suppress(OSError, TimeoutError, ValueError, IndexError):
                if choice == 0:
                    await browser.ask(
                        "board.reply", game="connect_four", moves=[], agent="mcts:simulations=999999999"
                    )
                elif choice == 1:
                    agent = f"mcts:seconds=2,simulations=100000,c=1.{rng.randrange(10**6)}"
                    await browser.ask("board.reply", game="go", moves=[], agent=agent)
                elif choice == 2:
                    await browser.ask("truth.show", game="connect_four", moves=columns, show="truth")
                elif choice == 3:
                    await browser.ask("board.reply", game="chess", moves=[], agent="alphabeta:plies=12")
                elif choice == 4:
                    await browser.see(f"/tree?game=connect_four&moves={','.join(columns)}&plies=4")
                elif choice == 5:
                    await browser.see(f"/tree?view=graph&game=tictactoe&moves={rng.randrange(9)}&plies=5")
                else:
                    await browser.see(
                        f"/matchboxes?game=tictactoe&played=5000*random&seed={rng.randrange(10**6)}"
                    )
                self.waited.hostile += 1


async def measured(address: str, seconds: float) -> Waited:
    """What everybody waited for."""
    room = Class(address, time.monotonic() + WARMING + seconds)
    people = [room.student(number) for number in range(PROVING + PLAYING + READING)]
    people += [room.hostile(number) for number in range(MALICE)]
    for fault in await asyncio.gather(*people, return_exceptions=True):
        if fault is not None:
            room.waited.faults.append(repr(fault))
    return room.waited


if __name__ == "__main__":
    print(json.dumps(vars(asyncio.run(measured(sys.argv[1], float(sys.argv[2]))))))
