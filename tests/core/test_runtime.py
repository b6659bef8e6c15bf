"""Processes that damier starts: nothing that lies in the current folder runs in them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from damier.core.runtime import python


def test_a_module_in_the_current_folder_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "jinja2.py").write_text("raise SystemExit('code of the current folder ran')")
    done = subprocess.run(
        python("-c", "import damier, jinja2"), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_every_process_of_python_is_started_so() -> None:
    """No other file knows where this Python lies."""
    home = Path(__file__).parents[2] / "src" / "damier"
    assert [path.name for path in home.rglob("*.py") if "sys.executable" in path.read_text()] == [
        "runtime.py"
    ]
