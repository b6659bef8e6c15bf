"""Submissions of several files: a folder with an `agent.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from damier import load
from damier.agents.channel import Supervised
from damier.core.errors import AgentFault, BadFile
from damier.plugins.classroom.marking.function_items import check_imports
from damier.plugins.classroom.marking.sheet import names_of
from damier.plugins.classroom.marking.submission import ExactTruth, Submission

MAIN = "import helper\ndef minimax(position):\n    return helper.ZERO\n"


@pytest.fixture
def bob(tmp_path: Path) -> Path:
    folder = tmp_path / "bob"
    folder.mkdir()
    (folder / "agent.py").write_text(MAIN)
    (folder / "helper.py").write_text("ZERO = 0\n")
    return folder


def test_what_lies_in_its_folder_can_be_imported(bob: Path) -> None:
    game = load("tictactoe")
    submission = Submission(bob, game)
    submission.allow(30)
    try:
        assert submission.answers("minimax", [("position", game.start)]) == [0]
    finally:
        submission.end()
    assert names_of([bob, bob / "helper.py"]) == {bob: "bob", bob / "helper.py": "helper"}


def test_what_its_process_waits_for_a_processor_is_given_back_to_its_time(
    bob: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Supervised, "waited", lambda process: 5.0)
    submission = Submission(bob, load("tictactoe"))
    submission.allow(30)
    before = submission.deadline
    try:
        submission.answers("minimax", [("position", submission.game.start)])
        assert submission.deadline == before + 10  # to be loaded, and to answer
    finally:
        submission.end()


def test_a_folder_without_an_agent_is_refused_and_too_many_files_cost_their_owner(
    bob: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadFile, match=r"a folder with agent\.py or files in C, Java or Lisp; .* name .*/\*"):
        names_of([tmp_path])
    for number in range(200):
        (bob / f"{number}.txt").touch()
    submission = Submission(bob, load("tictactoe"))
    with pytest.raises(AgentFault, match="at most 200 files"):
        submission.answers("minimax", [("position", submission.game.start)])


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("helper.py", "ZERO = 0\n", ""),
        ("helper.py", "import os\nZERO = 0\n", "helper.py:1: os is not allowed"),
        ("part/inner.py", "import math, helper, part\neval('0')\n", "part/inner.py:2: eval is not allowed"),
        ("fast.pyc", "", "fast.pyc:1: fast.pyc is not allowed"),
        ("notes.txt", "import os", ""),
        ("part/__init__.py", "", ""),
        ("part/__init__.py", "from .inner import ZERO\nfrom . import inner\n", ""),
        ("part/inner.py", "from .. import helper\n", "part/inner.py:1: .. is not allowed"),
    ],
)
def test_all_its_files_are_read_for_what_is_forbidden(bob: Path, name: str, code: str, said: str) -> None:
    (bob / name).parent.mkdir(exist_ok=True)
    (bob / name).write_text(code)
    game = load("tictactoe")
    found = check_imports(Submission(bob, game), ExactTruth(game), allowed=("math",))
    assert found.passed is (not said)
    assert said in str(found.sentence)
