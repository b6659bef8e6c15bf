"""What the teacher can take home: the table, the marks, every file that was handed in."""

from __future__ import annotations

import io
import re
import zipfile

from damier.core.errors import UnknownName
from damier.core.json_data import to_json
from damier.core.words import message
from damier.lab.classroom.check import read_marks
from damier.lab.marking.marks import StudentMarks
from damier.lab.marking.reports import class_csv, gradescope, junit_xml
from damier.lab.tournament_report import as_csv
from damier.web.classroom.class_context import ShownClass
from damier.web.classroom.runs import runs_csv
from damier.web.messages.rooms import Download

FILE = re.compile(r"file-([0-9]{1,9})\.py")
SPREADSHEET = "utf-8-sig"
"""Excel reads a file without this mark as if it were of Windows, and "Zoé" as "ZoÃ©"."""
BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The time of every entry of an archive: the same files give the same bytes."""


def download_of(shown: ShownClass, name: str) -> Download:
    """A file by the name in its address. Raises UnknownName."""
    if found := FILE.fullmatch(name):
        return Download("text/plain", shown.views.content(int(found[1])))
    if name == "standings.csv":
        return Download("text/csv", as_csv(shown.table().table).encode(SPREADSHEET))
    if name == "exercises.csv":
        return Download("text/csv", runs_csv(shown.runs.lines()).encode(SPREADSHEET))
    if name == "files.zip":
        return Download("application/zip", archive(shown))
    if shown.sheet is not None and name == "marks.csv":
        return Download("text/csv", class_csv(shown.sheet, marked(shown)).encode(SPREADSHEET))
    if shown.sheet is not None and name == "junit.xml":
        return Download("application/xml", junit_xml(shown.sheet, marked(shown)).encode())
    raise UnknownName(message("there is no such file"))


def marked(shown: ShownClass) -> list[StudentMarks]:
    """The marks of every student's last file; who has none yet has none of its items."""
    assert shown.sheet is not None
    return [
        read_marks((line.latest.marks if line.latest else "") or "[]", shown.sheet, line.name)
        for line in shown.views.students()
    ]


def archive(shown: ShownClass) -> bytes:
    """Every student's last file, by the student's number, and a list of who is who; the marks of each
    as Gradescope reads them.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:

        def add(name: str, data: bytes) -> None:
            packed.writestr(zipfile.ZipInfo(name, BEGINNING), data)

        lines = shown.views.students()
        add("students.json", (to_json({str(line.id): line.name for line in lines}) + "\n").encode())
        for line in lines:
            if line.latest is not None:
                add(f"{line.id}/agent.py", shown.views.content(line.latest.id))
                if shown.sheet is not None and line.latest.marks:
                    marks = read_marks(line.latest.marks, shown.sheet, line.name)
                    if marks.unread:
                        add(f"{line.id}/results.txt", f"{marks.unread}\n".encode())
                        continue
                    add(f"{line.id}/results.json", (to_json(gradescope(shown.sheet, marks)) + "\n").encode())
    return content.getvalue()
