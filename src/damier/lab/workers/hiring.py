"""Who does pieces of work beside this process: processes of this machine, or machines of a cluster. Commands
that may need nobody ask here, so that what others need is imported when they are hired.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TypeAlias

from damier.core import interruptible
from damier.core.errors import DamierError
from damier.core.job import Job, Progress
from damier.core.json_types import JsonObject
from damier.lab.lab import Lab
from damier.lab.workers.work import KINDS, SILENT, DoneWork, Listener, PieceWork, Workforce

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


# Pieces of work that begin in this process, and are shared with others once what is left is worth it.


def shared(
    work: PieceWork,
    orders: Sequence[JsonObject],
    listener: Listener = SILENT,
    progress: Progress | None = None,
    hire: Hiring | None = None,
) -> Iterator[DoneWork]:
    """Does all pieces; each is handed over when it has ended.

    progress  who hears how far a piece of this process is, where that is not the listener
    hire      who works, from the first piece on; None: processes of this machine, once that pays

    Raises what the doer raises where no piece can be done.
    """
    if hire is not None:
        with hire(work) as workers:
            yield from workers.do(orders, listener)
        return
    jobs = work.lab.job.jobs
    alone = jobs == 1 or len(orders) == 1
    here = WorkHere(work, progress, jobs if len(orders) == 1 else 1)
    done, longest = 0, 0.0
    while done < len(orders) and (alone or longest * (len(orders) - done) < interruptible.PROCESSES_PAY):
        began = time.perf_counter()
        yield from here.do(orders[done : done + 1], listener, done)
        done, longest = done + 1, max(longest, time.perf_counter() - began)
    if done < len(orders):
        with processes(work) as workers:
            yield from workers.do(orders[done:], listener, done)


# Pieces of work that this process does itself, one after the other.


class WorkHere:
    """The doer of this process; it shares what the lab has worked out.

    progress  who hears how far a piece is; the listener, where that is None
    """

    count = 1

    def __init__(self, work: PieceWork, progress: Progress | None = None, jobs: int = 1) -> None:
        """Raises DamierError where what all pieces share is wrong."""
        self._listener, self._number = SILENT, 0
        job = replace(work.lab.job, progress=progress or self._progress, jobs=jobs)
        self._doer = KINDS[work.kind](lab_with(work.lab, job), work.given)

    def do(
        self, orders: Iterable[JsonObject], listener: Listener = SILENT, first: int = 0
    ) -> Iterator[DoneWork]:
        self._listener = listener
        for number, order in enumerate(orders, first):
            self._number = number
            yield self._done(number, order)

    def _done(self, number: int, order: JsonObject) -> DoneWork:
        try:
            return DoneWork(number, self._doer.do(order, lambda part: self._listener.part(number, part)))
        except DamierError as error:
            return DoneWork(number, None, error)

    def _progress(self, done: int, total: int | None, what: str) -> None:
        self._listener.progress(self._number, done, total, what)

    def end(self) -> None:
        return None


def lab_with(lab: Lab, job: Job) -> Lab:
    """The same lab for another job: what it knows of its game it still knows."""
    found = replace(lab, job=job)
    found.known = lab.known
    return found
