"""Connections that say nothing, say it slowly, or do not listen: each is cut, and none shuts
anybody out. Real sockets, small limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import uvicorn
from scenes import acted
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from damier.web.server import ConnectionLimiter, Limits, conversing, guarded

PATIENT = Limits(total=100, one=50, idle=60, head=60.0, body=60.0, answer=60.0, linger=60.0)
"""No clock of these runs out while a test lasts; each test shortens the one that it is about."""
LARGE = 64 << 20
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
LONG = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: LENGTH\r\n\r\n"


@dataclass
class Place:
    """A server of one page: it answers a GET at once, `/large` with LARGE bytes, and a POST when it
    has read 1,000 bytes, or all.
    """

    port: int
    door: ConnectionLimiter

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def answer(self, content: bytes = GET) -> bytes:
        """The first line that is answered to some bytes on a new connection."""
        reader, writer = await self.connect()
        writer.write(content)
        line = await reader.readline()
        writer.close()
        return line

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await asyncio.sleep(0.001)


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    size, more = 0, scope["method"] == "POST"
    while more and size < 1_000:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    body = b"x" * (LARGE if scope["path"] == "/large" else 5)
    await send(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-length", str(len(body)).encode())],
        }
    )
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def served(limits: Limits) -> AsyncIterator[Place]:
    door, loop = ConnectionLimiter(limits), asyncio.get_running_loop()
    protocol = guarded(door)
    config = uvicorn.Config(
        page, http=protocol, ws=conversing(), log_config=None, timeout_keep_alive=limits.idle
    )
    config.load()
    state = ServerState()
    server = await loop.create_server(lambda: protocol(config, state, {}), "127.0.0.1", 0)
    try:
        yield Place(server.sockets[0].getsockname()[1], door)
        await asyncio.gather(*state.tasks)
    finally:
        for connection in tuple(door.open):
            connection.cut()
        server.close()


def limits(**changed: float) -> Limits:
    return Limits(**(vars(PATIENT) | changed))  # type: ignore[arg-type]


def play(changed: Limits, scene: Callable[[Place], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(300), served(changed) as place:
            await scene(place)

    acted(whole())


@pytest.mark.parametrize(
    "said",
    [b"", b"G", GET[:-2], GET, GET + b"G", GET + GET[:-1]],
    ids=["nothing", "a byte", "half", "once", "once and a byte", "once and half"],
)
def test_who_asks_nothing_more_is_cut(said: bytes) -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()
        writer.write(said)
        assert (await reader.read()).startswith(b"HTTP/1.1 200" if GET in said else b"")
        await place.until(lambda: not place.door.open)
        writer.close()

    play(limits(head=0.1), scene)


def test_a_kept_connection_is_ended_by_its_own_limit() -> None:
    async def scene(place: Place) -> None:
        reader, _writer = await place.connect()
        _writer.write(GET)
        assert (await reader.read()).startswith(b"HTTP/1.1 200")

    play(limits(idle=0), scene)


def test_a_byte_now_and_then_does_not_keep_a_connection() -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()

        async def drip() -> None:
            while not reader.at_eof() and reader.exception() is None and not writer.is_closing():
                writer.write(b"G")
                await asyncio.sleep(0.01)

        dripping = asyncio.create_task(drip())
        await asyncio.gather(reader.read(), return_exceptions=True)  # its end, or that it was reset
        dripping.cancel()
        await place.until(lambda: not place.door.open)
        writer.close()

    play(limits(head=0.2), scene)


def test_a_body_that_does_not_come_ends_its_connection() -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()
        writer.write(POST + b"1\r\nx\r\n")
        assert await reader.read() == b""
        await place.until(lambda: not place.door.open)
        writer.close()

    play(limits(body=0.1), scene)


def test_a_body_that_is_too_long_is_answered_and_read_no_further() -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()
        sent = 0

        async def endless() -> None:
            nonlocal sent
            while not reader.at_eof() and not writer.is_closing():
                writer.write(b"400\r\n" + 1024 * b"x" + b"\r\n")
                sent += 1024
                await writer.drain()

        writer.write(POST)
        sending = asyncio.create_task(endless())
        assert (await reader.read()).startswith(b"HTTP/1.1 200")  # and its end: the server sends no more
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await place.until(lambda: not place.door.open)

    play(limits(linger=0.1), scene)


@pytest.mark.parametrize("rest", [0, 1_000, 60_000])
def test_who_was_answered_before_all_had_come_can_ask_on(rest: int) -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()
        for _time in range(3):
            writer.write(LONG.replace(b"LENGTH", b"%d" % (1_000 + rest + 1)) + 1_000 * b"x")
            assert (await reader.readuntil(b"xxxxx")).startswith(b"HTTP/1.1 200")
            writer.write(rest * b"y")
            await writer.drain()
            writer.write(b"z" + GET)
            assert (await reader.readuntil(b"xxxxx")).startswith(b"HTTP/1.1 200")
        writer.close()

    play(PATIENT, scene)


def test_who_takes_nothing_of_an_answer_is_cut() -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()
        writer.write(GET.replace(b"/ ", b"/large "))
        await place.until(lambda: len(place.door.open) == 1)
        await place.until(lambda: not place.door.open)
        assert len(await reader.read()) < LARGE
        writer.close()

    play(limits(answer=0.1), scene)


def test_who_leaves_a_large_answer_with_us_is_cut_where_memory_is_short() -> None:
    async def scene(place: Place) -> None:
        (_reader, writer), (_other, quiet) = await place.connect(), await place.connect()
        writer.write(GET.replace(b"/ ", b"/large "))
        await place.until(
            lambda: any(
                connection.transport.get_write_buffer_size() > 1 << 20 for connection in place.door.open
            )
        )
        place.door.relieve(1 << 20)
        assert len(place.door.open) == 1
        writer.close(), quiet.close()

    play(PATIENT, scene)


def test_silent_connections_make_way_and_shut_nobody_out() -> None:
    async def scene(place: Place) -> None:
        silent = [await place.connect() for _number in range(30)]
        assert await place.answer() == b"HTTP/1.1 200 OK\r\n"
        await place.until(lambda: len(place.door.open) <= 10)
        ended = [await silent[number][0].read() for number in range(20)]
        assert ended == 20 * [b""]
        for _reader, writer in silent:
            writer.close()

    play(limits(one=10, total=20), scene)
    play(limits(one=20, total=10), scene)


def test_where_all_are_busy_one_more_is_told_so() -> None:
    async def scene(place: Place) -> None:
        busy = [await place.connect() for _number in range(3)]
        for _reader, writer in busy:
            writer.write(POST)
        await place.until(lambda: sum(connection.cycle is not None for connection in place.door.open) == 3)
        assert (await place.answer(b"")).startswith(b"HTTP/1.1 503")
        busy[0][1].write(b"0\r\n\r\n")
        assert await busy[0][0].readline() == b"HTTP/1.1 200 OK\r\n"
        assert await place.answer() == b"HTTP/1.1 200 OK\r\n"
        for _reader, writer in busy:
            writer.close()
        await place.until(lambda: not place.door.open)
        assert not place.door.places
        assert not place.door.waiting

    play(limits(one=3), scene)


def test_one_address_never_takes_all_places() -> None:
    assert Limits().one < Limits().total
    assert Limits().one >= 60 * 6


KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
SHAKE = b"\r\n".join(
    (
        b"GET /live HTTP/1.1",
        b"Host: localhost",
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        KEY,
        b"Sec-WebSocket-Version: 13",
        b"\r\n",
    )
)
UNMASKED = b"\0\0\0\0"


def frame(head: int, content: bytes = b"") -> bytes:
    """A frame as a client sends it, its first byte given."""
    return bytes((head, 0x80 | len(content))) + UNMASKED + content


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(0x81, b"\xff"), 1007),
        (frame(0x01, b"\xc3") + frame(0x80, b"("), 1007),
        (frame(0x81, b"cut off \xe2\x82"), 1007),
        (frame(0x81, b"\xed\xa0\x80"), 1007),
        (frame(0x01, "\N{EURO SIGN}".encode()[:1]) + frame(0x80, "\N{EURO SIGN}".encode()[1:]), None),
        (frame(0x88, b"\x03\xe8\xff"), 1007),
        (b"\x81\x01a", 1002),
        (frame(0xC1, b"compressed"), 1002),
        (frame(0x83, b"reserved"), 1002),
        (frame(0x80, b"goes on with nothing"), 1002),
        (frame(0x01, b"a") + frame(0x81, b"b"), 1002),
        (frame(0x09, b"a ping in parts"), 1002),
        (b"\x81\xff" + b"\xff" * 8 + UNMASKED, 1009),
        (frame(0x88, b"\x00"), 1002),
        (frame(0x88, b"\x00\x00"), 1002),
        (frame(0x88, b"\x03\xed"), 1002),
        (frame(0x88, b"\xff\xff"), 1002),
        (frame(0x88, b"\x03\xe8") + frame(0x81, b"\xff"), 1000),
    ],
)
def test_who_does_not_keep_to_the_protocol_is_closed_with_its_code_and_nothing_is_told(
    sent: bytes, code: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(place: Place) -> None:
        reader, writer = await place.connect()
        writer.write(SHAKE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        writer.write(sent if code else sent + frame(0x88, b"\x03\xe8"))
        opcode, size = await reader.readexactly(2)
        assert opcode == 0x88
        assert int.from_bytes((await reader.readexactly(size))[:2]) == (code or 1000)
        writer.close()

    play(PATIENT, scene)
    assert [record for record in caplog.records if record.name == "uvicorn.error"] == []


@pytest.mark.parametrize(
    "asked",
    [
        SHAKE.replace(b"GET", b"POST"),
        SHAKE.replace(KEY, KEY + b"\r\nContent-Length: 1") + b"a",
        SHAKE.replace(KEY, KEY + b"\r\nTransfer-Encoding: chunked"),
        SHAKE.replace(KEY, KEY + b"\r\nX: " + b"a" * 9_000),
        SHAKE.replace(b"/live", b"/" + b"a" * 9_000),
        SHAKE.replace(KEY, KEY + b"\r\nX: a" * 200),
        SHAKE.replace(KEY, b"Sec-WebSocket-Key: x"),
        SHAKE.replace(b": 13", b": 8"),
    ],
)
def test_a_handshake_that_the_library_would_wait_over_is_refused(asked: bytes) -> None:
    async def scene(place: Place) -> None:
        assert (await place.answer(asked)).split()[1][:1] == b"4"

    play(PATIENT, scene)
