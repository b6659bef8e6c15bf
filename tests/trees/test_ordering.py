"""The order of moves: the value stays, the leaves read go from all of them to the fewest that there
can be.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from damier.core.errors import LimitReached
from damier.core.tree import unfolded
from damier.trees.explicit import fewest_reads, least_leaves, ordered, place_values, search, uniform_tree
from damier.trees.tree_text import parse


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 3), st.integers(1, 5), st.integers(0, 10_000), st.floats(-1, 1))
def test_the_order_changes_the_work_and_not_the_value(
    branching: int, plies: int, seed: int, order: float
) -> None:
    tree = uniform_tree(branching, plies, 20, seed)
    least = least_leaves(branching, plies)
    assert fewest_reads(tree, None) == least
    found = search(ordered(tree, None, order, 1_000), "alphabeta")
    assert found.value == search(tree, "minimax").value
    assert least <= found.reads <= branching**plies
    assert search(ordered(tree, None, 1, 1_000), "alphabeta").reads == least
    assert search(ordered(tree, None, 1, 1_000), "minimax").reads == branching**plies


def test_the_worst_order_is_worse_than_the_best() -> None:
    tree = uniform_tree(3, 4, 1000, 1)
    worst, best = (search(ordered(tree, None, order, 1_000), "alphabeta").reads for order in (-1, 1))
    assert (worst, best) == (81, 17)


def test_a_limit_stops_the_order_too() -> None:
    tree = parse("((3 12 8) (2 4 6) (14 5 2))")
    with pytest.raises(LimitReached):
        ordered(tree, None, 1, 12)


def test_values_of_places() -> None:
    tree = parse("((3 5) (3 1))")
    assert place_values(tree, unfolded(tree, None, 100), None) == [3, 3, 3, 5, 1, 3, 1]
