"""Submissions marked in tests: a solution with a small edit, by a sheet or some of its items."""

from __future__ import annotations

from pathlib import Path

from damier.lab.kits import ENDING, kit
from damier.plugins.classroom.marking.sheet import MarkingSheet, StudentMarks, marks_of
from damier.plugins.classroom.marking.submission import ExactTruth, Submission

SOLUTIONS = Path(__file__).parent / "plugins" / "classroom" / "marking"
FILLED = SOLUTIONS / "filled"
"""The files of starter kits that students write, filled in."""


def solution(name: str) -> str:
    """The reference solution of a sheet that damier brings."""
    return (SOLUTIONS / f"{name}_solution.py").read_text()


def filled(document: str, folder: Path) -> Path:
    """The starter kit of a document, filled in."""
    kit(document, "python").write(folder)
    for path in (FILLED / document).iterdir():
        (folder / path.name.removesuffix(ENDING)).write_text(path.read_text())
    return folder


def edited(code: str, right: str, wrong: str) -> str:
    """A solution with a mistake in place of what is right, wherever that stands."""
    assert right in code
    return code.replace(right, wrong)


def marked(folder: Path, code: str, asked: MarkingSheet, truth: ExactTruth | None = None) -> StudentMarks:
    """The marks of a file with this code."""
    path = folder / "student.py"
    path.write_text(code)
    return marks_of(asked, Submission(path, asked.game), "student", truth or ExactTruth(asked.game))


def failed(found: StudentMarks) -> set[str]:
    """The items that did not pass."""
    return {mark.item.name for mark in found.marks if not mark.finding.passed}


def only(asked: MarkingSheet, *names: str) -> MarkingSheet:
    """The sheet with these items alone."""
    items = tuple(item for item in asked.items if item.name in names)
    assert len(items) == len(names)
    return MarkingSheet(asked.name, asked.title, asked.game, items)


def require_shown(found: StudentMarks) -> None:
    """What was wrong is shown: where, what was expected, what was got."""
    for mark in found.marks:
        wrong = mark.finding.wrong
        assert wrong is not None, mark.finding.sentence
        assert wrong.expected != wrong.got
        assert wrong.position is not None or wrong.tree is not None
