"""The sheet of document S4: the reference passes, and each typical mistake is caught by the item
that is meant for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import long, shortly
from marked import edited, failed, marked, only, solution

from damier.plugins.classroom.marking.sheet import sheet
from damier.plugins.classroom.marking.submission import ExactTruth

S4 = sheet("s4")

WRONG = {
    "the value of a lost position is 1": (
        "-1 if any(position.payoffs) else 0",
        "1 if any(position.payoffs) else 0",
        {"base-case", "minimax"},
    ),
    "forgets to switch sides": (
        "max(-minimax(position.play(move)) for",
        "max(minimax(position.play(move)) for",
        {"minimax"},
    ),
    "takes the smallest value": (
        "max(-minimax(position.play(move)) for",
        "min(-minimax(position.play(move)) for",
        {"minimax", "never-loses"},
    ),
    "keeps no table": ("if position.board not in VALUES:", "if True:", {"table"}),
    "plays what is best for the opponent": (
        "key=lambda move: -minimax",
        "key=lambda move: minimax",
        {"best-moves", "never-loses"},
    ),
    "starts to count at 0": ("(0.0, 1)", "(0.0, 0)", {"means"}),
    "takes the reward before the payoff": ("(payoff - score)", "(_reward - score)", {"means", "curve"}),
    "weighs every game alike": ("/ (count + 1), count + 1", "/ 2, 1", {"means"}),
    "learns from the decision before": (
        "for position, move, _reward in history:",
        "for position, move, _reward in history[:-1]:",
        {"means"},
    ),
    "learns while it only plays": ("if not self.learning:", "if False:", {"only-while-learning"}),
    "takes the first of equal moves": (
        "random.choice([move for move, (score, count) in row.items() if score == best])",
        "next(move for move, (score, count) in row.items() if score == best)",
        {"ties"},
    ),
    "explores without learning": ("if self.learning and random", "if random", {"greedy"}),
    "explores too little": ("< 0.25", "< 0.1", {"epsilon"}),
    "all agents share one table": ("self.means = {}", "self.means = VALUES", {"apart"}),
    "begins with hope": ("(0.0, 1)", "(1.0, 1)", {"first-scores", "means"}),
    "asks the shell": ("import random\n", "import random\nimport subprocess\n", {"imports"}),
}


@pytest.fixture(scope="module")
def truth() -> ExactTruth:
    return ExactTruth(S4.game)


def test_the_reference_gets_all_points(tmp_path: Path, truth: ExactTruth) -> None:
    found = marked(tmp_path, solution("s4"), S4, truth)
    assert failed(found) == set()
    assert found.points == S4.points == 20


@pytest.mark.parametrize("mistake", shortly(WRONG, *list(WRONG)[:3]))
def test_a_mistake_is_caught_by_the_item_that_is_meant_for_it(
    mistake: str, tmp_path: Path, truth: ExactTruth
) -> None:
    right, wrong, caught = WRONG[mistake]
    found = marked(tmp_path, edited(solution("s4"), right, wrong), only(S4, *caught), truth)
    assert failed(found) == caught
    for mark in found.marks:
        assert mark.finding.sentence
        if mark.item.name in ("base-case", "minimax", "means", "apart", "greedy", "never-loses", "curve"):
            assert mark.finding.wrong is not None
            assert mark.finding.wrong.expected != mark.finding.wrong.got


@long
@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_costs_no_other_points(mistake: str, tmp_path: Path, truth: ExactTruth) -> None:
    right, wrong, caught = WRONG[mistake]
    found = failed(marked(tmp_path, edited(solution("s4"), right, wrong), S4, truth))
    assert caught <= found
    of_minimax = {"base-case", "minimax", "table", "best-moves", "never-loses"}
    assert not (caught <= of_minimax and found - of_minimax)
    assert not (caught.isdisjoint(of_minimax) and found & of_minimax)
