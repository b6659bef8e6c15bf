"""The store: what it keeps comes back, nothing twice, and what is damaged is told before anything else."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from scripted_tournaments import Scripted, plan
from sqlalchemy import inspect

from damier.arena.pairing import PlayedGame
from damier.arena.standings import Tally
from damier.arena.store import NUMBER_TABLE, SCHEMA, Base, blaming, engine_of, opened, shown, url_of
from damier.arena.tournament import Tournament, run
from damier.core.errors import BadFile, BadInput, LimitReached
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
        assert [line.result for line in store.games_of(id, ["agent000", "agent001"], "agent001")] == [
            -1,
            1,
            0,
        ]
        assert [line.seat for line in store.games_of(id, ["agent000", "agent001"], "agent001")] == [
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


def test_a_fault_is_told_in_the_language_of_who_reads(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    names = ["agent000", "agent001"]

    def faults() -> list[str]:
        with opened(str(path), create=False) as store:
            return [line.fault for line in store.games_of(1, names, "agent000")]

    with opened(str(path)) as store:
        store.enter(plan(2))
        (pairing,) = store.pair(1, 0, [(0, 1)])
        store.keep(
            [(pairing, GAMES[1]), (pairing, GAMES[2]._replace(fault=message("it closed its streams")))]
        )
        assert store.first_fault(1) == "x.py:3: no such move"
    assert faults() == ["x.py:3: no such move", "it closed its streams"]
    with speaking("fr"):
        assert faults() == ["x.py:3: no such move", _("it closed its streams")]
        assert faults()[1] != "it closed its streams"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE game SET fault = '{}' WHERE number = 2")
    assert "another damier" in faults()[1]


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


def test_a_store_of_another_damier_is_left_alone(place: str) -> None:
    engine = engine_of(place, create=True)
    is_file = engine.dialect.name == "sqlite"
    with engine.begin() as connection:
        number = SCHEMA + 1
        connection.exec_driver_sql(
            f"PRAGMA user_version={number}" if is_file else f"UPDATE {NUMBER_TABLE} SET number = {number}"
        )
    engine.dispose()
    with pytest.raises(BadFile, match=f"another damier: its tables have number {SCHEMA + 1}, .*{SCHEMA}$"):
        engine_of(place, create=True)


def test_tables_are_made_once_by_whoever_comes_first(place: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        for engine in threads.map(lambda _one: engine_of(place, create=True), range(8)):
            with engine.begin() as connection:
                there = set(inspect(connection).get_table_names())
            assert there - {NUMBER_TABLE} == set(Base.metadata.tables)
            engine.dispose()


def test_the_journal_of_a_database_of_somebody_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photo (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(BadFile, match="something else"):
        engine_of(str(path), create=True)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database " * 1000)
    with pytest.raises(BadFile, match="the database refuses"):
        engine_of(str(tmp_path / "text.db"), create=True)
    with pytest.raises(BadFile, match="not a file"):
        engine_of(str(tmp_path / "none.db"), create=False)
    with pytest.raises(BadInput, match="cannot be written"):
        engine_of(str(tmp_path / "text.db" / "class.db"), create=True)
    engine_of(str(tmp_path / "new" / "class.db"), create=True).dispose()
    assert (tmp_path / "new" / "class.db").is_file()


def test_a_disk_that_is_full_is_told_as_such() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(LimitReached, match=r"^class\.db: the disk is full$"), blaming("class.db"):
            connection.execute("CREATE TABLE photo (id INTEGER)")


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
