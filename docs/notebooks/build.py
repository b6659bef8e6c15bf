"""Write the notebooks of both languages from `notebooks.toml`, without outputs."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = "language"
"""The id of the cell by which damier speaks French."""
SPEAK = {"code": 'from damier.core.words import speak\n\nspeak("fr")', "id": LANGUAGE}


def sources() -> list[dict[str, Any]]:
    """Return the notebooks as `notebooks.toml` tells them."""
    found = tomllib.loads((FOLDER / "notebooks.toml").read_text(encoding="utf-8"))
    return list(found["notebook"])


def notebook(source: dict[str, Any], language: str) -> dict[str, Any]:
    """A notebook in one of the languages."""
    title, *rest = source["cell"]
    cells = [cell_of(cell, language) for cell in [title, *([SPEAK] if language == "fr" else []), *rest]]
    for number, cell in enumerate(cells):
        cell.setdefault("id", f"cell-{number}")
    return {"cells": cells, "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}


def cell_of(cell: dict[str, Any], language: str) -> dict[str, Any]:
    """A cell of code, or of text in one of the languages."""
    text = cell["code" if "code" in cell else language].strip("\n")
    made: dict[str, Any] = {"metadata": {}, "source": text.splitlines(keepends=True)}
    if "id" in cell:
        made["id"] = cell["id"]
    if "code" in cell:
        return made | {"cell_type": "code", "execution_count": None, "outputs": []}
    return made | {"cell_type": "markdown"}


def written() -> Iterator[tuple[Path, str]]:
    """The path and the content of every notebook."""
    for source in sources():
        for language in ("en", "fr"):
            content = json.dumps(notebook(source, language), ensure_ascii=False, indent=1, sort_keys=True)
            yield FOLDER / language / f"{source[language]}.ipynb", content + "\n"


if __name__ == "__main__":
    for path, content in written():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
