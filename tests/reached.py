"""Every state of a small game, by its own rules."""

from __future__ import annotations

from typing import Any

from damier import Game


def states_of(game: Game) -> list[Any]:
    """The start and all that can follow it, breadth first; each is a state of the game's own type."""
    found, queue = {game.start}, [game.start]
    for s in queue:
        for move in game.legal(s):
            child = game.play(s, move)
            if child not in found:
                found.add(child)
                queue.append(child)
    return queue
