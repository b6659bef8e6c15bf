"""Lines of play by the rules of a game alone, in plain Python: counted, or followed at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from damier import Game
from damier.core.past import Line
from damier.core.rules import State


def leaves(game: Game, depth: int) -> list[int]:
    """How many lines of 1, 2, … plies there are."""
    return [leaves_below(game, game.start, plies) for plies in range(1, depth + 1)]


def leaves_below(game: Game, s: State, plies: int) -> int:
    legal = game.legal(s)
    return len(legal) if plies == 1 else sum(leaves_below(game, game.play(s, m), plies - 1) for m in legal)


def random_line(game: Game, seed: int, plies: int = 300) -> Iterator[tuple[State, str]]:
    """The states of a random game, each with the name of the move that follows it, "" at the end."""
    walk, chosen = Line(game, game.start), Random(seed)
    for _ply in range(plies):
        s = walk.state
        legal = game.legal(s)
        move = chosen.choice(legal) if legal else 0
        yield s, game.name_move(s, move) if legal else ""
        if not legal:
            return
        walk.play(move)
