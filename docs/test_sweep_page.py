"""The commands of the page on sweeps run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from lasting import long

from damier.cli.main import build, run

PAGE = Path(__file__).parent / "sweep.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@long
def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")) for line in block.splitlines()]
    assert len(lines) == 3
    for line in lines:
        command, *arguments = shlex.split(line)
        assert command == "damier"
        assert run(build(), arguments) == 0, (line, capsys.readouterr().err)
        assert capsys.readouterr().out
    assert (tmp_path / "sweep.svg").read_text() == (PAGE.parent / "pictures" / "sweep.svg").read_text()
    assert (tmp_path / "sweep.csv").read_text().count("\n") == 9
