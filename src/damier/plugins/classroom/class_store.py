"""Store of a class: its roll, that is who is in it, with which key, what they have handed in, and which runs
of exercises they have finished; and its work, files to look at, files to mark, games to play, with what came
of each, kept in one transaction, so that whoever is killed leaves the work done or not begun.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from damier.arena.pairing import Entrant, Pairing, TournamentPlan
from damier.arena.standings import Results
from damier.arena.store import (
    PLAYING,
    REFUSED,
    TRIED,
    WAITING,
    BegunWorkRow,
    ClassroomRow,
    EntrantRow,
    ExerciseRunRow,
    GameRow,
    PairingRow,
    Store,
    StudentRow,
    SubmissionRow,
    TrialRow,
    in_transaction,
    pairing_of,
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


def new_key(length: int = KEY_LENGTH) -> str:
    """A key of one person; shorter, the code of a class, to be read from a board: some 40 bits."""
    letters = "".join(secrets.choice(LETTERS) for _place in range(length))
    return "-".join(letters[at : at + GROUP] for at in range(0, length, GROUP))


def hash_of(key: str, salt: str = "") -> tuple[str, str]:
    """Return what is to be kept of a key: the salt, a new one unless one is given, and the digest."""
    salt = salt or secrets.token_hex(16)
    return salt, hashlib.sha256(f"{salt}{plain_key(key)}".encode()).hexdigest()


def is_key(key: str, salt: str, digest: str) -> bool:
    """Return whether this is what is kept of a key; how alike they are does not show in the time."""
    return hmac.compare_digest(hash_of(key, salt)[1], digest)


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


# What students may call themselves.

LONGEST_NAME = 30
SIGNS = " .'’-"
MARKS = 2
"""Accents on top of a letter, one after the other."""


def checked_name(text: str) -> str:
    """A name as it is kept: spaces single, accents composed. Raises BadInput."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    kinds = [unicodedata.category(c) for c in name if c not in SIGNS]
    fits = all(kind[0] in "LM" or kind == "Nd" for kind in kinds)
    if not 1 <= len(name) <= LONGEST_NAME or not name[0].isalpha() or not fits:
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

    >>> sorted(["Zoé", "Œuvrard", "Élève", "eva"], key=in_order)
    ['Élève', 'eva', 'Œuvrard', 'Zoé']
    """
    return unaccented(name).casefold()


WITHOUT_PARTS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "ß": "ss", "ẞ": "SS"}
    | {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
"""Letters of Latin that Unicode does not take apart."""


def unaccented(text: str) -> str:
    """Return a text without accents, each letter of Latin as one or two of the alphabet.

    >>> unaccented("Zoé Łuczak-Œuvrard")
    'Zoe Luczak-OEuvrard'
    """
    apart = unicodedata.normalize("NFKD", text.translate(WITHOUT_PARTS))
    return "".join(c for c in apart if not unicodedata.category(c).startswith("M"))


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
    points: int
    of: int
    finished: int


class RunLine(NamedTuple):
    """All the times that a student did one run: the first counts, the best is shown beside it."""

    student: str
    run: str
    first: int
    best: int
    of: int
    times: int
    first_finished: int
    last_finished: int


@dataclass(frozen=True)
class OfStore:
    """Work on a store."""

    store: Store

    def writing(self) -> AbstractContextManager[Session]:
        """One transaction."""
        return self.store.writing()


class Roll(OfStore):
    """The class that a store keeps."""

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
            row.salt, row.key_hash = hash_of(key)
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

    @in_transaction
    def require_teacher(self, session: Session, key: str) -> None:
        """Raises WrongKey."""
        row = session.scalar(select(ClassroomRow))
        if row is None or not is_key(key, row.salt, row.key_hash):
            raise WrongKey(
                message(
                    "that is not the teacher's key: each start of the lab makes a new one, which its"
                    " terminal shows"
                )
            )

    @in_transaction
    def student(self, session: Session, key: str) -> Student:
        """Return whose key this is. Raises WrongKey."""
        row = _keyed(session, key)
        return Student(row.id, row.name)

    @in_transaction
    def enrol(self, session: Session, name: str, file: NewSubmission, *, trial: bool = False) -> HandedIn:
        """Takes in the first file of a new student, who is given a key; as `hand_in`.

        Raises BadInput for a name that is none, or is taken, LimitReached.
        """
        _require_size(file)
        return _with_file(session, _new_student(session, name), file, trial=trial)

    @in_transaction
    def join(self, session: Session, name: str) -> HandedIn:
        """Takes in a new student who has no file yet. Raises BadInput, LimitReached."""
        return _new_student(session, name)

    @in_transaction
    def hand_in(self, session: Session, key: str, file: NewSubmission, *, trial: bool = False) -> HandedIn:
        """Takes in another file of a student; a `trial` is tried and not handed in, in the place of the one
        tried before. Raises WrongKey, BadInput, LimitReached.
        """
        row = _keyed(session, key)
        _require_size(file)
        return _with_file(session, HandedIn(Student(row.id, row.name)), file, trial=trial)

    @in_transaction
    def new_key(self, session: Session, student: int) -> str:
        """A new key for a student who has lost the former, which ends. Raises UnknownName."""
        key, row = new_key(), _student(session, student)
        row.salt, row.key_hash = hash_of(key)
        return student_key(student, key)

    @in_transaction
    def remove(self, session: Session, student: int) -> None:
        """Takes a student out of the class: the name is free, the files stay. Raises UnknownName."""
        row = _student(session, student)
        row.removed, row.folded, row.key_hash = True, f"#{student}", ""
        waiting = (SubmissionRow.student_id == student) & (SubmissionRow.state == WAITING)
        session.execute(update(SubmissionRow).where(waiting).values(state=REFUSED))
        trials = update(TrialRow).where(TrialRow.student_id == student)
        session.execute(trials.values(content=b"", report="", state=REFUSED))

    @in_transaction
    def keep_run(self, session: Session, student: int, run: FinishedRun) -> None:
        """Keeps a run of exercises that a student has finished. Raises LimitReached."""
        mine = ExerciseRunRow.student_id == student
        if _count(session, ExerciseRunRow, mine) >= MOST_RUNS:
            raise LimitReached(message("{n} runs are the most that are kept of one student", n=MOST_RUNS))
        session.add(ExerciseRunRow(student_id=student, **run._asdict()))

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
                run = FinishedRun(row.run, row.points, row.of, row.finished)
                found.setdefault((name, row.run), []).append(run)
        lines = [line_of(name, runs) for (name, _run), runs in found.items()]
        return sorted(lines, key=lambda line: (line.run, in_order(line.student)))


def line_of(student: str, runs: list[FinishedRun]) -> RunLine:
    first, best = runs[0], max(each.points for each in runs)
    times = (len(runs), first.finished, runs[-1].finished)
    return RunLine(student, first.run, first.points, best, first.of, *times)


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
    fits = is_key(secret, *((row.salt, row.key_hash) if row else ("", "")))
    if row is None or not fits:
        raise wrong_key()
    return row


def too_large() -> LimitReached:
    return LimitReached(message("the file has more than {n} KiB", n=LARGEST >> 10))


def _require_size(file: NewSubmission) -> None:
    """Raises BadInput, LimitReached."""
    if not file.content.strip():
        raise BadInput(message("the file is empty"))
    if len(file.content) > LARGEST:
        raise too_large()


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


# The work of a class, and what came of it.

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


class CurrentEntrant(NamedTuple):
    """The agent of a student that stands in the table now; `name` is what the tournament calls it."""

    place: int
    name: str
    student: str
    submission: int
    text: str
    report: str


class UnplayedPair(NamedTuple):
    """A pair that has games to play; suspect as a file may be."""

    pairing: Pairing
    is_suspect: bool
    first: CurrentEntrant
    second: CurrentEntrant

    @property
    def id(self) -> int:
        return self.pairing.id


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
    """A version of a class, another whenever a page of it is, and how many files wait to be looked at."""

    version: str
    waiting: int


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
    if not own or own.lower().endswith(".zip"):
        return latest
    report, marks = (KEPT_NAMES.sub(lambda _found: own, text) for text in (latest.report, latest.marks))
    return latest._replace(report=report, marks=marks)


@dataclass(frozen=True)
class ClassStore(OfStore):
    """The work of a class, and what pages show of it; `tournament` is the number of its tournament."""

    tournament: int

    @in_transaction
    def take_over(self, session: Session) -> None:
        """Goes on where another that did the work of the class has ended. What was at work then, alone, is
        charged with it; where there was more, nothing is, since nobody knows which it was: each of these
        is suspect, and is taken alone from here on.
        """
        broken_off = session.scalars(select(BegunWorkRow).where(BegunWorkRow.is_running)).all()
        for row in broken_off:
            row.is_running = False
            row.tries += len(broken_off) == 1

    @in_transaction
    def begin(self, session: Session, kind: str, number: int) -> None:
        """Some work is begun: that is kept before, in case that it ends whoever does it."""
        row = session.scalar(_begun(kind, number))
        if row is None:
            row = BegunWorkRow(kind=kind, number=number, tries=0)
            session.add(row)
        row.is_running = True
        if kind in (LOOK, TRY):
            student = session.get_one(files_of(kind), number).student_id
            turn = session.scalar(select(func.max(StudentRow.turn))) or 0
            session.get_one(StudentRow, student).turn = turn + 1

    @in_transaction
    def end(self, session: Session, kind: str, number: int) -> None:
        """It has come to its end, whatever came of it."""
        _end(session, kind, number)

    @in_transaction
    def fail(self, session: Session, kind: str, number: int, *, alone: bool) -> None:
        """It was broken off, and whoever does it goes on."""
        row = session.scalar(_begun(kind, number))
        if row is not None:
            row.is_running = False
            row.tries += alone

    @in_transaction
    def next_waiting(
        self, session: Session, at_work: Collection[int], replaced: str
    ) -> TakenSubmission | None:
        """The file to look at next, but for those of students one of whose files is looked at already
        (`at_work`). Students take turns: first comes whose last file was looked at longest ago. Of each
        the newest file counts; those that it replaces are refused with the report `replaced`. What is
        suspect comes last.
        """
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

    @in_transaction
    def next_trial(self, session: Session, at_work: Collection[int]) -> TakenSubmission | None:
        """The file to try next, but for students of whom one is tried already; turns as for those handed
        in.
        """
        busy = select(TrialRow.student_id).where(TrialRow.id.in_(at_work))
        return _first(session, TRY, TrialRow.state == WAITING, TrialRow.student_id.not_in(busy))

    @in_transaction
    def keep_trial(self, session: Session, trial: int, report: str) -> None:
        """Keep what came of a file that was tried, if no newer one is there."""
        is_there = (TrialRow.id == trial) & (TrialRow.state == WAITING)
        session.execute(update(TrialRow).where(is_there).values(state=TRIED, report=report))
        _end(session, TRY, trial)

    @in_transaction
    def has_waiting(self, session: Session) -> bool:
        """Return whether a file waits to be looked at, or tried, or is looked at now."""
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

    @in_transaction
    def next_unmarked(self, session: Session) -> TakenSubmission | None:
        """The last file of a student, where that is not marked yet; what is suspect comes last."""
        return _first(
            session,
            MARK,
            SubmissionRow.state != WAITING,
            SubmissionRow.marks == "",
            SubmissionRow.id.in_(_newest()),
        )

    @in_transaction
    def keep_marks(self, session: Session, submission: int, marks: str) -> None:
        session.get_one(SubmissionRow, submission).marks = marks
        _end(session, MARK, submission)

    @in_transaction
    def refuse(self, session: Session, submission: int, report: str) -> None:
        """The file does not play; what the student had before stays."""
        row = session.get_one(SubmissionRow, submission)
        row.state, row.report = REFUSED, report
        _end(session, LOOK, submission)

    @in_transaction
    def admit(self, session: Session, submission: int, text: str, sha256: str, report: str) -> None:
        """The file plays: it is an entrant, in the place of the student's former, and meets the agents
        of all others.
        """
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

    @in_transaction
    def current(self, session: Session) -> list[CurrentEntrant]:
        """The agents that stand in the table, in the order of their places."""
        return _current(session, self.tournament)

    def unplayed(self, games: int) -> list[UnplayedPair]:
        """The pairs of those who stand in the table that have not played all their games, but for those
        that are set aside.
        """
        return [pair for pair, _played, tries in self._unfinished(games) if tries < MOST_TRIES]

    def set_aside(self, games: int) -> list[tuple[Pairing, int]]:
        """The others: their games, so many of which are left out, have ended whoever played them, or failed,
        too often.
        """
        return [
            (pair.pairing, games - played)
            for pair, played, tries in self._unfinished(games)
            if tries >= MOST_TRIES
        ]

    @in_transaction
    def _unfinished(self, session: Session, games: int) -> list[tuple[UnplayedPair, int, int]]:
        """Every pair that has games to play: how many it has played, and how often that was broken off."""
        here = {entrant.place: entrant for entrant in _current(session, self.tournament)}
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
            (
                UnplayedPair(pairing_of(row), tries is not None, here[row.first], here[row.second]),
                played,
                tries or 0,
            )
            for row, played, tries in rows
            if {row.first, row.second} <= here.keys()
        ]

    # What pages show: the table, the games, the students.

    @in_transaction
    def progress(self, session: Session) -> ClassProgress:
        files = select(func.count(SubmissionRow.id))
        waiting, *others = (
            session.scalar(query) or 0
            for query in (
                files.where(SubmissionRow.state == WAITING),
                files,
                files.where(SubmissionRow.marks != ""),
                select(func.max(GameRow.id)),
                select(func.count(StudentRow.id)).where(StudentRow.removed),
                select(func.count(ExerciseRunRow.id)),
                select(func.count(BegunWorkRow.id)).where(IS_SET_ASIDE),
            )
        )
        return ClassProgress(".".join(map(str, (waiting, *others))), waiting)

    def results(self) -> ClassResults:
        """The games between those who stand in the table now."""
        current = self.current()
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
            for pairing, games in self.set_aside(plan.games)
            if number.keys() >= set(pairing.pair)
        ]
        left = plan.games * pairs - results.games - sum(pair.games for pair in aside)
        return ClassResults(names, results, left, aside)

    def names(self) -> dict[int, str]:
        """The students of the agents that stand in the table, by place."""
        return {entrant.place: entrant.student for entrant in self.current()}

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

    @in_transaction
    def _last(
        self,
        session: Session,
        student: int,
        table: type[SubmissionRow | TrialRow],
        *more: InstrumentedAttribute[Any],
    ) -> LatestSubmission | None:
        found = session.execute(
            select(table.id, table.state, table.report, table.file_name, *more)
            .where(table.student_id == student)
            .order_by(table.id.desc())
            .limit(1)
        ).first()
        return in_own_words(LatestSubmission(*found)) if found else None

    @in_transaction
    def content(self, session: Session, submission: int) -> bytes:
        """A file as it was handed in. Raises UnknownName."""
        row = session.get(SubmissionRow, submission)
        if row is None:
            raise UnknownName(message("there is no such file"))
        return row.content


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
