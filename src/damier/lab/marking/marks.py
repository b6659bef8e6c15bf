"""Marking submissions: each in a process of its own, some at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from damier.core.errors import BadFile, DamierError
from damier.core.files import reason
from damier.core.words import Text, bounded, message, said_by
from damier.lab.agent_file import MAIN
from damier.lab.marking.finding import DemandingItem, ExactTruth, Finding
from damier.lab.marking.sheet import MarkingSheet, SheetItem
from damier.lab.marking.submission import Submission

LONGEST_SHOWN = 400
"""Characters of a wrong answer."""


@dataclass(frozen=True)
class ItemMark:
    """What came of one item, and how long it took."""

    item: SheetItem
    finding: Finding
    seconds: float

    @property
    def points(self) -> float:
        """All of the item's, or none."""
        return self.item.points if self.finding.passed else 0.0


@dataclass(frozen=True)
class StudentMarks:
    """A student's marks, item by item; `unread` says why those that were kept cannot be read."""

    name: str
    path: Path
    marks: tuple[ItemMark, ...]
    unread: str = ""

    @property
    def points(self) -> float:
        return sum(mark.points for mark in self.marks)

    @property
    def seconds(self) -> float:
        return sum(mark.seconds for mark in self.marks)


def mark_all(
    sheet: MarkingSheet, paths: Sequence[Path], at_once: int, done: Callable[[int], None]
) -> list[StudentMarks]:
    """The marks of a class, in the order of the paths; `done` is told after each how many there are.

    Raises BadFile for a path that is no file, nor a folder with an `agent.py`, DamierError for a sheet that
    asks for what cannot be asked.
    """
    names = names_of(paths)
    truth = ExactTruth(sheet.game)
    require_askable(sheet, truth)
    truth.prepare()
    submissions = [Submission(path, sheet.game) for path in paths]
    found: list[StudentMarks] = []
    pool = ThreadPoolExecutor(at_once)
    try:
        jobs = [pool.submit(marks_of, sheet, each, names[each.path], truth) for each in submissions]
        for job in jobs:
            found.append(job.result())
            done(len(found))
    finally:
        for each in submissions:
            each.close()
        pool.shutdown(cancel_futures=True)
    return found


def require_askable(sheet: MarkingSheet, truth: ExactTruth) -> None:
    """Raises DamierError for a sheet that asks for what cannot be asked."""
    for each in sheet.items:
        if isinstance(each.item, DemandingItem):
            each.item.require(truth)


def marks_of(sheet: MarkingSheet, submission: Submission, name: str, truth: ExactTruth) -> StudentMarks:
    """The marks of one submission."""
    try:
        marks = tuple(mark_item(each, submission, truth) for each in sheet.items)
        return StudentMarks(name, submission.path, marks)
    finally:
        submission.end()


def mark_item(asked: SheetItem, submission: Submission, truth: ExactTruth) -> ItemMark:
    """What comes of one item, within its time: whatever is raised meanwhile costs the points of this item
    only.
    """
    begun = time.monotonic()
    submission.allow(asked.seconds)
    try:
        finding = printed(asked.item.check(submission, truth))
    except Exception as error:
        finding = Finding(False, why_unmarked(submission.main.name, error))
    return ItemMark(asked, finding, time.monotonic() - begun)


def why_unmarked(file: str, error: Exception) -> Text:
    """Why an item did not pass that was not marked to its end: mostly what the submission did, as damier
    says it itself; what is left is an answer that no item has thought of, or a machine that has no room.
    """
    if isinstance(error, DamierError):
        return said_by(error)
    if isinstance(error, OSError):
        return message(
            "{file}: it could not be marked on this machine: {error}", file=file, error=reason(error)
        )
    return message("{file}: its answer cannot be used ({kind})", file=file, kind=type(error).__name__)


def printed(finding: Finding) -> Finding:
    """A finding that may be shown: what a submission said is cut short, without control characters."""
    if finding.wrong is None:
        return finding
    return replace(finding, wrong=replace(finding.wrong, got=bounded(finding.wrong.got, LONGEST_SHOWN)))


def names_of(paths: Sequence[Path]) -> dict[Path, str]:
    """What each submission is called: by its file or folder; by the folder above, where they are called
    alike.

    Raises BadFile for what is neither, and for names that do not tell submissions apart.
    """
    for path in paths:
        if not (path / MAIN if path.is_dir() else path).is_file():
            raise BadFile(message("{path} is not a file, nor a folder with {file}", path=path, file=MAIN))
    stems = [path.stem for path in paths]
    names = {
        path: path.stem if stems.count(path.stem) == 1 else f"{path.resolve().parent.name}-{path.stem}"
        for path in paths
    }
    if len(set(names.values())) < len(paths):
        raise BadFile(message("two submissions have the same name; give each a file or a folder of its own"))
    return names
