"""screenshots FOLDER [ROOM …]: a picture of every room of the web lab in use, light and dark, on a
laptop, a projector and a phone, to be looked at.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from browsing import CHROMIUM, QUIET, serve, stop

SIZES = {"laptop": (1366, 768), "projector": (1920, 1080), "phone": (390, 844)}
Act = Callable[[Any], object]


def nothing(page: Any) -> None:
    """The page as it opens."""


def played_for(page: Any) -> None:
    page.locator("[data-do=play]").click()
    page.wait_for_selector("[data-part=mind] .boxes")


def learnt(page: Any) -> None:
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector("[data-part=curve] svg")
    page.wait_for_timeout(4000)


def trained(page: Any) -> None:
    page.locator("[data-box]").first.click()


def played(page: Any) -> None:
    page.locator("[data-do=run]").click()
    page.wait_for_selector("[data-do=run]:disabled")


def stepped(page: Any) -> None:
    page.locator("[data-go=cut]").click()
    page.wait_for_selector("[data-part=said] .readings")


def marked(page: Any) -> None:
    for number, blank in enumerate(page.locator("[data-part=answers] input:not([type=checkbox])").all()):
        blank.fill(str(3 + number))
    page.locator("#answers .main").click()
    page.wait_for_selector(".verdict")
    page.locator("#key").click()
    page.wait_for_selector("[data-part=key] svg")


ROOMS: dict[str, tuple[str, Act]] = {
    "home": ("/", nothing),
    "home-learns": ("/", played_for),
    "games": ("/games", lambda page: page.wait_for_selector(".game:last-child .facts dl")),
    "board": (
        "/hexapawn?moves=a1a2&1=human&2=perfect&show=truth,mind",
        lambda page: page.wait_for_selector("[data-part=truth] table, [data-part=truth] svg"),
    ),
    "connect-four": ("/connect_four:width=5,height=4?moves=3,3,2&1=human&2=perfect&show=truth", nothing),
    "pacman": ("/pacman", nothing),
    "laboratory": ("/pacman/laboratory?games=5", played),
    "learning": ("/learning?game=hexapawn", learnt),
    "matchboxes": ("/matchboxes?game=hexapawn&played=50*random", nothing),
    "tree": ("/tree", stepped),
    "tree-game": ("/tree?game=hexapawn:blocked=loss&plies=3&step=20", nothing),
    "exercise": ("/tree?view=exercise&kind=alphabeta", marked),
    "graph": ("/tree?view=graph", nothing),
    "lessons": ("/lessons", nothing),
    "lesson": ("/lessons/q", nothing),
    "problem": ("/hexapwan", nothing),
}
"""Where each room is, and what is done there before its picture is taken."""


def main(folder: Path, rooms: Sequence[str]) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        served = serve(Path(place))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, "--no-sandbox"])
        try:
            for size, (width, height) in SIZES.items():
                for theme in ("light", "dark"):
                    context = browser.new_context(
                        base_url=served.address,
                        viewport={"width": width, "height": height},
                        color_scheme=theme,
                        locale="en-GB",
                    )
                    photograph(context, folder, f"{size}-{theme}", rooms)
                    context.close()
        finally:
            browser.close()
            stop(served)


def photograph(context: Any, folder: Path, suffix: str, rooms: Sequence[str]) -> None:
    """The rooms, each once its page has come to rest."""
    page = context.new_page()
    for room in rooms:
        path, act = ROOMS[room]
        page.goto(path)
        page.wait_for_load_state("networkidle")
        act(page)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{room}-{suffix}.png")
        print(f"{room}-{suffix}.png", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(ROOMS))
