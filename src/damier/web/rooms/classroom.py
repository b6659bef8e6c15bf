"""The room of a class: its table as it is played, its games to replay, and, where a class is open, its
students' files. What the hub says of who asks stands in `member`, `student` and `teacher`.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import time
from functools import cache, wraps
from typing import TypeVar, cast

from damier.arena.classroom.roll import LARGEST, NewSubmission, Student, wrong_key
from damier.arena.classroom.views import StudentLine
from damier.core.errors import BadInput, DamierError, UnknownName
from damier.core.words import _, language, message
from damier.draw.crosstable import crosstable_svg
from damier.lab.classroom.check import read_marks
from damier.lab.python_source import why_no_python
from damier.lab.tournament_report import cross_lines
from damier.web import pages
from damier.web.classroom.class_context import LatestTable, Shown, ShownClass, ShownTable, shown_by
from damier.web.classroom.files import download_of
from damier.web.classroom.parts import file_part, games_part, standings_part, students_part
from damier.web.classroom.runs import finished_run, kept_part, runs_part
from damier.web.messages.parts import Parts, PartsAnswer
from damier.web.messages.rooms import ClassAnswer, Download, FileAnswer, NewKeyAnswer, RoomAnswer
from damier.web.params import Asked
from damier.web.registry import Registry
from damier.web.verbs import RoomFunction

RoomVerb = TypeVar("RoomVerb", bound=RoomFunction)


def discreet(verb: RoomVerb) -> RoomVerb:
    """Leaves out of refusals where the class lies: that is no page's business."""

    @wraps(verb)
    def answered(registry: Registry, asked: Asked) -> RoomAnswer:
        try:
            return verb(registry, asked)
        except DamierError as error:
            said = str(error).replace(f"{registry.settings.class_folder or os.sep}{os.sep}", "")
            raise type(error)(said) from error

    return cast("RoomVerb", answered)


LONGEST_KEY = 200
WIDEST = 40
"""Agents whose matrix is drawn: the first of the table."""
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}|")


@discreet
def page(registry: Registry, asked: Asked) -> str:
    """The room; of one who has not shown the code, the question for it. Raises WrongKey."""
    shown = shown_by(registry.settings)
    title = _("Class")
    if not asked.flag("member"):
        return pages.page("class_code.html", pages.CLASS, title)
    student, teaches = known_student(shown, asked), is_teacher(shown, asked)
    table = latest().of(registry.settings, shown)
    of, against = asked.text("of"), asked.text("against")
    return pages.page(
        "class.html",
        pages.CLASS,
        title,
        game=registry.page_game(shown.game),
        topic=f"{asked.text('topic')}/{language()}",
        parts=table_parts(table)
        | {
            "games": games_part(shown, registry.page_game(shown.game), of, against) if of else "",
            "file": file_of(shown, student) if student else "",
            "students": students_of(shown) if teaches else "",
        },
        of=of,
        hands_in=isinstance(shown, ShownClass),
        sheet=shown.sheet,
        student=student,
        teaches=teaches,
        largest=LARGEST,
    )


@discreet
def live(registry: Registry, asked: Asked) -> ClassAnswer:
    """The table, if it is another than `since`, else no parts: the hub asks, for all who watch."""
    shown, since = shown_by(registry.settings), asked.text("since")
    if shown.version() == since:
        return {"parts": {}, "version": since}
    table = latest().of(registry.settings, shown)
    return {"parts": table_parts(table), "version": table.version}


@cache
def latest() -> LatestTable:
    return LatestTable()


def table_parts(table: ShownTable) -> Parts:
    """The standings, and who beats whom."""
    lines = cross_lines(table.table)[:WIDEST]
    lines = [line._replace(scores=line.scores[:WIDEST]) for line in lines]
    matrix = pages.picture(crosstable_svg(lines, _("Who beats whom"))) if lines else ""
    return {"standings": standings_part(table), "matrix": matrix}


@discreet
def hand_in(registry: Registry, asked: Asked) -> NewKeyAnswer:
    """Takes a file in: of the student whose key was shown, or of a new one by `name`.

    Raises WrongKey, BadInput, LimitReached.
    """
    shown = opened(registry)
    wanted = asked.text("wanted").strip()
    if not IDENTIFIER.fullmatch(wanted):
        raise BadInput(message("the agent is named as in the file: letters, digits and _"))
    content = content_of(asked)
    if why := why_no_python(content):
        raise BadInput(why)
    file = NewSubmission(content, wanted, language(), int(time.time()))
    if key := asked.text("student", longest=LONGEST_KEY):
        return {"name": shown.roll.hand_in(key, file).student.name, "key": ""}
    taken = shown.roll.enrol(asked.text("name"), file)
    return {"name": taken.student.name, "key": taken.key}


def content_of(asked: Asked) -> bytes:
    """The bytes of a file, which come as base64. Raises BadInput."""
    text = asked.text("content", longest=2 * LARGEST)
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(message("the file did not arrive whole; choose it again")) from None


@discreet
def report(registry: Registry, asked: Asked) -> FileAnswer:
    """How the last file of a student stands. Raises WrongKey."""
    shown = opened(registry)
    student = shown.roll.student(asked.text("student", longest=LONGEST_KEY))
    latest_file = shown.views.latest(student.id)
    return {
        "parts": {"file": file_of(shown, student)},
        "done": latest_file is None or latest_file.state != "waiting",
    }


@discreet
def identify(registry: Registry, asked: Asked) -> NewKeyAnswer:
    """Whose key was typed, on a device that did not know it. Raises WrongKey."""
    return {"name": opened(registry).roll.student(asked.text("student", longest=LONGEST_KEY)).name, "key": ""}


@discreet
def join(registry: Registry, asked: Asked) -> NewKeyAnswer:
    """Takes a new student in who hands in no file: exercises need none. Who has a key stays who that is.

    Raises WrongKey, BadInput, LimitReached.
    """
    shown = opened(registry)
    if key := asked.text("student", longest=LONGEST_KEY):
        return {"name": shown.roll.student(key).name, "key": ""}
    joined = shown.roll.join(asked.text("name"))
    return {"name": joined.student.name, "key": joined.key}


@discreet
def who(registry: Registry, asked: Asked) -> NewKeyAnswer:
    """Whose key this browser keeps; nobody's where it keeps none. Raises WrongKey."""
    student = known_student(opened(registry), asked)
    return {"name": student.name if student else "", "key": ""}


@discreet
def keep_run(registry: Registry, asked: Asked) -> PartsAnswer:
    """Keeps a run of exercises for the student whose key came along; its points are worked out here.

    Raises WrongKey, BadInput, LimitReached.
    """
    shown = opened(registry)
    student = shown.roll.student(asked.text("student", longest=LONGEST_KEY))
    run = finished_run(asked, int(time.time()))
    shown.runs.keep(student.id, run)
    return {"parts": {"kept": kept_part(student, run)}}


@discreet
def teach(registry: Registry, asked: Asked) -> NewKeyAnswer:
    """Whether the teacher's key was typed. Raises WrongKey."""
    require_teacher(opened(registry), asked)
    return {"name": _("teacher"), "key": ""}


@discreet
def students(registry: Registry, asked: Asked) -> PartsAnswer:
    """The teacher's list as it is now. Raises WrongKey."""
    shown = opened(registry)
    require_teacher(shown, asked)
    return {"parts": {"students": students_of(shown)}}


@discreet
def new_key(registry: Registry, asked: Asked) -> NewKeyAnswer:
    """A new key for a student who has lost the former. Raises WrongKey, UnknownName."""
    shown = opened(registry)
    require_teacher(shown, asked)
    student = asked.whole("id", 0)
    return {"name": name_of(shown, student), "key": shown.roll.new_key(student)}


@discreet
def remove(registry: Registry, asked: Asked) -> PartsAnswer:
    """Takes a student out of the class. Raises WrongKey, UnknownName."""
    shown = opened(registry)
    require_teacher(shown, asked)
    shown.roll.remove(asked.whole("id", 0))
    return {"parts": {"students": students_of(shown)}}


@discreet
def download(registry: Registry, asked: Asked) -> Download:
    """A file for the teacher. Raises WrongKey, UnknownName."""
    shown = opened(registry)
    require_teacher(shown, asked)
    return download_of(shown, asked.text("name"))


def opened(registry: Registry) -> ShownClass:
    """The class that is open. Raises UnknownName where there is none."""
    shown = shown_by(registry.settings)
    if not isinstance(shown, ShownClass):
        raise UnknownName(message("nobody can hand in here: this is a tournament, no class"))
    return shown


def known_student(shown: Shown, asked: Asked) -> Student | None:
    """The student whose key came along. Raises WrongKey."""
    key = asked.text("student", longest=LONGEST_KEY)
    return shown.roll.student(key) if key and isinstance(shown, ShownClass) else None


def is_teacher(shown: Shown, asked: Asked) -> bool:
    """Whether the teacher's key came along. Raises WrongKey for another."""
    if not asked.text("teacher", longest=LONGEST_KEY) or not isinstance(shown, ShownClass):
        return False
    require_teacher(shown, asked)
    return True


def require_teacher(shown: ShownClass, asked: Asked) -> None:
    """Raises WrongKey."""
    key = asked.text("teacher", longest=LONGEST_KEY)
    if not key:
        raise wrong_key()
    shown.roll.require_teacher(key)


def name_of(shown: ShownClass, student: int) -> str:
    return next((line.name for line in shown.views.students() if line.id == student), "")


def file_of(shown: Shown, student: Student) -> str:
    """How a student's last file stands."""
    assert isinstance(shown, ShownClass)
    return file_part(shown, student)


def students_of(shown: Shown) -> str:
    """The teacher's list."""
    assert isinstance(shown, ShownClass)
    lines: list[StudentLine] = shown.views.students()
    marks = {
        line.id: read_marks(line.latest.marks, shown.sheet, line.name)
        for line in lines
        if line.latest and line.latest.marks and shown.sheet
    }
    return students_part(shown, lines, marks) + runs_part(shown.runs.lines())
