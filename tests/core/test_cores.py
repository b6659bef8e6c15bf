"""Work that is shared among cores comes back in its order, and stops where it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from damier.core.job import Workers, cores, in_order, left_behind, patiently


@pytest.fixture(autouse=True)
def _threads_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.core.job.ALONE", 0)


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


def test_workers_share_one_task_after_the_other() -> None:
    with Workers(2) as workers:
        threads = {name for _n in range(3) for name in workers.in_order(whose, range(9))}
        results = workers.in_order(lambda n: 1 // n, range(3))
        with pytest.raises(ZeroDivisionError):
            next(results)
        assert list(workers.in_order(abs, [-1, -2])) == [1, 2]
    assert threading.current_thread().name not in threads
    assert len(threads) <= 2


def test_what_is_over_soon_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.core.job.ALONE", 3600)
    assert set(in_order(4, whose, range(9))) == {threading.current_thread().name}


def test_one_core_works_in_the_thread_that_asks() -> None:
    assert set(in_order(1, whose, range(9))) == {threading.current_thread().name}


def whose(_item: int) -> str:
    return threading.current_thread().name


def test_there_is_a_core() -> None:
    assert cores() >= 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_begun_gives_what_comes_of_it(jobs: int) -> None:
    with Workers(jobs) as workers:
        ours, theirs = workers.begin(lambda: 6 * 7), workers.begin(lambda: 1 // 0)
        assert ours() == 42
        with pytest.raises(ZeroDivisionError):
            theirs()


def test_long_work_is_left_behind_where_nobody_waits_for_it() -> None:
    begun, release, ended = threading.Event(), threading.Event(), threading.Event()

    def long_call() -> None:
        begun.set()
        release.wait(60)

    def work() -> None:
        patiently(long_call)
        raise AssertionError("what nobody waits for ends with its long call")

    def watched() -> None:
        try:
            work()
        except SystemExit:
            ended.set()
            raise

    def interrupted() -> None:
        with Workers(2) as workers:
            workers.begin(watched)
            assert begun.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert left_behind()
    release.set()
    assert ended.wait(60)
    assert not left_behind()


def test_short_work_is_waited_for_where_the_rest_fails() -> None:
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        time.sleep(0.05)
        done.set()

    def failing() -> None:
        with Workers(2) as workers:
            workers.begin(work)
            assert begun.wait(60)
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert done.is_set()
