"""Breadth-first search for a won game, with a list of the positions seen (document [S1], row A-37).

It finds a shortest line to a game won by `player`, ply by ply. Its opponent helps, as in
`damier.search.dfs`: seeing every reply of a ply is not yet to reckon with the worst one. The list
is what makes it possible at all: without, a position is expanded once for every line to it.
"""

from __future__ import annotations

from collections import deque

from damier.core.game import Game
from damier.core.requirements import require
from damier.core.rules import State
from damier.search.path import NEEDS, NODES, Order, Path, ordered, require_nodes, won


def bfs(
    game: Game, s: State, player: int, *, order: Order = "last", revisit: bool = False, nodes: int = NODES
) -> Path:
    """A shortest line to a game won by `player`; of several, the one whose moves are tried first.

    `revisit` does without the list of positions seen: the line is the same. Raises Unsuitable,
    LimitReached.
    """
    require(game, "bfs", *NEEDS)
    if game.over(s):
        return Path(player, won(game, s, player), (), 0, 1)
    seen, came = {s}, [(s, -1, 0)]  # every position met, which one it was met from, by which move
    waiting, expanded = deque([0]), 0
    while waiting:
        number = waiting.popleft()
        here = came[number][0]
        require_nodes("bfs", expanded, len(seen), nodes)
        expanded += 1
        for move in ordered(game, here, order):
            child = game.play(here, move)
            if child in seen and not revisit:
                continue
            seen.add(child)
            came.append((child, number, move))
            if won(game, child, player):
                return Path(player, True, _line(came), expanded, len(seen))
            if not game.over(child):
                waiting.append(len(came) - 1)
    return Path(player, False, (), expanded, len(seen))


def _line(came: list[tuple[State, int, int]]) -> tuple[int, ...]:
    """The moves to the position that was met last."""
    line, number = [], len(came) - 1
    while number:
        _s, number, move = came[number]
        line.append(move)
    return tuple(reversed(line))
