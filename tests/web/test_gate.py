"""Who may come in, and what every answer carries: other sites, other names, other hosts, requests
that nobody would send by mistake.
"""

from __future__ import annotations

import json
import re
from itertools import product
from urllib.parse import urlsplit

import httpx
import pytest
from browsing import Served
from lasting import shortly
from talking import raw
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from damier.web.gate import Gate, address_of, host_name
from damier.web.limits import Bucket, Buckets
from damier.web.settings import Settings

BOARD = {"game": "hexapawn", "moves": ["a1a2"]}


@pytest.fixture
def client(served: Served) -> httpx.Client:
    return httpx.Client(base_url=served.address, timeout=300)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "[::1",
        "[",
        "a@localhost",
        "localhost@evil.example",
        "",
        "localhost evil",
    ],
)
def test_another_name_reaches_nothing(client: httpx.Client, host: str) -> None:
    for path in ("/", "/static/damier.js", "/draw.css"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 421, path
        assert len(answer.text.splitlines()) == 1


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1:9", "127.1.2.3", "[::1]:8000", "localhost."]
)
def test_names_of_this_machine_reach_it(client: httpx.Client, host: str) -> None:
    assert client.get("/static/damier.js", headers={"Host": host}).status_code == 200


def test_where_the_network_may_come_in_addresses_are_ours_and_foreign_names_are_not() -> None:
    gate = Gate(None, Settings(host="0.0.0.0"))  # type: ignore[arg-type]
    assert gate.is_ours("192.168.1.7:8000")
    assert gate.is_ours("[fe80::1]:8000")
    assert not gate.is_ours("evil.example:8000")
    assert not Gate(None, Settings()).is_ours("192.168.1.7:8000")  # type: ignore[arg-type]
    assert Gate(None, Settings(host="lab.school.example")).is_ours("lab.school.example")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://localhost:1", "http://[", "https://127.0.0.1.evil.example"],
)
def test_a_page_of_another_site_may_not_ask(client: httpx.Client, served: Served, origin: str) -> None:
    answer = client.post("/ask/board.show", json=BOARD, headers={"Origin": origin})
    assert answer.status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(served.address.replace("http", "ws", 1) + "/live", origin=origin)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403


def test_our_own_page_may_ask(client: httpx.Client, served: Served) -> None:
    assert (
        client.post(
            "/ask/board.show", json=BOARD, headers={"Origin": served.address, "Sec-Fetch-Site": "same-origin"}
        ).status_code
        == 200
    )


def test_another_site_may_link_here_and_no_more(client: httpx.Client) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/", headers=foreign | {"Sec-Fetch-Mode": "navigate"}).status_code == 200
    assert client.get("/", headers=foreign | {"Sec-Fetch-Mode": "no-cors"}).status_code == 403
    assert client.post("/ask/board.show", json=BOARD, headers=foreign).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/static/damier.js",
        "/draw.css",
        "/nogame",
        "/static/nothing",
        "/hexapawn?moves=zz",
        "/hexapawn?lang=fr",
    ],
)
def test_every_answer_carries_the_rules_for_browsers(client: httpx.Client, path: str) -> None:
    answers = [client.get(path), client.post(path), client.get(path, headers={"Host": "evil.example"})]
    assert [answer.headers["content-security-policy"].split(";")[0] for answer in answers] == [
        "default-src 'self'"
    ] * 3
    assert {answer.headers["x-content-type-options"] for answer in answers} == {"nosniff"}
    assert all("'unsafe" not in answer.headers["content-security-policy"] for answer in answers)


METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "PROPFIND")


@pytest.mark.parametrize(
    ("method", "path"),
    shortly(
        product(METHODS, ["/", "/ask/board.show", "/static/damier.js"]),
        *product(METHODS, ["/"]),
        *product(["PUT", "HEAD"], ["/ask/board.show", "/static/damier.js"]),
    ),
)
def test_other_methods_do_nothing(client: httpx.Client, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert answer.status_code in (404, 405) or (method == "HEAD" and answer.status_code == 200)
    assert answer.status_code != 405 or len(answer.text.splitlines()) == 1


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%00",
        "/static/..\\app.py",
        "/static/",
        "/static/" + 5_000 * "a",
    ],
)
def test_nothing_outside_the_static_folder_can_be_read(served: Served, path: str) -> None:
    answer = raw(served, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert answer.split()[1] in (b"404", b"400"), answer[:200]
    assert b"damier.core" not in answer


@pytest.mark.parametrize(
    "address",
    [
        "/<script>alert(1)</script>",
        "/hexapawn:<script>alert(1)</script>=1",
        "/hexapawn?moves=<script>alert(1)</script>",
        "/hexapawn?1=<script>alert(1)</script>",
        "/hexapawn?2=random:<script>alert(1)</script>",
        "/lessons/<script>alert(1)</script>",
        "/hexapawn?lang=<script>alert(1)</script>",
        '/hexapawn?seed="><script>alert(1)</script>',
    ],
)
def test_markup_in_an_address_stays_text(client: httpx.Client, address: str) -> None:
    assert "<script>alert" not in client.get(address).text


@pytest.mark.parametrize("language", ["../../x", "%00", "fr%0d%0aX-Evil:1", 10_000 * "x", "xx"])
def test_a_language_that_there_is_not_is_the_readers_own(client: httpx.Client, language: str) -> None:
    answer = client.get(f"/hexapawn?lang={language}", headers={"Accept-Language": "en"})
    assert answer.headers["content-language"] in ("en", "fr")
    assert "x-evil" not in answer.headers
    assert answer.headers["set-cookie"].split(";")[0] in ("lang=en", "lang=fr")


def test_refusals_of_the_server_itself_are_in_the_language_of_the_reader(client: httpx.Client) -> None:
    french = {"Accept-Language": "fr"}
    assert client.get("/static/nosuch.js", headers=french).text == "il n'y a pas de tel fichier"
    refused = client.post("/tree", headers=french)
    assert (refused.status_code, refused.text) == (405, "on ne peut rien envoyer à cette adresse")
    assert refused.headers["allow"]


def test_numbers_in_a_refusal_are_grouped_as_the_reader_groups_them(client: httpx.Client) -> None:
    asked = client.get("/tictactoe?seed=-1", headers={"Accept-Language": "fr"})
    assert re.search(r"de 0 à 9\s007\s199\s254\s740\s991\b", asked.text)


def test_headers_without_bound_are_refused(served: Served) -> None:
    try:
        answer = raw(served, b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: lang=" + 3_000_000 * b"x")
    except OSError:  # the lab hung up while we were still talking
        return
    assert answer.split()[1:2] in ([], [b"400"], [b"431"])


@pytest.mark.parametrize(
    "cookie",
    [
        "lang=xx",
        'lang="\\000"',
        ";;;=;",
        "lang",
        "lang=fr; lang=en",
        20_000 * "a=b;",
        'a="' + 100_000 * "\\",
        "\x01",
    ],
)
def test_cookies_that_nobody_gave_do_no_harm(served: Served, cookie: str) -> None:
    answer = raw(
        served,
        f"GET /static/damier.js HTTP/1.1\r\nHost: localhost\r\n"
        f"Cookie: {cookie}\r\nConnection: close\r\n\r\n".encode(),
    )
    assert answer.split()[1] in (b"200", b"400")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"game": 3}',
        b'{"game": "hexapawn", "moves": {"a": 1}}',
        b'{"game": "hexapawn", "moves": [[]]}',
        b'{"game": "\\ud800"}',
        b'{"game": "\xff\xfe"}',
        b'{"game": "hexapawn:file=/etc/passwd"}',
        b'{"game": "/etc/passwd"}',
        b'{"game": "../../games/nim.py"}',
        100_000 * b"[",
        b'{"a":' * 50_000,
        b'{"game": ' + 50_000 * b"1" + b"}",
        b'{"game": "hexapawn", "moves": ' + json.dumps(3_000 * ["a1a2"]).encode() + b"}",
    ],
)
def test_a_question_that_cannot_be_meant_is_answered_with_one_line(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/ask/board.show", content=body)
    assert answer.status_code in (400, 404)
    assert len(answer.json()["error"].splitlines()) == 1
    assert "Traceback" not in answer.text


def test_a_question_that_is_too_large_is_not_read(client: httpx.Client) -> None:
    answer = client.post("/ask/board.show", content=b" " * ((1 << 20) + 1))
    assert answer.status_code == 413
    assert "too large" in answer.json()["error"]


@pytest.mark.parametrize(
    "verb",
    [
        "board",
        "board.",
        ".show",
        "board.page",
        "gallery.problem",
        "learning.listed",
        "matchboxes.pdf",
        "board.asked_session",
        "os.system",
        "board.show.x",
        "__init__.x",
        "board.Registry",
        "board.show%00",
    ],
)
def test_only_the_verbs_of_the_list_can_be_asked(client: httpx.Client, verb: str) -> None:
    assert client.post(f"/ask/{verb}", json=BOARD).status_code == 404


def test_a_question_that_breaks_off_leaves_no_trace(served: Served, client: httpx.Client) -> None:
    place = urlsplit(served.address).netloc.encode()
    for _time in range(20):
        raw(
            served,
            b"POST /ask/board.show HTTP/1.1\r\nHost: " + place + b"\r\nContent-Length: 500000\r\n\r\n{",
            receive=False,
        )
    assert client.post("/ask/board.show", json=BOARD).status_code == 200


def test_what_is_no_http_is_refused(served: Served) -> None:
    assert raw(served, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").split()[1] == b"400"
    assert raw(served, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").split()[1] in (b"400", b"421")


def test_a_rate_limit_lets_so_many_in_at_once() -> None:
    bucket = Bucket(rate=0, size=3)
    assert [bucket.take() for _time in range(5)] == [True, True, True, False, False]
    buckets = Buckets(rate=0, size=1)
    assert [buckets.take(address) for address in ("a", "a", "b")] == [True, False, True]


def test_addresses_that_are_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.web.limits.ADDRESSES", 10)
    buckets = Buckets(rate=0, size=1)
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets.buckets) == 10


def test_host_names_are_read_as_browsers_write_them() -> None:
    assert [host_name(host) for host in ("a.b:80", "[::1]:80", "[::1", "x@y", "a/b", "a?b", "a#b")] == [
        "a.b",
        "::1",
        "",
        "",
        "",
        "",
        "",
    ]


def test_a_house_with_many_addresses_has_one_rate() -> None:
    """Else its wrong tokens and its requests were counted for each of the 2^64 addresses that it is
    given.
    """
    found = {address_of({"client": (f"2001:db8:1:2::{number}", 1)}) for number in range(9)}
    assert found == {"2001:db8:1:2::/64"}
    assert address_of({}) == ""
