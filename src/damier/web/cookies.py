"""Cookies as a request brings them: those of other programs on this machine among them, and
whatever anybody has made up.
"""

from __future__ import annotations

from starlette.datastructures import Headers


def cookie(headers: Headers, name: str) -> str:
    """The value of a cookie; nothing where there is none.

    The time grows with the length of the header, and what is damaged is passed over.
    """
    for part in headers.get("cookie", "").split(";"):
        found, _equals, value = part.strip().partition("=")
        if found == name:
            return value.strip('"')
    return ""
