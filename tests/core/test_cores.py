"""Work that is shared among cores comes back in its order, and stops where it fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from damier.core.cores import cores, in_order


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    assert list(in_order(jobs, lambda n: n * n, range(40))) == [n * n for n in range(40)]


def test_so_many_work_at_once() -> None:
    together = threading.Barrier(3, timeout=60)
    assert list(in_order(3, lambda n: together.wait() >= 0, range(6))) == [True] * 6


def test_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(len(taken))
            yield taken[-1]

    results = in_order(2, lambda n: n, endless())
    assert [next(results) for _n in range(3)] == [0, 1, 2]
    results.close()
    assert len(taken) < 10


def test_what_fails_is_raised_where_its_result_is_asked_for() -> None:
    results = in_order(2, lambda n: 1 // (2 - n), range(5))
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_there_is_a_core() -> None:
    assert cores() >= 1
