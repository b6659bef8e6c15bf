"""The store of the class as its room shows it: a class, or the latest tournament of any store; and the
parts of that page.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from damier.arena.class_queue import ClassViews, FinishedRuns, StudentLine, UnplayablePair
from damier.arena.class_roll import Roll, Student
from damier.arena.store import ListedGame, Store, engine_of
from damier.arena.tournament import Tournament
from damier.core.errors import BadFile, BadInput, UnknownName
from damier.core.words import _, grouped, message, ngettext
from damier.draw.board import board_svg
from damier.lab.class_check import FileReport, item_marks, read_report, read_told, unreadable_report
from damier.lab.marking.reports import facts, of_points
from damier.lab.marking.sheet import ItemMark, MarkingSheet, StudentMarks
from damier.lab.marking.sheet import sheet as sheet_of
from damier.lab.tournament_report import ResultsTable, interval, table_of
from damier.web import pages
from damier.web.limits import LRU
from damier.web.registry import without_folder
from damier.web.settings import Settings

# The parts of the room of a class.


PEOPLE = {"1": "human", "2": "human"}
"""Who sits at the board where a game is replayed: nobody moves by himself."""
BOARD = 40
"""The size of a cell of a picture beside what was wrong."""


class GameLine(NamedTuple):
    """A game of a list: its number, who against whom, how it ended, and where it is replayed."""

    number: int
    opponent: str
    seat: int
    result: str
    plies: int
    fault: str
    address: str


class ItemLine(NamedTuple):
    """An item of a sheet: how it stands, and what was wrong, as a picture and in words."""

    text: str
    passed: bool
    said: str
    points: str
    picture: Markup | str
    facts: Sequence[str]


def standings_part(table: ClassTable) -> str:
    lines = table.table["standings"]
    progress = [
        _("{played} games played, {left} left", played=grouped(table.played), left=grouped(table.left))
    ]
    if table.waiting:
        progress.append(
            ngettext("{n} file is being looked at", "{n} files are being looked at", table.waiting)
        )
    if table.set_aside:
        progress.append(
            ngettext("{n} pair cannot be played", "{n} pairs cannot be played", len(table.set_aside))
        )
    return pages.part(
        "class_standings.html",
        lines=lines,
        interval=interval,
        faulty=any(line["faults"] for line in lines),
        progress=" · ".join(progress),
        set_aside=[why_unplayed(pair) for pair in table.set_aside],
    )


def why_unplayed(pair: UnplayablePair) -> str:
    """Return what is said of two agents that cannot be played against each other."""
    return ngettext(
        "{first} and {second}: {n} game is left out, since whatever played it broke off again and again;"
        " a new file of either is played anew",
        "{first} and {second}: {n} games are left out, since whatever played them broke off again and again;"
        " a new file of either is played anew",
        pair.games,
        first=pair.first,
        second=pair.second,
    )


def games_part(shown: Shown, game: str, of: str, against: str) -> str:
    """The games of an agent, each with the address where it is replayed. Raises UnknownName."""
    found, names = replays(shown, of, against)
    ends = {1: _("win"), 0: _("draw"), -1: _("loss")}
    lines = [
        GameLine(
            replay.game,
            names[replay.opponent],
            replay.seat,
            ends[replay.result],
            len(replay.moves),
            replay.fault,
            pages.address(f"/{game}", moves=",".join(replay.moves), at=0, show="truth", **PEOPLE),
        )
        for replay in found
    ]
    others = sorted(name for name in names.values() if name != of)
    return pages.part("class_games.html", of=of, against=against, lines=lines, others=others)


def file_part(shown: OpenClass, student: Student) -> str:
    """Return how the last file of a student stands."""
    latest = shown.views.latest(student.id)
    report = read_report(latest.report) if latest else None
    said, items = report_lines(shown, report) if report else ("", [])
    return pages.part(
        "class_file.html",
        name=student.name,
        latest=latest,
        stands=student.name in shown.names().values(),
        report=report,
        said=said,
        items=items,
        others=sorted(set(report["agents"]) - {report["agent"]}) if report else [],
    )


def report_lines(shown: OpenClass, report: FileReport) -> tuple[str, list[ItemLine]]:
    """Return how a file stands, and the open items; what cannot be shown is one sentence."""
    try:
        marks = item_marks(report["items"], shown.sheet) if shown.sheet else []
        return read_told(report["said"]), [line_of(mark) for mark in marks]
    except Exception:  # a store is read by many, and one file of it costs nobody the page
        return unreadable_report(), []


def lines_of(marks: StudentMarks) -> list[ItemLine]:
    """The marks of a student for the teacher, without the pictures where one cannot be drawn."""
    try:
        return [line_of(mark) for mark in marks.marks]
    except Exception:
        plain = (replace(mark, finding=replace(mark.finding, wrong=None)) for mark in marks.marks)
        return [line_of(mark) for mark in plain]


def line_of(mark: ItemMark) -> ItemLine:
    wrong = mark.finding.wrong
    return ItemLine(
        str(mark.item.text),
        mark.finding.passed,
        str(mark.finding.sentence),
        of_points(mark.points, mark.item.points),
        pages.picture(board_svg(wrong.position, size=BOARD)) if wrong and wrong.position else "",
        facts(wrong) if wrong else (),
    )


def students_part(
    shown: OpenClass, students: Sequence[StudentLine], marks: Mapping[int, StudentMarks]
) -> str:
    """The teacher's list: every student, the last file, the marks item by item."""
    return pages.part(
        "class_students.html",
        students=students,
        marks=marks,
        sheet=shown.sheet,
        of_points=of_points,
        items_of={student: lines_of(of) for student, of in marks.items()},
        when=when,
        said="",
    )


def when(at: int) -> str:
    """A time as the list shows it."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


MOST_REPLAYS = 100
"""Games of a list."""


class ClassTable(NamedTuple):
    """The table as it is now.

    game       what is played, as the store writes it
    played     games, and how many are left
    waiting    files that are looked at
    set_aside  pairs that cannot be played
    """

    version: str
    game: str
    table: ResultsTable
    played: int
    left: int
    waiting: int
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


@dataclass
class OpenClass:
    """A class that may hand in."""

    store: Store
    tournament: int
    game: str
    sheet: MarkingSheet | None

    @property
    def views(self) -> ClassViews:
        return ClassViews(self.store, self.tournament)

    @property
    def roll(self) -> Roll:
        return Roll(self.store)

    @property
    def runs(self) -> FinishedRuns:
        return FinishedRuns(self.store)

    def version(self) -> str:
        return ".".join(map(str, self.views.progress()))

    def table(self) -> ClassTable:
        progress = self.views.progress()
        names, results, left, aside = self.views.results()
        return ClassTable(
            ".".join(map(str, progress)),
            self.game,
            table_of(names, results),
            results.games,
            left,
            progress.waiting,
            aside,
        )

    def names(self) -> dict[int, str]:
        """Return who stands in the table, by place."""
        return self.views.names()


@dataclass
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
            version, self.game, table_of(names, tournament.results), played, tournament.games - played, 0
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
            raise BadFile(message("{path} keeps no class", path=Path(settings.store).name))
        sheet = sheet_at(classroom.sheet, edition_of(classroom.sheet)) if classroom.sheet else None
        return OpenClass(store, classroom.tournament, classroom.plan.game_text, sheet)
    tournaments = store.tournaments()
    if not tournaments:
        raise BadInput(message("no tournament has been begun here yet"))
    return OpenTournament(store, tournaments[-1], store.plan(tournaments[-1]).game_text)


def replays(shown: Shown, of: str, against: str) -> tuple[list[ListedGame], dict[int, str]]:
    """Games of an agent, with another or with all, and the names by place. Raises UnknownName."""
    names = shown.names()
    places = {name: place for place, name in names.items()}
    for name in (of, against):
        if name and name not in places:
            raise UnknownName(message("no agent {agent} takes part", agent=name))
    others = [places[against]] if against else [place for place in names if place != places[of]]
    return shown.store.replays(shown.tournament, places[of], others, MOST_REPLAYS), names


_tables = LRU[tuple[str, str], ClassTable](2)
"""The tables that were worked out last, by their versions: the strengths of many agents take time."""


def latest_table(settings: Settings, shown: Shown) -> ClassTable:
    """Return the table as it is now."""
    known_as = (settings.store, shown.version())
    if known_as not in _tables:
        table = shown.table()
        known_as = (settings.store, table.version)
        _tables[known_as] = table
    return _tables[known_as]
