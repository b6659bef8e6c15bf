"""Every page opens, in both languages and both colours, is usable by everybody, and asks nothing of
any other host.
"""

from __future__ import annotations

from typing import Any

import pytest
from browsing import violations

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


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_usable_by_everybody(page: Any, path: str) -> None:
    page.emulate_media(color_scheme="light")
    assert page.goto(path).status == (404 if path == "/nosuch" else 200)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, "color-contrast") == []


def test_the_language_is_the_readers(page: Any) -> None:
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "en"
    page.locator("[data-language=fr]").click()
    assert page.locator("html").get_attribute("lang") == "fr"
    page.goto("/hexapawn")
    assert page.locator("html").get_attribute("lang") == "fr"
