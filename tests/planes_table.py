"""What networks see of each game, as `scripts/hooks` writes it into docs/environments.md."""

from __future__ import annotations

from collections.abc import Iterable

from damier import load
from damier.core.encoding import BY_BIT, BY_GAME, BY_NUMBER, BY_PLACE, FIRST_PLAYER, TO_MOVE


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
