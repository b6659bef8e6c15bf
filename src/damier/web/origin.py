"""Where a request comes from: a page of this lab, a person who typed its address, or the page of
another site.

Browsers say it in Sec-Fetch-Site, but only to https and to this machine; else in Origin and
Referer, which a page may hold back. A request that says nothing (an old browser, curl) is taken for
a person's: then the token is what keeps strangers out.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

LIGHT_ROOMS = ("games", "lessons", "course", "static", "draw.css", "favicon.ico")
"""What the link of another site may open at once, with whatever it asks for: nothing is worked out
for it.
"""
LIGHT_VALUES = ("moves", "at", "seed", "table", "lang")
"""What such a link may say of a game that damier brings: a position, a table.

Agents that are people may be named too.
"""


def is_elsewhere(headers: Headers, host: str) -> bool:
    """Whether another site asks, or led a person here, as far as the browser says so.

    A neighbour at another port is another site.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    said = headers.get("origin") or headers.get("referer")
    return bool(said) and not same_host(said or "", host)


def is_foreign(scope: Scope, headers: Headers, host: str) -> bool:
    """Whether another site does more than to link here: sends, listens, or shows what is ours as a
    part of its page.
    """
    origin = headers.get("origin")
    if origin is not None and not same_host(origin, host):
        return True
    # browsers do not agree on what `same-site` is here; its Origin they always send
    if scope["type"] == "websocket":
        return headers.get("sec-fetch-site") == "cross-site"
    if not is_elsewhere(headers, host):
        return False
    navigates = (
        headers.get("sec-fetch-mode", "navigate") == "navigate"
        and headers.get("sec-fetch-dest", "document") == "document"
    )
    return scope["method"] not in ("GET", "HEAD") or not navigates


def is_light(path: str, query: str, own: Collection[str]) -> bool:
    """Whether a page may be opened at once by the link of another site: a list, a lesson, the
    position of a game that damier brings.

    own  the names of the user's own games, whose rules run when their page is made

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


def same_host(address: str, host: str) -> bool:
    """Whether an Origin or a Referer names this host, port and all."""
    try:
        return urlsplit(address).netloc.lower() == host.lower()
    except ValueError:
        return False
