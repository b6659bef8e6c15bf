"""The moves of a root, searched one after the other; or by several threads, with the same answer and the
same counts.

The first moves are searched by one thread: they say what the mover is sure of (`alpha`), without which
the others would be searched in vain (*young brothers wait*: R. Feldmann, B. Monien, P. Mysliwietz and O.
Vornberger, "Distributed game tree search", ICCA Journal 12 (1989) [Feldmann89]). Then threads take the
others in their order, each with the alpha that holds when it begins. Where alpha has risen before the
turn of a move comes, what was found of it is dropped, and the move searched again: what counts is what one
thread would have done. Each thread counts for itself; what it counted is added when the turn of its move
comes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from types import TracebackType
from typing import Generic, TypeAlias, TypeVar

from damier.core.cores import ALONE
from damier.core.interruptible import STACK
from damier.core.rules import State
from damier.search.counting import BUDGET
from damier.search.running import ENDLESS, Run

Value = TypeVar("Value")

Ask: TypeAlias = Callable[[State, float], Value]
"""ask(child, alpha): what a position after a move is worth, to a mover who is sure of `alpha`."""

Searcher: TypeAlias = Callable[[Run, int], Ask[Value]]
"""searcher(run, thread): how a run asks; the thread that was there before is 0."""


@dataclass
class Tried(Generic[Value]):
    """A move that a thread searches, or has searched, in a run of its own."""

    run: Run
    alpha: float
    value: Value | None = None


class RootMoves(Generic[Value]):
    """The moves of the position at which a run is, to be asked about in their order, within a block.

    shared  whether several threads may search them: not where what is found of one is used for another
    """

    def __init__(self, run: Run, moves: list[int], searcher: Searcher[Value], *, shared: bool = True) -> None:
        self._shared = shared and run.jobs > 1
        self._run, self._moves, self._searcher = run, moves, searcher
        self._ask = searcher(run, 0)
        self._alone = ALONE  # seconds for which one thread still searches alone
        self._threads: list[threading.Thread] = []
        # what the threads share, with `_changed` held
        self._changed = threading.Condition()
        self._alpha = 0.0
        self._waiting: list[int] = []  # numbers of moves, the least first
        self._tried: dict[int, Tried[Value]] = {}  # by number: at work, or done
        self._done: set[int] = set()
        self._closed = False
        self._failures: list[BaseException] = []

    def __enter__(self) -> RootMoves[Value]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._closed = True
            for tried in self._tried.values():
                tried.run.stop()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        self._run.beside.clear()

    def value(self, number: int, alpha: float) -> Value | None:
        """What move number `number` is worth, where the mover is sure of `alpha`; nothing that means
        anything where the run was stopped. Each number is asked for once, from 0 on.
        """
        if not self._threads and self._pays(number):
            self._begin(number, alpha)
        if self._threads:
            return self._taken(number, alpha)
        begun = time.perf_counter()
        with self._run.line.trying(self._moves[number]) as child:
            found = self._ask(child, alpha)
        self._alone -= time.perf_counter() - begun
        return found

    def _pays(self, number: int) -> bool:
        """Whether there is something to share. A run that only so many nodes are left to counts each of them
        as it comes.
        """
        run = self._run
        unbounded = run.jit and run.count[BUDGET] >= ENDLESS
        return unbounded and self._shared and self._alone <= 0 and 0 < number < len(self._moves) - 1

    def _begin(self, number: int, alpha: float) -> None:
        self._alpha = alpha
        self._waiting = list(range(number, len(self._moves)))
        heapify(self._waiting)
        threads = min(self._run.jobs, len(self._waiting))
        self._threads = [
            threading.Thread(target=self._search_on, args=(1 + thread,), daemon=True)
            for thread in range(threads)
        ]
        before = threading.stack_size(STACK)
        for thread in self._threads:
            thread.start()
        threading.stack_size(before)

    def _taken(self, number: int, alpha: float) -> Value | None:
        with self._changed:
            self._raise(alpha)
            self._changed.wait_for(lambda: number in self._done or self._failures or self._run.stopped)
            if self._failures:
                raise self._failures[0]
            if self._run.stopped:
                return None
            tried = self._tried.pop(number)
        self._run.add(tried.run)
        return tried.value

    def _raise(self, alpha: float) -> None:
        """From here on `alpha` holds: what was begun with another one is dropped."""
        if alpha == self._alpha:
            return
        self._alpha = alpha
        for number, tried in list(self._tried.items()):
            if number in self._done:
                self._done.discard(number)
                self._wait_again(number)
            else:
                tried.run.stop()
        self._changed.notify_all()

    def _wait_again(self, number: int) -> None:
        self._run.beside.remove(self._tried.pop(number).run)
        heappush(self._waiting, number)

    def _search_on(self, thread: int) -> None:
        """What each thread does."""
        try:
            while (number := self._next()) is not None:
                tried = self._tried[number]
                tried.run.make_room_as_in(self._run)
                ask = self._searcher(tried.run, thread)
                with tried.run.line.trying(self._moves[number]) as child:
                    tried.value = ask(child, tried.alpha)
                self._put(number, tried)
        except BaseException as error:  # told in the thread that waits
            with self._changed:
                self._failures.append(error)
                self._changed.notify_all()

    def _next(self) -> int | None:
        """The next move to search; None where there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed or self._run.stopped)
            if self._closed or self._run.stopped:
                self._changed.notify_all()
                return None
            number = heappop(self._waiting)
            self._tried[number] = Tried(self._run.beginning_beside(), self._alpha)
            return number

    def _put(self, number: int, tried: Tried[Value]) -> None:
        with self._changed:
            if tried.alpha != self._alpha:
                self._wait_again(number)
            else:
                self._done.add(number)
            self._changed.notify_all()


def values_of_moves(run: Run, moves: list[int], searcher: Searcher[Value]) -> Iterator[tuple[int, Value]]:
    """Moves with what they are worth, where no move says anything of another; up to where the run was
    stopped.
    """
    with RootMoves(run, moves, searcher) as asked:
        for number, move in enumerate(moves):
            value = asked.value(number, 0.0)
            if value is None or run.stopped:
                return
            yield move, value
