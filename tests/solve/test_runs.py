"""What several cores make of sorted runs of keys is what one makes, to the byte."""

from __future__ import annotations

import random
import sys

import gallery
import numpy as np
import pytest
from lasting import later, shortly

from damier import load
from damier.core.arrays import IntArray
from damier.core.compile import instantiate
from damier.core.errors import LimitReached
from damier.core.job import Job, Workers
from damier.core.solution import KeyTable
from damier.solve import count, layers, reach, solve
from damier.solve.count import Counts
from damier.solve.reach import cut, merged, unite


def in_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads from the start, and several parts of everything."""
    monkeypatch.setattr("damier.core.job.ALONE", 0)
    monkeypatch.setattr(reach, "CHUNK", 4000)
    monkeypatch.setattr(reach, "SHARE", 50)
    monkeypatch.setattr(reach, "SWEPT", 100)
    monkeypatch.setattr(layers, "CHUNK", 300)
    monkeypatch.setattr(sys.modules["damier.solve.count"], "CHUNK", 300)


@pytest.fixture
def _many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    in_many_parts(monkeypatch)


def ascending(values: set[int]) -> IntArray:
    return np.array(sorted(values), np.int64)


PAIRS: list[tuple[set[int], set[int]]] = [
    (set(), set()),
    ({5}, set()),
    (set(range(900)), set(range(900))),
    (set(range(1000, 1700)), set(range(300))),
    (set(range(300)), set(range(1000, 1700))),
    ({0, 10_000}, set(range(1, 500))),
    (set(range(0, 2000, 2)), set(range(1, 2000, 2))),
    (set(range(0, 3000, 3)), set(range(0, 3000, 7))),
    *(
        (set(random.Random(n).sample(range(4000), 1500)), set(random.Random(-n).sample(range(4000), 40 * n)))
        for n in range(1, 6)
    ),
]


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.usefixtures("_many_parts")
def test_two_runs_are_united(pair: tuple[set[int], set[int]], jobs: int) -> None:
    one, two = map(ascending, pair)
    both = np.full(len(one) + len(two), -1, np.int64)
    with Workers(jobs) as workers:
        written = merged(one, two, both, instantiate(unite, load("tictactoe"), jit=True), workers)
    assert both[:written].tolist() == sorted(pair[0] | pair[1])


@pytest.mark.parametrize("pair", PAIRS)
def test_a_cut_leaves_what_is_smaller_before_it(pair: tuple[set[int], set[int]]) -> None:
    one, two = map(ascending, pair)
    for wanted in range(0, len(one) + len(two) + 1, 37):
        i, j = cut(one, two, wanted)
        assert abs(i + j - wanted) <= 1
        before = [*one[:i].tolist(), *two[:j].tolist(), -1]
        after = [*one[i:].tolist(), *two[j:].tolist(), 1 << 60]
        assert max(before) < min(after)


def solved(name: str, jobs: int) -> tuple[bytes, bytes, tuple[int, ...]]:
    table = solve(load(name), job=Job(jit=True, jobs=jobs), method="layers").table
    assert isinstance(table, KeyTable)
    return table.keys.tobytes(), table.scores.tobytes(), table.offsets


@pytest.mark.parametrize(
    "name",
    [*map(later, ("connect_four:width=4,height=4", "dots_and_boxes:rows=2,columns=2")), "tictactoe"],
)
def test_a_solution_is_the_same_to_the_byte(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = solved(name, 1)
    in_many_parts(monkeypatch)
    assert [solved(name, jobs) for jobs in (1, 2, 3)] == [alone] * 3


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("name", [later("connect_four:width=4,height=4"), "tictactoe", later("octapawn")])
def test_counts_are_the_same(name: str, symmetric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(jobs: int) -> Counts:
        return count(load(name), job=Job(jit=True, jobs=jobs), symmetric=symmetric)

    alone = counted(1)
    in_many_parts(monkeypatch)
    assert [counted(jobs) for jobs in (1, 2, 3)] == [alone] * 3


@pytest.mark.parametrize(
    "memory", shortly([300_000, 600_000, 900_000, 1_200_000, 4_000_000], 300_000, 4_000_000)
)
@pytest.mark.usefixtures("_many_parts")
def test_several_cores_keep_to_the_budget(memory: int) -> None:
    positions = count(gallery.fences(11), job=Job(jit=True)).by_ply
    for jobs in (1, 2, 3):
        found = by_ply_within(Job(memory, jit=True, jobs=jobs))
        assert found == positions[: len(found)]
        assert len(found) == len(positions) or 8 * sum(positions) > memory // 4


def by_ply_within(job: Job) -> list[int]:
    """The positions by ply, as far as the budget lets them be counted."""
    try:
        return count(gallery.fences(11), job=job).by_ply
    except LimitReached as refusal:
        by_ply: list[int] = refusal.reached["by_ply"]
        return by_ply


def test_a_budget_leaves_room_for_what_waits() -> None:
    for jobs in (2, 5, 64):
        made = reach.SortedChildren(never, never, 7, Job(64 << 20, jobs=jobs))
        assert 8 * made.most_at_work <= max((64 << 20) // 8, 8 * (3 * jobs + 1) * 14)
        assert made.positions() >= 1


def never(*_arguments: object) -> int:
    raise AssertionError("nothing is made")
