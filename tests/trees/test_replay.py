"""A search played again step by step: what is known at each moment, bounds, and words."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings, strategies as st
from lasting import long
from naive_trees import Naive
from sample_trees import classic, random_tree

from damier.core.errors import LimitReached
from damier.core.tree import Scene, size_of, unfolded
from damier.trees.explicit import search
from damier.trees.replay import Replay, sentences
from damier.trees.tree_text import tree_of


def named(scene: Scene, name: str) -> int:
    return next(i for i, place in enumerate(scene.places) if scene.tree.nodes[place.node].name == name)


def test_the_cut_of_the_classic_tree() -> None:
    found = search(tree_of(classic()), "alphabeta", trace=True)
    replay = Replay(found)
    cut = next(i for i, step in enumerate(found.steps) if step.kind == "cut")
    before, after, end = replay.scene(cut), replay.scene(cut + 1), replay.scene()
    assert after.sentence == "MIN already has 2 ≤ α = 3: MAX will not come here; not looked at: e, f"
    assert after.here == named(after, "min2")
    assert [scene.marks[named(scene, "E")].known for scene in (before, after, end)] == [
        "unseen",
        "cut",
        "cut",
    ]
    assert (end.marks[named(end, "min2")].sign, end.marks[named(end, "min3")].sign, end.marks[0].sign) == (
        "≤",
        "=",
        "=",
    )
    assert end.thick >= {named(end, "min1"), named(end, "A")}
    assert named(end, "min2") not in end.thick
    assert replay.scene(0).sentence == ""


@settings(max_examples=75)
@given(st.integers(0, 10**9), st.sampled_from(["weak", "strict"]))
def test_bounds_are_bounds(seed: int, prune: str) -> None:
    bounds_are_bounds(seed, prune)


@long
@settings(max_examples=300)
@given(st.integers(0, 10**9), st.sampled_from(["weak", "strict"]))
def test_bounds_are_bounds_on_many_trees(seed: int, prune: str) -> None:
    bounds_are_bounds(seed, prune)


def bounds_are_bounds(seed: int, prune: str) -> None:
    data = random_tree(seed, 2)
    found = search(tree_of(data), "alphabeta", prune="strict" if prune == "strict" else "weak", trace=True)
    scene = Replay(found, 100_000).scene()
    for place, mark in zip(scene.places, scene.marks, strict=True):
        if mark.known == "done":
            true = Naive(data).minimax(scene.tree.nodes[place.node].name, place.ply)
            assert {"=": mark.value == true, "≤": true <= mark.value, "≥": true >= mark.value}[mark.sign]
    assert scene.marks[0].sign == "="
    assert not any(mark.known in ("unseen", "open", "blank") for mark in scene.marks)


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from(["alphabeta", "minimax", "maxn"]))
def test_every_moment(seed: int, algorithm: str) -> None:
    tree = tree_of(random_tree(seed, 2))
    found = search(
        tree,
        "alphabeta" if algorithm == "alphabeta" else "minimax" if algorithm == "minimax" else "maxn",
        3,
        trace=True,
    )
    replay = Replay(found, 100_000)
    assert len(replay) == len(found.steps) == len(list(sentences(found)))
    for n in range(1, len(replay) + 1):
        scene, step = replay.scene(n), found.steps[n - 1]
        assert scene.places[scene.here].node == step.node
        assert scene.places[scene.here].ply == step.depth
        assert scene.sentence
        path, place = [], scene.here
        while place >= 0:
            path.append(place)
            place = scene.places[place].above
        open_ = {i for i, mark in enumerate(scene.marks) if mark.known == "open"}
        assert open_ == set(path) - ({scene.here} if step.kind in ("leaf", "return") else set())


def test_sizes() -> None:
    tree = tree_of(classic())
    assert size_of(tree, None) == (13, 9)
    assert size_of(tree, 1) == (4, 3)
    assert [tree.nodes[place.node].name for place in unfolded(tree, 1, 10)] == ["max", "min1", "min2", "min3"]
    with pytest.raises(LimitReached, match="13 nodes to draw; up to 12"):
        unfolded(tree, None, 12)
    nodes = {
        str(i): {"player": i % 2, "moves": [["a", str(i + 1)], ["b", str(i + 1)]]} for i in range(80)
    } | {"80": {"value": 7}}
    with pytest.raises(LimitReached, match="more than"):
        unfolded(tree_of({"root": "0", "nodes": nodes}), None, 1000)


def test_a_mean_has_no_bounds() -> None:
    scene = Replay(search(tree_of(classic()), "expectimax", trace=True)).scene()
    assert {mark.sign for mark in scene.marks} == {"="}
    assert scene.marks[0].value == pytest.approx(23 / 3)
    assert all(mark.window is None for mark in scene.marks)
    assert inf not in [mark.value for mark in scene.marks]
