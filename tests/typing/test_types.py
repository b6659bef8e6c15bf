"""What the type checker refuses: a misspelt rule, a text for a state, an array of the wrong kind.

A type that protects nobody is none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
WRONG = HERE / "wrong_uses.py"
ROOT = HERE.parent.parent
ERROR = re.compile(r"wrong_uses\.py:(\d+): error: .*\[([a-z-]+)\]$", re.MULTILINE)


def expected() -> dict[int, set[str]]:
    """The codes that each line allows; one of them at least must be met."""
    lines = enumerate(WRONG.read_text(encoding="utf-8").splitlines(), 1)
    return {
        number: set(found[1].replace(" ", "").split(","))
        for number, line in lines
        if (found := re.search(r"# error: ([a-z, -]+)$", line))
    }


def test_wrong_uses_are_refused_and_right_ones_are_not() -> None:
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--no-pretty", str(WRONG)]
    paths = os.environ | {"MYPYPATH": "src"}
    done = subprocess.run(command, cwd=ROOT, env=paths, capture_output=True, text=True, check=False)
    found: dict[int, set[str]] = {}
    for line, code in ERROR.findall(done.stdout):
        found.setdefault(int(line), set()).add(code)
    wanted = expected()
    assert found.keys() == wanted.keys(), done.stdout + done.stderr
    assert {line: codes for line, codes in found.items() if not codes <= wanted[line]} == {}, done.stdout
