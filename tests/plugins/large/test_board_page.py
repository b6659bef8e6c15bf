"""Positions with few pieces on the page of a board: endgame tables answer, small ones are built for whoever
asks first, of larger ones the page says which command makes them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import Served, serve, stop
from commands import Captured, beginning
from lasting import long

from damier import load
from damier.core.code_cache import place
from damier.core.game import read_position
from damier.lab.large import INDEX, SCORES
from damier.lab.solving import SWITCH
from damier.plugins.large import cached_tables
from damier.plugins.large.cached_tables import kept_folder
from damier.plugins.large.endgame_tables import open_tables
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.settings import Settings

QUEEN = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"
ROOK = "8/8/8/4k3/8/8/8/KR6 b - - 0 1"
PAWN = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"
FOUR_MEN = "8/8/8/4k3/8/8/5b2/KQ6 w - - 0 1"
KINGS = "B:WK22:BK18,K6"
TWO_KINGS = "W:WK30:BK4"
"""Tables with two pieces take plain Python a moment."""

call, data = beginning()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A lab whose cache holds compiled engines, but no tables."""
    folder = tmp_path_factory.mktemp("lab")
    cache = folder / "cache"
    cache.mkdir(mode=0o700)
    for engine in place().glob("*.engine"):
        shutil.copy2(engine, cache)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SWITCH, "on")
        patch.setenv("DAMIER_CACHE", str(cache))
        served = serve(folder)
        yield served
        stop(served)


@pytest.fixture
def http(lab: Served) -> Iterator[httpx.Client]:
    with asking(lab) as client:
        yield client


def asking(lab: Served) -> httpx.Client:
    owned = lab.owned | {"Accept-Language": "en"}
    return httpx.Client(base_url=lab.address, headers=owned, timeout=300)


def question(game: str, position: str, **values: object) -> dict[str, object]:
    return {"game": game, "position": position, "show": "truth", "1": "human", "2": "human", **values}


def known_in_the_end(http: httpx.Client, game: str, position: str) -> Any:
    """What the panel says when it asks for no more, as the page asks for it."""
    found = asked(http, "board.show", question(game, position))
    slice = 0
    while found["state"]["truth"] in ("wait", "search"):
        found = asked(http, "truth.show", question(game, position, slice=slice))
        slice += 1
    return found


def asked(http: httpx.Client, verb: str, values: dict[str, object]) -> Any:
    answer = http.post(f"/ask/{verb}", json=values)
    assert answer.status_code == 200, answer.text
    return answer.json()


def expected_signs(game: str, position: str, folder: Path) -> dict[str, str]:
    """What stands beside each move, by the tables of a folder."""
    loaded = load(game)
    s = read_position(loaded, position).state
    exact = open_tables(folder, loaded).solution(s).explain(s)
    return {
        loaded.name_move(s, move): "0" if value == "draw" else f"{'+' if value == 'win' else '-'}{plies}"
        for move, (value, plies) in exact.items()
    }


def shown_signs(found: Any) -> dict[str, str]:
    """What stands beside each move in the panel of moves."""
    buttons = found["parts"]["moves"].split('data-move="')[1:]
    return {
        button.partition('"')[0]: button.partition('class="worth')[2].partition(">")[2].partition("<")[0]
        for button in buttons
    }


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that holds nothing."""
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cached_tables, "copies_at_work", {})
    monkeypatch.setattr(cached_tables, "tried_in_vain", {})


@pytest.mark.usefixtures("own_cache")
def test_the_smallest_tables_are_built_for_who_asks_and_say_what_those_of_the_command_line_say(
    tmp_path: Path, capsys: Captured
) -> None:
    """In the panel, in the page before anybody asks, and along the game."""
    registry, asked_for = Registry(Settings(folder=tmp_path)), question("draughts", TWO_KINGS)
    found = board.show(registry, Params(asked_for))
    slice = 0
    while found["state"]["truth"] in ("wait", "search"):
        found = board.truth_show(registry, Params(asked_for | {"slice": slice}))
        slice += 1
    assert found["state"]["truth"] == "here"
    assert "start: White wins in 11 plies" in found["parts"]["truth"]
    folder = tmp_path / "tables"
    data(capsys, "tables", "draughts", "--pieces", "2", "--pure", "-o", str(folder))
    assert shown_signs(found) == expected_signs("draughts", TWO_KINGS, folder)
    solved = data(capsys, "solve", "draughts", "--position", TWO_KINGS, "--tables", str(folder))
    assert {shown_signs(found)[move] for move in solved["fastest_moves"]} == {f"+{solved['distance']}"}
    page = board.page(registry, Params(asked_for))
    assert "start: White wins in 11 plies" in page
    assert "aria-busy" not in page.partition('data-part="truth"')[2].partition("data-part=")[0]
    moves = [solved["fastest_moves"][0]]
    strip = board.show(registry, Params(asked_for | {"moves": moves, "at": 0}))["parts"]["line"]
    strip = strip.partition("<svg")[2].partition("</svg>")[0]
    assert strip.count("data-at=") == strip.count('class="d-cell"') == 2, "nothing of it is grey"
    kept = kept_folder(load("draughts"))
    (kept / SCORES).write_bytes((kept / SCORES).read_bytes()[:100])
    os.utime(kept / INDEX, ns=(1, 1))
    found = board.show(registry, Params(asked_for))
    assert found["state"]["truth"] == "wait"
    assert "they are damaged" in found["parts"]["truth"]
    assert str(kept) not in found["parts"]["truth"]


@pytest.mark.usefixtures("own_cache")
def test_of_larger_tables_the_board_says_what_makes_them(tmp_path: Path) -> None:
    found = board.show(Registry(Settings(folder=tmp_path)), Params(question("chess", FOUR_MEN)))
    assert found["state"]["truth"] == "wait"
    assert "“damier tables chess --pieces 4” makes them, 0.595 GiB on disk." in found["parts"]["truth"]


@long
@pytest.mark.parametrize(
    ("game", "position", "pieces", "said"),
    [
        ("chess", QUEEN, 3, "start: White wins in 17 plies"),
        ("chess", ROOK, 3, "start: White wins in 30 plies"),
        ("chess", PAWN, 3, "start: "),
        ("draughts", KINGS, 3, "start: Black wins in "),
    ],
)
def test_the_panel_says_what_tables_of_the_command_line_say(
    http: httpx.Client,
    lab: Served,
    capsys: Captured,
    tmp_path_factory: pytest.TempPathFactory,
    game: str,
    position: str,
    pieces: int,
    said: str,
) -> None:
    found = known_in_the_end(http, game, position)
    assert found["state"]["truth"] == "here"
    assert said in found["parts"]["truth"]
    folder = tmp_path_factory.getbasetemp() / f"tables-{game}"
    data(capsys, "tables", game, "--pieces", str(pieces), "-o", str(folder))
    assert shown_signs(found) == expected_signs(game, position, folder)
    solved = data(capsys, "solve", game, "--position", position, "--tables", str(folder))
    sign = {"win": f"+{solved['distance']}", "draw": "0", "loss": f"-{solved['distance']}"}[solved["value"]]
    assert {shown_signs(found)[move] for move in solved["fastest_moves"]} == {sign}
    page = http.get(f"/{game}", params={"position": position, "show": "truth", "1": "human", "2": "human"})
    assert said in page.text, "it is known before anybody asks"
    assert "aria-busy" not in page.text.partition('data-part="truth"')[2].partition("data-part=")[0]


@long
def test_two_who_ask_at_once_are_both_answered(lab: Served) -> None:
    with asking(lab) as one, asking(lab) as other:
        answers = [known_in_the_end(client, "chess", QUEEN) for client in (one, other)]
    assert [found["state"]["truth"] for found in answers] == ["here", "here"]


@long
def test_of_larger_tables_the_page_says_what_makes_them(http: httpx.Client) -> None:
    found = asked(http, "truth.show", question("chess", FOUR_MEN))
    assert found["state"]["truth"] == "search"
    assert "“damier tables chess --pieces 4” makes them, 0.595 GiB on disk." in found["parts"]["truth"]


@long
def test_damaged_tables_are_said_to_be_and_not_believed(
    http: httpx.Client, lab: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_in_the_end(http, "chess", QUEEN)
    monkeypatch.setenv("DAMIER_CACHE", str(lab.folder.parent / "cache"))
    folder = kept_folder(load("chess"))
    good = (folder / SCORES).read_bytes()
    try:
        (folder / SCORES).write_bytes(good[:1000])
        os.utime(folder / "endgames.json")
        # the same position with another count of moves is another question: none that was answered before
        found = asked(http, "truth.show", question("chess", QUEEN.replace("0 1", "0 9")))
        assert found["state"]["truth"] == "search"
        assert "they are damaged" in found["parts"]["truth"]
        assert str(folder) not in found["parts"]["truth"]
        (folder / SCORES).write_bytes(b"\1" * len(good))
        os.utime(folder / "endgames.json")
        found = asked(http, "truth.show", question("chess", QUEEN.replace("0 1", "0 8")))
        assert found["state"]["truth"] == "search"
        assert "they are damaged" in found["parts"]["truth"]
    finally:
        (folder / SCORES).write_bytes(good)
        os.utime(folder / "endgames.json")
    found = asked(http, "truth.show", question("chess", QUEEN.replace("0 1", "0 7")))
    assert found["state"]["truth"] == "here"


@long
def test_the_course_of_an_endgame_is_marked_in_every_position(http: httpx.Client) -> None:
    """White gives the queen away; before that he wins, after that nobody does."""
    known_in_the_end(http, "chess", QUEEN)
    moves = ["b1b4", "e5d5", "b4d4", "d5d4"]
    found = asked(http, "board.show", question("chess", QUEEN, moves=moves, at=2))
    strip = found["parts"]["line"].partition("<svg")[2].partition("</svg>")[0]
    assert strip.count("data-at=") == strip.count('class="d-cell"') == 5, "nothing of it is grey"
    assert [strip.count(f">{sign}<") for sign in "+0?"] == [3, 2, 1]
    assert "3. Qd4+: a draw — a blunder: a win became a draw" in strip
    assert found["state"]["mistakes"] == [3]
