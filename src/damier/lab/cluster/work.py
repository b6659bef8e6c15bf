"""What commands ask of a cluster: to solve, and to count."""

from __future__ import annotations

import time
from dataclasses import replace

from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.core.words import message
from damier.lab.cluster.connection import connect
from damier.lab.cluster.sharded import ShardedRun, refuse_unsorted
from damier.lab.solving import SolvedPosition, told_until
from damier.solve.count import Counts


def solved(
    game: Game,
    text: str,
    s: State,
    job: Job,
    address: str,
    checkpoints: str = "",
    *,
    whole: bool = False,
    seconds: float | None = None,
) -> SolvedPosition:
    """The value of `s` and of its moves, or of everything that can follow it, if the `whole` is asked
    for, by all machines of a cluster; `text` is how the game was written.

    Raises BadInput where the cluster cannot be joined, Unsuitable for a game without sorted layers,
    LimitReached where the memory of its shards, or the `seconds`, do not suffice.
    """
    if seconds is not None:
        job = replace(job, progress=told_until(time.perf_counter() + seconds, job.progress))
    _refuse(game, job)
    with connect(address, cores=job.jobs, memory=job.memory) as cluster:
        run = ShardedRun(game, text, s, job, cluster, checkpoints)
        solution = run.solve(whole=whole)
    return SolvedPosition(solution, sum(run.by_ply), searched=False)


def counted(
    game: Game, text: str, job: Job, address: str, checkpoints: str = "", *, symmetric: bool = False
) -> Counts:
    """`damier.solve.count.count` by all machines of a cluster; it raises the same."""
    _refuse(game, job)
    with connect(address, cores=job.jobs, memory=job.memory) as cluster:
        run = ShardedRun(
            game, text, game.start, job, cluster, checkpoints, symmetric=symmetric, solving=False
        )
        return run.count()


def _refuse(game: Game, job: Job) -> None:
    """Raises what can be refused before a cluster is started."""
    if job.jit is False:
        raise BadInput(message("--cluster runs compiled only; leave out --pure"))
    refuse_unsorted(game)
