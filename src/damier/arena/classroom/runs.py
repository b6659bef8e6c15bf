"""The runs of exercises that students of a class have finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import func, select

from damier.arena.classroom.names import in_order
from damier.arena.tournament.database import ExerciseRunRow, StudentRow
from damier.arena.tournament.store import Store
from damier.core.errors import LimitReached
from damier.core.words import message

MOST_RUNS = 500
"""Of one student."""


class FinishedRun(NamedTuple):
    """A run as it is kept; `run` is what an address says of it, points are tenths."""

    run: str
    title: str
    points: int
    of: int
    finished: int


class RunLine(NamedTuple):
    """All the times that a student did one run: the first counts, the best is shown beside it."""

    student: str
    run: str
    title: str
    first: int
    best: int
    of: int
    times: int
    first_finished: int
    last_finished: int


@dataclass(frozen=True)
class FinishedRuns:
    """Those that a store keeps."""

    store: Store

    def keep(self, student: int, run: FinishedRun) -> None:
        """Raises LimitReached."""
        with self.store.writing() as session:
            mine = ExerciseRunRow.student_id == student
            count = session.scalar(select(func.count(ExerciseRunRow.id)).where(mine)) or 0
            if count >= MOST_RUNS:
                raise LimitReached(message("{n} runs are the most that are kept of one student", n=MOST_RUNS))
            session.add(ExerciseRunRow(student_id=student, **run._asdict()))

    def has(self, student: int, run: str) -> bool:
        """Whether a student has finished a run."""
        with self.store.writing() as session:
            mine = (ExerciseRunRow.student_id == student) & (ExerciseRunRow.run == run)
            return session.scalar(select(ExerciseRunRow.id).where(mine).limit(1)) is not None

    def lines(self) -> list[RunLine]:
        """By run, and in it by name."""
        with self.store.writing() as session:
            rows = session.execute(
                select(StudentRow.name, ExerciseRunRow)
                .join(StudentRow, StudentRow.id == ExerciseRunRow.student_id)
                .where(~StudentRow.removed)
                .order_by(ExerciseRunRow.id)
            )
            found: dict[tuple[str, str], list[FinishedRun]] = {}
            for name, row in rows:
                run = FinishedRun(row.run, row.title, row.points, row.of, row.finished)
                found.setdefault((name, row.run), []).append(run)
        lines = [line_of(name, runs) for (name, _run), runs in found.items()]
        return sorted(lines, key=lambda line: (line.run, in_order(line.student)))


def line_of(student: str, runs: list[FinishedRun]) -> RunLine:
    first, last = runs[0], runs[-1]
    best = max(each.points for each in runs)
    times = (len(runs), first.finished, last.finished)
    return RunLine(student, first.run, first.title, first.points, best, first.of, *times)
