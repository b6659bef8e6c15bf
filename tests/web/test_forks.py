"""Workers that are forked: each answers as one that was started does, ends when it is told to, and takes
nobody along; the fork server is started again where it has ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lasting import long
from scenes import acted

from damier.core import job
from damier.web import worker as warming
from damier.web.pool import Forks, Pool, Start, are_possible, started
from damier.web.registry import Registry
from damier.web.settings import Settings

pytestmark = pytest.mark.skipif(not are_possible(), reason="workers are forked on Linux only")

OK = b'{"verb": "table.judge", "language": "en", "body": "{\\"game\\": \\"hexapawn\\", \\"moves\\": []}"}'


async def until(seen: Callable[[], object]) -> None:
    """Waits until something is seen, for as long as it takes; a test that hangs here has failed."""
    while not seen():
        await asyncio.sleep(0.001)


@asynccontextmanager
async def forking(size: int = 1, **settings: Any) -> AsyncIterator[tuple[Forks, Pool]]:
    made = Settings(**settings)
    forks = Forks(made)
    pool = Pool(made, size, nice=3, begin=forks.worker)
    try:
        yield forks, pool
    finally:
        await pool.close()
        await forks.close()


def pids(pool: Pool) -> list[int]:
    return [worker.process.pid for worker in pool.workers if worker.process and worker.process.runs]


def test_a_forked_worker_answers_as_one_that_was_started_does(tmp_path: Path) -> None:
    question = {"verb": "board.page", "language": "fr", "body": json.dumps({"game": "hexapawn"})}

    async def told(begin: Start) -> bytes:
        pool = Pool(Settings(folder=tmp_path), 1, begin=begin)
        try:
            return (await pool.ask(json.dumps(question).encode(), 60)).body
        finally:
            await pool.close()

    async def scene() -> None:
        async with forking(folder=tmp_path) as (forks, _pool):
            cold = await told(forks.worker)
            await forks.warmed()
            assert await told(started) == cold == await told(forks.worker)

    acted(scene())


def test_each_is_a_session_of_its_own_that_stands_back_and_none_is_left() -> None:
    async def scene() -> None:
        async with forking(2) as (_forks, pool):
            await asyncio.gather(pool.ask(OK, 60), pool.ask(OK, 60))  # a fork stands back before it answers
            first, second = pids(pool)
            assert [os.getsid(pid) for pid in (first, second)] == [first, second]
            here, *there = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, first, second)]
            assert there == [min(here + 3, 19)] * 2
        await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (first, second)))

    acted(scene())


def test_a_worker_that_is_killed_is_missed_at_once_and_another_is_forked() -> None:
    async def scene() -> None:
        async with forking() as (_forks, pool):
            assert (await pool.ask(OK, 60)).status == 200
            (first,) = pids(pool)
            os.kill(first, signal.SIGKILL)
            await until(lambda: not pids(pool))
            assert (await pool.ask(OK, 60)).status == 200
            assert pids(pool) != [first]

    acted(scene())


@long
def test_what_is_renewed_is_another_process() -> None:
    async def scene() -> None:
        async with forking() as (_forks, pool):
            await pool.warm()
            before = pids(pool)
            await pool.renew()
            assert len(pids(pool)) == 1
            assert pids(pool) != before

    acted(scene())


def test_a_fork_server_that_is_killed_takes_its_workers_along_and_is_started_again() -> None:
    async def scene() -> None:
        async with forking() as (forks, pool):
            await pool.ask(OK, 60)
            (worker,) = pids(pool)
            server = forks.server
            assert server is not None
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: not pids(pool))
            assert (await pool.ask(OK, 60)).status == 200
            assert forks.server is not server
            await until(lambda: not Path(f"/proc/{worker}").exists())

    acted(scene())


def test_who_waits_no_more_for_a_worker_leaves_none() -> None:
    async def scene() -> None:
        async with forking() as (forks, pool):
            await pool.warm()
            server = forks.server
            assert server is not None
            os.kill(server.pid, signal.SIGSTOP)
            ordered = asyncio.create_task(forks.worker(forks.settings, 0))
            await until(lambda: forks.ordered)
            ordered.cancel()
            await asyncio.gather(ordered, return_exceptions=True)
            os.kill(server.pid, signal.SIGCONT)
            await until(lambda: not forks.ordered)
            children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
            await until(lambda: len(children.read_text().split()) == 1)

    acted(scene())


def test_nothing_of_a_user_is_looked_at_before_a_worker_is_forked(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("raise SystemExit('it ran')")
    registry = Registry(Settings(games={"own": str(own)}, agents={"mine": str(own)}, folder=tmp_path))
    assert len(list(warming.steps(registry))) > len(warming.PAGES)


def test_what_is_warmed_is_compiled_only_if_it_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("DAMIER_CACHE", str(tmp_path))
        registry = Registry(Settings(folder=tmp_path))
        warming.read_engines(registry, "tictactoe", "mcts")
        assert not any(tier.compiled for tier in registry.game("tictactoe").tiers.values())
    lab = Registry(Settings(folder=tmp_path)).lab("tictactoe")
    found = warming.first_move(
        lab, "mcts:simulations=10"
    )  # compiles, or reads what another test has compiled
    again = Registry(Settings(folder=tmp_path))
    warming.read_engines(again, "tictactoe", "mcts")
    assert all(tier.compiled for tier in again.game("tictactoe").tiers.values())
    assert found


def test_a_session_that_may_not_stand_back_yet_does_so_later(monkeypatch: pytest.MonkeyPatch) -> None:
    refusals: Iterator[bool] = iter([False, False, True])
    asked: list[int] = []

    def weighed(nice: int) -> bool:
        asked.append(nice)
        return next(refusals)

    monkeypatch.setattr(job, "weighed", weighed)
    monkeypatch.setattr(job, "REFUSED", 0.0)
    monkeypatch.setattr(os, "nice", lambda nice: nice)
    monkeypatch.setattr(os, "getsid", lambda pid: os.getpid())
    monkeypatch.setattr(sys, "platform", "linux")
    job.stand_back(7)
    acted(until(lambda: asked == [7, 7, 7]))
