"""The pages are whole: every mark is filled, every picture and page that is linked is there, and
what is quickly measured still holds.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
PAGES = sorted(FOLDER.glob("*.md"))
MARKED = re.compile(r"<!-- measured: ([a-z0-9-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)

sys.path.insert(0, str(FOLDER))


def blocks(page: str) -> dict[str, str]:
    """What stands between the marks of a page, by their names."""
    return {name: text.strip() for name, text in MARKED.findall((FOLDER / page).read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (FOLDER / link).exists()] == []


def test_no_page_for_readers_names_rows_of_our_notes() -> None:
    """A row number says nothing to who does not have the list of rows."""
    home = FOLDER.parent.parent / "src" / "damier"
    pages = [
        *FOLDER.rglob("*.md"),
        *(home / "web" / "templates").glob("*.html"),
        *(home / "plugins" / "course" / "sheets").glob("*.toml"),
        *(home / "locale").rglob("*.po"),
    ]
    assert [page.name for page in pages if re.search(r"\bA-\d{1,2}\b", page.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "page",
    [
        "q",
        "v",
        "mean",
        "matchboxes",
        "grade",
        "state-space",
        "search",
        "chinook",
        "deep-blue",
        "alphago",
        "history",
        "networks",
    ],
)
def test_every_mark_is_measured_and_filled(page: str) -> None:
    from measured.pages import MODULES

    found = blocks(f"{page}.md")
    assert set(found) == {name for module in MODULES[page] for name in module.BLOCKS}
    assert all(found.values())


def test_what_is_quickly_measured_still_holds() -> None:
    from measured import grade, mean

    assert blocks("grade.md")["grade-ties"] == grade.BLOCKS["grade-ties"]()
    assert blocks("mean.md")["mean-footnote"] == mean.BLOCKS["mean-footnote"]()


def test_a_sentence_that_is_no_longer_true_is_not_written() -> None:
    from measured.writing import Untrue, holds, spread

    assert holds(True, "so it is") == "so it is"
    with pytest.raises(Untrue, match="so it is"):
        holds(False, "so it is")
    assert spread([0.5, 0.5]) == "+0.5000"
    assert spread([0.0, 1.0], ".1f") == "0.5 (0.0 … 1.0)"
