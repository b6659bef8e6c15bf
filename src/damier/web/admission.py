"""Who is let in, and who is the owner: two secrets that `damier serve` makes when it starts.

The *token* lets in, where one is asked for; the *key* of the owner lets in too, and gives the
rights of whoever serves: to steer every training, and to hold as many places as there are. Both
stand in addresses as `?token=…`; the first page that is opened so leaves a cookie, and leads on to
the same address without the secret. No right ever follows from the address of a machine: behind a
reverse proxy all the world comes from this one.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response

from damier.web.classroom import code
from damier.web.cookies import cookie
from damier.web.settings import Settings

OWNER = "owner"
"""Behind the gate, the address of whoever has shown the owner's key: no machine has such an
address.
"""
VISITOR = "visitor"
KEPT = 7 * 86400
"""Seconds that a browser keeps its cookie. It ends with the lab anyway: each start makes new ones."""
TOKEN = "token"


@dataclass
class Admission:
    """What is asked of those who come in.

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

    def shown(self, query: str, headers: Headers) -> str | None:
        """A secret as an address or a program shows it (`Authorization: Bearer …`); None where none
        is shown.
        """
        found = dict(parse_qsl(query, keep_blank_values=True)).get(TOKEN)
        scheme, _space, given = headers.get("authorization", "").partition(" ")
        return given if found is None and scheme.lower() == "bearer" else found

    def of_secret(self, secret: str) -> str:
        """Who shows this secret: owner, visitor; nothing for a wrong one.

        It takes as long for every wrong one.
        """
        if self.settings.code_lets_in and code.fits(self.settings, secret):
            return VISITOR
        known = {OWNER: self.settings.key, VISITOR: self.settings.token}
        return next((who for who, kept in known.items() if kept and same(secret, kept)), "")

    def of_cookie(self, headers: Headers) -> str:
        """Who has been let in before."""
        found = cookie(headers, self.name)
        known = next((who for who, kept in self._passes.items() if same(found, kept)), "")
        if not known and self.settings.code_lets_in and code.is_member(self.settings, headers):
            return VISITOR  # also after the lab was started again
        return known

    def asks_for_token(self, path: str) -> bool:
        """Whether a token must be shown for this; what is the same in every lab everybody may read."""
        return bool(self.settings.token) and not path.startswith("/static/") and path != "/draw.css"

    def welcome(self, who: str, path: str, query: str) -> Response:
        """Leaves the cookie, and leads on to the same address without the secret: what is copied
        from there gives nothing away.
        """
        response = RedirectResponse(without_token(path, query), 303, headers={"Cache-Control": "no-store"})
        cookie = f"{self.name}={self._passes[who]}; Path=/; Max-Age={KEPT}; SameSite=Lax; HttpOnly"
        response.headers.append("Set-Cookie", cookie)
        if who == VISITOR and self.settings.code_lets_in:  # nobody types it twice
            response.headers.append("Set-Cookie", code.pass_cookie(self.settings))
        return response


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same; how alike they are does not show in the time."""
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
