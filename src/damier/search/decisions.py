"""The searches of document [S1] as decisions of the player to move: what they would play, what they
believe, and what that cost (rows A-36 to A-38).

`dfs` and `bfs` believe in the line that they found, on which the opponent helps: their +1 says no
more than that the game *can* be won. What `andor` says is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from damier.core.analysis import Analysis
from damier.core.game import Game
from damier.core.rules import State
from damier.search.andor import andor
from damier.search.bfs import NODES, Order, Path, ordered

Optimist = Callable[..., Path]


def optimistic(
    search: Optimist,
    game: Game,
    s: State,
    *,
    order: Order = "last",
    revisit: bool = False,
    nodes: int = NODES,
) -> Analysis:
    """What `dfs` or `bfs` would play at `s`: the first move of its line, or the move that it tries
    first where no line is won.

    Only the move of the line has a value. Raises Unsuitable, LimitReached.
    """
    begun = time.perf_counter()
    found = search(game, s, game.mover(s), order=order, revisit=revisit, nodes=nodes)
    values, line = ({found.move: 1}, found.line) if found.move else ({}, ())
    best = found.move or next(iter(ordered(game, s, order)), 0)
    seconds = time.perf_counter() - begun
    return Analysis(
        game,
        s,
        search.__name__,
        int(found.found),
        {**values},
        best,
        found.expanded,
        found.visited,
        len(line),
        False,
        False,
        False,
        seconds,
        line,
    )


def and_or(
    game: Game, s: State, *, order: Order = "last", nodes: int = NODES, explain: bool = True
) -> Analysis:
    """What `andor` would play at `s`: all moves that keep the exact value or, unless it is to
    `explain`, the first winning one that it meets.

    `nodes` bounds each search: for a forced win of the mover, and for one of its opponent after
    each move. Raises Unsuitable, LimitReached.
    """
    begun = time.perf_counter()
    mover = game.mover(s)
    ours = andor(game, s, mover, order=order, nodes=nodes)
    if ours.forced and ours.move and not explain:
        values = {ours.move: 1}
    else:
        values = {move: _exact_value(game, game.play(s, move), mover, order, nodes) for move in game.legal(s)}
    value = max(values.values(), default=_exact_value(game, s, mover, order, nodes))
    best = game.gathered(move for move, found in values.items() if found == value)
    seconds = time.perf_counter() - begun
    return Analysis(
        game,
        s,
        "andor",
        value,
        {**values},
        best,
        ours.expanded,
        ours.visited,
        len(ours.line),
        True,
        False,
        False,
        seconds,
        ours.line,
    )


def _exact_value(game: Game, s: State, player: int, order: Order, nodes: int) -> int:
    """The exact value of `s` to a player: 1, 0 or -1."""
    if andor(game, s, player, order=order, nodes=nodes).forced:
        return 1
    return -1 if andor(game, s, 1 - player, order=order, nodes=nodes).forced else 0
