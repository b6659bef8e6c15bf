"""The board under a finger: a tap plays, a drag moves a piece and not the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Served, visiting
from lasting import long, shortly
from on_board import cell, line, middle, status
from playwright.sync_api import expect

PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 664}}


@pytest.fixture
def phone(browser: Any, served: Served) -> Iterator[Any]:
    for context in visiting(browser, served, **PHONE):
        yield context.new_page()


def swipe(page: Any, first: int, last: int) -> None:
    """One finger, from one cell to another."""
    (x, y), (u, v) = middle(page, first), middle(page, last)
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 6):
        finger.send(
            "Input.dispatchTouchEvent",
            {
                "type": "touchMove",
                "touchPoints": [{"x": x + (u - x) * step / 5, "y": y + (v - y) * step / 5}],
            },
        )
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_pawn_follows_the_finger_and_the_page_does_not(phone: Any) -> None:
    phone.goto("/hexapawn?1=human&2=human")
    swipe(phone, 6, 3)
    expect(line(phone)).to_have_text(["1. a1a2"])
    assert phone.evaluate("scrollY") == 0


def test_taps_play(phone: Any) -> None:
    phone.goto("/hexapawn?1=human&2=human")
    phone.touchscreen.tap(*middle(phone, 7))
    expect(phone.locator(".b-goal")).to_have_count(1)
    phone.touchscreen.tap(*middle(phone, 4))
    expect(line(phone)).to_have_text(["1. b1b2"])
    phone.goto("/tictactoe?1=human&2=human")
    phone.touchscreen.tap(*middle(phone, 4))
    expect(line(phone)).to_have_text(["1. 4"])


@pytest.mark.parametrize(
    ("across", "down"), shortly([(0.15, 0.65), (0.25, 0.75), (0.15, 0.85)], (0.25, 0.75))
)
def test_a_piece_that_was_chosen_moves_whatever_arrow_of_another_is_touched(
    phone: Any, across: float, down: float
) -> None:
    """Two pawns can take on b2: their arrows meet there."""
    phone.goto("/hexapawn?1=human&2=human&moves=b1b2,a3b2")
    phone.touchscreen.tap(*middle(phone, 8))
    box = cell(phone, 4).bounding_box()
    phone.touchscreen.tap(box["x"] + across * box["width"], box["y"] + down * box["height"])
    expect(line(phone).last).to_have_text("3. c1b2")


def test_a_place_where_several_may_go_asks_which(phone: Any) -> None:
    phone.goto("/hexapawn?1=human&2=human&moves=b1b2,a3b2")
    phone.touchscreen.tap(*middle(phone, 4))
    asked = phone.get_by_role("group", name="Which move?")
    expect(asked.get_by_role("button")).to_have_text(["a1b2", "c1b2"])
    asked.get_by_role("button", name="c1b2").click()
    expect(line(phone).last).to_have_text("3. c1b2")


@long
def test_a_jump_over_two_is_tapped_step_by_step(phone: Any) -> None:
    phone.goto("/draughts?1=human&2=human&moves=11-16,24-20,10-15,20x11,7x16,23-19,16x23")
    for number in (51, 37):
        phone.touchscreen.tap(*middle(phone, number))
    expect(phone.locator(".b-chosen")).to_have_count(2)
    phone.touchscreen.tap(*middle(phone, 19))
    expect(line(phone).last).to_have_text("8. 26x19x10")


def test_the_end_of_a_game_comes_into_view(phone: Any) -> None:
    phone.goto("/go:size=5?1=human&2=human&moves=C3,pass")
    phone.locator("[data-part=beside] [data-move=pass]").click()
    expect(status(phone)).to_have_text("Black has won.")
    expect(status(phone)).to_be_in_viewport()


@long
def test_who_opens_a_table_sees_its_address(phone: Any) -> None:
    phone.goto("/hexapawn?1=human&2=human&moves=a1a2")
    phone.get_by_role("button", name="Invite somebody").click()
    expect(phone.get_by_label("Address of this table")).to_be_in_viewport()


@long
def test_a_phone_scrolls_down_only(phone: Any) -> None:
    phone.goto("/hexapawn?1=human&2=human&show=truth")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert middle(phone, 6)[1] < PHONE["viewport"]["height"]
    assert status(phone).bounding_box()["y"] < middle(phone, 0)[1]


def test_a_play_of_backgammon_is_tapped_checker_by_checker(phone: Any) -> None:
    phone.goto(
        "/hyper_backgammon?1=human&2=human&position=XGID%3D-aaa------------------AAA-:0:0:1:65:0:0:0:0:10"
    )
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for place, goals in ((22, 2), (17, 3), (23, 1)):
        phone.touchscreen.tap(*middle(phone, place))
        expect(phone.locator(".b-goal")).to_have_count(goals)
    phone.touchscreen.tap(*middle(phone, 17))
    expect(line(phone)).to_have_text(["1. 24/18+23/18"])
