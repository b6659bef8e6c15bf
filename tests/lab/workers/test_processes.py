"""Pieces of work done by processes: the same as here, whatever becomes of the processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from damier import load
from damier.arena.pairing import Pairing, Piece, PlayedGame
from damier.core import job as long_work
from damier.core.errors import BadInput, DamierError, UnknownName
from damier.core.job import Job, Notes
from damier.core.json_types import JsonObject
from damier.lab import workers as lab_workers
from damier.lab.games import Lab
from damier.lab.tournament import play_pieces, tournament_work
from damier.lab.workers import (
    DoneWork,
    Listener,
    PieceWork,
    Workforce,
    WorkHere,
    WorkPool,
    answer_of,
    in_order,
    shared,
)
from damier.plugins.studies.measurements import ExactStudy, GrowthStudy

GROWTH: JsonObject = {"seed": 3}
ORDERS: list[JsonObject] = [{"first": first, "stop": first + 4} for first in range(0, 40, 4)]


def growth(game: str = "hexapawn", **job: object) -> PieceWork:
    return PieceWork(GrowthStudy, Lab(load(game), Job(jit=False, **job)), GROWTH)  # type: ignore[arg-type]


@pytest.fixture
def two() -> Iterator[WorkPool]:
    workers = WorkPool(growth(), 2)
    yield workers
    workers.close()


def test_processes_give_what_this_one_gives(two: WorkPool) -> None:
    here = [answer_of(piece) for piece in WorkHere(growth()).do(ORDERS)]
    assert list(in_order(two.do(ORDERS))) == here
    assert list(in_order(two.do(ORDERS[:3], first=7), 7)) == here[:3]  # the same processes again


def test_orders_are_taken_as_they_are_needed(two: WorkPool) -> None:
    taken = 0

    def endless() -> Iterator[JsonObject]:
        nonlocal taken
        while True:
            taken += 1
            yield {"first": 0, "stop": 1}

    with closing(two.do(endless())) as done:  # type: ignore[type-var]
        for _piece in range(5):
            next(done)
    assert taken <= 5 + 2 * 2


def test_a_process_that_is_killed_is_replaced_and_its_pieces_are_done_again(two: WorkPool) -> None:
    here = [answer_of(piece) for piece in WorkHere(growth()).do(ORDERS)]
    found: list[DoneWork] = []
    for number, piece in enumerate(two.do(ORDERS)):
        found.append(piece)
        if number in (1, 4):
            os.kill(two.workers[0].process.pid, signal.SIGKILL)
    assert list(in_order(found)) == here
    assert sorted(piece.number for piece in found) == list(range(len(ORDERS)))


def killer(tmp_path: Path, games: int) -> str:
    """The file of an agent whose process is killed in its so many first games."""
    path = tmp_path / "killer.py"
    path.write_text(f"""
import os, signal
from pathlib import Path

def play(position):
    deaths = Path({str(tmp_path)!r})
    found = len(list(deaths.glob("*.dead")))
    if found < {games}:
        (deaths / f"{{found}}.dead").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return position.moves[0]
""")
    return str(path)


def pieces(number: int) -> list[Piece]:
    return [Piece(Pairing(5, 0, (0, 1)), 11, range(first, first + 2)) for first in range(0, 2 * number, 2)]


def test_games_told_twice_are_kept_once(tmp_path: Path) -> None:
    lab = Lab(load("nim"), Job(jit=False))
    kept: list[PlayedGame] = []
    workers = WorkPool(tournament_work(lab, [killer(tmp_path, 1), "random"], 100), 1)
    try:
        play_pieces(workers, pieces(3), lambda pairing, games: kept.extend(games))
    finally:
        workers.close()
    expected: list[PlayedGame] = []
    here = WorkHere(tournament_work(lab, [str(tmp_path / "killer.py"), "random"], 100))
    play_pieces(here, pieces(3), lambda pairing, games: expected.extend(games))
    assert [game.number for game in kept] == list(range(6))
    assert kept == expected


def test_parts_that_come_again_are_told_again_to_a_listener(tmp_path: Path) -> None:
    class Heard(Listener):
        def __init__(self) -> None:
            self.parts: list[object] = []

        def part(self, number: int, data: object) -> None:
            self.parts.append((number, data))

    heard = Heard()
    lab = Lab(load("nim"), Job(jit=False))
    workers = WorkPool(tournament_work(lab, ["random", "random"], 100), 1)
    try:
        order: JsonObject = {"id": 1, "pair": [0, 1], "seed": 0, "first": 0, "stop": 3}
        assert [piece.error for piece in workers.do([order], heard)] == [None]
    finally:
        workers.close()
    assert {number for number, _data in heard.parts} == {0}  # type: ignore[misc]


def test_who_dies_twice_of_a_piece_is_told_in_one_line(tmp_path: Path) -> None:
    lab = Lab(load("nim"), Job(jit=False))
    workers = WorkPool(tournament_work(lab, [killer(tmp_path, 2), "random"], 100), 1)
    try:
        with pytest.raises(BadInput, match="signal 9") as told:
            play_pieces(workers, pieces(1), lambda pairing, games: None)
    finally:
        workers.close()
    assert "\n" not in str(told.value)


def test_what_is_wrong_for_all_pieces_is_told_at_once() -> None:
    work = PieceWork(ExactStudy, Lab(load("nim")), {"against": "nobody"})
    with pytest.raises(UnknownName):
        WorkHere(work)
    workers = WorkPool(work, 1)
    try:
        with pytest.raises(BadInput, match="nobody"):
            list(workers.do([{"evaluate": "", "plies": 1}]))
    finally:
        workers.close()


def test_the_first_error_in_order_is_raised_after_what_came_before() -> None:
    pieces = [DoneWork(2, None, BadInput("later")), DoneWork(1, None, BadInput("first")), DoneWork(0, "a")]
    found = in_order(pieces)
    assert next(found) == "a"
    with pytest.raises(BadInput, match="first"):
        next(found)


def test_a_fault_of_a_game_is_told_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.py"
    path.write_text(Path("examples/chomp.py").read_text())
    workers = WorkPool(growth(str(path)), 1)
    try:
        path.write_text("import no_such_module_anywhere\n")  # before a process reads it
        with pytest.raises(DamierError, match="no_such_module"):
            answer_of(next(workers.do(ORDERS)))
    finally:
        workers.close()


def test_notes_of_processes_are_passed_on(tmp_path: Path) -> None:
    talker = tmp_path / "talker.py"
    talker.write_text("def play(position):\n    print('hello')\n    return position.moves[0]\n")
    for kind in (WorkHere, lambda work: WorkPool(work, 1)):
        notes = Notes()
        lab = Lab(load("nim"), Job(jit=False, note=notes))
        workers: Workforce = kind(tournament_work(lab, [str(talker), "random"], 100))
        try:
            play_pieces(workers, pieces(1), lambda pairing, games: None)
        finally:
            workers.close()
        assert len(notes) == 1, notes
        assert "talker.py" in notes[0]


@pytest.mark.parametrize("pays", [0.0, 1e9])
def test_work_is_shared_once_that_pays(pays: float, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []

    class Counted(WorkPool):
        def __init__(self, work: PieceWork, count: int) -> None:
            started.append(count)
            super().__init__(work, count)

    monkeypatch.setattr(long_work, "PROCESSES_PAY", pays)
    monkeypatch.setattr(lab_workers, "WorkPool", Counted)
    alone = list(in_order(shared(growth(), ORDERS)))
    assert started == []
    assert list(in_order(shared(growth(jobs=2), ORDERS))) == alone
    assert started == ([2] if pays == 0 else [])
