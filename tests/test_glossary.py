"""The glossary: where it says that a term lives, there is a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = [
    line.split("|")[1:-1]
    for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
]
TERMS = [row for row in ROWS if row[0].strip() not in ("term", "---")]


@pytest.mark.parametrize("row", TERMS, ids=lambda row: row[0].strip())
def test_a_term_has_its_french_its_meaning_and_its_place(row: list[str]) -> None:
    term, french, meaning, where = (cell.strip() for cell in row)
    assert term
    assert french
    assert meaning
    files = re.findall(r"`([a-z_/]+\.py)`", where)
    assert files
    assert all((ROOT / "src" / "damier" / file).is_file() for file in files)


def test_no_term_is_listed_twice() -> None:
    terms = [row[0].strip() for row in TERMS]
    assert len(terms) > 40
    assert len(set(terms)) == len(terms)
