"""Gate of the lab: every request passes here first, and every answer on its way out.

A page of another site must not reach a lab on this machine, neither by a form, nor by a socket, nor
by a name that it lets point here (DNS rebinding): the host must be one of ours, and where a browser
says where a request comes from, that must be the same host. A link of another site opens at once
only what costs nothing (`is_light`), and where the lab asks for a token, it must be shown
(`Admission`).
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from html import escape
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damier.core.words import SOURCE, _, language, speaking, spoken
from damier.web.limits import Buckets, ClientId, place_of
from damier.web.settings import Settings, plain_key, same_key

# Cookies as a request brings them: those of other programs on this machine among them, and
# whatever anybody has made up.


def cookie(headers: Headers, name: str) -> str:
    """The value of a cookie; nothing where there is none.

    The time grows with the length of the header, and what is damaged is passed over.
    """
    for part in headers.get("cookie", "").split(";"):
        found, _equals, value = part.strip().partition("=")
        if found == name:
            return value.strip('"')
    return ""


# What follows from the code of a class: the cookie of who has shown it, and the topic by which its
# table is watched. Both are known to nobody who does not know the code, and outlast a restart.


CODE_KEPT = 180 * 86400
"""Seconds that a browser keeps a cookie of the class."""
OPEN = "class"
"""The topic of a room that everybody in the lab may see."""


def member_cookie(settings: Settings) -> str:
    """The name of the cookie; cookies do not tell ports apart."""
    return f"damier-class-{settings.port}"


def member_pass(settings: Settings) -> str:
    """Its value."""
    return _drawn_from(settings.class_code, "pass")


def topic_of(settings: Settings) -> str:
    """Return what the table is told under."""
    return f"class-{_drawn_from(settings.class_code, 'topic')}" if settings.class_folder else OPEN


def is_member(settings: Settings, headers: Headers) -> bool:
    """Return whether a request comes from somebody who has shown the code."""
    key = cookie(headers, member_cookie(settings))
    return bool(settings.class_code) and same_key(key, member_pass(settings))


def fits(settings: Settings, code: str) -> bool:
    """Return whether this is the code, however it was typed."""
    return bool(plain_key(settings.class_code)) and same_key(code, settings.class_code)


def pass_cookie(settings: Settings) -> str:
    """Return what leaves the cookie of who has shown the code."""
    return with_cookie(member_cookie(settings), member_pass(settings))


def with_cookie(name: str, value: str, seconds: int = CODE_KEPT) -> str:
    """Return what leaves a cookie behind; no script can read it. An empty value takes it away."""
    kept = seconds if value else 0
    return f"{name}={value}; Path=/; Max-Age={kept}; SameSite=Lax; HttpOnly"


@cache
def _drawn_from(code: str, purpose: str) -> str:
    """Slow to work out, so that a code cannot be found by trying all."""
    found = hashlib.scrypt(plain_key(code).encode(), salt=f"damier {purpose}".encode(), n=1 << 14, r=8, p=1)
    return found.hex()[:40]


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
TRIES = (1.0, 30.0)
"""Wrong tokens a second from one address, and how many at once."""


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
        chosen, asker = self._language(scope, headers), asker_of(scope)
        scope.setdefault("state", {}).update(language=chosen, asker=asker)
        with speaking(chosen):
            refusal = self._refusal(scope, headers)
            if scope["type"] == "websocket":
                if refusal or self._kept_out(scope, headers):
                    reason = refusal[1][:100] if refusal else ""
                    await send({"type": "websocket.close", "code": 1008, "reason": reason})
                else:
                    await self.app(scope, receive, send)
                return
            inner = (
                PlainTextResponse(refusal[1], refusal[0])
                if refusal
                else self._kept_out(scope, headers) or self.app
            )
            await inner(scope, receive, with_headers(send, scope, chosen, asker))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Status and reason, where a request may not come in."""
        host = headers.get("host", "")
        if not self.is_ours(host):
            return 421, _(
                "this lab does not answer to that name; use the address that it told when it was started"
            )
        if is_foreign(scope, headers):
            return 403, _("a page of another site may not ask here")
        if not self._requests.take(address_of(scope)):
            return 429, _("too many questions at once; try again in a moment")
        return None

    def _kept_out(self, scope: Scope, headers: Headers) -> Response | None:
        """Return what is answered instead of what was asked: to who has not shown the token, or shows
        it now, or was led here. Marks the owner.
        """
        path, query = scope["path"], scope["query_string"].decode("latin-1")
        looks = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        secret, who = self._admission.secret_in(query, headers), self._admission.of_cookie(headers)
        if secret:
            role = self._admission.of_secret(secret)
            if not role and not self._tries.take(address_of(scope)):
                return PlainTextResponse(_("too many questions at once; try again in a moment"), 429)
            if role and looks and "authorization" not in headers:
                return self._admission.welcome(role, path, query)
            who = role or who
        if not who and self._admission.asks_for_token(path):
            return (
                asks_for_token(query, wrong=bool(secret), of_class=self.settings.code_lets_in)
                if looks
                # its cookie is from before the lab was started again
                else JSONResponse({"error": _("this lab asks for a token; load the page again")}, 401)
            )
        if who == OWNER:
            scope["client"] = (OWNER, 0)
        if looks and is_elsewhere(headers) and not is_light(path, query, self.settings.games):
            return leads_from_elsewhere(path, query)
        return None

    def is_ours(self, host: str) -> bool:
        """Return whether a Host header can mean this server.

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
        language = parse_qs(scope["query_string"].decode("latin-1")).get("lang", [""])[0]
        wanted = (
            language,
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
    """The languages of an Accept-Language header, the dearest first, without their countries; none of those
    that it refuses, by a quality of 0.

    >>> accepted("de;q=0.5, fr-CH, en;q=0.8, es;q=0")
    ['fr', 'en', 'de']
    """
    wanted = []
    for part in header[:500].split(","):
        language, _semicolon, quality = part.partition(";q=")
        try:
            wanted.append((-float(quality or 1), language.strip().split("-")[0].lower()))
        except ValueError:
            continue
    return [language for quality, language in sorted(wanted, key=lambda pair: pair[0]) if quality]


def with_headers(send: Send, scope: Scope, language: str, asker: ClientId) -> Send:
    """Adds what every answer carries, remembers a language that was chosen on a page of ours, and gives a
    browser its name with the first page that it is shown.
    """
    request_headers = Headers(scope=scope)

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-cache")
            headers["Content-Language"] = language
            headers.add_vary_header("Accept-Language, Cookie")
            if b"lang=" in scope["query_string"] and not is_elsewhere(request_headers):
                headers.append("Set-Cookie", with_cookie("lang", language, YEAR))
            is_page = message["status"] == 200 and headers.get("content-type", "").startswith("text/html")
            if is_page and not asker.browser:
                headers.append("Set-Cookie", with_cookie(COOKIE, secrets.token_urlsafe(12), YEAR))
        await send(message)

    return sending


# Where a request comes from: a page of this lab, a person who typed its address, or the page of
# another site.
#
# Browsers say it in Sec-Fetch-Site, but only to https and to this machine; else in Origin and
# Referer, which a page may hold back. A request that says nothing (an old browser, curl) is taken for
# a person's: then the token is what keeps strangers out.

LIGHT_ROOMS = ("games", "lessons", "course", "static", "draw.css", "favicon.ico")
"""What the link of another site may open at once, with whatever it asks for: nothing is worked out
for it.
"""
LIGHT_VALUES = ("moves", "at", "seed", "table", "lang")
"""What such a link may say of a game that damier brings: a position, a table.

Agents that are people may be named too.
"""


def is_elsewhere(headers: Headers) -> bool:
    """Return whether another site asks, or led a person here, as far as the browser says so.

    A neighbour at another port is another site.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin") or headers.get("referer") or ""
    return bool(origin) and not same_host(origin, headers)


def is_foreign(scope: Scope, headers: Headers) -> bool:
    """Return whether another site does more than to link here: sends, listens, or shows what is ours
    as a part of its page.
    """
    origin = headers.get("origin")
    if origin is not None and not same_host(origin, headers):
        return True
    # browsers do not agree on what `same-site` is here; its Origin they always send
    if scope["type"] == "websocket":
        return headers.get("sec-fetch-site") == "cross-site"
    if not is_elsewhere(headers):
        return False
    navigates = (
        headers.get("sec-fetch-mode", "navigate") == "navigate"
        and headers.get("sec-fetch-dest", "document") == "document"
    )
    return scope["method"] not in ("GET", "HEAD") or not navigates


def is_light(path: str, query: str, own: Collection[str]) -> bool:
    """Return whether a page may be opened at once by the link of another site: a list, a lesson, the
    position of a game that damier brings.

    Args:
        own: the names of the user's own games, whose rules run when their page is made

    >>> own = {"mine"}
    >>> is_light("/hexapawn", "moves=a1a2&1=human", own), is_light("/mine", "", own)
    (True, False)
    >>> is_light("/", "lang=fr", own), is_light("/", "played=a1a2", own)
    (True, False)
    >>> is_light("/tree", "", own), is_light("/class", "", own), is_light("/class/files/marks.csv", "", own)
    (False, True, False)
    """
    values = parse_qsl(query, keep_blank_values=True)
    room = path.strip("/").partition("/")[0]
    if room in LIGHT_ROOMS:
        return True
    if room in ("tree", "matchboxes") or path.startswith("/class/") or room.partition(":")[0] in own:
        return False
    if room in ("", "learning"):
        return all(name == "lang" for name, _value in values)
    return all(name in LIGHT_VALUES or (name.isdigit() and value == "human") for name, value in values)


def same_host(address: str, headers: Headers) -> bool:
    """Return whether an Origin or a Referer names the host that is asked, port and all."""
    try:
        return urlsplit(address).netloc.lower() == headers.get("host", "").lower()
    except ValueError:
        return False


# What is shown to those who are not in yet: pages that need no worker, no script and no network.

FRAME = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · damier</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/page.css">
</head>
<body>
<header class="top"><a class="name" href="/">damier</a></header>
<main id="main">
<h1>{title}</h1>
{content}
</main>
</body>
</html>
"""


def page(title: str, content: str, status: int) -> Response:
    """A page for whoever is not let in.

    `content` is HTML; browsers do not keep it, since who comes again may be let in.
    """
    text = FRAME.format(language=escape(language()), title=escape(title), content=content)
    return HTMLResponse(text, status, headers={"Cache-Control": "no-store"})


def asks_for_token(query: str, wrong: bool, of_class: bool = False) -> Response:
    """Asks for the token, or for the code of the class, and leads on to the page that was wanted."""
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != TOKEN]
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">' for name, value in kept
    )
    problem, label, words = (
        (
            _("That is not the code of this class."),
            _("Code of the class"),
            _("This class asks for its code. It stands on the board; else ask your teacher."),
        )
        if of_class
        else (
            _("That is not the token of this lab."),
            _("Token"),
            _(
                "This lab asks for a token. It stands at the end of the address that damier told when it was"
                " started: ask whoever started it."
            ),
        )
    )
    enter = _("Come in")
    field = (
        f'<input name="{TOKEN}" autocomplete="off" autocapitalize="none" spellcheck="false" required'
        " autofocus>"
    )
    form = (
        f'<form method="get">{hidden}<label>{escape(label)} {field}</label> <button'
        f' class="main">{escape(enter)}</button></form>'
    )
    refused = f'<p class="problem">{escape(problem)}</p>' if wrong else ""
    return page(_("Who is there?"), f"{refused}<p>{escape(words)}</p>{form}", 401)


def leads_from_elsewhere(path: str, query: str) -> Response:
    """Asks whoever has followed the link of another site whether that was meant: one click opens
    the page.
    """
    address, enter, others = escape(without_token(path, query)), _("Open it"), _("All games")
    words = _(
        "A link on another page leads here. What it opens makes this lab work: look at the address, then open"
        " it if you trust where the link came from."
    )
    links = f'<p><a href="{address}">{escape(enter)}</a> · <a href="/games">{escape(others)}</a></p>'
    return page(
        _("A link from elsewhere"), f"<p>{escape(words)}</p><p><code>{address}</code></p>{links}", 200
    )


# Who asks: a browser, at an address.
#
# Many people may share an address (those of a school), so that what is fair is measured by both.
#
# A browser is told apart from others of its address by a cookie that says nothing else. Whoever sends
# none, or ever new ones, has what its address has.

COOKIE = "damier_browser"
NAME = re.compile(rf"(?:^|;\s*){COOKIE}=([A-Za-z0-9_-]{{16}})(?:;|$)")
LONGEST_COOKIES = 4096
"""Characters of cookies in which ours is looked for."""
YEAR = 365 * 24 * 3600


def asker_of(scope: Scope) -> ClientId:
    """Return who asks, by an ASGI scope."""
    found = NAME.search(Headers(scope=scope).get("cookie", "")[:LONGEST_COOKIES])
    return ClientId(address_of(scope), found[1] if found else "")


# Who is let in, and who is the owner: two secrets that `damier serve` makes when it starts.
#
# The *token* lets in, where one is asked for; the *key* of the owner lets in too, and gives the
# rights of whoever serves: to steer every training, and to hold as many places as there are. Both
# stand in addresses as `?token=…`; the first page that is opened so leaves a cookie, and leads on to
# the same address without the secret. No right ever follows from the address of a machine: behind a
# reverse proxy all the world comes from this one.

OWNER = "owner"
"""Behind the gate, the address of whoever has shown the owner's key: no machine has such an
address.
"""
VISITOR = "visitor"
PASS_KEPT = 7 * 86400
"""Seconds that a browser keeps its cookie. It ends with the lab anyway: each start makes new ones."""
TOKEN = "token"


@dataclass
class Admission:
    """Admission of those who come in, by secrets and cookies.

    The cookies are random too, not made from the secrets: else a short token could be guessed at
    home.
    """

    settings: Settings
    _passes: dict[str, str] = field(
        default_factory=lambda: {who: secrets.token_urlsafe(24) for who in (OWNER, VISITOR)}
    )

    @property
    def name(self) -> str:
        """The name of the cookie; cookies do not tell ports apart, so that two labs of one machine
        need two.
        """
        return f"damier-{self.settings.port}"

    def secret_in(self, query: str, headers: Headers) -> str | None:
        """A secret as an address or a program shows it (`Authorization: Bearer …`); None where none
        is shown.
        """
        found = dict(parse_qsl(query, keep_blank_values=True)).get(TOKEN)
        scheme, _space, given = headers.get("authorization", "").partition(" ")
        return given if found is None and scheme.lower() == "bearer" else found

    def of_secret(self, secret: str) -> str:
        """Return who shows this secret: owner, visitor; nothing for a wrong one.

        It takes as long for every wrong one.
        """
        if self.settings.code_lets_in and fits(self.settings, secret):
            return VISITOR
        known = {OWNER: self.settings.key, VISITOR: self.settings.token}
        return next((who for who, kept in known.items() if kept and same(secret, kept)), "")

    def of_cookie(self, headers: Headers) -> str:
        """Return who has been let in before."""
        found = cookie(headers, self.name)
        known = next((who for who, kept in self._passes.items() if same(found, kept)), "")
        if not known and self.settings.code_lets_in and is_member(self.settings, headers):
            return VISITOR  # also after the lab was started again
        return known

    def asks_for_token(self, path: str) -> bool:
        """Return whether a token must be shown for this; what is the same in every lab everybody may read."""
        return bool(self.settings.token) and not path.startswith("/static/") and path != "/draw.css"

    def welcome(self, who: str, path: str, query: str) -> Response:
        """Leaves the cookie, and leads on to the same address without the secret: what is copied
        from there gives nothing away.
        """
        response = RedirectResponse(without_token(path, query), 303, headers={"Cache-Control": "no-store"})
        response.headers.append("Set-Cookie", with_cookie(self.name, self._passes[who], PASS_KEPT))
        if who == VISITOR and self.settings.code_lets_in:  # nobody types it twice
            response.headers.append("Set-Cookie", pass_cookie(self.settings))
        return response


def same(one: str, other: str) -> bool:
    """Return whether two secrets are the same; how alike they are does not show in the time."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def without_token(path: str, query: str) -> str:
    """An address of this lab, never of another, without the secret in it."""
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != TOKEN]
    address = "/" + quote(path.lstrip("/\\"), safe="/:=,")
    return address + ("?" + urlencode(kept, safe=":=,", quote_via=quote) if kept else "")


def new_key() -> str:
    """The secret of the owner: nobody types it."""
    return secrets.token_urlsafe(24)


def new_token() -> str:
    """A token that can be read aloud and typed: twelve letters and digits, none like another, about
    59 bits.
    """
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _place in range(12))
