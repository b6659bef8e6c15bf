"""Nothing is imported that a sheet does not allow; read from the source, which does not run for it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from damier.core.errors import AgentFault
from damier.core.files import read_text
from damier.core.words import _
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.submission import Submission

LARGEST = 1 << 20
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
        source = read_text(submission.path, LARGEST)
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise AgentFault(f"{submission.path.name}: {type(error).__name__}") from None
        for node in ast.walk(tree):
            for name in named(node):
                if name in BACK_DOORS or not self._allows(name):
                    return Finding(
                        False,
                        _(
                            "{file}:{line}: {name} is not allowed here; allowed: {names}",
                            file=submission.path.name,
                            line=getattr(node, "lineno", 1),
                            name=name,
                            names=" ".join(self.allowed),
                        ),
                    )
        return Finding(True, _("only what is allowed is imported"))

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
