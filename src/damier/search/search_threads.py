"""The threads of one exact search: each asks the engine the same question, over one table and one board of
marks (`sharing`), until one of them knows the answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from damier.core.arrays import Ints, ints
from damier.core.game import Game
from damier.core.patience import STACK
from damier.search import sharing
from damier.search.counting import BUDGET, COUNTS, DEPTH_CUTOFFS, FULL, NODES, STOPPED, WORKER, Counts, Seen
from damier.search.move_order import stack_words
from damier.search.running import DEPTH, Run

LOOK = 0.02
"""Seconds between two looks at whether the run was stopped."""
APART = 16
"""Words between the counts of two threads, which each writes at every node: more than a line of the cache."""

Ask = Callable[[Counts, Ints, Seen], int]
"""The question, as one thread asks it: with its counts, its stack of moves, and the board of all."""


def workers_for(game: Game, jit: bool, jobs: int) -> int:
    """How many threads may search a position of a game: one in plain Python, and where the past matters
    (which is kept once).
    """
    alone = not jit or "with_past" in game.given
    return 1 if alone else min(jobs, sharing.WORKERS)


class SearchThreads:
    """The threads that search for a `Run`, each with counts and a stack of its own."""

    def __init__(self, game: Game, workers: int, run: Run) -> None:
        self._run, self._board, self._compiled = run, sharing.board(), False
        self._counts = [ints(COUNTS + APART, True) for _worker in range(workers)]
        self._stacks = [ints(stack_words(game, DEPTH), True) for _worker in range(workers)]
        for worker, count in enumerate(self._counts):
            count[WORKER] = worker

    def ask(self, question: Ask) -> int:
        """The answer that comes first; nothing where the run was stopped. What was counted is added up in
        the counts of the run. Raises what the question raises.
        """
        answers: list[int] = []
        failures: list[BaseException] = []
        ended = threading.Event()
        share = (self._run.count[BUDGET] - self._run.nodes) // len(self._counts)

        def work(worker: int) -> None:
            try:
                self._ask_on(worker, question, share, ended, answers)
            except BaseException as error:  # told in the thread that waits
                failures.append(error)
            finally:
                ended.set()

        self._board[:] = 0
        if not self._compiled:  # by one thread: the compiler does not like two
            self._counts[0][BUDGET] = 0
            question(self._counts[0], self._stacks[0], self._board)
            self._compiled = True
        threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(len(self._counts))]
        before = threading.stack_size(STACK)
        for thread in threads:
            thread.start()
        threading.stack_size(before)
        while not ended.wait(LOOK) and not self._run.stopped:
            pass
        ended.set()
        for count, thread in zip(self._counts, threads, strict=True):
            count[BUDGET] = 0
            thread.join()
        self._add_up(bool(answers))
        if failures:
            raise failures[0]
        return answers[0] if answers else 0

    def _ask_on(
        self, worker: int, question: Ask, budget: int, ended: threading.Event, answers: list[int]
    ) -> None:
        """Asks as one of the threads; called away, it asks again."""
        count, stack = self._counts[worker], self._stacks[worker]
        count[NODES], count[DEPTH_CUTOFFS], count[FULL] = 0, 0, 0
        while not ended.is_set() and count[NODES] < budget:
            self._board[worker], count[STOPPED], count[BUDGET] = 0, 0, budget
            if ended.is_set():  # who ended it may have taken the budget away before it was given
                return
            found = question(count, stack, self._board)
            if count[FULL] or count[DEPTH_CUTOFFS]:
                return
            if not count[STOPPED]:
                answers.append(found)
                return

    def _add_up(self, answered: bool) -> None:
        count = self._run.count
        for kind in (NODES, DEPTH_CUTOFFS, FULL):
            count[kind] += sum(int(each[kind]) for each in self._counts)
        if not answered:
            count[STOPPED] = 1
