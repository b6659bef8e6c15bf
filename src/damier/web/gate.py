"""Who may come in: every request passes here first, and every answer on its way out.

A page of another site must not reach a lab on this machine, neither by a form, nor by a socket, nor
by a name that it lets point here (DNS rebinding): the host must be one of ours, and where a browser
says where a request comes from, that must be the same host. A link of another site opens at once
only what costs nothing (`origin.py`), and where the lab asks for a token, it must be shown
(`admission.py`).
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damier.core.words import SOURCE, _, speaking, spoken
from damier.web.admission import OWNER, Admission
from damier.web.askers import place_of
from damier.web.cookies import cookie
from damier.web.doorstep import asks_for_token, leads_from_elsewhere, refused
from damier.web.origin import is_elsewhere, is_foreign, is_light
from damier.web.settings import Settings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors"
        " 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
REQUESTS = (300.0, 1_000.0)
"""Requests a second from one address, and how many at once.

Many people may share one: those of a school, those of one machine.
"""
ADDRESSES = 4_000
"""Addresses whose rate is remembered."""
TRIES = (1.0, 30.0)
"""Wrong tokens a second from one address, and how many at once."""
Refusal: TypeAlias = tuple[int, str]


@dataclass
class Bucket:
    """A rate limit: `rate` a second, `size` at once (token bucket)."""

    rate: float
    size: float
    _left: float = field(init=False)
    _seen: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._left = self.size

    def take(self, amount: float = 1) -> bool:
        """Whether so much more is within the limit."""
        now = time.monotonic()
        self._left = min(self.size, self._left + (now - self._seen) * self.rate)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True

    @property
    def has_room(self) -> bool:
        """Whether one more would be within the limit."""
        return self._left + (time.monotonic() - self._seen) * self.rate >= 1


class Buckets:
    """The same rate limit for every address by itself."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate, self.size = rate, size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, amount: float = 1) -> bool:
        """Whether so much more from there is within the limit."""
        bucket = self._buckets.setdefault(address, Bucket(self.rate, self.size))
        self._buckets.move_to_end(address)
        if len(self._buckets) > ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(amount)

    def has(self, address: str) -> bool:
        """Whether one more from there would be within the limit."""
        return address not in self._buckets or self._buckets[address].has_room


class Gate:
    """The middleware around the whole lab."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self._requests, self._tries = Buckets(*REQUESTS), Buckets(*TRIES)
        self._admission = Admission(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope.setdefault("state", {})["language"] = chosen = self._language(scope, headers)
        with speaking(chosen):
            refusal = self._refusal(scope, headers)
            if scope["type"] == "websocket":
                if refusal or self._kept_out(scope, headers):
                    await send(
                        {
                            "type": "websocket.close",
                            "code": 1008,
                            "reason": refusal[1][:100] if refusal else "",
                        }
                    )
                else:
                    await self.app(scope, receive, send)
                return
            inner = (
                PlainTextResponse(refusal[1], refusal[0])
                if refusal
                else self._kept_out(scope, headers) or self.app
            )
            await inner(scope, receive, with_headers(send, scope, chosen))

    def _refusal(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Status and reason, where a request may not come in."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, _(
                "this lab does not answer to that name; use the address that it told when it was started"
            )
        if is_foreign(scope, headers, host):
            return 403, _("a page of another site may not ask here")
        if not self._requests.take(address_of(scope)):
            return 429, _("too many questions at once; try again in a moment")
        return None

    def _kept_out(self, scope: Scope, headers: Headers) -> Response | None:
        """What is answered instead of what was asked: to who has not shown the token, or shows it
        now, or was led here. Marks the owner.
        """
        path, query = scope["path"], scope["query_string"].decode("latin-1")
        looks = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        secret, who = self._admission.shown(query, headers), self._admission.of_cookie(headers)
        if secret:
            shown = self._admission.of_secret(secret)
            if not shown and not self._tries.take(address_of(scope)):
                return PlainTextResponse(_("too many questions at once; try again in a moment"), 429)
            if shown and looks and "authorization" not in headers:
                return self._admission.welcome(shown, path, query)
            who = shown or who
        if not who and self._admission.asks_for_token(path):
            return (
                asks_for_token(query, wrong=bool(secret), of_class=self.settings.code_lets_in)
                if looks
                else refused()
            )
        if who == OWNER:
            scope["client"] = (OWNER, 0)
        if (
            looks
            and is_elsewhere(headers, headers.get("host", ""))
            and not is_light(path, query, self.settings.games)
        ):
            return leads_from_elsewhere(path, query)
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a Host header can mean this server.

        A name that anybody may let point here is no name of ours.
        """
        name = host_name(host)
        if name == "localhost" or name == self.settings.host.lower():
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            ours = socket.gethostname().lower()
            return not self.settings.is_local and name in (
                ours,
                ours.split(".")[0],
                ours.split(".")[0] + ".local",
            )
        return address.is_loopback or not self.settings.is_local

    def _language(self, scope: Scope, headers: Headers) -> str:
        """The reader's: of the address, of an earlier choice, of the command line, of the browser;
        English where there is none of these.
        """
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])[0]
        wanted = (
            asked,
            cookie(headers, "lang"),
            self.settings.language,
            *accepted(headers.get("accept-language", "")),
        )
        return spoken(filter(None, wanted)) or SOURCE


def address_of(scope: Scope) -> str:
    """The machine, or the house, that a connection comes from: see `place_of`.

    It may be a proxy: no right follows from it, only whose turn it is.
    """
    return place_of(scope["client"][0]) if scope.get("client") else ""


def host_name(host: str) -> str:
    """The name or address in a Host header, without its port; nothing where it is no host.

    >>> host_name("[::1]:8000"), host_name("Lab.local."), host_name("[::1"), host_name("me@localhost")
    ('::1', 'lab.local', '', '')
    """
    try:
        parts = urlsplit(f"//{host}")
        if parts.netloc != host or parts.username is not None:
            return ""
        return (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""


def accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the dearest first, without their countries.

    >>> accepted("de;q=0.5, fr-CH, en;q=0.8")
    ['fr', 'en', 'de']
    """
    wanted = []
    for part in header[:500].split(","):
        language, _semicolon, quality = part.partition(";q=")
        try:
            wanted.append((-float(quality or 1), language.strip().split("-")[0].lower()))
        except ValueError:
            continue
    return [language for _quality, language in sorted(wanted, key=lambda pair: pair[0])]


def with_headers(send: Send, scope: Scope, language: str) -> Send:
    """Adds what every answer carries, and remembers a language that was chosen on a page of ours."""
    asked = Headers(scope=scope)

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-cache")
            headers["Content-Language"] = language
            headers.add_vary_header("Accept-Language, Cookie")
            remembers = b"lang=" in scope["query_string"] and not is_elsewhere(asked, asked.get("host", ""))
            if remembers:
                headers.append(
                    "Set-Cookie", f"lang={language}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
                )
        await send(message)

    return sending
