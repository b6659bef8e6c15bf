"""The tables in which tournaments are kept, with what holds of every row.

tournament   a plan (plan.py); `digest` tells it from any other
entrant      who takes part, `place` in the order of the names
pairing      who meets whom in which round
game         what was played: at most once each number of a pairing
classroom    a class that plays a tournament of its own: its sheet, and the teacher's key
student      who is in it, each with a key
submission   the files that they handed in; one that plays is an entrant
exercise_run the runs of exercises that they finished, with their points
begun_work   what the process of the class is at, or was at when it ended

A store has the number of the tables with which it was made; one of other tables is not read. SQLite,
which takes any value in any column, is told of every column which it may hold.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

SCHEMA = 1
"""The number of these tables: another wherever they change."""
WAITING, PLAYING, REFUSED = "waiting", "playing", "refused"
"""How a submission stands."""
SEEDS = 1 << 62

Number = BigInteger().with_variant(Integer, "sqlite")
"""Whole numbers of 64 bits: SQLite counts up only what it calls INTEGER, which has them."""


JSON, MAY_LACK = "json", "may_lack"
"""Under these a column says what the JSON is that it holds, and whether an empty text stands for none yet."""


class Base(DeclarativeBase):
    pass


class TournamentRow(Base):
    __tablename__ = "tournament"
    __table_args__ = (
        CheckConstraint(f"seed >= 0 AND seed < {SEEDS}"),
        CheckConstraint("games >= 1 AND max_plies >= 1"),
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    game: Mapped[str] = mapped_column(Text)
    options: Mapped[str] = mapped_column(Text, info={JSON: "object"})
    game_sha256: Mapped[str] = mapped_column(String(64))
    seed: Mapped[int] = mapped_column(BigInteger)
    games: Mapped[int] = mapped_column(BigInteger)  # for each pair
    max_plies: Mapped[int] = mapped_column(BigInteger)
    is_open: Mapped[bool] = mapped_column()  # whether entrants still come


class EntrantRow(Base):
    __tablename__ = "entrant"
    __table_args__ = (
        UniqueConstraint("tournament_id", "place"),
        UniqueConstraint("tournament_id", "name"),
        CheckConstraint("place >= 0"),
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    place: Mapped[int] = mapped_column(Integer)
    name: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(String(64))


class PairingRow(Base):
    __tablename__ = "pairing"
    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "first", "second"),
        CheckConstraint("round >= 0 AND first >= 0 AND first < second"),
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    round: Mapped[int] = mapped_column(Integer)
    first: Mapped[int] = mapped_column(Integer)  # places of entrants
    second: Mapped[int] = mapped_column(Integer)


class GameRow(Base):
    """A game; its first player is the pairing's first where the number is even."""

    __tablename__ = "game"
    __table_args__ = (UniqueConstraint("pairing_id", "number"), CheckConstraint("number >= 0"))

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    pairing_id: Mapped[int] = mapped_column(ForeignKey("pairing.id"))
    number: Mapped[int] = mapped_column(BigInteger)
    moves: Mapped[str] = mapped_column(Text, info={JSON: "array"})  # their names
    payoff_first: Mapped[int] = mapped_column(BigInteger)  # of the pairing's first
    payoff_second: Mapped[int] = mapped_column(BigInteger)
    finished: Mapped[bool]
    resigned: Mapped[bool]
    fault: Mapped[str] = mapped_column(Text)  # JSON: why the game was lost (`packed`); empty: by play


class ClassroomRow(Base):
    __tablename__ = "classroom"

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), unique=True)
    sheet: Mapped[str] = mapped_column(Text)  # its name, or its path; empty for none
    salt: Mapped[str] = mapped_column(String(64))
    key_hash: Mapped[str] = mapped_column(String(64))


class StudentRow(Base):
    """A student; `folded` is what no other may be called like."""

    __tablename__ = "student"

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    folded: Mapped[str] = mapped_column(Text, unique=True)
    salt: Mapped[str] = mapped_column(String(64))
    key_hash: Mapped[str] = mapped_column(String(64))
    removed: Mapped[bool]
    turn: Mapped[int] = mapped_column(BigInteger, server_default="0")  # counts up: when a file was looked at


class SubmissionRow(Base):
    """A file, the `number`-th of its student. `place` is that of its entrant, once it plays."""

    __tablename__ = "submission"
    __table_args__ = (
        UniqueConstraint("student_id", "number"),
        CheckConstraint("number >= 1 AND place >= 0"),
        CheckConstraint(f"state IN ('{WAITING}', '{PLAYING}', '{REFUSED}')"),
        CheckConstraint(f"(state = '{PLAYING}') = (place IS NOT NULL)"),
    )

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    student_id: Mapped[int] = mapped_column(ForeignKey("student.id"))
    number: Mapped[int] = mapped_column(Integer)
    handed_in: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    content: Mapped[bytes] = mapped_column(LargeBinary)
    wanted: Mapped[str] = mapped_column(Text)  # the agent in it that is to play; empty: the first
    language: Mapped[str] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(16))
    place: Mapped[int | None] = mapped_column(Integer)
    report: Mapped[str] = mapped_column(
        Text, info={JSON: "object", MAY_LACK: True}
    )  # what its student is told
    # the whole sheet, for the teacher
    marks: Mapped[str] = mapped_column(Text, info={JSON: "array", MAY_LACK: True})


class BegunWorkRow(Base):
    """A piece of work that was begun and did not come to its end: a file that is looked at or marked, a pair
    that plays. What has no row here was never broken off.
    """

    __tablename__ = "begun_work"
    __table_args__ = (UniqueConstraint("kind", "number"), CheckConstraint("tries >= 0"))

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    kind: Mapped[str] = mapped_column(String(8))  # look, mark, play
    number: Mapped[int] = mapped_column(BigInteger)  # of the submission, or the pairing
    is_running: Mapped[bool]
    tries: Mapped[int] = mapped_column(Integer)  # how often it alone was at work when it was broken off


class ExerciseRunRow(Base):
    """A run of exercises that a student has finished; points are tenths."""

    __tablename__ = "exercise_run"

    id: Mapped[int] = mapped_column(Number, primary_key=True)
    student_id: Mapped[int] = mapped_column(ForeignKey("student.id"))
    run: Mapped[str] = mapped_column(String(200))  # what an address says of it
    title: Mapped[str] = mapped_column(Text)  # in the language in which it was done
    points: Mapped[int] = mapped_column(Integer)
    of: Mapped[int] = mapped_column(Integer)
    finished: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970


def held_by(column: Column[object]) -> str:
    """What SQLite is told of a column: the type that it has."""
    name = f'"{column.name}"'
    if isinstance(column.type, Boolean):
        said = f"typeof({name}) = 'integer' AND {name} IN (0, 1)"
    elif isinstance(column.type, Integer):
        said = f"typeof({name}) = 'integer'"
    elif isinstance(column.type, LargeBinary):
        said = f"typeof({name}) = 'blob'"
    else:
        said = f"typeof({name}) = 'text'"
    return f"{name} IS NULL OR ({said})" if column.nullable else said


for _table in Base.metadata.tables.values():
    for _told in map(held_by, _table.columns):
        _table.append_constraint(CheckConstraint(_told).ddl_if(dialect="sqlite"))


def json_damage() -> list[str]:
    """Questions to SQLite for a row whose JSON is none, a table and column each. They are no part of the
    tables: SQLite trusts none with functions of its own.
    """
    questions = []
    for table in Base.metadata.tables.values():
        for column in table.columns:
            if kind := column.info.get(JSON):
                lacks = f"{column.name} != ''" if column.info.get(MAY_LACK) else "1"
                is_other = f"json_type({column.name}) != '{kind}'"
                said = f"CASE WHEN json_valid({column.name}) THEN {is_other} ELSE {lacks} END"
                questions.append(f"SELECT id, '{table.name}' FROM {table.name} WHERE {said} LIMIT 1")
    return questions
