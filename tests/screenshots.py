"""screenshots FOLDER: a picture of every room of the web lab, light and dark, at the size of a laptop and of a projector, to be looked at."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from browsing import CHROMIUM, QUIET, serve, stop

SIZES = {"laptop": (1366, 768), "projector": (1920, 1080), "phone": (390, 844)}
ROOMS = {
    "games": "/",
    "board": "/hexapawn?moves=a1a2&1=human&2=perfect&truth=1",
    "connect-four": "/connect_four:width=5,height=4?moves=3,3,2&1=human&2=perfect&truth=1",
    "pacman": "/pacman",
    "learning": "/learning?game=hexapawn",
    "matchboxes": "/matchboxes?game=tictactoe",
    "tree": "/tree",
    "lessons": "/lessons",
    "lesson": "/lessons/q",
    "problem": "/hexapwan",
}


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        served = serve(Path(place))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, "--no-sandbox"])
        try:
            for size, (width, height) in SIZES.items():
                for theme in ("light", "dark"):
                    context = browser.new_context(base_url=served.address, viewport={"width": width, "height": height}, color_scheme=theme, locale="en-GB")
                    photograph(context, folder, f"{size}-{theme}")
                    context.close()
        finally:
            browser.close()
            stop(served)


def photograph(context: Any, folder: Path, suffix: str) -> None:
    """Every room, once its page has come to rest."""
    page = context.new_page()
    for room, path in ROOMS.items():
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{room}-{suffix}.png")
        print(f"{room}-{suffix}.png", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
