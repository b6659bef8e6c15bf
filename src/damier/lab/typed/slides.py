"""The functions of document [S2], typed with a tree in brackets: value, max-value and min-value, with
α and β or without (rows A-51, A-52 and A-59).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from damier.core.errors import BadInput
from damier.core.tree import shown
from damier.core.words import _, message, ngettext
from damier.lab.typed.replies import RoomLink, TypedAnswer, refused
from damier.trees.explicit import search
from damier.trees.replay import Replay
from damier.trees.tree_text import parse

UNDERSTOOD = "max-value(((3 12 8) (2 4 6) (14 5 2)))  max-value(((3 12 8) (2 4 6) (14 5 2)), -∞, +∞)"
LONGEST = 600
CALL = re.compile(
    r"(value|max-value|min-value)\s*\((.*?)(,\s*-\s*(?:∞|inf)\s*,\s*\+?\s*(?:∞|inf)\s*)?\)", re.DOTALL
)
MOST_STEPS = 60


def typed_slides(text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """What a call comes to. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(message("a command has at most {n} characters", n=LONGEST))
    found = CALL.fullmatch(text.strip())
    if not found or not found[2].strip():
        raise refused(text, UNDERSTOOD)
    written = found[2].strip()
    if found[1] == "min-value":
        written = written if written.startswith("min") else f"min{written}"
    tree = parse(written)
    pruning = found[3] is not None
    answer = search(tree, "alphabeta" if pruning else "minimax", trace=True)
    said = Replay(answer).said if len(answer.steps) <= MOST_STEPS else ()
    lines = [*said, _("value {value}", value=shown(answer.value))]
    lines.append(
        ngettext("{n} leaf was read", "{n} leaves were read", answer.reads)
        + (", " + ngettext("{n} cut", "{n} cuts", len(answer.cuts)) if pruning else "")
    )
    address = f"/tree?tree=text&text={quote(written)}&algorithm={'alphabeta' if pruning else 'minimax'}"
    bounds = ", -∞, +∞" if pruning else ""
    return TypedAnswer(
        f"{found[1]}({' '.join(written.split())}{bounds})",
        tuple(lines),
        (RoomLink(_("Step by step"), address),),
    )
