"""Search of explicit trees against naive functions of the slides, and against what is known: the
classic tree, Knuth's and Moore's count.
"""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from lasting import later, long
from naive_trees import Naive
from sample_trees import classic, random_tree

from damier.core.errors import BadFile, BadInput, LimitReached, Unsuitable
from damier.core.tree import Tree
from damier.trees import explicit
from damier.trees.explicit import Prune, fewest_reads, search
from damier.trees.tree_text import FORMAT, facts, load, save, tree_of

Data = dict[str, Any]


def names_of(tree: Tree, numbers: list[int]) -> list[str]:
    return [tree.nodes[number].name for number in numbers]


def once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))


LIMITS = st.sampled_from([None, None, 1, 2, 3])


SEEDS = st.integers(0, 10**9)
KINDS = st.sampled_from(["minimax", "weak", "strict"])


@settings(max_examples=300)
@given(SEEDS, st.sampled_from([1, 2, 3]), LIMITS, KINDS)
def test_minimax_and_alphabeta_are_those_of_the_slides(
    seed: int, players: int, plies: int | None, kind: str
) -> None:
    as_the_slides_search(seed, players, plies, kind)


@long
@settings(max_examples=1500)
@given(SEEDS, st.sampled_from([1, 2, 3]), LIMITS, KINDS)
def test_minimax_and_alphabeta_are_those_of_the_slides_on_many_trees(
    seed: int, players: int, plies: int | None, kind: str
) -> None:
    as_the_slides_search(seed, players, plies, kind)


def as_the_slides_search(seed: int, players: int, plies: int | None, kind: str) -> None:
    data = random_tree(seed, players)
    tree = tree_of(data)
    naive, truth = Naive(data, plies or inf), Naive(data, plies or inf)
    value = truth.minimax("n0")
    if kind == "minimax":
        naive.minimax("n0")
        found = search(tree, "minimax", plies)
    else:
        naive.alphabeta("n0", strict=kind == "strict")
        found = search(tree, "alphabeta", plies, "weak" if kind == "weak" else "strict")
    assert found.value == value
    assert names_of(tree, found.generated) == once(naive.generated)
    assert names_of(tree, found.evaluated) == once(naive.evaluated)
    assert found.nodes == naive.visits
    assert [
        (tree.nodes[cut.node].name, tree.nodes[cut.node].moves[cut.child].name) for cut in found.cuts
    ] == naive.cut
    children = [Naive(data, plies or inf).minimax(child, 1) for _move, child in naive.moves("n0")]
    assert found.values == children  # true even where pruning hides them
    choose = max if truth.mover("n0", 0) == 0 else min
    assert found.best == [i for i, child in enumerate(children) if child == choose(children)]


@settings(max_examples=200)
@given(SEEDS, st.sampled_from([1, 2, 3]), LIMITS)
def test_expectimax_is_that_of_the_slides(seed: int, players: int, plies: int | None) -> None:
    as_the_slides_expect(seed, players, plies)


@long
@settings(max_examples=700)
@given(SEEDS, st.sampled_from([1, 2, 3]), LIMITS)
def test_expectimax_is_that_of_the_slides_on_many_trees(seed: int, players: int, plies: int | None) -> None:
    as_the_slides_expect(seed, players, plies)


def as_the_slides_expect(seed: int, players: int, plies: int | None) -> None:
    data = random_tree(seed, players, chance=True)
    tree, naive = tree_of(data), Naive(data, plies or inf)
    value = naive.expectimax("n0")
    found = search(tree, "expectimax", plies)
    assert found.value == value  # powers of two: no rounding
    assert names_of(tree, found.generated) == once(naive.generated)
    assert names_of(tree, found.evaluated) == once(naive.evaluated)
    assert bool(found.best) == (naive.mover("n0", 0) == 0)


@settings(max_examples=200)
@given(SEEDS, st.sampled_from([2, 3, 4]), LIMITS)
def test_maxn_is_luckhardts_and_iranis(seed: int, players: int, plies: int | None) -> None:
    as_luckhardt_and_irani(seed, players, plies)


@long
@settings(max_examples=700)
@given(SEEDS, st.sampled_from([2, 3, 4]), LIMITS)
def test_maxn_is_luckhardts_and_iranis_on_many_trees(seed: int, players: int, plies: int | None) -> None:
    as_luckhardt_and_irani(seed, players, plies)


def as_luckhardt_and_irani(seed: int, players: int, plies: int | None) -> None:
    data = random_tree(seed, players, chance=True, vectors=True)
    tree, naive = tree_of(data), Naive(data, plies or inf)
    assert search(tree, "maxn", plies).value == naive.maxn("n0")
    assert names_of(tree, search(tree, "maxn", plies).generated) == once(naive.generated)


@settings(max_examples=200)
@given(SEEDS, LIMITS)
def test_the_trace_tells_the_search(seed: int, plies: int | None) -> None:
    tree = tree_of(random_tree(seed, 2))
    plain, found = search(tree, "alphabeta", plies), search(tree, "alphabeta", plies, trace=True)
    assert (plain.value, plain.generated, plain.cuts, plain.steps) == (
        found.value,
        found.generated,
        found.cuts,
        [],
    )
    kinds = [step.kind for step in found.steps]
    assert kinds.count("enter") == kinds.count("return")
    assert kinds.count("enter") + kinds.count("leaf") == found.nodes
    assert kinds.count("cut") == len(found.cuts)
    assert kinds.count("update") == found.nodes - 1
    assert once([tree.nodes[step.node].name for step in found.steps if step.kind == "leaf"]) == names_of(
        tree, found.evaluated
    )
    assert all(step.alpha < step.beta for step in found.steps if step.kind == "enter")


# ------------------------------------------------------------------------------------------
# what is known


@pytest.mark.parametrize(("prune", "unread"), [("weak", ["E", "F"]), ("strict", ["E", "F"])])
def test_the_classic_tree(prune: Prune, unread: list[str]) -> None:
    tree = tree_of(classic())
    found = search(tree, "alphabeta", prune=prune)
    assert (found.value, found.best, found.values) == (3, [0], [3, 2, 2])
    assert [name for name in "ABCDEFGHI" if name not in names_of(tree, found.evaluated)] == unread
    (cut,) = found.cuts
    assert (tree.nodes[cut.node].name, cut.value, cut.bound, cut.role) == ("min2", 2, 3, "min")
    assert found.nodes == 11
    assert search(tree, "minimax").nodes == 13


def uniform(branching: int, depth: int, leaves: list[int]) -> Tree:
    nodes: Data = {}
    numbers = iter(leaves)
    for ply in range(depth + 1):
        for path in itertools.product(range(branching), repeat=ply):
            name = "/".join(map(str, path)) or "root"
            if ply < depth:
                nodes[name] = {
                    "player": ply % 2,
                    "moves": [[str(i), "/".join(map(str, (*path, i)))] for i in range(branching)],
                }
            else:
                nodes[name] = {"terminal": True, "value": next(numbers)}
    return tree_of({"format": FORMAT, "players": 2, "root": "root", "nodes": nodes})


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3), (5, 2)])
@pytest.mark.parametrize("prune", ["weak", "strict"])
def test_a_perfectly_ordered_tree_is_searched_as_little_as_can_be(
    branching: int, depth: int, prune: Prune
) -> None:
    # The first move of every node is strictly best: a leaf is worth less to whoever leaves the principal
    # line, and more so the earlier.
    leaves = []
    for path in itertools.product(range(branching), repeat=depth):
        value = 0
        for ply, move in enumerate(path):
            value += (-1 if ply % 2 == 0 else 1) * move * (2 * branching) ** (depth - ply)
        leaves.append(value)
    found = search(uniform(branching, depth, leaves), "alphabeta", prune=prune)
    least = branching ** -(-depth // 2) + branching ** (depth // 2) - 1
    assert len(found.evaluated) == least
    assert found.best == [0]


def test_equal_values_are_cut_only_where_pruning_is_weak() -> None:
    tree = uniform(2, 2, [3, 5, 3, 9])
    weak, strict = search(tree, "alphabeta", prune="weak"), search(tree, "alphabeta", prune="strict")
    assert (len(weak.evaluated), len(strict.evaluated)) == (3, 4)
    assert (weak.value, weak.best) == (strict.value, strict.best) == (3, [0, 1])


def test_several_min_agents_in_a_row() -> None:
    data = classic() | {"players": 3, "turn": "cycle"}
    for node in ("A", "D"):
        data["nodes"][node] = {"moves": [["x", "G"], ["y", "H"]]}
    data["nodes"]["min3"]["moves"] = [["g", "G"]]
    tree = tree_of(data)
    assert (
        search(tree, "minimax").value == search(tree, "alphabeta").value == Naive(data).minimax("max") == 14
    )


def test_a_mean_of_equal_weights_is_divided_once() -> None:
    nodes = {"r": {"player": "chance", "moves": [[str(i), f"t{i}"] for i in range(3)]}} | {
        f"t{i}": {"value": v} for i, v in enumerate((0.1, 0.2, 0.3))
    }
    found = search(tree_of({"root": "r", "nodes": nodes}), "expectimax")
    assert found.value == float(Fraction(0.1) + Fraction(0.2) + Fraction(0.3)) / 3
    assert found.best == []


@pytest.mark.parametrize("size", [5_000, later(100_000)])
def test_depth_and_size(size: int) -> None:
    deep: Data = {str(i): {"player": i % 2, "moves": [["on", str(i + 1)]]} for i in range(size)} | {
        str(size): {"value": 7}
    }
    tree = tree_of({"root": "0", "nodes": deep})
    assert [search(tree, kind).value for kind in ("minimax", "alphabeta")] == [7, 7]
    wide: Data = {"r": {"player": "chance", "moves": [[str(i), f"t{i}"] for i in range(size // 2)]}} | {
        f"t{i}": {"value": 1} for i in range(size // 2)
    }
    assert search(tree_of({"root": "r", "nodes": wide}), "expectimax", trace=True).value == 1


def test_a_graph_with_too_many_ways_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explicit, "MOST_NODES", 5000)
    nodes: Data = {
        str(i): {"player": i % 2, "moves": [["a", str(i + 1)], ["b", str(i + 1)]]} for i in range(60)
    } | {"60": {"value": 7}}
    tree = tree_of({"root": "0", "nodes": nodes})
    with pytest.raises(LimitReached, match="more than 5,000 nodes"):
        search(tree, "alphabeta")
    assert fewest_reads(tree, None) == 2 * 2**30 - 1  # b^⌈m/2⌉ + b^⌊m/2⌋ − 1
    with pytest.raises(LimitReached, match=r"^more than 1,000,000,000,000,000 nodes to search"):
        search(tree, "minimax")


def test_no_search_reads_fewer_leaves_than_are_needed() -> None:
    for seed in range(300):
        tree = tree_of(random_tree(seed, 1 + seed % 3))
        for plies in (None, 2):
            try:
                found = search(tree, "alphabeta", plies)
            except BadInput:  # a number is missing
                continue
            assert found.reads >= fewest_reads(tree, plies)


def test_the_wrong_algorithm_is_refused() -> None:
    data = classic()
    data["nodes"]["min2"]["player"] = "chance"
    for algorithm in ("minimax", "alphabeta"):
        with pytest.raises(Unsuitable, match="chance moves at node min2"):
            search(tree_of(data), algorithm)
    single = {
        "players": 3,
        "root": "r",
        "nodes": {"r": {"player": 2, "moves": [["a", "t"]]}, "t": {"value": 1}},
    }
    with pytest.raises(BadInput, match="one number for 3 players"):
        search(tree_of(single), "maxn")
    bare = {
        "root": "r",
        "nodes": {
            "r": {"player": 0, "moves": [["a", "s"]]},
            "s": {"player": 1, "moves": [["b", "t"]]},
            "t": {"value": 1},
        },
    }
    with pytest.raises(BadInput, match="node s has no value and no evaluation"):
        search(tree_of(bare), "minimax", 1)


# ------------------------------------------------------------------------------------------
# tree files


@given(SEEDS, st.booleans())
@settings(max_examples=100)
def test_what_is_written_is_read_again(seed: int, chance: bool) -> None:
    tree = tree_of(random_tree(seed, 3, chance=chance, vectors=True))
    assert tree_of(facts(tree)) == tree


def test_an_end_without_a_value_takes_its_evaluation() -> None:
    for more in ({}, {"turn": "cycle"}):
        tree = tree_of(rooted(t={"terminal": True}, u={}) | {"evaluation": {"t": 7, "u": 2}} | more)
        assert search(tree, "minimax").value == 7


def test_whole_numbers_written_as_decimals_are_read() -> None:
    tree = rooted(r={"player": 0.0, "moves": [["a", "t"], ["b", "u"]]}) | {"players": 2.0}
    assert tree_of(tree) == tree_of(rooted())


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    save(tree_of(classic()), path)
    assert load(path) == tree_of(classic())


END = {"value": 1}


def rooted(**nodes: Any) -> Data:
    return {
        "format": FORMAT,
        "players": 2,
        "root": "r",
        "nodes": {"r": {"player": 0, "moves": [["a", "t"], ["b", "u"]]}, "t": END, "u": END, **nodes},
    }


BROKEN: list[tuple[Any, str]] = [
    (rooted(t={"player": 1, "moves": [["x", "r"]]}), "can follow itself"),
    (rooted(r={"player": 0, "moves": [["a", "r"]]}), "can follow itself"),
    (rooted(r={"player": 0, "moves": [["a", "nowhere"]]}), "leads to nowhere, which is no node"),
    (rooted(r={"player": "chance", "moves": [["a", "t", 0.5], ["b", "u", 0.4]]}), "sum to 0.9"),
    (rooted(r={"player": "chance", "moves": [["a", "t", 0.5], ["b", "u"]]}), "must be given for all moves"),
    (rooted(r={"player": "chance", "moves": [["a", "t", 1.5], ["b", "u", -0.5]]}), "from 0 to 1"),
    (rooted(r={"player": 0, "moves": [["a", "t", 0.5], ["b", "u", 0.5]]}), "no chance moves there"),
    (rooted(r={"player": 2, "moves": [["a", "t"]]}), "from 0 to 1, or chance"),
    (rooted(r={"player": True, "moves": [["a", "t"]]}), "player is True"),
    (rooted(r={"player": ["chance"], "moves": [["a", "t"]]}), "player is"),
    (rooted(r={"moves": [["a", "t"]]}), "player is None"),
    (rooted(r={"player": 0, "moves": []}), "has no moves"),
    (rooted(r={"player": 0, "moves": {"a": "t"}}), "has no moves"),
    (rooted(r={"player": 0, "moves": [["a"]]}), "a move is"),
    (rooted(r={"player": 0, "moves": ["at"]}), "a move is"),
    (rooted(r={"player": 0, "moves": [["a", "t"], ["a", "u"]]}), "two moves of the same name"),
    (rooted(r={"player": 0, "terminal": True, "moves": [["a", "t"]]}), "is an end, and has moves"),
    (rooted(r={"player": 0, "terminal": False}), "has no moves"),
    (rooted(t={"terminal": "yes", "value": 1}), "must be true or false"),
    (rooted(t={"value": "1"}), "is no number"),
    (rooted(t={"value": True}), "is no number"),
    (rooted(t={"value": [1, 2, 3]}), "3 numbers for 2 players"),
    (rooted(t={"value": 10**400}), "is no number from -1e300 to 1e300"),
    (rooted(t=5), "node t is not an object"),
    (rooted() | {"root": "nowhere"}, "there is no node nowhere"),
    (rooted() | {"root": ["r"]}, "root is missing"),
    ({"format": FORMAT, "nodes": {"r": END}}, "root is missing"),
    (rooted() | {"players": 0}, "players is 0"),
    (rooted() | {"players": 2.5}, "players is 2.5"),
    (rooted() | {"mowes": 1}, "there is no mowes"),
    (rooted() | {"evaluations": {"t": 1}}, "did you mean evaluation?"),
    (
        rooted(r={"player": 0, "mowes": [["a", "t"]], "moves": [["a", "t"]]}),
        "node r: there is no mowes; did you mean moves?",
    ),
    (rooted(r={"player": 0, "mowes": [["a", "t"]]}), "node r: there is no mowes; did you mean moves?"),
    (rooted(t={}), "node t is an end without a value"),
    (rooted(t={"terminal": True}), "node t is an end without a value"),
    (rooted(t={"terminal": True, "value": None}) | {"turn": "cycle"}, "node t is an end without a value"),
    (rooted() | {"nodes": []}, "are objects"),
    (rooted() | {"nodes": {}}, "are objects"),
    (rooted() | {"evaluation": [1]}, "are objects"),
    (rooted() | {"evaluation": {"x": 1}}, "there is no node x"),
    (rooted() | {"turn": "random"}, "turn is random"),
    (rooted() | {"turn": ["cycle"]}, "turn is"),
    (rooted() | {"format": "damier-agent/1"}, "a damier-tree/1 is needed"),
    ([1, 2], "not a file of damier"),
]


@pytest.mark.parametrize(("data", "said"), BROKEN)
def test_a_broken_file_is_refused_in_one_line(data: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(data))
    with pytest.raises(BadFile) as error:
        load(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"format": "damier-tree/1", "root": "t", "nodes": {"t": {"value": NaN}}}', "NaN is not a number"),
        (
            '{"format": "damier-tree/1", "root": "t", "nodes": {"t": {"value": Infinity}}}',
            "Infinity is not a number",
        ),
        ('{"format": "damier-tree/1", "root": "t", "nodes": {"t": {"value": 1e999}}}', "is no number"),
        (
            '{"format": "damier-tree/1", "root": "t", "nodes": {"t": {"value": 1}, "t": {"value": 2}}}',
            "same key twice",
        ),
        ('{"format": "damier-tree/1", ', "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"format": "damier-tree/1", "root": "t", "nodes": {"t": {"value": 1}}, "sha256": "0"}', "damaged"),
    ],
)
def test_a_broken_text_is_refused_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_text(text)
    with pytest.raises(BadFile) as error:
        load(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
