"""The commands of the tutorial run as they stand there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from damier.cli.main import build, run

PAGE = Path(__file__).parent / "tutorial.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_command_of_the_page_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    page_files: Callable[[Path, Path], None],
) -> None:
    page_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for line in block.splitlines():
            command, *arguments = shlex.split(line)
            assert command == "damier"
            assert run(build(), arguments) == 0, (line, capsys.readouterr().err)
            assert capsys.readouterr().out
