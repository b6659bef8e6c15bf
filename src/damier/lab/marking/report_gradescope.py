"""A student's marks in the format that Gradescope reads from an autograder: `results.json`.

After [Gradescope], section "Output format". All points of an item are had, or none, so that `status`
says what Gradescope would conclude from `score` and `max_score`.
"""

from __future__ import annotations

from damier.core.json_types import JsonObject
from damier.lab.marking.marks import StudentMarks
from damier.lab.marking.report_page import markdown_of
from damier.lab.marking.sheet import MarkingSheet


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
