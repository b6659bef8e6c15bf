"""The store: what it keeps comes back, nothing twice, and its tables are those of the migrations."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from scripted_tournaments import Scripted, plan

from damier.arena.tournament.database import MIGRATIONS, VERSION_TABLE, engine_of, shown, url_of
from damier.arena.tournament.results import Tally
from damier.arena.tournament.run import Tournament, run
from damier.arena.tournament.schedule import PlayedGame
from damier.arena.tournament.schema import Base
from damier.arena.tournament.store import opened
from damier.core.errors import BadFile, BadInput
from damier.core.words import _, message, speaking

GAMES = [
    PlayedGame(0, ["a1a2", "é"], (1, -1), True, False, ""),
    PlayedGame(1, [], (-1, 1), True, True, "x.py:3: no such move"),
    PlayedGame(2, ["b"], (0, 0), False, False, ""),
]


def test_what_is_kept_comes_back(place: str) -> None:
    with opened(place) as store:
        id = store.enter(plan(3))
        first, *_others = store.pair(id, 0, [(0, 1), (0, 2), (1, 2)])
        store.keep([(first, game) for game in GAMES])
    with opened(place, create=False) as store:
        assert store.plan(id) == plan(3)
        assert store.pair(id, 0, []) == store.pairings(id)
        assert store.numbers(id, 0) == {first.id: {0, 1, 2}}
        assert store.tallies(id, 1, 0) == [Tally((0, 1), 1, 1, 1, 1, 0)]
        assert store.tallies(id, 0, 1) == [Tally((0, 1), 1, 0, 0, 0, 0)]
        assert store.first_fault(id) == "x.py:3: no such move"
        game, other = store.record(1), store.record(2)
        assert (game.game, dict(game.options), game.players) == (
            "nim",
            {"matches": 5},
            ("agent000", "agent001"),
        )
        assert (game.moves, game.payoffs, game.number) == (("a1a2", "é"), (1, -1), 0)
        assert (other.players, other.payoffs, other.resigned) == (("agent001", "agent000"), (1, -1), True)
        assert [line["result"] for line in store.games_of(id, ["agent000", "agent001"], "agent001")] == [
            -1,
            1,
            0,
        ]
        assert [line["seat"] for line in store.games_of(id, ["agent000", "agent001"], "agent001")] == [
            2,
            1,
            2,
        ]


def test_nothing_is_kept_twice(place: str) -> None:
    with opened(place) as store:
        id = store.enter(plan(2))
        (pairing,) = store.pair(id, 0, [(0, 1)])
        store.keep([(pairing, GAMES[0])])
        with pytest.raises(BadInput, match="another process"):
            store.keep([(pairing, GAMES[1]), (pairing, GAMES[0])])
        assert store.numbers(id, 0) == {pairing.id: {0}}


def test_the_migrations_make_the_tables_of_the_schema(place: str) -> None:
    with engine_of(place, create=True).begin() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, Base.metadata) == []


def test_a_fault_is_told_in_the_language_of_who_reads_and_one_of_before_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    names = ["agent000", "agent001"]

    def faults() -> list[str]:
        with opened(str(path), create=False) as store:
            return [line["fault"] for line in store.games_of(1, names, "agent000")]

    with opened(str(path)) as store:
        store.enter(plan(2))
        (pairing,) = store.pair(1, 0, [(0, 1)])
        store.keep([(pairing, GAMES[1])])
    with engine_of(str(path), create=False).begin() as connection:  # as an earlier damier left it
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.downgrade(config, "exercises")
    assert faults() == ["x.py:3: no such move"]
    with opened(str(path), create=False) as store:
        store.keep([(pairing, GAMES[2]._replace(fault=message("it closed its streams")))])
    assert faults() == ["x.py:3: no such move", "it closed its streams"]
    with speaking("fr"):
        assert faults() == ["x.py:3: no such move", _("it closed its streams")]
        assert faults()[1] != "it closed its streams"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE game SET fault_facts = '{}' WHERE number = 2")
    assert faults()[1] == "it closed its streams"


def test_what_is_not_there_is_said(place: str) -> None:
    with opened(place) as store:
        with pytest.raises(BadInput, match="no tournament 7"):
            store.plan(7)
        with pytest.raises(BadInput, match="no game 9"):
            store.record(9)


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photo (id INTEGER)")
    with pytest.raises(BadFile, match="something else"):
        engine_of(str(path), create=True)
    assert [name for (name,) in sqlite3.connect(path).execute("SELECT name FROM sqlite_master")] == ["photo"]


def test_a_store_of_a_later_damier_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    engine_of(str(path), create=True).dispose()
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = 'from_tomorrow'")
    with pytest.raises(BadFile, match="later damier"):
        engine_of(str(path), create=False)


def test_a_file_that_is_no_database_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database " * 1000)
    with pytest.raises(BadFile, match="the database refuses"):
        engine_of(str(tmp_path / "text.db"), create=True)
    with pytest.raises(BadFile, match="not a file"):
        engine_of(str(tmp_path / "none.db"), create=False)
    with pytest.raises(BadInput, match="no folder"):
        engine_of(str(tmp_path / "none" / "class.db"), create=True)


@pytest.mark.parametrize(
    "place", ["mysql://localhost/a", "nonsense://a", "sqlite://", "postgresql://a:b:c/d"]
)
def test_other_databases_are_refused(place: str) -> None:
    with pytest.raises(BadInput):
        engine_of(place, create=True)


def test_a_server_that_is_not_there_and_no_password_in_what_is_said() -> None:
    with pytest.raises(BadFile, match="the database refuses") as refused:
        engine_of("postgresql://me:secret@127.0.0.1:1/class", create=True)
    assert "secret" not in str(refused.value)
    assert shown("postgresql://me:secret@host/class") == "postgresql://me:***@host/class"
    assert url_of("postgresql://host/class").drivername == "postgresql+psycopg"


def test_a_run_that_is_broken_off_goes_on(place: str) -> None:
    games = []
    for limit in (7, 20, None):
        hands = Scripted(limit=limit)
        with opened(place) as store, suppress(KeyboardInterrupt):
            tournament = Tournament(plan(4), store, store.enter(plan(4)))
            run(tournament, hands)
        games += hands.played
    assert len(set(games)) == len(games) == tournament.results.games == 60
