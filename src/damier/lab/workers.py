"""Independent pieces of work as data, and who does them: this process, processes of this machine, or the
machines of a cluster.

A kind of work, what all its pieces share, and an order a piece: everything is JSON, so that a piece can be
done anywhere. What comes of it depends on its order alone, never on who did it, when, or after which others.

A worker is started once and keeps what it has made, its agents and what they have worked out. One that dies,
of a signal or of want of memory, is replaced, and what it had to do is done again; a piece that ends too many
is given up.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from typing import IO, NamedTuple, NotRequired, Protocol, TypeAlias, TypedDict

from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.job import Job, Progress, processes_pay
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.runtime import python
from damier.core.words import _, language, message
from damier.lab.games import Lab
from damier.lab.plugins import PluginRegistry, instance_of, resolved

TellPart: TypeAlias = Callable[[JsonValue], None]
"""Called with a part of what comes of a piece, before it is done."""


class Doer(Protocol):
    """Does pieces of one kind, one after the other."""

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        """Return what comes of a piece. Raises DamierError where it cannot be done."""
        ...


def made_doer(kind: str, lab: Lab, given: JsonObject) -> Doer:
    """Return the doer of a kind of work, `module:class` of damier; a process imports only what its own
    needs.

    Raises BadInput for a kind that is none, DamierError where what all pieces share is wrong.
    """
    made: object = resolved(kind) if kind.startswith("damier.") else None
    if not isinstance(made, type) or not callable(getattr(made, "do", None)):
        raise BadInput(message("{kind} is no kind of work", kind=kind))
    doer: Doer = made(lab, given)
    return doer


class DoneWork(NamedTuple):
    """A piece that has ended: its number among the orders, and what came of it, or why nothing did."""

    number: int
    answer: JsonValue
    error: DamierError | None = None


class Listener:
    """Hears of pieces while they are done; this one keeps nothing of it."""

    def part(self, number: int, data: JsonValue) -> None:
        """A part of what comes of a piece. A piece that is done again tells its parts again."""

    def progress(self, number: int, done: int, total: int | None, what: str) -> None:
        """Takes how far a piece is."""


SILENT = Listener()


class Workforce(Protocol):
    """Anything that does pieces of one kind.

    Attributes:
        count: pieces that are done at the same time
    """

    count: int

    def do(
        self, orders: Iterable[JsonObject], listener: Listener = SILENT, first: int = 0
    ) -> Iterator[DoneWork]:
        """Does all of them, numbered from `first` on, each handed over when it has ended; orders are
        taken as they are needed.

        Raises BadInput or LimitReached where no piece can be done at all.
        """
        ...

    def close(self) -> None:
        """Lets nobody work any more."""
        ...


class WorkOpening(TypedDict):
    """The common part of all pieces: the kind, the game, how it is worked on, and what the kind needs beside
    that; `folder` is where relative paths begin.
    """

    kind: str
    game: str
    memory: int
    jit: bool | None
    seed: int
    isolated: bool
    language: str
    folder: str
    given: JsonObject


@dataclass(frozen=True)
class PieceWork:
    """A kind of work on the game of a lab: the class that does it, a class of damier; `given` is what that
    needs beside.
    """

    doer: Callable[[Lab, JsonObject], Doer]
    lab: Lab
    given: JsonObject

    def opening(self, count: int) -> WorkOpening:
        """Return what each of `count` workers is told first."""
        job = self.lab.job
        return {
            "kind": f"{self.doer.__module__}:{self.doer.__name__}",
            "game": self.lab.game.text,
            "memory": job.memory // count,
            "jit": job.jit,
            "seed": self.lab.seed,
            "isolated": self.lab.isolated,
            "language": language(),
            "folder": os.getcwd(),
            "given": self.given,
        }


def in_order(done: Iterable[DoneWork], first: int = 0) -> Iterator[JsonValue]:
    """Yield what came of all pieces, in the order of their numbers from `first` on.

    Raises the error of the first piece, in this order, that has one.
    """
    early: dict[int, DoneWork] = {}
    following = first
    for piece in done:
        early[piece.number] = piece
        while following in early:
            yield answer_of(early.pop(following))
            following += 1


def answer_of(piece: DoneWork) -> JsonValue:
    """Return what came of a piece. Raises its error."""
    if piece.error is not None:
        raise piece.error
    return piece.answer


# What a worker says, a line of JSON each (`damier.lab.worker`).


class WorkerLine(TypedDict):
    """A line: of the piece `id`, or of all."""

    id: NotRequired[int]
    part: NotRequired[JsonValue]
    progress: NotRequired[tuple[int, int | None, str]]
    answer: NotRequired[JsonValue]
    error: NotRequired[str]
    reached: NotRequired[JsonObject]
    fault: NotRequired[str]
    note: NotRequired[str]


def error_line(error: DamierError) -> WorkerLine:
    """Return an error as data."""
    if isinstance(error, LimitReached):
        return {"error": str(error), "reached": error.reached}
    return {"error": str(error)}


def error_of(line: WorkerLine) -> DamierError:
    """Return the error that a line tells of, with what was reached where it was a limit."""
    if "reached" in line:
        return LimitReached(line["error"], line["reached"])
    return BadInput(line["error"])


# Several workers: each has some pieces ahead, so that it need not wait for the next one.

AHEAD = 2
"""Pieces that a worker has at a time."""
MOST_TRIES = 2
"""How often a piece is begun that ends its process, or with a fault of the program."""


@dataclass
class OwedPiece:
    """A piece that was ordered, and how often it has failed."""

    number: int
    order: JsonObject
    tries: int = 0


class PieceWorker(Protocol):
    """One process, wherever it is, that does pieces one after the other.

    Attributes:
        owed: the pieces that it has, the one that it is at first
        is_ready: whether it may be given some
    """

    owed: deque[OwedPiece]
    is_ready: bool

    def order(self, piece: OwedPiece) -> None:
        """Gives it one piece more."""
        ...


class News(NamedTuple):
    """Lines that a worker has said, or how it ended."""

    worker: PieceWorker
    lines: Sequence[WorkerLine]
    ended: str = ""


class WorkerSource(Protocol):
    """A place where workers are started and heard.

    Attributes:
        most_tries: how often a piece is begun whose worker ends
    """

    most_tries: int

    def start(self, opening: str) -> PieceWorker:
        """Return a worker that makes its doer."""
        ...

    def hear(self, workers: Sequence[PieceWorker]) -> list[News]:
        """Wait for news of some."""
        ...

    def end(self, workers: Sequence[PieceWorker]) -> None: ...


class WorkPool:
    """So many workers that do one kind of work; processes of this machine, unless it is told where else. Who
    does not take all that comes of some orders closes it: it is not asked again.
    """

    def __init__(self, work: PieceWork, count: int, source: WorkerSource | None = None) -> None:
        self.count = count
        self._note = work.lab.job.note
        self._opening = to_json(work.opening(count))
        self._source = source or LocalWorkers()
        self.workers: list[PieceWorker] = []

    def do(
        self, orders: Iterable[JsonObject], listener: Listener = SILENT, first: int = 0
    ) -> Iterator[DoneWork]:
        left = (OwedPiece(number, order) for number, order in enumerate(orders, first))
        again: deque[OwedPiece] = deque()
        self.workers += [
            self._source.start(self._opening) for _number in range(self.count - len(self.workers))
        ]
        while self._share(again, left):
            for worker, lines, ended in self._source.hear(self.workers):
                done = [piece for line in lines for piece in self._heard(worker, line, listener, again)]
                if ended:
                    done += self._replaced(worker, ended, again)
                self._share(again, left)
                yield from done

    def _share(self, again: deque[OwedPiece], left: Iterator[OwedPiece]) -> bool:
        """Gives those who are ready what is to be done; False where nothing is, nor is at work."""
        for worker in self.workers * AHEAD:
            if worker.is_ready and len(worker.owed) < AHEAD:
                self.give_orders(worker, again, left)
        if any(worker.owed for worker in self.workers):
            return True
        piece = again.popleft() if again else next(left, None)
        if piece is not None:  # it waits until somebody is ready
            again.appendleft(piece)
        return piece is not None

    def give_orders(self, worker: PieceWorker, again: deque[OwedPiece], left: Iterator[OwedPiece]) -> None:
        piece = again.popleft() if again else next(left, None)
        if piece is not None:
            worker.order(piece)

    def _heard(
        self, worker: PieceWorker, line: WorkerLine, listener: Listener, again: deque[OwedPiece]
    ) -> list[DoneWork]:
        """Takes a line; the piece that has ended by it, if one has."""
        if "note" in line:
            self._note(line["note"])
        elif "id" not in line:
            raise error_of(line)
        elif "part" in line:
            listener.part(line["id"], line["part"])
        elif "progress" in line:
            listener.progress(line["id"], *line["progress"])
        else:
            piece = worker.owed.popleft()
            if "fault" in line:
                return self._failed(piece, MOST_TRIES, line["fault"], again)
            if "error" in line:
                return [DoneWork(piece.number, None, error_of(line))]
            return [DoneWork(piece.number, line["answer"])]
        return []

    def _replaced(self, worker: PieceWorker, ended: str, again: deque[OwedPiece]) -> list[DoneWork]:
        """Puts another in the place of a worker that has ended; what it had to do is done again."""
        self.workers.remove(worker)
        self.workers.append(self._source.start(self._opening))
        if not worker.owed:
            return []
        given_up = self._failed(worker.owed.popleft(), self._source.most_tries, ended, again)
        again.extend(worker.owed)
        return given_up

    def _failed(self, piece: OwedPiece, most: int, how: str, again: deque[OwedPiece]) -> list[DoneWork]:
        """Has a piece done again, unless it was tried often enough."""
        piece.tries += 1
        if piece.tries < most:
            again.append(piece)
            return []
        sentence = _("this was tried {n} times, and never ended well: {how}", n=most, how=how)
        return [DoneWork(piece.number, None, BadInput(sentence))]

    def close(self) -> None:
        self._source.end(self.workers)


# Workers that are processes of this machine.

FAREWELL = 1.0
"""Seconds that processes have to end by themselves."""


class LocalWorker:
    """A process of this machine. Its lines go to a queue that all share; None where it has ended."""

    is_ready = True

    def __init__(self, opening: str, lines: queue.Queue[tuple[LocalWorker, bytes | None]]) -> None:
        self.owed: deque[OwedPiece] = deque()
        self.process = subprocess.Popen(
            python("-m", "damier.lab.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C at the terminal is for its parent
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._orders = self.process.stdin
        threading.Thread(target=self._listen, args=(self.process.stdout, lines), daemon=True).start()
        self._say(opening)

    def order(self, piece: OwedPiece) -> None:
        self.owed.append(piece)
        self._say(to_json({"id": piece.number, "order": piece.order}))

    def leave(self) -> None:
        """It ends by itself then, and so do the agents that it started."""
        with contextlib.suppress(OSError):
            self._orders.close()

    def end_in_words(self) -> str:
        """Return how it ended."""
        code = self.process.wait()
        if code < 0:
            return _("it was ended by signal {n}", n=-code)
        return _("it ended with the code {code}", code=code)

    def _say(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # that it ended is on its way
            self._orders.write(line.encode() + b"\n")
            self._orders.flush()

    def _listen(self, answers: IO[bytes], lines: queue.Queue[tuple[LocalWorker, bytes | None]]) -> None:
        for line in answers:
            lines.put((self, line))
        lines.put((self, None))


class LocalWorkers:
    """Processes of this machine."""

    most_tries = MOST_TRIES

    def __init__(self) -> None:
        self._lines: queue.Queue[tuple[LocalWorker, bytes | None]] = queue.Queue()

    def start(self, opening: str) -> LocalWorker:
        return LocalWorker(opening, self._lines)

    def hear(self, workers: Sequence[PieceWorker]) -> list[News]:
        worker, line = self._lines.get()
        if line is None:
            worker.leave()
            return [News(worker, (), worker.end_in_words())]
        return [News(worker, [json.loads(line)])]

    def end(self, workers: Sequence[PieceWorker]) -> None:
        local = [worker for worker in workers if isinstance(worker, LocalWorker)]
        for worker in local:
            worker.leave()
        until = time.monotonic() + FAREWELL
        for worker in local:
            try:
                worker.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()


# Who works beside this process; what others need is imported when they are hired.

Hiring: TypeAlias = Callable[[PieceWork], AbstractContextManager[Workforce]]
"""Who else works: workers of this kind, for as long as the block lasts."""


class ClusterKind(NamedTuple):
    """A kind of cluster: where its functions are, `module:name`.

    Attributes:
        hired: the context in which workers are hired at an address, within a job
        solved: solves a game with the memory of all machines
        counted: counts its positions likewise
    """

    hired: str
    solved: str
    counted: str


CLUSTERS = PluginRegistry[ClusterKind]("damier.clusters", {}, instance_of(ClusterKind))
RAY = "ray"
"""The kind of cluster that `--cluster` names an address of."""


def hired(address: str | None, job: Job) -> AbstractContextManager[Hiring | None]:
    """Return the context in which workers of a cluster are hired; none where there is no address.

    Raises BadInput.
    """
    if address is None:
        return contextlib.nullcontext()
    found: AbstractContextManager[Hiring] = resolved(CLUSTERS[RAY].hired)(address, job)
    return found


def workforce(
    work: PieceWork, hire: Hiring | None = None, most: int | None = None
) -> AbstractContextManager[Workforce]:
    """Return who works as long as a block lasts: those who are hired; else as many processes of this machine
    as the job may share its work among, `most` of them at most, or this one where that is one.
    """
    if hire is not None:
        return hire(work)
    jobs = work.lab.job.jobs if most is None else min(work.lab.job.jobs, most)
    return closing(WorkHere(work) if jobs == 1 else WorkPool(work, jobs))


def shared(
    work: PieceWork,
    orders: Sequence[JsonObject],
    listener: Listener = SILENT,
    progress: Progress | None = None,
    hire: Hiring | None = None,
) -> Iterator[DoneWork]:
    """Does all pieces, here at first, and shared with others once what is left is worth it; each is handed
    over when it has ended.

    Args:
        progress: who hears how far a piece of this process is, where that is not the listener
        hire: who works, from the first piece on; None: processes of this machine, once that pays

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
    while done < len(orders) and (alone or not processes_pay(longest * (len(orders) - done))):
        began = time.perf_counter()
        yield from here.do(orders[done : done + 1], listener, done)
        done, longest = done + 1, max(longest, time.perf_counter() - began)
    if done < len(orders):
        with workforce(work) as workers:
            yield from workers.do(orders[done:], listener, done)


class WorkHere:
    """The doer of this process; it shares what the lab has worked out.

    Attributes:
        progress: who hears how far a piece is; the listener, where that is None
    """

    count = 1

    def __init__(self, work: PieceWork, progress: Progress | None = None, jobs: int = 1) -> None:
        """Raises DamierError where what all pieces share is wrong."""
        self._listener, self._number = SILENT, 0
        lab = replace(work.lab, job=replace(work.lab.job, progress=progress or self._progress, jobs=jobs))
        lab.known = work.lab.known
        self._doer = work.doer(lab, work.given)

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

    def close(self) -> None:
        return None
