"""Boards that are no rectangles of cells, under the mouse and the keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop, violations, visiting
from lasting import long
from on_board import cell, drag, line, middle, status
from playwright.sync_api import expect


@long
def test_a_stone_is_put_on_a_hexagon(page: Any) -> None:
    page.goto("/hex:size=5?1=human&2=human")
    page.mouse.click(*middle(page, 12))
    expect(line(page)).to_have_text(["1. c3"])
    page.mouse.click(*middle(page, 24))
    expect(line(page)).to_have_text(["1. c3", "2. e5"])
    page.mouse.click(*middle(page, 24))
    expect(page.locator("#notice")).to_have_text("This is not a legal move here.")
    expect(page.locator("[data-choice]")).to_be_hidden()


@long
def test_keys_go_from_hexagon_to_hexagon_along_its_rows_and_columns(page: Any) -> None:
    page.goto("/hex:size=4?1=human&2=human")
    page.locator("[data-stage]").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell-name]")).to_have_text("c3: free")
    page.keyboard.press("Enter")
    expect(line(page)).to_have_text(["1. c3"])
    expect(page.locator("[data-cell-name]")).to_have_text("c3: dark")


def test_the_second_player_takes_the_first_stone_over(page: Any) -> None:
    page.goto("/hex:size=4,swap=true?1=human&2=human&moves=d1")
    page.mouse.click(*middle(page, 3))
    expect(line(page)).to_have_text(["1. d1", "2. swap"])
    expect(status(page)).to_have_text("Black is to move.")
    assert cell(page, 12).get_attribute("data-name") == "a4: light"


MILL = "/nine_mens_morris?1=human&2=human&moves=a7,d6,d7,b6"  # a man on g7 closes a mill


def test_a_man_is_placed_and_the_one_that_his_mill_takes_is_pointed_at(page: Any) -> None:
    page.goto(MILL)
    page.mouse.click(*middle(page, 2))
    expect(page.locator(".b-goal")).to_have_count(2)
    page.mouse.click(*middle(page, 4))
    expect(line(page).last).to_have_text("5. g7xd6")
    page.mouse.click(*middle(page, 9))
    expect(line(page).last).to_have_text("6. a4")


@long
def test_keys_go_to_the_nearest_point(page: Any) -> None:
    page.goto(MILL)
    page.locator("[data-stage]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell-name]")).to_have_text("g4: free")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-cell-name]")).to_have_text("f4: free")
    page.keyboard.press("Enter")
    expect(line(page).last).to_have_text("5. f4")


def test_lines_between_dots_are_drawn_and_a_closed_box_is_filled(page: Any) -> None:
    page.goto("/dots_and_boxes:rows=1,columns=2?1=human&2=human&moves=h1-1,v1-1,h2-1")
    lines = page.locator("[data-stage] .d-line-ink")
    expect(lines).to_have_count(3)
    expect(page.locator("[data-stage] .d-shade")).to_have_count(0)
    page.mouse.click(*middle(page, 7))
    expect(lines).to_have_count(4)
    expect(page.locator("[data-stage] .d-shade")).to_have_count(1)
    assert page.locator("[data-stage] text").count() == 0


def test_a_pit_of_kalah_is_clicked_and_only_those_that_may_be_are_framed(page: Any) -> None:
    page.goto("/kalah?1=human&2=human&moves=3,1")
    expect(page.locator("[data-stage] circle.d-line-good")).to_have_count(2)
    page.mouse.click(*middle(page, 1))
    expect(line(page)).to_have_text(["1. 3", "2. 1", "3. 2"])
    assert cell(page, 1).get_attribute("data-name") == "pit 2 of player 1: 0 seeds"
    page.mouse.click(*middle(page, 3))
    expect(page.locator("#notice")).to_have_text("This is not a legal move here.")


def test_pig_is_played_on_its_own_two_buttons_and_shows_the_die(page: Any) -> None:
    page.goto("/pig?1=human&2=human&moves=5")
    expect(page.locator("[data-stage] circle.d-dark")).to_have_count(5)
    page.mouse.click(*middle(page, 4))
    expect(line(page).nth(1)).to_have_text("2. roll")
    page.goto("/pig?1=human&2=human&moves=5,roll,6")
    page.mouse.click(*middle(page, 5))
    expect(line(page).nth(3)).to_have_text("4. hold")
    expect(cell(page, 0)).to_have_attribute("data-name", "player 1: 11 of 100")


EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture
def own_lab(tmp_path: Path) -> Iterator[Served]:
    """A lab of games that tell of no move where it happens."""
    found = serve(tmp_path, *(str(EXAMPLES / f"{name}.py") for name in ("clock", "three_mens_morris")))
    yield found
    stop(found)


@pytest.fixture
def own_page(browser: Any, own_lab: Served) -> Iterator[Any]:
    for visitor in visiting(browser, own_lab):
        yield visitor.new_page()


@long
def test_an_own_game_is_found_on_the_first_page_and_played_by_clicks(own_page: Any) -> None:
    page, notice, asked = own_page, own_page.locator("#notice"), own_page.locator("[data-choice]")
    page.goto("/")
    assert violations(page) == []
    page.get_by_role("navigation", name="Served here").get_by_role("link", name="clock").click()
    page.goto("/clock?1=human&2=human")
    page.mouse.click(*middle(page, 2))
    expect(line(page)).to_have_text(["1. 2"])
    page.mouse.click(*middle(page, 2))  # the hand: where it may go is shown
    expect(page.locator(".b-goal")).to_have_count(3)
    page.mouse.click(*middle(page, 4))
    expect(line(page)).to_have_text(["1. 2", "2. 4"])
    page.mouse.click(*middle(page, 4))
    page.mouse.click(*middle(page, 4))  # twice: it is asked for by its name
    expect(asked.get_by_role("button")).to_have_text(["5", "6", "7"])
    asked.get_by_role("button", name="7", exact=True).click()
    expect(line(page)).to_have_text(["1. 2", "2. 4", "3. 7"])
    expect(notice).to_have_text("")
    page.mouse.click(*middle(page, 3))
    expect(notice).to_have_text("No move is known by this place: choose one by its name.")
    page.goto("/three_mens_morris?1=human&2=human&moves=0,1,4,8,6,2")
    drag(page, 4, 5)
    expect(line(page).last).to_have_text("7. 45")
