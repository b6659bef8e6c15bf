"""What the nodes of a tree are worth where nothing is cut: an end, a mean, the moves of the root
(row A-60).
"""

from __future__ import annotations

from math import fsum

from damier.core.errors import BadInput
from damier.core.tree import TERMINAL, Number, Tree, Value, to_player
from damier.core.words import message


def number_at(tree: Tree, number: int, algorithm: str) -> Value:
    """What a node is worth where the search stops: its value, or its evaluation.

    Raises BadInput if it has neither.
    """
    node = tree.nodes[number]
    found = node.value if node.player == TERMINAL and node.value is not None else node.evaluation
    if found is None:
        raise BadInput(
            message("node {name} has no value and no evaluation, and the search stops there", name=node.name)
        )
    if algorithm != "maxn":
        return found[0]
    if len(found) != tree.players:
        raise BadInput(
            message(
                "node {name} has one number for {n} players; maxn needs one for each",
                name=node.name,
                n=tree.players,
            )
        )
    return found


def mean(values: list[Value], weights: list[float]) -> Value:
    """The weighted sum of values, player by player; where they weigh the same, a sum that is
    divided once.
    """
    numbers = [value if isinstance(value, tuple) else (value,) for value in values]
    if len(set(weights)) == 1:
        sums = tuple(fsum(column) / len(values) for column in zip(*numbers, strict=True))
    else:
        sums = tuple(
            fsum(weight * number for weight, number in zip(weights, column, strict=True))
            for column in zip(*numbers, strict=True)
        )
    return sums if isinstance(values[0], tuple) else sums[0]


def true_values(tree: Tree, plies: int | None) -> list[Value]:
    """The minimax value of every move of the root, every node at every distance from the limit
    looked at once; counted nowhere.
    """
    known: dict[tuple[int, int], Number] = {}
    todo = [(move.child, 1) for move in tree.nodes[tree.root].moves]
    while todo:
        number, ply = todo[-1]
        if (number, at(tree, ply, plies)) in known:
            todo.pop()
            continue
        if tree.nodes[number].player == TERMINAL or ply == plies:
            known[number, at(tree, ply, plies)] = to_player(number_at(tree, number, "minimax"), 0)
        else:
            children = [(move.child, ply + 1) for move in tree.nodes[number].moves]
            missing = [child for child in children if (child[0], at(tree, child[1], plies)) not in known]
            if missing:
                todo += missing
                continue
            values = [known[child, at(tree, below, plies)] for child, below in children]
            best = max(values) if tree.mover(number, ply) == 0 else min(values)
            known[number, at(tree, ply, plies)] = best
        todo.pop()
    return [known[move.child, at(tree, 1, plies)] for move in tree.nodes[tree.root].moves]


def at(tree: Tree, ply: int, plies: int | None) -> int:
    """What the value of a node depends on beside the node: its ply where the search has a limit, or
    who moves follows from it.
    """
    return ply if plies is not None else ply % tree.players if tree.cycle else 0
