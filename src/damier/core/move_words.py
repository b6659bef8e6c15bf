"""The moves that games name by a word: read as they are written, and shown in the reader's language."""

from __future__ import annotations

import re

from damier.core.words import N_, NO_BREAK, _

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

PROMOTED = {"q": N_("queen"), "r": N_("rook"), "b": N_("bishop"), "n": N_("knight")}
PROMOTION = re.compile("([a-h][27][a-h][18])([qrbn])")


def move_in_words(name: str) -> str:
    r"""A move for a person: a word in the language in force, a notation as it is, but the piece that a
    pawn becomes by its name.

    >>> move_in_words("pass"), move_in_words("b2"), move_in_words("a7a8q")
    ('pass', 'b2', 'a7a8\xa0=\xa0queen')
    """
    if found := PROMOTION.fullmatch(name):
        return f"{found[1]} = {_(PROMOTED[found[2]])}".replace(" ", NO_BREAK)
    return _(name) if name in WORDS else name
