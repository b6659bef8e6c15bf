"""The marks of a class: as JUnit XML, which systems for tests read, and as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from xml.etree import ElementTree

from damier.lab.marking.marks import StudentMarks
from damier.lab.marking.sheet import MarkingSheet
from damier.lab.marking.told import facts

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
