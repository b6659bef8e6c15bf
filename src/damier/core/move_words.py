"""The moves that games name by a word: read as they are written, and shown in the reader's language."""

from __future__ import annotations

from damier.core.words import N_, _

WORDS = frozenset(
    {
        N_("pass"),
        N_("swap"),
        N_("roll"),
        N_("hold"),
        N_("North"),
        N_("South"),
        N_("East"),
        N_("West"),
        N_("Stop"),
    }
)


def move_in_words(name: str) -> str:
    """A move for a person: a word in the language in force, a notation as it is.

    >>> move_in_words("pass"), move_in_words("b2")
    ('pass', 'b2')
    """
    return _(name) if name in WORDS else name
