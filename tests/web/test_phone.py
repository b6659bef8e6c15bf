"""Every page on a phone: no wider than its window, its header on one line, no text of a picture too small
to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from browsing import Served, violations, visiting
from lasting import shortly
from rooms import ROOMS

from damier.core.words import languages
from damier.web.rooms.lessons import names

PHONE = {"width": 390, "height": 844}
READABLE = 11
"""Pixels of the smallest text of a picture, at 100 %."""
USABLE = ("/lessons/q", "/lessons/trees")
"""Those with something that scrolls on a phone, besides those of `test_budget`."""
LESSONS = tuple(f"/lessons/{name}" for name in names())
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const overflow = (element) => getComputedStyle(element).overflowX;
  const scrolls = (inside) =>
    inside !== document.body && (overflow(inside) !== "visible" || scrolls(inside.parentElement));
  const right = (element) => element.getBoundingClientRect().right;
  const beyond = [...document.querySelectorAll("body *")].filter((element) => right(element) > width + 1);
  return beyond.filter((element) => !scrolls(element.parentElement)).map((element) => element.outerHTML);
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


def all_cards(phone: Any) -> None:
    """Waits until the picture of every game is there: each comes when it is come near."""
    for card in phone.locator("[data-part^=card-]").all():
        card.scroll_into_view_if_needed()
        card.locator("svg").first.wait_for()


def is_read(path: str) -> bool:
    """Whether the pictures of a page are to be read there: sheets are as they are printed."""
    return "sheets" not in path


PAGES = [*product(ROOMS, languages()), *product(LESSONS, ["en"])]
KINDS = (
    "/games",
    "/learning",
    "/puzzles/tictactoe?seed=2",
    "/matchboxes?game=nim&played=50*random",
    "/matchboxes/sheets?game=hexapawn",
    "/tictactoe?1=human&2=perfect&show=truth,mind&moves=4,0",
    "/chess",
    "/course/s0",
    "/nosuch",
)
OFTEN = [*product(KINDS, ["fr"]), (USABLE[1], "en")]
"""One of each kind of room that neither `test_budget` nor a test of the room itself measures, with the longer
words, and a lesson with what scrolls.
"""


@pytest.mark.parametrize(("path", "language"), shortly(PAGES, *OFTEN))
def test_a_page_is_no_wider_than_a_phone(phone: Any, path: str, language: str) -> None:
    phone.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
    phone.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if path == "/games":
        all_cards(phone)
    assert phone.evaluate(WIDE) == []
    assert phone.locator(".top").bounding_box()["height"] < 60
    if is_read(path):
        assert phone.evaluate(SMALL, READABLE) == []
    if path in USABLE and language == "en":
        assert violations(phone) == []


@pytest.mark.parametrize(
    ("path", "width"),
    [
        ("/matchboxes?game=hexapawn&played=20*random", 320),
        ("/matchboxes?game=hexapawn&played=20*random", 1280),
        ("/matchboxes?game=nim&played=50*random", 740),
        ("/tree?game=hexapawn:blocked=loss&plies=2", 320),
    ],
)
def test_tables_and_choices_fit_where_words_are_long(page: Any, path: str, width: int) -> None:
    """At twice the size a tablet has the width of the smallest phone."""
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{path}&lang=fr")
    assert page.evaluate(WIDE) == []


LARGE = (
    "/games",
    "/matchboxes?game=nim&played=50*random",
    "/training/hexapawn",
    "/course/s0",
    "/lessons/trees",
    "/tree?game=hexapawn:blocked=loss&plies=3&step=20",
)


@pytest.mark.parametrize("path", shortly(LARGE, *LARGE[:3]))
def test_letters_twice_as_large_fit_on_a_phone(page: Any, path: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{path}{'&' if '?' in path else '?'}lang=fr")
    assert page.evaluate("matchMedia('(max-width: 18rem)').matches")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_went_wrong_lies_under_nothing(phone: Any) -> None:
    """Said and looked for at one moment: an answer of the lab takes it away."""
    phone.goto("/training/hexapawn")
    at_its_middle = phone.locator("#notice").evaluate("""notice => {
      notice.textContent = "The lab does not answer.";
      const { x, y, width, height } = notice.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2).id;
    }""")
    assert at_its_middle == "notice"


@pytest.mark.parametrize("path", [f"/{'x' * 200}", f"/tictactoe?moves={'x' * 200}"])
def test_a_refusal_breaks_the_long_word_that_it_quotes(phone: Any, path: str) -> None:
    phone.goto(path)
    assert phone.locator(".problem").is_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_steps_of_a_tree_stay_beside_its_choices(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/tree?game=hexapawn:blocked=loss&plies=2&lang=fr")
    last = page.locator(".steps-row > *:visible").last.bounding_box()
    assert last["x"] + last["width"] <= page.locator(".tree-side").bounding_box()["x"]


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
    assert menu.evaluate("menu => menu === document.activeElement")
    menu.click()
    rooms.get_by_role("link", name="Lessons").click()
    phone.wait_for_url("**/lessons")
