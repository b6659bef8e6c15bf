"""The editor of positions: the board itself with a tray of pieces, under a mouse, a finger and the keys; what
is wrong with a position is said at once, and it can be played, judged and sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from browsing import Served, violations, visiting
from lasting import long, shortly
from on_board import cell, in_address, status
from playwright.sync_api import expect

from damier import load
from damier.core.game import written_position
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.rooms.board import set_up, set_up_at_first, tray
from damier.web.settings import Settings

FEN = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"


def edited(tmp_path: Path, game: str, **asked: object) -> str:
    """The editor of a game, after what is asked of it."""
    found = board.boards_edit(Registry(Settings(folder=tmp_path)), Params({"game": game, **asked}))
    return found["parts"]["editor"]


def text_of(part: str) -> str:
    """What stands in the field of the notation."""
    found = re.search(r"<textarea[^>]*>([^<]*)</textarea>", part)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("game", "asked", "text"),
    [
        ("chess", {"position": FEN, "piece": "q", "cell": 0}, "q3k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("chess", {"position": FEN, "from": "56", "cell": 57}, "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1"),
        ("chess", {"position": FEN, "piece": ".", "cell": 56}, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", {"position": FEN, "mover": "b"}, "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"),
        ("chess", {"position": FEN, "do": "clear"}, "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("chess", {"position": FEN, "do": "start"}, written_position(load("chess").position())),
        ("draughts", {"position": "B:W30:B1", "from": "1", "cell": 3}, "B:W30:B2"),
        ("draughts", {"position": "B:W30:B1", "from": "1", "cell": 0}, "B:W30:B1"),
        ("connect_four:width=4,height=4", {"piece": "X", "cell": 13}, "..../..../..../.X.. O"),
        ("othello:size=4", {"piece": ".", "cell": 5}, "..../..X./.XO./.... black"),
        ("go:size=3", {"position": ".X./O../... black", "from": "1", "cell": 4}, ".../OX./... black"),
        ("hex:size=3", {"position": "X../.../... O", "piece": ".", "cell": 0}, ".../.../... X"),
        ("tictactoe", {"position": "XO./.../... X", "from": "0", "cell": 8}, ".O./.../..X X"),
        ("hexapawn", {"piece": ".", "cell": 0}, ".BB/.../WWW white"),
        ("nine_mens_morris", {"piece": "W", "cell": 3}, ".../W../.../....../.../.../... black 17"),
        (
            "isola",
            {"position": "..O.../....#./....../....../....../....../....../...X.. first", "do": "clear"},
            None,
        ),
        ("nim:heaps=3-4-5", {"piece": ".", "cell": 0}, "2/4/5 first"),
    ],
)
def test_a_question_changes_a_position(
    game: str, asked: dict[str, object], text: str | None, tmp_path: Path
) -> None:
    found = text_of(edited(tmp_path, game, **asked))
    assert found == text if text is not None else not set("XO#") & set(found)


def test_a_pawn_that_was_passed_and_rights_of_castling_go_with_what_gave_them() -> None:
    game = load("chess")
    made = set_up(game, "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3")
    assert made is not None
    assert made.put(0, ".").text.split()[2:4] == ["KQk", "-"]
    assert made.moved(60, 52).text.split()[2:4] == ["kq", "-"]
    assert made.moved_by("w").text.split()[1:4] == ["w", "KQkq", "-"]
    assert made.moved_by("b") == made


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("chess", "4k3/8/8/8/8/8/8/KR2K3 w - - 0 1", "White has 2 kings; it has one"),
        ("chess", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "White has a pawn on the first or the last row"),
        ("tictactoe", "XX./.../... O", "impossible: 2 X and 0 O"),
        ("connect_four", "......./......./......./...X.../......./....... O", "a stone hangs in the air"),
        ("chess", "1. e4 e5 2. Ke3", "Ke3"),
    ],
)
def test_what_is_wrong_is_one_sentence(game: str, position: str, said: str, tmp_path: Path) -> None:
    part = edited(tmp_path, game, position=position)
    sentence = re.search(r'<p role="status" class="editor-said problem">([^<]*)</p>', part)
    assert sentence is not None
    assert said in sentence[1]
    assert position.split()[0] not in sentence[1] or "Ke3" in said
    assert 'class="button main"' not in part
    assert "data-editor-board" in part


def test_a_board_stays_while_what_is_written_cannot_be_read(tmp_path: Path) -> None:
    part = edited(tmp_path, "chess", position="nonsense", last=FEN)
    assert text_of(part) == "nonsense"
    assert part.count('class="d-piece"') == 3
    assert text_of(edited(tmp_path, "chess", position="nonsense", last=FEN, piece=".", cell=56)) == (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    )


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        ("chess", ["KQRBNP", "kqrbnp"]),
        ("draughts", ["bB", "wW"]),
        ("go", ["X", "O"]),
        ("isola", ["X", "O", "#"]),
        ("nim", ["|"]),
    ],
)
def test_a_tray_has_a_row_for_each_side(game: str, rows: list[str]) -> None:
    assert ["".join(man["piece"] for man in row) for row in tray(set_up_at_first(load(game)))] == rows


@pytest.mark.parametrize("game", ["pacman", "kalah", "dots_and_boxes", "pig", "hyper_backgammon"])
def test_positions_that_are_more_than_pieces_are_written(game: str, tmp_path: Path) -> None:
    part = edited(tmp_path, game)
    assert "data-piece" not in part
    assert "data-editor-board" not in part
    assert text_of(part).replace("&gt;", ">") == written_position(load(game).position())
    assert "Play from here" in part
    assert "<svg" in part


def test_walls_that_players_make_are_pieces_and_fields_that_nobody_uses_are_none(tmp_path: Path) -> None:
    part = edited(tmp_path, "isola", piece="#", cell=0)
    assert re.search(r'class="d-touch"[^>]*data-cell="0"[^>]*data-name="[^"]*wall"', part)
    first = set_up_at_first(load("draughts"))
    assert first.put(0, "w") == first


def test_it_works_without_a_script(http: httpx.Client) -> None:
    """As a form that is sent: a link opens it, fields change it."""
    page = http.get("/chess", params={"moves": "e2e4", "1": "human", "2": "human"}).text
    link = re.search(r'href="([^"]*)" data-edit="open"', page)
    assert link is not None
    opened = http.get(link[1].replace("&amp;", "&")).text
    assert "is-editing" in opened
    assert text_of(opened).startswith("rnbqkbnr/pppppppp/8/8/4P3")
    last = re.search(r'name="last" value="([^"]*)"', opened)
    assert last is not None
    sent = {"1": "human", "2": "human", "moves": "e2e4", "last": last[1], "edit": last[1], "mover": "w"}
    assert " w KQkq - " in text_of(http.get("/chess", params=sent).text)
    assert text_of(http.get("/chess", params=sent | {"edit": FEN, "mover": "b"}).text) == FEN
    cleared = http.get("/chess", params=sent | {"do": "clear"}).text
    assert text_of(cleared) == "8/8/8/8/8/8/8/8 b - - 0 1"
    assert "White has 0 kings" in cleared
    back = re.search(r'href="([^"]*)" data-edit="close"', cleared)
    assert back is not None
    assert parse_qs(urlsplit(back[1].replace("&amp;", "&")).query)["moves"] == ["e2e4"]
    assert "is-editing" not in http.get("/hexapawn").text


def opened(page: Any, address: str) -> Any:
    """The editor of a board, opened."""
    page.goto(address)
    page.get_by_role("link", name="Set up a position").click()
    editor = page.locator("[data-part=editor]")
    expect(editor.locator("[data-editor]")).to_be_visible()
    return editor


def place(editor: Any, number: int) -> Any:
    return editor.locator(f'.d-touch[data-cell="{number}"]')


def centre(found: Any) -> tuple[float, float]:
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dragged(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    expect(page.locator(".b-ghost")).to_be_visible()
    page.mouse.up()


def position(page: Any) -> Any:
    return page.locator("#position")


def test_pieces_are_dragged_from_the_tray_moved_and_dragged_off(page: Any) -> None:
    editor = opened(page, "/chess?1=human&2=human")
    editor.get_by_role("button", name="Clear the board").click()
    expect(editor.locator(".problem")).to_have_text("White has 0 kings; it has one")
    expect(editor.get_by_role("link", name="Play from here")).to_have_count(0)
    king = editor.get_by_role("button", name="white king", exact=True)
    dragged(page, centre(king), centre(place(editor, 60)))
    expect(position(page)).to_have_value("8/8/8/8/8/8/8/4K3 w - - 0 1")
    expect(page.locator(".b-ghost")).to_have_count(0)
    dragged(
        page, centre(editor.get_by_role("button", name="black king", exact=True)), centre(place(editor, 4))
    )
    expect(position(page)).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    dragged(
        page, centre(editor.get_by_role("button", name="white queen", exact=True)), centre(place(editor, 0))
    )
    expect(position(page)).to_have_value("Q3k3/8/8/8/8/8/8/4K3 b - - 0 1")
    dragged(page, centre(place(editor, 0)), centre(place(editor, 56)))
    expect(position(page)).to_have_value(re.compile(r"^4k3/8/8/8/8/8/8/Q3K3 "))
    dragged(page, centre(place(editor, 56)), centre(place(editor, 57)))
    expect(position(page)).to_have_value(re.compile(r"^4k3/8/8/8/8/8/8/1Q2K3 "))
    x, y = centre(place(editor, 57))
    dragged(page, (x, y), (x, y + 150))
    expect(position(page)).to_have_value(re.compile(r"^4k3/8/8/8/8/8/8/4K3 "))
    undo = editor.get_by_role("button", name="Undo")
    undo.click()
    expect(position(page)).to_have_value(re.compile(r"^4k3/8/8/8/8/8/8/1Q2K3 "))
    page.keyboard.press("Control+z")
    expect(position(page)).to_have_value(re.compile(r"^4k3/8/8/8/8/8/8/Q3K3 "))
    editor.get_by_role("link", name="Play from here").click()
    expect(cell(page, 56)).to_have_attribute("data-name", "a1: white queen")
    page.go_back()
    expect(position(page)).to_have_value(re.compile(r"^4k3/8/8/8/8/8/8/Q3K3 "))


@long
def test_a_change_that_is_undone_is_as_it_was(page: Any) -> None:
    editor = opened(page, "/tictactoe?1=human&2=human")
    undo = editor.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    place(editor, 0).click()
    place(editor, 4).click()
    expect(position(page)).to_have_value("X../.X./... O")
    for expected in ("X../.../... O", ".../.../... X"):
        undo.focus()
        page.keyboard.press("Enter")
        expect(position(page)).to_have_value(expected)
    expect(undo).to_be_disabled()
    expect(editor.locator("[data-editor-board]")).to_be_focused()


def test_a_button_keeps_the_keyboard_among_others_of_its_name(page: Any) -> None:
    editor = opened(page, "/tictactoe?1=human&2=human")
    place(editor, 0).click()
    expect(position(page)).to_have_value("X../.../... O")
    first = editor.get_by_role("button", name="First position")
    first.press("Enter")
    expect(position(page)).to_have_value(".../.../... X")
    expect(first).to_be_focused()


def test_a_position_is_pasted_judged_and_sent(page: Any) -> None:
    editor = opened(page, "/chess?1=human&2=human")
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    field = editor.get_by_label("The same in the game's notation")
    field.fill(FEN)
    field.press("Enter")
    expect(editor.locator(".d-piece")).to_have_count(3)
    expect(editor.locator(".editor-said")).to_have_text("White is to move.")
    field.fill("4k3/8/8")
    field.press("Enter")
    expect(editor.locator(".problem")).to_contain_text("a FEN has six fields")
    expect(editor.locator(".d-piece")).to_have_count(3)
    editor.get_by_role("button", name="Undo").click()
    expect(field).to_have_value(FEN)
    editor.get_by_role("radio", name="Black").check()
    expect(field).to_have_value("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1")
    editor.get_by_role("radio", name="White").check()
    expect(field).to_have_value(FEN)
    editor.get_by_role("button", name="Copy a link to this position").click()
    expect(page.locator("#notice")).to_have_text("The address is copied.")
    assert parse_qs(urlsplit(page.evaluate("copied")).query)["position"] == [FEN]
    editor.get_by_role("link", name="What is it worth?").click()
    page.wait_for_url("**show=truth**")
    assert in_address(page, "position") == FEN
    expect(page.locator("[data-part=truth]")).not_to_be_empty()


def test_the_first_position_and_the_game_come_back(page: Any) -> None:
    editor = opened(page, "/hexapawn?1=human&2=human&moves=b1b2")
    expect(position(page)).to_have_value("BBB/.W./W.W black")
    editor.get_by_role("button", name="First position").click()
    expect(position(page)).to_have_value("BBB/.../WWW white")
    editor.get_by_role("link", name="Back to the game").click()
    expect(editor).to_be_hidden()
    expect(status(page)).to_have_text("Black is to move.")
    assert in_address(page, "moves") == "b1b2"
    assert in_address(page, "edit") == ""
    expect(page.get_by_role("link", name="Set up a position")).to_be_focused()


def test_keys_take_put_and_take_away(page: Any) -> None:
    editor = opened(page, "/chess?1=human&2=human&position=4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    shown = editor.locator("[data-editor-board]")
    shown.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    expect(position(page)).to_have_value(re.compile("^r3k3/8/8/8/8/8/8/4K3 "))
    expect(editor.get_by_role("button", name="black rook", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(shown).to_be_focused()
    expect(editor.locator("[data-editor-cell]")).to_have_text("a8: black rook")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(position(page)).to_have_value(re.compile("^r3k3/r7/8/8/8/8/8/4K3 "))
    page.keyboard.press("Delete")
    expect(position(page)).to_have_value(re.compile("^r3k3/8/8/8/8/8/8/4K3 "))
    page.keyboard.press("ArrowUp")
    rook = editor.get_by_role("button", name="black rook", exact=True)
    rook.focus()
    page.keyboard.press("Enter")  # laid back
    expect(rook).to_have_attribute("aria-pressed", "false")
    shown.focus()
    page.keyboard.press("Enter")
    expect(editor.locator(".b-chosen")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(position(page)).to_have_value(re.compile("^1r2k3/8/8/8/8/8/8/4K3 "))
    page.keyboard.press("Control+z")
    expect(position(page)).to_have_value(re.compile("^r3k3/8/8/8/8/8/8/4K3 "))


@long
def test_keys_of_the_editor_play_nothing_on_the_board_behind(page: Any) -> None:
    opened(page, "/connect_four?1=human&2=human")
    page.keyboard.press("4")
    page.locator("body").press("4")
    page.get_by_role("link", name="Back to the game").click()
    assert in_address(page, "moves") == ""


@pytest.fixture(params=shortly(["light", "dark"], "dark"))
def phone(browser: Any, served: Served, request: Any) -> Iterator[Any]:
    """The browser of a phone."""
    size = {"width": 390, "height": 844}
    for context in visiting(
        browser, served, viewport=size, has_touch=True, is_mobile=True, color_scheme=request.param
    ):
        yield context.new_page()


def test_a_phone_puts_pieces_by_two_taps(phone: Any) -> None:
    editor = opened(phone, "/draughts?1=human&2=human")
    shown, below = (
        editor.locator("[data-editor-board]").bounding_box(),
        editor.locator(".tray").bounding_box(),
    )
    assert below["y"] >= shown["y"] + shown["height"] - 1
    assert below["y"] + below["height"] <= 844, "all of the tray is seen"
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    editor.get_by_role("button", name="Clear the board").tap()
    editor.get_by_role("button", name="light king", exact=True).tap()
    place(editor, 1).tap()
    expect(position(phone)).to_have_value("B:WK1:B")
    editor.get_by_role("button", name="dark", exact=True).tap()
    place(editor, 62).tap()
    expect(position(phone)).to_have_value(re.compile("^.:WK1:B32$"))
    place(editor, 63).tap()  # which no piece ever stands on
    editor.get_by_role("button", name="Take away").tap()
    place(editor, 62).tap()
    expect(position(phone)).to_have_value(re.compile("^.:WK1:B$"))
    assert violations(phone) == []


@pytest.mark.parametrize(
    ("game", "theme"),
    shortly(
        product(("chess", "go", "hex:size=5", "kalah", "nim"), ("light", "dark")),
        ("hex:size=5", "dark"),
    ),
)
def test_the_editor_is_as_large_as_the_board_and_axe_finds_nothing(
    game: str, theme: str, browser: Any, served: Served
) -> None:
    for context in visiting(browser, served, viewport={"width": 1280, "height": 800}, color_scheme=theme):
        page = context.new_page()
        page.goto(f"/{game}?1=human&2=human")
        ground = "svg.damier > g"
        played = page.locator(f"[data-stage] {ground}").first.bounding_box()
        page.get_by_role("link", name="Set up a position").click()
        made = page.locator(f".editor-board {ground}").first.bounding_box()
        assert made["width"] >= 0.95 * played["width"]
        assert violations(page) == []
