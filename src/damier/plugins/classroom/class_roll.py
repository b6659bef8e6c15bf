"""The roll of a class: who is in it, with which key, what they have handed in, and the runs of exercises that
they have finished; their keys.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from damier.arena.pairing import TournamentPlan
from damier.arena.store import (
    REFUSED,
    WAITING,
    ClassroomRow,
    ExerciseRunRow,
    Store,
    StudentRow,
    SubmissionRow,
    TrialRow,
)
from damier.core.errors import BadInput, LimitReached, UnknownName, WrongKey
from damier.core.words import message, plural
from damier.web.settings import LONGEST_KEY, plain_key

# Keys and codes of a class: made here, written so that they can be read aloud, and kept as salted hashes. A
# key has 16 letters and digits of 31, some 79 bits: nobody guesses it from its hash, so that one round of
# SHA-256 keeps it as well as a slow hash would.

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None is like another."""
GROUP = 4
CODE_LENGTH, KEY_LENGTH = 8, 16
STUDENT_KEY = re.compile(r"\s*([0-9]{1,9})\s*-(.*)", re.DOTALL)


class KeyHash(NamedTuple):
    """The part of a key that is kept."""

    salt: str
    digest: str


def new_key(length: int = KEY_LENGTH) -> str:
    """A key of one person; shorter, the code of a class, to be read from a board: some 40 bits."""
    letters = "".join(secrets.choice(LETTERS) for _place in range(length))
    return "-".join(letters[at : at + GROUP] for at in range(0, length, GROUP))


def hash_of(key: str, salt: str = "") -> KeyHash:
    """Return what is to be kept of a key, with a new salt unless one is given."""
    salt = salt or secrets.token_hex(16)
    return KeyHash(salt, _digest(key, salt))


def require_key(key: str, kept: KeyHash) -> None:
    """Raises WrongKey for any other key."""
    if not hmac.compare_digest(_digest(key, kept.salt), kept.digest):
        raise wrong_key()


def wrong_key() -> WrongKey:
    return WrongKey(message("that key is not known here; your teacher can give you a new one"))


def student_key(student: int, key: str) -> str:
    """A student's key as it is shown: with the number by which it is found."""
    return f"{student}-{key}"


def read_student_key(text: str) -> tuple[int, str]:
    """The number and the secret of a key as a student typed it. Raises WrongKey.

    >>> read_student_key("7-abcd-efgh")
    (7, 'abcd-efgh')
    """
    found = STUDENT_KEY.fullmatch(text[:LONGEST_KEY])
    if found is None:
        raise wrong_key()
    return int(found[1]), found[2]


def _digest(key: str, salt: str) -> str:
    return hashlib.sha256(f"{salt}{plain_key(key)}".encode()).hexdigest()


# What students may call themselves.

LONGEST_NAME = 30
SIGNS = " .'’-"
MARKS = 2
"""Accents on top of a letter, one after the other."""


def checked_name(text: str) -> str:
    """A name as it is kept: spaces single, accents composed. Raises BadInput."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(name) <= LONGEST_NAME or not name[0].isalpha() or not all(map(_is_of_name, name)):
        raise BadInput(
            message(
                "a name has from 1 to {n} letters, digits, spaces, . ' or -, a letter first", n=LONGEST_NAME
            )
        )
    marks = 0
    for c in name:
        marks = marks + 1 if unicodedata.category(c).startswith("M") else 0
        if marks > MARKS:
            raise BadInput(message("{name} is no name that can be read", name=name))
    return name


def folded(name: str) -> str:
    """Return what two names share that are taken for one another.

    >>> folded("Zoé  B."), folded("ZOÉ b")
    ('zoéb', 'zoéb')
    """
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def in_order(name: str) -> str:
    """Return what names are put in order by: accents and capitals make no difference.

    >>> sorted(["Zoé", "Élève", "eva"], key=in_order)
    ['Élève', 'eva', 'Zoé']
    """
    apart = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in apart if not unicodedata.category(c).startswith("M"))


def _is_of_name(c: str) -> bool:
    return c in SIGNS or unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd"


LARGEST = 256 << 10
"""Bytes of a file that is handed in."""
MOST_STUDENTS = 100
MOST_AN_HOUR = 20
MOST_IN_ALL = 100
"""Files of one student."""
MOST_RUNS = 500
"""Runs of exercises of one student that are kept."""
MOST_WAITING = 200
"""Files that wait to be looked at."""
MOST_TRIALS_AN_HOUR = 60
"""Of one student: a file that is tried costs what one that is handed in does, and is tried more often."""
FILE_NAME = re.compile(r"[\w(][\w .,+()'’-]{0,79}")
"""What a file may be called that is spoken of by its student's own name for it."""
HOUR = 3600
MINUTE = 60


class Classroom(NamedTuple):
    """A class: the number of its tournament, what is played, and its sheet, empty for none."""

    tournament: int
    plan: TournamentPlan
    sheet: str


class Student(NamedTuple):
    id: int
    name: str


class HandedIn(NamedTuple):
    """A student who was taken in, or whose file was; the key where that is new; the number of the file, 0
    where there is none.
    """

    student: Student
    key: str = ""
    submission: int = 0


class NewSubmission(NamedTuple):
    """A file as it arrives: `wanted` is the agent in it that is to play, empty for the first; `file_name` is
    what its student calls it, empty where nobody knows.
    """

    content: bytes
    wanted: str
    language: str
    at: int
    file_name: str = ""


class FinishedRun(NamedTuple):
    """A run of exercises as it is kept; `run` is what an address says of it, points are tenths."""

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
class Roll:
    """The class that a store keeps."""

    store: Store

    def open(self, plan: TournamentPlan, sheet: str) -> str:
        """Founds the class, or goes on with it under this sheet; the teacher's new key, in place of
        the former. Raises BadInput where the store keeps the class of another game.
        """
        found = self.classroom()
        if found is not None and found.plan.game_text != plan.game_text:
            raise BadInput(
                message(
                    "a class is kept there that plays {game}; take another folder, or another store",
                    game=found.plan.game_text,
                )
            )
        tournament = self.store.enter(plan) if found is None else found.tournament
        key = new_key()
        with self.store.writing() as session:
            row = session.scalar(select(ClassroomRow)) or ClassroomRow(tournament_id=tournament)
            row.sheet = sheet
            row.salt, row.key_hash = hash_of(key, row.salt or "")  # the salt stays: see `secret`
            session.add(row)
        return key

    def classroom(self) -> Classroom | None:
        """The class; None before it is founded."""
        with self.store.writing() as session:
            row = session.scalar(select(ClassroomRow))
            kept = (row.tournament_id, row.sheet) if row else None
        if kept is None:
            return None
        return Classroom(kept[0], self.store.plan(kept[0]), kept[1])

    def require_teacher(self, key: str) -> None:
        """Raises WrongKey."""
        with self.store.writing() as session:
            row = session.scalar(select(ClassroomRow))
            if row is None:
                raise wrong_key()
            try:
                require_key(key, KeyHash(row.salt, row.key_hash))
            except WrongKey:
                raise WrongKey(
                    message(
                        "that is not the teacher's key: each start of the lab makes a new one, which its"
                        " terminal shows"
                    )
                ) from None

    def secret(self) -> bytes:
        """Return what nobody knows who does not read the store: seeds of the sheets of the class follow from
        it.

        It is the salt, which a class keeps for good: a sheet that was handed out is the same after the
        lab was started again.
        """
        with self.store.writing() as session:
            row = session.scalar(select(ClassroomRow))
            if row is None:
                raise wrong_key()
            salt: str = row.salt
            return salt.encode()

    def student(self, key: str) -> Student:
        """Return whose key this is. Raises WrongKey."""
        with self.store.writing() as session:
            row = _keyed(session, key)
            return Student(row.id, row.name)

    def enrol(self, name: str, file: NewSubmission, *, trial: bool = False) -> HandedIn:
        """Takes in the first file of a new student, who is given a key; as `hand_in`.

        Raises BadInput for a name that is none, or is taken, LimitReached.
        """
        with self.store.writing() as session:
            _require_size(file)
            return _with_file(session, _new_student(session, name), file, trial=trial)

    def join(self, name: str) -> HandedIn:
        """Takes in a new student who has no file yet. Raises BadInput, LimitReached."""
        with self.store.writing() as session:
            return _new_student(session, name)

    def hand_in(self, key: str, file: NewSubmission, *, trial: bool = False) -> HandedIn:
        """Takes in another file of a student; a `trial` is tried and not handed in, in the place of the one
        tried before. Raises WrongKey, BadInput, LimitReached.
        """
        with self.store.writing() as session:
            row = _keyed(session, key)
            _require_size(file)
            return _with_file(session, HandedIn(Student(row.id, row.name)), file, trial=trial)

    def new_key(self, student: int) -> str:
        """A new key for a student who has lost the former, which ends. Raises UnknownName."""
        key = new_key()
        with self.store.writing() as session:
            row = _student(session, student)
            row.salt, row.key_hash = hash_of(key)
        return student_key(student, key)

    def remove(self, student: int) -> None:
        """Takes a student out of the class: the name is free, the files stay. Raises UnknownName."""
        with self.store.writing() as session:
            row = _student(session, student)
            row.removed, row.folded, row.key_hash = True, f"#{student}", ""
            waiting = (SubmissionRow.student_id == student) & (SubmissionRow.state == WAITING)
            session.execute(update(SubmissionRow).where(waiting).values(state=REFUSED))
            trials = update(TrialRow).where(TrialRow.student_id == student)
            session.execute(trials.values(content=b"", report="", state=REFUSED))

    def keep_run(self, student: int, run: FinishedRun) -> None:
        """Keeps a run of exercises that a student has finished. Raises LimitReached."""
        with self.store.writing() as session:
            mine = ExerciseRunRow.student_id == student
            if _count(session, ExerciseRunRow, mine) >= MOST_RUNS:
                raise LimitReached(message("{n} runs are the most that are kept of one student", n=MOST_RUNS))
            session.add(ExerciseRunRow(student_id=student, **run._asdict()))

    def has_run(self, student: int, run: str) -> bool:
        """Return whether a student has finished a run."""
        with self.store.writing() as session:
            mine = (ExerciseRunRow.student_id == student) & (ExerciseRunRow.run == run)
            return session.scalar(select(ExerciseRunRow.id).where(mine).limit(1)) is not None

    def runs(self) -> list[RunLine]:
        """Return all runs that students have finished, by run, and in it by name."""
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


def _new_student(session: Session, name: str) -> HandedIn:
    """Raises BadInput for a name that is none, or is taken, LimitReached."""
    name, key = checked_name(name), new_key()
    salt, digest = hash_of(key)
    if session.scalar(select(StudentRow.id).where(StudentRow.folded == folded(name))) is not None:
        raise BadInput(
            message(
                "somebody is called {name} already: if that is you, enter your key, or have your teacher give"
                " you a new one; else take another name",
                name=name,
            )
        )
    if _count(session, StudentRow, ~StudentRow.removed) >= MOST_STUDENTS:
        raise LimitReached(
            message("the class has {n} students already, and no room for more", n=MOST_STUDENTS)
        )
    row = StudentRow(name=name, folded=folded(name), salt=salt, key_hash=digest, removed=False)
    session.add(row)
    session.flush()
    return HandedIn(Student(row.id, name), student_key(row.id, key))


def _with_file(session: Session, taken: HandedIn, file: NewSubmission, *, trial: bool) -> HandedIn:
    """Returns who was taken in with the file that is kept from here on. Raises LimitReached."""
    row = (_on_trial if trial else _handed_in)(session, taken.student.id, file)
    session.add(row)
    session.flush()
    return taken._replace(submission=row.id)


def _student(session: Session, student: int) -> StudentRow:
    row = session.get(StudentRow, student)
    if row is None or row.removed:
        raise UnknownName(message("there is no such student"))
    return row


def _keyed(session: Session, key: str) -> StudentRow:
    """The student of a key. Raises WrongKey."""
    number, secret = read_student_key(key)
    row = session.get(StudentRow, number)
    # for who is not there it takes as long
    require_key(secret, KeyHash(row.salt, row.key_hash) if row else KeyHash("", ""))
    assert row is not None
    return row


def _require_size(file: NewSubmission) -> None:
    """Raises BadInput, LimitReached."""
    if not file.content.strip():
        raise BadInput(message("the file is empty"))
    if len(file.content) > LARGEST:
        raise LimitReached(message("the file has more than {n} KiB", n=LARGEST >> 10))


def _handed_in(session: Session, student: int, file: NewSubmission) -> SubmissionRow:
    """The row of a file that is handed in. Raises LimitReached."""
    mine = SubmissionRow.student_id == student
    number = _count(session, SubmissionRow, mine)
    if number >= MOST_IN_ALL:
        raise LimitReached(message("{n} files are the most that one student may hand in", n=MOST_IN_ALL))
    times = select(SubmissionRow.handed_in).where(mine, SubmissionRow.handed_in > file.at - HOUR)
    if minutes := _minutes_left(session.scalars(times).all(), MOST_AN_HOUR, file.at):
        raise LimitReached(
            plural(
                "that were more than {most} files in an hour; the next can be handed in in {n} minute",
                "that were more than {most} files in an hour; the next can be handed in in {n} minutes",
                minutes,
                most=MOST_AN_HOUR,
            )
        )
    _require_room(session, SubmissionRow)
    return SubmissionRow(
        student_id=student, number=number + 1, handed_in=file.at, place=None, marks="", **_waiting(file)
    )


def _minutes_left(times: Sequence[int], most: int, now: int) -> int:
    """Return how long somebody waits who has asked for something `most` times in an hour; 0: not at all."""
    return 1 + (sorted(times)[-most] + HOUR - now) // MINUTE if len(times) >= most else 0


def _on_trial(session: Session, student: int, file: NewSubmission) -> TrialRow:
    """The row of a file that is tried; of those before it the times are left. Raises LimitReached."""
    mine = TrialRow.student_id == student
    session.execute(delete(TrialRow).where(mine, TrialRow.asked <= file.at - HOUR))
    if minutes := _minutes_left(
        session.scalars(select(TrialRow.asked).where(mine)).all(), MOST_TRIALS_AN_HOUR, file.at
    ):
        raise LimitReached(
            plural(
                "that were more than {most} trials in an hour; the next can begin in {n} minute",
                "that were more than {most} trials in an hour; the next can begin in {n} minutes",
                minutes,
                most=MOST_TRIALS_AN_HOUR,
            )
        )
    _require_room(session, TrialRow)
    session.execute(update(TrialRow).where(mine).values(content=b"", report=""))
    session.execute(update(TrialRow).where(mine, TrialRow.state == WAITING).values(state=REFUSED))
    return TrialRow(student_id=student, asked=file.at, **_waiting(file))


def _require_room(session: Session, table: type[SubmissionRow | TrialRow]) -> None:
    """Raises LimitReached where too many files wait already."""
    if _count(session, table, table.state == WAITING) >= MOST_WAITING:
        raise LimitReached(message("too many files wait to be looked at; try again in a minute"))


def _waiting(file: NewSubmission) -> dict[str, object]:
    """The columns of a file that waits to be looked at, or tried."""
    return {
        "content": file.content,
        "wanted": file.wanted,
        "language": file.language,
        "file_name": own_file_name(file.file_name),
        "state": WAITING,
        "report": "",
    }


def own_file_name(text: str) -> str:
    """Return what a student calls a file, where that is plain enough to be told; else nothing.

    >>> own_file_name("ma tour.py"), own_file_name("C:/secret/agent.py"), own_file_name("<b>.py")
    ('ma tour.py', '', '')
    """
    return text if FILE_NAME.fullmatch(text) else ""


def _count(
    session: Session,
    table: type[StudentRow | SubmissionRow | TrialRow | ExerciseRunRow],
    condition: ColumnElement[bool],
) -> int:
    chosen = select(func.count()).select_from(table).where(condition)
    return session.scalar(chosen) or 0
