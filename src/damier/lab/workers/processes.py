"""Several processes of this machine that do pieces of work: each is started once and keeps what it has
made, its agents and what they have worked out.

A process that dies, of a signal or of want of memory, is replaced, and what it had to do is done again;
who dies twice of the same piece is not asked a third time.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, NotRequired, TypedDict

from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.runtime import python
from damier.core.words import _
from damier.lab.workers.work import SILENT, DoneWork, Listener, PieceWork, error_heard

AHEAD = 2
"""Pieces that a process has at a time: it need not wait for the next one."""
MOST_TRIES = 2
"""How often a piece is begun that ends the process which does it."""
FAREWELL = 1.0
"""Seconds that processes have to end by themselves."""


class WorkerLine(TypedDict):
    """A line that a process writes: see worker.py."""

    id: NotRequired[int | None]
    part: NotRequired[JsonValue]
    progress: NotRequired[tuple[int, int | None, str]]
    answer: NotRequired[JsonValue]
    error: NotRequired[str]
    reached: NotRequired[JsonObject]
    fault: NotRequired[str]
    note: NotRequired[str]


@dataclass
class OwedPiece:
    """A piece that was ordered, and how often it has ended a process."""

    number: int
    order: JsonObject
    tries: int = 0


class WorkingProcess:
    """One process. Its lines go to a queue that all share; None where it has ended.

    owed   the pieces that it has, the one that it is at first
    fault  the last that it said, where it ended by itself
    """

    def __init__(self, opening: str, lines: queue.Queue[tuple[WorkingProcess, bytes | None]]) -> None:
        self.owed: deque[OwedPiece] = deque()
        self.fault = ""
        self.process = subprocess.Popen(
            python("-m", "damier.lab.workers.worker"),
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

    def end(self, until: float) -> None:
        """Waits until it has ended, and no longer."""
        try:
            self.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @property
    def end_in_words(self) -> str:
        """How it ended."""
        code = self.process.wait()
        if self.fault:
            return self.fault
        if code < 0:
            return _("it was ended by signal {n}", n=-code)
        return _("it ended with the code {code}", code=code)

    def _say(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # that it ended is on its way
            self._orders.write(line.encode() + b"\n")
            self._orders.flush()

    def _listen(self, answers: IO[bytes], lines: queue.Queue[tuple[WorkingProcess, bytes | None]]) -> None:
        for line in answers:
            lines.put((self, line))
        lines.put((self, None))


class WorkProcesses:
    """So many processes that do one kind of work. Who does not take all that comes of some orders ends
    them: they are not asked again.
    """

    def __init__(self, work: PieceWork, count: int) -> None:
        self.count = count
        self._note = work.lab.job.note
        self._opening = to_json(work.opening(count))
        self._lines: queue.Queue[tuple[WorkingProcess, bytes | None]] = queue.Queue()
        self._processes: list[WorkingProcess] = []

    def do(
        self, orders: Iterable[JsonObject], listener: Listener = SILENT, first: int = 0
    ) -> Iterator[DoneWork]:
        left = (OwedPiece(number, order) for number, order in enumerate(orders, first))
        again: deque[OwedPiece] = deque()
        self._processes += [self._started() for _number in range(self.count - len(self._processes))]
        for process in self._processes * AHEAD:
            self._order(process, again, left)
        while any(process.owed for process in self._processes):
            process, line = self._lines.get()
            if line is None:
                done = self._died(process, again)
            else:
                done = self._heard(process, json.loads(line), listener)
            for other in self._processes * AHEAD:
                if len(other.owed) < AHEAD:
                    self._order(other, again, left)
            if done is not None:
                yield done

    def _heard(self, process: WorkingProcess, said: WorkerLine, listener: Listener) -> DoneWork | None:
        """Takes a line; the piece that has ended by it, if one has."""
        number = said.get("id")
        if "note" in said:
            self._note(said["note"])
        elif "fault" in said:
            process.fault = said["fault"]
        elif number is None:
            raise error_heard(said["error"], said.get("reached"))
        elif "part" in said:
            listener.part(number, said["part"])
        elif "progress" in said:
            listener.progress(number, *said["progress"])
        else:
            process.owed.popleft()
            if "error" in said:
                return DoneWork(number, None, error_heard(said["error"], said.get("reached")))
            return DoneWork(number, said["answer"])
        return None

    def _died(self, process: WorkingProcess, again: deque[OwedPiece]) -> DoneWork | None:
        """Replaces a process that has ended, if it had anything to do: that is done again, but a piece
        that has ended too many.
        """
        process.leave()
        self._processes.remove(process)
        if not process.owed:
            return None
        self._processes.append(self._started())
        process.owed[0].tries += 1
        lost = process.owed.popleft() if process.owed[0].tries == MOST_TRIES else None
        again.extend(process.owed)
        if lost is None:
            return None
        sentence = _(
            "a process that did this ended, and so did the one that did it again: {how}",
            how=process.end_in_words,
        )
        return DoneWork(lost.number, None, BadInput(sentence))

    def _order(self, process: WorkingProcess, again: deque[OwedPiece], left: Iterator[OwedPiece]) -> None:
        piece = again.popleft() if again else next(left, None)
        if piece is not None:
            process.order(piece)

    def _started(self) -> WorkingProcess:
        return WorkingProcess(self._opening, self._lines)

    def end(self) -> None:
        for process in self._processes:
            process.leave()
        until = time.monotonic() + FAREWELL
        for process in self._processes:
            process.end(until)
