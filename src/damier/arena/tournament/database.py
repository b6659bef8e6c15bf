"""The database of a store: a file of SQLite, or a server of PostgreSQL by its URL.

SQLite writes ahead (WAL) and syncs every commit (FULL): neither a process that is killed nor a
machine that loses its power loses a game that was told to be kept. What SQLAlchemy and the databases
refuse becomes one line here.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from damier.arena.tournament.schema import SCHEMA, Base, json_damage
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.files import require_place
from damier.core.words import _, message

APPLICATION = int.from_bytes(b"damr")
"""What a file of SQLite says that it is of (`application_id`); the number of its tables is its
`user_version`.
"""
NUMBER_TABLE = "damier_schema"
"""The table of one row in which PostgreSQL has the number of the others."""
DISK_FULL, TWICE = "53100", "23505"
"""What PostgreSQL calls a disk without room, and a row that is there already."""
PATIENCE = 10
"""Seconds to wait for another process that writes to the same file."""


def is_url(place: str) -> bool:
    return "://" in place


def engine_of(place: str, *, create: bool) -> Engine:
    """The database at a path or a URL, with its tables. Raises BadFile, BadInput.

    create  whether a file that is not there yet is made
    """
    url = url_of(place)
    if url.get_backend_name() == "sqlite":
        path = Path(url.database or "")
        if not create and not path.is_file():
            raise BadFile(message("{path} cannot be read: it is not a file", path=path))
        require_place(path)
    with blaming(place):
        engine = create_engine(url)
        if url.get_backend_name() == "sqlite":
            event.listen(engine, "connect", prepare_sqlite)
            event.listen(engine, "begin", begin_sqlite)
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
    """A place as it may be shown: without a password."""
    if not is_url(place):
        return place
    with contextlib.suppress(ArgumentError, ValueError):
        return make_url(place).render_as_string(hide_password=True)
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


def require_tables(connection: Connection, place: str) -> None:
    """Makes the tables where there is nothing yet. Raises BadFile for tables of somebody else, or of another
    damier.
    """
    if not is_sqlite(connection):  # who comes at the same time waits until the tables are there
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({APPLICATION})")
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
    """What a store says about the number of its tables, which should be one; None where it is no store."""
    asked = "PRAGMA user_version"
    if not is_sqlite(connection):
        if not inspect(connection).has_table(NUMBER_TABLE):
            return None
        asked = f"SELECT number FROM {NUMBER_TABLE}"
    elif connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION:
        return None
    return list(connection.exec_driver_sql(asked).scalars())


def require_whole(engine: Engine, place: str) -> None:
    """Raises BadFile for a file of SQLite that is damaged: a page, an index, a row of another type than its
    column, or one that belongs to a row that is not there. A server sees to that itself.

    All of the file is read, and no writer held up: a second for a million games.
    """
    if not is_sqlite(engine):
        return
    with blaming(place), contextlib.closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        (said,) = cursor.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise damaged(place, said)
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
            said = _("{place}: another process plays the same tournament", place=shown(place))
            raise BadInput(said) from error
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        sentence = _("{place}: the database refuses: {error}", place=shown(place), error=reason)
        is_full = code_of(error) in (sqlite3.SQLITE_FULL, DISK_FULL)
        raise (LimitReached if is_full else BadFile)(sentence) from error


def code_of(error: Exception) -> object:
    """What SQLite or PostgreSQL calls it; None for what neither of them has said."""
    said = getattr(error, "orig", error)
    return getattr(said, "sqlite_errorcode", None) or getattr(said, "sqlstate", None)
