"""Whether an agent in a file may learn, as far as its text shows it: nothing of it runs."""

from __future__ import annotations

import ast
from collections.abc import Collection
from pathlib import Path

from damier.agents.own import CHOOSING, LEARNING
from damier.core.errors import BadFile
from damier.lab.python_source import read_source

LEARNS, PLAYS = (*LEARNING, "end"), (*CHOOSING, "policy")


def may_learn(path: Path, wanted: str = "") -> bool:
    """Whether the agent `wanted` of a file, or its only one, may have a method that learns.

    Where the text does not show it (a class with a base, a factory, a file that cannot be read) it
    may: who asks it to learn is told more.
    """
    try:
        body = ast.parse(read_source(path)).body
    except (BadFile, SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    if wanted in PLAYS or (not wanted and defines(body, PLAYS)):
        return defines(body, LEARNS)
    classes = [found for found in body if isinstance(found, ast.ClassDef) and wanted in ("", found.name)]
    return not classes or any(found.bases or defines(found.body, LEARNS) for found in classes)


def defines(body: list[ast.stmt], names: Collection[str]) -> bool:
    """Whether one of these statements defines a function of one of these names."""
    return any(isinstance(found, ast.FunctionDef) and found.name in names for found in body)
