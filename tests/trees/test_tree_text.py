"""Trees as people write them: read, written again, and refused with the place of what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from damier.core.errors import BadInput
from damier.core.rules import CHANCE
from damier.trees.explicit import search, uniform_tree
from damier.trees.tree_text import parse, written


def test_the_classic_tree() -> None:
    tree = parse("((3 12 8) (2, 4, 6) (14 5 2))")
    found = search(tree, "alphabeta")
    assert (found.value, found.reads, found.best) == (3, 7, [0])
    assert [node.name for node in tree.nodes[:5]] == ["A", "B", "C", "D", "B,a"]
    assert [tree.mover(number, 0) for number in range(4)] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("((3 , 12), (4))", "((3 12) (4))"),
        ("chance(1/2:3, 1/2:4)", "chance(.5:3 .5:4)"),
        ("([1, 2],[3,4])", "([1 2] [3 4])"),
        ("((1 2)(3 4)5)", "((1 2) (3 4) 5)"),
        ("(3[1 2][4 5])", "(3 [1 2] [4 5])"),
        ("p1(p2(1 2) p3(3 4))", "max(min(1 2) p3(3 4))"),
    ],
)
def test_leaves_stand_apart_by_spaces_or_one_comma(text: str, like: str) -> None:
    assert parse(text) == parse(like)


@pytest.mark.parametrize("text", ["((3 121 p3(5)))", "(1 (2 p3(4 5)) 6)", "p3(p1(1 2) 3)", "(p4(1) 2)"])
def test_a_third_player_in_turn_is_still_one_when_read_again(text: str) -> None:
    assert parse(written(parse(text))) == parse(text)


@pytest.mark.parametrize(
    "text", ["chance(1 2 3)", "chance(1/3:1 2/3:2)", "chance(1/7:1 6/7:2)", "chance(0.00001:1 0.99999:2)"]
)
def test_shares_are_written_so_that_they_are_read_again(text: str) -> None:
    assert parse(written(parse(text))) == parse(text)


def test_movers_probabilities_and_payoffs() -> None:
    tree = parse("max(chance(1/4:8 0.75:20) p3(-1.5 −2))")
    assert (tree.players, tree.nodes[1].player, tree.nodes[2].player) == (3, CHANCE, 2)
    assert [move.probability for move in tree.nodes[1].moves] == [0.25, 0.75]
    assert [node.value for node in tree.nodes[3:]] == [(8,), (20,), (-1.5,), (-2,)]
    several = parse("p1(p2([3 1 5] [4, 2, 0]) p2([2 6 1] [0 0 9]))")
    assert several.players == 3
    assert search(several, "maxn").value == (4, 2, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is written like"),
        ("3", "is written like"),
        ("()", "character 2"),
        ("((3)", "a ) is missing"),
        ("(3))", "character 4"),
        ("(3 x)", "x has no meaning"),
        ("(1/2:3 1/2:4)", "below chance only"),
        ("chance(.5:1 .4:2)", "sum to 0.9"),
        ("chance(1/0:1 1:2)", "no probability"),
        ("chance(1/2:1/2:1)", "no probability"),
        ("([1 2] [1 2 3])", "character 2 of the tree: a leaf with 2 of 3 numbers; there is one for each"),
        ("([])", "one for each player"),
        ("([1 x])", "one for each player"),
        ("(99999999999999999999)", "too long"),
        ("(3 1/2:)", "needs something"),
        ("(1) (2)", "has ended before"),
        ("<script>", "has no meaning"),
        ("((3,,8) (2 4 6))", "character 5 of the tree: a leaf without a value: nothing stands before"),
        ("(,3 4)", "character 2 of the tree: a leaf without a value"),
        ("((3 4), (2 4 6),)", "character 17 of the tree: a leaf without a value: nothing stands after"),
        (",(3 4)", "character 1 of the tree: a leaf without a value"),
        ("(3 4),", "has ended before"),
        ("(3, , 4)", "character 5 of the tree: a leaf without a value"),
        ("chance(1/2:,3 1/2:4)", "character 12 of the tree: a leaf without a value"),
        ("([1,,2] [3 4])", "character 2 of the tree"),
        ("([1 2,] [3 4])", "character 2 of the tree"),
        ("(1-2 3)", "character 3 of the tree: a space or a comma is missing"),
        ("(1.5.2 3)", "character 5 of the tree: a space or a comma is missing"),
        ("([1 2 3] 4)", "character 10 of the tree: a leaf with 1 of 3 numbers"),
        ("(p3([1 2] [3 4 5]))", "character 5 of the tree: a leaf with 2 of 3 numbers"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said.replace("(", r"\(").replace(")", r"\)")):
        parse(text)


@given(st.text(alphabet="()[]0123456789/:.,- maxinchep\n", max_size=60))
def test_any_text_is_a_tree_or_refused(text: str) -> None:
    try:
        tree = parse(text)
    except BadInput:
        return
    assert written(parse(written(tree))) == written(tree)


@given(st.integers(2, 4), st.integers(1, 4), st.integers(0, 1000))
def test_a_tree_that_is_written_is_read_again(branching: int, plies: int, seed: int) -> None:
    tree = uniform_tree(branching, plies, 50, seed)
    assert parse(written(tree)) == tree
    assert sum(not node.moves for node in tree.nodes) == branching**plies


def test_a_deep_tree_needs_no_stack() -> None:
    text = "(" * 5_000 + "1" + ")" * 5_000
    assert written(parse(text)) == text
