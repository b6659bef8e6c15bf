"""All reports of a class, as files in a folder."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from damier.core.errors import BadInput
from damier.core.files import write_text
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject
from damier.core.words import message
from damier.lab.marking.mark_text import facts
from damier.lab.marking.marks import StudentMarks
from damier.lab.marking.report_page import html_page, markdown_of, markdown_page
from damier.lab.marking.sheet import MarkingSheet


def write_reports(folder: Path, sheet: MarkingSheet, students: Sequence[StudentMarks]) -> None:
    """Writes class.csv and junit.xml, and for each student a folder with page.html, page.md and
    results.json. Raises BadInput, LimitReached.
    """
    for student in students:
        place = folder / student.name
        require_folder(place)
        write_text(place / "page.html", html_page(sheet, student))
        write_text(place / "page.md", markdown_page(sheet, student))
        write_text(place / "results.json", to_json(gradescope(sheet, student)) + "\n")
    write_text(folder / "class.csv", class_csv(sheet, students))
    write_text(folder / "junit.xml", junit_xml(sheet, students))


def require_folder(folder: Path) -> None:
    """Makes a folder where there is none. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            message("{path} cannot be written: {error}", path=folder, error=error.strerror or error)
        ) from None


# The marks of a class: as JUnit XML, which systems for tests read, and as CSV for a spreadsheet.

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so would be worked out by a spreadsheet."""


def junit_xml(sheet: MarkingSheet, students: Sequence[StudentMarks]) -> str:
    """One suite a student, one case an item."""
    root = ElementTree.Element("testsuites", name=sheet.name)
    for student in students:
        failed = sum(not mark.finding.passed for mark in student.marks)
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=student.name,
            tests=str(len(student.marks)),
            failures=str(failed),
            errors=str(int(bool(student.unread))),
            time=f"{student.seconds:.3f}",
        )
        if student.unread:
            case = ElementTree.SubElement(suite, "testcase", classname=f"{sheet.name}.{student.name}")
            ElementTree.SubElement(case, "error", message=student.unread)
        for mark in student.marks:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=f"{sheet.name}.{student.name}",
                name=mark.item.name,
                time=f"{mark.seconds:.3f}",
            )
            if not mark.finding.passed:
                failure = ElementTree.SubElement(case, "failure", message=str(mark.finding.sentence))
                failure.text = "\n".join(facts(mark.finding.wrong)) if mark.finding.wrong else ""
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def class_csv(sheet: MarkingSheet, students: Sequence[StudentMarks]) -> str:
    """A line a student: the name, the sum, the points of each item; the second line is the most."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(["name", "points", *(item.name for item in sheet.items)])
    lines.writerow(["", sheet.points, *(item.points for item in sheet.items)])
    for student in students:
        if student.unread:
            lines.writerow([harmless(student.name), "", student.unread])
            continue
        lines.writerow([harmless(student.name), student.points, *(mark.points for mark in student.marks)])
    return written.getvalue()


def harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name


# A student's marks in the format that Gradescope reads from an autograder: `results.json`.
#
# After [Gradescope], section "Output format". All points of an item are had, or none, so that `status`
# says what Gradescope would conclude from `score` and `max_score`.


def gradescope(sheet: MarkingSheet, student: StudentMarks) -> JsonObject:
    """The object that the file holds."""
    return {
        "score": student.points,
        "execution_time": round(student.seconds, 3),
        "output": str(sheet.title),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "score": mark.points,
                "max_score": mark.item.points,
                "status": "passed" if mark.finding.passed else "failed",
                "name": str(mark.item.text),
                "name_format": "text",
                "number": str(number),
                "output": markdown_of(mark),
                "output_format": "md",
                "tags": [mark.item.name],
                "visibility": "visible",
            }
            for number, mark in enumerate(student.marks, 1)
        ],
    }
