"""The games in the guides are real files: each code block that opens with `# NAME.py` is written to
a folder, where its doctests run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BLOCK = re.compile(r"^```python\n(# (\w+\.py)\n.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def games_of_the_page(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.node.path.suffix == ".md":
        for code, name in BLOCK.findall(request.node.path.read_text(encoding="utf-8")):
            (tmp_path / name).write_text(code, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
