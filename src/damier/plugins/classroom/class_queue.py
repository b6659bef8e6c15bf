"""The work of a class: files to look at, files to mark, games to play; and what came of each, kept
in one transaction, so that whoever is killed leaves the work done or not begun.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, Select, func, insert, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from damier.arena.pairing import Entrant, Pairing, Results
from damier.arena.store import (
    PLAYING,
    REFUSED,
    TRIED,
    WAITING,
    BegunWorkRow,
    EntrantRow,
    ExerciseRunRow,
    GameRow,
    PairingRow,
    Store,
    StudentRow,
    SubmissionRow,
    TrialRow,
    pairing_of,
)
from damier.core.errors import UnknownName
from damier.core.words import message
from damier.plugins.classroom.class_roll import in_order

LOOK, TRY, MARK, PLAY = "look", "try", "mark", "play"
"""Kinds of work: a file is looked at, one is tried that is not handed in, a file is marked, the games of a
pair are played.
"""
MOST_TRIES = 6
"""How often work is begun alone that then ends whoever does it, or fails."""


IS_SET_ASIDE = (BegunWorkRow.kind == PLAY) & (BegunWorkRow.tries >= MOST_TRIES)
"""Of a pair: whether it plays no more."""


class TakenSubmission(NamedTuple):
    """A file to work on.

    Attributes:
        tries: how often it was at work alone when that was broken off
        is_suspect: whether it was broken off before, by what it is itself or by something beside it
    """

    id: int
    student: str
    content: bytes
    wanted: str
    language: str
    tries: int
    is_suspect: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def is_hopeless(self) -> bool:
        """True where nobody should work on it once more."""
        return self.tries >= MOST_TRIES


class UnplayedPair(NamedTuple):
    """A pair that has games to play; suspect as a file may be."""

    pairing: Pairing
    is_suspect: bool


class CurrentEntrant(NamedTuple):
    """The agent of a student that stands in the table now; `name` is what the tournament calls it."""

    place: int
    name: str
    student: str
    submission: int
    text: str
    report: str


@dataclass(frozen=True)
class ClassQueue:
    """The work of a class; `tournament` is the number of its tournament."""

    store: Store
    tournament: int

    def take_over(self) -> None:
        """Goes on where another that did the work of the class has ended. What was at work then, alone, is
        charged with it; where there was more, nothing is, since nobody knows which it was: each of these
        is suspect, and is taken alone from here on.
        """
        with self.store.writing() as session:
            broken_off = session.scalars(select(BegunWorkRow).where(BegunWorkRow.is_running)).all()
            for row in broken_off:
                row.is_running = False
                row.tries += len(broken_off) == 1

    def begin(self, kind: str, number: int) -> None:
        """Some work is begun: that is kept before, in case that it ends whoever does it."""
        with self.store.writing() as session:
            row = session.scalar(_begun(kind, number))
            if row is None:
                row = BegunWorkRow(kind=kind, number=number, tries=0)
                session.add(row)
            row.is_running = True
            if kind in (LOOK, TRY):
                student = session.get_one(files_of(kind), number).student_id
                turn = session.scalar(select(func.max(StudentRow.turn))) or 0
                session.get_one(StudentRow, student).turn = turn + 1

    def end(self, kind: str, number: int) -> None:
        """It has come to its end, whatever came of it."""
        with self.store.writing() as session:
            _end(session, kind, number)

    def fail(self, kind: str, number: int, *, alone: bool) -> None:
        """It was broken off, and whoever does it goes on."""
        with self.store.writing() as session:
            row = session.scalar(_begun(kind, number))
            if row is not None:
                row.is_running = False
                row.tries += alone

    def next_waiting(self, at_work: Collection[int], replaced: str) -> TakenSubmission | None:
        """The file to look at next, but for those of students one of whose files is looked at already
        (`at_work`). Students take turns: first comes whose last file was looked at longest ago. Of each
        the newest file counts; those that it replaces are refused with the report `replaced`. What is
        suspect comes last.
        """
        with self.store.writing() as session:
            newest = _newest(SubmissionRow.state == WAITING)
            session.execute(
                update(SubmissionRow)
                .where(
                    SubmissionRow.state == WAITING,
                    SubmissionRow.id.not_in(newest),
                    SubmissionRow.id.not_in(at_work),
                )
                .values(state=REFUSED, report=replaced)
            )
            busy = select(SubmissionRow.student_id).where(SubmissionRow.id.in_(at_work))
            return _first(
                session,
                LOOK,
                SubmissionRow.state == WAITING,
                SubmissionRow.id.in_(newest),
                SubmissionRow.student_id.not_in(busy),
            )

    def next_trial(self, at_work: Collection[int]) -> TakenSubmission | None:
        """The file to try next, but for students of whom one is tried already; turns as for those handed
        in.
        """
        with self.store.writing() as session:
            busy = select(TrialRow.student_id).where(TrialRow.id.in_(at_work))
            return _first(session, TRY, TrialRow.state == WAITING, TrialRow.student_id.not_in(busy))

    def keep_trial(self, trial: int, report: str) -> None:
        """Keep what came of a file that was tried, if no newer one is there."""
        with self.store.writing() as session:
            is_there = (TrialRow.id == trial) & (TrialRow.state == WAITING)
            session.execute(update(TrialRow).where(is_there).values(state=TRIED, report=report))
            _end(session, TRY, trial)

    def has_waiting(self) -> bool:
        """Return whether a file waits to be looked at, or tried, or is looked at now."""
        with self.store.writing() as session:
            return any(
                session.scalar(
                    select(table.id)
                    .join(StudentRow, StudentRow.id == table.student_id)
                    .where(~StudentRow.removed, table.state == WAITING)
                    .limit(1)
                )
                is not None
                for table in (SubmissionRow, TrialRow)
            )

    def next_unmarked(self) -> TakenSubmission | None:
        """The last file of a student, where that is not marked yet; what is suspect comes last."""
        with self.store.writing() as session:
            return _first(
                session,
                MARK,
                SubmissionRow.state != WAITING,
                SubmissionRow.marks == "",
                SubmissionRow.id.in_(_newest()),
            )

    def keep_marks(self, submission: int, marks: str) -> None:
        with self.store.writing() as session:
            session.get_one(SubmissionRow, submission).marks = marks
            _end(session, MARK, submission)

    def refuse(self, submission: int, report: str) -> None:
        """The file does not play; what the student had before stays."""
        with self.store.writing() as session:
            row = session.get_one(SubmissionRow, submission)
            row.state, row.report = REFUSED, report
            _end(session, LOOK, submission)

    def admit(self, submission: int, text: str, sha256: str, report: str) -> None:
        """The file plays: it is an entrant, in the place of the student's former, and meets the agents
        of all others.
        """
        with self.store.writing() as session:
            row = session.get_one(SubmissionRow, submission)
            student = session.get_one(StudentRow, row.student_id)
            most = session.scalar(
                select(func.max(EntrantRow.place)).where(EntrantRow.tournament_id == self.tournament)
            )
            row.place = 0 if most is None else most + 1
            row.state, row.report = PLAYING, report
            name = f"{student.name} ({student.id}.{row.number})"  # no student can be called so
            entrant = Entrant(name, text, sha256)
            session.add(EntrantRow(tournament_id=self.tournament, place=row.place, **entrant._asdict()))
            session.flush()
            self._pair(session)
            _end(session, LOOK, submission)

    def _pair(self, session: Session) -> None:
        """Those who are there meet each other, once."""
        places = sorted(entrant.place for entrant in _current(session, self.tournament))
        known = {
            (first, second)
            for first, second in session.execute(
                select(PairingRow.first, PairingRow.second).where(PairingRow.tournament_id == self.tournament)
            )
        }
        rows = [
            {"tournament_id": self.tournament, "round": 0, "first": first, "second": second}
            for first, second in combinations(places, 2)
            if (first, second) not in known
        ]
        if rows:
            session.execute(insert(PairingRow), rows)

    def content(self, submission: int) -> bytes:
        """A file as it was handed in."""
        with self.store.writing() as session:
            return session.get_one(SubmissionRow, submission).content

    def current(self) -> list[CurrentEntrant]:
        """The agents that stand in the table, in the order of their places."""
        with self.store.writing() as session:
            return _current(session, self.tournament)

    def unplayed(self, games: int) -> list[UnplayedPair]:
        """The pairs of those who stand in the table that have not played all their games, but for those
        that are set aside.
        """
        return [
            UnplayedPair(pairing, tries is not None)
            for pairing, _played, tries in self._unfinished(games)
            if tries is None or tries < MOST_TRIES
        ]

    def set_aside(self, games: int) -> list[tuple[Pairing, int]]:
        """The others: their games, so many of which are left out, have ended whoever played them, or failed,
        too often.
        """
        return [
            (pairing, games - played)
            for pairing, played, tries in self._unfinished(games)
            if tries is not None and tries >= MOST_TRIES
        ]

    def _unfinished(self, games: int) -> list[tuple[Pairing, int, int | None]]:
        """Every pair that has games to play: how many it has played, and how often that was broken off; None
        where it never was.
        """
        with self.store.writing() as session:
            here = {entrant.place for entrant in _current(session, self.tournament)}
            begun = (BegunWorkRow.number == PairingRow.id) & (BegunWorkRow.kind == PLAY)
            rows = session.execute(
                select(PairingRow, func.count(GameRow.id), BegunWorkRow.tries)
                .outerjoin(GameRow, GameRow.pairing_id == PairingRow.id)
                .outerjoin(BegunWorkRow, begun)
                .where(PairingRow.tournament_id == self.tournament)
                .group_by(PairingRow.id, BegunWorkRow.tries)
                .having(func.count(GameRow.id) < games)
                .order_by(PairingRow.id)
            )
            return [
                (pairing_of(row), played, tries)
                for row, played, tries in rows
                if {row.first, row.second} <= here
            ]


def files_of(kind: str) -> type[SubmissionRow]:
    """Return the table of the files of a kind of work; the columns that work needs are those of both."""
    return cast("type[SubmissionRow]", TrialRow) if kind == TRY else SubmissionRow


def _first(session: Session, kind: str, *conditions: ColumnElement[bool]) -> TakenSubmission | None:
    """A file of a student who is there: one that was never broken off, else rarely, and of these in the order
    of turns.
    """
    table = files_of(kind)
    begun = (BegunWorkRow.number == table.id) & (BegunWorkRow.kind == kind)
    found = session.execute(
        select(table, StudentRow.name, BegunWorkRow.tries)
        .join(StudentRow, StudentRow.id == table.student_id)
        .outerjoin(BegunWorkRow, begun)
        .where(~StudentRow.removed, *conditions)
        .order_by(func.coalesce(BegunWorkRow.tries, -1), StudentRow.turn, table.id)
        .limit(1)
    ).first()
    if found is None:
        return None
    row, student, tries = found
    suspect = tries is not None
    return TakenSubmission(row.id, student, row.content, row.wanted, row.language, tries or 0, suspect)


def _newest(*conditions: ColumnElement[bool]) -> Select[int]:
    """The newest file of each student, of those that meet the conditions."""
    return select(func.max(SubmissionRow.id)).where(*conditions).group_by(SubmissionRow.student_id)


def _begun(kind: str, number: int) -> Select[BegunWorkRow]:
    return select(BegunWorkRow).where(BegunWorkRow.kind == kind, BegunWorkRow.number == number)


def _end(session: Session, kind: str, number: int) -> None:
    row = session.scalar(_begun(kind, number))
    if row is not None:
        session.delete(row)


def _current(session: Session, tournament: int) -> list[CurrentEntrant]:
    """Of every student the last file that plays."""
    last = (
        select(func.max(SubmissionRow.place))
        .where(SubmissionRow.state == PLAYING)
        .group_by(SubmissionRow.student_id)
    )
    rows = session.execute(
        select(
            SubmissionRow.place,
            EntrantRow.name,
            StudentRow.name,
            SubmissionRow.id,
            EntrantRow.text,
            SubmissionRow.report,
        )
        .join(StudentRow, StudentRow.id == SubmissionRow.student_id)
        .join(
            EntrantRow, (EntrantRow.place == SubmissionRow.place) & (EntrantRow.tournament_id == tournament)
        )
        .where(SubmissionRow.place.in_(last), ~StudentRow.removed)
        .order_by(SubmissionRow.place)
    )
    return [
        CurrentEntrant(place or 0, entrant, student, submission, text, report)
        for place, entrant, student, submission, text, report in rows
    ]


# What pages show of a class: its table, its games, its students.


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
    """A value that changes whenever a page of the class does, and how many files wait to be looked at."""

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
    """The last file of a student: `report` and `marks` are JSON, empty until there are any; `file_name` is
    the student's own, empty where it is not known. One that was tried has neither number, time nor marks.
    """

    id: int
    state: str
    report: str
    file_name: str
    number: int = 0
    handed_in: int = 0
    marks: str = ""


class StudentLine(NamedTuple):
    """A student in the teacher's list."""

    id: int
    name: str
    files: int
    latest: LatestSubmission | None


KEPT_NAMES = re.compile(r"(?<![\w./-])agent\.(?:py|c|lisp)\b")
"""What files are called in sandboxes, and so in what is kept of them, where they may be called anything."""


def in_own_words(latest: LatestSubmission) -> LatestSubmission:
    """Return what is kept of a file with its student's own name for it, where that is known: one of a folder
    keeps its own.
    """
    own = latest.file_name
    if not own or own.endswith(".zip"):
        return latest
    report, marks = (KEPT_NAMES.sub(lambda _found: own, text) for text in (latest.report, latest.marks))
    return latest._replace(report=report, marks=marks)


@dataclass(frozen=True)
class ClassViews:
    """The class whose tournament has this number in a store."""

    store: Store
    tournament: int

    def progress(self) -> ClassProgress:
        with self.store.writing() as session:
            files = select(func.count(SubmissionRow.id))
            games, all_of_them, waiting, *others = (
                session.scalar(asked) or 0
                for asked in (
                    select(func.max(GameRow.id)),
                    files,
                    files.where(SubmissionRow.state == WAITING),
                    files.where(SubmissionRow.marks != ""),
                    select(func.count(StudentRow.id)).where(StudentRow.removed),
                    select(func.count(ExerciseRunRow.id)),
                    select(func.count(BegunWorkRow.id)).where(IS_SET_ASIDE),
                )
            )
            return ClassProgress(games, all_of_them, all_of_them - waiting, *others)

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

    def distinct_games(self) -> int:
        """Count the different games that those who stand in the table now have played with each other."""
        return self.store.distinct_games(self.tournament, list(self.names()))

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
        more = (SubmissionRow.number, SubmissionRow.handed_in, SubmissionRow.marks)
        return self._last(student, SubmissionRow, *more)

    def trial(self, student: int) -> LatestSubmission | None:
        """The file that a student tried last."""
        return self._last(student, TrialRow)

    def _last(
        self, student: int, table: type[SubmissionRow | TrialRow], *more: InstrumentedAttribute[Any]
    ) -> LatestSubmission | None:
        with self.store.writing() as session:
            found = session.execute(
                select(table.id, table.state, table.report, table.file_name, *more)
                .where(table.student_id == student)
                .order_by(table.id.desc())
                .limit(1)
            ).first()
            return in_own_words(LatestSubmission(*found)) if found else None

    def content(self, submission: int) -> bytes:
        """A file as it was handed in. Raises UnknownName."""
        with self.store.writing() as session:
            row = session.get(SubmissionRow, submission)
            if row is None:
                raise UnknownName(message("there is no such file"))
            return row.content
