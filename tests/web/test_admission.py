"""Who is let in: the token of visitors, the key of the owner, links of other sites, proxies.

The gate stands before an app that only says who came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from scenes import acted
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from damier.cli.serve import token_of
from damier.core.errors import BadInput
from damier.web.gate import OWNER, Gate, new_token
from damier.web.settings import TOKEN_VARIABLE, Settings

KEY, TOKEN = "the-owner-s-key", "rook-to-a1"
HERE = "http://127.0.0.1:8000"
Asks = Callable[..., httpx.Response]


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says from where somebody has come in."""
    await JSONResponse({"from": scope["client"][0]})(scope, receive, send)


def lab(host: str = "127.0.0.1", token: str = "", **more: Any) -> Gate:
    return Gate(app, Settings(host, 8000, {"mine": "/nowhere/mine.py"}, token=token, key=KEY, **more))


def asking(gate: Gate, address: str = HERE, machine: str = "127.0.0.1") -> Asks:
    """A browser in front of a gate: it keeps cookies, and follows no redirect."""
    jar = httpx.Cookies()

    def ask(path: str, method: str = "GET", **headers: str) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(app=gate, client=(machine, 4711))
            async with httpx.AsyncClient(transport=transport, base_url=address, cookies=jar) as client:
                answer = await client.request(
                    method, path, headers={name.replace("_", "-"): value for name, value in headers.items()}
                )
                jar.update(client.cookies)
                return answer

        return acted(asked())

    return ask


def listens(gate: Gate, **headers: str) -> bool:
    """Whether a socket is let through."""
    let_in: list[bool] = []

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        let_in.append(True)

    async def send(message: Any) -> None:
        assert message["type"] == "websocket.close"

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    given = {"host": "127.0.0.1:8000", **headers}
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]
    gate.app = behind
    acted(
        gate(
            {
                "type": "websocket",
                "path": "/live",
                "query_string": b"",
                "headers": raw,
                "client": ("127.0.0.1", 1),
            },
            receive,
            send,
        )
    )
    return bool(let_in)


# --- the token


def test_without_a_token_everybody_comes_in_and_nobody_is_the_owner() -> None:
    ask = asking(lab())
    assert ask("/").json() == {"from": "127.0.0.1"}
    assert ask("/?token=").json() == {"from": "127.0.0.1"}
    assert ask("/?token=guessed").json() == {"from": "127.0.0.1"}


def test_the_code_of_a_class_lets_in_however_it_is_typed_and_again_after_a_restart() -> None:
    def of_class() -> Gate:
        return lab("0.0.0.0", "ab2c-de3f", class_code="ab2c-de3f", class_folder="monday")

    ask = asking(of_class())
    assert "code of the class" in ask("/class").text.lower()
    assert ask("/class?token=ab2c-de3g").status_code == 401
    assert ask("/class?token=AB2C+DE3F").status_code == 303
    assert ask("/class").json() == {"from": "127.0.0.1"}
    cookies = ask("/class?token=ab2cde3f").headers.get_list("set-cookie")
    kept = "; ".join(cookie.partition(";")[0] for cookie in cookies)
    again = asking(of_class())
    assert again("/class", Cookie=kept).json() == {"from": "127.0.0.1"}
    assert (
        again("/class", Cookie=kept.replace("damier-class-8000=", "damier-class-8000=x")).status_code == 401
    )


def test_who_has_no_token_is_asked_for_it_and_reaches_nothing() -> None:
    ask = asking(lab(token=TOKEN))
    for path in ("/", "/hexapawn?moves=a1a2", "/mine", "/tree", "/live", "/draw.cssx", "/statics"):
        answer = ask(path)
        assert answer.status_code == 401
        assert 'name="token"' in answer.text
        assert "script" not in answer.text
        assert "set-cookie" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
    assert ask("/ask/board.show", "POST").status_code == 401
    assert "token" in ask("/ask/board.show", "POST").json()["error"]
    assert not listens(lab(token=TOKEN))


def test_what_every_lab_has_the_same_may_be_read_without() -> None:
    ask = asking(lab(token=TOKEN))
    assert ask("/static/page.css").status_code == ask("/draw.css").status_code == 200


@pytest.mark.parametrize(("secret", "who"), [(TOKEN, "127.0.0.1"), (KEY, OWNER)])
def test_an_address_with_the_token_leads_in_and_leaves_a_cookie(secret: str, who: str) -> None:
    gate = lab(token=TOKEN)
    ask = asking(gate)
    first = ask(f"/hexapawn:width=4?moves=a1a2&token={secret}&lang=fr")
    assert first.status_code == 303
    assert first.headers["location"] == "/hexapawn:width=4?moves=a1a2&lang=fr"
    cookie = next(each for each in first.headers.get_list("set-cookie") if each.startswith("damier-8000="))
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert secret not in cookie
    assert ask("/hexapawn").json() == {"from": who}
    assert ask("/ask/board.show", "POST").json() == {"from": who}
    assert listens(gate, cookie=cookie.partition(";")[0], origin=HERE)


@pytest.mark.parametrize(("secret", "who"), [(TOKEN, "127.0.0.1"), (KEY, OWNER)])
def test_a_program_may_show_it_in_a_header(secret: str, who: str) -> None:
    ask = asking(lab(token=TOKEN))
    assert ask("/", authorization=f"Bearer {secret}").json() == {"from": who}
    assert ask("/ask/board.show", "POST", authorization=f"bearer {secret}").json() == {"from": who}
    assert listens(lab(token=TOKEN), authorization=f"Bearer {secret}")


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        TOKEN[:-1],
        TOKEN + "x",
        TOKEN.upper(),
        "é",
        "%00",
        "%ff",
        "%F0%9F%98%80",
        5_000 * "a",
        "owner",
        "visitor",
    ],
)
def test_a_wrong_token_is_said_to_be_wrong(wrong: str) -> None:
    ask = asking(lab(token=TOKEN))
    answer = ask(f"/?token={wrong}")
    assert answer.status_code == 401
    assert "not the token" in answer.text
    assert not listens(lab(token=TOKEN), authorization=f"Bearer {wrong}")
    assert not listens(lab(token=TOKEN), cookie=f"damier-8000={wrong}")


@pytest.mark.parametrize(
    "cookie",
    [
        "damier-8000=",
        "damier-8000=owner",
        f"damier-8000={TOKEN}",
        f"damier-8000={KEY}",
        'damier-8000="',
        "damier-8000",
    ],
)
def test_a_cookie_that_nobody_gave_lets_nobody_in(cookie: str) -> None:
    assert asking(lab(token=TOKEN))("/", cookie=cookie).status_code == 401
    assert asking(lab())("/", cookie=cookie).json() == {"from": "127.0.0.1"}


def test_a_cookie_is_of_one_start_and_one_port() -> None:
    ask = asking(lab(token=TOKEN))
    cookie = ask(f"/?token={TOKEN}").headers["set-cookie"].partition(";")[0]
    assert asking(lab(token=TOKEN))("/", cookie=cookie).status_code == 401
    assert cookie.startswith("damier-8000=")


def test_cookies_of_other_programs_do_not_hide_ours() -> None:
    gate = lab(token=TOKEN)
    cookie = asking(gate)(f"/?token={TOKEN}").headers["set-cookie"].partition(";")[0]
    for others in (300 * "other=value; ", 'b{a}d[=,\\"; ', 'open="never closed; '):
        assert asking(gate)("/", cookie=others + cookie).status_code == 200


def test_tokens_cannot_be_tried_by_the_thousand() -> None:
    ask = asking(lab(token=TOKEN))
    answers = [ask(f"/?token={number}").status_code for number in range(60)]
    assert answers[0] == 401
    assert answers[-1] == 429
    assert ask(f"/?token={TOKEN}").status_code == 303


@pytest.mark.parametrize(
    "path",
    ["//evil.example/", "/\\evil.example/", "///evil.example", "/%5Cevil.example", "/%2F%2Fevil.example/x"],
)
def test_nobody_is_led_to_another_host(path: str) -> None:
    location = asking(lab(token=TOKEN))(f"{HERE}{path}?token={TOKEN}").headers["location"]
    assert location.startswith("/evil")


def test_the_form_keeps_what_was_asked_for_and_escapes_it() -> None:
    answer = asking(lab(token=TOKEN))('/hexapawn?moves=a1a2&x="><script>alert(1)</script>&token=wrong')
    assert '<input type="hidden" name="moves" value="a1a2">' in answer.text
    assert "<script>" not in answer.text
    assert 'value="wrong"' not in answer.text


def test_the_form_speaks_the_reader_s_language() -> None:
    assert '<html lang="fr">' in asking(lab(token=TOKEN))("/", accept_language="fr").text


# --- the owner


@pytest.mark.parametrize(
    "proxied",
    [
        {},
        {"x_forwarded_for": "203.0.113.7"},
        {"forwarded": "for=203.0.113.7"},
        {"via": "1.1 proxy"},
        {"x_forwarded_for": "127.0.0.1", "x_real_ip": "127.0.0.1"},
        {"x_forwarded_user": "owner"},
    ],
)
def test_whoever_comes_from_this_machine_is_not_the_owner_for_that(proxied: dict[str, str]) -> None:
    assert asking(lab())("/", **proxied).json() == {"from": "127.0.0.1"}
    assert asking(lab())("/", authorization=f"Bearer {KEY}", **proxied).json() == {"from": OWNER}


def test_a_machine_called_owner_is_not_the_owner() -> None:
    """No address of a connection is a name: the server takes them from the system, and believes no
    header.
    """
    assert not re.fullmatch(r"[0-9a-fA-F.:%\w]*[.:][0-9a-fA-F.:%\w]*", OWNER)


# --- links of other sites

FOREIGN = [
    {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"},
    {"sec_fetch_site": "same-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"},
    {"referer": "http://evil.example/page"},
    {"referer": "http://127.0.0.1:9999/page"},
]
HEAVY = [
    "/mine",
    "/mine:other",
    "/mine:getoutput:cmd=id",
    "/mine/",
    "/%6dine",
    "/tree?game=mine",
    "/tree",
    "/tree/",
    "/matchboxes",
    "/matchboxes/boxes.pdf?game=octapawn",
    "/matchboxes/sheets",
    "/learning?game=mine",
    "/learning?name=pupil",
    "/hexapawn?1=mcts&2=mcts",
    "/hexapawn?show=truth",
    "/tictactoe?board=XXX...OOO",
    "/hexapawn?1=learner:pupil",
]
LIGHT = [
    "/",
    "/?lang=fr",
    "/lessons",
    "/lessons/q",
    "/learning",
    "/hexapawn",
    "/hexapawn:width=4?moves=a1a2,b3b2&at=1&seed=3",
    "/tictactoe?table=abc&1=human&2=human",
]


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize("path", HEAVY)
def test_the_link_of_another_site_starts_no_work(path: str, headers: dict[str, str]) -> None:
    answer = asking(lab())(path, **headers)
    assert answer.status_code == 200
    assert "A link from elsewhere" in answer.text
    assert "script" not in answer.text
    link = re.search(r'<p><a href="([^"]*)">Open it', answer.text)
    assert link is not None
    assert urlsplit(link[1]).netloc == ""
    assert asking(lab())(
        link[1].replace("&amp;", "&"), sec_fetch_site="same-origin", referer=f"{HERE}{path}"
    ).json() == {"from": "127.0.0.1"}


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize("path", LIGHT)
def test_the_link_of_another_site_opens_what_costs_nothing(path: str, headers: dict[str, str]) -> None:
    assert asking(lab())(path, **headers).json() == {"from": "127.0.0.1"}


@pytest.mark.parametrize(
    "headers",
    [{}, {"sec_fetch_site": "none"}, {"sec_fetch_site": "same-origin"}, {"referer": f"{HERE}/tree"}],
)
@pytest.mark.parametrize("path", [*HEAVY, *LIGHT])
def test_a_person_and_our_own_pages_open_everything(path: str, headers: dict[str, str]) -> None:
    assert asking(lab())(path, **headers).json() == {"from": "127.0.0.1"}


@pytest.mark.parametrize(
    "headers",
    [
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "image"},
        {"sec_fetch_site": "same-site", "sec_fetch_mode": "no-cors", "sec_fetch_dest": "script"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "iframe"},
        {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "object"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"sec_fetch_site": "anything", "sec_fetch_mode": "cors"},
    ],
)
@pytest.mark.parametrize("path", ["/", "/hexapawn", "/mine"])
def test_another_site_shows_and_reads_nothing_of_ours(path: str, headers: dict[str, str]) -> None:
    assert asking(lab())(path, **headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site"},
        {"referer": "http://evil.example/"},
        {"origin": "null"},
    ],
)
def test_another_site_asks_nothing(headers: dict[str, str]) -> None:
    assert asking(lab())("/ask/board.show", "POST", **headers).status_code == 403


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_link_does_not_change_the_language_of_a_reader(headers: dict[str, str]) -> None:
    answer = asking(lab())("/?lang=fr", **headers)
    assert answer.headers["content-language"] == "fr"
    assert "set-cookie" not in answer.headers
    assert "lang=fr" in asking(lab())("/?lang=fr", sec_fetch_site="same-origin").headers["set-cookie"]


def test_a_shared_link_with_the_token_takes_one_click_more_where_it_makes_work() -> None:
    ask = asking(lab(token=TOKEN))
    from_a_chat = FOREIGN[0]
    assert ask(f"/tree?token={TOKEN}", **from_a_chat).headers["location"] == "/tree"
    assert "Open it" in ask("/tree", **from_a_chat).text
    assert ask("/tree", sec_fetch_site="same-origin").status_code == 200


# --- what the command makes of it


@pytest.mark.parametrize(
    ("asked", "host", "length"),
    [
        (None, "127.0.0.1", 0),
        (None, "0.0.0.0", 12),
        ("auto", "::1", 12),
        ("none", "0.0.0.0", 0),
        ("", "::", 0),
    ],
)
def test_a_token_is_asked_for_where_others_can_reach_the_lab(
    asked: str | None, host: str, length: int
) -> None:
    assert len(token_of(asked, host)) == length


@pytest.mark.parametrize("asked", ["short", "a b c d e", "a\nbcdefg", "éééééé", "\x1b[2Jabc"])
def test_a_token_that_cannot_be_typed_or_is_too_short_is_refused(asked: str) -> None:
    with pytest.raises(BadInput, match="--token"):
        token_of(asked, "127.0.0.1")


def test_tokens_are_new_every_time() -> None:
    assert len({new_token() for _time in range(1000)}) == 1000


def test_other_users_of_the_machine_do_not_see_the_secrets_in_the_list_of_processes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = Settings(token=TOKEN, key=KEY)
    assert TOKEN not in settings.as_text() + repr(settings)
    assert KEY not in settings.as_text() + repr(settings)
    assert json.loads(settings.as_text())["token"] == ""
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert Settings.from_text(settings.as_text()).token == TOKEN
    assert Settings.from_text(settings.as_text()).key == ""


def test_the_link_of_a_table_carries_the_token_that_others_need_and_never_the_owner_s() -> None:
    link = "http://127.0.0.1:8000/hexapawn?table=x"
    assert (
        Settings("192.0.2.7", token=TOKEN, key=KEY).for_others(link)
        == f"http://192.0.2.7:8000/hexapawn?table=x&token={TOKEN}"
    )
    assert Settings(token="a&b#c%", key=KEY).for_others(link).endswith("?table=x&token=a%26b%23c%25")
    assert Settings(key=KEY).for_others(link) == link
