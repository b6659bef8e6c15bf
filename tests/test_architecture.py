"""The house has walls: which room may import which, who may name Numba, and no call that can
execute data.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "damier"

MIDDLE = {"games", "search", "trees", "solve", "learn", "arena", "agents", "draw"}
ALLOWED = {room: {"core", room} for room in MIDDLE} | {
    "core": {"core"},
    "lab": {"core", "lab", *MIDDLE},
    "cli": {"core", "lab", "web", "cli", *MIDDLE},
    "web": {"core", "lab", "web", *MIDDLE},
    "interop": {"core", "lab", "interop", *MIDDLE},
    "plugins": {"core", "lab", "cli", "web", "plugins", "interop", *MIDDLE},
}
ENGINES = {"core.compile", "core.arrays", "learn.qtable", "learn.beads", "learn.q", "learn.v", "learn.mean"}
"""What runs engines, and the arrays that they read: pages ask `lab`, which knows them."""
MAY_NAME_NUMBA = {"core/bits.py", "core/machine_code.py"} | {
    f"core/numba_{part}.py" for part in ("adapter", "moves", "pipeline", "sets")
}
MAY_UNPICKLE = {"core/machine_code.py"}  # what its own code says of an error, once that code runs
MAY_IMPORT_BY_NAME = {"__init__.py", "lab/plugins.py", "lab/user_file.py"}
"""Where a name becomes a module: of the public names, of the tables of games and agents and of entry
points, of a user's file (decision 26).
"""
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml"}


def imported(nodes: Iterable[ast.AST]) -> list[str]:
    """Every module that a file imports, also inside functions."""
    names = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def files(*folders: str) -> Iterator[tuple[str, list[str], list[ast.AST]]]:
    """Each file of the source, or of some folders of it: its name, what it imports, and its nodes."""
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not folders or name.startswith(folders):
            yield name, *read(path)


@functools.cache
def read(path: Path) -> tuple[list[str], list[ast.AST]]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return imported(nodes), nodes


def test_a_room_imports_only_what_it_may() -> None:
    wrong = []
    for file, names, _nodes in files():
        for name in names:
            top, *rest = name.split(".")
            if top == "damier" and rest and "/" in file and (SOURCE / rest[0]).is_dir():
                may = rest[0] in ALLOWED[file.split("/")[0]]
            elif top in ("numba", "llvmlite"):
                may = file in MAY_NAME_NUMBA
            else:
                may = top not in FORBIDDEN_MODULES or file in MAY_UNPICKLE
            if not may:
                wrong.append(f"{file} imports {name}")
    assert wrong == []


def test_no_plug_in_imports_another() -> None:
    wrong = [
        f"{file} imports {name}"
        for file, names, _nodes in files("plugins/")
        for name in names
        if name.startswith("damier.plugins.") and name.split(".")[2] != file.split("/")[1]
    ]
    assert wrong == []


def test_nothing_imports_the_board_of_notebooks() -> None:
    """It stands above all rooms, and needs packages that only a notebook has."""
    assert [file for file, names, _nodes in files() if any("damier.notebook" in name for name in names)] == []


def test_no_page_opens_an_engine() -> None:
    wrong = [
        f"{file} imports {name}"
        for file, names, _nodes in files("web/")
        for name in names
        if any(f"{name}.".startswith(f"damier.{module}.") for module in ENGINES)
    ]
    assert wrong == []


def test_what_commands_and_pages_say_has_a_type() -> None:
    assert [file for file, names, _nodes in files("cli/", "web/") if "typing.Any" in names] == []


def test_no_call_can_execute_data() -> None:
    calls = [
        f"{file}:{node.lineno} calls {node.func.id}"
        for file, _names, nodes in files()
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
    ]
    pickles = [
        f"{file}:{node.value.lineno} allows pickles"
        for file, _names, nodes in files()
        for node in nodes
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle"
    ]
    assert calls + pickles == []


def test_a_name_becomes_a_module_only_where_it_is_looked_up_first() -> None:
    by_name = {"importlib.import_module", "importlib.util", "importlib"}
    assert {file for file, names, _nodes in files() if by_name & set(names)} <= MAY_IMPORT_BY_NAME


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions and for types count too: who reads a file of a circle has to read all."""
    imports = {module_of(file): names for file, names, _nodes in files()}
    needed = {
        module: {name if name in imports else name.rpartition(".")[0] for name in names}
        & imports.keys() - {module}
        for module, names in imports.items()
    }
    while True:  # what needs nothing that is left, or is needed by nothing that is left, is in no circle
        needing = {module for found in needed.values() for module in found}
        left = {module: found & needed.keys() for module, found in needed.items() if module in needing}
        left = {module: found for module, found in left.items() if found}
        if left == needed:
            break
        needed = left
    assert not needed, f"circles of imports among {sorted(needed)}"


def module_of(file: str) -> str:
    """The name under which a file is imported."""
    return f"damier.{file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")
