"""Random trees with as many moves at every node and as many plies on every line: those that the
figures for alpha-beta are about.
"""

from __future__ import annotations

from damier.core.bits import random_below, reseed
from damier.core.tree import TERMINAL, Move, Node, Tree
from damier.trees.tree_text import inner_names, move_names


def uniform_tree(branching: int, plies: int, largest: int, seed: int) -> Tree:
    """MAX and MIN in turn, leaves from 1 to `largest`: the same seed gives the same tree."""
    rng = [0]
    reseed(rng, seed, 0)
    moves = [name for name, _number in zip(move_names(), range(branching), strict=False)]
    names = inner_names()
    nodes: list[Node] = []
    width, first = 1, 1
    for ply in range(plies):
        for _node in range(width):
            below = tuple(Move(name, first + number, 1 / branching) for number, name in enumerate(moves))
            nodes.append(Node(next(names), ply % 2, below, None, None))
            first += branching
        width *= branching
    above = [
        f"{node.name},{move.name}" for node in nodes[len(nodes) - width // branching :] for move in node.moves
    ]
    for name in above:
        value = 1 + random_below(rng, largest)
        nodes.append(Node(name, TERMINAL, (), (value, -value), None))
    return Tree(tuple(nodes), 0, 2)
