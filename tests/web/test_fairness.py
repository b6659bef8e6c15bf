"""One asker among many: what it asks, however much and under however many names, never takes the
place of everybody else.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from itertools import count

import pytest
from scenes import acted
from starlette.types import Message, Receive, Scope, Send

from damier.core.errors import BadInput
from damier.core.job import resident
from damier.web.app import Answers, WebLab
from damier.web.gate import COOKIE, Gate
from damier.web.limits import SPARE, ClientId, FairSemaphore, MemoryWatch
from damier.web.messages import Query
from damier.web.pool import Answer, Pool
from damier.web.settings import Settings

ADA, BOB, EVE = ClientId("school", "ada"), ClientId("school", "bob"), ClientId("elsewhere", "eve")


async def settled(turns: FairSemaphore, asker: ClientId, times: int) -> list[asyncio.Task[None]]:
    """Somebody who wants so many places at once; whoever may have a spare one has it by now."""
    wanted = [asyncio.create_task(turns.take(asker)) for _time in range(times)]
    for _turn in range(5):
        await asyncio.sleep(0)
    return wanted


async def leave(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_one_browser_never_holds_all_places_and_neither_does_its_address(size: int) -> None:
    async def scene() -> None:
        turns = FairSemaphore(size, 100, late=0)
        waiting = await settled(turns, ADA, size + 10)
        assert turns.held == {ADA: size}
        waiting += await settled(turns, BOB, size + 10)
        assert turns.held == {ADA: size, BOB: 1}
        waiting += await settled(turns, EVE, size + 10)
        assert turns.held == {ADA: size, BOB: 1, EVE: 1}
        assert turns.taken == size + SPARE
        await leave(*waiting)

    acted(scene())


def test_ever_new_cookies_give_an_address_no_more_places_and_no_more_of_the_line() -> None:
    async def scene() -> None:
        turns, names = FairSemaphore(2, 30, late=0), count()
        waiting = [
            task
            for _number in range(60)
            for task in await settled(turns, ClientId("school", str(next(names))), 1)
        ]
        assert turns.taken == 3
        assert turns.count == 20
        last = await settled(turns, EVE, 1)
        assert last[0].done()
        assert turns.held[EVE] == 1
        await leave(*waiting, *last)

    acted(scene())


def test_a_spare_place_is_for_those_who_have_waited() -> None:
    async def scene() -> None:
        turns = FairSemaphore(1, 10, late=3600)
        waiting = await settled(turns, ADA, 1) + await settled(turns, EVE, 1)
        assert turns.held == {ADA: 1}
        turns.give(ADA)
        await asyncio.sleep(0)
        assert turns.held == {EVE: 1}
        await leave(*waiting)

    acted(scene())


def test_a_question_is_answered_while_another_browser_holds_all_the_usual_workers() -> None:
    endless = Query("board.show", {"game": "hexapawn"}, "en", ADA)

    async def scene() -> None:
        pool = Pool(Settings(), 1)
        try:
            async with asyncio.timeout(300):
                await pool.turns.take(ADA)  # as long as the lab lives
                pool.idle.pop()
                found = await pool.ask(endless.line, 300, EVE)
            assert found.status == 200
            assert not any(worker.runs for worker in pool.workers[2:])
        finally:
            await pool.close()

    acted(scene())


def test_a_worker_more_than_usual_ends_when_nobody_waits() -> None:
    async def scene() -> None:
        pool = Pool(Settings(), 1)
        pool.turns.late = 0
        try:
            async with asyncio.timeout(300):
                line = Query("board.show", {"game": "hexapawn"}, "en").line
                answers = await asyncio.gather(*(pool.ask(line, 300, asker) for asker in (ADA, BOB, EVE)))
            assert {answer.status for answer in answers} == {200}
            assert sum(worker.runs for worker in pool.workers) == 1
        finally:
            await pool.close()

    acted(scene())


def test_a_browser_is_given_a_name_with_its_first_page_and_with_no_other_answer() -> None:
    def visit(kind: str, cookie: str = "", status: int = 200) -> tuple[Scope, list[Message]]:
        told: list[Message] = []

        async def page(scope: Scope, receive: Receive, send: Send) -> None:
            await send(
                {
                    "type": "http.response.start",
                    "status": status,
                    "headers": [(b"content-type", kind.encode())],
                }
            )

        async def send(message: Message) -> None:
            told.append(message)

        async def receive() -> Message:
            raise AssertionError

        scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "client": ("192.0.2.7", 1),
            "headers": [(b"host", b"localhost"), (b"cookie", cookie.encode())],
        }
        acted(Gate(page, Settings())(scope, receive, send))
        return scope, [header for header in told[0]["headers"] if header[0] == b"set-cookie"]

    scope, named = visit("text/html")
    assert scope["state"]["asker"] == ClientId("192.0.2.7")
    assert b"HttpOnly" in named[0][1]
    cookie = named[0][1].decode().split(";")[0]
    scope, named = visit("text/html", f"lang=fr; {cookie}; other=1")
    assert scope["state"]["asker"] == ClientId("192.0.2.7", cookie.partition("=")[2])
    assert not named
    assert not visit("application/json")[1]
    assert not visit("text/html", status=403)[1]
    for forged in ("", "x" * 15, "x" * 17, "<b>" * 6, "é" * 16):
        assert visit("text/html", f"{COOKIE}={forged}")[0]["state"]["asker"].browser == ""


def test_a_question_is_read_once_and_what_is_none_is_refused() -> None:
    read = Query.read("board.show", '{"game": "hexapawn", "moves": ["a1a2"]}', "en", ADA)
    assert read.values == {"game": "hexapawn", "moves": ["a1a2"]}
    assert json.loads(json.loads(read.line)["body"]) == read.values
    for body in ("{", "[]", "3", "[" * 100_000, "1" * 5_000):
        with pytest.raises(BadInput):
            Query.read("board.show", body, "en", ADA)
    for depth in range(800, 1_100):  # what can just be read may be too deep to be written
        with suppress(BadInput):
            Query.read("board.show", '{"a":' * depth + "1" + "}" * depth, "en", ADA)


def test_a_question_about_a_game_of_ones_own_is_known_by_its_values_and_by_no_text_in_it() -> None:
    own = {"mine": "/tmp/mine.py"}
    for values in (
        {"game": "mine"},
        {"game": "mine:width=3"},
        {"name": "mine-q"},
        {"one": "x", "other": "mine-q-2"},
    ):
        assert Query("v", values, "en").is_about(own)
    for other in (
        {"game": "hexapawn"},
        {"game": "minesweeper"},
        {"game": "hexapawn", "text": '"mine'},
        {"game": ["mine"]},
        {"1": "mine"},
        {},
    ):
        assert not Query("v", other, "en").is_about(own)


def test_a_hub_that_holds_too_much_gives_up_what_it_can_and_begins_nothing_new(
    caplog: pytest.LogCaptureFixture,
) -> None:
    given_up: list[int] = []
    watch = MemoryWatch(1 << 30, [lambda: given_up.append(1)])
    with caplog.at_level(logging.WARNING):
        for held in (1 << 20, 1 << 31, 1 << 31):
            watch.look(held)
    assert watch.short
    assert len(given_up) == 2
    assert len(caplog.messages) == 1
    watch.look(1 << 20)
    assert not watch.short
    assert resident() > 1 << 20

    async def scene() -> None:
        lab = WebLab(Settings())
        lab.memory.look(lab.memory.most + 1)
        refused = await lab.ask(Query("board.page", {"game": "hexapawn"}, "en"))
        assert refused.status == 503
        assert len(json.loads(refused.body)["error"].splitlines()) == 1
        await lab.close()

    acted(scene())


def test_kept_answers_are_given_up_as_a_whole() -> None:
    async def scene() -> None:
        answers = Answers()

        async def work() -> Answer:
            return Answer(200, "", b"x")

        await answers.of(b"q", work)
        assert answers.size
        answers.forget()
        assert not answers.size
        assert not answers.kept

    acted(scene())
