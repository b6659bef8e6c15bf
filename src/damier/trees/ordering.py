"""The order of moves: the same tree with its moves sorted from the worst to the best, or anything
between (document [S2], row A-60).

D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975)
[KnuthMoore75]: where every node has b moves and every line m, any search must read  b^⌈m/2⌉ +
b^⌊m/2⌋ − 1  leaves to know what the root is worth, and alpha-beta with the best moves first reads
no more.
"""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.bits import random_unit, reseed
from damier.core.rules import CHANCE
from damier.core.scene import Place, is_end, unfolded
from damier.core.tree import Move, Node, Number, Tree
from damier.trees.explicit import number_at

SHUFFLED = 1
"""The seed of the disorder: always the same, so that a picture can be shown again."""


def place_values(tree: Tree, places: Sequence[Place], plies: int | None) -> list[Number]:
    """What every place of a tree is worth to player 0 where nothing is cut.

    Raises BadInput where a number is missing.
    """
    found: list[Number | None] = [None] * len(places)
    for number in reversed(range(len(places))):  # what is below a place stands after it
        place = places[number]
        if is_end(tree, place, plies):
            end = number_at(tree, place.node, "minimax")
            assert not isinstance(end, tuple)
            found[number] = end
        value, above = found[number], place.above
        assert value is not None
        if above >= 0:
            choose = max if tree.mover(places[above].node, places[above].ply) == 0 else min
            known = found[above]
            found[above] = value if known is None else choose(known, value)
    return [value for value in found if value is not None]


def ordered(tree: Tree, plies: int | None, order: float, most: int) -> Tree:
    """The tree with its moves in another order: -1 worst first, 0 shuffled, 1 best first, and what
    is between.

    A node that two moves lead to becomes two, since each mover has its own order. Raises
    LimitReached beyond `most` nodes.
    """
    places = unfolded(tree, plies, most)
    values = place_values(tree, places, plies)
    below: list[list[int]] = [[] for _place in places]
    for number, place in enumerate(places[1:], 1):
        below[place.above].append(number)
    rng = [0]
    reseed(rng, SHUFFLED, 0)
    nodes = []
    for place, children in zip(places, below, strict=True):
        node, mover = tree.nodes[place.node], tree.mover(place.node, place.ply)
        if mover != CHANCE:
            children = rearranged(
                children, [values[child] if mover == 0 else -values[child] for child in children], order, rng
            )
        moves = tuple(
            Move(node.moves[places[child].move].name, child, node.moves[places[child].move].probability)
            for child in children
        )
        nodes.append(Node(node.name, mover, moves, node.value, node.evaluation))
    return Tree(tuple(nodes), 0, tree.players)


def rearranged(children: Sequence[int], values: Sequence[Number], order: float, rng: list[int]) -> list[int]:
    """Moves by what they are worth to their mover, as far as `order` says, and by chance for the
    rest.
    """
    steps = sorted(set(values))
    good = [steps.index(value) / max(1, len(steps) - 1) for value in values]
    keys = [order * each + (1 - abs(order)) * random_unit(rng) for each in good]
    return [child for _key, child in sorted(zip(keys, children, strict=True), key=lambda pair: -pair[0])]


def regular(tree: Tree, places: Sequence[Place], plies: int | None) -> tuple[int, int] | None:
    """Moves at every node and plies of every line, where they are the same everywhere and two sides
    move in turn.
    """
    ends = {place.ply for place in places if is_end(tree, place, plies)}
    inner = [place for place in places if not is_end(tree, place, plies)]
    moves = {len(tree.nodes[place.node].moves) for place in inner}
    in_turn = {place.ply % 2 == (tree.mover(place.node, place.ply) == 0) for place in inner}
    if (
        len(ends) != 1
        or len(moves) != 1
        or len(in_turn) > 1
        or any(tree.mover(place.node, place.ply) == CHANCE for place in inner)
    ):
        return None
    return moves.pop(), ends.pop()


def least_leaves(branching: int, plies: int) -> int:
    """How many leaves must be read in any order.

    >>> least_leaves(3, 2), least_leaves(3, 4)
    (5, 17)
    """
    return int(branching ** -(-plies // 2) + branching ** (plies // 2) - 1)
