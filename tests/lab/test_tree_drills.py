"""Trees to be worked out: the same seed gives the same, the key is right, and there is something to be found.
Answers marked: the key gets full marks, empty sheets and wrong numbers do not, and every answer has its
reason.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from lasting import shortly
from naive_trees import Naive

from damier.core.tree import written_value
from damier.lab.exercises import is_value
from damier.lab.exercises.kinds import EVALUATIONS, EvaluationDrill
from damier.lab.exercises.tree_drills import USUAL, TreeDrill, TreeShape
from damier.trees.explicit import Algorithm
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
        made = TreeDrill.of(kind, seed, shape)
        data, key = facts(made.tree), made.key_facts()
        assert made == TreeDrill.of(kind, seed, shape)
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
        assert len(made.solution()) == 1 + len(made.found.cuts)
        assert made.task()


def test_a_sheet_gives_nothing_away() -> None:
    made = TreeDrill.of("alphabeta", 3, TreeShape(3, 3))
    sheet = made.sheet()
    assert {mark.known for mark, role in zip(sheet.marks, sheet.roles, strict=True) if role is not None} == {
        "blank"
    }
    assert {mark.known for mark, role in zip(sheet.marks, sheet.roles, strict=True) if role is None} == {
        "done"
    }
    assert not sheet.thick


def key_of(made: TreeDrill) -> dict[str, str]:
    """A sheet filled in without a fault."""
    key = made.key_facts()
    given = {f"value:{name}": written_value(value) for name, value in key["values"].items()} | {
        "action": key["action"]
    }
    return given | {f"cut:{cut['node']}": " ".join(cut["left_out"]) for cut in key.get("cutoffs", [])}


@pytest.mark.parametrize("kind", list(USUAL))
def test_the_key_is_all_right(kind: Algorithm) -> None:
    for seed in range(10):
        made = TreeDrill.of(kind, seed, USUAL[kind])
        found = made.marked(key_of(made))
        assert [mark.key for mark in found if not mark.is_right] == []
        assert all(mark.reason for mark in found)


@pytest.mark.parametrize("kind", list(USUAL))
def test_an_empty_sheet_is_wrong_but_for_what_is_never_looked_at(kind: Algorithm) -> None:
    made = TreeDrill.of(kind, 3, USUAL[kind])
    unreached = set(made.key_facts().get("not_reached", []))
    wrong = {mark.key for mark in made.marked({}) if not mark.is_right}
    assert {f"value:{blank.name}" for blank in made.blanks if blank.name not in unreached} <= wrong
    assert "action" in wrong


def test_the_reason_of_a_cut_is_said() -> None:
    made = TreeDrill.of("alphabeta", 1, USUAL["alphabeta"])
    cut = made.key_facts()["cutoffs"][0]
    found = {mark.key: mark for mark in made.marked({f"cut:{cut['node']}": ""})}
    assert not found[f"cut:{cut['node']}"].is_right
    assert cut["cause"] in found[f"cut:{cut['node']}"].reason


def test_what_a_form_asks_holds_no_answer() -> None:
    made = TreeDrill.of("alphabeta", 2, TreeShape(3, 3))
    assert [blank.name for blank in made.blanks][:2] == ["A", "B"]
    assert all(mark.value is None for mark in made.sheet().marks if mark.known == "blank")


def test_a_node_that_is_never_looked_at_says_so_for_its_cuts_too() -> None:
    made = TreeDrill.of("alphabeta", 1, USUAL["alphabeta"])
    found = {mark.key: mark for mark in made.marked({"cut:G": "b"})}
    assert not found["cut:G"].is_right
    assert "never looked at" in found["cut:G"].reason
    assert found["value:G"].is_right


@pytest.mark.parametrize("seed", shortly(range(40), 0, 1, 6))
@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("minimax", TreeShape(4, 3)),
        ("alphabeta", TreeShape(3, 4)),
        ("expectimax", TreeShape(5, 3)),
        ("maxn", TreeShape(3, 3, 3)),
    ],
)
def test_answers_worked_out_by_hand_are_right_and_others_wrong(
    kind: Algorithm, shape: TreeShape, seed: int
) -> None:
    made = TreeDrill.of(kind, seed, shape)
    given = by_hand(made)
    assert [mark for mark in made.marked(given) if not mark.is_right] == []
    for key in given:
        other = {"action": "", "value": "99", "cut": "z"}[key.partition(":")[0]]
        assert not next(mark for mark in made.marked(given | {key: other}) if mark.key == key).is_right


def by_hand(made: TreeDrill) -> dict[str, str]:
    """The answers of somebody who knows the slides, and nothing of how damier searches."""
    given: dict[str, str] = {}
    root = made.tree.nodes[0]
    worths = [worth(made, move.child, given) for move in root.moves]
    worth(made, 0, given)
    if made.kind == "alphabeta":
        given.clear()
        with_cuts(made, 0, -math.inf, math.inf, given)
    best = max(
        range(len(worths)), key=lambda number: worths[number][0] if made.kind == "maxn" else worths[number]
    )
    return given | {"action": root.moves[best].name}


def worth(made: TreeDrill, number: int, given: dict[str, str]) -> Any:
    node = made.tree.nodes[number]
    if node.value is not None:
        return node.value if made.kind == "maxn" else node.value[0]
    found = [worth(made, move.child, given) for move in node.moves]
    if node.player < 0:
        best = sum(move.probability * each for move, each in zip(node.moves, found, strict=True))
    elif made.kind == "maxn":
        best = max(found, key=lambda payoffs: payoffs[node.player])
    else:
        best = max(found) if node.player == 0 else min(found)
    given[f"value:{node.name}"] = " ".join(map(str, best)) if made.kind == "maxn" else str(best)
    return best


def with_cuts(made: TreeDrill, number: int, alpha: float, beta: float, given: dict[str, str]) -> float:
    node = made.tree.nodes[number]
    if node.value is not None:
        return node.value[0]
    best = -math.inf if node.player == 0 else math.inf
    for at, move in enumerate(node.moves):
        found = with_cuts(made, move.child, alpha, beta, given)
        best = max(best, found) if node.player == 0 else min(best, found)
        alpha, beta = (max(alpha, best), beta) if node.player == 0 else (alpha, min(beta, best))
        if alpha >= beta:
            given[f"cut:{node.name}"] = " ".join(left.name for left in node.moves[at + 1 :])
            break
    given[f"value:{node.name}"] = str(best)
    return best


@pytest.mark.parametrize("text", ["2", " ≤ 2 ", "<=2", "2.0", "2,0", "4/2"])
def test_a_number_may_be_written_in_several_ways(text: str) -> None:
    assert is_value(text, 2)


@pytest.mark.parametrize("text", ["", "3", "two", "1/0", "2 2", "nan", "inf", "9" * 400, "--2", "2e0"])
def test_what_is_no_such_number(text: str) -> None:
    assert not is_value(text, 2)


def test_a_number_for_each_player() -> None:
    assert is_value("(3, -1, 5)", (3, -1, 5))
    assert is_value("3 -1 5", (3, -1, 5))
    assert not is_value("3 -1", (3, -1, 5))


def test_the_quiz() -> None:
    made = EvaluationDrill.of(1)
    given = {}
    for number, (name, evaluation) in enumerate(EVALUATIONS.items()):
        given |= {
            f"left:{number}": f"{evaluation(made.left):.2f}",
            f"right:{number}": f"{evaluation(made.right):.2f}",
            f"prefers:{number}": made.preferred(name),
        }
    assert all(mark.is_right for mark in made.marked(given))
    assert len(made.marked({})) == 12
    assert not any(mark.is_right for mark in made.marked({}))


def test_the_evaluations_disagree() -> None:
    for seed in range(50):
        made = EvaluationDrill.of(seed)
        assert made == EvaluationDrill.of(seed)
        assert {made.preferred(name) for name in EVALUATIONS} == {"left", "right"}
        for room in made.rooms:
            assert len({room.pacman, room.ghost, room.food}) == 3
            assert "".join(room.grid.rows).replace(" ", "").count("P") == 1
            assert EVALUATIONS["d(ghost) + 1 / d(food)"](room) == room.to_ghost + EVALUATIONS["1 / d(food)"](
                room
            )
