"""The notebooks are as `build.py` writes them, and every cell runs in a kernel and shows what it is to."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lasting import shortly

pytest.importorskip("ipykernel")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("anywidget")

FOLDER = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("build_notebooks", FOLDER / "build.py")
assert SPEC
assert SPEC.loader
build = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(build)
FORGET = "%reset -f\nfrom damier.core.words import speak\nspeak('en')"


def test_they_are_as_they_are_written() -> None:
    written = dict(build.written())
    for path, content in written.items():
        assert path.read_text(encoding="utf-8") == content, "python docs/notebooks/build.py writes them"
    assert set(written) == set(FOLDER.glob("*/*.ipynb"))
    assert len(written) == 12


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    """One kernel for all of them: each begins with nothing that another has named."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(FOLDER))
    yield manager
    manager.shutdown_kernel(now=True)


ALL = [(source, language) for source in build.sources() for language in ("en", "fr")]
OFTEN = [pair for pair in ALL if pair[1] == "en" or pair[0]["en"] == "first_steps"]
"""The French ones have the cells of the English ones: one of them shows that damier speaks French there."""


@pytest.mark.parametrize(
    ("source", "language"),
    shortly(ALL, *OFTEN),
    ids=lambda value: value["en"] if isinstance(value, dict) else value,
)
def test_every_cell_runs_and_shows_what_it_is_to(kernel: Any, source: dict[str, Any], language: str) -> None:
    import nbformat

    notebook = nbformat.read(FOLDER / language / f"{source[language]}.ipynb", 4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(FORGET, id=build.LANGUAGE))
    nbclient.NotebookClient(notebook, km=kernel, timeout=120, store_widget_state=False).execute()
    cells = [cell for cell in notebook.cells if cell.id != build.LANGUAGE]
    for told, cell in zip(source["cell"], cells, strict=True):
        shown = "".join(map(shown_by, cell.get("outputs", [])))
        assert [wanted for wanted in told.get("shows", []) if wanted not in shown] == [], cell.source
        assert "image/svg+xml" not in shown or "image/png" in shown, "not seen where it is not trusted"


def shown_by(output: dict[str, Any]) -> str:
    """What an output says, and the kinds of what it shows."""
    data = output.get("data", {})
    return f"{output.get('text', '')}{json.dumps(list(data))}{data.get('text/plain', '')}"
