"""Who does pieces of work beside this process: processes of this machine, or machines of a cluster. Commands
that may need nobody ask here, so that what others need is imported when they are hired.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeAlias

from damier.core.job import Job
from damier.lab.workers.work import PieceWork, Workforce

Hiring: TypeAlias = Callable[[PieceWork], AbstractContextManager[Workforce]]
"""Who else works: workers of this kind, for as long as the block lasts."""


@contextlib.contextmanager
def ended(workers: Workforce) -> Iterator[Workforce]:
    """Workers that have ended when the block has, whatever way."""
    try:
        yield workers
    finally:
        workers.end()


def processes(work: PieceWork) -> AbstractContextManager[Workforce]:
    """As many processes of this machine as the job may share its work among."""
    from damier.lab.workers.processes import WorkProcesses

    return ended(WorkProcesses(work, work.lab.job.jobs))


@contextlib.contextmanager
def hired(address: str | None, job: Job) -> Iterator[Hiring | None]:
    """Who works at this address of a cluster, as long as the block lasts; None where none is given.

    Raises BadInput.
    """
    if address is None:
        yield None
        return
    from damier.lab.cluster.connection import connect
    from damier.lab.workers.cluster import ClusterWorkforce

    with connect(address, cores=job.jobs, memory=job.memory) as cluster:

        def hire(work: PieceWork) -> AbstractContextManager[Workforce]:
            return ended(ClusterWorkforce(work, max(1, cluster.cores)))

        yield hire
