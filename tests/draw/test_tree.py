"""Pictures of trees: nothing overlaps, what was cut is marked, what is too large is refused."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from damier.core.errors import LimitReached
from damier.core.tree import TERMINAL, Mark, Move, Node, Scene, Tree, unfolded
from damier.draw.tree import legend, node_boxes, tree_block, tree_lines, tree_svg


def full(branching: int, plies: int) -> Tree:
    """A tree in which everybody has as many moves."""
    inner = sum(branching**ply for ply in range(plies))
    nodes = []
    for number in range(inner + branching**plies):
        moves = (
            tuple(Move(f"m{i}", branching * number + 1 + i, 1 / branching) for i in range(branching))
            if number < inner
            else ()
        )
        nodes.append(
            Node(f"node {number}", 0 if moves else TERMINAL, moves, None if moves else (number,), None)
        )
    return Tree(tuple(nodes), 0, 2)


def scene(tree: Tree, *cut: int) -> Scene:
    places = unfolded(tree, None, 5000)
    roles = tuple("max" if tree.nodes[place.node].moves else None for place in places)
    marks = tuple(
        Mark("cut") if number in cut else Mark("done", tree.nodes[place.node].value or 12)
        for number, place in enumerate(places)
    )
    return Scene(tree, places, roles, (0,) * len(places), marks, frozenset({1}))  # type: ignore[arg-type]


@pytest.mark.parametrize(("branching", "plies"), [(1, 12), (2, 5), (3, 4), (25, 1), (4, 4)])
def test_nodes_do_not_overlap(branching: int, plies: int) -> None:
    drawn = scene(full(branching, plies))
    root = ElementTree.fromstring(f"<g>{tree_block(drawn, drawn).body}</g>")
    corners = [
        tuple(map(float, group.get("transform", "")[10:-1].split())) for group in root if group.tag == "g"
    ]
    boxes = node_boxes(drawn)
    assert len(corners) == len(boxes) == len(drawn.places)
    rows: dict[float, list[tuple[float, float]]] = {}
    for (x, y), box in zip(corners, boxes, strict=True):
        rows.setdefault(y, []).append((x, x + box.width))
    assert len(rows) == plies + 1
    for row in map(sorted, rows.values()):
        assert all(left[1] <= right[0] for left, right in pairwise(row))


def test_what_was_cut_is_crossed_out() -> None:
    svg = tree_svg(scene(full(3, 1), 2, 3), "a title <&>", "first line\nsecond line")
    texts = [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert svg.count('class="d-line-bad"') == 2
    assert {"first\u00a0line", "second\u00a0line"} <= set(texts)
    assert "(not looked at)" in svg  # in words too


def test_too_large() -> None:
    with pytest.raises(LimitReached, match="the picture would be"):
        tree_svg(scene(full(1500, 1)), "wide")


def test_lines() -> None:
    drawn = scene(full(2, 1), 2)
    assert tree_lines(drawn) == [
        " ▲ node 0 = 12",
        " ┣━━ m0 → node 1 = (1)",
        " └╌✕ m1 → node 2 (not looked at)",
    ]
    assert legend(drawn) == "▲ MAX   thick: the best move   ✕: cut"
    assert len(tree_lines(drawn, lambda place: False)) == 1
