"""The board under a finger: a tap plays, a drag moves a piece and not the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Served, visiting
from on_board import line, middle, status
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
