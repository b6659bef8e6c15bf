"""Layout of trees and graphs. In a tree parents stand over the middle of their children, subtrees as close
as they go, equal subtrees drawn alike (after E. M. Reingold and J. S. Tilford, "Tidier drawings of
trees", IEEE Transactions on Software Engineering 7 (1981) [ReingoldTilford81]).

Each subtree has a contour: how far it reaches to the left and to the right on every row, seen from
its root. Siblings are packed to the left and then to the right, and stand half-way between: both
packings keep them apart, so half-way does too. Nothing calls itself, and the work grows as the tree
does: only the shallower of two contours is ever walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias


class NodeSize(NamedTuple):
    width: float
    height: float


class NodePlace(NamedTuple):
    """The middle of the upper edge of a node."""

    x: float
    y: float


class Contour:
    """The edges of a subtree, deepest row first, each as a distance from its root once `shift` is
    added.
    """

    def __init__(self) -> None:
        self.lefts: list[float] = []
        self.rights: list[float] = []
        self.shift = 0.0

    @property
    def rows(self) -> int:
        return len(self.lefts)

    def left(self, row: int) -> float:
        """The left edge on a row counted from the root of the subtree."""
        return self.lefts[-1 - row] + self.shift

    def right(self, row: int) -> float:
        return self.rights[-1 - row] + self.shift


def tidy(
    children: Sequence[Sequence[int]],
    sizes: Sequence[NodeSize],
    *,
    gap: float = 12,
    drop: float = 40,
) -> list[NodePlace]:
    """A place for every node of a tree; the leftmost edge is at 0, the root, node 0, at the top.

    Args:
        children: the numbers of the children of each node, from left to right; no node is the child of two
        gap: between neighbours on a row
        drop: between rows, each as high as its highest node
    """
    order, depths = _top_down(children)
    offsets = [0.0] * len(children)  # from the parent
    contours: dict[int, Contour] = {}
    for node in reversed(order):
        below = [contours.pop(child) for child in children[node]]
        for child, x in zip(children[node], _spread(below, gap), strict=True):
            offsets[child] = x
        contours[node] = _joined(below, [offsets[child] for child in children[node]], sizes[node].width)
    xs = [0.0] * len(children)
    for node in order:
        for child in children[node]:
            xs[child] = xs[node] + offsets[child]
    tops = row_tops(depths, sizes, drop)
    leftmost = min(xs[node] - sizes[node].width / 2 for node in order)
    return [NodePlace(x - leftmost, tops[depth]) for x, depth in zip(xs, depths, strict=True)]


def row_tops(rows: Sequence[int], sizes: Sequence[NodeSize], drop: float) -> list[float]:
    """The upper edge of each row; `rows` says on which every node stands."""
    heights = [0.0] * (max(rows) + 1)
    for row, size in zip(rows, sizes, strict=True):
        heights[row] = max(heights[row], size.height)
    return list(accumulate(heights[:-1], lambda top, height: top + height + drop, initial=0.0))


def _top_down(children: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """The nodes, parents first, and how deep each is."""
    order, depths = [0], [0] * len(children)
    for node in order:
        for child in children[node]:
            depths[child] = depths[node] + 1
            order.append(child)
    return order, depths


def _spread(below: Sequence[Contour], gap: float) -> list[float]:
    """Return where siblings stand, seen from the middle between the first and the last."""
    if not below:
        return []
    to_the_left = _packed(below, gap, mirrored=False)
    to_the_right = [-x for x in reversed(_packed(below[::-1], gap, mirrored=True))]
    end = to_the_left[-1]
    return [(x + y + end) / 2 - end / 2 for x, y in zip(to_the_left, to_the_right, strict=True)]


def _packed(below: Sequence[Contour], gap: float, *, mirrored: bool) -> list[float]:
    """Siblings as far to the left as they go, the first at 0; `mirrored` sees every contour from
    its other side.

    Of those before it, a sibling can only touch the ones that no later, deeper one hides: `open_`
    holds these, the deepest first.
    """
    places: list[float] = []
    open_: list[int] = []
    for number, contour in enumerate(below):
        x = 0.0
        while open_:
            other = below[open_[-1]]
            rows = range(min(contour.rows, other.rows))
            apart = max(
                (contour.right(r) - other.left(r)) if mirrored else (other.right(r) - contour.left(r))
                for r in rows
            )
            x = max(x, places[open_[-1]] + apart + gap)
            if other.rows > contour.rows:
                break
            open_.pop()
        open_.append(number)
        places.append(x)
    return places


def _joined(below: Sequence[Contour], offsets: Sequence[float], width: float) -> Contour:
    """The contour of a node over its children; that of the deepest child is used up."""
    if below:
        deepest = max(range(len(below)), key=lambda i: below[i].rows)
        joined = below[deepest]
        joined.shift += offsets[deepest]
        for i in range(deepest - 1, -1, -1):
            for row in range(below[i].rows):
                joined.lefts[-1 - row] = below[i].left(row) + offsets[i] - joined.shift
        for i in range(deepest + 1, len(below)):
            for row in range(below[i].rows):
                joined.rights[-1 - row] = below[i].right(row) + offsets[i] - joined.shift
    else:
        joined = Contour()
    joined.lefts.append(-width / 2 - joined.shift)
    joined.rights.append(width / 2 - joined.shift)
    return joined


# Where the nodes of a graph stand: on layers from the top down, edges through the gaps between
# nodes (after K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical
# system structures", IEEE Transactions on Systems, Man, and Cybernetics 11 (1981) [Sugiyama81]).
#
# An edge over several layers gets a *post* on each layer that it passes, and is then a chain of edges
# from one layer to the next. Every layer is sorted by the middle of its neighbours on the layer
# before, down and up again several times; then each node is put as near to that middle as the order
# and the width of its neighbours allow.

SWEEPS = 16
"""Number of times that layers are sorted, and then moved: more changes little on a few hundred nodes."""
POST = 6.0
"""Width of the gap that an edge passes through."""
LOOP = 8.0
"""Distance from the middle of a node at which an edge that leads up, or to the node itself, ends."""


Route: TypeAlias = "tuple[tuple[float, float], ...]"
"""The points of an edge from node to node, which it passes straight up or down.

One within a layer has two, at the feet of its nodes.
"""


def layers_of(children: Sequence[Sequence[int]]) -> list[int]:
    """A layer for every node: the longest way from the root, node 0, so that every edge leads down; the
    shortest where a way leads back.
    """
    shortest, order = [-1] * len(children), [0]
    shortest[0] = 0
    for node in order:
        for child in children[node]:
            if shortest[child] < 0:
                shortest[child] = shortest[node] + 1
                order.append(child)
    arriving = [0] * len(children)
    for node in order:
        for child in children[node]:
            arriving[child] += 1
    longest, ready = [0] * len(children), [0] if not arriving[0] else []
    for node in ready:
        for child in children[node]:
            longest[child] = max(longest[child], longest[node] + 1)
            arriving[child] -= 1
            if not arriving[child]:
                ready.append(child)
    return longest if len(ready) == len(order) else shortest


def layered(
    edges: Sequence[tuple[int, int]],
    layers: Sequence[int],
    sizes: Sequence[NodeSize],
    *,
    gap: float = 14,
    drop: float = 60,
) -> tuple[list[NodePlace], list[Route]]:
    """A place for every node, and a route for every edge, in the order in which they were given; the leftmost
    edge is at 0.

    Args:
        edges: pairs of nodes
        layers: on which layer every node stands
        gap: between neighbours on a layer
        drop: between layers, each as high as its highest node
    """
    rows: list[list[int]] = [[] for _layer in range(max(layers) + 1)]
    for node, layer in enumerate(layers):
        rows[layer].append(node)
    chains = _chains(edges, layers, rows)
    widths = [size.width for size in sizes] + [POST] * (sum(map(len, rows)) - len(sizes))
    above, below = _neighbours(chains, len(widths))
    _sort(rows, above, below)
    xs = _xs(rows, above, below, widths, gap)
    leftmost = min(x - width / 2 for x, width in zip(xs, widths, strict=True))
    tops = row_tops(layers, sizes, drop)
    feet = [
        top + max((sizes[node].height for node in row if node < len(sizes)), default=0.0)
        for top, row in zip(tops, rows, strict=True)
    ]
    layer_of = {node: layer for layer, row in enumerate(rows) for node in row}
    boxes = [(xs[node] - leftmost, tops[layer_of[node]], feet[layer_of[node]]) for node in range(len(widths))]
    boxes[: len(sizes)] = [
        (x, top, top + size.height) for (x, top, _foot), size in zip(boxes, sizes, strict=False)
    ]
    places = [NodePlace(x, top) for x, top, _foot in boxes[: len(sizes)]]
    return places, [_route(edge, chain, boxes) for edge, chain in zip(edges, chains, strict=True)]


def _chains(
    edges: Sequence[tuple[int, int]], layers: Sequence[int], rows: list[list[int]]
) -> list[list[int]]:
    """The nodes and posts that each edge passes, from the top down; posts are numbered after the nodes, and
    put on their layers.
    """
    chains, free = [], len(layers)
    for source, target in edges:
        upper, lower = (source, target) if layers[source] <= layers[target] else (target, source)
        passed = range(layers[upper] + 1, layers[lower])
        posts = range(free, free + len(passed))
        for layer, post in zip(passed, posts, strict=True):
            rows[layer].append(post)
        chains.append([upper, *posts, lower])
        free += len(passed)
    return chains


def _neighbours(chains: Sequence[Sequence[int]], n: int) -> tuple[list[list[int]], list[list[int]]]:
    """The neighbours of every node and post on the layer above, and on the one below."""
    above: list[list[int]] = [[] for _node in range(n)]
    below: list[list[int]] = [[] for _node in range(n)]
    for chain in chains:
        for upper, lower in pairwise(chain):
            if upper != lower:
                above[lower].append(upper)
                below[upper].append(lower)
    return above, below


def _sort(rows: list[list[int]], above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> None:
    """Sorts every layer by the middle of its neighbours on the layer before, down and up in turn."""
    place = {node: (i + 0.5) / len(row) for row in rows for i, node in enumerate(row)}

    def middle(node: int, neighbours: Sequence[Sequence[int]]) -> float:
        near = neighbours[node]
        return sum(place[other] for other in near) / len(near) if near else place[node]

    for sweep in range(SWEEPS):
        neighbours = below if sweep % 2 else above
        for row in reversed(rows) if sweep % 2 else rows:
            row.sort(key=lambda node: middle(node, neighbours))
            place |= {node: (i + 0.5) / len(row) for i, node in enumerate(row)}


def _xs(
    rows: Sequence[Sequence[int]],
    above: Sequence[Sequence[int]],
    below: Sequence[Sequence[int]],
    widths: Sequence[float],
    gap: float,
) -> list[float]:
    """Return where every node and post stands from left to right: as near as may be to the middle of its
    neighbours.
    """
    xs = [0.0] * len(widths)
    for row in rows:
        _put(row, [0.0] * len(row), xs, widths, gap)
    for sweep in range(SWEEPS):
        for row in reversed(rows) if sweep % 2 else rows:
            near = [[*above[node], *below[node]] for node in row]
            wanted = [
                sum(xs[other] for other in others) / len(others) if others else xs[node]
                for node, others in zip(row, near, strict=True)
            ]
            _put(row, wanted, xs, widths, gap)
    return xs


def _put(
    row: Sequence[int], wanted: Sequence[float], xs: list[float], widths: Sequence[float], gap: float
) -> None:
    """Puts the nodes of a layer, in their order and apart, where the squares of their distances
    from `wanted` add up to least.

    Nodes that would touch form a group, which stands where its nodes want it on average (pool
    adjacent violators).
    """
    apart = ((widths[left] + widths[right]) / 2 for left, right in pairwise(row))
    packed = list(accumulate(apart, lambda place, further: place + further + gap, initial=0.0))
    # where the first node of the row would stand for its nodes to be in place, and how many they are
    groups: list[tuple[float, int]] = []
    for want, offset in zip(wanted, packed, strict=False):
        place, size = want - offset, 1
        while groups and groups[-1][0] >= place:
            before, count = groups.pop()
            place, size = (before * count + place * size) / (count + size), count + size
        groups.append((place, size))
    settled = [place for place, size in groups for _node in range(size)]
    for node, place, offset in zip(row, settled, packed, strict=False):
        xs[node] = place + offset


def _route(edge: tuple[int, int], chain: Sequence[int], boxes: Sequence[tuple[float, float, float]]) -> Route:
    """The points of an edge from its source to its target: feet and heads of what it passes."""
    source, target = edge
    if boxes[source][1] == boxes[target][1]:
        aside = LOOP if source == target else 0.0
        return ((boxes[source][0] - aside, boxes[source][2]), (boxes[target][0] + aside, boxes[target][2]))
    passed = [point for node in chain for x, top, foot in [boxes[node]] for point in ((x, top), (x, foot))][
        1:-1
    ]
    points = [point for point, before in zip(passed, [None, *passed], strict=False) if point != before]
    if chain[0] == source:
        return tuple(points)
    (x, y), *between, (to_x, to_y) = reversed(points)
    # beside the edge that leads down, where there is one
    return ((x + LOOP, y), *between, (to_x + LOOP, to_y))
