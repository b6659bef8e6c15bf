"""Depth-first search for a won game, the opponent helping (document [S1], `explore`, row A-36).

    explore(s) = the first move after which the game is won, or explore finds a way to win it

It is right about where a game *can* go, and says nothing about where it will: at the opponent's
turn, too, it takes the move that suits `player`. For the move that wins whatever the opponent does,
see `damier.search.andor`.
"""

from __future__ import annotations

from collections.abc import Iterator

from damier.core.analysis import require
from damier.core.game import Game
from damier.core.rules import State
from damier.search.bfs import NEEDS, NODES, Order, Path, ordered, require_nodes, won


def dfs(
    game: Game, s: State, player: int, *, order: Order = "last", revisit: bool = False, nodes: int = NODES
) -> Path:
    """The first line, depth-first, to a game won by `player`.

    The report tries the largest move first, and keeps no list of what it has seen.

    `revisit` expands a position as often as it is come to: the line is the same. Where positions
    come back it then need not end before `nodes` are expanded. Raises Unsuitable, LimitReached.
    """
    require(game, "dfs", *NEEDS)
    if game.over(s):
        return Path(player, won(game, s, player), (), 0, 1)
    seen, expanded = {s}, 1
    line: list[int] = []
    # of the positions along the line
    untried: list[tuple[State, Iterator[int]]] = [(s, iter(ordered(game, s, order)))]
    while untried:
        here, moves = untried[-1]
        move = next(moves, 0)
        if not move:
            untried.pop()
            del line[-1:]
            continue
        child = game.play(here, move)
        is_new = child not in seen
        seen.add(child)
        if won(game, child, player):
            return Path(player, True, (*line, move), expanded, len(seen))
        if (is_new or revisit) and not game.over(child):
            require_nodes("dfs", expanded, len(seen), nodes)
            expanded += 1
            line.append(move)
            untried.append((child, iter(ordered(game, child, order))))
    return Path(player, False, (), expanded, len(seen))
