"""The files in the guides are real files: each code block that opens with `# NAME.py`, or `.toml`,
is written to a folder, where its doctests run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```(?:python|toml)\n(# (\w+\.(?:py|toml))\n.*?)^```$", re.MULTILINE | re.DOTALL)


def write_files(page: Path, folder: Path) -> None:
    """Writes the files that stand in a page to a folder."""
    for code, name in BLOCK.findall(page.read_text(encoding="utf-8")):
        (folder / name).write_text(code, encoding="utf-8")


@pytest.fixture
def page_files() -> Callable[[Path, Path], None]:
    """What writes the files that stand in a page to a folder."""
    return write_files


@pytest.fixture(autouse=True)
def games_of_the_page(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.node.path.suffix == ".md":
        write_files(request.node.path, tmp_path)
        monkeypatch.chdir(tmp_path)
