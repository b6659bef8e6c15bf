"""A process that does pieces of work: orders come as lines of JSON on its standard input, what comes of
them goes back as lines on its standard output.

    {"kind": …, "game": …, "memory": N, "jit": null, "seed": N, "isolated": true,
     "language": "en", "folder": …, "given": {…}}             the first line, a WorkOpening
    {"id": N, "order": {…}}                                       then a piece a line
    {"id": N, "part": …}  {"id": N, "progress": [done, total, what]}   while it is done
    {"id": N, "answer": …}                                        it is done
    {"id": N, "error": …, "reached": {…}}                         it cannot be; without id: none can be
    {"id": N, "fault": …}                                         nobody knows why not
    {"note": …}                                                   for people

It is deaf to Ctrl-C, which its parent hears, and ends when that has gone.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable

from damier.core.errors import DamierError
from damier.core.job import Job, fault_in_words
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject
from damier.core.runtime import next_line_of, serve_parent
from damier.core.words import speak
from damier.lab.games import Lab, load
from damier.lab.workers import Doer, WorkerLine, WorkOpening, error_line, made_doer

PROGRESS_SECONDS = 0.2
"""Between two lines of progress."""


class OpenedWorker:
    """A doer; `tell` takes its messages, as they are written above."""

    def __init__(self, opening: str | bytes, tell: Callable[[WorkerLine], None]) -> None:
        self._tell, self._current, self._told_at = tell, 0, 0.0
        self._doer: Doer | None = None
        try:
            self._doer = self._made(json.loads(opening))
        except DamierError as error:
            tell(error_line(error))
        except Exception as error:
            tell({"error": fault_in_words(error)})

    @property
    def is_ready(self) -> bool:
        """True where it can do pieces; why not has been told."""
        return self._doer is not None

    def do(self, number: int, order: JsonObject) -> None:
        """Does a piece, and tells what came of it."""
        assert self._doer is not None
        self._current = number
        try:
            answer = self._doer.do(order, lambda part: self._tell({"id": number, "part": part}))
            self._tell({"id": number, "answer": answer})
        except DamierError as error:
            self._tell({"id": number, **error_line(error)})
        except BrokenPipeError:  # nobody is there any more
            raise
        except Exception as error:  # whoever ordered this reads one line; standard error has the rest
            sys.excepthook(*sys.exc_info())
            self._tell({"id": number, "fault": fault_in_words(error)})

    def _made(self, opening: WorkOpening) -> Doer:
        if os.path.isdir(opening["folder"]):  # another machine may have no such folder
            os.chdir(opening["folder"])
        speak(opening["language"])
        job = Job(opening["memory"], self._progress, opening["jit"], lambda note: self._tell({"note": note}))
        lab = Lab(load(opening["game"]), job, seed=opening["seed"], isolated=opening["isolated"])
        return made_doer(opening["kind"], lab, opening["given"])

    def _progress(self, done: int, total: int | None, what: str) -> None:
        if time.monotonic() - self._told_at >= PROGRESS_SECONDS:
            self._told_at = time.monotonic()
            self._tell({"id": self._current, "progress": (done, total, what)})


def main() -> None:
    """Works until nobody orders any more."""
    orders, answers = serve_parent()
    next_line = next_line_of(orders)

    def tell(line: WorkerLine) -> None:
        answers.write(to_json(line).encode() + b"\n")
        answers.flush()

    try:
        worker = OpenedWorker(next_line(), tell)
        while worker.is_ready:
            order = json.loads(next_line())
            worker.do(order["id"], order["order"])
    except BrokenPipeError:  # nobody is there any more
        os._exit(0)


if __name__ == "__main__":
    main()
