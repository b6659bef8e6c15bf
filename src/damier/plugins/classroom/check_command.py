"""`damier check`: the marks of a class, from a sheet and the files that students have handed in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.agents import isolation
from damier.cli.command import Json, bar, remark, report, say, table, within
from damier.core.errors import BadInput, Unsuitable
from damier.core.files import make_folder
from damier.core.words import _, decimal, message
from damier.lab.kits import rules_of
from damier.plugins.classroom.marking.reports import (
    facts as facts_of,
    of_points,
    state,
    text,
    verdict,
    write_reports,
    written_next,
)
from damier.plugins.classroom.marking.sheet import (
    ItemMark,
    MarkingSheet,
    StudentMarks,
    mark_all,
    sheet as sheet_of,
    stages_of,
)

MOST_AT_ONCE = 64


def check(
    sheet: Annotated[str, Parameter(help=_("a sheet that damier brings (s0, s1, s3, s4), or a TOML file"))],
    /,
    *submissions: Annotated[
        Path,
        Parameter(help=_("the file of each student, or a folder such as damier start writes")),
    ],
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_("a folder for the reports: pages, results.json for Gradescope, JUnit XML, CSV"),
        ),
    ] = None,
    at_once: Annotated[
        int, Parameter(converter=within(1, MOST_AT_ONCE), help=_("how many run at the same time"))
    ] = 2,
    isolated: Annotated[
        bool,
        Parameter(negative=(), show_default=False, help=_("submissions run in a sandbox, or not at all")),
    ] = False,
    json: Json = False,
) -> None:
    marking_sheet = sheet_of(sheet)
    if not submissions:
        raise BadInput(message("give the files to mark after the sheet"))
    if out is not None:
        make_folder(out)
    if refusal := isolation.no_isolation():
        if isolated:
            raise Unsuitable(message("agents cannot be isolated here: {why}", why=refusal))
        remark(_("submissions are not in a sandbox here, they run with all your rights: {why}", why=refusal))
    total = len(submissions)
    students = mark_all(marking_sheet, submissions, at_once, lambda done: bar(done, total, _("submissions")))
    if out is not None:
        write_reports(out, marking_sheet, students)
    data = {
        "sheet": marking_sheet.name,
        "points": marking_sheet.points,
        "students": facts(marking_sheet, students),
    }
    report(data, json, lambda: show(marking_sheet, students), out)


def facts(sheet: MarkingSheet, students: Sequence[StudentMarks]) -> list[dict[str, object]]:
    """The marks as plain data."""
    return [
        {
            "name": student.name,
            "points": student.points,
            "stages": [
                {
                    "name": stage.stage.name,
                    "points": stage.points,
                    "most": stage.most,
                    "done": stage.done,
                    "current": stage.current,
                    "write": stage.write,
                }
                for stage in stages_of(sheet, student)
            ],
            "items": [
                {
                    "name": mark.item.name,
                    "points": mark.points,
                    "passed": mark.finding.passed,
                    "said": str(mark.finding.sentence),
                    "wrong": None
                    if mark.finding.wrong is None
                    else {
                        "board": text(mark.finding.wrong),
                        "expected": str(mark.finding.wrong.expected),
                        "got": str(mark.finding.wrong.got),
                    },
                }
                for mark in student.marks
            ],
        }
        for student in students
    ]


def show(sheet: MarkingSheet, students: Sequence[StudentMarks]) -> None:
    """One student's marks item by item; those of a class as a table, one line a student."""
    if len(students) == 1 and sheet.stages:
        show_stages(sheet, students[0])
        return
    if len(students) == 1:
        rows = [
            (
                str(mark.item.text),
                of_points(mark.points, mark.item.points),
                verdict(mark),
                str(mark.finding.sentence),
            )
            for mark in students[0].marks
        ]
        table((_("item"), _("points"), "", ""), rows, headline(sheet, students[0]), numbers=[1])
        show_wrong(students[0].marks)
        return
    heads = (_("name"), _("points"), *map(str, range(1, len(sheet.items) + 1)))
    lines = [
        (
            student.name,
            of_points(student.points, sheet.points),
            *(decimal(mark.points) for mark in student.marks),
        )
        for student in students
    ]
    table(heads, lines, str(sheet.title), numbers=range(1, len(heads)))
    for number, item in enumerate(sheet.items, 1):
        say(f"{number:>3}  {item.text} ({decimal(item.points)})")


def headline(sheet: MarkingSheet, student: StudentMarks) -> str:
    """Return whose marks these are, and how many points."""
    had = of_points(student.points, sheet.points)
    return _("{name}: {value}", name=f"{sheet.title} — {student.name}", value=had)


def show_stages(sheet: MarkingSheet, student: StudentMarks) -> None:
    """Show how far a student is, stage by stage; of the first stage that is not done, its items, and what is
    to be written.
    """
    stages = stages_of(sheet, student)
    rows = [
        (str(number), str(stage.stage.text), of_points(stage.points, stage.most), state(stage))
        for number, stage in enumerate(stages, 1)
    ]
    table(("", _("stage"), _("points"), ""), rows, headline(sheet, student), numbers=[0, 2])
    for number, stage in enumerate(stages, 1):
        if not stage.current:
            continue
        say(f"{number}. {stage.stage.text}")
        say()
        for mark in stage.marks:
            had = of_points(mark.points, mark.item.points)
            say(f"{mark.item.text} — {had} ({verdict(mark)})")
            say(f"    {mark.finding.sentence}")
            for line in wrong_lines(mark):
                say(f"    {line}")
        say()
        say(written_next(stage))
        if rules_of(sheet.name):
            say(_("Names, arguments, order of cells: README.md of the kit, and the page that -o writes."))


def show_wrong(marks: Sequence[ItemMark]) -> None:
    """The first wrong position of each item."""
    for mark in marks:
        if lines := wrong_lines(mark):
            say(f"{mark.item.text}")
            for line in lines:
                say(line)
            say()


def wrong_lines(mark: ItemMark) -> list[str]:
    """The first wrong position of an item, what was expected there, and what came."""
    wrong = mark.finding.wrong
    return [] if wrong is None else [*text(wrong).splitlines(), *facts_of(wrong)]
