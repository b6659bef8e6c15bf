"""Where the nodes of a tree stand: parents over the middle of their children, subtrees as close as
they go, equal subtrees drawn alike (after E. M. Reingold and J. S. Tilford, "Tidier drawings of
trees", IEEE Transactions on Software Engineering 7 (1981) [ReingoldTilford81]).

Each subtree has a contour: how far it reaches to the left and to the right on every row, seen from
its root. Siblings are packed to the left and then to the right, and stand half-way between: both
packings keep them apart, so half-way does too. Nothing calls itself, and the work grows as the tree
does: only the shallower of two contours is ever walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


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
    root: int = 0,
    gap: float = 12,
    drop: float = 40,
) -> list[NodePlace]:
    """A place for every node of a tree; the leftmost edge is at 0, the root at the top.

    children  the numbers of the children of each node, from left to right; no node is the child of
              two
    gap       between neighbours on a row; drop: between rows, each as high as its highest node
    """
    order, depths = _top_down(children, root)
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
    tops = [0.0]
    for height in heights[:-1]:
        tops.append(tops[-1] + height + drop)
    return tops


def _top_down(children: Sequence[Sequence[int]], root: int) -> tuple[list[int], list[int]]:
    """The nodes, parents first, and how deep each is."""
    order, depths = [root], [0] * len(children)
    for node in order:
        for child in children[node]:
            depths[child] = depths[node] + 1
            order.append(child)
    return order, depths


def _spread(below: Sequence[Contour], gap: float) -> list[float]:
    """Where siblings stand, seen from the middle between the first and the last."""
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
