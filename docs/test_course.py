"""The way of a student in the README, from the handout of document S4 to the class table: its commands
run as they stand there.
"""

from __future__ import annotations

import re
import shlex
from io import StringIO
from pathlib import Path

import pytest
from lasting import long

from damier.cli.main import build, run

ROOT = Path(__file__).parent.parent
COURSE = re.compile(r"^## From a handout.*?^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOLUTION = ROOT / "tests" / "plugins" / "classroom" / "marking" / "s4_solution.py"


@long
def test_from_a_handout_to_the_class_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_agent.py").write_text(SOLUTION.read_text())
    found = COURSE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    lines = [shlex.split(line, comments=True) for line in found[1].splitlines()]
    assert [line[:2] for line in lines] == [
        ["damier", command] for command in ("play", "train", "grade", "check", "tournament")
    ]
    said = {}
    cells = "\n".join("012345678" * 9)  # typed by one who tries them in turn
    monkeypatch.setattr("sys.stdin", StringIO(cells))
    for _damier, *arguments in lines:
        assert run(build(), arguments) == 0, (arguments, capsys.readouterr().err)
        said[arguments[0]] = capsys.readouterr().out
    assert "O" in said["play"]
    assert (tmp_path / "mine.json").is_file()
    assert "20/20" in said["check"]
    assert said["tournament"].index("my_agent.py:AiAgent") < said["tournament"].index("random")
