"""What a class has to do: files to look at, files to mark, games to play; and what came of each, kept
in one transaction, so that whoever is killed leaves the work done or not begun.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import Select, func, insert, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from damier.arena.classroom.roll import PLAYING, REFUSED, WAITING
from damier.arena.tournament.pairing import Pairing
from damier.arena.tournament.plan import Entrant
from damier.arena.tournament.schema import (
    EntrantRow,
    GameRow,
    PairingRow,
    StudentRow,
    SubmissionRow,
)
from damier.arena.tournament.store import Store, pairing_of

MOST_TRIES = 6
"""How often a file is looked at that ends whoever looks at it."""


class TakenSubmission(NamedTuple):
    """A file to work on."""

    id: int
    student: str
    content: bytes
    wanted: str
    language: str
    tries: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def is_hopeless(self) -> bool:
        """Whether nobody should look at it once more."""
        return self.tries > MOST_TRIES

    @property
    def is_suspect(self) -> bool:
        """Whether whoever looked at it before was ended meanwhile: by it, or by something else."""
        return self.tries > 1


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

    def next_waiting(self, taken: Collection[int], *, fresh: bool = False) -> TakenSubmission | None:
        """The file that has waited longest, but for those that somebody looks at already; one that may
        have ended whoever looked at it comes last, and not at all where a `fresh` one is wanted. That
        it is looked at is counted before.
        """
        with self.store.writing() as session:
            row = session.scalar(
                _first(SubmissionRow.tries).where(
                    SubmissionRow.state == WAITING,
                    SubmissionRow.id.not_in(taken),
                    (SubmissionRow.tries == 0) | (not fresh),
                )
            )
            if row is None:
                return None
            row.tries += 1
            return _taken(session, row, row.tries)

    def has_waiting(self) -> bool:
        """Whether a file waits to be looked at, or is looked at now."""
        with self.store.writing() as session:
            return session.scalar(_first(SubmissionRow.id).where(SubmissionRow.state == WAITING)) is not None

    def next_unmarked(self, *, fresh: bool = False) -> TakenSubmission | None:
        """The last file of a student, where that is not marked yet; chosen in the same way."""
        last = select(func.max(SubmissionRow.id)).group_by(SubmissionRow.student_id)
        with self.store.writing() as session:
            row = session.scalar(
                _first(SubmissionRow.marking_tries).where(
                    SubmissionRow.state != WAITING,
                    SubmissionRow.marks == "",
                    (SubmissionRow.marking_tries == 0) | (not fresh),
                    SubmissionRow.id.in_(last),
                )
            )
            if row is None:
                return None
            row.marking_tries += 1
            return _taken(session, row, row.marking_tries)

    def keep_marks(self, submission: int, marks: str) -> None:
        with self.store.writing() as session:
            session.get_one(SubmissionRow, submission).marks = marks

    def refuse(self, submission: int, report: str) -> None:
        """The file does not play; what the student had before stays."""
        with self.store.writing() as session:
            row = session.get_one(SubmissionRow, submission)
            row.state, row.report = REFUSED, report

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

    def unplayed(self, games: int) -> list[Pairing]:
        """The pairings of those who stand in the table that have not played all their games."""
        with self.store.writing() as session:
            here = {entrant.place for entrant in _current(session, self.tournament)}
            rows = session.execute(
                select(PairingRow)
                .outerjoin(GameRow, GameRow.pairing_id == PairingRow.id)
                .where(PairingRow.tournament_id == self.tournament)
                .group_by(PairingRow.id)
                .having(func.count(GameRow.id) < games)
                .order_by(PairingRow.id)
            ).scalars()
            return [pairing_of(row) for row in rows if {row.first, row.second} <= here]


def _first(tries: InstrumentedAttribute[int]) -> Select[SubmissionRow]:
    """A file of a student who is there: one that was seldom tried, and of these the oldest."""
    return (
        select(SubmissionRow)
        .join(StudentRow, StudentRow.id == SubmissionRow.student_id)
        .where(~StudentRow.removed)
        .order_by(tries, SubmissionRow.id)
        .limit(1)
    )


def _taken(session: Session, row: SubmissionRow, tries: int) -> TakenSubmission:
    student = session.get_one(StudentRow, row.student_id)
    return TakenSubmission(row.id, student.name, row.content, row.wanted, row.language, tries)


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
