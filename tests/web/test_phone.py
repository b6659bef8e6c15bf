"""Every page on a phone: no wider than its window, its header on one line, no text of a picture too small
to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Served, visiting

from damier.core.words import languages
from damier.web.rooms.lessons import names

PHONE = {"width": 390, "height": 844}
READABLE = 11
"""Pixels of the smallest text of a picture, at 100 %."""
ROOMS = (
    "/",
    "/learning",
    "/matchboxes",
    "/matchboxes?game=nim&played=50*random",
    "/matchboxes?game=hexapawn&played=20*random",
    "/matchboxes/sheets?game=hexapawn",
    "/tree",
    "/tree?game=hexapawn:blocked=loss&plies=3&step=20",
    "/tree?view=exercise&kind=alphabeta",
    "/tree?view=graph",
    "/tictactoe?1=human&2=perfect&show=truth,mind&moves=4,0",
    "/hexapawn",
    "/pacman",
    "/chess",
    "/draughts:variant=international",
    "/nim?1=human&2=human&moves=1,2&show=truth",
    "/pacman/laboratory",
    "/lessons",
    "/nosuch",
)
LESSONS = tuple(f"/lessons/{name}" for name in names())
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const scrolls = (element) => element !== document.body && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  return [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element.parentElement)).map((element) => element.outerHTML.slice(0, 100));
}"""
SMALL = """(least) => [...document.querySelectorAll("svg text")].filter((text) => {
  if (!text.textContent.trim() || !text.getBoundingClientRect().width) return false;
  const drawn = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(drawn.b, drawn.d) < least - 0.01;
}).map((text) => text.outerHTML.slice(0, 100))"""


@pytest.fixture(scope="module")
def phone(browser: Any, served: Served) -> Iterator[Any]:
    for context in visiting(browser, served, viewport=PHONE, has_touch=True):
        yield context.new_page()


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", [*ROOMS, *LESSONS])
def test_a_page_is_no_wider_than_a_phone(phone: Any, path: str, language: str) -> None:
    if language != "en" and path in LESSONS:
        path = LESSONS[0]
    phone.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
    assert phone.evaluate(WIDE) == []
    assert phone.locator(".top").bounding_box()["height"] < 60
    if path != "/":
        assert phone.evaluate(SMALL, READABLE) == []


def test_the_rooms_are_behind_a_button_that_a_key_opens_and_closes(phone: Any) -> None:
    phone.goto("/learning?lang=en")
    menu, rooms = phone.get_by_role("button", name="Rooms"), phone.get_by_role("navigation", name="Rooms")
    assert not rooms.is_visible()
    menu.focus()
    phone.keyboard.press("Enter")
    assert rooms.get_by_role("link", name="Learning").get_attribute("aria-current") == "page"
    phone.keyboard.press("Tab")
    assert rooms.get_by_role("link").first.evaluate("link => link === document.activeElement")
    phone.keyboard.press("Escape")
    assert not rooms.is_visible()
    menu.click()
    rooms.get_by_role("link", name="Lessons").click()
    phone.wait_for_url("**/lessons")
