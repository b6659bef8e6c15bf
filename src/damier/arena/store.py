"""The store of tournaments: every game once, whatever is killed, and as it can be replayed."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

import sqlalchemy
from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    Engine,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    UniqueConstraint,
    case,
    create_engine,
    event,
    func,
    insert,
    inspect,
    make_url,
    select,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from damier.arena.pairing import Entrant, Pairing, PlayedGame, TournamentPlan, seed_of_pair
from damier.arena.records import GameRecord
from damier.arena.standings import Pair, Tally
from damier.core.errors import BadFile, BadInput, LimitReached, UnknownName
from damier.core.files import make_place
from damier.core.json_data import parse_json, to_json
from damier.core.words import Text, _, message, packed, unpacked

# The database of a store: a file of SQLite, or a server of PostgreSQL by its URL.
#
# SQLite writes ahead (WAL) and syncs every commit (FULL): neither a process that is killed nor a
# machine that loses its power loses a game that was told to be kept. What SQLAlchemy and the databases
# refuse becomes one line here.

APPLICATION = int.from_bytes(b"damr")
"""What a file of SQLite says that it is of (`application_id`); the number of its tables is its
`user_version`.
"""
NUMBER_TABLE = "damier_schema"
"""The table of one row in which PostgreSQL has the number of the others."""
DISK_FULL, TWICE = "53100", "23505"
"""What PostgreSQL calls a disk without room, and a row that is there already."""
PATIENCE = 10
"""Seconds to wait for another process that writes to the same store, and for a server to answer."""
ABANDONED = 60
"""Seconds after which PostgreSQL ends a transaction in which nothing happens: whoever began it is gone."""
SECRETS = ("password", "sslpassword")
"""What an address of PostgreSQL may hold, as `?password=…`, that nobody is shown."""
CONNECT_TIMEOUT = {"connect_timeout": str(PATIENCE)}
AT_WORK = APPLICATION + 1
"""The lock of PostgreSQL that the process behind a class holds as long as it works."""


def is_url(place: str) -> bool:
    return "://" in place


def engine_of(place: str, *, create: bool) -> Engine:
    """The database at a path or a URL, with its tables. Raises BadFile, BadInput.

    Args:
        create: whether a file that is not there yet is made
    """
    url = url_of(place)
    if url.get_backend_name() == "sqlite":
        path = Path(url.database or "")
        if not create and not path.is_file():
            raise BadFile(message("{path} cannot be read: it is not a file", path=path))
        make_place(path)
    with blaming(place):
        if url.get_backend_name() == "sqlite":
            engine = create_engine(url)
            event.listen(engine, "connect", prepare_sqlite)
            event.listen(engine, "begin", begin_sqlite)
        else:  # its server may be started again between two questions
            patient = url if "connect_timeout" in url.query else url.update_query_dict(CONNECT_TIMEOUT)
            engine = create_engine(patient, pool_pre_ping=True)
            event.listen(engine, "connect", prepare_postgresql)
            event.listen(engine, "begin", begin_postgresql)
        with engine.begin() as connection:
            require_tables(connection, place)
    return engine


def url_of(place: str) -> URL:
    """A path is a file of SQLite; PostgreSQL is spoken to by psycopg. Raises BadInput."""
    if not is_url(place):
        return URL.create("sqlite", database=place)
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):  # the latter: a port that is no number
        raise BadInput(message("{place} is no URL of a database", place=shown(place))) from None
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("postgresql", "sqlite") or (
        url.get_backend_name() == "sqlite" and not url.database
    ):
        raise BadInput(
            message(
                "{place}: tournaments are kept in a file of SQLite (class.db) or in PostgreSQL"
                " (postgresql://user@host/database)",
                place=shown(place),
            )
        )
    return url


def shown(place: str) -> str:
    """A place as it may be shown: without a password, wherever in the address that stands."""
    if not is_url(place):
        return place
    with contextlib.suppress(ArgumentError, ValueError):
        return make_url(place).difference_update_query(SECRETS).render_as_string(hide_password=True)
    return place.partition("://")[0] + "://…"


def prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    """Transactions begin where SQLAlchemy says so, also around CREATE TABLE (the driver would leave
    that out).
    """
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout={1000 * PATIENCE}",
        "synchronous=FULL",
        "foreign_keys=ON",
        "trusted_schema=OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")
    is_ours = connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    if is_ours or connection.execute("PRAGMA page_count").fetchone() == (0,):
        connection.execute("PRAGMA journal_mode=WAL")  # it stays in the file: not in one of somebody else


def begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # who reads and then writes is in nobody's way


def prepare_postgresql(connection: DBAPIConnection, record: object) -> None:
    """Nobody waits for ever, whatever became of another process."""
    connection.autocommit = True  # else the end of the first transaction takes it back
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.execute(f"SET lock_timeout = '{PATIENCE}s'")
        cursor.execute(f"SET idle_in_transaction_session_timeout = '{ABANDONED}s'")
    connection.autocommit = False


def begin_postgresql(connection: Connection) -> None:
    """One transaction after the other, as in SQLite: a class reads, and writes what follows from it (the
    next free place, who has not met yet), in several threads and processes.
    """
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({APPLICATION})")


def require_tables(connection: Connection, place: str) -> None:
    """Makes the tables where there is nothing yet. Raises BadFile for tables of somebody else, or of another
    damier.
    """
    if not inspect(connection).get_table_names():
        make_tables(connection)
        return
    found = numbers_of(connection)
    if found is None:
        raise BadFile(
            message(
                "{place} holds something else; give a place of its own for tournaments", place=shown(place)
            )
        )
    if found != [SCHEMA]:
        raise BadFile(
            message(
                "{place} was written by another damier: its tables have number {found}, this one reads"
                " number {number}",
                place=shown(place),
                found=" ".join(map(str, found)),
                number=SCHEMA,
            )
        )


def is_sqlite(connected: Connection | Engine) -> bool:
    return connected.dialect.name == "sqlite"


def make_tables(connection: Connection) -> None:
    """All tables, and their number."""
    Base.metadata.create_all(connection)
    statements = [
        f"CREATE TABLE {NUMBER_TABLE} (number INTEGER PRIMARY KEY)",
        f"INSERT INTO {NUMBER_TABLE} VALUES ({SCHEMA})",
    ]
    if is_sqlite(connection):
        statements = [f"PRAGMA application_id={APPLICATION}", f"PRAGMA user_version={SCHEMA}"]
    for statement in statements:
        connection.exec_driver_sql(statement)


def numbers_of(connection: Connection) -> list[int] | None:
    """Return what a store says about the number of its tables, which should be one; None where it is no
    store.
    """
    query = "PRAGMA user_version"
    if not is_sqlite(connection):
        if not inspect(connection).has_table(NUMBER_TABLE):
            return None
        query = f"SELECT number FROM {NUMBER_TABLE}"
    elif connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION:
        return None
    return list(connection.exec_driver_sql(query).scalars())


def require_whole(engine: Engine, place: str) -> None:
    """Raises BadFile for a file of SQLite that is damaged: a page, an index, a row of another type than its
    column, or one that belongs to a row that is not there. A server sees to that itself.

    All of the file is read, and no writer held up: a second for a million games.
    """
    if not is_sqlite(engine):
        return
    with blaming(place), contextlib.closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        (verdict,) = cursor.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(place, verdict)
        if lonely := cursor.execute("PRAGMA foreign_key_check").fetchone():
            raise damaged(place, _("row {n} of {table} belongs to none", n=lonely[1], table=lonely[0]))
        for question in json_damage():
            if found := cursor.execute(question).fetchone():
                raise damaged(
                    place, _("row {n} of {table} holds no JSON of its kind", n=found[0], table=found[1])
                )


def damaged(place: str, found: str) -> BadFile:
    return BadFile(message("{place} is damaged: {found}", place=shown(place), found=" ".join(found.split())))


@contextlib.contextmanager
def blaming(place: str) -> Iterator[None]:
    """Turns whatever the database refuses into one line about the place."""
    try:
        yield
    except NoSuchModuleError as error:
        raise BadInput(message("{place} is no URL of a database", place=shown(place))) from error
    except (SQLAlchemyError, sqlite3.Error, ValueError, OverflowError) as error:
        # a driver finds no text in some bytes, or no number of 64 bits
        if code_of(error) in (sqlite3.SQLITE_CONSTRAINT_UNIQUE, TWICE):
            text = _("{place}: another process plays the same tournament", place=shown(place))
            raise BadInput(text) from error
        if code_of(error) in (sqlite3.SQLITE_FULL, DISK_FULL):
            raise LimitReached(message("{place}: the disk is full", place=shown(place))) from error
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        sentence = _("{place}: the database refuses: {error}", place=shown(place), error=reason)
        raise BadFile(sentence) from error


def code_of(error: Exception) -> object:
    """Return what SQLite or PostgreSQL calls it; None for what neither of them has said."""
    cause = getattr(error, "orig", error)
    return getattr(cause, "sqlite_errorcode", None) or getattr(cause, "sqlstate", None)


# The tables in which tournaments are kept, with what holds of every row.
#
# tournament   a plan (plan.py); `digest` tells it from any other
# entrant      who takes part, `place` in the order of the names
# pairing      who meets whom in which round
# game         what was played: at most once each number of a pairing
# classroom    a class that plays a tournament of its own: its sheet, and the teacher's key
# student      who is in it, each with a key
# submission   the files that they handed in; one that plays is an entrant
# trial        the files that they have tried without handing them in
# exercise_run the runs of exercises that they finished, with their points
# begun_work   what the process of the class is at, or was at when it ended
#
# A store has the number of the tables with which it was made; one of any others is not read. SQLite, which
# takes any value in any column, is told of every column which it may hold.

SCHEMA = 3
"""The number of these tables: another wherever they change."""
WAITING, PLAYING, REFUSED, TRIED = "waiting", "playing", "refused", "tried"
"""How a submission stands."""
SEEDS = 1 << 62

Number = BigInteger().with_variant(Integer, "sqlite")
"""Whole numbers of 64 bits: SQLite counts up only what it calls INTEGER, which has them."""


JSON, MAY_LACK = "json", "may_lack"
"""Under these a column says what the JSON is that it holds, and whether an empty text stands for none yet."""


class Base(DeclarativeBase):
    """A table of numbered rows."""

    id: Mapped[int] = mapped_column(Number, primary_key=True, sort_order=-1)


class TournamentRow(Base):
    __tablename__ = "tournament"
    __table_args__ = (
        CheckConstraint(f"seed >= 0 AND seed < {SEEDS}"),
        CheckConstraint("games >= 1 AND max_plies >= 1"),
    )

    digest: Mapped[str] = mapped_column(String(64), unique=True)
    game: Mapped[str] = mapped_column(sqlalchemy.Text)
    options: Mapped[str] = mapped_column(sqlalchemy.Text, info={JSON: "object"})
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

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    place: Mapped[int] = mapped_column(Integer)
    name: Mapped[str] = mapped_column(sqlalchemy.Text)
    text: Mapped[str] = mapped_column(sqlalchemy.Text)
    sha256: Mapped[str] = mapped_column(String(64))


class PairingRow(Base):
    __tablename__ = "pairing"
    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "first", "second"),
        CheckConstraint("round >= 0 AND first >= 0 AND first < second"),
    )

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    round: Mapped[int] = mapped_column(Integer)
    first: Mapped[int] = mapped_column(Integer)  # places of entrants
    second: Mapped[int] = mapped_column(Integer)


class GameRow(Base):
    """A game; its first player is the pairing's first where the number is even."""

    __tablename__ = "game"
    __table_args__ = (UniqueConstraint("pairing_id", "number"), CheckConstraint("number >= 0"))

    pairing_id: Mapped[int] = mapped_column(ForeignKey("pairing.id"))
    number: Mapped[int] = mapped_column(BigInteger)
    moves: Mapped[str] = mapped_column(sqlalchemy.Text, info={JSON: "array"})  # their names
    payoff_first: Mapped[int] = mapped_column(BigInteger)  # of the pairing's first
    payoff_second: Mapped[int] = mapped_column(BigInteger)
    finished: Mapped[bool]
    resigned: Mapped[bool]
    fault: Mapped[str] = mapped_column(sqlalchemy.Text)  # JSON: why it was lost (`packed`); empty: by play


class ClassroomRow(Base):
    __tablename__ = "classroom"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), unique=True)
    sheet: Mapped[str] = mapped_column(sqlalchemy.Text)  # its name, or its path; empty for none
    salt: Mapped[str] = mapped_column(String(64))
    key_hash: Mapped[str] = mapped_column(String(64))


class StudentRow(Base):
    """A student; `folded` is what no other may be called like."""

    __tablename__ = "student"

    name: Mapped[str] = mapped_column(sqlalchemy.Text)
    folded: Mapped[str] = mapped_column(sqlalchemy.Text, unique=True)
    salt: Mapped[str] = mapped_column(String(64))
    key_hash: Mapped[str] = mapped_column(String(64))
    removed: Mapped[bool]
    turn: Mapped[int] = mapped_column(BigInteger, server_default="0")  # counts up: when a file was looked at


class FileRow:
    """A file of a student, looked at or to be.

    Attributes:
        wanted: the agent in it that is to play; empty: the first
        report: what its student is told
    """

    student_id: Mapped[int] = mapped_column(ForeignKey("student.id"))
    content: Mapped[bytes] = mapped_column(LargeBinary)
    wanted: Mapped[str] = mapped_column(sqlalchemy.Text)
    language: Mapped[str] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(16))
    report: Mapped[str] = mapped_column(sqlalchemy.Text, info={JSON: "object", MAY_LACK: True})


class SubmissionRow(FileRow, Base):
    """A file, the `number`-th of its student. `place` is that of its entrant, once it plays."""

    __tablename__ = "submission"
    __table_args__ = (
        UniqueConstraint("student_id", "number"),
        CheckConstraint("number >= 1 AND place >= 0"),
        CheckConstraint(f"state IN ('{WAITING}', '{PLAYING}', '{REFUSED}')"),
        CheckConstraint(f"(state = '{PLAYING}') = (place IS NOT NULL)"),
    )

    number: Mapped[int] = mapped_column(Integer)
    handed_in: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    place: Mapped[int | None] = mapped_column(Integer)
    # the whole sheet, for the teacher
    marks: Mapped[str] = mapped_column(sqlalchemy.Text, info={JSON: "array", MAY_LACK: True})
    # what the student calls it; empty where a page did not say it
    file_name: Mapped[str] = mapped_column(String(80), server_default="")


class TrialRow(FileRow, Base):
    """A file that its student tries. Of all but the newest the content is empty: nothing of them is kept."""

    __tablename__ = "trial"
    __table_args__ = (CheckConstraint(f"state IN ('{WAITING}', '{TRIED}', '{REFUSED}')"),)

    asked: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970
    file_name: Mapped[str] = mapped_column(String(80))


class BegunWorkRow(Base):
    """A piece of work that was begun and did not come to its end: a file that is looked at or marked, a pair
    that plays. What has no row here was never broken off.
    """

    __tablename__ = "begun_work"
    __table_args__ = (UniqueConstraint("kind", "number"), CheckConstraint("tries >= 0"))

    kind: Mapped[str] = mapped_column(String(8))  # look, try, mark, play
    number: Mapped[int] = mapped_column(BigInteger)  # of the submission, the trial, or the pairing
    is_running: Mapped[bool]
    tries: Mapped[int] = mapped_column(Integer)  # how often it alone was at work when it was broken off


class ExerciseRunRow(Base):
    """A run of exercises that a student has finished; points are tenths."""

    __tablename__ = "exercise_run"

    student_id: Mapped[int] = mapped_column(ForeignKey("student.id"))
    run: Mapped[str] = mapped_column(String(200))  # what an address says of it
    points: Mapped[int] = mapped_column(Integer)
    of: Mapped[int] = mapped_column(Integer)
    finished: Mapped[int] = mapped_column(BigInteger)  # seconds since 1970


def held_by(column: Column[object]) -> str:
    """Return what SQLite is told of a column: the type that it has."""
    name = f'"{column.name}"'
    if isinstance(column.type, Boolean):
        condition = f"typeof({name}) = 'integer' AND {name} IN (0, 1)"
    elif isinstance(column.type, Integer):
        condition = f"typeof({name}) = 'integer'"
    elif isinstance(column.type, LargeBinary):
        condition = f"typeof({name}) = 'blob'"
    else:
        condition = f"typeof({name}) = 'text'"
    return f"{name} IS NULL OR ({condition})" if column.nullable else condition


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
                condition = f"CASE WHEN json_valid({column.name}) THEN {is_other} ELSE {lacks} END"
                questions.append(f"SELECT id, '{table.name}' FROM {table.name} WHERE {condition} LIMIT 1")
    return questions


class ListedGame(NamedTuple):
    """A game of an entrant as a page lists it: its number in the store, the place of the other, the
    seat from 1 on, 1 for a win, 0, or -1, the moves, and the fault by which one lost.
    """

    game: int
    opponent: int
    seat: int
    result: int
    moves: list[str]
    fault: str


Result = TypeVar("Result")
Given = ParamSpec("Given")


class Transactional(Protocol):
    """Anything that works in transactions of a store."""

    def writing(self) -> AbstractContextManager[Session]: ...


Owner = TypeVar("Owner", bound=Transactional)


def in_transaction(
    work: Callable[Concatenate[Owner, Session, Given], Result],
) -> Callable[Concatenate[Owner, Given], Result]:
    """Give a method one transaction, from its first line to its last: all of it is kept, or nothing."""

    @wraps(work)
    def done(self: Owner, /, *given: Given.args, **named: Given.kwargs) -> Result:
        with self.writing() as session:
            return work(self, session, *given, **named)

    return done


@dataclass(frozen=True)
class Store:
    """A database of tournaments; `place` is its path or URL."""

    place: str
    engine: Engine

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, nobody else on any machine works for the class that a server keeps; waits until who did
        has ended. A file of SQLite is seen by one machine, where the folder of the class has a lock.
        """
        if is_sqlite(self.engine):
            yield
            return
        with blaming(self.place):
            held = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            held.exec_driver_sql("SET lock_timeout = 0")
            held.exec_driver_sql(f"SELECT pg_advisory_lock({AT_WORK})")
        try:
            yield
        finally:
            held.invalidate()  # the server lets go as the connection ends

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: all of it is kept, or nothing."""
        with blaming(self.place), Session(self.engine) as session, session.begin():
            yield session

    @in_transaction
    def enter(self, session: Session, plan: TournamentPlan) -> int:
        """The number of a tournament: of the one that is there already, if it is the same."""
        known = session.scalar(select(TournamentRow.id).where(TournamentRow.digest == plan.digest))
        if known is not None:
            longer = (TournamentRow.id == known) & (TournamentRow.games < plan.games)
            session.execute(update(TournamentRow).where(longer).values(games=plan.games))
            return known
        row = TournamentRow(
            digest=plan.digest,
            game=plan.game,
            options=to_json(dict(plan.options)),
            game_sha256=plan.game_sha256,
            seed=plan.seed,
            games=plan.games,
            max_plies=plan.max_plies,
            is_open=plan.is_open,
        )
        session.add(row)
        session.flush()
        session.add_all(
            EntrantRow(tournament_id=row.id, place=place, **entrant._asdict())
            for place, entrant in enumerate(plan.entrants)
        )
        return row.id

    @in_transaction
    def tournaments(self, session: Session) -> list[int]:
        """The numbers of all tournaments, the latest last."""
        return list(session.scalars(select(TournamentRow.id).order_by(TournamentRow.id)))

    @in_transaction
    def plan(self, session: Session, tournament: int) -> TournamentPlan:
        """Raises BadInput where there is no such tournament, BadFile for one that is damaged."""
        row = session.get(TournamentRow, tournament)
        if row is None:
            raise BadInput(message("{place} has no tournament {n}", place=shown(self.place), n=tournament))
        chosen = select(EntrantRow).where(EntrantRow.tournament_id == tournament)
        entrants = session.scalars(chosen.order_by(EntrantRow.place)).all()
        try:
            options = parse_json(row.options, shown(self.place))
            plan = TournamentPlan(
                game=row.game,
                options=options if isinstance(options, dict) else {},
                game_sha256=row.game_sha256,
                entrants=tuple(Entrant(e.name, e.text, e.sha256) for e in entrants),
                seed=row.seed,
                games=row.games,
                max_plies=row.max_plies,
                is_open=row.is_open,
            )
            if plan.digest != row.digest or [e.place for e in entrants] != list(range(len(entrants))):
                raise ValueError(row.digest)
        except (BadInput, ValueError):  # also what no plan can be, whatever it is
            raise damaged(
                self.place, _("the plan of tournament {n} is not what was entered", n=tournament)
            ) from None
        return plan

    def require_as_planned(self, tournament: int, plan: TournamentPlan) -> None:
        """Raises BadFile where rows contradict the plan of their tournament: what is damaged is told before
        anything is made of it.
        """
        mine, system = PairingRow.tournament_id == tournament, plan.system
        entrants = len(plan.entrants)
        with self.writing() as session:
            sizes = session.execute(
                select(PairingRow.round, func.count(), func.max(PairingRow.second))
                .where(mine)
                .group_by(PairingRow.round)
                .order_by(PairingRow.round)
            ).all()
            beyond = session.scalar(
                select(func.count())
                .select_from(GameRow)
                .join(PairingRow, PairingRow.id == GameRow.pairing_id)
                .where(mine, GameRow.number >= plan.games)
            )
            # those of a class are of its one tournament
            unknown = plan.is_open and session.scalar(
                select(func.count()).select_from(SubmissionRow).where(SubmissionRow.place >= entrants)
            )
        each = system.pairings // system.rounds
        for number, (round, count, last) in enumerate(sizes):
            if round != number or last >= entrants or (count != each and not plan.is_open):
                sentence = _(
                    "round {n} of tournament {of} is not what was planned", n=round + 1, of=tournament
                )
                raise damaged(self.place, sentence)
        if len(sizes) > system.rounds or beyond or unknown:
            sentence = _("tournament {n} has more than was planned", n=tournament)
            raise damaged(self.place, sentence)

    @in_transaction
    def pair(self, session: Session, tournament: int, round: int, pairs: Iterable[Pair]) -> list[Pairing]:
        """The pairings of a round, in the order of their numbers: they are entered once."""
        mine = (PairingRow.tournament_id == tournament) & (PairingRow.round == round)
        if not session.scalar(select(func.count()).where(mine)):
            rows = [
                {"tournament_id": tournament, "round": round, "first": first, "second": second}
                for first, second in pairs
            ]
            session.execute(insert(PairingRow), rows)
        return [
            pairing_of(row) for row in session.scalars(select(PairingRow).where(mine).order_by(PairingRow.id))
        ]

    @in_transaction
    def pairings(self, session: Session, tournament: int) -> list[Pairing]:
        """All pairings so far."""
        mine = select(PairingRow).where(PairingRow.tournament_id == tournament).order_by(PairingRow.id)
        return [pairing_of(row) for row in session.scalars(mine)]

    def keep(self, played: Iterable[tuple[Pairing, PlayedGame]]) -> None:
        """Keeps some games, all of them or none."""
        rows = [
            {
                "pairing_id": pairing.id,
                "number": game.number,
                "moves": to_json(game.moves),
                "payoff_first": game.payoffs[0],
                "payoff_second": game.payoffs[1],
                "finished": game.finished,
                "resigned": game.resigned,
                "fault": to_json(packed(game.fault)) if game.fault else "",
            }
            for pairing, game in played
        ]
        if rows:
            with self.writing() as session:
                session.execute(insert(GameRow), rows)

    @in_transaction
    def numbers(self, session: Session, tournament: int, round: int) -> dict[int, set[int]]:
        """The numbers of the games of a round that are kept, by the number of the pairing."""
        found: dict[int, set[int]] = {}
        rows = session.execute(
            select(GameRow.pairing_id, GameRow.number)
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(PairingRow.tournament_id == tournament, PairingRow.round == round)
        )
        for pairing, number in rows:
            found.setdefault(pairing, set()).add(number)
        return found

    @in_transaction
    def played(self, session: Session, pairing: int) -> set[int]:
        """The numbers of the games of a pairing that are kept."""
        return set(session.scalars(select(GameRow.number).where(GameRow.pairing_id == pairing)))

    def tallies(self, tournament: int, round: int, games: int) -> list[Tally]:
        """Return what was played in the rounds before `round` and, in it, of the first `games` games of each
        pairing: a line a pairing.
        """
        first, second = GameRow.payoff_first, GameRow.payoff_second
        at_fault = GameRow.fault != ""
        counts = [
            func.sum(case((condition, 1), else_=0))
            for condition in (
                first > 0,
                first == 0,
                first < 0,
                at_fault & (first < 0),
                at_fault & (second < 0),
            )
        ]
        chosen = (
            select(PairingRow.first, PairingRow.second, *counts)
            .join(GameRow, GameRow.pairing_id == PairingRow.id)
            .where(
                PairingRow.tournament_id == tournament,
                (PairingRow.round < round) | ((PairingRow.round == round) & (GameRow.number < games)),
            )
            .group_by(PairingRow.id, PairingRow.first, PairingRow.second)
            .order_by(PairingRow.id)
        )
        with self.writing() as session:
            return [Tally((a, b), *map(int, ends)) for a, b, *ends in session.execute(chosen)]

    @in_transaction
    def first_fault(self, session: Session, tournament: int) -> str:
        """Return what the first agent that lost by a fault did; empty where none has."""
        chosen = (
            select(GameRow.fault)
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(PairingRow.tournament_id == tournament, GameRow.fault != "")
            .order_by(GameRow.pairing_id, GameRow.number)
        )
        return str(fault_of(session.scalar(chosen.limit(1)) or ""))

    def games_of(self, tournament: int, names: list[str], agent: str) -> list[ListedGame]:
        """All games of an agent, of those that take part by these names. Raises UnknownName, and BadFile for
        moves that are damaged.
        """
        if agent not in names:
            raise UnknownName(
                message("no agent {agent} takes part; there are: {names}", agent=agent, names=" ".join(names))
            )
        place = names.index(agent)
        chosen = (
            select(GameRow, PairingRow)
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(
                PairingRow.tournament_id == tournament,
                (PairingRow.first == place) | (PairingRow.second == place),
            )
            .order_by(PairingRow.id, GameRow.number)
        )
        with self.writing() as session:
            return [
                seen_game(
                    game, met, place, moves_of(game.id, game.moves, self.place), str(fault_of(game.fault))
                )
                for game, met in session.execute(chosen)
            ]

    @in_transaction
    def last_game(self, session: Session) -> int:
        """The number of the game that was kept last, 0 where there is none: another whenever there are
        more.
        """
        return session.scalar(select(func.max(GameRow.id))) or 0

    def distinct_games(self, tournament: int, places: Collection[int]) -> int:
        """Count the different games that some entrants have played against each other, move by move."""
        mine = PairingRow.first.in_(places) & PairingRow.second.in_(places)
        chosen = (
            select(func.count(GameRow.moves.distinct()))
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(PairingRow.tournament_id == tournament, mine)
        )
        with self.writing() as session:
            return session.scalar(chosen) or 0

    def replays(self, tournament: int, place: int, opponents: Collection[int], most: int) -> list[ListedGame]:
        """The games of the entrant at a place with some others, the first `most` of them."""
        mine, other = PairingRow.first == place, PairingRow.second == place
        chosen = (
            select(GameRow, PairingRow)
            .join(PairingRow, PairingRow.id == GameRow.pairing_id)
            .where(
                PairingRow.tournament_id == tournament,
                (mine & PairingRow.second.in_(opponents)) | (other & PairingRow.first.in_(opponents)),
            )
            .order_by(PairingRow.id, GameRow.number)
            .limit(most)
        )
        with self.writing() as session:
            return [replay_of(game, pairing, place, self.place) for game, pairing in session.execute(chosen)]

    def record(self, game: int) -> GameRecord:
        """A game by its number in the store, as a record. Raises BadInput, BadFile."""
        with self.writing() as session:
            row = session.get(GameRow, game)
            if row is None:
                raise BadInput(message("{place} has no game {n}", place=shown(self.place), n=game))
            pairing = session.get_one(PairingRow, row.pairing_id)
            session.expunge_all()  # what was read can be used outside
        plan = self.plan(pairing.tournament_id)
        moves = moves_of(game, row.moves, self.place)
        names = [plan.entrants[entrant].name for entrant in (pairing.first, pairing.second)]
        seed = seed_of_pair(plan.seed, *names)
        payoffs = row.payoff_first, row.payoff_second
        if row.number & 1:  # seats are changed
            names.reverse()
            payoffs = payoffs[::-1]
        return GameRecord(
            game=plan.game,
            options=plan.options,
            players=tuple(names),
            moves=tuple(moves),
            payoffs=payoffs,
            seed=seed,
            number=row.number,
            finished=row.finished,
            resigned=row.resigned,
            fault=fault_of(row.fault),
        )


@contextlib.contextmanager
def opened(place: str, *, create: bool = True) -> Iterator[Store]:
    """The store at a path or a URL, looked through from end to end. Raises BadInput, BadFile."""
    engine = engine_of(place, create=create)
    try:
        require_whole(engine, place)
        store = Store(place, engine)
        for tournament in store.tournaments():
            store.require_as_planned(tournament, store.plan(tournament))
        yield store
    finally:
        engine.dispose()


def pairing_of(row: PairingRow) -> Pairing:
    return Pairing(row.id, row.round, (row.first, row.second))


def seen_game(game: GameRow, pairing: PairingRow, place: int, moves: list[str], fault: str) -> ListedGame:
    """A game as the entrant at `place` sees it."""
    is_first = pairing.first == place
    payoff = game.payoff_first if is_first else game.payoff_second
    return ListedGame(
        game.id,
        pairing.second if is_first else pairing.first,
        1 + (game.number + (not is_first)) % 2,
        (payoff > 0) - (payoff < 0),
        moves,
        fault,
    )


def replay_of(game: GameRow, pairing: PairingRow, place: int, where: str) -> ListedGame:
    """A game as the entrant at `place` sees it; one whose moves are damaged has none, and says so."""
    try:
        moves = moves_of(game.id, game.moves, where)
        fault = str(fault_of(game.fault))
    except BadFile:
        moves, fault = [], _("its moves are damaged in the store")
    return seen_game(game, pairing, place, moves, fault)


def fault_of(kept: str) -> Text:
    """The fault that a store keeps of a game; empty where there was none."""
    try:
        return unpacked(parse_json(kept, "")) if kept else ""
    except (BadFile, ValueError):  # of another damier, or damaged
        return message("what was found was kept by another damier, which has to read it")


def moves_of(game: int, written: str, where: str) -> list[str]:
    """The names of the moves of a game. Raises BadFile."""
    moves = parse_json(written, shown(where))
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise BadFile(message("{place}: the moves of game {n} are damaged", place=shown(where), n=game))
    return moves
