"""A process that does pieces of work: orders come as lines of JSON on its standard input, what comes of
them goes back as lines on its standard output.

    {"kind": …, "game": …, "memory": N, "jit": null, "seed": N, "isolated": true,
     "language": "en", "folder": …, "given": {…}}             the first line, a WorkOpening
    {"id": N, "order": {…}}                                       then a piece a line
    {"id": N, "part": …}  {"id": N, "progress": [done, total, what]}   while it is done
    {"id": N, "answer": …}                                        it is done
    {"id": N, "error": …, "reached": {…}}                         it cannot be; without id: none can be
    {"id": N, "fault": …}                                         nobody knows why not; the process ends
    {"note": …}                                                   for people

It is deaf to Ctrl-C, which its parent hears, and ends when that has gone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import IO, TypedDict

from damier.core.errors import DamierError
from damier.core.interruptible import words_of
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, speak
from damier.lab.workers.work import KINDS, Doer, WorkOpening, error_said, opened_lab

TELL_SECONDS = 0.2
"""Between two lines of progress."""


class WorkOrder(TypedDict):
    """A piece of work."""

    id: int
    order: JsonObject


class OpenedWorker:
    """A doer, and where what it tells goes; `tell` takes messages as they are written above.

    Raises DamierError where what all pieces share is wrong.
    """

    def __init__(self, opening: WorkOpening, tell: Callable[[JsonObject], None]) -> None:
        self._tell, self._current, self._told_at = tell, 0, 0.0
        if os.path.isdir(opening["folder"]):  # another machine may have no such folder
            os.chdir(opening["folder"])
        speak(opening["language"])
        lab = opened_lab(opening, self._progress, lambda note: tell({"note": note}))
        self._doer: Doer = KINDS[opening["kind"]](lab, opening["given"])

    def do(self, number: int, order: JsonObject) -> None:
        """Does a piece, and tells what came of it."""
        self._current = number
        try:
            answer = self._doer.do(order, lambda part: self._tell({"id": number, "part": part}))
        except DamierError as error:
            self._tell({"id": number, **error_said(error)})
            return
        self._tell({"id": number, "answer": answer})

    def _progress(self, done: int, total: int | None, what: str) -> None:
        if time.monotonic() - self._told_at >= TELL_SECONDS:
            self._told_at = time.monotonic()
            self._tell({"id": self._current, "progress": [done, total, what]})


class OrderLines:
    """The lines that arrive. Where none can come any more this process ends, whatever it is at."""

    def __init__(self, source: IO[bytes]) -> None:
        self._lines: deque[bytes] = deque()
        self._arrived = threading.Semaphore(0)
        threading.Thread(target=self._listen, args=(source,), daemon=True).start()

    def next(self) -> bytes:
        self._arrived.acquire()
        return self._lines.popleft()

    def _listen(self, source: IO[bytes]) -> None:
        for line in source:
            self._lines.append(line)
            self._arrived.release()
        os._exit(0)


def streams() -> tuple[IO[bytes], IO[bytes]]:
    """Where orders come from and answers go to. What agents print goes to standard error, and they
    have nothing to read.
    """
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return orders, answers


def fault_in_words(error: BaseException) -> str:
    """What no piece of work should end with, in a line."""
    return _(
        "a fault of the game, or of damier itself: {kind}: {error}",
        kind=type(error).__name__,
        error=words_of(error),
    )


def main() -> None:
    """Works until nobody orders any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders, answers = streams()
    lines = OrderLines(orders)
    current: JsonValue = None

    def tell(message: JsonObject) -> None:
        answers.write(to_json(message).encode() + b"\n")
        answers.flush()

    try:
        opening: WorkOpening = json.loads(lines.next())
        worker = OpenedWorker(opening, tell)
        while True:
            order: WorkOrder = json.loads(lines.next())
            current = order["id"]
            worker.do(order["id"], order["order"])
    except BrokenPipeError:  # nobody is there any more
        os._exit(0)
    except DamierError as error:
        tell(error_said(error))
    except BaseException as error:  # whoever started this reads one line; standard error has the rest
        sys.excepthook(*sys.exc_info())
        tell({"id": current, "fault": fault_in_words(error)})


if __name__ == "__main__":
    main()
