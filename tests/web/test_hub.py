"""The live connection: what is published reaches everybody who watches, and nobody can hold up or
fill up the hub.
"""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from browsing import Served
from lasting import long
from scenes import acted
from talking import Live

from damier.web import hub as hubs
from damier.web.hub import Client, Hub
from damier.web.messages import Params

ADDRESS = ("192.0.2.7", 4711)


class Line:
    """A socket without a network: what the client says is put in, what it was told is read off.

    `deaf`: it takes nothing.
    """

    def __init__(self, address: tuple[str, int] = ADDRESS, deaf: bool = False) -> None:
        self.client = type("Address", (), {"host": address[0]})
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.told: list[dict[str, Any]] = []
        self.closed: int | None = None
        self.ready = asyncio.Event()
        self.deaf = deaf

    def say(self, **message: Any) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    def hang_up(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect"})

    async def accept(self) -> None:
        self.ready.set()

    async def receive(self) -> dict[str, Any]:
        return await self.said.get()

    async def send_text(self, text: str) -> None:
        if self.deaf:
            await asyncio.Event().wait()
        self.told.append(json.loads(text))

    async def close(self, code: int = 1000) -> None:
        self.closed = code


async def settled() -> None:
    """Everything that can go on has gone on."""
    for _turn in range(20):
        await asyncio.sleep(0)


def connected(hub: Hub, line: Line) -> asyncio.Task[None]:
    return asyncio.create_task(hub.serve(line))  # type: ignore[arg-type]


def test_a_fault_is_said_to_who_asked_and_to_who_serves(capsys: pytest.CaptureFixture[str]) -> None:
    async def scene() -> list[dict[str, Any]]:
        hub, line = Hub(), Line()

        async def failing(client: Client, asked: Params) -> None:
            raise OSError(28, "No space left on device")

        hub.handlers["fail"] = failing
        connected(hub, line)
        line.say(do="fail", number=1)
        await settled()
        line.say(do="watch", topic="a", number=2)
        hub.publish("a", {"n": 1})
        await settled()
        return line.told

    told = acted(scene())
    assert "a fault of the game, or of damier itself: OSError: [Errno 28]" in told[0]["error"]
    assert told[-1] == {"topic": "a", "n": 1}, "the connection goes on"
    assert "No space left on device" in capsys.readouterr().err


def test_a_topic_tells_its_latest_state_first_and_then_every_new_one() -> None:
    async def scene() -> list[dict[str, Any]]:
        hub, line = Hub(), Line()
        hub.publish("a", {"n": 1})
        hub.publish("b", {"n": 9})
        connected(hub, line)
        line.say(do="watch", topic="a")
        await settled()
        hub.publish("a", {"n": 2})
        await settled()
        line.say(do="unwatch", topic="a")
        await settled()
        hub.publish("a", {"n": 3})
        await settled()
        return line.told

    assert acted(scene()) == [{"topic": "a", "n": 1}, {"topic": "a", "n": 2}]


def test_who_reads_nothing_is_kept_only_the_latest_and_then_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "SLOWEST", 0.05)

    async def scene() -> None:
        hub, deaf, line = Hub(), Line(deaf=True), Line()
        serving = connected(hub, deaf)
        connected(hub, line)
        deaf.say(do="watch", topic="a")
        line.say(do="watch", topic="a")
        await settled()
        for n in range(1000):
            hub.publish("a", {"n": n})
        (client,) = [client for client in hub.clients if client.socket is deaf]
        await settled()
        assert len(client.pending) <= 1
        assert line.told[-1]["n"] == 999
        await serving
        assert deaf.closed is not None
        assert client not in hub.clients
        assert client not in hub.watchers["a"]

    acted(scene())


def test_who_asks_and_never_reads_the_answers_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MESSAGES", (0.0, 10_000.0))

    async def scene() -> None:
        hub, deaf = Hub(), Line(deaf=True)
        serving = connected(hub, deaf)
        for number in range(1000):
            deaf.say(do="nothing", number=number)
        await serving
        assert deaf.closed is not None
        assert not hub.clients

    acted(scene())


def test_whoever_vanishes_leaves_nothing_behind() -> None:
    async def scene() -> None:
        hub = Hub()
        lines = [Line() for _number in range(50)]
        serving = [connected(hub, line) for line in lines]
        for line in lines:
            line.say(do="watch", topic="a")
            line.say(do="unwatch", topic="never watched")
        await settled()
        assert len(hub.clients) == 50
        for line in lines:
            line.hang_up()
        await asyncio.gather(*serving)
        assert not hub.clients
        assert not hub.watchers
        assert not hub.addresses

    acted(scene())


def test_connections_are_bounded_for_all_and_for_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MOST_OF_ONE", 2)
    monkeypatch.setattr(hubs, "MOST_CLIENTS", 3)

    async def scene() -> list[bool]:
        hub = Hub()
        lines = [Line(), Line(), Line(), Line(("192.0.2.8", 1)), Line(("192.0.2.9", 1))]
        for line in lines:
            connected(hub, line)
            await settled()
        return [line.closed is None for line in lines]

    assert acted(scene()) == [True, True, False, True, False]


def test_a_house_with_many_addresses_is_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is given a /64 of IPv6, as every house is, could else take every place there is, from
    an address of its own each.
    """
    monkeypatch.setattr(hubs, "MOST_OF_ONE", 2)

    async def scene() -> list[bool]:
        hub = Hub()
        lines = [Line((f"2001:db8:1:{house}::{number}", 1)) for house in (1, 2) for number in range(1, 4)]
        for line in lines:
            connected(hub, line)
            await settled()
        return [line.closed is None for line in lines]

    assert acted(scene()) == [True, True, False] * 2


def test_topics_of_one_client_are_bounded() -> None:
    async def scene() -> None:
        hub, line = Hub(), Line()
        connected(hub, line)
        for number in range(30):
            line.say(do="watch", topic=str(number), number=number)
        line.say(do="watch", topic="5", number=100)
        line.say(do="watch", topic="x" * 200, number=101)
        await settled()
        assert len(hub.watchers) == hubs.MOST_TOPICS
        assert {told["answer"] for told in line.told} == {*range(hubs.MOST_TOPICS, 30), 101}
        assert all("error" in told for told in line.told)

    acted(scene())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "3",
        '{"do": 3}',
        '{"do": ["watch"]}',
        '{"do": "watch"}',
        '{"do": "_receive"}',
        '{"do": "watch", "topic": "a", "number": {"a": 1}}',
        '{"do": "watch", "topic": "a", "number": 1e999}',
        '{"do": "watch", "topic": "a", "number": ' + 300 * "9" + "}",
        '{"do": "watch", "topic": "\\ud800"}',
        '{"\\udfff": 1, "do": "watch", "topic": "a"}',
        10_000 * "[",
        '{"do": ' + 5_000 * "9" + "}",
    ],
)
def test_a_message_that_nobody_understands_is_answered_and_changes_nothing(served: Served, text: str) -> None:
    live = Live(served)
    live.socket.send(text)
    assert "error" in live.hear()
    assert "error" in live.tell("nonsense")  # the connection is as good as before
    live.close()


@pytest.mark.parametrize("content", [b"bytes", b"", "x" * 20_000, "x" * 100_000, b"\x00" * 70_000])
def test_a_message_that_is_too_large_or_no_text_is_the_last(served: Served, content: str | bytes) -> None:
    assert Live(served).is_let_go(content)


def test_a_flood_of_messages_is_the_last(served: Served) -> None:
    assert Live(served).is_let_go(*1000 * ['{"do": "nothing"}'])
    other = Live(served)
    assert "error" in other.tell("nothing")
    other.close()


@long
def test_hundreds_of_connections_that_vanish_leave_the_lab_as_it_was(served: Served) -> None:
    for _round in range(3):
        lives = [Live(served) for _number in range(100)]
        for live in lives:
            live.send(do="watch", topic="a")
        for live in lives:
            live.vanish()
    # there would be no room for them beside the 300
    lives = [Live(served) for _number in range(hubs.MOST_OF_ONE - 100)]
    assert "error" in lives[-1].tell("nothing")
    for live in lives:
        live.vanish()


def test_frames_in_pieces_are_bounded_too(served: Served) -> None:
    assert Live(served).is_let_go("x" * 10_000 for _piece in range(100))


def test_who_never_reads_does_not_stop_others(served: Served) -> None:
    deaf = Live(served)
    deaf.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    live = Live(served)
    for number in range(50):
        deaf.send(do="watch", topic=f"{number}" * 40)
    assert "error" in live.tell("nothing")
    live.close()
    deaf.vanish()
