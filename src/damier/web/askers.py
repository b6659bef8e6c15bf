"""Who asks: a browser, at an address.

Many people may share an address (those of a school), so that what is fair is measured by both.

A browser is told apart from others of its address by a cookie that says nothing else. Whoever sends
none, or ever new ones, has what its address has.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from functools import lru_cache
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "damier_browser"
NAME = re.compile(rf"(?:^|;\s*){COOKIE}=([A-Za-z0-9_-]{{16}})(?:;|$)")
LONGEST_COOKIES = 4096
"""Characters of cookies in which ours is looked for."""
YEAR = 365 * 24 * 3600


class Asker(NamedTuple):
    """place    the address, or the network of one house: see `place_of`; empty: the lab itself,
             which no limit holds
    browser  the name that a browser was given; empty where it sends none
    """

    place: str = ""
    browser: str = ""


LAB = Asker()


@lru_cache(maxsize=4096)
def place_of(address: str) -> str:
    """The address as limits count it: all of IPv6 that one house is given (/64) is one place, and
    so is this machine.

    >>> place_of("192.168.1.7"), place_of("::ffff:192.168.1.7"), place_of("127.9.9.9"), place_of("::1")
    ('192.168.1.7', '192.168.1.7', 'loopback', 'loopback')
    >>> place_of("2001:db8:1:2:3:4:5:6"), place_of("fe80::1%eth0"), place_of("testclient")
    ('2001:db8:1:2::/64', 'fe80::1', 'testclient')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return place_of(str(found.ipv4_mapped))
        # all of one wire share the network of the latter
        if not found.is_loopback and not found.is_link_local:
            return str(ipaddress.ip_network((found, 64), strict=False))
    return "loopback" if is_here(found) else str(found)


def is_here(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is this machine's own, for itself: all of them are one place. Who measures a
    class on one machine gives each student one of them, and this another answer.
    """
    return address.is_loopback


def asker_of(scope: Scope) -> Asker:
    """Who asks, by an ASGI scope."""
    found = NAME.search(Headers(scope=scope).get("cookie", "")[:LONGEST_COOKIES])
    return Asker(place_of(scope["client"][0] if scope.get("client") else ""), found[1] if found else "")


class Askers:
    """The middleware that gives a browser its name, with the first page that it is shown."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope.setdefault("state", {})["asker"] = asker = asker_of(scope)
            if scope["type"] == "http" and not asker.browser:
                send = naming(send)
        await self.app(scope, receive, send)


def naming(send: Send) -> Send:
    """Adds a new name to an answer that is a page."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            headers = MutableHeaders(scope=message)
            if headers.get("content-type", "").startswith("text/html"):
                name = secrets.token_urlsafe(12)
                headers.append(
                    "Set-Cookie", f"{COOKIE}={name}; Path=/; Max-Age={YEAR}; SameSite=Lax; HttpOnly"
                )
        await send(message)

    return sending
