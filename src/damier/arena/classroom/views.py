"""What pages show of a class: its table, its games, its students."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import func, select

from damier.arena.classroom.names import in_order
from damier.arena.classroom.queue import IS_SET_ASIDE, ClassQueue
from damier.arena.tournament.database import (
    WAITING,
    BegunWorkRow,
    ExerciseRunRow,
    GameRow,
    StudentRow,
    SubmissionRow,
)
from damier.arena.tournament.standings import Results
from damier.arena.tournament.store import Store
from damier.core.errors import UnknownName
from damier.core.words import message


class UnplayablePair(NamedTuple):
    """Two students whose agents cannot be played against each other, and the games that are left out."""

    first: str
    second: str
    games: int


class ClassResults(NamedTuple):
    """The table of those who stand in it now: names, results, games of theirs that are left to play, and
    those that are left out.
    """

    names: list[str]
    results: Results
    left: int
    set_aside: list[UnplayablePair]


class ClassProgress(NamedTuple):
    """What changes whenever a page of the class does, and how many files wait to be looked at."""

    games: int
    submissions: int
    settled: int
    marked: int
    removed: int
    runs: int
    set_aside: int

    @property
    def waiting(self) -> int:
        return self.submissions - self.settled


class LatestSubmission(NamedTuple):
    """The last file of a student: `report` and `marks` are JSON, empty until there are any."""

    id: int
    number: int
    handed_in: int
    state: str
    report: str
    marks: str


class StudentLine(NamedTuple):
    """A student in the teacher's list."""

    id: int
    name: str
    files: int
    latest: LatestSubmission | None


@dataclass(frozen=True)
class ClassViews:
    """The class whose tournament has this number in a store."""

    store: Store
    tournament: int

    def progress(self) -> ClassProgress:
        with self.store.writing() as session:
            games = session.scalar(select(func.max(GameRow.id))) or 0
            all_of_them = session.scalar(select(func.count(SubmissionRow.id))) or 0
            waiting = session.scalar(
                select(func.count(SubmissionRow.id)).where(SubmissionRow.state == WAITING)
            )
            marked = session.scalar(select(func.count(SubmissionRow.id)).where(SubmissionRow.marks != ""))
            removed = session.scalar(select(func.count(StudentRow.id)).where(StudentRow.removed)) or 0
            runs = session.scalar(select(func.count(ExerciseRunRow.id))) or 0
            aside = session.scalar(select(func.count(BegunWorkRow.id)).where(IS_SET_ASIDE)) or 0
            settled = all_of_them - (waiting or 0)
            return ClassProgress(games, all_of_them, settled, marked or 0, removed, runs, aside)

    def results(self) -> ClassResults:
        """The games between those who stand in the table now."""
        queue = ClassQueue(self.store, self.tournament)
        current = queue.current()
        number = {entrant.place: index for index, entrant in enumerate(current)}
        results = Results(len(current))
        results.add(
            tally._replace(pair=(number[tally.pair[0]], number[tally.pair[1]]))
            for tally in self.store.tallies(self.tournament, 1, 0)
            if number.keys() >= set(tally.pair)
        )
        plan = self.store.plan(self.tournament)
        pairs = len(current) * (len(current) - 1) // 2
        names = [entrant.student for entrant in current]
        aside = [
            UnplayablePair(names[number[pairing.pair[0]]], names[number[pairing.pair[1]]], games)
            for pairing, games in queue.set_aside(plan.games)
            if number.keys() >= set(pairing.pair)
        ]
        left = plan.games * pairs - results.games - sum(pair.games for pair in aside)
        return ClassResults(names, results, left, aside)

    def place_of(self, name: str) -> int:
        """The place of a student's agent that stands in the table. Raises UnknownName."""
        for entrant in ClassQueue(self.store, self.tournament).current():
            if entrant.student == name:
                return entrant.place
        raise UnknownName(message("no agent {agent} takes part", agent=name))

    def names(self) -> dict[int, str]:
        """The students of the agents that stand in the table, by place."""
        current = ClassQueue(self.store, self.tournament).current()
        return {entrant.place: entrant.student for entrant in current}

    def students(self) -> list[StudentLine]:
        """All students, by name."""
        with self.store.writing() as session:
            rows = session.execute(select(StudentRow.id, StudentRow.name).where(~StudentRow.removed)).all()
            files = session.execute(
                select(SubmissionRow.student_id, func.count()).group_by(SubmissionRow.student_id)
            )
            counts = {row[0]: row[1] for row in files}
        return [
            StudentLine(id, name, counts.get(id, 0), self.latest(id))
            for id, name in sorted(rows, key=lambda row: in_order(row[1]))
        ]

    def latest(self, student: int) -> LatestSubmission | None:
        """The last file of a student."""
        with self.store.writing() as session:
            found = session.execute(
                select(
                    SubmissionRow.id,
                    SubmissionRow.number,
                    SubmissionRow.handed_in,
                    SubmissionRow.state,
                    SubmissionRow.report,
                    SubmissionRow.marks,
                )
                .where(SubmissionRow.student_id == student)
                .order_by(SubmissionRow.id.desc())
                .limit(1)
            ).first()
            return LatestSubmission(*found) if found else None

    def content(self, submission: int) -> bytes:
        """A file as it was handed in. Raises UnknownName."""
        with self.store.writing() as session:
            row = session.get(SubmissionRow, submission)
            if row is None:
                raise UnknownName(message("there is no such file"))
            return row.content
