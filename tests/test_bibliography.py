"""The bibliography: every key that is cited is there, and every entry is cited somewhere."""

from __future__ import annotations

import functools
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIBLIOGRAPHY = ROOT / "docs" / "bibliography.md"
ENTRIES = re.findall(r"^\| \[(\w+)\] \|", BIBLIOGRAPHY.read_text(encoding="utf-8"), re.MULTILINE)
KEY = re.compile(r"(?<![\w\])\[])\[((?:[A-Z][a-z]+)+[0-9]{0,4}|S[0-9])\](?![(\]])")
SOURCE = re.compile(r'[A-Z][a-z]+,?\s"[^"]+"[^"]*\b(?:1[89]|20)[0-9]{2}\b|\bdocuments? S[0-9]')
"""A name, a title and a year; or a document without its brackets."""
PAGES = [
    path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if path != BIBLIOGRAPHY
]
CITING = ("core", "search", "learn", "solve", "trees", "draw", "games", "arena")
"""The rooms of algorithms and games: what they say of a source, they say with its key."""

MODULES = sorted([*(ROOT / "src" / "damier").rglob("*.py"), *(ROOT / "examples").glob("*.py")])


BEHIND = re.compile(r"\n\s*#+")
"""Between two lines of a comment."""


@functools.cache
def prose(path: Path) -> tuple[str, ...]:
    """The docstrings and the comments, paragraph by paragraph, of a module that cites; of another none, since
    to read them takes long.
    """
    text = BEHIND.sub(" ", path.read_text(encoding="utf-8"))
    return tuple(paragraphs(path)) if KEY.search(text) or SOURCE.search(text) else ()


def paragraphs(path: Path) -> Iterator[str]:
    lines: list[str] = []  # of a comment, which may go over several
    with path.open("rb") as stream:
        for token in tokenize.tokenize(stream.readline):
            text = token.string.lstrip("# ") if token.type == tokenize.COMMENT else ""
            if text:
                lines.append(text)
            elif (token.type != tokenize.NL and lines) or token.type == tokenize.COMMENT:
                yield " ".join(lines)
                lines = []
            if token.type == tokenize.STRING and token.string.startswith(('"""', 'r"""')):
                yield from re.split(r"\n\s*\n", token.string)


def test_no_key_stands_for_two_sources() -> None:
    assert len(ENTRIES) > 35
    assert len(set(ENTRIES)) == len(ENTRIES)


def test_every_key_that_is_cited_is_in_the_bibliography() -> None:
    cited = {key for path in MODULES for part in prose(path) for key in KEY.findall(part)}
    assert len(cited) > 25
    assert cited - set(ENTRIES) == set()


def test_every_entry_is_cited_somewhere() -> None:
    texts = [part for path in MODULES for part in prose(path)]
    texts += [path.read_text(encoding="utf-8") for path in PAGES]
    cited = {key for text in texts for key in KEY.findall(text)}
    assert set(ENTRIES) - cited == set()


@pytest.mark.parametrize("room", CITING)
def test_who_names_a_paper_says_its_key(room: str) -> None:
    silent = [
        (path.name, part)
        for path in sorted((ROOT / "src" / "damier" / room).rglob("*.py"))
        for part in prose(path)
        if SOURCE.search(part) and not KEY.search(part)
    ]
    assert silent == []


def test_the_keys_of_a_text_are_found() -> None:
    text = "J. P. Fishburn, 1983 [Fishburn83]; document [S2]; list[Row], [Lessons](lessons.md), [SLOTS]"
    assert KEY.findall(text) == ["Fishburn83", "S2"]
