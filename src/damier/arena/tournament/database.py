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

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.files import require_place
from damier.core.words import _, message

VERSION_TABLE = "damier_version"
MIGRATIONS = Path(__file__).parent / "migrations"
DISK_FULL = "53100"
"""What PostgreSQL calls it."""
PATIENCE = 10
"""Seconds to wait for another process that writes to the same file."""


def is_url(place: str) -> bool:
    return "://" in place


def engine_of(place: str, *, create: bool) -> Engine:
    """The database at a path or a URL, its tables up to date. Raises BadFile, BadInput.

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
            migrate(connection, place)
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
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "trusted_schema=OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")


def begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # who reads and then writes is in nobody's way


def migrate(connection: Connection, place: str) -> None:
    """Runs what the tables lack. Raises BadFile for tables of somebody else, or of a later damier."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    present = MigrationContext.configure(
        connection, opts={"version_table": VERSION_TABLE}
    ).get_current_revision()
    if present == script.get_current_head():
        return
    if present is None and inspect(connection).get_table_names():
        raise BadFile(
            message(
                "{place} holds something else; give a place of its own for tournaments", place=shown(place)
            )
        )
    if present is not None and present not in {step.revision for step in script.walk_revisions()}:
        raise BadFile(message("{place} was written by a later damier", place=shown(place)))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextlib.contextmanager
def blaming(place: str) -> Iterator[None]:
    """Turns whatever the database refuses into one line about the place."""
    try:
        yield
    except IntegrityError as error:
        raise BadInput(
            message("{place}: another process plays the same tournament", place=shown(place))
        ) from error
    except NoSuchModuleError as error:
        raise BadInput(message("{place} is no URL of a database", place=shown(place))) from error
    except SQLAlchemyError as error:
        said = " ".join(str(getattr(error, "orig", None) or error).split())
        sentence = _("{place}: the database refuses: {error}", place=shown(place), error=said)
        raise (LimitReached if is_full(error) else BadFile)(sentence) from error


def is_full(error: SQLAlchemyError) -> bool:
    """Whether there is no room left on the disk of a database: a limit, not a wrong place."""
    said = getattr(error, "orig", None)
    full = (sqlite3.SQLITE_FULL, DISK_FULL)
    return any(getattr(said, code, None) in full for code in ("sqlite_errorcode", "sqlstate"))
