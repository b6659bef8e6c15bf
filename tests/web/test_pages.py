"""Every page opens, in both languages and both colours, is usable by everybody, and asks nothing of
any other host.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import violations
from lasting import shortly
from playwright.sync_api import expect

from damier.web.app import STATIC
from damier.web.rooms import ROOMS

PAGES = [
    "/",
    "/games",
    "/learning",
    "/matchboxes",
    "/matchboxes?game=nim&played=50*random",
    "/matchboxes/sheets?game=hexapawn",
    "/course",
    "/course/s0",
    "/course/s1",
    "/tree?tree=game&game=nim:matches=6&algorithm=bfs&step=9",
    "/lessons",
    "/lessons/q",
    "/nosuch",
    "/hexapawn?moves=a1a2",
    "/tictactoe?1=human&2=perfect&show=truth,mind&moves=4,0",
    "/tree",
    "/tree?view=exercise",
    "/tree?view=exercise&kind=alphabeta",
    "/tree?view=exercise&kind=retrograde",
    "/tree?view=sheet&kind=mixed&seed=1&run=9&keys=1",
    "/tree?view=graph",
]


RARELY = (
    "/",  # on a phone, in both colours: `test_budget`
    "/matchboxes?game=nim&played=50*random",
    "/course/s0",  # on a phone: `test_phone`
    "/tree?tree=game&game=nim:matches=6&algorithm=bfs&step=9",
    "/lessons/q",  # on a phone: `test_phone`
    "/nosuch",
    "/hexapawn?moves=a1a2",
    "/tree?view=exercise&kind=retrograde",
    "/tree?view=graph",
    "/tree?view=sheet&kind=mixed&seed=1&run=9&keys=1",  # very many of what others have
    "/matchboxes/sheets?game=hexapawn",  # many boxes, each like the others
    "/course/s1",
    "/tree?view=exercise",
    "/tree?view=exercise&kind=alphabeta",  # of another kind: `test_exercise`
    "/tictactoe?1=human&2=perfect&show=truth,mind&moves=4,0",  # nim with its values: `test_board`
    "/games",  # on a phone, in both colours: `test_budget`
    "/learning",
    "/lessons",
    "/tree",
)
"""Pages that show what another of them shows too, or that another test looks at."""


@pytest.mark.parametrize("path", shortly(PAGES, *(path for path in PAGES if path not in RARELY)))
def test_a_page_is_usable_by_everybody(page: Any, path: str) -> None:
    page.emulate_media(color_scheme="light")
    assert page.goto(path).status == (404 if path == "/nosuch" else 200)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == []


def test_what_is_printed_is_light(page: Any) -> None:
    page.goto("/tictactoe?moves=4")
    colours = """() => ["body", "svg.damier .d-paper"].map((place) => {
      const { color, backgroundColor, fill } = getComputedStyle(document.querySelector(place));
      return [color, backgroundColor, fill].join();
    })"""
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colours)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(colours) != light
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(colours) == light


def test_the_language_is_the_readers(page: Any) -> None:
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "en"
    page.locator("[data-language=fr]").click()
    assert page.locator("html").get_attribute("lang") == "fr"
    page.goto("/hexapawn")
    assert page.locator("html").get_attribute("lang") == "fr"


def test_a_page_says_so_where_scripts_are_off(http: httpx.Client) -> None:
    told = http.get("/tictactoe?lang=fr").text
    assert '<noscript><p class="noscript problem">JavaScript est désactivé' in told


@pytest.mark.parametrize("clicks", shortly([1, 2], 2))
def test_a_button_that_is_pressed_before_its_script_is_there_waits_for_it(page: Any, clicks: int) -> None:
    held: list[Any] = []
    page.route("**/static/board.js", lambda route: held.append(route), times=1)
    page.goto("/hexapawn?1=human&2=human", wait_until="commit")
    page.locator("button[data-move=a1a2]").focus()
    for _time in range(clicks):
        page.keyboard.press("Enter")
    page.evaluate("1")  # what the keys did is done
    assert "moves" not in page.url
    for route in held:
        route.continue_()
    page.wait_for_url("**moves=a1a2")
    expect(page.locator("[data-part=line] [data-at]")).to_have_count(1)


def test_what_marks_one_of_several_is_seen_where_colours_are_forced() -> None:
    sheets = [path for folder in (STATIC, *ROOMS.folders("static")) for path in Path(folder).glob("*.css")]
    assert len(sheets) > 10
    drawn_as_ink = {path.name for path in sheets if re.search(r"border[^;{}]*transparent", path.read_text())}
    assert drawn_as_ink == set(), "a transparent border is ink there: var(--unmarked) is none"


def test_who_has_set_larger_letters_in_the_browser_reads_larger_ones() -> None:
    (root,) = re.findall(r"(?<=  font: ).*(?=;)", (STATIC / "page.css").read_text())
    assert root.startswith("clamp(")
    assert "px" not in root, "it would be the same whatever the reader has set"


def test_what_opens_without_a_script_does_not_wait_for_one(page: Any) -> None:
    held: list[Any] = []
    page.set_viewport_size({"width": 390, "height": 844})
    page.route("**/static/board.js", lambda route: held.append(route), times=1)
    page.goto("/hexapawn?1=human&2=human", wait_until="commit")
    page.locator("button.menu").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rooms")).to_be_visible()
    for route in held:
        route.continue_()
