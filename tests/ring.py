"""The game of docs/endgames.md, whose tables hold all of its positions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from damier import Game, load
from damier.core.hooks import Endgames
from damier.core.rules import State

ROOT = Path(__file__).parents[1]


def text_of_ring() -> str:
    """The file as it stands in the page."""
    page = (ROOT / "docs" / "endgames.md").read_text(encoding="utf-8")
    return page.partition("```python\n")[2].partition("```")[0]


def ring(folder: Path, **changed: Any) -> Game:
    """The game, loaded from a folder; with some of what it gives as slices changed."""
    path = folder / "ring.py"
    path.write_text(text_of_ring(), encoding="utf-8")
    game = load(str(path))
    assert game.endgames is not None
    game.endgames = replace(game.endgames, **changed)
    return game


def slices_of(game: Game) -> Endgames[State]:
    assert game.endgames is not None
    return game.endgames


@cache
def reachable(game: Game) -> tuple[State, ...]:
    """All that can follow the start."""
    found, waiting = {game.start}, [game.start]
    while waiting:
        s = waiting.pop()
        for t in (game.play(s, move) for move in game.legal(s)):
            if t not in found:
                found.add(t)
                waiting.append(t)
    return tuple(found)
