"""The server in front of the lab: uvicorn, held to what a lab needs, and ended at once when it is
told to.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from types import FrameType
from typing import ClassVar, Literal

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from damier.web.app import WebLab, application
from damier.web.hub import MOST_CLIENTS
from damier.web.limits import place_of
from damier.web.settings import Settings

# Connections, before anything is asked: how many there may be, and how long each may take over
# what it is doing.
#
# A connection is in one *phase* at a time, and each has its limit: the head of a request, its body,
# the taking of the answer. Only while the lab itself works does no clock run here: workers have their
# own. So who sends a byte a second, or takes one a second, is cut, and holds no worker meanwhile. Who
# waits with nothing asked makes way for others where places are scarce, so that no number of silent
# connections shuts anybody out.
#
# A connection that becomes a WebSocket leaves here: from then on `damier.web.hub` counts it. What somebody
# sends who does not keep to the protocol is answered, and told to nobody else.


REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain;"
    b" charset=utf-8\r\nContent-Length: 21\r\n\r\ntoo many connections\n"
)
MOST_HEADERS, LONGEST_LINE = 100, 8_000
"""Of a handshake: a little less than the library takes."""


@dataclass(frozen=True)
class Limits:
    """Limits of connections.

    Attributes:
        total: connections that are not WebSockets, at once
        one: of these, from one address: 60 people of a school behind one, with 6 each, and as many again;
            never all places there are
        idle: seconds that a connection is kept for the next request
        head: seconds, from the moment it is accepted or the last answer, in which the whole head of a request
            must have come
        body: seconds, from its head, in which the whole body of a request must have come: a little more than
            `damier.web.app` gives it, which can say why
        answer: seconds in which an answer that waits to be taken must be taken
        linger: seconds in which who was answered before it had sent everything may send the rest
        rest: bytes of such a rest that are read, so that the next request can follow on the same connection;
            of a longer one nothing more is read
    """

    total: int = 2_000
    one: int = 1_000
    idle: int = 5
    head: float = 10.0
    body: float = 20.0
    answer: float = 60.0
    linger: float = 1.0
    rest: int = 1 << 18


@dataclass(eq=False)
class ConnectionLimiter:
    """All connections of a server that are not WebSockets."""

    limits: Limits = field(default_factory=Limits)
    open: dict[Guarded, str] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)
    waiting: dict[str, dict[Guarded, None]] = field(default_factory=dict)

    def enter(self, connection: Guarded, place: str) -> bool:
        """Return whether there is a place for one more from there: where it is full, the one that has
        asked nothing for the longest time makes way.
        """
        if self.places[place] >= self.limits.one and not self._cut_oldest(place):
            return False
        if len(self.open) >= self.limits.total and not self._cut_oldest(
            max(self.waiting, key=self.places.__getitem__, default="")
        ):
            return False
        self.open[connection] = place
        self.places[place] += 1
        return True

    def leave(self, connection: Guarded) -> None:
        """It is here no more; nothing happens where it was not."""
        place = self.open.pop(connection, None)
        if place is not None:
            self._forget(connection, place)
            self.places[place] -= 1
            if not self.places[place]:
                del self.places[place]

    def waits(self, connection: Guarded, *, waits: bool) -> None:
        """Notes whether a connection has asked nothing yet that is not answered."""
        place = self.open.get(connection)
        if place is None:
            return
        if waits:
            self.waiting.setdefault(place, {})[connection] = None
        else:
            self._forget(connection, place)

    def relieve(self, size: int) -> None:
        """Cuts whoever has left more than `size` bytes of an answer with us."""
        for connection in tuple(self.open):
            if connection.transport.get_write_buffer_size() > size:
                connection.cut()

    def _forget(self, connection: Guarded, place: str) -> None:
        waiting = self.waiting.get(place, {})
        waiting.pop(connection, None)
        if not waiting:
            self.waiting.pop(place, None)

    def _cut_oldest(self, place: str) -> bool:
        for connection in self.waiting.get(place, ()):
            connection.cut()
            return True
        return False


class Guarded(H11Protocol):
    """uvicorn's protocol of HTTP, held to the limits of `limiter`."""

    limiter: ClassVar[ConnectionLimiter]
    _phase = ""
    _rest = 0
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.limiter.enter(self, place_of(self.client[0] if self.client else "")):
            self._watch()
        else:
            transport.write(REFUSED)
            transport.close()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._lingers():
            self._rest += len(data)
            if self._rest > self.limiter.limits.rest:
                self._hang_up()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._rest = 0
        self._watch()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if not is_handshake(event):
            self.send_400_response(HTTPStatus.BAD_REQUEST.phrase)
            return
        self._release()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def cut(self) -> None:
        """Ends the connection at once."""
        self._release()
        self.transport.abort()

    def _lingers(self) -> bool:
        """Return whether who was answered is still sending."""
        return self.conn.their_state is h11.SEND_BODY and bool(self.cycle) and self.cycle.response_complete

    def _hang_up(self) -> None:
        """Read no further: what is still sent after the answer is long."""
        self._unset_keepalive_if_required()
        self.flow.pause_reading()
        self.transport.write_eof()

    def _watch(self) -> None:
        """Starts the clock of a phase that has just begun."""
        if self not in self.limiter.open:
            return
        phase, seconds = self._now()
        if phase == self._phase:
            return
        self._phase = phase
        self.limiter.waits(self, waits=phase == "head")
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.cut) if seconds else None

    def _now(self) -> tuple[str, float]:
        """The phase, and its seconds; 0 where the lab works."""
        limits, theirs = self.limiter.limits, self.conn.their_state
        if self.transport.is_closing() or self.flow.write_paused:
            return "answer", limits.answer
        if theirs is h11.SEND_BODY:
            return ("linger", limits.linger) if self._lingers() else ("body", limits.body)
        return ("head", limits.head) if theirs is h11.IDLE else ("work", 0.0)

    def _release(self) -> None:
        """From now on nothing here has a say in the connection."""
        self.limiter.leave(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def is_handshake(request: h11.Request) -> bool:
    """Return whether a request that wants to become a WebSocket is one that the library reads to its
    end: of any other it waits for more, without an answer and without an end.
    """
    lengths = [value for name, value in request.headers if name == b"content-length"]
    lines = [len(request.target), *(len(name) + len(value) for name, value in request.headers)]
    return (
        request.method == b"GET"
        and all(length == b"0" for length in lengths)
        and all(name != b"transfer-encoding" for name, _value in request.headers)
        and len(request.headers) <= MOST_HEADERS
        and max(lines) <= LONGEST_LINE
    )


def conversing() -> type[asyncio.Protocol] | Literal["auto"]:
    """uvicorn's protocol of WebSockets, which prints a traceback for each text that is not UTF-8: here the
    connection is closed with 1007, and that is all. Before version 0.35 it has another, which prints none.
    """
    try:
        from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    except ImportError:
        return "auto"

    class Conversing(WebSocketsSansIOProtocol):
        def send_receive_event_to_app(self) -> None:
            if self.curr_msg_data_type == "text" and not self.close_sent and not is_text(self.frames):
                self.frames = []
                self.conn.send_close(1007)
                self.handle_parser_exception()
            else:
                super().send_receive_event_to_app()

    return Conversing


def is_text(pieces: Iterable[bytes]) -> bool:
    """Return whether the pieces of a message are UTF-8 together."""
    try:
        b"".join(pieces).decode()
    except UnicodeDecodeError:
        return False
    return True


def guarded(limiter: ConnectionLimiter) -> type[Guarded]:
    """The protocol of the connections that are counted by a limiter."""
    return type("GuardedHere", (Guarded,), {"limiter": limiter})


FILES = 300
"""Open files besides those of connections: workers, trainings, what is read."""
LARGEST_FRAME = 1 << 16
LEFT = 1 << 20
"""Bytes of an answer that somebody may leave with us while the lab is short of memory."""
VANISHED = 20.0
"""Seconds between two signs of life that are asked of a connection, and for its answer."""
DEAF = 30
"""Seconds after which a connection is cut whose other end takes nothing of what it is sent."""


class Server(uvicorn.Server):
    """uvicorn, told to end: no answer is waited for that nobody will read."""

    def __init__(self, config: uvicorn.Config, lab: WebLab) -> None:
        super().__init__(config)
        self.lab = lab

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End once: who presses Ctrl-C twice means it once, and the end takes two seconds at most."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lab.close()
        await super().shutdown(sockets)


def run(settings: Settings, listener: socket.socket) -> None:
    """Serves until Ctrl-C or SIGTERM, which then end this process as they end any."""
    if sys.platform == "linux":  # elsewhere after what the system thinks right
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * DEAF)
    limits = Limits()
    limiter = ConnectionLimiter(
        replace(
            limits,
            total=min(limits.total, enough_files(limits.total + MOST_CLIENTS + FILES) - MOST_CLIENTS - FILES),
        )
    )
    lab = WebLab(settings)
    lab.memory.spared.append(lambda: limiter.relieve(LEFT))
    config = uvicorn.Config(
        application(lab),
        # of h11: the headers of a request are bounded (64 kB); httptools has no such bound
        http=guarded(limiter),
        ws=conversing(),
        log_level="error",  # its warnings are of what others send wrongly, as often as they like
        ws_max_size=LARGEST_FRAME,
        # on a network of one room it costs more time than it saves, and memory for every connection
        ws_per_message_deflate=False,
        ws_ping_interval=VANISHED,
        ws_ping_timeout=VANISHED,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
        timeout_keep_alive=limits.idle,
    )
    Server(config, lab).run(sockets=[listener])


def enough_files(wanted: int) -> int:
    """Files that this process may have open: every connection is one, and systems allow more than
    they give at first.
    """
    try:
        import resource
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        return allowed
    return soft
