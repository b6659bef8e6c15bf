"""What follows from the code of a class: the cookie of who has shown it, and the topic by which its
table is watched. Both are known to nobody who does not know the code, and outlast a restart.
"""

from __future__ import annotations

import hashlib
from functools import cache

from starlette.datastructures import Headers

from damier.arena.classroom.roll import plain, same_key
from damier.web.cookies import cookie
from damier.web.settings import Settings

KEPT = 180 * 86400
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
    """What the table is told under."""
    return f"class-{_drawn_from(settings.class_code, 'topic')}" if settings.class_folder else OPEN


def is_member(settings: Settings, headers: Headers) -> bool:
    """Whether a request comes from somebody who has shown the code."""
    shown = cookie(headers, member_cookie(settings))
    return bool(settings.class_code) and same_key(shown, member_pass(settings))


def fits(settings: Settings, code: str) -> bool:
    """Whether this is the code, however it was typed."""
    return bool(plain(settings.class_code)) and same_key(code, settings.class_code)


def pass_cookie(settings: Settings) -> str:
    """What leaves the cookie of who has shown the code."""
    return with_cookie(member_cookie(settings), member_pass(settings))


def with_cookie(name: str, value: str, seconds: int = KEPT) -> str:
    """What leaves a cookie behind; no script can read it. An empty value takes it away."""
    kept = seconds if value else 0
    return f"{name}={value}; Path=/; Max-Age={kept}; SameSite=Lax; HttpOnly"


@cache
def _drawn_from(code: str, purpose: str) -> str:
    """Slow to work out, so that a code cannot be found by trying all."""
    found = hashlib.scrypt(plain(code).encode(), salt=f"damier {purpose}".encode(), n=1 << 14, r=8, p=1)
    return found.hex()[:40]
