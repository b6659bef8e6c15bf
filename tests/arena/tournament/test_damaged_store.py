"""A store of SQLite that is damaged: bytes, pages, values of any type in any column. It is refused in one
line, or says what it can: no fault of damier itself, and no games that are gone without a word.
"""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import Captured, beginning
from lasting import later
from scripted_tournaments import Scripted, plan

from damier.arena.pairing import PlayedGame, TournamentPlan
from damier.arena.store import Base, Store, opened
from damier.arena.tournament import Tournament, run
from damier.core.errors import BadFile, BadInput, DamierError
from damier.plugins.classroom.class_check import (
    FileReport,
    item_facts,
    marks_text,
    read_marks,
    read_report,
    report_text,
)
from damier.plugins.classroom.class_store import ClassStore, FinishedRun, NewSubmission, Roll
from damier.plugins.classroom.marking.sheet import ItemMark, sheet
from damier.plugins.classroom.marking.submission import Finding
from tests.mutations import changed

call, data = beginning("show")
PAGE = 4096
SHEET = sheet("s4")
OPEN = TournamentPlan("nim", {"matches": 5}, "", (), 0, 4, 100, is_open=True)
FAULTY = PlayedGame(0, ["1"], (-1, 1), True, True, "it closed its streams")
VALUES = [
    *(None, -1, 0, 1, 3, 1 << 31, (1 << 63) - 1, -(1 << 63), 1.5, 1e300, float("inf")),
    *("", "x", "[]", "{}", "[1]", "5", "null", "\0", '["a", 3]', "9" * 5000, "[" * 5000),
    *(b"", b"\0", b"\xff\xfe", b"abc"),
]


def report() -> FileReport:
    return {
        "plays": True,
        "said": "it plays",
        "agent": "play",
        "agents": ["play"],
        "games": [4, 2, 1, 1],
        "pace": 0.1,
        "items": [item_facts(ItemMark(SHEET.items[0], Finding(True, "right"), 0.5))],
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a tournament, a class, and all that a class keeps."""
    path = tmp_path_factory.mktemp("whole") / "class.db"
    with opened(str(path)) as store:
        run(Tournament(plan(3), store, store.enter(plan(3))), Scripted())
        roll = Roll(store)
        roll.open(OPEN, "s4")
        classroom = roll.classroom()
        assert classroom is not None
        queue = ClassStore(store, classroom.tournament)
        for name in ("Ada", "Bob", "Cyd"):
            taken = roll.enrol(name, NewSubmission(b"def play(position):\n    return 1\n", "", "en", 5))
            queue.admit(taken.submission, f"{name}.py:play", "", report_text(report()))
            marks = [ItemMark(SHEET.items[0], Finding(True, "right"), 1.0)]
            queue.keep_marks(taken.submission, marks_text(marks))
        roll.enrol("Dan", NewSubmission(b"x = 1\n", "", "fr", 6))
        store.keep([(pair.pairing, FAULTY) for pair in queue.unplayed(4)])
        roll.keep_run(1, FinishedRun("?kind=minimax&seed=1&run=2", 10, 20, 7))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    assert games_in(path) == (30, 3)
    return path


def games_in(path: Path) -> tuple[int, int]:
    """The games of a store, of which everything is read."""
    with opened(str(path), create=False) as store:
        ids = store.tournaments()
        played = [read_tournament(store, id) for id in ids]
        for number in (1, 2, 30, 31, 33):
            with contextlib.suppress(BadInput):
                store.record(number)
        read_class(store)
    return (played[0] if played else 0, sum(played[1:]))


def read_tournament(store: Store, id: int) -> int:
    tournament = Tournament(store.plan(id), store, id)
    names = [entrant.name for entrant in tournament.plan.entrants]
    for place, name in enumerate(names):
        store.games_of(id, names, name)
        store.replays(id, place, range(len(names)), 100)
    store.first_fault(id)
    return tournament.results.games


def read_class(store: Store) -> None:
    classroom = Roll(store).classroom()
    if classroom is None:
        return
    views, queue = ClassStore(store, classroom.tournament), ClassStore(store, classroom.tournament)
    views.results(), views.progress(), views.names(), Roll(store).runs()
    queue.unplayed(4), queue.next_waiting((), "{}"), queue.next_unmarked()
    for entrant in queue.current():
        read_report(entrant.report), queue.content(entrant.submission)
    for line in views.students():
        if line.latest:
            read_report(line.latest.report), views.content(line.latest.id)
            read_marks(line.latest.marks or "[]", SHEET, line.name)


def any_byte(held: bytearray, rng: random.Random) -> None:
    for _change in range(rng.choice([1, 1, 1, 2, 5])):
        held[rng.randrange(len(held))] = rng.randrange(256)


def head_of_a_page(held: bytearray, rng: random.Random) -> None:
    held[PAGE * rng.randrange(len(held) // PAGE) + rng.randrange(120)] = rng.randrange(256)


def row(held: bytearray, rng: random.Random) -> None:
    said = rng.choice([b"agent0", b"matches", b'["', b'{"', b"CREATE", b"game", b"pairing", b"play", b"Ada"])
    places = [at for at in range(len(held)) if held.startswith(said, at)]
    held[rng.choice(places) + rng.randrange(len(said))] = rng.choice([0, 255, 128, 65, 34])


def page(held: bytearray, rng: random.Random) -> None:
    one, other = (PAGE * rng.randrange(len(held) // PAGE) for _page in range(2))
    there = bytes(held[other : other + PAGE])
    held[one : one + PAGE] = rng.choice([bytes(PAGE), there, rng.randbytes(PAGE)])


def end(held: bytearray, rng: random.Random) -> None:
    del held[rng.randrange(len(held)) :]


HARMS: list[Callable[[bytearray, random.Random], None]] = [any_byte, head_of_a_page, row, page, end]


@contextlib.contextmanager
def damaged(whole: Path, path: Path) -> Iterator[bytearray]:
    """The bytes of a store, to be damaged; what is left of them lies at `path`."""
    held = bytearray(whole.read_bytes())
    yield held
    for left in path.parent.glob(f"{path.name}*"):
        left.unlink()
    path.write_bytes(held)


def read_or_refused(path: Path) -> tuple[int, int] | None:
    """How many games a store says that it has; None where it is refused, in a line."""
    try:
        return games_in(path)
    except DamierError as error:
        said = str(error)
    assert "\n" not in said
    return None


@pytest.mark.parametrize("times", [8, later(2000)])
@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_file_is_refused_or_has_all_games(
    harm: Callable[[bytearray, random.Random], None], times: int, whole: Path, tmp_path: Path
) -> None:
    rng, refused = random.Random(f"{harm.__name__} {times}"), 0
    for _case in range(times):
        with damaged(whole, tmp_path / "class.db") as held:
            harm(held, rng)
        found = read_or_refused(tmp_path / "class.db")
        refused += found is None
        assert found in (None, (30, 3))
    assert refused


@pytest.mark.parametrize("times", [20, later(5000)])
def test_any_value_in_any_column_is_refused_or_read(times: int, whole: Path, tmp_path: Path) -> None:
    rng, refused, path = random.Random(times), 0, tmp_path / "class.db"
    columns = [(table.name, column.name) for table in Base.metadata.sorted_tables for column in table.columns]
    for _case in range(times):
        with damaged(whole, path):
            pass
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA ignore_check_constraints=ON")
            table, column = rng.choice(columns)
            row = f"id = 1 + abs(random()) % {rng.choice([1, 4])}"
            statement = rng.choice(
                [
                    f'UPDATE "{table}" SET "{column}" = ? WHERE {row}',
                    f'UPDATE "{table}" SET "{column}" = ?',
                    f'DELETE FROM "{table}" WHERE ? IS NOT 5 AND {row}',
                ]
            )
            with contextlib.suppress(sqlite3.Error, OverflowError):
                connection.execute(statement, (rng.choice(VALUES),))
        refused += read_or_refused(path) is None
    assert refused > times / 4


def test_a_report_that_is_damaged_is_refused() -> None:
    rng = random.Random(1)
    for _case in range(2000):
        text = json.dumps(changed(report(), rng))
        with contextlib.suppress(BadFile):
            found = read_report(text)
            assert found is None or found["games"] in ([], found["games"][:4])
        with contextlib.suppress(BadFile):
            read_marks(json.dumps(changed(report()["items"], rng)), SHEET, "Ada")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE game SET number = 1000 WHERE id = 1", "tournament 1 has more than was planned"),
        ("UPDATE pairing SET second = 9 WHERE id = 1", "round 1 of tournament 1 is not what was planned"),
        (
            "DELETE FROM pairing WHERE id = 1; DELETE FROM game WHERE pairing_id = 1",
            "round 1 of tournament 1",
        ),
        ("UPDATE tournament SET seed = 5 WHERE id = 1", "the plan of tournament 1 is not what was entered"),
        ("UPDATE entrant SET name = 'x' WHERE id = 2", "the plan of tournament 1 is not what was entered"),
        ("UPDATE game SET pairing_id = 999 WHERE id = 1", "of game belongs to none"),
        ("UPDATE game SET moves = 'a1' WHERE id = 1", "row 1 of game holds no JSON of its kind"),
        ("UPDATE game SET payoff_first = x'00' WHERE id = 1", "CHECK constraint failed in game"),
        ("UPDATE submission SET report = '[]' WHERE id = 1", "row 1 of submission holds no JSON"),
        ("UPDATE submission SET place = 77 WHERE id = 1", "has more than was planned"),
    ],
)
def test_a_row_that_cannot_be_is_named(statement: str, said: str, whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    path.write_bytes(whole.read_bytes())
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        connection.executescript(statement)
    with pytest.raises(BadFile, match=said), opened(str(path), create=False):
        pass


def test_commands_refuse_a_damaged_store_in_one_line(whole: Path, tmp_path: Path, capsys: Captured) -> None:
    rng, path = random.Random(3), tmp_path / "class.db"
    forms = [
        (),
        ("--tournament", "1", "--json"),
        ("--of", "agent001", "--tournament", "1"),
        ("--number", "3"),
    ]
    for _case in range(16):
        with damaged(whole, path) as held:
            rng.choice(HARMS)(held, rng)
        code, out, err = call(capsys, str(path), *rng.choice(forms))
        assert code in (0, 2)
        assert (out, err.count("\n")) == ("", 1) if code else out
