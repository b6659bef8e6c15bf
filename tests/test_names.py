"""One word, one meaning: no two modules define the same class name, so that a reader who searches for a class
finds one. Docstrings say what a thing does, or is.
"""

from __future__ import annotations

import ast
import gc
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "damier"
QUESTION = re.compile(r"(What|Who|Whom|Whose|How|Whether|Where|The same|Which|When|Why)\b")
"""How a docstring does not begin: these ask, or look back."""
COLUMNS = re.compile(r"^\w+(?:\(.*\)|(?:, \w+)*)[ ]{2,}\S", re.MULTILINE)
"""A name and what it is, side by side."""


@pytest.fixture(scope="module")
def trees() -> Iterator[dict[str, ast.Module]]:
    """Each file of the source, by its name. Nobody looks for garbage among them, which takes longer than to
    read them.
    """
    gc.disable()
    try:
        yield {
            path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted(SOURCE.rglob("*.py"))
        }
    finally:
        gc.enable()


def test_every_class_is_defined_once(trees: dict[str, ast.Module]) -> None:
    places = defaultdict(list)
    for name, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(name)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_docstrings_begin_with_a_verb_or_a_noun_and_list_fields_as_google_s_style_does(
    trees: dict[str, ast.Module],
) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    wrong = [
        f"{name}: {said.splitlines()[0]}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, kinds)
        and (said := ast.get_docstring(node))
        and (
            QUESTION.match(said)
            or (not isinstance(node, ast.Module) and COLUMNS.search(said.partition(">>>")[0]))
        )
    ]
    assert wrong == []


def test_scripts_and_benchmarks_import_what_there_is(trees: dict[str, ast.Module]) -> None:
    """No run of the tests calls all of them."""
    wrong = []
    for path in (*ROOT.glob("scripts/*"), *ROOT.glob("benchmarks/*.py")):
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if path.suffix != ".py" and not text.startswith("#!/usr/bin/env python3"):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("damier."):
                place = str(node.module).removeprefix("damier.").replace(".", "/")
                tree = trees.get(f"{place}.py") or trees[f"{place}/__init__.py"]
                there = names_in(tree)
                wrong += [
                    f"{path.name}: {node.module}.{alias.name}"
                    for alias in node.names
                    if alias.name not in there and f"{place}/{alias.name}.py" not in trees
                ]
    assert wrong == []


def names_in(tree: ast.Module) -> set[str]:
    """All names that a module gives to something."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found
