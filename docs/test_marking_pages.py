"""The pages on marking: their commands run as they stand there, and their tables name all kinds of
items with all their keys.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from inspect import Parameter
from pathlib import Path

import pytest
from lasting import later

from damier.cli.main import build, run
from damier.core.words import SOURCE, speak
from damier.plugins.classroom.marking.function_items import ANSWERS
from damier.plugins.classroom.marking.sheet import KINDS, defaults_of

FOLDER = Path(__file__).parent
SOLUTION = FOLDER.parent / "tests" / "plugins" / "classroom" / "marking" / "s4_solution.py"
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `([a-z-]+)` \| ((?:`[^`]+` ?)+)\|", re.MULTILINE)


@pytest.mark.parametrize(
    ("page", "reports"), [("marking.md", "marks"), later(("corriger.md", "corrections"))]
)
def test_every_command_of_the_page_runs(
    page: str,
    reports: str,
    tmp_path: Path,
    page_files: Callable[[Path, Path], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (FOLDER / page).read_text(encoding="utf-8")
    page_files(FOLDER / page, tmp_path)
    (tmp_path / "student.py").write_text(SOLUTION.read_text())
    lines = [line for block in COMMANDS.findall(text) for line in block.splitlines()]
    assert len(lines) == 4
    try:
        for line in lines[1:]:  # the first is the second without files
            command, *arguments = shlex.split(line)
            assert command == "damier"
            if "--lang" in arguments:  # which is read before the command is
                *arguments, _lang, code = arguments
                speak(code)
            assert run(build(), arguments) == 0, (line, capsys.readouterr().err)
            assert capsys.readouterr().out
    finally:
        speak(SOURCE)
    written = {path.name for path in (tmp_path / reports).rglob("*") if path.is_file()}
    assert written == {"page.html", "page.md", "results.json", "class.csv", "junit.xml"}


@pytest.mark.parametrize("page", ["marking.md", "corriger.md"])
def test_the_table_names_all_kinds_and_keys(page: str) -> None:
    text = (FOLDER / page).read_text(encoding="utf-8")
    told = {kind: keys.split() for kind, keys in ROW.findall(text) if kind in KINDS}
    assert told == {
        kind: [
            f"`{key}`" if default is Parameter.empty else f"`[{key}]`"
            for key, default in defaults_of(kind).items()
        ]
        for kind in KINDS
    }
    assert all(f"`{answer}`" in text for answer in ANSWERS)
