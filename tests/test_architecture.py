"""The house has walls: which room may import which, who may name Numba, and no call that can
execute data.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "damier"
FILES = sorted(SOURCE.rglob("*.py"))

MIDDLE = {"games", "search", "trees", "solve", "learn", "arena", "agents", "draw"}
ALLOWED = {room: {"core", room} for room in MIDDLE} | {
    "core": {"core"},
    "lab": {"core", "lab", *MIDDLE},
    "cli": {"core", "lab", "web", "cli", *MIDDLE},
    "web": {"core", "lab", "web", *MIDDLE},
}
ENGINES = {"core.compile", "core.arrays", "learn.qtable", "learn.beads", "learn.q", "learn.v", "learn.mean"}
"""What runs engines, and the arrays that they read: pages ask `lab`, which knows them."""
MAY_NAME_NUMBA = {"core/bits.py", "core/machine_code.py"} | {
    f"core/numba_{part}.py" for part in ("adapter", "bits", "moves", "pipeline", "sets")
}
MAY_UNPICKLE = {"core/machine_code.py"}  # what its own code says of an error, once that code runs
MAY_IMPORT_BY_NAME = {"__init__.py", "lab/games.py", "lab/user_file.py", "web/verbs.py"}
"""Where a name becomes a module: of the public names, of the folder of games, of a user's file, of
the table of verbs (decision 26).
"""
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml"}


def imported(tree: ast.AST) -> list[str]:
    """Every module that a file imports, also inside functions."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    relative = path.relative_to(SOURCE)
    tree = ast.parse(path.read_text())
    for name in imported(tree):
        top, *rest = name.split(".")
        if top == "damier" and rest and len(relative.parts) > 1 and (SOURCE / rest[0]).is_dir():
            assert rest[0] in ALLOWED[relative.parts[0]], f"{relative} imports {name}"
        if top in ("numba", "llvmlite"):
            assert relative.as_posix() in MAY_NAME_NUMBA, f"{relative} names {top}"
        assert top not in FORBIDDEN_MODULES or relative.as_posix() in MAY_UNPICKLE, (
            f"{relative} imports {name}"
        )


@pytest.mark.parametrize("path", sorted((SOURCE / "web").rglob("*.py")), ids=lambda path: path.stem)
def test_no_page_opens_an_engine(path: Path) -> None:
    names = imported(ast.parse(path.read_text()))
    opened = {module for module in ENGINES for name in names if f"{name}.".startswith(f"damier.{module}.")}
    assert not opened, f"{path.relative_to(SOURCE)} knows engines: {opened}"


TYPED = [path for path in FILES if path.relative_to(SOURCE).parts[0] in ("cli", "web")]


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_what_commands_and_pages_say_has_a_type(path: Path) -> None:
    assert "typing.Any" not in imported(ast.parse(path.read_text()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_call_can_execute_data(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, f"{path}:{node.lineno} calls {node.func.id}"
        assert not (isinstance(node, ast.keyword) and node.arg == "allow_pickle"), (
            f"{path}:{node.value.lineno} allows pickles"
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_name_becomes_a_module_only_where_it_is_looked_up_first(path: Path) -> None:
    if path.relative_to(SOURCE).as_posix() not in MAY_IMPORT_BY_NAME:
        assert not {"importlib.import_module", "importlib.util", "importlib"} & set(
            imported(ast.parse(path.read_text()))
        )
