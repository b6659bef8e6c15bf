"""Exercises: the same seed gives the same, the key is right, and there is something to be found."""

from __future__ import annotations

import pytest
from naive_trees import Naive

from damier.trees.explicit import Algorithm
from damier.trees.marking import EVALUATIONS, TreeShape, answers, exercise, preferred, quiz, solution, task
from damier.trees.tree_text import facts, tree_of

KINDS: list[tuple[Algorithm, TreeShape]] = [
    ("minimax", TreeShape(3, 2)),
    ("minimax", TreeShape(3, 3, 3)),
    ("alphabeta", TreeShape(3, 3)),
    ("alphabeta", TreeShape(2, 4, 3)),
    ("expectimax", TreeShape(4, 3)),
    ("maxn", TreeShape(2, 3, 3)),
]


@pytest.mark.parametrize(("kind", "shape"), KINDS)
def test_the_key_is_right(kind: Algorithm, shape: TreeShape) -> None:
    for seed in range(25):
        made = exercise(kind, seed, shape)
        data, key = facts(made.tree), answers(made)
        assert made == exercise(kind, seed, shape)
        assert tree_of(data) == made.tree
        naive = Naive(data)
        root = {
            "minimax": naive.minimax,
            "alphabeta": naive.minimax,
            "expectimax": naive.expectimax,
            "maxn": naive.maxn,
        }[kind]("A")
        assert key["value"] == root
        assert key["best_actions"] == [key["action"]]
        if kind == "alphabeta":
            slides = Naive(data)
            slides.alphabeta("A", strict=False)
            assert len(key["cutoffs"]) == len(slides.cut) >= 2
            assert set(key["not_reached"]) == set(data["nodes"]) - set(slides.generated)
            true = {name: Naive(data).minimax(name) for name in key["values"]}
            assert all(key["values"][name] == true[name] or name in key["bounds"] for name in true)
        elif kind == "minimax":
            assert key["values"] == {
                name: Naive(data).minimax(name) for name, node in data["nodes"].items() if "moves" in node
            }
        assert len(solution(made)) == 1 + len(made.found.cuts)
        assert task(made)


def test_a_sheet_gives_nothing_away() -> None:
    made = exercise("alphabeta", 3, TreeShape(3, 3))
    sheet = made.sheet()
    assert {mark.known for mark, role in zip(sheet.marks, sheet.roles, strict=True) if role is not None} == {
        "blank"
    }
    assert {mark.known for mark, role in zip(sheet.marks, sheet.roles, strict=True) if role is None} == {
        "done"
    }
    assert not sheet.thick


def test_the_evaluations_disagree() -> None:
    for seed in range(50):
        made = quiz(seed)
        assert made == quiz(seed)
        assert {preferred(made, name) for name in EVALUATIONS} == {"left", "right"}
        for room in made.rooms:
            assert len({room.pacman, room.ghost, room.food}) == 3
            assert "".join(room.grid.rows).replace(" ", "").count("P") == 1
            assert EVALUATIONS["d(ghost) + 1 / d(food)"](room) == room.to_ghost + EVALUATIONS["1 / d(food)"](
                room
            )
