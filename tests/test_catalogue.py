"""Whoever reads damier in French reads French: every sentence is marked, translated, and the
translation is the one that damier loads.
"""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator

import pytest
from catalogue import LOCALE, MARKS, SOURCE, faults, languages, sentences

from damier.core import errors
from damier.core.words import languages as spoken_languages

TEMPLATES = sorted(SOURCE.rglob("templates/*.html"))
ERRORS = {name for name, value in vars(errors).items() if isinstance(value, type)}
SHOWS = {*ERRORS, "say", "remark", "note", "table", "label", "line", "heading", "document"}
"""What shows people its first argument."""
SHOWN_BY_NAME = {"help", "title", "desc", "description", "summary"}
WORD = re.compile(r"[^\W\d_]{2,}")
PHRASE = re.compile(r"[^\W\d_]{2,},? [^\W\d_]{2,}")
NO_SENTENCES = {
    "cli/tictactoe.py": {"-t ", "$ ./tictactoe"},  # command lines
    "__init__.py": {"module "},  # as Python says it
    "agents/languages.py": {"Agent(name"},  # Java
    "cli/live.py": {"bold white on red"},  # a style
    "cli/main.py": {"damier "},  # command lines
    "interop/openspiel.py": {"Available games"},  # in an error of OpenSpiel
    "plugins/engines/commands.py": {"info string"},  # words of UCI
    "plugins/classroom/room.py": {"def play(", "return position"},  # an agent
    "core/compile.py": {"Failed in"},  # in messages of Numba
    "core/runtime.py": {"X86_V4", "cpu family"},  # words of NumPy and of Linux
    "core/hooks.py": {""},  # for who writes games: docs/add_a_game.md, which is English
    "core/json_types.py": {"bool | int"},  # a type
    "core/numba_adapter.py": {"NRT required but not enabled"},
    "core/rules.py": {"belongs to no game yet"},  # for who writes engines
    "draw/graph.py": {"node [shape=box"},
    "draw/svg.py": {".damier text {", '"DejaVu', "@media screen {"},
    "plugins/course/s1.py": {  # what the program of document [S1] prints, and its calls
        "pip install",
        "damier graph",
        "Renforcement de",
        "Joueur",
        "Restant",
        "choisi",
        "Entrez le nombre",
        "Erreur saisie",
        "min:1",
        "(setq",
        "(explore",
        "(dotimes",
        "(aff",
        "(successeurs",
        "(Randomsuccesseurs",
        "(JeuJoueur",
        "(renforcement",
    },
    "plugins/course/s0.py": {"player1=", "damier train"},
    "plugins/course/s3.py": {"Agent", ": % de victoire", "var "},  # what the page of document [S3] prints
    "plugins/course/s4.py": {"./tictactoe"},  # commands as the documents print them, here and below
    "plugins/engines/engine.py": {"--mode gtp", ""},  # answers of GTP, which are English, and words of UCI
    "search/running.py": {"search code"},  # the name of a piece of code
    "trees/replay.py": {"max|", "value|"},  # the pseudo-code of document [S2]
    "solve/dispatch.py": {"unreachable: "},
    "solve/grade.py": {"action_probabilities is bound by weights_of"},  # for who writes engines
    "web/training_pair.py": {"greedy softmax"},  # names of policies
    "web/rooms/training_room.py": {"d-ink drawn"},  # a class of a style
    "web/gate.py": {"Accept-Language, Cookie"},
    "plugins/engines/uci.py": {"setoption name", "position startpos", "position fen", "info depth"},
    "arena/store.py": {
        "BEGIN IMMEDIATE",
        "PRAGMA",
        "SELECT",
        "CREATE TABLE",
        "INSERT INTO",
        "",
    },
    "draw/picture_files.py": {'"Liberation', "<text class", "import sys, vl_convert"},
    "plugins/course/sheet.py": {
        "pip install",
        "player",
        "(setq",
        "(explore",
        "(dotimes",
        "(aff",
        "max-value",
        "get_state",
        "demo",
        "./tictactoe",
        "id(",
        "player1=",
        "//player1=",
        "1 * 6561",
        "var ",
        "make run",
    },
}
"""Texts of several words, or their beginnings, that no reader of damier meets."""


@pytest.mark.parametrize("language", languages())
def test_the_translation_is_whole_and_compiled(language: str) -> None:
    assert list(faults(language)) == [], "scripts/catalogue brings the translations up to date"


def test_there_is_french_and_damier_finds_what_there_is() -> None:
    assert "fr" in languages()
    assert list(spoken_languages()) == ["en", *languages()]
    assert all((LOCALE / language).is_dir() for language in languages())


def test_the_sources_are_full_of_marked_sentences() -> None:
    assert len(sentences()) > 700


@pytest.fixture(scope="module")
def files() -> Iterator[dict[str, list[ast.AST]]]:
    """The nodes of each file of the source, by its name: whoever looks at them walks once. Nobody looks for
    garbage among them, which takes longer than to read them.
    """
    gc.disable()
    try:
        yield {
            path.relative_to(SOURCE).as_posix(): list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            for path in sorted(SOURCE.rglob("*.py"))
        }
    finally:
        gc.enable()


def test_no_sentence_is_left_unmarked(files: dict[str, list[ast.AST]]) -> None:
    bare = []
    for file, nodes in files.items():
        allowed = tuple(NO_SENTENCES.get(file, ()))
        bare += [
            (f"{file}:{node.lineno}", text)
            for node, text in literals(nodes)
            if PHRASE.search(read(text)) and not text.strip().startswith(allowed)
        ]
        bare += [
            (f"{file}:{getattr(node, 'lineno', 0)}", text) for node in nodes for text in shown_bare(node)
        ]
    assert bare == [], "_() or N_() around what people read"


def test_no_sentence_of_a_page_is_left_unmarked() -> None:
    bare = {path.name: bare_in(path.read_text(encoding="utf-8")) for path in TEMPLATES}
    assert {name: texts for name, texts in bare.items() if texts} == {}


def test_what_a_person_reads_is_translated_when_it_is_shown(files: dict[str, list[ast.AST]]) -> None:
    """A text translated at import has the language of whoever started the process.

    Only the command line, which has one reader, may do so.
    """
    early = []
    for file, nodes in files.items():
        if "cli" in file.split("/")[-2:-1] or file.endswith(("/commands.py", "_command.py")):
            continue
        inside = {
            id(inner)
            for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            for inner in of_its_body(node)
        }
        early += [
            f"{file}:{node.lineno}"  # type: ignore[attr-defined]
            for node in nodes
            if called(node) in {"_", "ngettext", "grouped", "message", "plural"} and id(node) not in inside
        ]
    assert early == [], "N_() where the text stands, _() where it is shown"


def test_thousands_are_grouped_as_the_reader_does(files: dict[str, list[ast.AST]]) -> None:
    commas = [
        f"{file}:{node.lineno}"
        for file, nodes in files.items()
        for node in nodes
        if isinstance(node, ast.FormattedValue) and node.format_spec and "," in ast.unparse(node.format_spec)
    ]
    assert [place for place in commas if "words.py" not in place] == [], "grouped(n) instead of {n:,}"


def test_an_error_is_put_into_words_where_it_is_shown(files: dict[str, list[ast.AST]]) -> None:
    early = [
        f"{file}:{node.lineno}"
        for file, nodes in files.items()
        for node in nodes
        if called(node) in ERRORS and called(node.args[0] if node.args else node) in {"_", "ngettext"}  # type: ignore[attr-defined]
    ]
    assert early == [], "message() or plural() in errors"


def test_the_test_itself_sees_what_is_unmarked() -> None:
    code = (
        'def f():\n    "A docstring may say."\n    raise BadInput(f"{x} wrong")\n    say("here")\n    y ='
        ' "two words"\n    return _("all well")\n'
    )
    nodes = list(ast.walk(ast.parse(code)))
    assert [text for _node, text in literals(nodes) if PHRASE.search(text)] == ["two words"]
    assert [text for node in nodes for text in shown_bare(node)] == [" wrong", "here"]
    assert bare_in(
        "<p>bare</p><code>not this</code><i title=\"to be read\">{{ _('said') }}</i><br>{% if x %}<b>·"
        " damier</b>"
    ) == ["to be read", "bare"]


def literals(nodes: list[ast.AST]) -> Iterator[tuple[ast.Constant | ast.JoinedStr, str]]:
    """The texts of a file, without docstrings and without what is marked."""
    apart = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    apart |= {id(argument) for node in nodes if called(node) in MARKS for argument in node.args}  # type: ignore[attr-defined]
    apart |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if (
            isinstance(node, (ast.Constant, ast.JoinedStr))
            and id(node) not in apart
            and (text := text_of(node))
        ):
            yield node, text


def shown_bare(node: ast.AST) -> Iterator[str]:
    """Words that a call shows to people as they stand in the source."""
    if isinstance(node, ast.Call):
        shown = node.args[:1] if called(node) in SHOWS else []
        shown = [
            *shown,
            *(element for argument in shown if isinstance(argument, ast.Tuple) for element in argument.elts),
        ]
        shown += [keyword.value for keyword in node.keywords if keyword.arg in SHOWN_BY_NAME]
        texts = [
            text_of(argument) for argument in shown if isinstance(argument, (ast.Constant, ast.JoinedStr))
        ]
        yield from (text for text in texts if WORD.search(read(text)))


def read(text: str) -> str:
    """What a person reads of a text: no markup, no type in quotes, no name of ours."""
    return "" if re.match(r"\w+\[.*\]", text) else re.sub(r"<[^>]*>?|\bdamier\b", "", text)


def bare_in(page: str) -> list[str]:
    """The words of a template that stand there as they are, in the text and in what is read aloud
    or shown of it.
    """
    said = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", page, flags=re.DOTALL)
    shown = re.findall(r'\b(?:alt|title|placeholder|aria-label)="([^"]*)"', said)
    shown += re.sub(r"<(script|style|code)\b.*?</\1>|<[^>]*>", "\n", said, flags=re.DOTALL).splitlines()
    return [
        text.strip()
        for text in shown
        if "=" not in text and WORD.search(re.sub(r"\b(damier|minimax|Agent[AB]?\.txt)\b", "", text))
    ]


def text_of(node: ast.Constant | ast.JoinedStr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(
        part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def called(node: ast.AST) -> str:
    """The name of the function that a call calls."""
    if not isinstance(node, ast.Call):
        return ""
    return (
        node.func.id
        if isinstance(node.func, ast.Name)
        else node.func.attr
        if isinstance(node.func, ast.Attribute)
        else ""
    )


def of_its_body(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    for part in node.body if isinstance(node.body, list) else [node.body]:
        yield from ast.walk(part)
