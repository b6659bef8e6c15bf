"""The pseudo-code of document S2 beside a search: every step stands at the line that does it."""

from __future__ import annotations

import pytest

from damier.trees.explicit import EXAMPLES, Algorithm, Prune, search
from damier.trees.replay import current_lines, listings
from damier.trees.tree_text import parse

CLASSIC = EXAMPLES["classic"].text


def told(text: str, algorithm: Algorithm, prune: Prune = "weak", listing: int = 0) -> list[list[str]]:
    """The lines of each step, as they are read."""
    found = search(parse(text), algorithm, None, prune, trace=True)
    lines = listings(found)[listing].lines
    return [[line.text.strip() for line in lines if line.keys & keys] for keys in current_lines(found)]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_every_step_stands_somewhere(name: str, algorithm: Algorithm) -> None:
    if name in ("chance", "players"):
        return
    for listing in range(2 if algorithm == "minimax" else 1):
        steps = told(EXAMPLES[name].text, algorithm, listing=listing)
        assert len(steps) == len(search(parse(EXAMPLES[name].text), algorithm, trace=True).steps)
        assert all(steps)
        assert steps[0][-1] == "initialize v = -∞"
        assert steps[-1] == ["return v"]


def test_a_cut_returns_where_it_cuts_and_changes_no_bound() -> None:
    steps = told(CLASSIC, "alphabeta")
    assert steps[12:15] == [
        ["v = min(v, value(successor, α, β))"],
        ["if v ≤ α return v"],
        ["if v ≤ α return v"],
    ]
    assert steps[3] == ["v = min(v, value(successor, α, β))", "β = min(β, v)"]
    strict = [line for lines in told("((3 5) (3 1 2))", "alphabeta", "strict") for line in lines]
    assert "if v < α return v" in strict


def test_value_asks_who_moves_and_sees_the_ends() -> None:
    steps = told(CLASSIC, "minimax")
    assert steps[:3] == [
        ["if the next agent is MAX: return max-value(state)", "initialize v = -∞"],
        ["if the next agent is MIN: return min-value(state)", "initialize v = +∞"],
        ["if the state is a terminal state: return the state's utility"],
    ]
    assert told(CLASSIC, "minimax", listing=1)[2] == ["v = min(v, max-value(successor))"]


def test_what_the_slides_do_not_have_has_no_listing() -> None:
    found = search(parse(EXAMPLES["chance"].text), "expectimax", trace=True)
    assert listings(found) == ()


def test_one_agent_alone_is_worth_the_best_leaf() -> None:
    assert search(parse(EXAMPLES["single"].text), "minimax").value == 8
