"""screenshots FOLDER [ROOM …]: a picture of every room of the web lab in use, in every language, light and
dark, on a laptop, a projector and a phone, to be looked at; `screenshots --readme`: those of the README.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from browsing import CHROMIUM, QUIET, Served, serve, stop

from damier.core.words import languages

SIZES = {"laptop": (1280, 800), "projector": (1920, 1080), "phone": (390, 844)}
THEMES = ("light", "dark")
PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
Act = Callable[[Any], object]


class Room(NamedTuple):
    """Where a room is, and what is done there before its picture is taken, in any language."""

    path: str
    act: Act


def nothing(page: Any) -> None:
    """The page as it opens."""


def comes(selector: str) -> Act:
    """Waits for what a page shows of itself."""
    return lambda page: page.wait_for_selector(selector)


def played_for(page: Any) -> None:
    page.locator("[data-do=play]").click()
    page.wait_for_selector("[data-part=mind] .boxes")


def learnt(page: Any) -> None:
    page.locator("#plan button.main").click()
    page.wait_for_selector("[data-part=curve] svg")
    page.wait_for_timeout(4000)


def stepped(page: Any) -> None:
    page.locator("[data-go=cut]").click()
    page.wait_for_selector("[data-part=said] .readings")


def played(page: Any) -> None:
    """A move by its button, and the reply to it."""
    before = page.url
    page.locator("[data-part=moves] button[data-move]").first.click()
    page.wait_for_function("before => location.href !== before", arg=before)


def compared(page: Any) -> None:
    page.locator("[data-do=run]").click()
    page.wait_for_selector("[data-do=run][aria-disabled=true]")


def marked(page: Any) -> None:
    for number, blank in enumerate(page.locator("[data-part=fields] input[inputmode]").all()):
        blank.fill(str(3 + number))
    page.locator("#mark").click()
    page.wait_for_selector(".sign")


def answered(page: Any) -> None:
    """One answer that is right, one that is not, and a command."""
    for name, text in (("theory", "19683"), ("met", "200")):
        page.locator(f"#{name} input").fill(text)
        page.locator(f"#{name} button").first.click()
        page.wait_for_selector(f"#{name} .verdict")
    page.locator("[data-print]").last.click()
    page.wait_for_selector(".exchange")


def learning(page: Any) -> None:
    """A game, up to the second cell that is learnt from at its end."""
    for _step in range(60):
        page.locator("[data-do=step]").click()
        page.wait_for_timeout(100)
        if page.locator("[data-part=formula] .formula").count():
            break
    page.locator("[data-do=step]").click()
    page.wait_for_timeout(500)


ROOMS: dict[str, Room] = {
    "home": Room("/", nothing),
    "home-learns": Room("/", played_for),
    "games": Room("/games", comes(".game:last-child .facts dl")),
    "board": Room(
        "/hexapawn?moves=a1a2&1=human&2=perfect&show=truth,mind",
        comes("[data-part=truth] table, .along svg"),
    ),
    "connect-four": Room(
        "/connect_four:width=5,height=4?moves=3,3,2&1=human&2=perfect&show=truth",
        comes("[data-part=truth] table, .along svg"),
    ),
    "tictactoe": Room("/tictactoe?1=human&2=mcts&show=mind", played),
    "chess": Room("/chess", nothing),
    "pacman": Room("/pacman", nothing),
    "pacman-laboratory": Room("/pacman/laboratory?games=5", compared),
    "learning": Room("/learning?game=hexapawn", learnt),
    "training": Room("/training/hexapawn", learning),
    "matchboxes": Room("/matchboxes?game=hexapawn&played=50*random", nothing),
    "matchbox-sheets": Room("/matchboxes/sheets?game=hexapawn", nothing),
    "tree": Room("/tree", stepped),
    "tree-game": Room("/tree?game=hexapawn:blocked=loss&plies=3&step=20", nothing),
    "exercise": Room("/tree?view=exercise&kind=alphabeta", marked),
    "exercise-run": Room("/tree?view=exercise&kind=mixed&run=10&seed=4", nothing),
    "exercise-retrograde": Room("/tree?view=exercise&kind=retrograde", nothing),
    "graph": Room("/tree?view=graph", nothing),
    "tree-explore": Room("/tree?tree=game&game=nim:matches=7&algorithm=bfs&step=20", nothing),
    "course": Room("/course", nothing),
    "sheet": Room("/course/s0", answered),
    "lessons": Room("/lessons", nothing),
    "lesson": Room("/lessons/q", nothing),
    "problem": Room("/hexapwan", nothing),
}
"""Every room: one line a room."""
README = {"home-learns": "laptop", "training": "laptop"}
"""The rooms that the README shows, and on what."""


def main(folder: Path, rooms: Sequence[str]) -> None:
    """Every room in every language, theme and size."""
    unknown = [room for room in rooms if room not in ROOMS]
    if unknown:
        sys.exit(f"screenshots: no room {' '.join(unknown)}; rooms: {' '.join(ROOMS)}")
    for context, suffix in contexts(product(languages(), SIZES, THEMES)):
        photograph(context, rooms or list(ROOMS), folder, f"-{suffix}")


def draw_readme() -> None:
    """The pictures of the README, light only: small files that are kept."""
    for context, suffix in contexts(product(["en"], sorted({*README.values()}), ["light"])):
        rooms = [room for room, size in README.items() if suffix.startswith(size)]
        photograph(context, rooms, PICTURES)


def contexts(wanted: Iterator[tuple[str, str, str]]) -> Iterator[tuple[Any, str]]:
    """A browser for each language, size and theme, and what its pictures are called after their room."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        served = serve(Path(place))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, "--no-sandbox"])
        try:
            for language, size, theme in wanted:
                context = opened(browser, served, language, size, theme)
                yield context, f"{size}-{theme}-{language}"
                context.close()
        finally:
            browser.close()
            stop(served)


def opened(browser: Any, served: Served, language: str, size: str, theme: str) -> Any:
    """The browser of the lab's owner, who reads `language`."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=served.address,
        viewport={"width": width, "height": height},
        color_scheme=theme,
        locale=language,
        reduced_motion="reduce",
        has_touch=size == "phone",
    )
    context.set_default_timeout(120_000)
    context.request.get(f"/?token={served.key}")
    return context


def photograph(context: Any, rooms: Sequence[str], folder: Path, suffix: str = "") -> None:
    """The rooms, each once its page has come to rest."""
    page = context.new_page()
    for name in rooms:
        page.goto(ROOMS[name].path)
        page.wait_for_load_state("networkidle")
        ROOMS[name].act(page)
        page.wait_for_load_state("networkidle")
        path = folder / f"{name}{suffix}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)
        print(path.name, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="screenshots", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build", "screenshots"))
    parser.add_argument("rooms", nargs="*", metavar="room", help=" ".join(ROOMS))
    parser.add_argument("--readme", action="store_true", help="the pictures of the README instead")
    wanted = parser.parse_args()
    if wanted.readme:
        draw_readme()
    else:
        main(wanted.folder, wanted.rooms)
