"""Pieces of work done by the machines of a cluster: an actor of Ray a core, which keeps what it has made.

What goes to an actor and comes from it are the lines of worker.py, as texts. A machine that is lost takes
its actors with it: what they had to do is done again by the others.
"""

from __future__ import annotations

import contextlib
import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from damier.core.errors import BadInput, DamierError
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, message
from damier.lab.cluster.connection import ObjectRef, RemoteMethod
from damier.lab.workers.processes import AHEAD, OwedPiece, WorkerLine
from damier.lab.workers.work import SILENT, DoneWork, Listener, PieceWork, error_heard, error_said
from damier.lab.workers.worker import OpenedWorker, fault_in_words

LOOK = 0.1
"""Seconds between two looks for a Ctrl-C."""
MOST_LOST = 5
"""How often a piece is begun whose actor is lost: a machine may go without its fault."""
MOST_FAULTS = 2
"""How often a piece is begun that ends with a fault."""


class RemoteWorker:
    """The actor: what it tells of a piece it answers when that has ended."""

    def __init__(self) -> None:
        self._told: list[JsonValue] = []
        self._worker: OpenedWorker | None = None

    def open(self, opening: str) -> str:
        """Makes the doer; what it has to tell."""
        try:
            self._worker = OpenedWorker(json.loads(opening), self._tell)
        except DamierError as error:
            self._tell(error_said(error))
        except Exception as error:
            self._tell({"error": fault_in_words(error)})
        return self._taken()

    def do(self, number: int, order: str) -> str:
        """Does a piece; all that it told."""
        assert self._worker is not None
        try:
            self._worker.do(number, json.loads(order))
        except Exception as error:  # whoever asked reads one line
            self._tell({"id": number, "fault": fault_in_words(error)})
        return self._taken()

    def _tell(self, message: JsonObject) -> None:
        if "progress" not in message:  # which would be late
            self._told.append(message)

    def _taken(self) -> str:
        told, self._told = self._told, []
        return to_json(told)


class WorkerHandle(Protocol):
    """A `RemoteWorker`, wherever it is."""

    open: RemoteMethod
    do: RemoteMethod


class HiredActor:
    """An actor, and what it was asked: `opening` until it is ready, then some pieces, in their order."""

    def __init__(self, opening: str) -> None:
        import ray

        maker = ray.remote(RemoteWorker).options(num_cpus=1, max_restarts=0)
        self.handle = cast("WorkerHandle", maker.remote())
        self.opening = self.handle.open.remote(opening)
        self.owed: deque[tuple[ObjectRef, OwedPiece]] = deque()
        self.ready = False

    @property
    def asked(self) -> ObjectRef | None:
        """What it answers next; None where it was asked nothing."""
        if not self.ready:
            return self.opening
        return self.owed[0][0] if self.owed else None

    def order(self, piece: OwedPiece) -> None:
        self.owed.append((self.handle.do.remote(piece.number, to_json(piece.order)), piece))


class ClusterWorkforce:
    """So many actors on a cluster that this process is joined to. Who does not take all that comes of some
    orders ends them: they are not asked again.
    """

    def __init__(self, work: PieceWork, count: int) -> None:
        self.count = count
        self._note = work.lab.job.note
        self._opening = to_json(work.opening(count))
        self._actors = [HiredActor(self._opening) for _number in range(count)]
        self._unopened = 0  # actors that were lost before they were ready, one after the other

    def do(
        self, orders: Iterable[JsonObject], listener: Listener = SILENT, first: int = 0
    ) -> Iterator[DoneWork]:
        left = (OwedPiece(number, order) for number, order in enumerate(orders, first))
        again: deque[OwedPiece] = deque()
        while True:
            for actor in self._actors * AHEAD:
                if actor.ready and len(actor.owed) < AHEAD:
                    self._order(actor, again, left)
            if not any(actor.owed for actor in self._actors) and not self._more(again, left):
                return
            for actor in self._answering():
                yield from self._heard(actor, listener, again)

    def _more(self, again: deque[OwedPiece], left: Iterator[OwedPiece]) -> bool:
        """Whether there is a piece for nobody yet: it waits until somebody is ready."""
        piece = again.popleft() if again else next(left, None)
        if piece is not None:
            again.appendleft(piece)
        return piece is not None

    def _answering(self) -> list[HiredActor]:
        """Who has an answer; it waits for one, and sees Ctrl-C meanwhile."""
        import ray

        asked = {actor.asked: actor for actor in self._actors if actor.asked is not None}
        while True:
            answered, _others = ray.wait(list(asked), num_returns=1, timeout=LOOK)
            if answered:
                return [asked[ref] for ref in answered]

    def _heard(self, actor: HiredActor, listener: Listener, again: deque[OwedPiece]) -> Iterator[DoneWork]:
        """Takes an answer: the piece that has ended by it, if one has."""
        import ray

        try:
            told: list[WorkerLine] = json.loads(ray.get(actor.asked))
        except ray.exceptions.RayError as error:
            yield from self._lost(actor, again, str(error).strip().splitlines()[0])
            return
        piece = actor.owed.popleft()[1] if actor.ready else None
        actor.ready, self._unopened = True, 0
        for said in told:
            if "note" in said:
                self._note(said["note"])
            elif "part" in said and piece is not None:
                listener.part(piece.number, said["part"])
            elif piece is None:
                raise error_heard(said["error"], said.get("reached"))
            elif "fault" in said:
                yield from self._tried(piece, again, MOST_FAULTS, said["fault"])
            elif "error" in said:
                yield DoneWork(piece.number, None, error_heard(said["error"], said.get("reached")))
            else:
                yield DoneWork(piece.number, said["answer"])

    def _lost(self, actor: HiredActor, again: deque[OwedPiece], why: str) -> Iterator[DoneWork]:
        """Looks for another in the place of an actor that is lost; what that had to do is done again. The
        loss is told also where it had nothing to do yet: its machine is gone.
        """
        self._note(_("a machine, or a process of it, was lost; what it did is done again"))
        self._actors.remove(actor)
        self._unopened += 1
        if self._unopened > MOST_LOST * self.count:
            raise BadInput(message("no machine of the cluster can do this: {how}", how=why))
        self._actors.append(HiredActor(self._opening))
        pieces = [piece for _ref, piece in actor.owed]
        again.extend(pieces[1:])
        if pieces:
            yield from self._tried(pieces[0], again, MOST_LOST, why)

    def _tried(self, piece: OwedPiece, again: deque[OwedPiece], most: int, why: str) -> Iterator[DoneWork]:
        """Has a piece done again, unless it was tried often enough."""
        piece.tries += 1
        if piece.tries < most:
            again.append(piece)
            return
        said = _("this was tried {n} times, and never ended well: {how}", n=most, how=why)
        yield DoneWork(piece.number, None, BadInput(said))

    def _order(self, actor: HiredActor, again: deque[OwedPiece], left: Iterator[OwedPiece]) -> None:
        piece = again.popleft() if again else next(left, None)
        if piece is not None:
            actor.order(piece)

    def end(self) -> None:
        import ray

        for actor in self._actors:
            with contextlib.suppress(ray.exceptions.RayError, ValueError):
                ray.kill(actor.handle)
