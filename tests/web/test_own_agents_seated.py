"""An agent of one's own at a board in the browser: it plays, its file is edited, it plays otherwise; a
fault in it is told, and is gone once the file is mended.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop
from lasting import long
from on_board import held, in_address, let_go, line
from playwright.sync_api import expect

MINE = """
def play(position, n: int = 0):
    return position.moves[n]
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A lab with a file of one's own, for all tests of this file."""
    folder = tmp_path_factory.mktemp("seated")
    (folder / "mine.py").write_text(MINE)
    found = serve(folder, "mine.py")
    yield found
    stop(found)


@pytest.fixture
def mine(served: Served) -> Path:
    """The file that is served, as it was."""
    path = served.folder.parent / "mine.py"
    path.write_text(MINE)
    return path


@long
def test_it_is_seated_played_against_edited_and_plays_otherwise(page: Any, mine: Path) -> None:
    page.goto("/tictactoe?1=human&2=human&moves=4")
    page.get_by_label("O", exact=True).select_option("mine")
    expect(line(page)).to_have_text(["1. 4", "2. 0"])
    options = page.get_by_label("Options of O")
    expect(options).to_have_attribute("placeholder", "n=0,seconds=10")
    page.get_by_role("button", name="8", exact=True).click()
    expect(line(page)).to_have_text(["1. 4", "2. 0", "3. 8", "4. 1"])
    mine.write_text(MINE.replace("[n]", "[-1 - n]"))
    page.get_by_role("button", name="3", exact=True).click()
    expect(line(page)).to_have_count(6)
    expect(line(page).last).to_have_text("6. 7")
    options.fill("n=1")
    options.press("Enter")
    page.wait_for_url(lambda address: "n%3D1" in address or "n=1" in address)
    assert in_address(page, "2") == "mine:n=1"


@long
def test_a_fault_is_told_the_board_stays_and_the_edit_mends_it(page: Any, mine: Path) -> None:
    mine.write_text("def play(position):\n    return 1 / 0\n")
    page.goto("/tictactoe?1=human&2=mine")
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.locator("#notice")).to_have_text("mine.py:2: ZeroDivisionError: division by zero")
    expect(line(page)).to_have_text(["1. 4"])
    mine.write_text("def play(:\n")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("mine.py:1: ")
    page.reload()
    expect(page.locator("[data-fault]")).to_contain_text("mine.py:1: ")
    expect(page.locator("#notice")).to_contain_text("mine.py:1: ")
    mine.write_text(MINE)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(line(page)).to_have_text(["1. 4", "2. 0"])
    expect(page.locator("#notice")).to_have_text("")
    expect(page.locator("[data-fault]")).to_have_count(0)


@long
@pytest.mark.usefixtures("mine")
def test_a_click_and_a_change_in_the_same_instant_are_both_obeyed(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=mine")
    options, cell = page.get_by_label("Options of O"), page.get_by_role("button", name="4", exact=True)
    waiting = held(page, "board.seats")
    options.fill("n=2")
    with page.expect_request("**/ask/board.seats"):
        cell.click()
    let_go(page, "board.seats", waiting)
    expect(line(page)).to_have_text(["1. 4", "2. 2"])
    waiting = held(page, "board.move")
    with page.expect_request("**/ask/board.move"):
        page.get_by_role("button", name="8", exact=True).click()
    options.fill("n=1")
    options.press("Enter")
    let_go(page, "board.move", waiting)
    expect(line(page)).to_have_text(["1. 4", "2. 2", "3. 8", "4. 1"])
    waiting = held(page, "board.seats")
    options.fill("m=1")
    with page.expect_request("**/ask/board.seats"):
        page.get_by_role("button", name="0", exact=True).click()
    let_go(page, "board.seats", waiting)
    expect(page.locator("#notice")).to_contain_text("no option m")
    expect(line(page)).to_have_count(4)
    page.get_by_role("button", name="0", exact=True).click()
    expect(line(page)).to_have_text(["1. 4", "2. 2", "3. 8", "4. 1", "5. 0"])
