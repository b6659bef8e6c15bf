"""Two tables of the documentation, as `scripts/hooks` writes them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from damier import load
from damier.core.encoding import BY_BIT, BY_GAME, BY_NUMBER, BY_PLACE, FIRST_PLAYER, TO_MOVE
from damier.core.hooks import HOOKS
from damier.core.rules import Rule


def planes_as_table(names: Iterable[str]) -> str:
    """The planes and actions of games as a table in Markdown, for docs/environments.md."""
    lines = ["| game | planes × rows × columns | planes | actions | an action is |", "|---|---|---|---:|---|"]
    for name in names:
        game = load(name)
        layout = game.plane_layout
        planes = "; ".join(layout.names)
        if "planes" not in game.given:
            planes = (
                f"fields of the state, bit by bit: {', '.join(layout.names[:-2])}; {TO_MOVE}; {FIRST_PLAYER}"
            )
        means = {
            BY_GAME: " ".join((game.given["action"].__doc__ or "").split()) if "action" in game.given else "",
            BY_BIT: "the bit of a move",
            BY_NUMBER: "the bit of a move",
            BY_PLACE: "its place in the list of moves",
        }[game.action_numbers]
        shape = " × ".join(map(str, layout.shape))
        lines.append(f"| `{name}` | {shape} | {planes} | {game.actions:,} | {means.rstrip('.')} |")
    return "\n".join(lines)


def hooks_as_table() -> str:
    """All hooks as a table in Markdown, for docs/add_a_game.md."""
    lines = ["| hook | signature | what it says | without it | asked by |", "|---|---|---|---|---|"]
    for hook in HOOKS:
        if isinstance(hook.says, tuple):
            signature, meaning = hook.says
        else:
            signature, meaning = signature_of(hook.says), " ".join((hook.says.__doc__ or "").split())
        shown = f"`{signature}`" if "->" in signature else signature
        lines.append(f"| `{hook.name}` | {shown} | {meaning} | {hook.otherwise} | {hook.used_by} |")
    return "\n".join(lines)


def signature_of(stub: Rule) -> str:
    """The signature of a rule for people: `(s, move) -> state`."""
    signature = inspect.signature(stub)
    answer = str(signature.return_annotation).replace("State", "state")
    return f"({', '.join(signature.parameters)}) -> {answer}"
