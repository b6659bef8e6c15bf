"""Exercises of every kind: the same seed gives the same, the key gets all points, every answer is asked
for by a box of the picture; and what they teach is right by naive references.
"""

from __future__ import annotations

import json
import re

import pytest

from damier.core.errors import BadInput
from damier.core.words import speaking
from damier.draw.svg import FILL_IN_FONT
from damier.lab.exercises import points
from damier.lab.exercises.kinds import KINDS, MIXED, TREES, DrillKind, DrillRun, drill, kind_of
from damier.lab.exercises.learning_drills import MOVES, BeadDrill, QDrill
from damier.lab.exercises.tree_drills import MinimalDrill, RetrogradeDrill, TreeShape
from damier.trees.explicit import least_leaves

ALONE: tuple[DrillKind, ...] = KINDS[:-1]
SEEDS = range(4)


@pytest.mark.parametrize("kind", ALONE)
def test_the_key_is_all_right_and_what_is_asked_has_a_place(kind: DrillKind) -> None:
    for seed in SEEDS:
        made = drill(kind, seed)
        right = made.right_answers()
        found = made.marked(right)
        assert [mark.key for mark in found if not mark.is_right] == []
        assert all(mark.reason and mark.hint for mark in found)
        assert {field.key for field in made.fields()} == {mark.key for mark in found} >= right.keys()
        assert points(made, [right]) == 10
        drawn = made.picture("an exercise")
        for field in made.fields():
            if field.kind in ("branches", "branch"):
                assert all(f'data-branch="{field.node}/{each.value}"' in drawn for each in field.choices)
            else:
                assert f'data-blank="{field.key}"' in drawn
        assert "data-blank" not in made.picture("its key", "\n".join(made.solution()), solved=True)
        drill.cache_clear()
        again = drill(kind, seed)
        assert again.picture("an exercise") == drawn
        assert json.dumps(again.facts()) == json.dumps(made.facts())


@pytest.mark.parametrize("kind", ALONE)
def test_every_wrong_answer_is_found(kind: DrillKind) -> None:
    made = drill(kind, 5)
    right = made.right_answers()
    for field in made.fields():
        wrong = "no such answer" if right.get(field.key) or field.kind != "branches" else "b"
        marks = {mark.key: mark.is_right for mark in made.marked(right | {field.key: wrong})}
        assert [key for key, is_right in marks.items() if not is_right] == [field.key]


@pytest.mark.parametrize("kind", ALONE)
def test_a_hint_tells_how_and_not_what(kind: DrillKind) -> None:
    """A hint is the same whatever the right answer is."""
    hints = [{mark.hint for mark in drill(kind, seed).marked({})} for seed in range(12)]
    names = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    digits = {digit for each in hints for hint in each for digit in hint if digit in "23456789"}
    assert digits <= {"2", "3"}  # players are numbered
    assert not any(f"{name} =" in hint for each in hints for hint in each for name in names)


@pytest.mark.parametrize("kind", ALONE)
def test_an_exercise_speaks_the_language_of_who_reads_it(kind: DrillKind) -> None:
    made = drill(kind, 2)
    said = []
    for language in ("en", "fr", "en"):
        with speaking(language):
            told = [made.task(), *made.solution(), *(mark.reason for mark in made.marked({}))]
            said.append(told)
    assert said[0] == said[2] != said[1]


def test_points_for_the_first_second_and_third_try() -> None:
    made = drill("q", 1)
    right = made.right_answers()
    one_wrong = right | {"target": "77"}
    assert points(made, []) == 0
    assert points(made, [{}]) == 0
    assert points(made, [right]) == 10
    assert points(made, [one_wrong]) == 7.5
    assert points(made, [one_wrong, right]) == 8.8
    assert points(made, [{}, {}, right]) == 2.5
    assert points(made, [right, one_wrong, right]) == points(made, [one_wrong, one_wrong, right])


def test_what_an_empty_sheet_has_right_is_worth_nothing() -> None:
    made = drill("alphabeta", 1)
    assert any(mark.is_right for mark in made.marked({}))
    assert points(made, [{}]) == 0
    everything = {field.key: " ".join(each.value for each in field.choices) for field in made.fields()}
    assert points(made, [everything]) == 0


def test_a_run_is_the_same_for_all_and_counts_what_was_marked() -> None:
    run = DrillRun(MIXED, 7, 9)
    made = [run.drill(number) for number in range(1, 10)]
    assert {each.kind for each in made} == set(ALONE)
    assert [kind_of(MIXED, run.seed_of(number)) for number in range(1, 10)] == [each.kind for each in made]
    answers = [[each.right_answers()] for each in made]
    assert (run.points(answers).total, run.points(answers).of) == (90, 90)
    assert run.points([answers[0], [], answers[2]]).each[:4] == (10, 0, 10, 0)
    assert run.points([]).total == 0


@pytest.mark.parametrize("kind", ["q", "evaluation", "retrograde", "beads"])
def test_what_has_no_tree_has_no_shape(kind: DrillKind) -> None:
    with pytest.raises(BadInput, match="no tree"):
        drill(kind, 1, TreeShape(2, 2))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_value_of_a_position_fits_its_box(language: str) -> None:
    with speaking(language):
        key = RetrogradeDrill.of(4).picture("key", solved=True)
    pairs = re.findall(r'class="d-cell"[^>]* width="([0-9.]+)"[^>]*rx="3"/><g[^>]*><text[^>]*>([^<]+)<', key)
    assert len(pairs) == len(RetrogradeDrill.of(4).moves)
    for width, word in pairs:
        assert len(word) * 0.68 * FILL_IN_FONT <= float(width)


def test_trees_too_large_for_a_sheet_are_refused() -> None:
    for kind in (*TREES, "minimal"):
        with pytest.raises(BadInput, match="256 at most"):
            drill(kind, 1, TreeShape(8, 8))


def test_the_minimal_tree_has_as_few_leaves_as_there_can_be() -> None:
    for seed in range(12):
        made = MinimalDrill.of(seed)
        key = made.right_answers()
        assert int(key["read"]) == least_leaves(made.shape.branching, made.shape.plies)
        assert int(key["leaves"]) == made.shape.branching**made.shape.plies
        assert leaves_read(made, "A") == int(key["read"])
    assert MinimalDrill.of(1, TreeShape(3, 4)).shape == TreeShape(3, 4)


def leaves_read(made: MinimalDrill, name: str) -> int:
    """The leaves below a node, without what the key cuts."""
    nodes = {node.name: node for node in made.found.tree.nodes}
    node, cut = nodes[name], made.right_answers().get(f"cut:{name}", "").split()
    if not node.moves:
        return 1
    kept = [move for move in node.moves if move.name not in cut]
    return sum(leaves_read(made, made.found.tree.nodes[move.child].name) for move in kept)


def test_a_step_of_q_learning_by_hand() -> None:
    for seed in range(30):
        made = QDrill.of(seed)
        best = 0.0 if made.is_end else max(made.following)
        target = made.reward + made.discount * best
        new = made.here[made.taken] + made.step_size * (target - made.here[made.taken])
        row = [*made.here[: made.taken], new, *made.here[made.taken + 1 :]]
        key = made.right_answers()
        assert [float(key[name]) for name in ("best", "target", "new")] == pytest.approx([best, target, new])
        assert key["greedy"] == MOVES[row.index(max(row))]
    assert {QDrill.of(seed).is_end for seed in range(30)} == {True, False}


def test_beads_by_hand() -> None:
    results, kinds = set(), set()
    for seed in range(40):
        made = BeadDrill.of(seed)
        change = dict(zip((1, 0, -1), made.rule, strict=True))[made.result]
        for number, box in enumerate(made.boxes, 1):
            loses = made.result >= 0 or made.punish == "every" or number == len(made.boxes)
            for kind, before in enumerate(box.beads):
                now = max(0, before + change) if kind == box.drawn and loses else before
                assert made.right_answers()[f"box:{number}:{'ABC'[kind]}"] == str(now)
        results.add(made.result)
        kinds.add(made.punish)
    assert (results, kinds) == ({1, 0, -1}, {"every", "last"})


def test_retrograde_analysis_by_going_round_until_nothing_changes() -> None:
    for seed in range(6):
        made = RetrogradeDrill.of(seed)
        worth = dict.fromkeys(range(len(made.moves)), "draw")
        for _round in made.moves:
            for place, below in enumerate(made.moves):
                after = [worth[other] for other in below]
                if "loss" in after:
                    worth[place] = "win"
                elif all(each == "win" for each in after):
                    worth[place] = "loss"
        assert list(made.right_answers().values()) == list(worth.values())
        assert set(worth.values()) == {"win", "draw", "loss"}


def test_nothing_of_the_key_is_in_the_sheet() -> None:
    for kind in ALONE:
        made = drill(kind, 3)
        sheet = made.picture("an exercise", made.task())
        assert not any(sentence in sheet for sentence in made.solution())
        assert "d-line-bad" not in sheet.split("</style>")[1]
