"""The room of a class: its table as it is played, its games to replay, and, where a class is open, its
students' files. What the hub says of who asks stands in `member`, `student` and `teacher`.
"""

from __future__ import annotations

import base64
import binascii
import io
import os
import re
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, lru_cache, wraps
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypedDict, TypeVar, cast
from urllib.parse import parse_qsl

from markupsafe import Markup

from damier.agents.languages import PYTHON, Language, file_name_of, is_source, language_among, language_of
from damier.arena.standings import Results
from damier.arena.store import REFUSED, WAITING, ListedGame, Store, engine_of, is_url, opened as opened_store
from damier.arena.tournament import Tournament
from damier.core.data_files import DataTable, csv_text
from damier.core.errors import BadFile, BadInput, DamierError, UnknownName
from damier.core.game import Position, written_position
from damier.core.json_data import to_json
from damier.core.moves import each
from damier.core.words import _, language, message
from damier.draw.board import board_svg
from damier.draw.tables import crosstable_svg
from damier.lab.exercises import MARKINGS
from damier.lab.games import load
from damier.lab.kits import Kit, kit, kits, rules_of
from damier.lab.tournament import ResultsTable, as_csv, cross_lines, interval, table_of
from damier.lab.user_file import archive_of, why_no_python
from damier.plugins.classroom import similar
from damier.plugins.classroom.class_archive import ZIPPED, files_in, is_own, is_zipped
from damier.plugins.classroom.class_check import (
    FileReport,
    finding_text,
    item_marks,
    read_marks,
    read_report,
    unreadable_report,
)
from damier.plugins.classroom.class_store import (
    LARGEST,
    MOST_STUDENTS,
    ClassStore,
    FinishedRun,
    LatestSubmission,
    NewSubmission,
    Roll,
    RunLine,
    Student,
    StudentLine,
    UnplayablePair,
    too_large,
    unaccented,
    wrong_key,
)
from damier.plugins.classroom.marking import reports
from damier.plugins.classroom.marking.sheet import (
    ItemMark,
    MarkingSheet,
    StageMarks,
    StudentMarks,
    sheet as sheet_of,
    staged_marks,
)
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import Download, Params, Parts, PartsAnswer, RoomAnswer
from damier.web.registry import Registry, RoomFunction, without_folder
from damier.web.rooms import ROOMS
from damier.web.rooms.exercise import DrillParams, items_of, points_in_words
from damier.web.settings import Settings, bracketed

# The store of the class as its room shows it: a class, or the latest tournament of any store; and the
# parts of that page.


# The parts of the room of a class.


HOME = "/class"
"""The address of the page of the class."""
PEOPLE = {"1": "human", "2": "human"}
"""Who sits at the board where a game is replayed: nobody moves by himself."""
BOARD = 40
"""The size of a cell of a picture beside what was wrong."""


class ClassAnswer(PartsAnswer):
    """The table of a class; `version` is another whenever it is. It has no parts where it is as it was."""

    version: str


class TrialAnswer(PartsAnswer):
    """State of the file that a student tries; `done` once it has been tried."""

    done: bool


class FileAnswer(TrialAnswer):
    """State of a student's file: looked at in the same way; `marked` once all that is to be told of it is
    there.
    """

    marked: bool


class StarterAnswer(TypedDict):
    """The files with which a student may begin, by their names; the one to write in first is the first."""

    files: dict[str, str]


class NewKeyAnswer(TypedDict):
    """Owner of a key, and the key where it is new; it is shown this once."""

    name: str
    key: str


class Blamed(NamedTuple):
    """The line of a student's file that a sentence blames; the file is empty where it blames none."""

    file: str = ""
    line: int = 0


def standings_part(table: ClassTable) -> str:
    return pages.part("class_standings.html", table=table, lines=table.table["standings"], interval=interval)


def games_part(view: Shown, game: str, of: str, against: str) -> str:
    """The games of an agent, each with the address where it is replayed. Raises UnknownName."""
    found, names = replays(view, of, against)
    return pages.part(
        "class_games.html", game=game, of=of, against=against, replays=found, names=names, people=PEOPLE
    )


def student_parts(view: Shown, student: Student | None) -> dict[str, str]:
    """Return how the last file of a student stands, and what came of the one that was tried last."""
    if student is None or not isinstance(view, OpenClass):
        return {"file": "", "trial": ""}
    return {
        "file": file_part(view, student, view.latest(student.id)),
        "trial": trial_part(view, view.trial(student.id)),
    }


def file_part(open_class: OpenClass, student: Student, latest: LatestSubmission | None) -> str:
    """Return how the last file of a student stands."""
    report = read_report(latest.report) if latest else None
    sheet = open_class.sheet
    return pages.part(
        "class_file.html",
        name=student.name,
        latest=latest,
        stands=student.name in open_class.names().values(),
        report=report,
        **(report_values(open_class, report) if report else {}),
        staged=bool(sheet and sheet.stages),
        marked=bool(latest and latest.marks),
        stages=[
            {"text": str(stage.stage.text), "state": reports.state(stage), "marks": stage}
            for stage in stages_in(open_class, latest)
        ],
        written_next=reports.written_next,
    )


def trial_part(open_class: OpenClass, trial: LatestSubmission | None) -> str:
    """Return what came of the file that a student tried last; nothing before there is one."""
    if trial is None or trial.state == REFUSED:
        return ""
    report = read_report(trial.report)
    return pages.part(
        "class_trial.html",
        trial=trial,
        report=report,
        **(report_values(open_class, report) if report else {}),
    )


def report_values(open_class: OpenClass, report: FileReport) -> dict[str, object]:
    """Return what a page needs to show a report."""
    lines, items = report_lines(open_class, report)
    moves = report.get("moves")
    return {
        "said": lines,
        "items": items,
        "blamed": blamed(lines),
        "play": pages.address(f"/{open_class.game}", moves=",".join(moves), **PEOPLE)
        if moves is not None
        else "",
        "others": sorted(set(report["agents"]) - {report["agent"]}),
    }


BLAMED = re.compile(r"([\w(][\w .,+()'’/-]{0,160}\.(?:py|c|java|lisp|cl)):([0-9]{1,6})\b")


def blamed(text: str) -> Blamed:
    """Return the line that a sentence blames: its own is the first that it names.

    >>> blamed("ma tour.py:12: ZeroDivisionError: division by zero")
    Blamed(file='ma tour.py', line=12)
    >>> blamed("no answer in time")
    Blamed(file='', line=0)
    """
    found = BLAMED.search(text)
    return Blamed(found[1], int(found[2])) if found else Blamed()


def sheet_part(open_class: OpenClass) -> str:
    """Return what a class is asked: the stages, the items that are open, names and numbers."""
    sheet = open_class.sheet
    if sheet is None:
        return ""
    return pages.part(
        "class_sheet.html",
        sheet=sheet,
        items=[item for item in sheet.items if item.is_open],
        more=sum(not item.is_open for item in sheet.items),
        rules=Markup(re.sub("(?<=[</])h2>", "h4>", reports.simple_html(rules_of(sheet.name)))),
    )


def stages_in(open_class: OpenClass, latest: LatestSubmission | None) -> list[StageMarks]:
    """Return how far a file is, stage by stage; none before it has marks, and of a sheet without."""
    if latest is None or not latest.marks or open_class.sheet is None or not open_class.sheet.stages:
        return []
    marks = read_marks(latest.marks, open_class.sheet, "")
    if marks.unread:
        return []
    return staged_marks(open_class.sheet, marks.marks, language_in(open_class.content(latest.id)))


def language_in(content: bytes) -> Language | None:
    """The language of what was handed in; None where it is Python."""
    if not is_zipped(content):
        return language_of(file_name_of(content))
    try:
        return language_among(files_in(content))
    except BadInput:
        return None


def report_lines(open_class: OpenClass, report: FileReport) -> tuple[str, list[pages.Row]]:
    """Return how a file stands, and the open items; what cannot be shown is one sentence."""
    try:
        marks = item_marks(report["items"], open_class.sheet) if open_class.sheet else []
        return finding_text(report["said"]), [line_of(mark) for mark in marks]
    except Exception:  # a store is read by many, and one file of it costs nobody the page
        return unreadable_report(), []


def lines_of(marks: StudentMarks) -> list[pages.Row]:
    """The marks of a student for the teacher, without the pictures where one cannot be drawn."""
    try:
        return [line_of(mark) for mark in marks.marks]
    except Exception:
        without_pictures = (replace(mark, finding=replace(mark.finding, wrong=None)) for mark in marks.marks)
        return [line_of(mark) for mark in without_pictures]


def line_of(mark: ItemMark) -> pages.Row:
    """An item of a sheet: how it stands, and what was wrong, as a picture and in words; the address where
    that position is played, and the line that is to blame.
    """
    wrong = mark.finding.wrong
    position = wrong.position if wrong else None
    return {
        "text": str(mark.item.text),
        "passed": mark.finding.passed,
        "said": str(mark.finding.sentence),
        "points": reports.of_points(mark.points, mark.item.points),
        "picture": pages.picture(board_svg(position, size=BOARD)) if position else "",
        "facts": reports.facts(wrong) if wrong else (),
        "play": address_of_position(position) if position else "",
        "blamed": blamed(str(mark.finding.sentence)),
    }


def address_of_position(position: Position) -> str:
    """Return where a position is played; nothing of a game that reads none."""
    if position.game.read_position is None:
        return ""
    return pages.address(f"/{position.game.text}", position=written_position(position), **PEOPLE)


def students_part(open_class: OpenClass) -> str:
    """The teacher's list: every student, the last file, the marks item by item; and the runs."""
    students = open_class.students()
    marks = {
        line.id: read_marks(line.latest.marks, open_class.sheet, line.name)
        for line in students
        if line.latest and line.latest.marks and open_class.sheet
    }
    part = pages.part(
        "class_students.html",
        students=students,
        marks=marks,
        sheet=open_class.sheet,
        of_points=reports.of_points,
        items_of={student: lines_of(of) for student, of in marks.items()},
        stages_of={
            student: staged_marks(open_class.sheet, of.marks, None)
            for student, of in marks.items()
            if open_class.sheet and open_class.sheet.stages and not of.unread
        },
        file_of={
            line.id: file_address(open_class, line, line.latest)
            for line in students
            if line.latest is not None
        },
        reports={line.id: read_report(line.latest.report) for line in students if line.latest is not None},
        finding_text=finding_text,
        counts=Counter(line.latest.state if line.latest else "" for line in students),
        exams=next(iter(ROOMS["exams"].pages)) if "exams" in ROOMS else "",
        when=when,
        said="",
    )
    return part + runs_part(open_class.roll.runs())


def when(at: int) -> str:
    """A time as the list shows it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


MOST_REPLAYS = 100
"""Games of a list."""


class ClassTable(NamedTuple):
    """The table as it is now.

    Attributes:
        game: what is played, as the store writes it
        played: games, and how many are left
        waiting: files that are looked at
        distinct: games that are different
        set_aside: pairs that cannot be played
    """

    version: str
    game: str
    table: ResultsTable
    played: int
    left: int
    waiting: int
    distinct: int
    set_aside: Sequence[UnplayablePair] = ()


@cache
def store_at(place: str) -> Store:
    """The store of the lab, opened once in a process. Raises BadFile, BadInput."""
    return Store(place, engine_of(place, create=False))


@lru_cache(maxsize=2)
def sheet_at(sheet: str, edition: int) -> MarkingSheet:
    """The sheet of a class, read again when its file has been edited. Raises BadFile."""
    with without_folder(sheet):
        return sheet_of(sheet)


def edition_of(sheet: str) -> int:
    """Return what changes when the file of a sheet is edited; 0 for one that damier brings, or that is
    gone.
    """
    try:
        return os.stat(sheet).st_mtime_ns if os.path.isabs(sheet) else 0
    except OSError:
        return 0


@dataclass(frozen=True)
class OpenClass(ClassStore):
    """A class that may hand in."""

    game: str
    sheet: MarkingSheet | None

    @property
    def roll(self) -> Roll:
        return Roll(self.store)

    def version(self) -> str:
        return self.progress().version

    def table(self) -> ClassTable:
        progress = self.progress()
        names, results, left, aside = self.results()
        return ClassTable(
            progress.version,
            self.game,
            table_of(names, results),
            results.games,
            left,
            progress.waiting,
            self.store.distinct_games(self.tournament, list(self.names())),
            aside,
        )


@dataclass(frozen=True)
class OpenTournament:
    """A tournament that somebody else plays, or played."""

    store: Store
    tournament: int
    game: str
    sheet: None = field(default=None, init=False)

    def version(self) -> str:
        return f"{self.tournament}.{self.store.last_game()}"

    def table(self) -> ClassTable:
        version = self.version()
        tournament = Tournament(self.store.plan(self.tournament), self.store, self.tournament)
        names = [entrant.name for entrant in tournament.plan.entrants]
        played = tournament.results.games
        return ClassTable(
            version,
            self.game,
            table_of(names, tournament.results),
            played,
            tournament.games - played,
            0,
            self.store.distinct_games(self.tournament, range(len(names))),
        )

    def names(self) -> dict[int, str]:
        plan = self.store.plan(self.tournament)
        return {place: entrant.name for place, entrant in enumerate(plan.entrants)}


Shown: TypeAlias = "OpenClass | OpenTournament"


def open_room(settings: Settings) -> Shown:
    """Return what the lab's store holds. Raises BadFile, BadInput."""
    store = store_at(settings.store)
    if settings.class_folder:
        classroom = Roll(store).classroom()
        if classroom is None:
            raise BadFile(message("{path} keeps no class", path=Path(settings.store.partition("?")[0]).name))
        sheet = sheet_at(classroom.sheet, edition_of(classroom.sheet)) if classroom.sheet else None
        return OpenClass(store, classroom.tournament, classroom.plan.game_text, sheet)
    tournaments = store.tournaments()
    if not tournaments:
        raise BadInput(message("no tournament has been begun here yet"))
    return OpenTournament(store, tournaments[-1], store.plan(tournaments[-1]).game_text)


def replays(view: Shown, of: str, against: str) -> tuple[list[ListedGame], dict[int, str]]:
    """Games of an agent, with another or with all, and the names by place. Raises UnknownName."""
    names = view.names()
    places = {name: place for place, name in names.items()}
    for name in (of, against):
        if name and name not in places:
            raise UnknownName(message("no agent {agent} takes part", agent=name))
    others = [places[against]] if against else [place for place in names if place != places[of]]
    return view.store.replays(view.tournament, places[of], others, MOST_REPLAYS), names


_tables = LRU[tuple[str, str], ClassTable](2)
"""The tables that were worked out last, by their versions: the strengths of many agents take time."""


def latest_table(settings: Settings, view: Shown) -> ClassTable:
    """Return the table as it is now."""
    known_as = (settings.store, view.version())
    if known_as not in _tables:
        table = view.table()
        known_as = (settings.store, table.version)
        _tables[known_as] = table
    return _tables[known_as]


# Runs of exercises in the room of a class: what is kept of one, and the teacher's list.


HEADS = {
    **dict.fromkeys(("student", "run", "title"), str),
    **dict.fromkeys(("first", "best"), float),
    **dict.fromkeys(("of", "times"), int),
    **dict.fromkeys(("first_finished", "last_finished"), str),
}


def finished_run(this: DrillParams, items: Sequence[Sequence[dict[str, str]]], now: int) -> FinishedRun:
    """A run as it is kept, its answers marked anew. Raises BadInput."""
    if not this.count or not items:
        raise BadInput(message("only a run has a result"))
    found = this.points(items)
    return FinishedRun(this.state()["run"], round(10 * found.total), found.of, now)


def kept_part(student: Student, run: FinishedRun) -> str:
    """Return what a student is told."""
    return pages.part(
        "exercise_kept.html", name=student.name, points=points_in_words(run.points / 10, run.of)
    )


def runs_part(lines: Sequence[RunLine]) -> str:
    """The teacher's list of runs."""
    return pages.part("class_runs.html", lines=lines, title_of=title_of, when=when)


def title_of(run: str) -> str:
    """Return what a run is called, in the language of who reads."""
    try:
        return DrillParams.of_address(Params(dict(parse_qsl(run.removeprefix("?"))))).title
    except BadInput:  # it was edited in the store
        return run


def runs_csv(lines: Sequence[RunLine]) -> str:
    """Return the same for a spreadsheet: times as the hour is in Greenwich, titles in the language in
    force.
    """
    return csv_text(
        DataTable(
            HEADS,
            [
                (line.student, line.run, title_of(line.run))
                + (line.first / 10, line.best / 10, line.of, line.times)
                + tuple(datetime.fromtimestamp(at, UTC).isoformat() for at in line[-2:])
                for line in lines
            ],
        )
    )


# What the teacher can take home: the table, the marks, every file that was handed in.


FILE = re.compile(r"([0-9]{1,9})/[\w.-]{1,100}", re.ASCII)
"""What an address says of a file: its number, and what a browser is to call it."""
LONGEST_PART = 40
SPREADSHEET = "utf-8-sig"
"""Excel reads a file without this mark as if it were of Windows, and "Zoé" as "ZoÃ©"."""


def download_of(open_class: OpenClass, name: str) -> Download:
    """A file by the name in its address. Raises UnknownName."""
    if found := FILE.fullmatch(name):
        content = open_class.content(int(found[1]))
        return Download("application/zip" if is_zipped(content) else "text/plain", content)
    if name == "standings.csv":
        return Download("text/csv", as_csv(open_class.table().table).encode(SPREADSHEET))
    if name == "exercises.csv":
        return Download("text/csv", runs_csv(open_class.roll.runs()).encode(SPREADSHEET))
    if name == "files.zip":
        return Download("application/zip", archive(open_class))
    if open_class.sheet is not None and name == "marks.csv":
        return Download(
            "text/csv", reports.class_csv(open_class.sheet, marked(open_class)).encode(SPREADSHEET)
        )
    if open_class.sheet is not None and name == "junit.xml":
        return Download("application/xml", reports.junit_xml(open_class.sheet, marked(open_class)).encode())
    raise UnknownName(message("there is no such file"))


def marked(open_class: OpenClass) -> list[StudentMarks]:
    """The marks of every student's last file; who has none yet has none of its items."""
    assert open_class.sheet is not None
    return [
        read_marks((line.latest.marks if line.latest else "") or "[]", open_class.sheet, line.name)
        for line in open_class.students()
    ]


def archive(open_class: OpenClass) -> bytes:
    """Every student's last file in a folder that is called after the student, and a list of who is who; the
    marks of each as Gradescope reads them.
    """
    lines, files = open_class.students(), dict[str, bytes]()
    folders = folders_of(lines)
    files["students.json"] = (to_json({folders[line.id]: line.name for line in lines}) + "\n").encode()
    for line in lines:
        if line.latest is not None:
            file, folder = open_class.content(line.latest.id), folders[line.id]
            files[f"{folder}/{called_as(open_class, folder, file)}"] = file
            if open_class.sheet is not None and line.latest.marks:
                marks = read_marks(line.latest.marks, open_class.sheet, line.name)
                if marks.unread:
                    files[f"{folder}/results.txt"] = f"{marks.unread}\n".encode()
                    continue
                results = to_json(reports.gradescope(open_class.sheet, marks)) + "\n"
                files[f"{folder}/results.json"] = results.encode()
    return zipped(files)


def folders_of(lines: Sequence[StudentLine]) -> dict[int, str]:
    """Return what the folder of each student is called: after the name, which two may write alike but for
    signs, and then with the student's number.
    """
    named = {line.id: file_part_of(line.name, "student") for line in lines}
    alike = Counter(name.casefold() for name in named.values())
    found = dict[int, str]()
    for id, name in named.items():
        folder = f"{name}-{id}" if name == "student" or alike[name.casefold()] > 1 else name
        while folder.casefold() in map(str.casefold, found.values()):  # another is called "Zoe 3" herself
            folder = f"{folder}-{id}"
        found[id] = folder
    return found


def file_part_of(text: str, otherwise: str) -> str:
    """Return a text as a part of the name of a file that every system takes: letters and digits of ASCII,
    and `-`.

    >>> file_part_of("Zoé d'Ailly-Martin", "student"), file_part_of("Ада", "student")
    ('Zoe-d-Ailly-Martin', 'student')
    >>> file_part_of("Łukasz Strauß", "student")
    'Lukasz-Strauss'
    """
    letters = unaccented(text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", letters)[:LONGEST_PART].strip("-") or otherwise


def called_as(open_class: OpenClass, student: str, content: bytes) -> str:
    """Return what a student's file is called: after the student and the sheet; one in Java, whose name is
    that of its class, as it must be.
    """
    own = ZIPPED if is_zipped(content) else file_name_of(content)
    if own.endswith(".java"):
        return own
    sheet = [file_part_of(Path(open_class.sheet.name).stem, "sheet")] if open_class.sheet else []
    return "-".join([student, *sheet]) + Path(own).suffix


def file_address(open_class: OpenClass, line: StudentLine, latest: LatestSubmission) -> str:
    """Return where the teacher finds a student's file, called as it is to be kept."""
    name = called_as(open_class, file_part_of(line.name, f"student-{line.id}"), open_class.content(latest.id))
    return f"/class/files/{latest.id}/{name}"


RoomVerb = TypeVar("RoomVerb", bound=RoomFunction)


def discreet(verb: RoomVerb) -> RoomVerb:
    """Leaves out of refusals where the class lies: that is no page's business."""

    @wraps(verb)
    def answered(registry: Registry, params: Params) -> RoomAnswer:
        try:
            return verb(registry, params)
        except DamierError as error:
            settings = registry.settings
            if is_url(settings.store) and isinstance(error, BadFile) and error.__cause__:
                # what a driver says names the server, and who asks it; the process of the class tells it
                raise BadFile(
                    message("what keeps this class cannot be reached now; try again in a minute")
                ) from error
            text = str(error)
            for folder in (settings.class_folder or os.sep, os.path.dirname(settings.store) or os.sep):
                text = text.replace(f"{folder}{os.sep}", "")
            raise type(error)(text) from error

    return cast("RoomVerb", answered)


LONGEST_KEY = 200
WIDEST = 40
"""Agents whose matrix is drawn: the first of the table."""
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}|")


@discreet
def page(registry: Registry, params: Params) -> str:
    """The room; of one who has not shown the code, the question for it. Raises WrongKey."""
    open_class = open_room(registry.settings)
    title = _("Class")
    if not params.flag("member"):
        return pages.page("class_code.html", HOME, title)
    student, teaches = known_student(open_class, params), is_teacher(open_class, params)
    table = latest_table(registry.settings, open_class)
    of, against = params.text("of"), params.text("against")
    return pages.page(
        "class.html",
        HOME,
        title,
        game=registry.page_game(open_class.game),
        topic=topic_of(params),
        parts=table_parts(table)
        | {
            "games": games_part(open_class, registry.page_game(open_class.game), of, against) if of else "",
            **student_parts(open_class, student),
            "sheet": sheet_part(open_class) if isinstance(open_class, OpenClass) else "",
        },
        of=of,
        hands_in=isinstance(open_class, OpenClass),
        sheet=open_class.sheet,
        student=student,
        teaches=teaches,
        largest=LARGEST,
        starter_folder=isinstance(open_class, OpenClass) and kit_of(open_class) is not None,
    )


def topic_of(params: Params) -> str:
    """Return under which topic the hub tells of the class, in the language in force."""
    return f"{params.text('topic')}/{language()}"


@discreet
def board(registry: Registry, params: Params) -> str:
    """The board of the class, for a projector: nothing of anybody but what stands on the ladder."""
    open_class = open_room(registry.settings)
    title = _("Class")
    if not params.flag("member"):
        return pages.page("class_code.html", HOME, title)
    settings = registry.settings
    join = f"http://{bracketed(settings.reachable)}:{settings.port}{HOME}"
    return pages.page(
        "class_board.html",
        HOME,
        title,
        game=registry.page_game(open_class.game),
        topic=topic_of(params),
        board=board_part(latest_table(settings, open_class)),
        join=join if isinstance(open_class, OpenClass) else "",
        code=params.text("code"),
    )


@discreet
def teacher(registry: Registry, params: Params) -> str:
    """The page of the teacher; of others, the question for the key. Raises WrongKey."""
    open_class = opened(registry)
    title = _("For the teacher")
    if not params.flag("member"):
        return pages.page("class_code.html", HOME, title)
    teaches = is_teacher(open_class, params)
    return pages.page(
        "class_teacher.html",
        HOME,
        title,
        game=registry.page_game(open_class.game),
        topic=topic_of(params),
        teaches=teaches,
        parts=teacher_parts(open_class) if teaches else {},
    )


def teacher_parts(open_class: OpenClass) -> Parts:
    """The list of students, and the files that are alike."""
    return {"students": students_part(open_class), "similar": similar_part(open_class)}


@discreet
def compare(registry: Registry, params: Params) -> str:
    """Two files side by side, with what they share, for the teacher. Raises WrongKey, UnknownName."""
    open_class = opened_for_teacher(registry, params)
    names = authors(open_class)
    pair = [params.whole(name, 0) for name in ("first", "second")]
    if not set(pair) <= names.keys():
        raise UnknownName(message("there is no such file"))
    runs = [similar.runs_of(sources_in(open_class, id)) for id in pair]
    shared = (similar.hashes(runs[0]) & similar.hashes(runs[1])) - given_to_all(open_class)
    return pages.page(
        "class_compare.html",
        HOME,
        _("Files side by side"),
        sides=[
            {
                "name": names[id],
                "lines": [line for text in sources_in(open_class, id).values() for line in text.splitlines()],
                "shared": similar.lines_of(of, shared),
            }
            for id, of in zip(pair, runs, strict=True)
        ],
        share=similar.share_of(*(similar.hashes(of) - given_to_all(open_class) for of in runs)),
        run=similar.RUN,
    )


def authors(open_class: OpenClass) -> dict[int, str]:
    """Return whose the last file of each student is, by its number."""
    return {line.latest.id: line.name for line in open_class.students() if line.latest is not None}


def sources_in(open_class: OpenClass, submission: int) -> dict[str, str]:
    """The texts of what was handed in, by their names: read as bytes, whatever it is."""
    content = open_class.content(submission)
    if not is_zipped(content):
        return {file_name_of(content): content.decode(errors="replace")}
    try:
        files = files_in(content)
    except BadInput:
        return {}
    texts = {name: data.decode(errors="replace") for name, data in sorted(files.items())}
    return {name: text for name, text in texts.items() if is_source(name)}


_own_runs = LRU[tuple[str, int], frozenset[int]](MOST_STUDENTS)
"""The runs of the files that were compared last, without those that are given to all: a file of a number
never changes.
"""
_shares = LRU[tuple[str, int, int], float](MOST_STUDENTS**2)
COMPARING = 2.0
"""Seconds of one answer in which files are compared; the next goes on from there. All last files of a class,
large on purpose, would take a minute, and the list from which a teacher takes students out would never open.
"""
MOST_PAIRS = 30


def own_runs(open_class: OpenClass, submission: int) -> frozenset[int]:
    """The runs of a file without those that are given to all."""
    return _own_runs.find(
        (open_class.store.place, submission),
        lambda: (
            similar.hashes(similar.runs_of(sources_in(open_class, submission))) - given_to_all(open_class)
        ),
    )


def compared(
    open_class: OpenClass, submissions: Iterable[int], until: float
) -> Iterator[similar.SimilarPair | None]:
    """Yield the pairs of some files; None in place of one that is not compared by a time."""
    for one, other in combinations(submissions, 2):
        key = (open_class.store.place, one, other)
        if key not in _shares and time.monotonic() < until:
            _shares[key] = similar.share_of(own_runs(open_class, one), own_runs(open_class, other))
        yield similar.SimilarPair(one, other, _shares[key]) if key in _shares else None


@lru_cache(maxsize=4)
def runs_of_kit(document: str) -> frozenset[int]:
    """The runs of a document's starter kit in Python."""
    return similar.hashes(similar.runs_of(kit(document, "python").files))


def given_to_all(open_class: OpenClass) -> frozenset[int]:
    """The runs of the starter kit of a class's sheet; none where it has none."""
    return runs_of_kit(open_class.sheet.name) if open_class.sheet and kit_of(open_class) else frozenset()


def similar_part(open_class: OpenClass) -> str:
    """The pairs of last files that are alike, for the teacher."""
    names = authors(open_class)
    found = list(compared(open_class, names, time.monotonic() + COMPARING))
    pairs = similar.similar_pairs(pair for pair in found if pair is not None)
    return pages.part(
        "class_similar.html",
        pairs=pairs[:MOST_PAIRS],
        names=names,
        more=len(pairs[MOST_PAIRS:]),
        waiting=found.count(None),
        run=similar.RUN,
        least=round(100 * similar.LEAST_SHARE),
    )


@discreet
def live(registry: Registry, params: Params) -> ClassAnswer:
    """The table, if it is another than `since`, else no parts: the hub asks, for all who watch."""
    open_class, since = open_room(registry.settings), params.text("since")
    if open_class.version() == since:
        return {"parts": {}, "version": since}
    table = latest_table(registry.settings, open_class)
    return {"parts": table_parts(table), "version": table.version}


def table_parts(table: ClassTable) -> Parts:
    """The standings, and who beats whom."""
    lines = [line._replace(scores=line.scores[:WIDEST]) for line in cross_lines(table.table)[:WIDEST]]
    matrix = pages.picture(crosstable_svg(lines, _("Who beats whom"))) if lines else ""
    return {"standings": standings_part(table), "matrix": matrix, "board": board_part(table)}


LADDER = 12
"""Lines on the board of the class: as many as can be read from the last row."""


class Upset(NamedTuple):
    """A win of an agent over one that is stronger by so much Elo."""

    winner: str
    loser: str
    elo: float


def biggest_upset(table: ResultsTable) -> Upset | None:
    """The win over the largest difference of strength; None where nobody has beaten a stronger one."""
    lines = table["standings"]
    upsets = [
        Upset(winner["agent"], loser["agent"], loser["elo"] - winner["elo"])
        for i, winner in enumerate(lines)
        for j, loser in enumerate(lines)
        if table["wins"][i][j] and loser["elo"] > winner["elo"]
    ]
    return max(upsets, key=lambda upset: upset.elo, default=None)


def board_part(table: ClassTable) -> str:
    """The ladder and its figures, to be read from afar."""
    lines = table.table["standings"]
    return pages.part(
        "class_ladder.html",
        lines=lines[:LADDER],
        more=len(lines[LADDER:]),
        table=table,
        upset=biggest_upset(table.table),
    )


@discreet
def hand_in(registry: Registry, params: Params) -> NewKeyAnswer:
    """Takes a file in. Raises WrongKey, BadInput, LimitReached."""
    return taken_in(registry, params, trial=False)


@discreet
def try_out(registry: Registry, params: Params) -> NewKeyAnswer:
    """Takes a file in that is tried and not handed in. Raises WrongKey, BadInput, LimitReached."""
    return taken_in(registry, params, trial=True)


def taken_in(registry: Registry, params: Params, *, trial: bool) -> NewKeyAnswer:
    """Takes a file in: of the student whose key was shown, or of a new one by `name`."""
    roll, file = opened(registry).roll, new_file(params)
    key = params.text("student", longest=LONGEST_KEY)
    taken = (
        roll.hand_in(key, file, trial=trial) if key else roll.enrol(params.text("name"), file, trial=trial)
    )
    return {"name": taken.student.name, "key": taken.key}


@discreet
def trial(registry: Registry, params: Params) -> TrialAnswer:
    """Return what came of the file that a student tried last. Raises WrongKey."""
    open_class = opened(registry)
    student = open_class.roll.student(params.text("student", longest=LONGEST_KEY))
    latest = open_class.trial(student.id)
    return {
        "parts": {"trial": trial_part(open_class, latest)},
        "done": latest is None or latest.state != WAITING,
    }


@discreet
def starter(registry: Registry, params: Params) -> StarterAnswer:
    """Return the files with which a student may begin."""
    return {"files": starter_files(opened(registry))}


@discreet
def starter_file(registry: Registry, params: Params) -> Download:
    """The starter to keep: one file, or a folder as a ZIP file."""
    open_class = opened(registry)
    if not params.flag("member"):
        raise wrong_key()
    kit = kit_of(open_class)
    if kit is None:
        (text,) = starter_files(open_class).values()
        return Download("text/plain", text.encode())
    return Download("application/zip", zipped({name: text.encode() for name, text in kit.files.items()}))


def kit_of(open_class: OpenClass) -> Kit | None:
    """The starter kit of the document whose sheet a class has; None where it has none."""
    name = open_class.sheet.name if open_class.sheet else ""
    return kit(name, "python") if "python" in kits().get(name, ()) else None


def starter_files(open_class: OpenClass) -> dict[str, str]:
    """The files with which a student may begin, those with something to be written first."""
    kit = kit_of(open_class)
    if kit is None:
        game = load(open_class.game)
        first = game.name_move(game.start, next(iter(each(game.moves(game.start)))))
        return {PYTHON: starter_text(open_class.game, first)}
    files = {
        name: text
        for name, text in kit.files.items()
        if name.endswith(".py") and not name.startswith("test_")
    }
    return dict(sorted(files.items(), key=lambda file: (TO_WRITE not in file[1], file[0])))


TO_WRITE = "TODO"
"""What stands in a starter kit where something is to be written."""


def starter_text(game: str, move: str) -> str:
    """Return an agent that plays, and says what it may ask."""
    text = _("An agent for {game}: it plays the first move that there is. What will yours play?", game=game)
    comments = (
        _("position.moves: the legal moves by name, such as {move}", move=repr(move)),
        _("position.mover: who is to move, 0 or 1"),
        _("position.play(move): the position after a move; this one does not change"),
        _("position.over, position.payoffs: whether the game has ended, and what it was worth to each"),
        _("str(position): the board as people read it"),
    )
    lines = [f"    # {sentence}" for sentence in comments]
    return "\n".join(
        [f'"""{text}"""', "", "", "def play(position):", *lines, "    return position.moves[0]", ""]
    )


def new_file(params: Params) -> NewSubmission:
    """A file as it comes from a page. Raises BadInput, LimitReached."""
    wanted = params.text("wanted").strip()
    if not IDENTIFIER.fullmatch(wanted):
        raise BadInput(message("the agent is named as in the file: letters, digits and _"))
    content = files_of(params) if "files" in params.values else content_of(params)
    if is_zipped(content):
        files_in(content)
    elif archive := archive_of(content):
        raise BadInput(
            message(
                "the file is an archive ({kind}): hand a folder in as a ZIP file, one file as it is",
                kind=archive,
            )
        )
    elif file_name_of(content) == PYTHON and (why := why_no_python(content)):
        raise BadInput(why)
    return NewSubmission(content, wanted, language(), int(time.time()), params.text("file"))


def files_of(params: Params) -> bytes:
    """The files of an editor by their names: one as it is, several as a folder. Raises BadInput."""
    files = params.values["files"]
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        raise BadInput(message("the file did not arrive whole; choose it again"))
    if len(files) == 1:
        return "".join(files.values()).encode(errors="replace")
    if not files or not all(is_own(name) and "/" not in name for name in files):
        raise BadInput(message("a file of a folder is called by letters, digits, _, - and points"))
    return zipped({name: text.encode(errors="replace") for name, text in files.items()})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A folder of files as an archive; the same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


def content_of(params: Params) -> bytes:
    """The bytes of a file, which come as base64. Raises BadInput, LimitReached."""
    text = params.values.get("content", "")
    if isinstance(text, str) and len(text) > 2 * LARGEST:
        raise too_large()
    try:
        return base64.b64decode(params.text("content", longest=2 * LARGEST), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(message("the file did not arrive whole; choose it again")) from None


@discreet
def report(registry: Registry, params: Params) -> FileAnswer:
    """Return how the last file of a student stands. Raises WrongKey."""
    open_class = opened(registry)
    student = open_class.roll.student(params.text("student", longest=LONGEST_KEY))
    latest_file = open_class.latest(student.id)
    return {
        "parts": {"file": file_part(open_class, student, latest_file)},
        "done": latest_file is None or latest_file.state != "waiting",
        "marked": latest_file is None
        or bool(latest_file.marks)
        or not (open_class.sheet and open_class.sheet.stages),
    }


@discreet
def identify(registry: Registry, params: Params) -> NewKeyAnswer:
    """Return whose key was typed, on a device that did not know it. Raises WrongKey."""
    return {
        "name": opened(registry).roll.student(params.text("student", longest=LONGEST_KEY)).name,
        "key": "",
    }


@discreet
def join(registry: Registry, params: Params) -> NewKeyAnswer:
    """Takes a new student in who hands in no file: exercises need none. Who has a key stays who that is.

    Raises WrongKey, BadInput, LimitReached.
    """
    open_class = opened(registry)
    if key := params.text("student", longest=LONGEST_KEY):
        return {"name": open_class.roll.student(key).name, "key": ""}
    joined = open_class.roll.join(params.text("name"))
    return {"name": joined.student.name, "key": joined.key}


@discreet
def who(registry: Registry, params: Params) -> NewKeyAnswer:
    """Return whose key this browser keeps; nobody's where it keeps none. Raises WrongKey."""
    student = known_student(opened(registry), params)
    return {"name": student.name if student else "", "key": ""}


@discreet
def keep_run(registry: Registry, params: Params) -> PartsAnswer:
    """Keeps a run of exercises for the student whose key came along; its points are worked out here.

    Raises WrongKey, BadInput, LimitReached.
    """
    open_class = opened(registry)
    student = open_class.roll.student(params.text("student", longest=LONGEST_KEY))
    items = items_of(params.values.get("items", []), MARKINGS)
    run = finished_run(DrillParams.of_address(params), items, int(time.time()))
    open_class.roll.keep_run(student.id, run)
    return {"parts": {"kept": kept_part(student, run)}}


@discreet
def teach(registry: Registry, params: Params) -> NewKeyAnswer:
    """Return whether the teacher's key was typed. Raises WrongKey."""
    opened_for_teacher(registry, params)
    return {"name": _("teacher"), "key": ""}


@discreet
def students(registry: Registry, params: Params) -> PartsAnswer:
    """The teacher's list as it is now. Raises WrongKey."""
    return {"parts": teacher_parts(opened_for_teacher(registry, params))}


@discreet
def new_key(registry: Registry, params: Params) -> NewKeyAnswer:
    """A new key for a student who has lost the former. Raises WrongKey, UnknownName."""
    open_class = opened_for_teacher(registry, params)
    student = params.whole("id", 0)
    return {"name": name_of(open_class, student), "key": open_class.roll.new_key(student)}


@discreet
def remove(registry: Registry, params: Params) -> PartsAnswer:
    """Takes a student out of the class. Raises WrongKey, UnknownName."""
    open_class = opened_for_teacher(registry, params)
    open_class.roll.remove(params.whole("id", 0))
    return {"parts": teacher_parts(open_class)}


@discreet
def download(registry: Registry, params: Params) -> Download:
    """A file for the teacher. Raises WrongKey, UnknownName."""
    return download_of(opened_for_teacher(registry, params), params.text("name"))


def opened(registry: Registry) -> OpenClass:
    """The class that is open. Raises UnknownName where there is none."""
    open_class = open_room(registry.settings)
    if not isinstance(open_class, OpenClass):
        raise UnknownName(message("nobody can hand in here: this is a tournament, no class"))
    return open_class


def known_student(view: Shown, params: Params) -> Student | None:
    """The student whose key came along. Raises WrongKey."""
    key = params.text("student", longest=LONGEST_KEY)
    return view.roll.student(key) if key and isinstance(view, OpenClass) else None


def is_teacher(view: Shown, params: Params) -> bool:
    """Return whether the teacher's key came along. Raises WrongKey for another."""
    if not params.text("teacher", longest=LONGEST_KEY) or not isinstance(view, OpenClass):
        return False
    require_teacher(view, params)
    return True


def opened_for_teacher(registry: Registry, params: Params) -> OpenClass:
    """The class that is open, for the teacher alone. Raises UnknownName, WrongKey."""
    open_class = opened(registry)
    require_teacher(open_class, params)
    return open_class


def require_teacher(open_class: OpenClass, params: Params) -> None:
    """Raises WrongKey."""
    open_class.roll.require_teacher(params.text("teacher", longest=LONGEST_KEY))


def name_of(open_class: OpenClass, student: int) -> str:
    return next((line.name for line in open_class.students() if line.id == student), "")


# What the whole class opens at once is made ready before workers are forked: a store in memory, since a
# connection to the one on the disk cannot be shared, and what works strengths out.

IN_MEMORY = ":memory:"
"""A store that is gone when it is closed."""


def warm() -> Iterator[None]:
    """Make the room ready in steps; its own imports were the first."""
    yield
    with opened_store(IN_MEMORY) as store:
        Roll(store).classroom()
    yield
    table_of(["1", "2"], Results(2))
    yield
