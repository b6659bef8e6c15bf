"""The exact score of one position, value and distance, of a game too large to enumerate: questions
with null windows, until one score is left.

First the sign: is it a win, is it a draw? Then the distance, from the nearest on: is it won within 3
plies, 5, 8, 12? So an answer that has to stop early says what matters most. Of the ways to ask that were
tried this one took the fewest nodes: bisection took 3 % more (Connect Four, 100 positions of ply 14) to 20 %
more (of ply 6).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from damier.core.analysis import ACYCLIC, NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.arrays import IntArray, Ints, ints
from damier.core.compile import instantiate
from damier.core.errors import BadGame, LimitReached
from damier.core.game import Game
from damier.core.interruptible import STACK, TimeIsUp, patiently, until
from damier.core.job import Job
from damier.core.past import WITHOUT_PAST
from damier.core.rules import TOP, State, sooner
from damier.core.tiers import Allowance, Outgrown, run_tiered, tier
from damier.core.words import _, message
from damier.search import bounds_table, exact_engine
from damier.search.exact_engine import SHARED, payoffs_of, scores_of
from damier.search.lookahead import BOTH
from damier.search.proof_store import Bounds, Proofs, keep, recall
from damier.search.running import (
    BUDGET,
    COUNTS,
    DEPTH,
    DEPTH_CUTOFFS,
    FULL,
    NODES,
    STOPPED,
    UNMARKED,
    WORKER,
    Counts,
    Run,
    Seen,
)
from damier.search.transposition import DepthTable, stack_words, value_of

NEEDS = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM, ACYCLIC)

FIRST_SLOTS, GROWTH = 1 << 18, 4
CHUNK = 1 << 25
"""Nodes between two signs of life, where the table has its full size."""


@dataclass
class Exact:
    """Proofs about a position and of what each of its moves leads to, all for player 0, as
    far as the search came.

    units     whether scores are payoffs, without distances
    nodes     positions looked at, each as often as it was reached
    stopped   the limit of time ended it; interrupted: Ctrl-C did
    recalled  how many of the scores were known before
    """

    game: Game
    state: State
    bounds: Bounds = field(default_factory=Bounds)
    children: dict[int, Bounds] = field(default_factory=dict)
    nodes: int = 0
    seconds: float = 0.0
    stopped: bool = False
    interrupted: bool = False
    units: bool = False
    recalled: int = 0

    @property
    def complete(self) -> bool:
        return self.bounds.exact and all(bounds.exact for bounds in self.children.values())


class Prover:
    """The engine over one table: plain with the budget of nodes that plain Python gets, or
    compiled; compiled, by as many threads as `jobs` says and the game allows (`workers_for`). Of one
    thread the same questions take the same nodes; of several they may not, and answers may be other bounds,
    as true. `alone`: whether positions are taken by themselves where a game asks what was before.
    """

    def __init__(
        self,
        game: Game,
        jit: bool,
        slots: int,
        units: bool = False,
        jobs: int = 1,
        *,
        alone: bool = False,
    ) -> None:
        self.game, self.run = game, Run(game, jit, marking=False)
        self.table = bounds_table.empty(game, jit, slots)
        workers = workers_for(game, jit, jobs)
        self._threads = SearchThreads(game, workers, self.run) if workers > 1 else None
        bound = (payoffs_of(game) if units else scores_of(game)) | (WITHOUT_PAST if alone else {})
        self._engine = instantiate(value_of, game, jit=jit, bind=bound | (SHARED if self._threads else {}))
        self._stack = ints(stack_words(game, DEPTH), jit)
        self.units, self.slots = units, slots

    def ask(self, s: State, asked: int) -> int:
        """A bound of the score of `s` for player 0: a lower one if it is at least `asked`, else an
        upper one; nothing where the run was stopped.
        """
        table = cast("DepthTable", self.table)  # whose readers `scores_of` binds

        def question(count: Counts, stack: Ints, seen: Seen) -> int:
            past = self.run.line.past
            return int(
                self._engine(
                    self.game.fields(s), DEPTH, asked - 1, asked, BOTH, (), count, seen, table, stack, past
                )
            )

        if self._threads:
            found = self._threads.ask(question)
        else:
            found = question(self.run.count, self._stack, UNMARKED)
        if self.run.count[DEPTH_CUTOFFS]:
            raise BadGame(
                message(
                    "{game}: payoffs that are not 1, 0 or -1; exact search knows wins, draws and losses",
                    game=self.game.text,
                )
                if not self.units
                else message(
                    "{game}: payoffs beyond {most}, the largest of an exact search",
                    game=self.game.text,
                    most=TOP,
                )
            )
        if self.run.count[FULL]:
            raise LimitReached(
                message(
                    "{game} can go on for more than {n} plies, which is too long for an exact search",
                    game=self.game.text,
                    n=DEPTH,
                )
            )
        return found

    def narrow(self, s: State, bounds: Bounds, guess: int = 1) -> None:
        """Asks until the score is known, or the run is stopped; of payoffs from a `guess` on."""
        while not bounds.exact:
            asked = bounds.nearest_question(guess) if self.units else bounds.question()
            found = self.ask(s, asked)
            if self.run.stopped:
                return
            bounds.answered(asked, found)

    def grow(self, slots: int) -> None:
        """Moves what is known to a larger table."""
        larger = bounds_table.empty(self.game, True, slots)
        self._move_over(self.table, larger)
        self.table, self.slots = larger, slots

    def take_in(self, slots: Ints) -> None:
        """Enters the slots of another compiled table of the game."""
        self._move_over(slots, self.table)

    def _move_over(self, slots: Ints, table: Ints) -> None:
        move = instantiate(bounds_table.move_over, self.game, jit=True, bind=bounds_table.slots_of(self.game))
        patiently(lambda: move(slots, table))

    def dear(self, nodes: int) -> IntArray:
        """[slots, words] The slots of a compiled table whose proofs took so many nodes, about, or more."""
        return bounds_table.dear(
            self.table, nodes, bounds_table.words_of_slot(self.game, self.game.key_words)
        )


def exact(
    game: Game,
    s: State,
    job: Job | None = None,
    seconds: float | None = None,
    *,
    moves: bool = True,
    units: bool = False,
    known: Proofs | None = None,
    in_words: Callable[[Exact], str] | None = None,
) -> Exact:
    """Proves the score of `s` and, with `moves`, of what each of its moves leads to, unless it is `known`,
    and notes there what is proven; stopped by the clock or by Ctrl-C, it tells the bounds so far. With
    `units` scores are payoffs, whole numbers.

    The table grows within the memory budget of the job; beyond, it forgets. `job.jobs` threads share it,
    where the game allows (`workers_for`): value, distance and the exact scores of all
    moves do not depend on how many, the nodes do, and so do the bounds of a search that was stopped. Signs
    of life say what is proven so far, `in_words`. Raises Unsuitable for a game of another kind.
    """
    require(game, _("exact search"), *NEEDS)
    job, begun = job or Job(), time.perf_counter()
    told = in_words or _nodes
    deadline = None if seconds is None else begun + seconds
    found = Exact(game, s, children={move: Bounds() for move in game.legal(s)} if moves else {}, units=units)
    if known is not None:
        found.recalled = recall(known, game, s, found.bounds, found.children, units=units)
        if found.complete:
            found.seconds = time.perf_counter() - begun
            return found
    try:
        with until(deadline):
            run_tiered(
                tier(
                    game,
                    ("exact", units, job.jobs > 1, False),
                    lambda: prepare_exact(game, s, units, job.jobs),
                ),
                job,
                lambda allowance: _attempt(found, job, deadline, False, allowance, told),
                lambda: _attempt(found, job, deadline, True, Allowance(), told),
            )
    except (KeyboardInterrupt, TimeIsUp) as end:  # on the way to compiled code
        found.stopped, found.interrupted = True, isinstance(end, KeyboardInterrupt)
    found.seconds = time.perf_counter() - begun
    if known is not None:
        keep(known, game, s, found.bounds, found.children, found.nodes, units=units)
    return found


def prepare_exact(game: Game, s: State, units: bool, jobs: int = 1, *, alone: bool = False) -> None:
    """Compiles the engines."""
    slots = bounds_table.slots_within(game, 0)
    prover = Prover(game, True, slots, units, jobs, alone=alone)
    prover.run.begin(0)
    prover.narrow(s, Bounds())
    prover.grow(slots)


def _nodes(found: Exact) -> str:
    """Return what is counted."""
    return _("nodes")


def _attempt(
    found: Exact,
    job: Job,
    deadline: float | None,
    jit: bool,
    allowance: Allowance,
    in_words: Callable[[Exact], str],
) -> None:
    """Goes on with what is not proven yet. Raises Outgrown where plain Python has come as far as it
    may.
    """
    most = bounds_table.slots_within(found.game, job.memory)
    slots = min(FIRST_SLOTS, most)
    prover = Prover(found.game, jit, slots, found.units, job.jobs)
    while True:
        prover.run.begin(_budget(jit, slots, most, allowance))
        with allowance.watched(prover.run.stop):
            prover.run.watched(
                lambda: prove_all(found.game, found.state, found.bounds, found.children, prover), deadline
            )
        found.nodes += prover.run.nodes
        found.interrupted = prover.run.interrupted
        found.stopped = prover.run.stopped and (
            found.interrupted or (deadline is not None and time.perf_counter() >= deadline)
        )
        if found.stopped or not prover.run.stopped:
            return
        if not jit:
            raise Outgrown
        job.progress(found.nodes, None, in_words(found))
        if jit and slots < most:
            slots = min(most, slots * GROWTH)
            try:
                with until(deadline):
                    prover.grow(slots)
            except (KeyboardInterrupt, TimeIsUp) as end:
                found.stopped, found.interrupted = True, isinstance(end, KeyboardInterrupt)
                return


def _budget(jit: bool, slots: int, most: int, allowance: Allowance) -> int:
    """Nodes until the table is to grow, something is to be told, or plain Python is to be left."""
    if not jit:
        return allowance.positions
    return 2 * slots if slots < most else CHUNK


def prove_all(game: Game, s: State, best: Bounds, children: dict[int, Bounds], prover: Prover) -> None:
    """Ask for the score of a position (`best`) first, then for what each of its moves leads to, which can
    be no better than the best of them; until all is known, or the run is stopped.
    """
    prover.narrow(s, best)
    for move, bounds in children.items():
        if prover.run.stopped:
            return
        if game.mover(s) == 0:
            bounds.high = min(bounds.high, best.high if prover.units else sooner(best.high))
        else:
            bounds.low = max(bounds.low, best.low if prover.units else sooner(best.low))
        prover.narrow(game.play(s, move), bounds)


# The threads of one exact search: each asks the engine the same question, over one table and one board of
# marks (`sharing`), until one of them knows the answer.

LOOK = 0.02
"""Seconds between two looks at whether the run was stopped."""
APART = 16
"""Words between the counts of two threads, which each writes at every node: more than a line of the cache."""

Ask = Callable[[Counts, Ints, Seen], int]
"""The question, as one thread asks it: with its counts, its stack of moves, and the board of all."""


def workers_for(game: Game, jit: bool, jobs: int) -> int:
    """Return how many threads may search a position of a game: one in plain Python, and where the past
    matters (which is kept once).
    """
    alone = not jit or "with_past" in game.given
    return 1 if alone else min(jobs, exact_engine.WORKERS)


class SearchThreads:
    """The threads that search for a `Run`, each with counts and a stack of its own."""

    def __init__(self, game: Game, workers: int, run: Run) -> None:
        self._run, self._board, self._compiled = run, exact_engine.board(), False
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
