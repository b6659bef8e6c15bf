"""Nothing is imported that a sheet does not allow; read from the source, which does not run for it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES
from pathlib import Path

from damier.core.errors import AgentFault
from damier.core.words import message
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.submission import Submission
from damier.lab.python_source import read_source
from damier.lab.user_file import not_python

PYTHON = ".py"
COMPILED = (*BYTECODE_SUFFIXES, *EXTENSION_SUFFIXES)
"""Files that could be imported and that nobody can read."""
HIDDEN_DOORS = {"__import__", "__builtins__", "__globals__", "__loader__", "__subclasses__"}
BACK_DOORS = {"eval", "exec", "compile", "open"} | HIDDEN_DOORS
"""Names by which a file could import what it does not say; the hidden ones as attributes too. There are
others: this is a sign for honest people, what holds the others is the sandbox.
"""


@dataclass(frozen=True)
class ImportsItem:
    """allowed  the modules that may be imported; their parts may be too"""

    allowed: tuple[str, ...]

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        files = submission.files()
        own = {Path(place).parts[0].removesuffix(PYTHON) for place in files}
        for place, path in (files or {submission.main.name: submission.main}).items():
            if place.endswith(COMPILED):
                return self._refusal(place, 1, place)
            if not place.endswith(PYTHON):
                continue
            if found := self._forbidden(read_source(path), place, own):
                return found
        return Finding(True, message("only what is allowed is imported"))

    def _forbidden(self, source: str, place: str, own: set[str]) -> Finding | None:
        """The first thing in a source that is not allowed. `own`: the modules of the same folder."""
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            raise AgentFault(not_python(place, error)) from None
        except (ValueError, RecursionError, MemoryError) as error:
            kind = type(error).__name__
            raise AgentFault(
                message("{file}: Python cannot read it ({kind})", file=place, kind=kind)
            ) from None
        for node in ast.walk(tree):
            for name in named(node):
                if name in BACK_DOORS or not (name.split(".")[0] in own or self._allows(name)):
                    return self._refusal(place, getattr(node, "lineno", 1), name)
        return None

    def _refusal(self, place: str, line: int, name: str) -> Finding:
        said = message(
            "{file}:{line}: {name} is not allowed here; allowed: {names}",
            file=place,
            line=line,
            name=name,
            names=" ".join(self.allowed),
        )
        return Finding(False, said)

    def _allows(self, name: str) -> bool:
        return any(name == module or name.startswith(f"{module}.") for module in self.allowed)


def named(node: ast.AST) -> list[str]:
    """The modules that a node imports, and the back doors that it names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    if isinstance(node, ast.Name) and node.id in BACK_DOORS:
        return [node.id]
    if isinstance(node, ast.Attribute) and node.attr in HIDDEN_DOORS:
        return [node.attr]
    return []
