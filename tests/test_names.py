"""One word, one meaning: no two modules define the same class name, so that a reader who searches for a class
finds one. Docstrings say what a thing does, or is.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "damier"
QUESTION = re.compile(r"(What|Who|Whom|Whose|How|Whether|Where|The same|Which|When|Why)\b")
"""How a docstring does not begin: these ask, or look back."""


def test_every_class_is_defined_once() -> None:
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.relative_to(SOURCE).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    wrong = [
        f"{path.relative_to(SOURCE)}: {said.splitlines()[0]}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds) and (said := ast.get_docstring(node)) and QUESTION.match(said)
    ]
    assert wrong == []
