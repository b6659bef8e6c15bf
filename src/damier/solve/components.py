"""Strongly connected components (R. Tarjan, "Depth-first search and linear graph algorithms", 1972
[Tarjan72]): which positions can come back to one another, as an engine over the arrays of a graph.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import Ints


class ComponentScratch(NamedTuple):
    """What the search remembers of every position.

    at     the next move of a position on the path; seen: in which order it was met, 0 if it was not
    low    the earliest position that it can come back to, by that order
    path   the positions from the root to here; open_: those met whose component is not complete
    """

    at: Ints
    seen: Ints
    low: Ints
    path: Ints
    open_: Ints


def strongly_connected(
    first: Ints,
    child: Ints,
    kept: Ints,
    order: Ints,
    component: Ints,
    at: Ints,
    seen: Ints,
    low: Ints,
    path: Ints,
    open_: Ints,
) -> int:
    """Numbers the components from 1 on, each after those that it leads to; returns how many there are.

    Only moves e with kept[e] count. order: the positions, component after component; component: the
    number of each. The rest is scratch (`ComponentScratch`).
    """
    written, met, found = 0, 0, 0
    for root in range(len(component)):
        seen[root] = 0
        component[root] = 0
    for root in range(len(component)):
        if seen[root]:
            continue
        met += 1
        seen[root], low[root], at[root], path[0], open_[0] = met, met, first[root], root, root
        depth, waiting = 1, 1
        while depth > 0:
            here = path[depth - 1]
            if at[here] < first[here + 1]:
                edge = at[here]
                at[here] += 1
                following = child[edge]
                if not kept[edge]:
                    continue
                if not seen[following]:
                    met += 1
                    seen[following], low[following], at[following] = met, met, first[following]
                    path[depth], open_[waiting] = following, following
                    depth, waiting = depth + 1, waiting + 1
                elif not component[following]:
                    low[here] = min(low[here], seen[following])
            else:
                depth -= 1
                if depth > 0:
                    low[path[depth - 1]] = min(low[path[depth - 1]], low[here])
                if low[here] == seen[here]:
                    found += 1
                    member = -1
                    while member != here:
                        waiting -= 1
                        member = open_[waiting]
                        component[member] = found
                        order[written] = member
                        written += 1
    return found
