"""The page of what is done names tests that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "spec-status.md"
FILE = re.compile(r"((?:[\w-]+/)*test_\w+\.py)(?:: (\w+))?")
LONG_NAME = re.compile(r"(?:[a-z0-9]+_){2,}[a-z0-9]+")
"""The name of a test alone, of the file that was named before it."""


def named() -> Iterator[tuple[str, str]]:
    """Every test that the page names, with its file; of a file named as a whole, nothing."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        file = ""
        for word in re.findall(r"`([^`]+)`", line) if line.startswith("|") else ():
            if found := FILE.fullmatch(word):
                file = found[1]
                yield file, found[2] or ""
            elif file and LONG_NAME.fullmatch(word):
                yield file, word


def text_of(file: str) -> str:
    """The source of a test, named from `tests` or from the root; nothing where it is not there."""
    place = next((folder / file for folder in (ROOT / "tests", ROOT) if (folder / file).is_file()), None)
    return place.read_text(encoding="utf-8") if place else ""


def test_every_test_that_shows_a_row_is_there() -> None:
    found = list(named())
    assert len(found) > 100
    lost = [(file, name) for file, name in found if f"def test_{name}" not in text_of(file)]
    assert lost == []


def test_a_row_that_is_not_done_says_what_is_missing() -> None:
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "| partly" in line]
    assert all("Missing: " in row[-1] for row in rows)
