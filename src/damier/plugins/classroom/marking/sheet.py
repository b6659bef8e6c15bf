"""A sheet: what a class is asked, as a TOML file.

    game = "tictactoe"
    title = {en = "Project 3", fr = "Projet 3"}

    [[stage]]                            # may be left out; then no item has one
    name = "minimax"
    text = {en = "The minimax agent", fr = "L'agent minimax"}
    write = {en = "…", fr = "…"}         # what is to be written in this stage, and where

    [[item]]
    name = "values"                      # letters, digits and - ; for files and JUnit
    kind = "values"                      # a key of KINDS
    points = 3
    seconds = 10                         # for all that this item asks; 10 if it does not say
    stage = "minimax"                    # to which it belongs, where there are any
    open = true                          # students are told at once how it stands; false if it does not say
    text = {en = "…", fr = "…"}          # what is asked, for students
    function = "minimax"                 # what its kind needs

Every kind is a function; its keyword parameters are the keys that it needs, of these types. One that has a
default may be left out.
"""

from __future__ import annotations

import re
import time
import tomllib
import typing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from pathlib import Path

from damier.agents.languages import Language, language_of
from damier.core.errors import BadFile, DamierError
from damier.core.files import read_text, reason
from damier.core.game import Game
from damier.core.words import SOURCE, Text, _, bounded, error_text, grouped, language, message, spaced
from damier.lab.agent_file import MAIN, PYTHON_FILE
from damier.lab.games import is_file, load
from damier.plugins.classroom.marking import agent_items, document_items, function_items
from damier.plugins.classroom.marking.answerer import GIVEN
from damier.plugins.classroom.marking.submission import ExactTruth, Finding, Submission

LARGEST = 1 << 20
BROUGHT = Path(__file__).parents[1] / "sheets"
"""Where the sheets are that damier brings."""
SECONDS = 10.0
LARGEST_NUMBER = 1_000_000
"""That a sheet may ask for: of games, say."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,60}")

KINDS: dict[str, Callable[..., Finding]] = {
    "apart": agent_items.check_apart,
    "beads": agent_items.check_beads,
    "best-moves": function_items.check_best_moves,
    "boxes": function_items.check_boxes,
    "calls": function_items.check_calls,
    "curve": agent_items.check_curve,
    "drawn": agent_items.check_drawn,
    "exploring": agent_items.check_exploring,
    "function": function_items.check_function,
    "grade": agent_items.check_grade,
    "greedy": agent_items.check_greedy,
    "imports": function_items.check_imports,
    "means": agent_items.check_means,
    "never-loses": agent_items.check_never_loses,
    "q-updates": agent_items.check_q_updates,
    "rewards": agent_items.check_rewards,
    "saved": agent_items.check_saved,
    "schedule": agent_items.check_schedule,
    "softmax": agent_items.check_softmax,
    "ties": agent_items.check_ties,
    "tree-search": function_items.check_tree_search,
    "typed": function_items.check_typed,
    "values": function_items.check_values,
    "drawn-from-list": document_items.check_drawn_from_list,
    "expanded": document_items.check_expanded,
    "game-over": document_items.check_game_over,
    "greedy-or-softmax": document_items.check_greedy_or_softmax,
    "last-of-equals": document_items.check_last_of_equals,
    "list-curve": document_items.check_list_curve,
    "list-games": document_items.check_list_games,
    "lists": document_items.check_lists,
    "main-program": document_items.check_main_program,
    "program": document_items.check_program,
    "reinforcement": document_items.check_reinforcement,
    "searches": document_items.check_searches,
    "softmax-drawn": document_items.check_softmax_drawn,
    "trained": document_items.check_trained,
    "v-updates": document_items.check_v_updates,
    "verbose": document_items.check_verbose,
}
"""What marks an item of each kind; it raises AgentFault for what the submission did instead of answering."""
REQUIREMENTS: dict[str, Callable[..., None]] = {
    "calls": function_items.require_moves,
    "function": function_items.require_given,
    "grade": agent_items.require_gradable,
    "main-program": document_items.require_numbers,
}
"""What raises DamierError where a sheet asks for what cannot be asked, which is no submission's fault: of the
kinds that not every game fits, or not every value that a sheet may give.
"""
OF_EVERY_ITEM = ("name", "kind", "points", "seconds", "open", "stage", "text")


@dataclass(frozen=True)
class Texts:
    """A text in several languages, English among them."""

    by_language: Mapping[str, str]

    def __str__(self) -> str:
        """In the language in force."""
        found = self.by_language.get(language())
        return self.by_language[SOURCE] if found is None else spaced(found)


@dataclass(frozen=True)
class SheetItem:
    """One line of a sheet: what is asked, what it is worth, how long it may take; whether students
    are told how it stands when they hand in (`is_open`).
    """

    name: str
    text: Texts
    points: float
    seconds: float
    kind: str
    values: Mapping[str, object]
    is_open: bool = False
    stage: str = ""


@dataclass(frozen=True)
class Stage:
    """A group of items that are written together; `write` says what is to be written, and where."""

    name: str
    text: Texts
    write: Texts


@dataclass(frozen=True)
class MarkingSheet:
    name: str
    title: Texts
    game: Game
    items: tuple[SheetItem, ...]
    stages: tuple[Stage, ...] = ()

    @property
    def points(self) -> float:
        """The most that can be had."""
        return sum(item.points for item in self.items)


def defaults_of(kind: str) -> dict[str, object]:
    """Return the keys of a kind, each with what is taken where it is left out: `Parameter.empty` where it may
    not be.
    """
    parameters = signature(KINDS[kind]).parameters.values()
    return {each.name: each.default for each in parameters if each.kind is Parameter.KEYWORD_ONLY}


def sheet(written: str) -> MarkingSheet:
    """The sheet of a name that damier brings, or of a path. Raises BadFile, in one line."""
    brought = {path.stem: path for path in sorted(BROUGHT.glob("*.toml"))}
    path = brought.get(written, Path(written))
    if not path.is_file():
        raise BadFile(
            message(
                "there is no sheet {name}; there is: {names}, or the path of one",
                name=written,
                names=" ".join(brought),
            )
        )
    try:
        data = tomllib.loads(read_text(path, LARGEST))
    except tomllib.TOMLDecodeError as error:
        raise BadFile(message("{path} is not TOML: {error}", path=path, error=str(error))) from None
    return Reader(path).sheet(data)


@dataclass(frozen=True)
class Reader:
    """Reads what a file says, and says where it is wrong."""

    path: Path

    def sheet(self, data: Mapping[str, object]) -> MarkingSheet:
        self._only(data, ("game", "title", "stage", "item"), "")
        listed = data.get("item")
        if not isinstance(listed, list) or not listed:
            raise self._wrong("item", _("one [[item]] or more"))
        items = tuple(self._item(each, f"item {number}") for number, each in enumerate(listed, 1))
        names = [item.name for item in items]
        for name in names:
            if names.count(name) > 1:
                raise BadFile(message("{path}: two items are called {name}", path=self.path, name=name))
        game = data.get("game")
        if not isinstance(game, str):
            raise self._wrong("game", _("a text"))
        title = self._texts(data, "title", "title")
        stages = self._stages(data.get("stage", []))
        names = [stage.name for stage in stages] or [""]
        for item in items:
            if item.stage not in names:
                raise self._wrong(f"{item.name}: stage", " ".join(names) or _("left out"))
        return MarkingSheet(self.path.stem, title, load(self._found(game)), items, stages)

    def _stages(self, listed: object) -> tuple[Stage, ...]:
        found = []
        for number, data in enumerate(listed if isinstance(listed, list) else [listed], 1):
            where = f"stage {number}"
            table = self._table(data, where)
            self._only(table, ("name", "text", "write"), where)
            name = self._name(table, where)
            texts = (self._texts(table, key, f"{name}: {key}") for key in ("text", "write"))
            found.append(Stage(name, *texts))
        return tuple(found)

    def _found(self, game: str) -> str:
        """A game as it is loaded: where it is a file, one that lies beside the sheet first."""
        if not is_file(game):
            return game
        name, ending, options = game.partition(PYTHON_FILE)
        beside = self.path.parent / (name + ending)
        return f"{beside}{options}" if beside.is_file() else game

    def _table(self, data: object, where: str) -> dict[str, object]:
        if not isinstance(data, dict):
            raise self._wrong(where, _("a table"))
        return data

    def _name(self, data: Mapping[str, object], where: str) -> str:
        name = data.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise self._wrong(f"{where}: name", _("letters, digits and -"))
        return name

    def _item(self, listed: object, where: str) -> SheetItem:
        data = self._table(listed, where)
        name, kind = self._name(data, where), data.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise self._wrong(f"{name}: kind", " ".join(KINDS))
        types, values = typing.get_type_hints(KINDS[kind], include_extras=True), defaults_of(kind)
        self._only(data, (*OF_EVERY_ITEM, *values), name)
        for key, default in values.items():
            if default is Parameter.empty or key in data:
                values[key] = self._value(data.get(key), types[key], f"{name}: {key}")
        takes = values.get("takes")
        if isinstance(takes, tuple) and not all(word in GIVEN or word.endswith("()") for word in takes):
            raise self._wrong(f"{name}: takes", " ".join([*GIVEN, "NAME()"]))
        return SheetItem(
            name,
            self._texts(data, "text", f"{name}: text"),
            self._above_0(data.get("points"), f"{name}: points"),
            self._above_0(data.get("seconds", SECONDS), f"{name}: seconds"),
            kind,
            values,
            bool(self._value(data.get("open", False), bool, f"{name}: open")),
            str(data.get("stage", "")),
        )

    def _value(self, value: object, kind: object, where: str) -> object:
        """A value, if it is of the type of a field."""
        if typing.get_origin(kind) is tuple:
            inner = typing.get_args(kind)[0]
            if not isinstance(value, list) or not value:
                raise self._wrong(where, _("a list"))
            return tuple(self._value(each, inner, where) for each in value)
        if typing.get_origin(kind) is typing.Literal:
            if type(value) not in (str, int) or value not in typing.get_args(kind):
                raise self._wrong(where, "|".join(map(str, typing.get_args(kind))))
            return value
        lowest = 0
        if typing.get_origin(kind) is typing.Annotated:
            kind, lowest = typing.get_args(kind)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(kind, type) or type(value) is not kind:
            words = {str: _("a text"), int: _("a whole number"), float: _("a number"), bool: "true|false"}
            raise self._wrong(where, words[kind] if isinstance(kind, type) else "")
        if isinstance(value, int) and not lowest <= value <= LARGEST_NUMBER:
            raise self._wrong(where, _("from {low} to {high}", low=lowest, high=grouped(LARGEST_NUMBER)))
        if isinstance(value, float) and not abs(value) <= LARGEST_NUMBER:  # nan is none, either
            raise self._wrong(where, _("a number"))
        return value

    def _above_0(self, value: object, where: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e6:
            raise self._wrong(where, _("a number above 0"))
        return float(value)

    def _texts(self, data: Mapping[str, object], key: str, where: str) -> Texts:
        found = data.get(key)
        if (
            not isinstance(found, dict)
            or SOURCE not in found
            or not all(isinstance(text, str) for text in found.values())
        ):
            raise self._wrong(where, '{en = "…", fr = "…"}')
        return Texts(found)

    def _only(self, data: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
        for key in data:
            if key not in known:
                raise BadFile(
                    message(
                        "{path}: {key} is not known here; known: {known}",
                        path=self.path,
                        key=f"{where}: {key}" if where else key,
                        known=" ".join(known),
                    )
                )

    def _wrong(self, where: str, right: str) -> BadFile:
        return BadFile(message("{path}: {where} must be: {right}", path=self.path, where=where, right=right))


# Marking submissions: each in a process of its own, some at a time.

LONGEST_SHOWN = 400
"""Characters of a wrong answer."""


@dataclass(frozen=True)
class ItemMark:
    """The outcome of one item, and how long it took."""

    item: SheetItem
    finding: Finding
    seconds: float

    @property
    def points(self) -> float:
        """All of the item's, or none."""
        return self.item.points if self.finding.passed else 0.0


@dataclass(frozen=True)
class StudentMarks:
    """A student's marks, item by item; `unread` says why those that were kept cannot be read."""

    name: str
    path: Path
    marks: tuple[ItemMark, ...]
    unread: str = ""

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.marks)

    @property
    def seconds(self) -> float:
        return sum(mark.seconds for mark in self.marks)


@dataclass(frozen=True)
class StageMarks:
    """The marks of one stage; `current` is the first stage that is not done.

    Attributes:
        write: what is to be written in it, by the names of the language of the submission
    """

    stage: Stage
    marks: tuple[ItemMark, ...]
    current: bool
    write: str

    @property
    def done(self) -> bool:
        return bool(self.marks) and all(mark.finding.passed for mark in self.marks)

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.marks)

    @property
    def most(self) -> float:
        """The most that can be had."""
        return sum(mark.item.points for mark in self.marks)


def stages_of(sheet: MarkingSheet, student: StudentMarks) -> list[StageMarks]:
    """Return a student's marks stage by stage; none where the sheet has no stages."""
    return staged_marks(sheet, student.marks, language_of(student.path))


def staged_marks(
    sheet: MarkingSheet, of_student: Sequence[ItemMark], programming: Language | None
) -> list[StageMarks]:
    """Return marks stage by stage; what is to be written goes by the names of a language, of Python's where
    there is none.
    """
    found: list[StageMarks] = []
    for stage in sheet.stages:
        write = str(stage.write) if programming is None else programming.called(str(stage.write))
        marks = tuple(mark for mark in of_student if mark.item.stage == stage.name)
        before = any(each.current for each in found)
        reached = StageMarks(stage, marks, current=False, write=write)
        found.append(replace(reached, current=not before and not reached.done))
    return found


def mark_all(
    sheet: MarkingSheet, paths: Sequence[Path], at_once: int, done: Callable[[int], None]
) -> list[StudentMarks]:
    """The marks of a class, in the order of the paths; `done` is told after each how many there are.

    Raises BadFile for a path that is no file, nor a folder with an `agent.py`, DamierError for a sheet that
    asks for what cannot be asked.
    """
    names = names_of(paths)
    truth = ExactTruth(sheet.game)
    require_askable(sheet, truth)
    truth.prepare()
    submissions = [Submission(path, sheet.game) for path in paths]
    found: list[StudentMarks] = []
    pool = ThreadPoolExecutor(at_once)
    try:
        jobs = [pool.submit(marks_of, sheet, each, names[each.path], truth) for each in submissions]
        for job in jobs:
            found.append(job.result())
            done(len(found))
    finally:
        for each in submissions:
            each.close()
        pool.shutdown(cancel_futures=True)
    return found


def require_askable(sheet: MarkingSheet, truth: ExactTruth) -> None:
    """Raises DamierError for a sheet that asks for what cannot be asked."""
    for each in sheet.items:
        if each.kind in REQUIREMENTS:
            REQUIREMENTS[each.kind](truth, **each.values)


def marks_of(sheet: MarkingSheet, submission: Submission, name: str, truth: ExactTruth) -> StudentMarks:
    """The marks of one submission."""
    try:
        marks = tuple(mark_item(each, submission, truth) for each in sheet.items)
        return StudentMarks(name, submission.path, marks)
    finally:
        submission.end()


def mark_item(item: SheetItem, submission: Submission, truth: ExactTruth) -> ItemMark:
    """Return what comes of one item, within its time: whatever is raised meanwhile costs the points of this
    item only.
    """
    begun = time.monotonic()
    submission.allow(item.seconds)
    try:
        finding = printed(KINDS[item.kind](submission, truth, **item.values))
    except Exception as error:
        finding = Finding(False, why_unmarked(submission.main.name, error))
    return ItemMark(item, finding, time.monotonic() - begun)


def why_unmarked(file: str, error: Exception) -> Text:
    """Return why an item did not pass that was not marked to its end: mostly what the submission did, as
    damier says it itself; what is left is an answer that no item has thought of, or a machine that has no
    room.
    """
    if isinstance(error, DamierError):
        return error_text(error)
    if isinstance(error, OSError):
        return message(
            "{file}: it could not be marked on this machine: {error}", file=file, error=reason(error)
        )
    return message("{file}: its answer cannot be used ({kind})", file=file, kind=type(error).__name__)


def printed(finding: Finding) -> Finding:
    """A finding that may be shown: what a submission said is cut short, without control characters."""
    if finding.wrong is None:
        return finding
    return replace(finding, wrong=replace(finding.wrong, got=bounded(finding.wrong.got, LONGEST_SHOWN)))


def names_of(paths: Sequence[Path]) -> dict[Path, str]:
    """Return what each submission is called: by its file or folder; by the folder above, where they are
    called alike.

    Raises BadFile for what is neither, and for names that do not tell submissions apart.
    """
    for path in paths:
        folder = path.is_dir() and language_of(path) is None
        if not (path / MAIN if folder else path).exists():
            raise BadFile(
                message(
                    "{path} is not a file, nor a folder with {file} or files in C, Java or Lisp; if it"
                    " holds what several have handed in, name {path}/*",
                    path=path,
                    file=MAIN,
                )
                if folder
                else message("{path} is not a file, nor a folder with {file}", path=path, file=MAIN)
            )
    stems = [path.resolve().stem for path in paths]
    names = {
        path: stem if stems.count(stem) == 1 else f"{path.resolve().parent.name}-{stem}"
        for path, stem in zip(paths, stems, strict=True)
    }
    if len(set(names.values())) < len(paths):
        raise BadFile(message("two submissions have the same name; give each a file or a folder of its own"))
    return names
