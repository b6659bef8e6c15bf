"""All reports of a class, as files in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from damier.core.errors import BadInput
from damier.core.files import write_text
from damier.core.json_text import to_json
from damier.core.words import message
from damier.lab.marking.marks import StudentMarks
from damier.lab.marking.report_class import class_csv, junit_xml
from damier.lab.marking.report_gradescope import gradescope
from damier.lab.marking.report_page import html_page, markdown_page
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
