"""What is measured, in French: numbers as French writes them, in the phrases of a phrase book.

A table or sentence is measured once, in English. Its French is made from it: every number and every
`name` is put into the phrase of `phrases.toml`, so that the two pages cannot tell different things.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from damier.core.words import NO_BREAK, language
from measured.writing import Untrue

PHRASES: dict[str, str] = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))
VALUE = re.compile(r"`[^`]*`|(?<!\w)[+-]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?)")
"""What stands in any language, written alike or nearly so: a name between backquotes, a number."""
WORD = re.compile(r"[A-Za-z]{2}")


def french(text: str) -> str:
    """The French of a table or of a sentence that was measured. Raises Untrue where the phrase book
    lacks a phrase.
    """
    return "\n".join(line_in_french(line) for line in text.splitlines())


def line_in_french(line: str) -> str:
    if not line.startswith("|"):
        return phrase(line)
    return f"| {' | '.join(phrase(cell.strip()) for cell in line[1:-1].split('|'))} |"


def phrase(text: str) -> str:
    """The French of a sentence or of a cell."""
    values = VALUE.findall(text)
    said = template(text)
    if WORD.search(said):
        if said not in PHRASES:
            raise Untrue(f"the phrase book has no French for {said!r}")
        said = PHRASES[said]
    return said.replace("{}%", f"{{}}{NO_BREAK}%").format(*map(value, values))


def template(text: str) -> str:
    """A text without its numbers and names."""
    return VALUE.sub("{}", text)


def value(text: str) -> str:
    """A number, or a name, as it stands in French."""
    return text if text.startswith("`") else text.replace(",", NO_BREAK).replace(".", ",")


def said(text: str) -> str:
    """A title or a name in a picture, in the language that it is drawn in."""
    return phrase(text) if language() == "fr" else text
