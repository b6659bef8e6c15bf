"""What helps at a board: three levels of truth, the next mistake, the line that won, positions that are
set up, names, links and codes; what is proven of a large game while it is being proven.
"""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any

import pytest
from browsing import violations, visiting
from lasting import long
from on_board import cell, in_address, line, middle, status
from playwright.sync_api import expect

from damier import load
from damier.core.board import Hexagons
from damier.core.game import Position, written_position
from damier.core.job import Job
from damier.core.rules import loss_in
from damier.core.words import speaking
from damier.lab.solving import SWITCH, known_before
from damier.search.exact import exact
from damier.search.proof import Proof
from damier.search.proof_store import ProvenScore
from damier.web.board_parts import chain
from damier.web.board_truth import MOST_SLICES
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.rooms.board import fault_of_board, set_up, set_up_at_first
from damier.web.settings import Settings


def test_the_levels_of_truth_and_the_next_mistake(page: Any) -> None:
    # of 6 taking 1 wins; 5 is lost; 3 is won by taking 2
    page.goto("/nim:matches=6?1=human&2=human&moves=1,2,1,1")
    shown = page.locator("[data-part=moves] .worth")
    expect(page.get_by_label("off")).to_be_checked()
    expect(page.get_by_role("button", name="Next mistake")).to_have_count(0)
    page.get_by_label("win, draw or loss").check()
    expect(shown.first).to_have_text("-")
    assert in_address(page, "show") == "truth,outcome"
    page.get_by_label("and how soon").check()
    expect(shown.first).to_have_text(re.compile(r"^[+-]\d+$"))
    page.get_by_role("button", name="Next mistake").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("3. 1 ?")
    expect(page.get_by_role("button", name="Next mistake")).to_be_focused()
    page.get_by_label("off").check()
    expect(shown).to_have_count(0)
    assert in_address(page, "show") == ""


def test_a_line_that_won_is_drawn_and_the_keyboard_stays_at_the_board(page: Any) -> None:
    page.goto("/connect_four:width=4,height=4?1=human&2=human&moves=1,2,1,2,1,2&name1=Anna")
    page.locator("[data-part=moves] button").first.focus()
    page.keyboard.press("Enter")
    expect(status(page)).to_have_text("Anna has won.")
    expect(page.locator("[data-part=board] .d-line-bad")).to_have_count(1)
    expect(page.locator("[data-stage]")).to_be_focused()


@long
def test_a_position_is_set_up_and_a_wrong_one_is_refused_with_its_reason(page: Any) -> None:
    page.goto("/connect_four?1=human&2=human")
    page.get_by_role("link", name="Set up a position").click()
    editor = page.locator("[data-part=editor]")
    page.locator("[data-editor-board] [data-cell='3']").click()
    expect(editor.locator(".problem")).to_contain_text("a stone hangs in the air")
    expect(editor.get_by_role("link", name="Play from here")).to_have_count(0)
    page.locator("[data-editor-board] [data-cell='3']").click()
    page.locator("[data-editor-board] [data-cell='38']").click()
    expect(page.locator("#position")).to_have_value(re.compile(r"/\.\.\.X\.\.\. O$"))
    assert violations(page) == []
    editor.get_by_role("link", name="Play from here").click()
    expect(page.locator("[data-part=line]")).to_contain_text("It begins with the position")
    expect(status(page)).to_have_text("Yellow is to move.")
    page.wait_for_load_state()  # before that nobody listens to keys
    page.keyboard.press("4")
    expect(line(page)).to_have_text(["1. 4"])
    page.reload()
    expect(cell(page, 31)).to_have_attribute("data-name", re.compile("yellow"))


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("tictactoe", "XXX/.../OOO X", "both have three in a row"),
        ("tictactoe", "XX./.../... X", "take turns"),
        ("chess", "8/8/8/8/8/8/8/K6K w - -", ""),
        ("hexapawn", "B.B/.W./... white", None),
        ("nim", "7 first", None),
    ],
)
def test_every_notation_is_checked(game: str, text: str, said: str | None) -> None:
    found = fault_of_board(load(game), text)
    assert (found == "") == (said is None)
    assert (said or "") in found


def test_a_board_begins_where_it_was_set_up(tmp_path: Any) -> None:
    registry = Registry(Settings(folder=tmp_path))
    asked = {
        "game": "hexapawn",
        "position": "BB./.WB/WW. white",
        "show": "truth",
        "1": "perfect",
        "2": "perfect",
    }
    found = board.reply(registry, Params(asked))  # no game comes to it
    assert found["state"]["truth"] == "here"
    assert found["state"]["query"]["position"] == asked["position"]
    part = board.boards_edit(registry, Params({"game": "chess"}))["parts"]["editor"]
    assert "Play from here" in part
    assert "white king" in part
    for text in ("nonsense", "", "X" * 200):
        assert board.boards_edit(registry, Params({"game": "tictactoe", "position": text}))["parts"]["editor"]


def test_what_is_proven_of_a_large_game_tightens_slice_by_slice(tmp_path: Any) -> None:
    registry = Registry(Settings(folder=tmp_path))
    asked = {"game": "connect_four", "moves": ["4", "4"], "show": "truth", "1": "human", "2": "human"}
    first = board.show(registry, Params(asked))
    assert first["state"]["truth"] == "wait"
    found = board.truth_show(registry, Params(asked))
    assert found["state"]["truth"] == "search"
    assert found["parts"]["truth"].count("≈") == 7
    assert "estimate" in found["parts"]["truth"]
    assert "worth-" not in found["parts"]["board"]
    last = board.truth_show(registry, Params(asked | {"slice": MOST_SLICES - 1}))
    assert last["state"]["truth"] == "stopped"


@pytest.mark.parametrize(
    ("game", "move", "words"),
    [
        ("go:size=3", "pass", "passer"),
        ("hex:size=3,swap=true", "swap", "échanger"),
    ],
)
def test_a_move_that_is_a_word_is_said_in_the_language_of_the_page(
    game: str, move: str, words: str, tmp_path: Any
) -> None:
    """And asked, answered and kept under its name."""
    registry = Registry(Settings(folder=tmp_path))
    moves = ["b2"] if move == "swap" else []
    asked = {"game": game, "moves": moves, "1": "human", "2": "human"}
    with speaking("fr"):
        before = board.show(registry, Params(asked))
        assert re.search(
            rf'data-move="{move}"[^>]*>{words}<', before["parts"]["beside"] + before["parts"]["moves"]
        )
        assert move in before["state"]["legal"]
        after = board.move(registry, Params(asked | {"move": move}))
    assert after["state"]["moves"] == [*moves, move]
    assert f"{words}" in after["parts"]["line"]
    assert f"Dernier coup\N{NO-BREAK SPACE}: {words}" in after["parts"]["status"]
    again = board.show(registry, Params(asked))["parts"]
    assert f">{move}<" in again["beside"] + again["moves"]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_chain_that_won_at_hex_goes_from_edge_to_edge(size: int) -> None:
    game = load(f"hex:size={size}")
    for seed in range(20):
        draws = random.Random(seed)
        position = Position(game, game.start)
        while not position.over:
            assert not any(chain(hexagons(position), side) for side in (0, 1))
            position = position.play(draws.choice(position.moves))
        assert position.payoffs is not None
        winner = position.payoffs.index(1)
        board = hexagons(position)
        found = chain(board, winner)
        assert chain(board, 1 - winner) == ()
        assert {board.piece(cell) for cell in found} == {"XO"[winner]}
        ends = {divmod(cell, size)[winner] for cell in (found[0], found[-1])}
        assert ends == {0, size - 1}
        for one, other in pairwise(found):
            (row, column), (to_row, to_column) = divmod(one, size), divmod(other, size)
            assert (to_row - row, to_column - column) in {(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)}


def hexagons(position: Position) -> Hexagons:
    board = position.game.grid(position.state) if position.game.grid else None
    assert isinstance(board, Hexagons)
    return board


@long
def test_the_chain_that_won_at_hex_is_drawn(page: Any) -> None:
    page.goto("/hex:size=3?1=human&2=human&moves=b1,a1,b2,a2")
    stroke = page.locator("[data-part=board] .d-line-bad")
    expect(stroke).to_have_count(0)
    page.locator("[data-part=board] [data-cell='7']").click()
    expect(stroke).to_have_count(1)
    assert stroke.get_attribute("d").count("L") == 2
    expect(stroke).to_have_css("fill", "none")


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("draughts", "W:W30,,31:B1"),
        ("draughts", "W:W30,30:B1"),
        ("draughts", "W:W30K31:B1"),
        ("tictactoe", "3/3/3 X"),
        ("chess", "rnbqkbnr/pppppppp/08/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("nim", "99 first"),
    ],
)
def test_what_is_written_wrongly_is_told_and_not_mended_in_silence(
    game: str, text: str, tmp_path: Any
) -> None:
    asked = Params({"game": game, "position": text})
    part = board.boards_edit(Registry(Settings(folder=tmp_path)), asked)["parts"]["editor"]
    assert f">{text}</textarea>" in part
    assert fault_of_board(load(game), text)
    assert 'class="button main"' not in part


def test_a_position_in_another_order_is_set_up_too() -> None:
    made = set_up(load("draughts"), "B:B1,5:W30,31")
    assert made is not None
    assert made.text == "B:W30,31:B1,5"


def test_the_clocks_of_a_fen_stay_while_it_is_set_up() -> None:
    text = "4k3/8/8/8/8/8/8/R3K3 b - - 42 80"
    made = set_up(load("chess"), text)
    assert made is not None
    assert made.text == text
    assert made.put(0, "Q").text == "Q3k3/8/8/8/8/8/8/R3K3 b - - 42 80"


@pytest.mark.parametrize(
    ("game", "place", "piece", "text"),
    [
        ("go:size=3", 4, "X", ".../.X./... black"),
        ("go:size=19", 360, "O", "/".join(["." * 19] * 18 + ["." * 18 + "O"]) + " black"),
        ("hex:size=3", 4, "X", ".../.X./... O"),
        ("nine_mens_morris", 9, "W", ".../.../.../W...../.../.../... black 17"),
        ("draughts", 1, "b", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B2,3,4,5,6,7,8,9,10,11,12"),
        ("draughts", 24, "W", "B:WK13,21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("draughts", 0, "W", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("nim", 3, "|", "15 first"),
        ("nim:heaps=3-4-5", 14, "|", "3/4/4 first"),
        ("nim:heaps=3-4-5", 4, "|", "3/4/5 first"),
    ],
)
def test_a_piece_is_put_on_every_kind_of_board(
    game: str, place: int, piece: str, text: str, tmp_path: Any
) -> None:
    made = set_up_at_first(load(game))
    found = made.put(place, piece).tidied()
    assert found.text == text
    shown = found.board()
    assert [shown.piece(p) for p in range(shown.places)].count(piece) == sum(
        row.count(piece) for row in found.rows
    )
    again = set_up(load(game), text)
    assert again is not None
    assert again.rows == found.rows
    part = board.boards_edit(Registry(Settings(folder=tmp_path)), Params({"game": game, "position": text}))[
        "parts"
    ]
    assert f">{text}</textarea>" in part["editor"]
    assert 'data-piece="' in part["editor"]


@pytest.mark.parametrize(
    "game", ["go:size=5", "hex:size=4", "nine_mens_morris", "draughts", "nim:heaps=3-4-5"]
)
def test_every_position_of_a_game_is_set_up_as_it_is_written(game: str) -> None:
    loaded = load(game)
    for seed in range(10):
        draws = random.Random(seed)
        position = Position(loaded, loaded.start)
        while not position.over and draws.random() < 0.9:
            position = position.play(draws.choice(position.moves))
        made = set_up(loaded, written_position(position))
        board = loaded.grid(position.state) if loaded.grid else None
        assert made is not None
        assert board is not None
        assert made.rows == tuple(board.rows)
        assert set_up(loaded, made.text) == made


@long
def test_men_are_put_on_the_points_of_morris_and_the_game_begins_there(page: Any) -> None:
    page.goto("/nine_mens_morris?1=human&2=human")
    page.get_by_role("link", name="Set up a position").click()
    page.locator("[data-editor-board] [data-cell='0']").click()
    expect(page.locator("#position")).to_have_value("W../.../.../....../.../.../... black 17")
    page.get_by_role("button", name="dark", exact=True).click()
    page.locator("[data-editor-board] [data-cell='2']").click()
    expect(page.locator("#position")).to_have_value("W.B/.../.../....../.../.../... white 16")
    assert violations(page) == []
    page.locator("[data-part=editor]").get_by_role("link", name="Play from here").click()
    expect(cell(page, 2)).to_have_attribute("data-name", re.compile("dark"))


def test_what_was_proven_before_stands_beside_the_board_at_once(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another worker, of which this one knows nothing but the store; the book does not hold it."""
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    registry = Registry(Settings(folder=tmp_path))
    line = [*"111777"]
    asked = {"game": "connect_four", "moves": line, "show": "truth", "1": "human", "2": "human"}
    game = load("connect_four")
    s, known = game.position().play(*line).state, known_before(game)
    assert known is not None
    moves = game.legal(s)
    known.note(game.play(s, moves[0]), ProvenScore(0, 0))
    known.note(game.play(s, moves[1]), ProvenScore(loss_in(20), 0))
    found = board.show(registry, Params(asked))
    assert found["state"]["truth"] == "search"
    assert "worth-draw" in found["parts"]["truth"]
    assert "at most a draw" in found["parts"]["truth"]
    assert "≈" not in found["parts"]["truth"], "an estimate would keep the board waiting"
    for move in moves[1:]:
        known.note(game.play(s, move), ProvenScore(0, 0))
    assert board.show(registry, Params(asked))["state"]["truth"] == "here"


@long
def test_a_proof_ends_with_the_values_of_an_exact_search() -> None:
    game = load("connect_four:width=6,height=5")
    s = game.position().play(*"1212334344556").state
    proof, whole = Proof(game, s, Job(memory=1 << 24)), exact(game, s, Job(memory=1 << 24))
    for _slice in range(200):
        proof.advance(0.5)
        for move, bounds in proof.bounds.items():
            assert bounds.low <= whole.children[move].low
            assert whole.children[move].high <= bounds.high
        if proof.complete:
            break
    assert {move: bounds.low for move, bounds in proof.bounds.items()} == {
        move: bounds.low for move, bounds in whole.children.items()
    }


def test_a_table_has_a_code_for_phones_that_can_reach_it(tmp_path: Any) -> None:
    asked = Params(
        {
            "game": "nim",
            "taken": "10",
            "mine": 1,
            "link": "http://127.0.0.1:8000/nim?table=abc",
            "name1": "Zoé",
        }
    )
    alone = board.table(Registry(Settings(folder=tmp_path)), asked)["parts"]["table"]
    others = board.table(Registry(Settings(host="0.0.0.0", folder=tmp_path)), asked)["parts"]["table"]
    gone = board.table(Registry(Settings(folder=tmp_path)), Params({"game": "nim", "gone": True}))["parts"][
        "table"
    ]
    assert 'data-do="leave">Go on from this position<' in gone
    assert "Only this machine can reach this lab." in alone
    assert "Only this machine" not in others
    assert 'class="code"' not in alone
    assert 'class="code"' in others
    assert "Zoé (you)" in others


@long
def test_an_own_game_says_how_it_is_played(page: Any) -> None:
    page.goto("/dice_nim")
    if description := load("examples/dice_nim.py").description:
        expect(page.get_by_text(description)).to_be_visible()


@pytest.fixture
def phone(browser: Any, served: Any) -> Any:
    """The browser of a phone."""
    size = {"width": 390, "height": 844}
    for context in visiting(browser, served, viewport=size, has_touch=True, is_mobile=True):
        yield context.new_page()


def test_a_phone_steers_pacman_and_sees_what_a_button_starts(phone: Any) -> None:
    phone.goto("/pacman:layout=crossing,ghosts=0?1=human")
    phone.get_by_role("button", name="North", exact=True).first.tap()
    expect(line(phone)).to_have_count(1)
    expect(phone.locator("[data-unfolds]")).not_to_have_attribute("open", "")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = phone.locator("[data-stage]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = phone.context.new_cdp_session(phone)
    for kind, at in (("touchStart", y), ("touchMove", y + 60), ("touchEnd", None)):
        points = [] if at is None else [{"x": x, "y": at}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(line(phone)).to_have_count(2)
    assert in_address(phone, "moves") == "North,South"
    phone.get_by_text("Who plays").click()
    phone.get_by_role("button", name="New game").click()
    expect(line(phone)).to_have_count(0)
    expect(phone.locator("[data-stage]")).to_be_in_viewport()
    assert violations(phone) == []


@long
def test_a_promotion_is_asked_for_by_the_name_of_the_piece(page: Any) -> None:
    page.goto("/chess?lang=fr&1=human&2=human&position=7k/P7/8/8/8/8/8/K7 w - - 0 1")
    page.mouse.click(*middle(page, 8))
    page.mouse.click(*middle(page, 0))
    asked = page.locator("[data-choice] button")
    expect(asked).to_have_count(4)
    assert sorted(text.split("\N{NO-BREAK SPACE}")[-1] for text in asked.all_inner_texts()) == [
        "cavalier",
        "dame",
        "fou",
        "tour",
    ]
    page.locator("[data-choice] [data-move=a7a8r]").click()
    expect(line(page)).to_have_text(["1. a8=T+"])


def test_castling_rights_are_said_in_words(http: Any) -> None:
    page = http.get("/chess?lang=fr&position=r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1").text
    assert "Blancs (petit), Noirs (grand)" in " ".join(page.partition('data-part="status"')[2].split())
