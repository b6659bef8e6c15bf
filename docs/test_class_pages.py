"""The commands of the pages on classes start what they say; their sheets are sheets, and their limits
those of the code.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from lasting import shortly

from damier.agents.isolation import no_isolation
from damier.cli.main import build, run
from damier.plugins.classroom import class_check, class_process, class_store
from damier.plugins.classroom.class_auth import TRIES
from damier.plugins.classroom.marking.sheet import sheet
from damier.plugins.classroom.room import WIDEST

FOLDER = Path(__file__).parent
PAGES = ("class.md", "classe.md")
BLOCK = re.compile(r"^```(sh|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str, kind: str) -> list[str]:
    text = (FOLDER / page).read_text(encoding="utf-8")
    return [content for found, content in BLOCK.findall(text) if found == kind]


@pytest.mark.skipif(bool(no_isolation()), reason=f"no sandbox here: {no_isolation()}")
@pytest.mark.parametrize("page", shortly(PAGES, PAGES[0]))
def test_every_command_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    assert len(lines) == 4
    for line in lines:
        _damier, *arguments = shlex.split(line)
        if arguments[0] != "serve":
            assert run(build(), arguments) == 0
            continue
        command = [sys.executable, "-m", "damier", *arguments, "--port", "0"]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            said = [process.stdout.readline() for _line in range(3 if "--class" in line else 1)]
            process.terminate()
        assert all(said)
        if "--class" in line:
            assert re.search(r"/class — .*: [a-z2-9]{4}-[a-z2-9]{4}$", said[1].strip())
            assert re.search(r": [a-z2-9-]{19}$", said[2].strip())


@pytest.mark.parametrize("page", PAGES)
def test_the_sheet_of_a_page_is_one(page: str, tmp_path: Path) -> None:
    (text,) = blocks(page, "toml")
    path = tmp_path / "sheet.toml"
    path.write_text(text, encoding="utf-8")
    assert sheet(str(path)).items[0].is_open
    assert not any(item.is_open for item in sheet(str(path)).items[1:])


@pytest.mark.parametrize("page", PAGES)
def test_the_limits_of_a_page_are_those_of_the_code(page: str) -> None:
    text = (FOLDER / page).read_text(encoding="utf-8")
    limits = text[text.index("## Limit") :]
    numbers = [
        class_store.LARGEST >> 10,
        class_store.MOST_AN_HOUR,
        class_store.MOST_IN_ALL,
        class_store.MOST_STUDENTS,
        TRIES[1],
        WIDEST,
    ]
    numbers.append(class_store.MOST_RUNS)
    for number in numbers:
        assert re.search(rf"\b{number:g}\b", limits), number
    assert TRIES[0] == 0.5
    assert re.search(rf"\b{class_process.GAMES} (games|parties)\b", text)
    assert f"{class_check.LIMITS.seconds:g} s" in text
    assert f"{class_check.LIMITS.game_seconds:g} s" in text
