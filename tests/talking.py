"""A program in front of a lab that is served: it talks over the socket as a page does, and over
HTTP as a page never would.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

from browsing import Served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

PATIENCE = 300.0


class Live:
    """One connection to a lab, by its owner unless other headers are given.

    What it is told of topics is kept, the latest of each.
    """

    def __init__(self, served: Served, **options: Any) -> None:
        options = {
            "origin": served.address,
            "compression": None,
            "open_timeout": PATIENCE,
            "max_size": 1 << 24,
            "additional_headers": served.owned,
        } | options
        self._held = ExitStack()
        self.socket = self._held.enter_context(
            connect(served.address.replace("http", "ws", 1) + "/live", **options)
        )
        self.topics: dict[str, dict[str, Any]] = {}
        self.number = 0

    def send(self, **message: Any) -> int:
        """Sends a message. Returns its number."""
        self.number += 1
        self.socket.send(json.dumps({**message, "number": self.number}))
        return self.number

    def answer(self, number: int) -> dict[str, Any]:
        while True:
            message = self.hear()
            if message.get("answer") == number:
                return message

    def tell(self, do: str, **message: Any) -> dict[str, Any]:
        return self.answer(self.send(do=do, **message))

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        if "topic" in message:
            self.topics[message["topic"]] = message
        return message

    def until(self, topic: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Waits for a state of a topic. Says what it was told last where it waits in vain."""
        while topic not in self.topics or not wanted(self.topics[topic]):
            try:
                self.hear()
            except TimeoutError:
                last = json.dumps(self.topics.get(topic))[:2000]
                raise AssertionError(f"{topic}: nothing was told for {PATIENCE:.0f} s after {last}") from None
        return self.topics[topic]

    def vanish(self) -> None:
        """Is gone without a word."""
        with suppress(OSError):  # the lab was faster
            self.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.socket.socket.close()

    def is_let_go(self, *contents: str | bytes | Iterable[str]) -> bool:
        """Whether the lab ends the connection after some messages; fails where it goes on and says
        nothing.
        """
        try:
            for content in contents:
                self.socket.send(content)
            while True:
                self.hear()
        except ConnectionClosed:
            return True

    def close(self) -> None:
        self._held.close()


def raw(served: Served, content: bytes, receive: bool = True) -> bytes:
    """What the lab answers to some bytes, to its end; nothing where they are only sent."""
    place = urlsplit(served.address)
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as connection:
        connection.sendall(content)
        answer = b""
        with suppress(ConnectionResetError):  # it answered, and did not read on
            while receive and (some := connection.recv(1 << 16)):
                answer += some
        return answer
