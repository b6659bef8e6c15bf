"""All games: every game with its rules and facts, own games first and as they are now; and the
page for what is not there.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import Served, serve, stop, violations, visiting
from lasting import later, long, shortly
from playwright.sync_api import expect

from damier import load
from damier.core.errors import BadGame, BadInput
from damier.core.rules import win_in
from damier.lab.agent_file import own_player
from damier.lab.games import GAMES, KNOWN_RESULTS, OWN, SOURCES, Lab
from damier.lab.solving import book_of
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import gallery
from damier.web.settings import Settings

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NIM = Path(__file__).parents[2] / "examples" / "three_player_nim.py"
LARGEST_PAGE = 10_000 * len(GAMES)  # bytes: a picture a game


def facts(game: str) -> str:
    part = str(gallery.facts(Registry(Settings()), Params({"game": game}))["parts"][f"facts-{game}"])
    return " ".join(part.replace("<", " <").split())


@pytest.mark.parametrize(
    ("game", "known"),
    [
        ("tictactoe", ["5,478 (958 ends)", "a draw"]),
        ("hexapawn:blocked=loss", ["135 (", "player 2 wins, in 6 plies"]),
        ("nim", ["32 (2 ends)", "player 1 wins"]),
        ("connect_four", ["up to 70,728,639,995,483", "too large"]),
        ("pacman", ["no exact value"]),
        ("dots_and_boxes", ["player 1 wins by 2"]),
        ("pig:target=10", ["and chance", "player 1 wins with probability 0.7094"]),
    ],
)
def test_facts_are_exact_or_say_why_not(game: str, known: list[str]) -> None:
    assert [fact for fact in known if fact not in facts(game)] == []


@pytest.mark.parametrize(
    "game", shortly(["octapawn:width=5,height=4", "pawns:width=4,height=5"], "octapawn:width=5,height=4")
)
def test_facts_are_worked_out_of_few_positions(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Nothing says beforehand that these have too many: they are looked through so far, and no further."""
    for work in ("count", "solve"):
        monkeypatch.setattr(gallery, work, lambda *_given, **_named: pytest.fail("somebody waits for this"))
    said = facts(game)
    assert "too many to count here" in said
    assert "too large to work out here" in said


def test_a_value_is_told_from_the_side_of_player_1_whoever_moves() -> None:
    assert "player 2 wins" in facts("nim:matches=5")
    assert "player 1 wins" in facts("nim:matches=6")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_says_how_it_is_played(name: str) -> None:
    assert load(name).description.count(".") >= 2


def test_the_page_shows_every_game_and_is_small(page: Any) -> None:
    received: list[int] = []
    page.on("requestfinished", lambda request: received.append(request.sizes()["responseBodySize"]))
    page.goto("/games")
    page.wait_for_selector(".own .facts dl")
    own = page.locator(".cards .own")
    assert own.count() >= 1
    assert page.locator(".cards .game").count() == len(GAMES) + own.count()
    assert page.locator(".group").first.locator(".game").count() == own.count(), "own games first"
    assert sum(received) < LARGEST_PAGE


def test_nothing_is_counted_for_what_is_known_of_games(http: httpx.Client) -> None:
    """Who asks for the page has it all, with sources; nothing is asked for afterwards but own games."""
    shown = http.get("/games?lang=en").text
    cards = dict(re.findall(r'<h3><a href="/([a-z_]+)[^"]*">(.*?)</li>', shown, re.DOTALL))
    assert "player 1 wins, in 41 plies" in cards["connect_four"]
    assert "V. Allis, 1988" in cards["connect_four"]
    assert "J. Schaeffer and others, 2007" in cards["draughts"]
    assert "<dd>not known</dd>" in cards["chess"]
    assert "Counting" not in "".join(cards[name] for name in GAMES)
    headings = re.findall(r'<section class="group"><h2>(.*?)</h2>', shown)
    assert headings[-3:] == [
        "Solved: best play is known",
        "Too large to solve: searched",
        "Dice, secrets, or more than two players",
    ]


@pytest.mark.parametrize(
    "text",
    [
        later(text) if text.startswith(("octapawn", "pig")) else text
        for text, known in KNOWN_RESULTS.items()
        if known.source == OWN
    ],
)
def test_what_damier_says_that_it_worked_out_is_what_it_works_out(text: str) -> None:
    found, known = gallery.facts_of(load(text)), KNOWN_RESULTS[text]
    assert (found["best_play"], found["positions"]) == (known.best_play, known.positions)


def test_what_is_said_of_connect_four_is_what_its_book_says() -> None:
    book = book_of(load("connect_four"))
    assert book is not None
    start = book.look(load("connect_four").start)
    plies = KNOWN_RESULTS[load("connect_four").text].plies
    assert start is not None
    assert plies is not None
    assert start.low == start.high == win_in(plies)


def test_every_source_of_a_result_stands_in_the_bibliography() -> None:
    listed = (Path(__file__).parents[2] / "docs" / "bibliography.md").read_text()
    assert [key for key in SOURCES if key != OWN and f"| [{key}] |" not in listed] == []
    assert {known.source for known in KNOWN_RESULTS.values()} == set(SOURCES)


def test_a_game_is_found_by_typing(page: Any) -> None:
    page.goto("/games?lang=fr")
    page.get_by_role("searchbox", name="Trouver un jeu").fill("puissance")
    expect(page.locator(".cards .game:visible h3 a")).to_have_text(["Puissance 4"])
    expect(page.locator(".group:visible")).to_have_count(1)
    page.get_by_role("searchbox").fill("xyzzy")
    expect(page.locator("[data-none]")).to_be_visible()
    assert violations(page) == []


@long
def test_the_list_is_no_wider_than_a_phone_and_half_as_long_as_it_was(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/games?lang=fr")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("document.documentElement.scrollHeight") < 6000  # 11,000 before


@pytest.mark.parametrize(
    ("path", "title", "words"),
    [
        ("/", "damier", "laboratory of two-player games"),
        ("/games", "Games", "exact values"),
        ("/connect_four", "Connect Four", "four in a row win"),
        ("/tree", "Trees", "alpha-beta step by step"),
        ("/lessons/q", "Q-learning", "Lessons"),
    ],
)
def test_every_address_says_what_it_is(http: httpx.Client, path: str, title: str, words: str) -> None:
    told = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', http.get(path).text))
    assert title in told["og:title"]
    assert words in told["description"] == told["og:description"]


def test_exercises_have_an_address_of_their_own(http: httpx.Client) -> None:
    answer = http.get("/exercises?kind=alphabeta")
    assert answer.status_code == 307
    assert answer.headers["location"] == "/tree?view=exercise&kind=alphabeta"


def test_the_words_of_a_file_are_shown_without_its_marks(tmp_path: Path) -> None:
    registry = Registry(Settings(folder=tmp_path, games={"clock": str(EXAMPLES / "clock.py")}))
    assert "at most most hours" in gallery.card_of(registry, "clock")["rules"]


def test_the_files_to_begin_with_are_whole(tmp_path: Path) -> None:
    page = gallery.page(Registry(Settings()), Params({}))
    game, agent = (unescape(code) for code in re.findall(r"<pre[^>]*><code>(.*?)</code>", page, re.DOTALL))
    (tmp_path / "race.py").write_text(game)
    (tmp_path / "centre.py").write_text(agent)
    assert str(gallery.facts_of(load(str(tmp_path / "race.py")))["best_play"]).startswith("player 1 wins")
    assert own_player(Lab(load("tictactoe")), str(tmp_path / "centre.py")).text.endswith("centre.py")


def test_the_board_of_an_own_game_says_what_its_file_says(tmp_path: Path) -> None:
    from damier.web.rooms import board

    chomp = Path(__file__).parent.parent.parent / "examples" / "chomp.py"
    registry = Registry(Settings(folder=tmp_path, games={"chomp": str(chomp)}))
    assert "who eats a1 loses" in board.page(registry, Params({"game": "chomp"}))


def test_a_cell_of_an_own_game_means_the_move_of_its_name(tmp_path: Path) -> None:
    from damier.web.rooms import board

    chomp = Path(__file__).parent.parent.parent / "examples" / "chomp.py"
    registry = Registry(Settings(folder=tmp_path, games={"chomp": str(chomp)}))
    state = board.show(registry, Params({"game": "chomp", "1": "human", "2": "human"}))["state"]
    assert state["taps"][6] == "b2"
    assert len(state["taps"]) == 20


def pointed_at(tmp_path: Path, name: str, *moves: str) -> Any:
    """What pointing means on the board of one of the examples, after some moves."""
    from damier.web.rooms import board

    registry = Registry(Settings(folder=tmp_path, games={name: str(EXAMPLES / f"{name}.py")}))
    asked = Params({"game": name, "1": "human", "2": "human", "moves": list(moves)})
    return board.show(registry, asked)["state"]


def meant(state: Any, place: int) -> set[str]:
    """The moves that a place may mean at first."""
    alone = {state["taps"][place]} if place in state["taps"] else set()
    return alone | {name for way, name in state["routes"] if way[0] == place}


def test_a_click_in_a_game_that_tells_no_cells_means_the_moves_that_change_the_cell(tmp_path: Path) -> None:
    state = pointed_at(tmp_path, "clock")
    assert state["taps"] == {1: "1", 2: "2", 3: "3"}
    assert meant(state, 0) == {"1", "2", "3"}, "the hand goes from there, whatever is played"
    assert ((0, 2), "2") in state["routes"]
    assert ((0,), "2") in state["routes"], "by its name where nobody says where to"
    assert meant(state, 6) == set()


def test_every_legal_move_of_a_game_that_tells_no_cells_can_be_pointed_at(tmp_path: Path) -> None:
    placed = ("0", "1", "4", "8", "6", "2")
    for moves in (placed[:3], placed):
        state = pointed_at(tmp_path, "three_mens_morris", *moves)
        assert set(state["taps"].values()) | {name for _way, name in state["routes"]} == set(state["legal"])
    assert meant(state, 4) == {"34", "45", "47"}
    assert [name for way, name in state["routes"] if way == (4, 5)] == ["45"]


def test_nothing_is_compared_where_nobody_may_see_it_or_is_to_move(tmp_path: Path) -> None:
    from damier.web.rooms import board

    registry = Registry(Settings(folder=tmp_path, games={"clock": str(EXAMPLES / "clock.py")}))
    state = board.show(registry, Params({"game": "clock", "1": "random", "2": "human"}))["state"]
    assert (state["taps"], state["routes"]) == ({}, [])


def test_an_own_game_whose_moves_are_its_columns_is_played_by_all_of_a_column(tmp_path: Path) -> None:
    from damier.web.rooms import board

    file = tmp_path / "drop.py"
    file.write_text(DROP)
    registry = Registry(Settings(folder=tmp_path, games={"drop": str(file)}))
    state = board.show(registry, Params({"game": "drop", "1": "human", "2": "human"}))["state"]
    assert state["taps"] == {0: "a", 1: "b", 2: "a", 3: "b"}


DROP = """
from typing import NamedTuple
from damier import ONGOING, Game, Grid, position_of

class State(NamedTuple):
    left: int
    right: int
    mover: int

def drop() -> Game:
    def moves(s):
        return (s.left < 2) | (s.right < 2) << 1

    def play(s, move):
        in_right = position_of(move)
        return State(s.left + 1 - in_right, s.right + in_right, 1 - s.mover)

    def outcome(s):
        return ONGOING if moves(s) else -1

    def grid(s):
        rows = ["".join("x" if n > height else "." for n in (s.left, s.right)) for height in (1, 0)]
        return Grid(tuple(rows), {}, ("a", "b"))

    return Game("drop", State(0, 0, 0), moves, play, outcome, grid=grid,
                name_move=lambda s, m: "ab"[position_of(m)])
"""


def test_an_own_game_is_described_by_its_file_where_it_says_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text('"""Take one match,\nor two.\n\nMore of it."""\n' + NIM.read_text().split('"""', 2)[2])
    registry = Registry(Settings(games={"mine": str(file)}))
    registry.game("mine").summary = registry.game("mine").description = ""
    assert gallery.card_of(registry, "mine")["rules"] == "Take one match, or two."


@long
def test_nothing_moves_when_the_facts_arrive(page: Any) -> None:
    held: list[Any] = []
    # the others are asked after it
    page.route("**/ask/gallery.facts", lambda question: held.append(question), times=1)
    page.goto("/games")
    for own in page.locator("[data-card]").all():
        own.locator(".start, .problem").first.wait_for()
    before = page.locator(".game").evaluate_all("games => games.map(game => game.offsetTop)")
    while not held:
        page.wait_for_timeout(10)
    assert page.locator(".own .facts dl").count() == 0
    for question in held:
        question.continue_()
    for place in page.locator("[data-facts]").all():
        place.locator("dl").wait_for()
    assert page.locator(".game").evaluate_all("games => games.map(game => game.offsetTop)") == before


@long
def test_every_way_from_the_page_leads_somewhere(http: httpx.Client) -> None:
    shown = http.get("/games").text.partition("<main")[2]
    links = {unescape(link) for link in re.findall(r'<a [^>]*href="([^"#]+)"', shown)}
    assert len(links) > 30
    assert [link for link in sorted(links) if http.get(link).status_code != 200] == []


@long
def test_a_person_goes_from_the_list_to_a_game(page: Any) -> None:
    page.goto("/games")
    page.locator(".game", has_text="hexapawn").first.locator(".button").click()
    page.wait_for_url("**/hexapawn")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/hexapwn", "did you mean hexapawn?"),
        ("/lessons/menac", "no lesson is called menac"),
        ("/a/b/c", "no game is called a/b/c"),
    ],
)
def test_what_is_not_there_is_said(http: httpx.Client, address: str, words: str) -> None:
    answer = http.get(address)
    assert answer.status_code == 404
    assert words in unescape(answer.text.partition("<main")[2])
    assert re.search(r"<h1[^>]*>Not found</h1>", answer.text)


@pytest.mark.parametrize(
    ("address", "room"),
    [("/tree?step=-1", "/tree"), ("/lessons/menac", "/lessons"), ("/matchboxes?game=nosuch", "/matchboxes")],
)
def test_a_page_that_cannot_be_shown_leads_back_to_its_room(
    http: httpx.Client, address: str, room: str
) -> None:
    top, _main, main = http.get(address).text.partition("<main")
    (current,) = re.findall(r"<a [^>]*aria-current[^>]*>", top)
    assert f'href="{room}"' in current
    assert re.search(f'<a [^>]*href="{room}"', main)
    assert 'class="problem"' not in http.get(room).text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/tree/?tree=ties", "/tree?tree=ties"),
        ("/lessons/", "/lessons"),
        ("//elsewhere.example/", "/elsewhere.example"),
    ],
)
def test_a_slash_at_the_end_is_no_other_page_and_no_way_out(
    http: httpx.Client, served: Served, typed: str, meant: str
) -> None:
    answer = http.get(served.address + typed)
    assert answer.status_code == 307
    assert answer.headers["location"] == meant


@pytest.mark.parametrize("layout", ["/etc/passwd", "maze.txt", "..\\secret"])
def test_a_page_cannot_name_a_file(http: httpx.Client, layout: str) -> None:
    answer = http.get(f"/pacman:layout={layout}")
    assert answer.status_code == 400
    assert "names a file" in answer.text


@pytest.fixture
def edited(tmp_path: Path) -> Iterator[tuple[Served, Path]]:
    """A lab with a game that its user is writing."""
    file = tmp_path / "mine.py"
    shutil.copy(NIM, file)
    lab = serve(tmp_path, str(file))
    yield lab, file
    stop(lab)


def write(file: Path, text: str) -> None:
    """Saves a file as an editor does, at another time than before."""
    before = file.stat().st_mtime_ns
    file.write_text(text)
    os.utime(file, ns=(before + 1_000_000, before + 1_000_000))


@long
def test_an_edited_game_is_loaded_again(browser: Any, edited: tuple[Served, Path]) -> None:
    lab, file = edited
    text = file.read_text()
    for context in visiting(browser, lab):
        page = context.new_page()
        page.goto("/games")
        assert "your own" in page.locator(".own").inner_text()
        before = page.goto("/mine").text()
        assert str(file.parent) not in before
        write(file, "def broken(:\n" + text)
        assert page.goto("/mine").status == 400
        assert "mine.py:1" in page.locator(".problem").inner_text()
        page.goto("/games")
        assert "mine.py:1" in page.locator(".own .problem").inner_text()
        write(file, text)
        assert page.goto("/mine").status == 200


def test_a_registry_loads_an_own_game_again_when_a_module_beside_it_is_edited(tmp_path: Path) -> None:
    (tmp_path / "size.py").write_text("SIZE = 5\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "from damier.games.nim import nim\nfrom damier import Game\nfrom size import SIZE\n\n\ndef mine() ->"
        " Game:\n    return nim(SIZE)\n"
    )
    registry = Registry(Settings(games={"mine": str(file)}))
    assert registry.game("mine").options["matches"] == 5
    assert registry.game("mine") is registry.game("mine")
    write(tmp_path / "size.py", "SIZE = 7\n")
    assert registry.game("mine").options["matches"] == 7
    write(tmp_path / "size.py", "SIZE = 1 / 0\n")
    with pytest.raises(BadGame, match="ZeroDivisionError"):
        registry.game("mine")


def test_an_own_game_may_call_a_number_start(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from damier.games.nim import nim\nfrom damier import Game\n\n\ndef mine(start: int = 5) -> Game:\n"
        "    return nim(start)\n"
    )
    registry = Registry(Settings(games={"mine": str(file)}))
    assert registry.game("mine:start=9").options["matches"] == 9
    for text in ("mine:start=x", "pacman:start=9", "mine:start=9.txt"):
        with pytest.raises(BadInput, match="names a file"):
            registry.game(text)


PICTURED = ["/", "/tree", "/connect_four?moves=4,4,3&1=human&2=human", "/nosuch"]


@pytest.mark.parametrize("addresses", shortly([PICTURED, PICTURED[2:]], PICTURED[2:]))
def test_every_page_has_a_picture_for_links_to_it(http: Any, addresses: list[str]) -> None:
    pytest.importorskip("vl_convert")
    seen = set()
    for address in addresses:
        said = http.get(address).text
        told = re.search(r'<meta property="og:image" content="(http[^"]*)">', said)
        assert told
        assert said.count("og:image") == 1
        found = http.get(unescape(told[1]))
        assert (found.status_code, found.headers["content-type"]) == (200, "image/png")
        assert struct.unpack(">II", found.content[16:24]) == (1200, 630)
        seen.add(found.content)
    assert len(seen) == len({*addresses} - {"/"})  # a page that is not there has damier's own: that of "/"
    for address in ("//x/%00<script>", "x", "", "/?seed=-1"):
        assert http.get("/link.png", params={"of": address}).content in seen
    french, canadian, nobodys = (
        http.get("/link.png", params={"of": f"{PICTURED[2]}&lang={code}"}).content
        for code in ("fr", "fr-CA", "../x")
    )
    assert french == canadian
    assert nobodys in seen
