"""Runs of exercises in the room of a class: what is kept of one, and the teacher's list."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from damier.arena.classroom.roll import Student
from damier.arena.classroom.runs import FinishedRun, RunLine
from damier.core.errors import BadInput
from damier.core.words import _, message
from damier.lab.exercises.drill import MARKINGS
from damier.lab.exercises.kinds import KINDS, NAMES, USUAL_COUNT
from damier.web import pages
from damier.web.classroom.parts import when
from damier.web.exercise.asked_drill import CLASS_PAGE, AskedDrill, items_of
from damier.web.exercise.parts import figure
from damier.web.params import Asked

HEADS = ("student", "run", "title", "first", "best", "of", "times", "first_finished", "last_finished")


def finished_run(asked: Asked, now: int) -> FinishedRun:
    """A run as it is kept, its answers marked anew. Raises BadInput."""
    this = AskedDrill.asked(asked)
    items = items_of(asked.values.get("items", []), MARKINGS)
    return finished_run_of(this, items, now)


def finished_run_of(this: AskedDrill, items: Sequence[Sequence[dict[str, str]]], now: int) -> FinishedRun:
    """The same of a run that is known. Raises BadInput."""
    if this.run is None or not items:
        raise BadInput(message("only a run has a result"))
    found = this.run.points(items)
    return FinishedRun(this.state()["run"], this.run.title, round(10 * found.total), found.of, now)


def kept_part(student: Student, run: FinishedRun) -> str:
    """What a student is told."""
    return pages.part("exercise_kept.html", name=student.name, points=figure(run.points / 10), of=run.of)


def runs_part(lines: Sequence[RunLine]) -> str:
    """The teacher's list of runs."""
    rows = [
        (
            line._replace(title=title_of(line)),
            address_of(line.run),
            figure(line.first / 10),
            figure(line.best / 10),
        )
        for line in lines
    ]
    kinds = [(kind, _(NAMES[kind])) for kind in KINDS]
    return pages.part("class_runs.html", rows=rows, when=when, kinds=kinds, count=USUAL_COUNT)


def title_of(line: RunLine) -> str:
    """What a run is called, in the language of who reads: a title was kept in that of who did it."""
    asked = Asked(dict(parse_qsl(line.run.removeprefix("?"))))
    try:
        found = AskedDrill.of_class(asked, b"") if "sheet" in asked.values else AskedDrill.asked(asked)
    except BadInput:  # of an earlier damier
        return line.title
    return found.run.title if found.run else line.title


def address_of(run: str) -> str:
    """Where a run is done: a sheet of the class under the class."""
    return f"{CLASS_PAGE}{run}" if "sheet=" in run else f"/tree{run}&view=exercise"


def runs_csv(lines: Sequence[RunLine]) -> str:
    """The same for a spreadsheet: times as the hour is in Greenwich, titles in the language in force."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(HEADS)
    for line in lines:
        times = (datetime.fromtimestamp(at, UTC).isoformat() for at in line[-2:])
        points = line.first / 10, line.best / 10, line.of
        table.writerow((line.student, line.run, title_of(line), *points, line.times, *times))
    return written.getvalue()
