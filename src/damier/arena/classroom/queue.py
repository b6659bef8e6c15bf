"""What a class has to do: files to look at, files to mark, games to play; and what came of each, kept
in one transaction, so that whoever is killed leaves the work done or not begun.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, func, insert, select, update
from sqlalchemy.orm import Session

from damier.arena.tournament.database import (
    PLAYING,
    REFUSED,
    WAITING,
    BegunWorkRow,
    EntrantRow,
    GameRow,
    PairingRow,
    StudentRow,
    SubmissionRow,
)
from damier.arena.tournament.pairing import Pairing
from damier.arena.tournament.plan import Entrant
from damier.arena.tournament.store import Store, pairing_of

LOOK, MARK, PLAY = "look", "mark", "play"
"""Kinds of work: a file is looked at, a file is marked, the games of a pair are played."""
MOST_TRIES = 6
"""How often work is begun alone that then ends whoever does it, or fails."""


IS_SET_ASIDE = (BegunWorkRow.kind == PLAY) & (BegunWorkRow.tries >= MOST_TRIES)
"""Of a pair: whether it plays no more."""


class TakenSubmission(NamedTuple):
    """A file to work on.

    tries       how often it was at work alone when that was broken off
    is_suspect  whether it was broken off before, by what it is itself or by something beside it
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
        """Whether nobody should work on it once more."""
        return self.tries >= MOST_TRIES


class UnplayedPair(NamedTuple):
    """A pair that has games to play; suspect as a file may be."""

    pairing: Pairing
    is_suspect: bool


class SetAside(NamedTuple):
    """A pair that plays no more, and its games that are left out."""

    pairing: Pairing
    games: int


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
        """Whoever did the work of the class has ended, and another begins. What was at work then, alone, is
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
            if kind == LOOK:
                student = session.get_one(SubmissionRow, number).student_id
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

    def has_waiting(self) -> bool:
        """Whether a file waits to be looked at, or is looked at now."""
        with self.store.writing() as session:
            waiting = (
                select(SubmissionRow.id)
                .join(StudentRow, StudentRow.id == SubmissionRow.student_id)
                .where(~StudentRow.removed, SubmissionRow.state == WAITING)
                .limit(1)
            )
            return session.scalar(waiting) is not None

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

    def set_aside(self, games: int) -> list[SetAside]:
        """The others: their games have ended whoever played them, or failed, too often."""
        return [
            SetAside(pairing, games - played)
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


def _first(session: Session, kind: str, *conditions: ColumnElement[bool]) -> TakenSubmission | None:
    """A file of a student who is there: one that was never broken off, else rarely, and of these in the order
    of turns.
    """
    begun = (BegunWorkRow.number == SubmissionRow.id) & (BegunWorkRow.kind == kind)
    found = session.execute(
        select(SubmissionRow, StudentRow.name, BegunWorkRow.tries)
        .join(StudentRow, StudentRow.id == SubmissionRow.student_id)
        .outerjoin(BegunWorkRow, begun)
        .where(~StudentRow.removed, *conditions)
        .order_by(func.coalesce(BegunWorkRow.tries, -1), StudentRow.turn, SubmissionRow.id)
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
