"""An evaluation in a file: of positions, in plain Python, or of states, compiled if it can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from own_agents import written

from damier import BadInput, Job, load
from damier.core.errors import AgentFault, BadFile
from damier.core.job import Notes
from damier.lab.agents import Lab, agent, searcher
from damier.lab.searchers import evaluation_of

OPEN_LINES = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def evaluate(position):
    lines = [[position.board[cell] for cell in line] for line in LINES]
    return sum("X" in line and "O" not in line for line in lines) - sum(
        "O" in line and "X" not in line for line in lines
    )
"""
COUNTED = """
from damier import popcount

def evaluate(s):
    return popcount(s.mine) * 0.5 - popcount(s.theirs)
"""


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "expectimax"])
def test_a_function_of_positions_is_a_feature(tmp_path: Path, search: str) -> None:
    lab, path = Lab(load("tictactoe"), Job(jit=False)), written(tmp_path, OPEN_LINES)
    ours = searcher(lab, f"{search}:plies=3,evaluate={path}").analyse(lab.game.start)
    theirs = searcher(lab, f"{search}:plies=3,evaluate=lines").analyse(lab.game.start)
    assert (ours.value, ours.values, ours.best, ours.nodes) == (
        theirs.value,
        theirs.values,
        theirs.best,
        theirs.nodes,
    )


def test_a_rule_of_states_is_compiled(tmp_path: Path) -> None:
    path, found = written(tmp_path, COUNTED), []
    for jit in (False, True):
        notes = Notes()
        lab = Lab(load("tictactoe"), Job(jit=jit, note=notes))
        answer = searcher(lab, f"minimax:plies=3,evaluate={path}").analyse(lab.game.start)
        found.append((answer.value, answer.values, answer.nodes))
        assert notes == []
    assert found[0] == found[1]


def test_a_function_of_positions_stays_plain(tmp_path: Path) -> None:
    notes = Notes()
    lab = Lab(load("tictactoe"), Job(jit=True, note=notes))
    searcher(lab, f"minimax:plies=2,evaluate={written(tmp_path, OPEN_LINES)}").analyse(lab.game.start)
    assert [note for note in notes if "plain Python" in note]


def test_another_function_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "def nothing(position):\n    return 0\ndef half(position):\n    return 0.5")
    game = load("tictactoe")
    judged = evaluation_of(game, f"{path}:half", Job())
    assert judged.features[0](game.start) == 0.5


@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        ("x = 1", AgentFault, r"mine.py has no function evaluate"),
        ("from math import sqrt as evaluate", AgentFault, "has no function evaluate"),
        ("def evaluate(): return 1", AgentFault, "takes one parameter"),
        ("def evaluate(position): return 'x'", AgentFault, "returned 'x'; it must return a number"),
        ("def evaluate(position): return float('nan')", AgentFault, "must return a number"),
        ("def evaluate(position):\n    return position.king", AgentFault, "mine.py:2: AttributeError"),
        ("def evaluate(s):\n    return s.king", AgentFault, "mine.py:2: AttributeError"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, code: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        evaluation_of(load("tictactoe"), str(written(tmp_path, code)), Job())


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is not a file"):
        evaluation_of(load("tictactoe"), str(tmp_path / "nothing.py"), Job())
    with pytest.raises(BadInput, match="no feature kings"):
        evaluation_of(load("tictactoe"), "kings", Job())


def test_where_no_files_are_loaded_none_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "import os\nos.environ['EVALUATION_RAN'] = 'yes'\ndef evaluate(s):\n    return 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVALUATION_RAN", raising=False)
    lab = Lab(load("tictactoe"), Job(jit=False), loads_files=False)
    for text in ("minimax:plies=1,evaluate=mine.py", "alphabeta:plies=1,evaluate=./mine.py:evaluate"):
        with pytest.raises(BadInput, match=r"write features with weights|no feature"):
            searcher(lab, text)
    with pytest.raises(BadInput, match=r"no agent is called|none can be started"):
        agent(lab, "process:run=./mine.py")
    with pytest.raises(BadInput, match="no agent is called"):
        agent(lab, "./mine.py")
    assert "EVALUATION_RAN" not in os.environ
