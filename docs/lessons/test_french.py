"""The French lessons say what the English ones say: the same parts, programs, pictures, links, tables
and figures, and what is measured is the same measurement.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
FRENCH = FOLDER / "fr"
PAGES = sorted(path.name for path in FOLDER.glob("*.md"))
MEASURED = re.compile(r"(?<=<!-- measured: )([a-z0-9-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
NAME = re.compile(r"`[^`]*`|\]\([^)]*\)")
NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[,\u00a0]\d{3})+(?!\d)|(?<![\w])\d+(?:[.,]\d+)?")
SPACE_BEFORE_A_MARK = re.compile(r" [:;!?»]|« |\d %")
ELSEWHERE = {"ecrire_un_agent": "write_an_agent", "corriger": "marking"}
"""Pages of the handbook that there are in French."""
LEFT, RIGHT = ("gauche", "left  "), ("droite", "right ")
"""What stands beside two pictures made of characters."""

sys.path.insert(0, str(FOLDER))


def english(page: str) -> str:
    return (FOLDER / page).read_text(encoding="utf-8")


def french(page: str) -> str:
    return (FRENCH / page).read_text(encoding="utf-8")


def programs(text: str) -> list[str]:
    """The programs and commands of a page, without what they say to the reader."""
    found = FENCED.findall(text)
    return [re.sub(r" +# .*| +$", "", program, flags=re.MULTILINE) for program in found]


def prose(text: str) -> str:
    """A page without programs, and without what is measured."""
    for part in (FENCED, MEASURED):
        text = part.sub("", text)
    return text


def figures(text: str) -> Counter[str]:
    """The numbers of a text, however its language writes them."""
    text = NAME.sub("", text).replace("Puissance 4", "")
    return Counter(re.sub(r"[.,\u00a0]", "", number) for number in NUMBER.findall(text))


def links(text: str, up: str = "") -> set[str]:
    """The pages, files and pictures that a page names, as seen from the English pages."""
    found = re.findall(r"\]\(([^)#:]+)\)", text)
    return {
        re.sub(r"[a-z_]+(?=\.md$)", lambda name: ELSEWHERE.get(name[0], name[0]), link.removeprefix(up))
        for link in found
    }


def test_every_lesson_is_there_in_french() -> None:
    assert sorted(path.name for path in FRENCH.glob("*.md")) == PAGES
    assert sorted(path.name for path in FRENCH.glob("*.svg")) == sorted(
        path.name for path in FOLDER.glob("*.svg")
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_lesson_says_the_same_in_french(page: str) -> None:
    ours, theirs = french(page), english(page)
    assert [line.split()[0] for line in prose(ours).splitlines() if line.startswith("#")] == [
        line.split()[0] for line in prose(theirs).splitlines() if line.startswith("#")
    ]
    assert [program.replace(*LEFT).replace(*RIGHT) for program in programs(ours)] == programs(theirs)
    assert len(INDENTED.findall(prose(ours))) == len(INDENTED.findall(prose(theirs)))
    assert [line.count("|") for line in ours.splitlines() if line.startswith("|")] == [
        line.count("|") for line in theirs.splitlines() if line.startswith("|")
    ]
    assert figures(prose(ours)) == figures(prose(theirs))
    assert links(ours, up="../") == links(theirs)


@pytest.mark.parametrize("page", PAGES)
def test_french_is_set_as_french_is(page: str) -> None:
    said = re.sub(r"`[^`]*`", "`…`", INDENTED.sub("", prose(french(page))))
    assert SPACE_BEFORE_A_MARK.findall(said) == []
    assert "’" not in said
    assert [link for link in links(french(page)) if not (FRENCH / link).exists()] == []


@pytest.mark.parametrize("page", [page for page in PAGES if "<!-- measured" in english(page)])
def test_what_is_measured_is_the_same_measurement(page: str) -> None:
    from measured.pages import in_french

    [(path, text)] = in_french(page.removesuffix(".md")).items()
    assert text == path.read_text(encoding="utf-8"), "scripts/lessons --french"


def test_the_phrase_book_has_no_phrase_too_many() -> None:
    from measured.french import PHRASES, template

    said = {template(cell.strip()) for page in PAGES for _name, text in MEASURED.findall(english(page))
            for line in text.splitlines() for cell in [line, *line.split("|")]}  # fmt: skip
    sources = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / "measured").glob("*.py"))
    drawn = {template(text) for text in re.findall(r'said\("([^"]*)"\)', sources)}
    assert set(PHRASES) - said - drawn == set()
