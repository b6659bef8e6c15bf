"""Explicit trees: alpha-beta told step by step."""

from __future__ import annotations

from benchmarks.measure import Bar, Bench, Row, Sample, agree, cpu, race
from damier.core.tree import TERMINAL, Move, Node, Tree
from damier.trees.explicit import TreeAnalysis, search

BRANCHING, DEPTH = 10, 5
NODES = sum(BRANCHING**ply for ply in range(DEPTH + 1))  # 111,111


def grown(branching: int, depth: int) -> Tree:
    """A uniform tree in which every move is better than those before it for whoever makes it, so
    that nothing is cut.
    """
    nodes: list[Node] = []
    lines: list[tuple[int, ...]] = [()]
    for line in lines:  # grows while it is read
        ply, name = len(line), ",".join(map(str, line)) or "root"
        if ply == depth:
            worth = sum(
                digit * (1 if place % 2 == 0 else -1) * branching ** (depth - place)
                for place, digit in enumerate(line)
            )
            nodes.append(Node(name, TERMINAL, (), (worth, -worth), None))
        else:
            first = len(lines)
            nodes.append(
                Node(
                    name,
                    ply % 2,
                    tuple(Move(str(move), first + move, 1.0) for move in range(branching)),
                    None,
                    None,
                )
            )
            lines += [(*line, move) for move in range(branching)]
    return Tree(tuple(nodes), 0, 2)


def searched(tree: Tree, *, trace: bool) -> Sample:
    """CPU seconds of one search."""
    return cpu(lambda: search(tree, "alphabeta", trace=trace))


def checked(name: str, found: TreeAnalysis) -> None:
    """Nothing was cut, and every node is told of: entered or read, and returned from or taken into
    account.
    """
    agree(name, (found.nodes, found.cuts), (NODES, []))
    agree(name, sum(step.kind in ("enter", "leaf") for step in found.steps), NODES)


def traced(name: str) -> Row:
    """CPU seconds of alpha-beta with every step noted, on an explicit tree of 111,111 nodes in its
    worst order, against the same search without.
    """
    tree = grown(BRANCHING, DEPTH)
    checked(name, search(tree, "alphabeta", trace=True))
    return race(
        name, "s", "without the steps", searched(tree, trace=True), searched(tree, trace=False), less=True
    )


BENCHES = (Bench("tree-trace", traced, Bar(1.0, "ours", most=True)),)
