"""One word, one meaning: no two modules define the same class name, so that a reader who searches for a class
finds one. Docstrings say what a thing does, or is. What docstrings, comments and pages name is there.
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
COMMENT = re.compile(r"(?:^ *|  )# .*$", re.MULTILINE)
SESSION = re.compile(r" *(?:>>>|\.\.\.) ")
WORD = re.compile(r"[A-Za-z_]\w*")
LISTED = re.compile(r"^(?:Attributes|Args):\n((?:    .*\n?|\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^    (\w+(?:, \w+)*):", re.MULTILINE)
"""The fields of a class, or the parameters of a function, that its docstring tells one by one."""
QUOTED = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?`")
"""A name between backquotes, alone: a module, a class, a function, or what is in one."""
OF_OTHERS = {"literal_unroll", "e1g1", "e2e4", "e7e8q", "g1f3", "ghost1", "damier_NAME"}
"""Names of Numba and of moves, and one that is made: a feature for each ghost, a game for each name."""
FILE = re.compile(r"(?<![\w./-])((?:[\w-]+/)+[a-z_0-9][\w-]*\.(?:py|js|html))(?:: (\w+))?(?!\w)")
"""The path of a file, and what is in it, as in `core/codes.py: put_code`."""
MODULE = re.compile(r"(?<![\w./-])damier\.([a-z_0-9]+(?:\.[a-z_0-9]+)+)(?![\w./])")
DECISION = re.compile(
    r"\[(?:\w+ )?(\d+)\]\((?:[\w./]*/)?(\d{4})-[\w-]+\.md\)|docs/decisions/(\d{4})|\(decision (\d+)\)"
)
"""A decision by its number, as a link or alone."""
INVENTED = (
    "path/to/",
    "bob/",
    "ann/",
    "anne/",
    "folder/",
    "nim/",
    "games/mine",
    "agents/mine",
    "marks/",
    "corrections/",
)
"""Files of readers, as they are called in examples."""


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


def test_docstrings_list_fields_and_parameters_that_there_are(trees: dict[str, ast.Module]) -> None:
    nodes = [(name, node) for name, tree in trees.items() for node in ast.walk(tree)]
    classes = {node.name: node for _name, node in nodes if isinstance(node, ast.ClassDef)}
    wrong = []
    for name, node in nodes:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for listed in LISTED.findall(ast.get_docstring(node) or ""):
            there = {part for owner in with_bases(node, classes) for part in members(owner)}
            said = {part for entry in ENTRY.findall(listed) for part in entry.split(", ")}
            wrong += [f"{name}: {node.name}: {part}" for part in sorted(said - there)]
    assert wrong == []


def with_bases(node: ast.AST, classes: dict[str, ast.ClassDef]) -> Iterator[ast.AST]:
    """A class and those that it is made from; anything else alone."""
    yield node
    for base in node.bases if isinstance(node, ast.ClassDef) else ():
        name = ast.unparse(base).partition("[")[0].rpartition(".")[2]
        if name in classes and classes[name] is not node:
            yield from with_bases(classes[name], classes)


def members(owner: ast.AST) -> Iterator[str]:
    """Every name that stands in a class or a function as a field, a parameter or a function."""
    for node in ast.walk(owner):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


@pytest.fixture(scope="module")
def texts(trees: dict[str, ast.Module]) -> dict[str, tuple[str, str]]:
    """What each file of the source says to its readers, in docstrings and comments, and the rest of it."""
    return {name: parted((SOURCE / name).read_text(encoding="utf-8"), tree) for name, tree in trees.items()}


def parted(text: str, tree: ast.Module) -> tuple[str, str]:
    """The docstrings, without the sessions in them, and comments of a file; and its code."""
    lines, said = text.splitlines(), COMMENT.findall(text)
    bodies: list[list[ast.stmt]] = [tree.body]
    while bodies:
        for node in bodies.pop():
            if isinstance(
                node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.With | ast.Try
            ):
                bodies.append(node.body)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                said += [line for line in str(node.value.value).splitlines() if not SESSION.match(line)]
                lines[node.lineno - 1 : node.end_lineno] = [""] * (
                    int(node.end_lineno or 0) - node.lineno + 1
                )
    return "\n".join(said), COMMENT.sub("", "\n".join(lines))


def test_docstrings_and_comments_name_what_there_is(texts: dict[str, tuple[str, str]]) -> None:
    known = {part for name in texts for part in re.split(r"[/.]", name)} | set(OF_OTHERS)
    for _said, code in texts.values():
        known |= set(WORD.findall(code))
    wrong = [
        f"{name}: {quoted}"
        for name, (said, _code) in texts.items()
        for quoted in QUOTED.findall(said)
        if not known.issuperset(quoted.split(".")) or not is_inside(quoted, texts)
    ]
    assert wrong == []


def test_docstrings_and_comments_point_elsewhere_and_to_what_a_reader_has(
    texts: dict[str, tuple[str, str]],
) -> None:
    """No file says of something that it stands in that file; nor cites notes that are not in the project."""
    wrong = []
    for name, (said, _code) in texts.items():
        module = name.removesuffix(".py").replace("/", ".")
        wrong += [
            f"{name}: {own}"
            for own in (name, module, f"damier.{module}")
            if f"`{own}`" in said and "/" in name
        ]
        wrong += [f"{name}: {notes}" for notes in re.findall(r"\bspec [A-D]\b|\bissue [A-Z]\b", said)]
    assert wrong == []


def test_pages_and_docstrings_name_files_that_there_are(texts: dict[str, tuple[str, str]]) -> None:
    pages = [page for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md") for page in ROOT.glob(pattern)]
    said = {SOURCE / name: text for name, (text, _code) in texts.items()}
    said |= {page: page.read_text(encoding="utf-8") for page in pages}
    wrong = []
    for path, text in said.items():
        name = path.relative_to(ROOT).as_posix()
        for file, inner in FILE.findall(text):
            places = (above / file for above in (ROOT, SOURCE, ROOT / "tests", *path.parents))
            place = next((place for place in places if place.is_file()), None)
            if file.startswith(INVENTED):
                continue
            if place is None or not re.search(rf"(?:\b|test_){inner}\b", place.read_text(encoding="utf-8")):
                wrong.append(f"{name}: {file} {inner}".rstrip())
        wrong += [f"{name}: {module}" for module in MODULE.findall(text) if not is_inside(module, texts)]
    assert wrong == []


def test_decisions_are_called_by_their_numbers(texts: dict[str, tuple[str, str]]) -> None:
    there = {int(page.name[:4]) for page in (ROOT / "docs" / "decisions").glob("0*.md")}
    said = {name: text for name, (text, _code) in texts.items()}
    said |= {
        str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md")
    }
    named = [
        (name, {int(part) for part in found if part})
        for name in said
        for found in DECISION.findall(said[name])
    ]
    assert len(named) > 40
    assert [(name, numbers) for name, numbers in named if len(numbers) > 1 or not numbers <= there] == []


def is_inside(named: str, texts: dict[str, tuple[str, str]]) -> bool:
    """Whether a name that begins with a room goes on with something that is in it."""
    room, *rest = named.split(".")
    if not rest or not (SOURCE / room).is_dir():
        return True
    place = SOURCE / room / rest[0]
    return place.is_dir() or place.with_suffix(".py").is_file() or rest[0] in texts[f"{room}/__init__.py"][1]
