"""A file that was handed in, looked at: whether it plays legally, and how its sheet stands. Its code
runs in a sandbox, or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import shutil
import sys
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

from damier.agents.isolation import HOME, AgentLimits
from damier.agents.languages import file_name_of, language_among
from damier.arena.match import Score, match
from damier.arena.records import GameRecord
from damier.core.errors import BadInput, LimitReached
from damier.core.files import read_text, unwritten, write_bytes
from damier.core.game import Game, Position
from damier.core.job import Job
from damier.core.json_data import to_json
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.words import Text, _, bounded, error_text, message, packed, replaced, unpacked
from damier.lab.agent_file import CACHE, MAIN, MOST_FILES, isolated_player
from damier.plugins.classroom.class_roll import CODE_LENGTH, new_key
from damier.plugins.classroom.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.plugins.classroom.marking.reports import facts, text as shown_text
from damier.plugins.classroom.marking.sheet import ItemMark, MarkingSheet, StudentMarks, mark_item
from damier.plugins.classroom.marking.submission import Submission
from damier.web.settings import plain_key

# The folder of a class: its store, its code, and the files of students, where the sandbox takes
# them from. The store is what counts: the files are written anew from it.

STORE, CODE, FILES, LOCK = "class.db", "code.txt", "submissions", "lock"
SIGN = ":"
"""What parts a file from the agent in it."""
FILE = "agent.py"
"""What every file in Python is called in its sandbox, and in what is said of it."""
IN_SANDBOX = f"{HOME}/own/"
"""The folder of a student's files in their sandbox, which no sentence needs to tell."""
SHORTEST_CODE, LARGEST_CODE = 6, 200


class ClassFolder:
    """FOLDER: what lies where.

    Attributes:
        store: the path or URL of the store; a file in the folder, where none is named
    """

    def __init__(self, folder: Path, store: str = "") -> None:
        self.folder = folder.absolute()
        self.store = store or str(self.folder / STORE)

    def make(self) -> None:
        """Makes it, for this user alone, where it is not there. Raises BadInput, LimitReached."""
        if SIGN in str(self.folder) or ".py" in str(self.folder):
            raise BadInput(
                message("{path}: the folder of a class has neither : nor .py in its path", path=self.folder)
            )
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.folder / FILES).mkdir(mode=0o700, exist_ok=True)
            if not os.access(self.folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise unwritten(self.folder, error) from None

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, no other process works for this class; waits until the one before has ended."""
        import fcntl

        with open(self.folder / LOCK, "ab") as held:
            fcntl.flock(held, fcntl.LOCK_EX)  # the system lets go for who is killed
            yield

    def code(self) -> str:
        """The code of the class: it is made once, lies readable in the folder since it stands on a board
        anyway, and may be written there by hand. Raises BadInput for one that is too easily guessed.
        """
        path = self.folder / CODE
        if path.exists():
            code = read_text(path, LARGEST_CODE).strip()
            if len(plain_key(code)) < SHORTEST_CODE or not code.isascii() or not code.isprintable():
                raise BadInput(
                    message(
                        "{path}: the code of a class has at least {n} letters and digits",
                        path=path,
                        n=SHORTEST_CODE,
                    )
                )
            return code
        code = new_key(CODE_LENGTH)
        write_bytes(path, f"{code}\n".encode(), private=True)
        return code

    def write(self, submission: int, content: bytes) -> Path:
        """The file of a submission, by its number: nothing that a student wrote is part of its path; or the
        folder, where one was handed in. An archive that cannot be read stays a file, which is no program.
        """
        return self._write(self.folder / FILES / str(submission), content)

    @contextlib.contextmanager
    def on_trial(self, trial: int, content: bytes) -> Iterator[Path]:
        """The file of a trial, in place as `write` puts one that is handed in: afterwards it is gone."""
        place = self.folder / FILES / f"trial-{trial}"
        shutil.rmtree(place, ignore_errors=True)  # whoever tried it before was killed
        try:
            yield self._write(place, content)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _write(self, place: Path, content: bytes) -> Path:
        if is_zipped(content):
            with contextlib.suppress(BadInput):
                return unpack(content, place)
        return write_private(place / file_name_of(content), content)


LIMITS = AgentLimits(seconds=2.0, game_seconds=4.0)
"""Of an agent of a class: a slow one would hold up all others."""
TRIED, TRYING = 10, 8.0
"""Games against random moves in which a file shows that it plays, and the seconds after which fewer,
but one at each seat, have to do.
"""
LISTING = 10.0
MAX_PLIES = 1_000


@dataclass(frozen=True)
class FileCheck:
    """Looks at files; `sheet` is None where the class has none."""

    game: Game
    sheet: MarkingSheet | None
    truth: ExactTruth | None

    def report(self, path: Path, wanted: str) -> FileReport:
        """Return what a student is told of a file; `wanted` is the agent that is to play. What it raises
        itself is of the machine: it may be tried again.
        """
        submission = Submission(path, self.game, isolated=True)
        found = unchecked("")
        try:
            submission.allow(LISTING)
            found["agents"] = submission.agents()
            found["agent"] = chosen_of(found["agents"], wanted)
            submission.agent(found["agent"], seed=0)  # it says more of what is wrong than who plays it
            score, fault, moves = self.tried(path, found["agent"])
            if fault:
                found["moves"] = moves
            found["games"] = [score.games, score.wins, score.draws, score.losses]
            found["pace"] = round(score.seconds / score.games, 4)
            found["plays"] = not fault
            found["said"] = kept(without_place(fault, path) if fault else message("It plays legally."))
        except BadInput as error:
            found["said"] = kept(without_place(error_text(error), path))
        except (LimitReached, MemoryError, OSError):
            raise
        except Exception as error:
            say_on_terminal()
            said = message(
                "{file}: damier could not look at it ({kind})", file=FILE, kind=type(error).__name__
            )
            found["said"] = kept(said)
        try:
            found["items"] = [item_facts(mark) for mark in self._marks(submission, open_only=True)]
        finally:
            submission.end()
        return found

    def marks(self, path: Path) -> list[ItemMark]:
        """The whole sheet."""
        submission = Submission(path, self.game, isolated=True)
        try:
            return self._marks(submission, open_only=False)
        finally:
            submission.end()

    def unmarked(self, said: Text) -> list[ItemMark]:
        """The whole sheet of a file that cannot be marked."""
        items = self.sheet.items if self.sheet else ()
        return [ItemMark(item, Finding(False, said), 0.0) for item in items]

    def _marks(self, submission: Submission, *, open_only: bool) -> list[ItemMark]:
        if self.sheet is None or self.truth is None:
            return []
        found = []
        for item in self.sheet.items:
            if item.is_open or not open_only:
                mark = mark_item(item, submission, self.truth)
                said = without_place(mark.finding.sentence, submission.path)
                found.append(replace(mark, finding=replace(mark.finding, sentence=said)))
        return found

    def tried(self, path: Path, agent: str) -> tuple[Score, Text, list[str]]:
        """Some games against random moves; why the last was lost by a fault, if it was, and its moves."""
        player = isolated_player(f"{path}:{agent}", self.game, LIMITS)
        player.text = path.name
        setup = MatchSetup(
            self.game, (player, RandomPlayer()), 0, swap=1, limit=MAX_PLIES, record=True, strict=False
        )
        score = Score()
        faults: list[tuple[Text, list[str]]] = [("", [])]
        begun = time.monotonic()

        def keep(records: list[GameRecord]) -> None:
            faults.extend((record.fault, list(record.moves)) for record in records if record.fault)

        try:
            while score.games < TRIED and not faults[1:] and time.monotonic() - begun <= TRYING:
                match(setup, score.games + 2, Job(jit=False), keep=keep, score=score)
        finally:
            player.close()
        return score, *faults[-1]


def say_on_terminal() -> None:
    """Tells a fault of damier that goes on, where whoever started the lab sees it."""
    with contextlib.suppress(Exception):
        sys.excepthook(*sys.exc_info())


def without_place(said: Text, path: Path) -> Text:
    """A sentence about a file that does not tell where it lies."""
    here = replaced(said, f"{path if path.is_dir() else path.parent}{os.sep}", "")
    return replaced(here, IN_SANDBOX, "")


def chosen_of(agents: list[str], wanted: str) -> str:
    """The agent that is to play: the one wanted, or the first. Raises BadInput."""
    if not agents:
        raise BadInput(
            message(
                "{path} has no agent; write a function play(position), or a class with a method"
                " play(self, position)",
                path=FILE,
            )
        )
    if wanted and wanted not in agents:
        raise BadInput(
            message(
                "{path} has no agent {name}; it has: {names}", path=FILE, name=wanted, names=" ".join(agents)
            )
        )
    return wanted or agents[0]


# What was found of a file, as data that a store keeps and pages show. Sentences are kept as codes and
# parameters (`packed` of `core/words.py`), and put into words in the language of who reads.

LONGEST = 500
"""Characters of a sentence about a file."""
LONGEST_TIME = 1e7
"""Seconds."""
T = TypeVar("T")


class WrongAnswerFacts(TypedDict):
    """The first thing that was wrong: the state of the position (null for a tree, which is not kept), what
    was expected, and got.
    """

    state: list[JsonValue] | None
    expected: JsonValue
    got: JsonValue


class ItemFacts(TypedDict):
    """The state of an item of the sheet. `said`, like `expected` and `got`: the facts of a sentence; a text,
    in the language of who handed in, where an earlier damier kept it.
    """

    name: str
    passed: bool
    said: JsonValue
    seconds: float
    wrong: NotRequired[WrongAnswerFacts]


class FileReport(TypedDict):
    """The report that a student reads.

    Attributes:
        plays: whether the file plays
        said: how it stands, or why not, as in an item
        agent: which of its agents plays, of `agents`
        games: how many were tried, and how many it won, drew and lost
        pace: seconds a game
        items: those of the sheet that are open
        moves: where it lost by a fault in a game: the moves before that
    """

    plays: bool
    said: JsonValue
    agent: str
    agents: list[str]
    games: list[int]
    pace: float
    items: list[ItemFacts]
    moves: NotRequired[list[str]]


def report_text(report: FileReport) -> str:
    return to_json(dict(report))


def unchecked(said: Text) -> FileReport:
    """The report on a file that could not be looked at."""
    return {
        "plays": False,
        "said": kept(said),
        "agent": "",
        "agents": [],
        "games": [],
        "pace": 0.0,
        "items": [],
    }


def read_report(text: str) -> FileReport | None:
    """Return what a store keeps of a report; None before there is one. One that is damaged, or of another
    damier, is one that says so.
    """
    if not text:
        return None
    try:
        return report_of(json.loads(text))
    except (ValueError, RecursionError):
        return unchecked(unreadable_report())


def unreadable_report() -> str:
    return _(
        "the report that is kept of this file cannot be read: it is damaged, or of another damier; hand"
        " the file in again"
    )


def report_of(data: object) -> FileReport:
    """A report from data that somebody may have edited. Raises ValueError."""
    if not isinstance(data, dict):
        raise ValueError(data)
    games = [checked(number, int) for number in checked(data.get("games"), list)]
    if len(games) not in (0, 4):
        raise ValueError(games)
    report: FileReport = {
        "plays": checked(data.get("plays"), bool),
        "said": data.get("said"),
        "agent": checked(data.get("agent"), str),
        "agents": [checked(name, str) for name in checked(data.get("agents"), list)],
        "games": games,
        "pace": seconds_of(data.get("pace")),
        "items": items_of(data.get("items")),
    }
    if "moves" in data:
        report["moves"] = [checked(move, str) for move in checked(data["moves"], list)]
    return report


def items_of(data: object) -> list[ItemFacts]:
    """Items from such data. Raises ValueError."""
    return [item_of(each) for each in checked(data, list)]


def item_of(data: object) -> ItemFacts:
    if not isinstance(data, dict):
        raise ValueError(data)
    item: ItemFacts = {
        "name": checked(data.get("name"), str),
        "passed": checked(data.get("passed"), bool),
        "said": data.get("said"),
        "seconds": seconds_of(data.get("seconds")),
    }
    if "wrong" in data:
        wrong = checked(data["wrong"], dict)
        state = wrong.get("state")
        item["wrong"] = {
            "state": None if state is None else checked(state, list),
            "expected": wrong.get("expected"),
            "got": wrong.get("got"),
        }
    return item


def checked(value: object, kind: type[T]) -> T:
    """A value of this type, and of none that is derived from it. Raises ValueError."""
    if type(value) is not kind:
        raise ValueError(value)
    return value


def seconds_of(value: object) -> float:
    """A time that can be added up. Raises ValueError."""
    if not isinstance(value, (int, float)) or not 0 <= value <= LONGEST_TIME:  # nan is none, either
        raise ValueError(value)
    return float(value)


def marks_text(marks: Sequence[ItemMark]) -> str:
    return json.dumps([item_facts(mark) for mark in marks], ensure_ascii=False)


def item_facts(mark: ItemMark) -> ItemFacts:
    """An item as data."""
    finding = mark.finding
    item: ItemFacts = {
        "name": mark.item.name,
        "passed": finding.passed,
        "said": kept(finding.sentence),
        "seconds": round(mark.seconds, 3),
    }
    if wrong := finding.wrong:
        item["wrong"] = {
            "state": list(wrong.position.state) if wrong.position else None,
            "expected": kept(wrong.expected),
            "got": kept(wrong.got),
        }
    return item


def kept(said: Text) -> JsonValue:
    """Return what is kept of a sentence about a file."""
    return packed(bounded(said, LONGEST))


def finding_text(said: JsonValue) -> str:
    """It again, in the language in force."""
    try:
        return str(unpacked(said))
    except ValueError:  # of another damier, or damaged
        return _("what was found was kept by another damier, which has to read it")


def read_marks(text: str, sheet: MarkingSheet, name: str) -> StudentMarks:
    """The marks that a store keeps, by the items that the sheet has now; what is damaged, or of another
    damier, are none that say so.
    """
    try:
        return StudentMarks(name, Path(name), tuple(item_marks(items_of(json.loads(text)), sheet)))
    except Exception:  # whatever it is that cannot be shown: the other students' can
        said = _("the marks that are kept of the last file cannot be read: damaged, or of another damier")
        return StudentMarks(name, Path(name), (), said)


def item_marks(items: Sequence[ItemFacts], sheet: MarkingSheet) -> list[ItemMark]:
    """Items from data, those that the sheet still has, in its order. Raises an exception of any kind for what
    cannot be shown.
    """
    by_name = {item["name"]: item for item in items}
    return [
        ItemMark(item, finding_of(by_name[item.name], sheet), by_name[item.name]["seconds"])
        for item in sheet.items
        if item.name in by_name
    ]


def finding_of(item: ItemFacts, sheet: MarkingSheet) -> Finding:
    wrong, said = item.get("wrong"), finding_text(item["said"])
    if wrong is None:
        return Finding(item["passed"], said)
    state = wrong["state"]
    position = Position(sheet.game, sheet.game.read_state(state)) if state is not None else None
    found = WrongAnswer(position, finding_text(wrong["expected"]), finding_text(wrong["got"]))
    facts(found)  # raises here, not on a page: a state that fits the game need be no position of it
    shown_text(found)
    return Finding(item["passed"], said, found)


# A folder that a student hands in, packed as a ZIP file: what is in it, and where it is unpacked.
#
# An archive is read, and its files are written, by names that are letters, digits, `_`, `-` and points; what
# else it says (links, rights, absolute places) is left out.

ZIPPED, FOLDER = "agent.zip", "handed.in"
"""The names of a folder as it was handed in, and as it is unpacked; no agent is called so."""
BEGINNING = b"PK\x03\x04"
LARGEST_IN_ALL = 2 << 20
"""Bytes of all files of a folder."""
PART = re.compile(r"[\w-][\w.-]{0,80}", re.ASCII)


def is_zipped(content: bytes) -> bool:
    """Return whether a file may be a folder that was packed."""
    return content.startswith(BEGINNING)


def files_in(content: bytes) -> dict[str, bytes]:
    """The files of a folder by their places, without the folder in which all of them lie, and without what is
    hidden.

    Raises BadInput for what is no such archive, too much, or without an agent.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = [entry for entry in packed.infolist() if is_own(entry.filename)]
            if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > LARGEST_IN_ALL:
                raise BadInput(
                    message(
                        "the folder of an agent holds at most {n} files, {size} MiB in all",
                        n=MOST_FILES,
                        size=LARGEST_IN_ALL >> 20,
                    )
                )
            found = {entry.filename: packed.read(entry) for entry in entries}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError):
        raise BadInput(message("the archive cannot be read; pack the folder as a ZIP file again")) from None
    if not is_agent(found):
        tops = {place.partition("/")[0] for place in found}
        if len(tops) == 1:
            found = {place.partition("/")[2]: data for place, data in found.items() if "/" in place}
    if not is_agent(found):
        raise BadInput(message("the archive holds no {file}; pack the folder in which it lies", file=MAIN))
    return found


def is_agent(files: Mapping[str, bytes]) -> bool:
    """Return whether a folder of these files is an agent, in Python or in another language."""
    return MAIN in files or language_among([place for place in files if "/" not in place]) is not None


def is_own(place: str) -> bool:
    """Return whether an entry of an archive is a file of the student's, at a place within the folder."""
    parts = place.split("/")
    return all(PART.fullmatch(part) for part in parts) and not {CACHE, "__MACOSX"} & set(parts)


def unpack(content: bytes, place: Path) -> Path:
    """Writes the files of a folder, where they are not there yet; the folder. Raises BadInput."""
    folder = place / FOLDER
    for name, data in files_in(content).items():
        write_private(folder / name, data)
    return folder


def write_private(path: Path, content: bytes) -> Path:
    """Writes a file for this user alone, where it is not there as it is to be; its path."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        write_bytes(path, content, private=True)
    return path
