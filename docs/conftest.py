"""The files in the guides are real files: each code block that opens with `# NAME.py`, or `.toml`,
is written to a folder, where its doctests run.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent / "tests"
if str(TESTS) not in sys.path:  # where a page is tested alone
    sys.path.insert(0, str(TESTS))

BLOCK = re.compile(r"^```(?:python|toml)\n(# (\w+\.(?:py|toml))\n.*?)^```$", re.MULTILINE | re.DOTALL)
LONG = ("write_an_agent.md", "lessons/pacman.md", "lessons/search.md")
"""Pages whose examples train, grade or compile for long what other tests do in small; of agents, the French
page is in every run.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Marks them, before those that are marked are left out."""
    pages = [Path(__file__).parent / page for page in LONG]
    for item in items:
        if item.path in pages:
            item.add_marker(pytest.mark.long)


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
