"""Workers of a cluster: an actor of Ray a core, which keeps what it has made.

What goes to an actor and comes from it are the lines of `damier.lab.worker`, as texts. A machine that is lost
takes its actors with it: what they had to do is done again by the others.
"""

from __future__ import annotations

import contextlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING, Protocol, cast

from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.json_data import to_json
from damier.core.words import _, message
from damier.lab.worker import OpenedWorker
from damier.lab.workers import (
    Hiring,
    News,
    OwedPiece,
    PieceWork,
    PieceWorker,
    WorkerLine,
    Workforce,
    WorkPool,
)

if TYPE_CHECKING:
    from damier.plugins.cluster.connection import ObjectRef, RemoteMethod

LOOK = 0.1
"""Seconds between two looks for a Ctrl-C."""
MOST_LOST = 5
"""How often a piece is begun whose actor is lost: a machine may go without its fault."""


class RemoteWorker:
    """The actor: what it tells of a piece it answers when that has ended."""

    def __init__(self) -> None:
        self._told: list[WorkerLine] = []
        self._worker: OpenedWorker | None = None

    def open(self, opening: str) -> str:
        """Makes the doer; what it has to tell."""
        self._worker = OpenedWorker(opening, self._told.append)
        return self._taken()

    def do(self, number: int, order: str) -> str:
        """Does a piece; all that it told."""
        assert self._worker is not None
        self._worker.do(number, json.loads(order))
        return self._taken()

    def _taken(self) -> str:
        told = [to_json(line) for line in self._told if "progress" not in line]  # which would be late
        self._told.clear()
        return f"[{','.join(told)}]"


class WorkerHandle(Protocol):
    """A `RemoteWorker`, wherever it is."""

    open: RemoteMethod
    do: RemoteMethod


class Actor:
    """An actor, and what it was asked: `opening` until it is ready, then some pieces, in their order."""

    def __init__(self, opening: str) -> None:
        import ray

        maker = ray.remote(RemoteWorker).options(num_cpus=1, max_restarts=0)
        self.handle = cast("WorkerHandle", maker.remote())
        self.answers: deque[ObjectRef] = deque([self.handle.open.remote(opening)])
        self.owed: deque[OwedPiece] = deque()
        self.is_ready = False

    def order(self, piece: OwedPiece) -> None:
        self.owed.append(piece)
        self.answers.append(self.handle.do.remote(piece.number, to_json(piece.order)))


class ActorWorkers:
    """Actors on a cluster that this process is joined to."""

    most_tries = MOST_LOST

    def __init__(self, count: int, note: Callable[[str], None]) -> None:
        self._note = note
        self._most_unopened = MOST_LOST * count
        self._unopened = 0  # actors that were lost before they were ready, one after the other

    def start(self, opening: str) -> Actor:
        return Actor(opening)

    def hear(self, workers: Sequence[PieceWorker]) -> list[News]:
        """Wait for answers, and see Ctrl-C meanwhile. A loss is told also where an actor had nothing to do
        yet: its machine is gone.
        """
        import ray

        asked = {actor.answers[0]: actor for actor in cast("Sequence[Actor]", workers) if actor.answers}
        answered: list[ObjectRef] = []
        while not answered:
            answered, _others = ray.wait(list(asked), num_returns=1, timeout=LOOK)
        return [self._news(asked[answer]) for answer in answered]

    def _news(self, actor: Actor) -> News:
        import ray

        try:
            lines: list[WorkerLine] = json.loads(ray.get(actor.answers[0]))
        except ray.exceptions.RayError as error:
            why = str(error).strip().splitlines()[0]
            self._note(_("a machine, or a process of it, was lost; what it did is done again"))
            self._unopened += 1
            if self._unopened > self._most_unopened:
                raise BadInput(message("no machine of the cluster can do this: {how}", how=why)) from None
            return News(actor, (), why)
        actor.answers.popleft()
        actor.is_ready, self._unopened = True, 0
        return News(actor, lines)

    def end(self, workers: Sequence[PieceWorker]) -> None:
        import ray

        for actor in cast("Sequence[Actor]", workers):
            with contextlib.suppress(ray.exceptions.RayError, ValueError):
                ray.kill(actor.handle)


@contextlib.contextmanager
def hired(address: str, job: Job) -> Iterator[Hiring]:
    """Yield what hires at this address of a cluster, as long as the block lasts. Raises BadInput."""
    from damier.plugins.cluster.connection import connect

    with connect(address, cores=job.jobs, memory=job.memory) as cluster:

        def hire(work: PieceWork) -> AbstractContextManager[Workforce]:
            count = max(1, cluster.cores)
            return closing(WorkPool(work, count, ActorWorkers(count, work.lab.job.note)))

        yield hire
