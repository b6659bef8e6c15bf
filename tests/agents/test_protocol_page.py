"""The page on the protocol: its transcript is played, and the agents that it names are built and play."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import Captured, beginning
from foreign import foreign, played, sandboxed
from lasting import shortly

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "agent_protocol.md"
EXAMPLES = ROOT / "examples" / "agents"
call, data = beginning()

SCRIPTED = """
import sys
answers = {answers!r}
with open({log!r}, "a") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        if '"position"' in line:
            print(answers.pop(0), flush=True)
"""


def without_clock(line: str) -> dict[str, object]:
    """A message but for what it says of the clock."""
    message: dict[str, object] = json.loads(line)
    assert 0 < float(str(message.pop("seconds_left", 1.0))) <= 60
    return message


def test_the_transcript_is_what_is_said(tmp_path: Path) -> None:
    lines = re.search(r"```transcript\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert lines is not None
    said = [line[3:] for line in lines[1].splitlines() if line.startswith("-> ")]
    answers = [line[3:] for line in lines[1].splitlines() if line.startswith("<- ")]
    log = tmp_path / "log"
    with foreign(tmp_path, SCRIPTED.format(answers=answers, log=str(log)), game="hexapawn") as player:
        _records, faults = played(player, 1, swap=0)
    assert not faults
    assert [*map(without_clock, log.read_text().splitlines())] == [*map(without_clock, said)]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """The example in C."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc)")
    program = tmp_path / "random_agent"
    source = EXAMPLES / "random_agent.c"
    subprocess.run([compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return program


@pytest.mark.parametrize("game", shortly(["tictactoe", "hexapawn", "connect_four", "nim"], "hexapawn"))
@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=sandboxed)])
def test_the_agent_in_c_plays_any_game(game: str, isolated: bool, built: Path, capsys: Captured) -> None:
    text = f"process:run={built},isolated={str(isolated).lower()}"
    first, again = (
        data(capsys, "match", game, text, "random", "--games", "30", "--swap-seats") for _n in "12"
    )
    assert "faults" not in first
    assert first["games"] == 30
    assert first["wins"] == again["wins"]  # it draws from the seed


def test_the_agent_in_javascript_is_better_than_chance(capsys: Captured) -> None:
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    text = f"process:run=node {EXAMPLES / 'eager_agent.js'}"
    found = data(capsys, "match", "hexapawn", text, "random", "--games", "100", "--swap-seats")
    assert "faults" not in found
    assert found["wins"] > 2 * found["losses"]


@pytest.mark.usefixtures("built")  # where there is a compiler
def test_a_program_of_any_name_is_compiled_and_started(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "it's my, agent.c"
    shutil.copy(EXAMPLES / "random_agent.c", path)
    found = data(capsys, "match", "hexapawn", str(path), "random", "--games", "4")
    assert "faults" not in found


LEARNERS = {
    "cc": f"{EXAMPLES / 'learning_agent.c'}:",
    "javac": f"{EXAMPLES / 'LearningAgent.java'}:",
    "sbcl": f"process:run=sbcl --dynamic-space-size 200MB --script {EXAMPLES / 'learning_agent.lisp'},",
}


@pytest.mark.parametrize("compiler", shortly(LEARNERS, "cc"))
def test_the_agents_that_learn_are_trained_kept_and_graded_exactly(
    compiler: str, capsys: Captured, tmp_path: Path
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    text, kept = LEARNERS[compiler], str(tmp_path / "learnt.json")
    training = ("train", "hexapawn", text[:-1], "--out", kept, "--grade-every", "500")
    data(capsys, *training, "--games", "300")
    assert call(capsys, *training, "--games", "800", "--resume")[0] == 0
    found = data(capsys, "grade", "hexapawn", f"{text}file={kept}")
    first = found["seats"][0]
    assert first["win"] > 0.5
    assert first["loss"] == 0


def test_a_program_that_does_not_learn_is_not_trained(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "agent.py"
    path.write_text('import sys\nfor line in sys.stdin:\n    print("{}", flush=True)\n')
    code, _out, err = call(capsys, "train", "hexapawn", f"process:run=python {path}", "--games", "10")
    assert (code, err.count("\n")) == (2, 1)
    assert "does not learn: it says so itself" in err
    code, _out, err = call(capsys, "train", "hexapawn", "process:run=python none.py", "--games", "10")
    assert (code, err.count("\n")) == (2, 1)
    assert "does not learn: it does not answer the message hello: it ended, with exit code 2 (" in err


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_are_of_forty_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 40
