"""Trees and graphs of positions drawn: nodes apart, parents over their children, edges from node to
node, words of a hostile game as words.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import gallery
import pytest
from hypothesis import given, strategies as st
from lasting import shortly

from damier import Game, load
from damier.core.job import Job, Notes
from damier.draw.graph import Diagram, graph_dot, graph_svg
from damier.draw.layout import LOOP, POST, NodeSize, layered, layers_of, tidy
from damier.lab.graphs import DiagramPlan, diagram, shape
from tests.draw.samples import HOSTILE, hostile_game
from tests.draw.test_svg import SVG, assert_inside, parsed

GAP = 12.0
TINY = 1e-6
KINDS = ["complete", "truncated", "merged"]


@st.composite
def trees(draw: Any) -> tuple[list[list[int]], list[NodeSize]]:
    """A random tree, its nodes numbered parents first, and a size for each."""
    parents = [draw(st.integers(0, max(0, node - 1))) for node in range(draw(st.integers(1, 60)))]
    children: list[list[int]] = [[] for _node in parents]
    for node, parent in enumerate(parents):
        if node:
            children[parent].append(node)
    return children, [NodeSize(draw(st.integers(1, 90)), draw(st.integers(1, 40))) for _node in parents]


def made(game: Game, kind: Any, plies: int | None = None, *, symmetric: bool = False) -> Diagram:
    return diagram(DiagramPlan(game, game.start, kind, plies, symmetric), Job())


@given(trees())
def test_a_tree_stands_apart_and_in_order(tree: tuple[list[list[int]], list[NodeSize]]) -> None:
    children, sizes = tree
    places = tidy(children, sizes, gap=GAP, drop=10)
    rows: dict[float, list[int]] = {0.0: [0]}
    row = [0]
    while row:
        rows[places[row[0]].y] = row
        assert len({places[node].y for node in row}) == 1
        for left, right in pairwise(row):
            assert (
                places[right].x - places[left].x >= (sizes[left].width + sizes[right].width) / 2 + GAP - TINY
            )
        row = [child for node in row for child in children[node]]
    for (top, upper), (below, _lower) in pairwise(rows.items()):
        assert below == top + max(sizes[node].height for node in upper) + 10
    assert min(place.x - size.width / 2 for place, size in zip(places, sizes, strict=True)) == pytest.approx(
        0
    )


@given(trees())
def test_parents_stand_over_the_middle_and_mirrored_trees_are_drawn_mirrored(
    tree: tuple[list[list[int]], list[NodeSize]],
) -> None:
    children, sizes = tree
    places, mirrored = tidy(children, sizes), tidy([below[::-1] for below in children], sizes)
    width = max(place.x + size.width / 2 for place, size in zip(places, sizes, strict=True))
    for node, below in enumerate(children):
        if below:
            assert places[node].x == pytest.approx((places[below[0]].x + places[below[-1]].x) / 2)
        assert mirrored[node].x == pytest.approx(width - places[node].x)


@pytest.mark.parametrize("n", shortly([5_000, 50_000], 5_000))
def test_deep_and_broad_trees(n: int) -> None:
    size = [NodeSize(10, 10)] * n
    assert tidy([[node + 1] for node in range(n - 1)] + [[]], size)[-1].x == 5
    comb = [[node + 1, node + 2] if node % 2 == 0 and node + 2 < n else [] for node in range(n)]
    assert len(tidy(comb, size)) == n
    assert tidy([list(range(1, n)), *([[]] * (n - 1))], size, gap=2)[-1].x == pytest.approx(12 * (n - 2) + 5)


@given(trees(), st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=40))
def test_a_graph_stands_apart_and_its_edges_pass_between(
    tree: tuple[list[list[int]], list[NodeSize]], more: list[tuple[int, int]]
) -> None:
    children, sizes = tree
    n = len(sizes)
    edges = list(
        dict.fromkeys(
            [(node, child) for node, below in enumerate(children) for child in below]
            + [(a % n, b % n) for a, b in more]
        )
    )
    layers = layers_of([[b for a, b in edges if a == node] for node in range(n)])
    places, routes = layered(edges, layers, sizes, gap=GAP)
    for layer in set(layers):
        row = sorted((places[node].x, sizes[node].width) for node in range(n) if layers[node] == layer)
        for (x, width), (to_x, to_width) in pairwise(row):
            assert to_x - x >= (width + to_width) / 2 + GAP - TINY
    for (source, target), route in zip(edges, routes, strict=True):
        assert abs(route[0][0] - places[source].x) <= LOOP + TINY
        assert abs(route[-1][0] - places[target].x) <= LOOP + TINY
        passed = [
            layer
            for layer in set(layers)
            if min(layers[source], layers[target]) < layer < max(layers[source], layers[target])
        ]
        for node in range(n):
            if layers[node] in passed:
                near = [
                    abs(x - places[node].x)
                    for x, y in route
                    if places[node].y <= y < places[node].y + max(sizes[node].height, TINY)
                ]
                assert all(distance >= (sizes[node].width + POST) / 2 + GAP - TINY for distance in near)


def test_edges_lead_down_unless_a_way_leads_back() -> None:
    assert layers_of([[1, 2], [2], [3], []]) == [0, 1, 2, 3]
    assert layers_of([[1, 2], [2], [0]]) == [0, 1, 1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "text", ["nim:matches=5", "nim:heaps=1-2", "hexapawn:width=2", "mnk:width=2,height=2,in_a_row=2"]
)
def test_a_picture_shows_every_node_every_move_and_every_value(text: str, kind: Any) -> None:
    drawn = made(load(text), kind)
    root = parsed(graph_svg(drawn))
    assert_inside(root)
    names = [title.text or "" for group in root.iter(SVG + "g") for title in group.findall(SVG + "title")]
    assert len(names) == len(drawn.vertices)
    texts = [(text_.text or "").replace("\u00a0", " ") for text_ in root.iter(SVG + "text")]
    signs = [vertex.value for vertex in drawn.vertices if not vertex.repeated]
    assert [
        texts.count(sign) >= signs.count(value)
        for sign, value in (("+1", "win"), ("−1", "loss"), ("0", "draw"))
    ] == [True] * 3
    for vertex in drawn.vertices:
        for edge in vertex.edges:
            assert " ".join(edge.moves) in texts
    assert texts.count("…") == sum(vertex.repeated for vertex in drawn.vertices)
    assert len(
        [
            path
            for path in root.iter(SVG + "path")
            if (path.get("class") or "").startswith("d-line") and "C" in (path.get("d") or "")
        ]
    ) == sum(len(vertex.edges) for vertex in drawn.vertices)


@pytest.mark.parametrize("kind", KINDS)
def test_one_node_is_a_picture(kind: Any) -> None:
    game = load("nim:matches=1")
    over = game.position().play("1").state
    drawn = diagram(DiagramPlan(game, over, kind), Job())
    assert len(drawn.vertices) == 1
    assert_inside(parsed(graph_svg(drawn)))


def test_thick_edges_keep_the_value() -> None:
    drawn = made(load("nim:matches=4"), "complete")
    best = [
        edge.moves
        for vertex in drawn.vertices[:1]
        for edge in vertex.edges
        if drawn.vertices[edge.child].value == vertex.value
    ]
    assert best == [("3",)]
    widths = re.findall(r'class="d-line-\w+" d="[^"]*" stroke-width="([\d.]+)"', graph_svg(drawn))
    keeping = sum(
        drawn.vertices[edge.child].value == vertex.value for vertex in drawn.vertices for edge in vertex.edges
    )
    assert widths.count("2.4") == keeping


def test_values_are_those_of_the_first_player() -> None:
    drawn = made(load("nim:matches=4"), "merged")
    worth = {
        (vertex.position.state.matches, vertex.position.mover): vertex.value for vertex in drawn.vertices
    }
    assert worth == {
        (matches, mover): "win" if (matches % 4 != 1) == (mover == 0) else "loss"
        for matches, mover in [(4, 0), (3, 1), (2, 1), (1, 1), (2, 0), (1, 0), (0, 0), (0, 1)]
    }


def test_symmetric_positions_are_drawn_once() -> None:
    drawn = made(load("tictactoe"), "complete", 2, symmetric=True)
    assert len(drawn.vertices) == 1 + 3 + 12
    assert [edge.moves for edge in drawn.vertices[0].edges] == [
        ("0", "2", "6", "8"),
        ("1", "3", "5", "7"),
        ("4",),
    ]
    assert sum(vertex.cut for vertex in drawn.vertices) == 12
    assert len(made(load("hexapawn"), "merged", symmetric=True).vertices) == 71


@pytest.mark.parametrize("plies", [1, 2, 3, 4, 5, None])
@pytest.mark.parametrize("text", ["nim:matches=9", "nim:heaps=1-2-3", "hexapawn", "mnk:width=3,height=2"])
def test_what_dots_stand_for_is_drawn_elsewhere(text: str, plies: int | None) -> None:
    """As deep as it would be here: in Nim a position may be met at the last ply before it is met
    higher up.
    """
    game = load(text)
    drawn = made(game, "truncated", plies)
    plies_of = {0: 0}
    for number, vertex in enumerate(drawn.vertices):
        plies_of |= {edge.child: plies_of[number] + 1 for edge in vertex.edges}
    whole: dict[Any, int] = {}
    for number, vertex in enumerate(drawn.vertices):
        if not vertex.repeated:
            assert len(vertex.edges) == (0 if plies_of[number] == plies else len(vertex.position.moves))
            whole[vertex.position.state] = min(plies_of[number], whole.get(vertex.position.state, 99))
    for number, vertex in enumerate(drawn.vertices):
        assert not vertex.repeated or plies is None or whole[vertex.position.state] <= plies_of[number]
    assert set(whole) == {vertex.position.state for vertex in made(game, "merged", plies).vertices}
    size = shape(DiagramPlan(game, game.start, "truncated", plies), Job())
    assert (size.nodes, size.states) == (len(drawn.vertices), len(whole))
    assert size.leaves == sum(not vertex.edges for vertex in drawn.vertices)
    assert size.edges == sum(len(vertex.edges) for vertex in drawn.vertices)


@pytest.mark.parametrize("kind", ["truncated", "merged"])
def test_positions_that_come_back(kind: Any) -> None:
    drawn = made(gallery.tug(4), kind)
    assert_inside(parsed(graph_svg(drawn)))


@pytest.mark.parametrize("make", [gallery.three_players, gallery.secret])
def test_games_of_other_kinds_are_drawn_without_values(make: Any) -> None:
    game = make()
    notes = Notes()
    drawn = diagram(DiagramPlan(game, game.start, "merged", 2), Job(note=notes))
    assert {vertex.value for vertex in drawn.vertices} == {None}
    assert len(notes) == 1
    assert_inside(parsed(graph_svg(drawn)))


def test_payoffs_are_drawn_as_such() -> None:
    drawn = made(gallery.scored(matches=3, win=5, loss=-5), "merged")
    assert {vertex.sign for vertex in drawn.vertices} == {"+5", "-5"}
    assert any(
        edge
        for vertex in drawn.vertices
        for edge in vertex.edges
        if vertex.as_good_as(drawn.vertices[edge.child])
    )
    assert "worth\xa0to\xa0player\xa01" in graph_svg(drawn)
    chances = made(gallery.dice(), "merged")
    assert all(vertex.sign.endswith(" %") for vertex in chances.vertices)
    assert_inside(parsed(graph_svg(chances)))


def test_title_and_legend_stand_above_the_middle_whatever_the_font() -> None:
    outer = [
        text
        for text in parsed(graph_svg(made(load("nim:matches=3"), "complete"))).iter(f"{SVG}text")
        if text.get("class") in {"d-ink", "d-quiet"}
    ]
    assert len(outer) >= 2
    assert {text.get("text-anchor") for text in outer} == {"middle"}


@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_hostile_words_stay_words(grid: bool, kind: Any) -> None:
    drawn = made(hostile_game(grid), kind)
    svg = graph_svg(drawn, HOSTILE)
    svg.encode("utf-8")
    root = parsed(svg)
    known = {"svg", "title", "desc", "style", "g", "rect", "circle", "polygon", "path", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
    assert "<script" not in svg
    for line in graph_dot(drawn, HOSTILE).splitlines():
        assert line.isprintable()
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        assert re.fullmatch(r"[\w\s={}\[\],;>.-]*", outside), line


@pytest.mark.parametrize("kind", KINDS)
def test_dot_has_every_node_and_edge(kind: Any) -> None:
    drawn = made(load("nim:matches=6"), kind)
    text = graph_dot(drawn)
    assert len(re.findall(r"^  n\d+ \[", text, re.MULTILINE)) == len(drawn.vertices)
    edges = [
        (int(a), int(b), move)
        for a, b, move in re.findall(r'^  n(\d+) -> n(\d+) \[label="(\d)"', text, re.MULTILINE)
    ]
    assert edges == [
        (number, edge.child, *edge.moves)
        for number, vertex in enumerate(drawn.vertices)
        for edge in vertex.edges
    ]


def test_the_same_picture_every_time() -> None:
    one, two = (
        ElementTree.tostring(parsed(graph_svg(made(load("hexapawn"), "merged")))) for _time in range(2)
    )
    assert one == two
