"""The searches of document S1 by name: `dfs`, `bfs:revisit=true`, `andor:order=first`.

They decide always alike, and can be graded.
"""

from __future__ import annotations

from damier.core.analysis import Analysis, require
from damier.core.option_text import written
from damier.core.past import Before
from damier.core.player import Ties
from damier.core.rules import State
from damier.lab.lab import Lab
from damier.search.player import SearchPlayer, SearchPolicy
from damier.search.state_space import NEEDS, NODES, Optimist, Order, and_or, optimistic
from damier.search.state_space import bfs as search_bfs
from damier.search.state_space import dfs as search_dfs


def dfs(lab: Lab, order: Order = "last", revisit: bool = False, nodes: int = NODES) -> SearchPlayer:
    return _optimist(lab, search_dfs, order, revisit, nodes)


def bfs(lab: Lab, order: Order = "last", revisit: bool = False, nodes: int = NODES) -> SearchPlayer:
    return _optimist(lab, search_bfs, order, revisit, nodes)


def andor(lab: Lab, order: Order = "last", nodes: int = NODES, ties: Ties = "random") -> SearchPlayer:
    require(lab.game, "andor", *NEEDS)

    def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
        return and_or(lab.game, s, order=order, nodes=nodes, explain=explain)

    return SearchPolicy(lab.game, written("andor", _chosen(order, {"ties": ties})), decide, ties)


def _optimist(lab: Lab, search: Optimist, order: Order, revisit: bool, nodes: int) -> SearchPlayer:
    require(lab.game, search.__name__, *NEEDS)

    def decide(s: State, before: Before, seed: int, explain: bool) -> Analysis:
        return optimistic(search, lab.game, s, order=order, revisit=revisit, nodes=nodes)

    return SearchPolicy(
        lab.game,
        written(search.__name__, _chosen(order, {"revisit": True} if revisit else {})),
        decide,
        "first",
    )


def _chosen(order: Order, others: dict[str, object]) -> dict[str, object]:
    """The options to be written: the order where it is not the usual one."""
    return ({} if order == "last" else {"order": order}) | others
