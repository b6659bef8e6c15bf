"""The parts of the room of a class."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from damier.arena.classroom.roll import Student
from damier.arena.classroom.views import StudentLine, UnplayablePair
from damier.core.words import _, grouped, ngettext
from damier.draw.board import board_svg
from damier.lab.classroom.check import FileReport, item_marks, read_report, read_told, unreadable_report
from damier.lab.marking.mark_text import facts, of_points
from damier.lab.marking.marks import ItemMark, StudentMarks
from damier.lab.tournament_report import interval
from damier.web import pages
from damier.web.classroom.class_context import Shown, ShownClass, ShownTable, replays

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


def standings_part(table: ShownTable) -> str:
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
    """What is said of two agents that cannot be played against each other."""
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


def file_part(shown: ShownClass, student: Student) -> str:
    """How the last file of a student stands."""
    latest = shown.views.latest(student.id)
    report = read_report(latest.report) if latest else None
    said, items = told_of(shown, report) if report else ("", [])
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


def told_of(shown: ShownClass, report: FileReport) -> tuple[str, list[ItemLine]]:
    """How a file stands, and the open items; what cannot be shown is one sentence."""
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
    shown: ShownClass, students: Sequence[StudentLine], marks: Mapping[int, StudentMarks]
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
