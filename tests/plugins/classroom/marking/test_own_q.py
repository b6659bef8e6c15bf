"""A sheet of Q-learning and MENACE in damier's own interface: the reference passes, and each typical mistake
is caught by the item that is meant for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import long, shortly
from marked import edited, failed, marked, only, require_shown, solution

from damier.plugins.classroom.marking.sheet import sheet
from damier.plugins.classroom.marking.submission import ExactTruth

OWN_Q = sheet(str(Path(__file__).with_name("own_q.toml")))

WRONG = {
    "forgets to add 1 to a cell": ("(n[i] + 1) * 3**i", "n[i] * 3**i", {"state-id"}),
    "reads the board from the other end": ("3**i for i", "3**(8 - i) for i", {"state-id"}),
    "does not tell the other of a pawn lost": ("[eaten, -eaten] if", "[eaten, 0] if", {"rewards"}),
    "forgets to switch sides in the rewards": (
        'if mine == "W" else [-eaten, eaten]',
        'if mine == "W" else [eaten, -eaten]',
        {"rewards"},
    ),
    "a draw is worth nothing": ("0: 10,", "0: 0,", {"rewards", "q-updates"}),
    "adds the last pawn to the reward of the end": (
        "reward_next = {1: 100, 0: 10, -1: -100}[payoff]",
        "reward_next = {1: 100, 0: 10, -1: -100}[payoff] + 10 * history[-1][2]",
        {"q-updates"},
    ),
    "takes the reward of the same step, not of the one before": (
        "10 * history[number - 1][2]",
        "10 * history[number][2]",
        {"q-updates"},
    ),
    "confuses alpha and gamma": (
        "self.learn_rate, self.gamma, self.epsilon = 0.01, 0.9, 1.0",
        "self.learn_rate, self.gamma, self.epsilon = 0.9, 0.01, 1.0",
        {"q-updates"},
    ),
    "forgets gamma": ("self.gamma * max_q", "max_q", {"q-updates"}),
    "takes the maximum for 0 where all are below": (
        "max_q = max(row.values())",
        "max_q = max(0, *row.values())",
        {"q-updates"},
    ),
    "learns from the first decision to the last": (
        "range(len(history) - 1, -1, -1)",
        "range(len(history))",
        {"q-updates"},
    ),
    "learns from the decision before": (
        "range(len(history) - 1, -1, -1)",
        "range(len(history) - 2, -1, -1)",
        {"q-updates"},
    ),
    "pawns are rewarded one by one": ("10 * history[number - 1]", "history[number - 1]", {"q-updates"}),
    "begins with hope": (
        "dict.fromkeys(position.moves, 0.0)",
        "dict.fromkeys(position.moves, 1.0)",
        {"first-q"},
    ),
    "explores half of the time": ("0.01, 0.9, 1.0", "0.01, 0.9, 0.5", {"exploring", "schedule"}),
    "explores less from the first decision on": ("self.nb_step > 5000 and ", "", {"schedule"}),
    "explores less at every decision": (" and self.nb_step % 100 == 0", "", {"schedule"}),
    "plays the smallest value": ("max(row, key=row.get)", "min(row, key=row.get)", {"greedy", "curve"}),
    "all agents share one table": ("self.q_table = {}", "self.q_table = Agent.__dict__['shared']", {"apart"}),
    "saves no values": (
        "[self.nb_step, self.epsilon, self.q_table]",
        "[self.nb_step, self.epsilon, {}]",
        {"saved"},
    ),
    "saves under keys that JSON turns into text": (
        "setdefault(position.board, dict.fromkeys(position.moves, 0.0))",
        "setdefault(hash(position.board), dict.fromkeys(position.moves, 0.0))",
        {"saved"},
    ),
    "forgets the exponential": ("math.exp(q)", "(q + 1000)", {"softmax"}),
    "mirrors nothing": (
        "min(position.board, mirrored(position.board))",
        "position.board",
        {"boxes", "menace"},
    ),
    "turns the board instead of mirroring it": (
        "board[3 * row + 2 - column]",
        "board[8 - 3 * row - column]",
        {"boxes", "menace"},
    ),
    "a draw is rewarded as a win": ("3 if payoff > 0 else 1", "3", {"menace"}),
    "punishes every box": (
        "if any(beads.values()):\n                    return",
        "pass",
        {"menace"},
    ),
    "an emptied box does not hand on the loss": ("if any(beads.values()):", "if True:", {"menace"}),
}


@pytest.fixture(scope="module")
def truth() -> ExactTruth:
    return ExactTruth(OWN_Q.game)


def wrong_code(mistake: str) -> str:
    right, wrong, _caught = WRONG[mistake]
    return edited(solution("own_q"), right, wrong).replace("class Agent:", "class Agent:\n    shared = {}\n")


def test_the_reference_gets_all_points(tmp_path: Path, truth: ExactTruth) -> None:
    found = marked(tmp_path, solution("own_q"), OWN_Q, truth)
    assert failed(found) == set()
    assert found.points == OWN_Q.points == 20


@pytest.mark.parametrize("mistake", shortly(WRONG, *list(WRONG)[:6]))
def test_a_mistake_is_caught_by_the_item_that_is_meant_for_it(
    mistake: str, tmp_path: Path, truth: ExactTruth
) -> None:
    caught = WRONG[mistake][2]
    found = marked(tmp_path, wrong_code(mistake), only(OWN_Q, *caught), truth)
    assert failed(found) == caught
    require_shown(found)


OF_Q = {"first-q", "q-updates", "exploring", "schedule", "greedy", "apart", "saved", "softmax", "curve"}


@long
@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_costs_no_other_points(mistake: str, tmp_path: Path, truth: ExactTruth) -> None:
    caught = WRONG[mistake][2]
    found = failed(marked(tmp_path, wrong_code(mistake), OWN_Q, truth))
    assert caught <= found
    if caught <= OF_Q:
        assert found <= OF_Q
    else:
        assert found - OF_Q == caught - OF_Q
