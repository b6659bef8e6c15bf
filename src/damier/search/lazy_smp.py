"""Several threads in one selective search (*lazy SMP*): they share the transposition table and nothing else.

Each goes its own way from depth to depth, every other one a ply ahead; what one has found out spares the
others a search, and has them try other moves first. When the time is over the answer is that of the thread
which came deepest, of equals that of the first. Which entries a thread meets is chance, so that two such
searches need not agree: only the clock, which never promised that, may have one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from damier.core.cores import ALONE
from damier.core.patience import STACK, let_go
from damier.search.counting import BUDGET, STOPPED
from damier.search.lookahead import LookAhead
from damier.search.running import DEPTH, ENDLESS, Run

Result = TypeVar("Result")

SearchOne: TypeAlias = Callable[[Run, int], "HelperLine | None"]
"""search(run, plies): one depth; nothing where the run was stopped."""


@dataclass(frozen=True)
class HelperLine:
    """What a thread found at the deepest depth to whose end it came. `settled`: nothing that a deeper search
    would find is better.
    """

    plies: int
    value: int
    pv: tuple[int, ...]
    settled: bool


class Helpers:
    """The other threads of a search. They begin once one alone has taken ALONE seconds.

    make  how a thread of its own searches one depth
    """

    def __init__(self, search: LookAhead, make: Callable[[], SearchOne]) -> None:
        self._search, self._make = search, make
        limit = search.limit
        self._jobs = search.job.jobs if limit.seconds is not None and limit.nodes is None else 1
        self._deepest = limit.plies or DEPTH
        self._begun = time.perf_counter()
        self._run: Run | None = None
        self._runs: list[Run] = []
        self._threads: list[threading.Thread] = []
        self._at_work: set[int] = set()  # threads that Ctrl-C may leave behind
        self._lines: list[HelperLine] = []
        self._failures: list[BaseException] = []
        self._plies = 0  # the depth of the first thread
        self._ended = False

    def join(self, run: Run, plies: int) -> None:
        """Hears that the first thread begins a depth; nobody helps with a run that only prepares engines."""
        if run is not self._search.run:
            return
        self._plies = plies
        if self._failures:
            raise self._failures[0]
        if self._threads or not run.jit or self._jobs == 1 or time.perf_counter() - self._begun < ALONE:
            return
        self._run = run
        self._runs = [run.beginning_beside() for _helper in range(self._jobs - 1)]
        self._threads = [
            threading.Thread(target=self._work, args=(number, own), daemon=True)
            for number, own in enumerate(self._runs)
        ]
        before = threading.stack_size(STACK)
        for thread in self._threads:
            thread.start()
        threading.stack_size(before)

    def around(self, work: Callable[[], Result]) -> tuple[Result, HelperLine | None]:
        """What the first thread finds, and the line of the helper who came deepest. What they counted is
        added to the search.
        """
        try:
            found = work()
        except BaseException:
            self._end(leave=True)
            raise
        self._end(leave=self._search.interrupted)
        return found, max(self._lines, key=lambda line: line.plies, default=None)

    def _end(self, *, leave: bool) -> None:
        """Ends the threads. Those that compile something are left behind where nobody is to wait: what they
        have counted, nobody knows then.
        """
        self._ended = True
        for run in self._runs:
            run.stop()
        if leave and let_go(self._at_work):
            self._search.explored = None
            return
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
        if self._run is not None:
            self._search.nodes += sum(run.nodes for run in self._runs)
            whole = all(self._run.add_positions(run, self._search.job.memory) for run in self._runs)
            self._search.explored = self._run.explored if whole else None

    def _work(self, number: int, run: Run) -> None:
        """What a helper does."""
        me = threading.get_ident()
        self._at_work.add(me)
        try:
            run.make_room_as_in(self._run or run)
            search, plies = self._make(), 0
            while not self._ended:
                plies = max(plies + 1, self._plies + (number + 1) % 2)
                line = search(run, plies) if plies <= self._deepest else None
                if line is not None:
                    self._lines.append(line)
                    if line.settled:
                        return
                elif not self._goes_on(run):
                    return
                else:
                    plies -= 1
        except BaseException as error:  # told in the thread that waits
            self._failures.append(error)
        finally:
            self._at_work.discard(me)

    def _goes_on(self, run: Run) -> bool:
        """Whether a run was stopped only because its set of positions was full, and has a larger one now."""
        if not run.crowded or not run.make_room(self._search.job.memory):
            return False
        run.count[STOPPED], run.count[BUDGET] = 0, ENDLESS
        if self._ended or (self._run is not None and self._run.stopped):
            run.stop()
        return True
