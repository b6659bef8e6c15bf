"""Pieces of work that this process does itself, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from damier.core.errors import DamierError
from damier.core.job import Job, Progress
from damier.core.json_types import JsonObject
from damier.lab.lab import Lab
from damier.lab.workers.kinds import KINDS
from damier.lab.workers.work import SILENT, DoneWork, Listener, PieceWork


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
