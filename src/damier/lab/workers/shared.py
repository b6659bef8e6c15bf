"""Pieces of work that begin in this process, and are shared with others once what is left is worth it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from damier.core import cores
from damier.core.job import Progress
from damier.core.json_types import JsonObject
from damier.lab.workers.here import WorkHere
from damier.lab.workers.hiring import Hiring, processes
from damier.lab.workers.work import SILENT, DoneWork, Listener, PieceWork


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
    while done < len(orders) and (alone or longest * (len(orders) - done) < cores.PROCESSES_PAY):
        began = time.perf_counter()
        yield from here.do(orders[done : done + 1], listener, done)
        done, longest = done + 1, max(longest, time.perf_counter() - began)
    if done < len(orders):
        with processes(work) as workers:
            yield from workers.do(orders[done:], listener, done)
