"""Pieces of work done on three nodes: the same as here, also where one is lost in the middle."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import ThreeNodes, three_nodes
from commands import Captured, beginning
from lasting import long

from damier import load
from damier.core import job as long_work
from damier.core.errors import BadInput, LimitReached
from damier.core.job import Job, Notes
from damier.core.json_types import JsonObject
from damier.lab.games import Lab
from damier.lab.workers import OwedPiece, PieceWork, PieceWorker, WorkHere, WorkPool, answer_of, in_order
from damier.plugins.cluster.connection import hired
from damier.plugins.cluster.shard_actors import Lost, ShardActors, counted, solved
from damier.plugins.studies.measurements import ExactStudy, GrowthStudy
from damier.solve import count
from damier.solve.dispatch import solve

call, data = beginning()
LOST_AT = 8
"""Results of 24 after which a node is lost."""
SHARED = "connect_four:width=4,height=3"
ORDERS: list[JsonObject] = [{"first": first, "stop": first + 4} for first in range(0, 40, 4)]


@pytest.fixture(scope="module")
def nodes() -> Iterator[ThreeNodes]:
    with three_nodes() as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PROCESSES_PAY", 0.0)


def test_actors_give_what_this_process_gives(nodes: ThreeNodes) -> None:
    notes = Notes()
    job = Job(jit=False, note=notes)
    work = PieceWork(GrowthStudy, Lab(load("hexapawn"), job), {"seed": 3})
    here = [answer_of(piece) for piece in WorkHere(work).do(ORDERS)]
    with hired(nodes.address, job) as hire:
        assert hire is not None
        with hire(work) as workers:
            assert workers.count == 3
            assert list(in_order(workers.do(ORDERS))) == here
            assert list(in_order(workers.do(ORDERS[:2], first=5), 5)) == here[:2]
        wrong = PieceWork(ExactStudy, Lab(load("nim"), job), {"against": "nobody"})
        with hire(wrong) as workers, pytest.raises(BadInput, match="nobody"):
            list(workers.do([{"evaluate": "", "plies": 1}]))


@long
def test_commands_answer_the_same(nodes: ThreeNodes, capsys: Captured, tmp_path: Path) -> None:
    own = tmp_path / "draws.py"
    own.write_text("def play(position, rng):\n    return rng.choice(position.moves)\n")
    for line in (
        ("match", "tictactoe", str(own), "random", "--games", "200", "--swap-seats"),
        ("match", "tictactoe", "random", "perfect", "--games", "5000", "--compiled"),
        ("study", "evaluation", "nim", "--plies", "1,2", "--evaluate", "none,theory", "--pure"),
        ("study", "growth", "nim", "--games", "200"),
    ):
        alone = data(capsys, *line, "--jobs", "1")
        shared = data(capsys, *line, "--cluster", nodes.address)
        for found in (alone, shared):
            found.pop("games_per_second", None)
        assert shared == alone, line
    tables = []
    for place in ("--jobs", "1"), ("--cluster", nodes.address):
        line = ("tournament", "nim", "random", "perfect", "minimax:plies=1", "--games", "20", *place)
        found = data(capsys, *line, "--store", str(tmp_path / f"{place[0]}.db"))
        tables.append({name: value for name, value in found.items() if name != "tournament"})
    assert tables[0] == tables[1]


def test_a_game_is_counted_and_solved_also_where_a_node_is_lost_before_it_holds_anything(
    nodes: ThreeNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, notes, losses, opened = load(SHARED), Notes(), [Lost()], ShardActors.open

    def open_late(actors: ShardActors) -> None:
        if losses:
            raise losses.pop()
        opened(actors)

    monkeypatch.setattr(ShardActors, "open", open_late)
    counts = counted(game, SHARED, Job(memory=2 << 30, note=notes), nodes.address, symmetric=True)
    assert counts == count(game, symmetric=True)
    assert any("lost" in note for note in notes)
    answer = solved(game, SHARED, game.start, Job(memory=2 << 30), nodes.address)
    alone = solve(game, method="layers")
    assert answer.positions == len(alone) == 12_031
    assert answer.solution.explain(game.start) == alone.explain(game.start)


def test_its_time_is_kept(nodes: ThreeNodes) -> None:
    game = load(SHARED)
    with pytest.raises(LimitReached, match="--seconds"):
        solved(game, SHARED, game.start, Job(memory=2 << 30), nodes.address, seconds=1e-3)


@long
def test_a_node_lost_in_the_middle_of_a_sweep_changes_nothing(
    nodes: ThreeNodes, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from damier.plugins.studies.sweep import SweepFile

    line = ("sweep", "nim", "--learner", "q:alpha=0.1,0.5", "--games", "200", "--seeds", "12", "--pure")
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    assert call(capsys, *line, "--jobs", "1", "-o", str(one))[0] == 0
    keep, kept, order = SweepFile.keep, 0, WorkPool.give_orders

    def order_once_all_are_ready(
        self: WorkPool,
        worker: PieceWorker,
        again: deque[OwedPiece],
        left: Iterator[OwedPiece],
    ) -> None:
        if kept >= LOST_AT or all(other.is_ready for other in self._workers):
            order(self, worker, again, left)

    def keep_and_lose(self: SweepFile, result: object) -> None:
        nonlocal kept
        keep(self, result)  # type: ignore[arg-type]
        kept += 1
        if kept == LOST_AT:  # all work, and there is work left for each of them
            nodes.lose_one()

    monkeypatch.setattr(WorkPool, "give_orders", order_once_all_are_ready)
    monkeypatch.setattr(SweepFile, "keep", keep_and_lose)
    code, _out, err = call(capsys, *line, "--cluster", nodes.address, "-o", str(two))
    nodes.add()
    assert code == 0, err
    assert kept == 24
    assert "lost" in err
    assert two.read_bytes() == one.read_bytes()
    assert len(list(csv.DictReader(two.open()))) == 2
