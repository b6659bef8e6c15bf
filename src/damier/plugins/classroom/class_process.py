"""The process behind a class: looks at what is handed in, marks it, and plays the games.

    python -m damier.plugins.classroom.class_process FOLDER

A line on its standard input says that there may be something new; when that ends, so does the
process, at once: what it had not finished another does. It answers nobody: what it finds is in the
store of the class, a file in FOLDER, or what the environment names (`STORE_VARIABLE`). It stands back
behind what people wait for, and its sandboxes, which are of its session, with it: not further, since
the clock of an agent goes on while it waits for a processor.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import shutil
import signal
import sys
import threading
import time
import zipfile
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

from damier.agents.isolation import HOME, AgentLimits, no_isolation
from damier.agents.languages import file_name_of, language_among
from damier.agents.process import ProcessPlayer
from damier.arena.match import Score, match
from damier.arena.pairing import Pairing, PlayedGame, TournamentPlan, missing, seed_of_pair
from damier.arena.records import GameRecord
from damier.arena.store import Store, is_url, opened, shown
from damier.core.errors import BadFile, BadInput, DamierError, LimitReached, Unsuitable
from damier.core.files import read_text, unwritten, write_bytes
from damier.core.game import Game, Position
from damier.core.job import Job, stand_back
from damier.core.json_data import to_json
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.runtime import listen
from damier.core.words import Text, _, bounded, error_text, message, packed, replaced, speaking, unpacked
from damier.lab.agent_file import CACHE, MAIN, MOST_FILES, isolated_player
from damier.lab.games import is_file, load
from damier.lab.tournament import played
from damier.plugins.classroom.class_store import (
    CODE_LENGTH,
    LOOK,
    MARK,
    PLAY,
    TRY,
    Classroom,
    ClassStore,
    CurrentEntrant,
    Roll,
    TakenSubmission,
    UnplayedPair,
    new_key,
)
from damier.plugins.classroom.marking.reports import facts, text as shown_text
from damier.plugins.classroom.marking.sheet import (
    BROUGHT,
    ItemMark,
    MarkingSheet,
    StudentMarks,
    mark_item,
    require_askable,
    sheet as sheet_of,
)
from damier.plugins.classroom.marking.submission import ExactTruth, Finding, Submission, WrongAnswer
from damier.web.settings import STORE_VARIABLE, OpenedClass, plain_key

# A file that was handed in, looked at: whether it plays legally, and how its sheet stands. Its code runs in a
# sandbox, or not at all.


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
            sentence = message(
                "{file}: damier could not look at it ({kind})", file=FILE, kind=type(error).__name__
            )
            found["said"] = kept(sentence)
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

    def unmarked(self, text: Text) -> list[ItemMark]:
        """The whole sheet of a file that cannot be marked."""
        items = self.sheet.items if self.sheet else ()
        return [ItemMark(item, Finding(False, text), 0.0) for item in items]

    def _marks(self, submission: Submission, *, open_only: bool) -> list[ItemMark]:
        if self.sheet is None or self.truth is None:
            return []
        found = []
        for item in self.sheet.items:
            if item.is_open or not open_only:
                mark = mark_item(item, submission, self.truth)
                sentence = without_place(mark.finding.sentence, submission.path)
                found.append(replace(mark, finding=replace(mark.finding, sentence=sentence)))
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


def without_place(text: Text, path: Path) -> Text:
    """A sentence about a file that does not tell where it lies."""
    here = replaced(text, f"{path if path.is_dir() else path.parent}{os.sep}", "")
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


def unchecked(text: Text) -> FileReport:
    """The report on a file that could not be looked at."""
    return {
        "plays": False,
        "said": kept(text),
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
    data = checked(data, dict)
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
    data = checked(data, dict)
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


def kept(text: Text) -> JsonValue:
    """Return what is kept of a sentence about a file."""
    return packed(bounded(text, LONGEST))


def finding_text(answer: JsonValue) -> str:
    """It again, in the language in force."""
    try:
        return str(unpacked(answer))
    except ValueError:  # of another damier, or damaged
        return _("what was found was kept by another damier, which has to read it")


def read_marks(text: str, sheet: MarkingSheet, name: str) -> StudentMarks:
    """The marks that a store keeps, by the items that the sheet has now; what is damaged, or of another
    damier, are none that say so.
    """
    try:
        return StudentMarks(name, Path(name), tuple(item_marks(items_of(json.loads(text)), sheet)))
    except Exception:  # whatever it is that cannot be shown: the other students' can
        sentence = _("the marks that are kept of the last file cannot be read: damaged, or of another damier")
        return StudentMarks(name, Path(name), (), sentence)


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
    wrong, sentence = item.get("wrong"), finding_text(item["said"])
    if wrong is None:
        return Finding(item["passed"], sentence)
    state = wrong["state"]
    position = Position(sheet.game, sheet.game.read_state(state)) if state is not None else None
    found = WrongAnswer(position, finding_text(wrong["expected"]), finding_text(wrong["got"]))
    facts(found)  # raises here, not on a page: a state that fits the game need be no position of it
    shown_text(found)
    return Finding(item["passed"], sentence, found)


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


# A class opened: its folder, what it plays, its sheet, and the teacher's key.

GAMES = 20
"""Of each pair, at both seats in turn."""


def open_class(folder: Path, game: str, sheet: str, store: str = "") -> OpenedClass:
    """Opens the class in a folder, which is founded where it is not there yet. What is left out, game
    or sheet, is as the class has it; a sheet has a game of its own. The class is kept in a file there, or
    in `store`, by its path or URL.

    Raises Unsuitable where agents cannot be isolated, BadInput, BadFile.
    """
    if refusal := no_isolation():
        raise Unsuitable(
            message(
                "--class: agents of a class play in a sandbox only, and there is none here: {why}",
                why=refusal,
            )
        )
    place = ClassFolder(folder, store)
    if not (game or sheet or is_url(place.store) or Path(place.store).is_file()):
        raise nothing_to_play()
    place.make()
    with opened(place.store) as kept:
        roll = Roll(kept)
        before = roll.classroom()
        sheet = resolved(sheet) or (before.sheet if before else "")
        of_sheet = game_of(sheet) if sheet else ""
        played = load(game).text if game else of_sheet or (before.plan.game_text if before else "")
        if not played:
            raise nothing_to_play()
        found = load(played)
        if is_file(played) or found.players != 2:
            raise BadInput(
                message("--class: a class plays a game for two that damier brings, not {game}", game=game)
            )
        if of_sheet and of_sheet != found.text:
            raise BadInput(
                message(
                    "--class: the sheet is about {other}, the class plays {game}",
                    other=of_sheet,
                    game=found.text,
                )
            )
        plan = TournamentPlan(found.name, found.options, "", (), 0, GAMES, MAX_PLIES, is_open=True)
        key = roll.open(plan, sheet)
    return OpenedClass(place.store, place.code(), key, found.text)


def game_of(sheet: str) -> str:
    """The game that a sheet is about. Raises DamierError for a sheet that cannot be marked."""
    found = sheet_of(sheet)
    require_askable(found, ExactTruth(found.game))
    return found.game.text


def nothing_to_play() -> BadInput:
    return BadInput(
        message("--class: say what the class plays: damier serve tictactoe --class FOLDER, or --sheet s4")
    )


def resolved(sheet: str) -> str:
    """A sheet by its name, or by the whole path of its file."""
    return sheet if not sheet or (BROUGHT / f"{sheet}.toml").is_file() else str(Path(sheet).absolute())


# The games of a class, played on in the background: a pair at a time, the quick agents first.

KEEP_SECONDS = 0.25
"""Between two transactions: what a killed process may have to play again."""
MOST_PLAYERS = 32
"""Agents that are kept running between their games: each is a process."""


class MoreUrgent(Exception):
    """There is something more urgent than games."""


@dataclass
class ClassGames:
    """The games of a class. `text_of` is the agent of an entrant, its file in place."""

    queue: ClassStore
    plan: TournamentPlan
    game: Game
    text_of: Callable[[CurrentEntrant], str]
    _players: OrderedDict[int, ProcessPlayer] = field(default_factory=OrderedDict, init=False)
    _waiting: list[tuple[Pairing, PlayedGame]] = field(default_factory=list, init=False)
    _since: float = field(default=0.0, init=False)

    def next(self) -> UnplayedPair | None:
        """The pair to play next: the quick ones first, what is suspect last; None where nothing is left."""
        pairs = self.queue.unplayed(self.plan.games)
        entrants = {entrant.place: entrant for pair in pairs for entrant in (pair.first, pair.second)}
        paces = {place: pace_of(entrant) for place, entrant in entrants.items()}
        pair = min(
            pairs,
            key=lambda pair: (
                pair.is_suspect,
                round(paces[pair.first.place] + paces[pair.second.place], 1),
                pair.id,
            ),
            default=None,
        )
        if pair is None:
            self.close()  # an agent that waits costs memory, and somebody who watches it
        return pair

    def play(self, pair: UnplayedPair, urgent: Callable[[], bool]) -> bool:
        """Plays what is left of a pair; whether to its end. Breaks off, what was played kept, as soon as
        something else is `urgent`.
        """
        try:
            self.play_pair(pair, urgent)
            return True
        except MoreUrgent:
            return False
        except Exception:
            self.close()  # nobody knows what its agents are at
            raise
        finally:
            self._flush()

    def close(self) -> None:
        """Ends all agents."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def play_pair(self, pair: UnplayedPair, urgent: Callable[[], bool]) -> None:
        seed = seed_of_pair(self.plan.seed, pair.first.name, pair.second.name)
        setup = MatchSetup(
            self.game,
            (self._player(pair.first), self._player(pair.second)),
            seed,
            swap=1,
            limit=self.plan.max_plies,
            record=True,
            strict=False,
        )
        known = self.queue.store.played(pair.pairing.id)

        def keep(records: list[GameRecord]) -> None:
            self._waiting += [(pair.pairing, played(record)) for record in records]
            if time.monotonic() - self._since >= KEEP_SECONDS:
                self._flush()
            if urgent():
                raise MoreUrgent

        for numbers in missing(range(self.plan.games), known):
            match(setup, len(numbers), Job(jit=False), first=numbers.start, keep=keep)

    def _player(self, entrant: CurrentEntrant) -> ProcessPlayer:
        if entrant.place not in self._players:
            player = isolated_player(self.text_of(entrant), self.game, LIMITS)
            player.text = entrant.student
            self._players[entrant.place] = player
        self._players.move_to_end(entrant.place)
        while len(self._players) > MOST_PLAYERS:
            self._players.popitem(last=False)[1].close()
        return self._players[entrant.place]

    def _flush(self) -> None:
        """Everything gathered is in the store when this returns."""
        self.queue.store.keep(self._waiting)
        self._waiting = []
        self._since = time.monotonic()


def pace_of(entrant: CurrentEntrant) -> float:
    """Seconds a game, as it was tried."""
    report = read_report(entrant.report)
    return report["pace"] if report else 0.0


NICE = 5
"""As a training: with 10, honest files were late on a busy machine."""
CHECKERS = 2
"""Files that are looked at at once."""
REST = 5.0
"""Seconds after which work is looked for though nobody said that there is any, and after work that failed."""


W = TypeVar("W", TakenSubmission, UnplayedPair)
"""A piece of work."""


@dataclass
class ClassWork:
    """Everything that a class has to do, shared by a few threads.

    Attributes:
        at_work: what is worked on now, by kind
    """

    folder: ClassFolder
    store: Store
    classroom: Classroom
    at_work: dict[str, set[int]] = field(
        default_factory=lambda: {kind: set() for kind in (LOOK, TRY, MARK, PLAY)}
    )
    _is_alone: bool = False  # whether what is at work is suspect: then nothing else begins
    _held_up: set[str] = field(default_factory=set)  # kinds of which only what is suspect is left to do
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _version: int = 0

    def __post_init__(self) -> None:
        """Raises BadFile for a sheet that is gone, or wrong."""
        sheet = sheet_of(self.classroom.sheet) if self.classroom.sheet else None
        self.game = sheet.game if sheet else load(self.classroom.plan.game_text)
        truth = ExactTruth(self.game) if sheet else None
        if truth is not None:
            truth.prepare()
        self.queue = ClassStore(self.store, self.classroom.tournament)
        self.queue.take_over()
        self.check = FileCheck(self.game, sheet, truth)
        self.games = ClassGames(self.queue, self.classroom.plan, self.game, self.text_of)

    def look(self) -> None:
        """There may be something new to do."""
        with self._news:
            self._version += 1
            self._news.notify_all()

    def check_next(self) -> bool:
        """Looks at the file whose student has waited longest, or tries one where none is handed in; False
        where none waits.
        """
        replaced = unchecked(message("a newer file of yours replaced this one before it was looked at"))
        return self._work_on(
            LOOK,
            lambda: self.queue.next_waiting(self.at_work[LOOK], report_text(replaced)),
            self.check_submission,
        ) or self._work_on(TRY, lambda: self.queue.next_trial(self.at_work[TRY]), self._try_out)

    def mark_next(self) -> bool:
        """Marks a file that has no marks yet; False where all have, or files wait to be looked at."""
        if self.check.sheet is None or self.queue.has_waiting():
            return False
        return self._work_on(MARK, self.queue.next_unmarked, self._mark)

    def play_next(self) -> bool:
        """Plays a pair; False where nothing is left to play, or something else is more urgent."""
        if self._is_urgent() or self.queue.has_waiting():
            return False
        return self._work_on(PLAY, self.games.next, self.play_pair)

    def _is_urgent(self) -> bool:
        """Return whether games give way: to a file that is looked at, or one that has to be alone."""
        return bool(self.at_work[LOOK] or self.at_work[TRY] or self._held_up - {PLAY})

    def _work_on(self, kind: str, choose: Callable[[], W | None], work: Callable[[W], None]) -> bool:
        """Takes a piece of work and does it; False where there is none, or it failed. What may end this
        process is at work alone, so that nothing else pays for it.
        """
        with self._lock:
            if self._is_alone:
                return False
            self._held_up.discard(kind)
            found = choose()
            if found is None:
                return False
            if found.is_suspect and any(self.at_work.values()):
                self._held_up.add(kind)
                return False
            self.queue.begin(kind, found.id)
            self.at_work[kind].add(found.id)
            self._is_alone = found.is_suspect
        ended = False
        try:
            work(found)
            ended = True
        except Exception:
            say_on_terminal()
            self.queue.fail(kind, found.id, alone=found.is_suspect)
        finally:
            with self._lock:
                self.at_work[kind].discard(found.id)
                self._is_alone = False
            self.look()
        if not ended:  # most of what can still fail (a full disk, too many processes) takes time to pass
            time.sleep(REST)
        return ended

    def check_submission(self, taken: TakenSubmission) -> None:
        with speaking(taken.language):
            path = self.folder.write(taken.id, taken.content)
            report = self._report_on(taken, path)
            if report["plays"]:
                self.queue.admit(taken.id, f"{path}:{report['agent']}", taken.sha256, report_text(report))
            else:
                self.queue.refuse(taken.id, report_text(report))

    def _try_out(self, taken: TakenSubmission) -> None:
        """As `check_submission`, and nothing comes of it but the report; its file is gone afterwards."""
        with speaking(taken.language):
            with self.folder.on_trial(taken.id, taken.content) as path:
                report = self._report_on(taken, path)
            self.queue.keep_trial(taken.id, report_text(report))

    def _report_on(self, taken: TakenSubmission, path: Path) -> FileReport:
        """The report on a file that is in place."""
        if taken.is_hopeless:
            return unchecked(message("what looks at files was ended by this one again and again"))
        return self.check.report(path, taken.wanted)

    def _mark(self, taken: TakenSubmission) -> None:
        with speaking(taken.language):
            marks = (
                self.check.unmarked(message("what marks files was ended by this one again and again"))
                if taken.is_hopeless
                else self.check.marks(self.folder.write(taken.id, taken.content))
            )
            self.queue.keep_marks(taken.id, marks_text(marks))

    def play_pair(self, pair: UnplayedPair) -> None:
        if self.games.play(pair, self._is_urgent) or not pair.is_suspect:
            self.queue.end(PLAY, pair.id)
        else:  # it gave way, and still has to show that it comes to its end
            self.queue.fail(PLAY, pair.id, alone=False)

    def text_of(self, entrant: CurrentEntrant) -> str:
        """The agent of an entrant, its file in place."""
        path = self.folder.write(entrant.submission, self.queue.content(entrant.submission))
        return str(path) + entrant.text.rpartition(path.name)[2]

    def go_on(self, work: Callable[[], bool]) -> None:
        """Does some work as long as there is any, then waits for more; for ever. Where damier itself fails
        the process ends, and another begins.
        """
        try:
            while True:
                version = self._version
                if not work():
                    with self._news:
                        self._news.wait_for(lambda: self._version != version, REST)
        except BaseException:
            say_on_terminal()
            os._exit(1)


def main(folder: str) -> None:
    """Works until nobody is there any more to say that there is something new."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent answers Ctrl-C
    stand_back(NICE)
    place = ClassFolder(Path(folder), os.environ.get(STORE_VARIABLE, ""))
    if refusal := no_isolation():
        raise Unsuitable(message("agents cannot be isolated here: {why}", why=refusal))
    works: list[ClassWork] = []

    def look(_line: bytes) -> None:
        for work in works:
            work.look()

    listening = listen(sys.stdin.buffer, look)
    with place.alone(), opened(place.store, create=False) as store, store.alone():
        classroom = Roll(store).classroom()
        if classroom is None:
            raise BadFile(message("{path} keeps no class", path=shown(place.store)))
        work = ClassWork(place, store, classroom)
        works.append(work)
        for job in [work.check_next] * CHECKERS + [work.mark_next, work.play_next]:
            threading.Thread(target=work.go_on, args=(job,), daemon=True).start()
        listening.join()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except DamierError as error:
        sys.exit(str(error))
