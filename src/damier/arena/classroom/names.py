"""What students may call themselves."""

from __future__ import annotations

import unicodedata

from damier.core.errors import BadInput
from damier.core.words import message

LONGEST = 30
SIGNS = " .'’-"
MARKS = 2
"""Accents on top of a letter, one after the other."""


def checked_name(text: str) -> str:
    """A name as it is kept: spaces single, accents composed. Raises BadInput."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(name) <= LONGEST or not name[0].isalpha() or not all(map(_is_of_name, name)):
        raise BadInput(
            message("a name has from 1 to {n} letters, digits, spaces, . ' or -, a letter first", n=LONGEST)
        )
    marks = 0
    for c in name:
        marks = marks + 1 if unicodedata.category(c).startswith("M") else 0
        if marks > MARKS:
            raise BadInput(message("{name} is no name that can be read", name=name))
    return name


def folded(name: str) -> str:
    """What two names share that are taken for one another.

    >>> folded("Zoé  B."), folded("ZOÉ b")
    ('zoéb', 'zoéb')
    """
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def in_order(name: str) -> str:
    """What names are put in order by: accents and capitals make no difference.

    >>> sorted(["Zoé", "Élève", "eva"], key=in_order)
    ['Élève', 'eva', 'Zoé']
    """
    apart = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in apart if not unicodedata.category(c).startswith("M"))


def _is_of_name(c: str) -> bool:
    return c in SIGNS or unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd"
