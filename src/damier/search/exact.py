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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Self, cast

from damier.core.analysis import ACYCLIC, NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.arrays import IntArray, Ints, ints, np
from damier.core.bits import fibonacci_slot, lowest, position_of
from damier.core.codes import word_of_code
from damier.core.compile import Bindings, instantiate
from damier.core.errors import BadGame, LimitReached
from damier.core.game import Game
from damier.core.job import Job, TimeIsUp, is_past, patiently, started, until
from damier.core.moves import each, first_move
from damier.core.past import WITHOUT_PAST
from damier.core.rules import (
    ONGOING,
    TOP,
    Moves,
    State,
    as_it_is,
    bounds,
    key,
    later,
    loss_in,
    move_score,
    mover,
    moves,
    non_losing_moves,
    play,
    plies_left,
    sooner,
)
from damier.core.tiers import Allowance, Outgrown, run_tiered, tier
from damier.core.words import _, message
from damier.search import bounds_table, transposition
from damier.search.bounds_table import looks_up_children, probe as ask_table, symmetry_in
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
    Visited,
    spent,
    terminal_value,
)
from damier.search.transposition import (
    DepthTable,
    SearchMemory,
    as_value,
    known,
    most_promising_first,
    move_at,
    one_ply_down,
    one_ply_up,
    order_of,
    stack_words,
    value_of,
)

NEEDS = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM, ACYCLIC)

FIRST_SLOTS, GROWTH = 1 << 18, 4
ROOM = 4
"""Slots for each that is known before."""
CHUNK = 1 << 25
"""Nodes between two signs of life, where the table has its full size."""


@dataclass
class Exact:
    """Proofs about a position and of what each of its moves leads to, all for player 0, as
    far as the search came.

    Attributes:
        units: whether scores are payoffs, without distances
        nodes: positions looked at, each as often as it was reached
        stopped: the limit of time ended it
        interrupted: Ctrl-C did
        recalled: how many of the scores were known before
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
        self._marks = board() if jit else UNMARKED
        self._threads = SearchThreads(game, workers, self.run, self._marks) if workers > 1 else None
        bound = (payoffs_of(game) if units else scores_of(game)) | (WITHOUT_PAST if alone else {})
        self._engine = instantiate(value_of, game, jit=jit, bind=bound | (SHARED if jit else {}))
        self._stack = ints(stack_words(game, DEPTH), jit)
        self.units, self.slots, self.most = units, slots, slots

    def ask(self, s: State, bound: int) -> int:
        """A bound of the score of `s` for player 0: a lower one if it is at least `bound`, else an
        upper one; nothing where the run was stopped.
        """
        table = cast("DepthTable", self.table)  # whose readers `scores_of` binds

        def question(count: Counts, stack: Ints, visited: Visited) -> int:
            past = self.run.line.past
            return int(
                self._engine(
                    self.game.fields(s), DEPTH, bound - 1, bound, BOTH, (), count, visited, table, stack, past
                )
            )

        if self._threads:
            found = self._threads.ask(question)
        else:
            found = question(self.run.count, self._stack, self._marks)
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
            question = bounds.nearest_question(guess) if self.units else bounds.question()
            found = self.ask(s, question)
            if self.run.stopped:
                return
            bounds.answered(question, found)

    def grow(self, slots: int) -> None:
        """Moves what is known to a larger table."""
        larger = bounds_table.empty(self.game, True, slots)
        self._move_over(self.table, larger)
        self.table, self.slots = larger, slots

    def take_in(self, slots: Ints) -> None:
        """Enters the slots of another compiled table of the game."""
        self._move_over(slots, self.table)

    @classmethod
    def beginning(
        cls,
        game: Game,
        jit: bool,
        job: Job,
        known: Proofs | None,
        *,
        units: bool = False,
        alone: bool = False,
    ) -> Self:
        """One with a first table, which may grow within the memory of the job; a compiled one begins with all
        that is `known` at once.
        """
        most = bounds_table.slots_within(game, job.memory)
        slots, slots_before = min(FIRST_SLOTS, most), known.slots if jit and known is not None else None
        if slots_before is not None:
            slots = min(most, max(slots, ROOM << (len(slots_before) - 1).bit_length()))
        prover = cls(game, jit, slots, units, job.jobs, alone=alone)
        prover.most = most
        if slots_before is not None:
            prover.take_in(slots_before.ravel())
        return prover

    def go_on(
        self,
        ask: Callable[[], None],
        is_done: Callable[[], bool],
        deadline: float | None,
        allowance: Allowance,
    ) -> Iterator[int]:
        """Asks until it is done, or the time is over, while the table grows; yields after how many nodes it
        was looked at each time. Raises Outgrown where plain Python has come as far as it may, and
        KeyboardInterrupt.
        """
        while not is_done() and not is_past(deadline):
            grows = self.slots < self.most
            compiled_budget = 2 * self.slots if grows else CHUNK
            self.run.spend(compiled_budget if self.run.jit else allowance.positions, ask, deadline, allowance)
            yield self.run.nodes
            if self.run.interrupted:
                raise KeyboardInterrupt
            if self.run.stopped and not is_past(deadline):
                if not self.run.jit:
                    raise Outgrown
                if grows:
                    self.grow(min(self.most, self.slots * GROWTH))

    def _move_over(self, slots: Ints, table: Ints) -> None:
        move = instantiate(bounds_table.move_over, self.game, jit=True, bind=bounds_table.slots_of(self.game))
        patiently(lambda: move(slots, table))

    def dear(self, nodes: int) -> IntArray:
        """[slots, words] The slots of a compiled table whose proofs took so many nodes, about, or more."""
        words = bounds_table.words_of_slot(self.game, self.game.key_words)
        slots = np.asarray(self.table).reshape(-1, words)
        return slots[slots[:, 0] >= nodes.bit_length() << bounds_table.COST]


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
    words_of_exact = in_words or _nodes
    deadline = None if seconds is None else begun + seconds
    found = Exact(game, s, children={move: Bounds() for move in game.legal(s)} if moves else {}, units=units)
    if known is not None:
        found.recalled = recall(known, game, s, found.bounds, found.children, units=units)
        if found.complete:
            found.seconds = time.perf_counter() - begun
            return found

    def attempt(jit: bool, allowance: Allowance) -> None:
        prover = Prover.beginning(game, jit, job, known, units=units)
        ask = partial(prove_all, game, s, found.bounds, found.children, prover)
        for nodes in prover.go_on(ask, lambda: found.complete, deadline, allowance):
            found.nodes += nodes
            if jit and prover.run.stopped:
                job.progress(found.nodes, None, words_of_exact(found))

    engines = tier(game, ("exact", units, False), lambda: prepare_exact(game, s, units))
    try:
        with until(deadline):
            run_tiered(engines, job, attempt)
        found.stopped = not found.complete
    except (KeyboardInterrupt, TimeIsUp) as end:  # on the way to compiled code
        found.stopped, found.interrupted = True, isinstance(end, KeyboardInterrupt)
    found.seconds = time.perf_counter() - begun
    if known is not None:
        keep(known, game, s, found.bounds, found.children, found.nodes, units=units)
    return found


def exact_within(game: Game, s: State, nodes: int, *, units: bool = False) -> Exact:
    """`exact` in plain Python within so many nodes, which nothing but the position decides: no clock, no
    compiler, and nothing that was proven before.
    """
    require(game, _("exact search"), *NEEDS)
    found = Exact(game, s, children={move: Bounds() for move in game.legal(s)}, units=units)
    prover = Prover(game, False, FIRST_SLOTS, units)
    prover.run.spend(nodes, lambda: prove_all(game, s, found.bounds, found.children, prover))
    found.nodes, found.stopped = prover.run.nodes, prover.run.stopped
    if prover.run.interrupted:
        raise KeyboardInterrupt
    return found


def prepare_exact(game: Game, s: State, units: bool, *, alone: bool = False) -> None:
    """Compiles the engines."""
    slots = bounds_table.slots_within(game, 0)
    prover = Prover(game, True, slots, units, alone=alone)
    prover.run.begin(0)
    prover.narrow(s, Bounds())
    prover.grow(slots)


def _nodes(found: Exact) -> str:
    """Return what is counted."""
    return _("nodes")


def prove_all(game: Game, s: State, best: Bounds, children: dict[int, Bounds], prover: Prover) -> None:
    """Ask for the score of a position (`best`) first, then for what each of its moves leads to, which can
    be no better than the best of them; until all is known, or the run is stopped.
    """
    prover.narrow(s, best)
    for move, proven in children.items():
        if prover.run.stopped:
            return
        if game.mover(s) == 0:
            proven.high = min(proven.high, best.high if prover.units else sooner(best.high))
        else:
            proven.low = max(proven.low, best.low if prover.units else sooner(best.low))
        prover.narrow(game.play(s, move), proven)


# The threads of one exact search: each asks the engine the same question, over one table and one board of
# marks (`SHARED`), until one of them knows the answer.

LOOK = 0.02
"""Seconds between two looks at whether the run was stopped."""
APART = 16
"""Words between the counts of two threads, which each writes at every node: more than a line of the cache."""

Ask = Callable[[Counts, Ints, Visited], int]
"""The question, as one thread asks it: with its counts, its stack of moves, and the board of all."""


def workers_for(game: Game, jit: bool, jobs: int) -> int:
    """Return how many threads may search a position of a game: one in plain Python, and where the past
    matters (which is kept once).
    """
    return 1 if (not jit or "with_past" in game.given) else min(jobs, WORKERS)


class SearchThreads:
    """The threads that search for a `Run`, each with counts and a stack of its own."""

    def __init__(self, game: Game, workers: int, run: Run, marks: Visited) -> None:
        self._run, self._board, self._compiled = run, marks, False
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
        threads = started(work, range(len(self._counts)))
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


# The engine of `transposition` over scores that hold value and distance in one (`core.solution`):
# what an exact search asks, question by question (J. Pearl, "Scout", 1980 [Pearl80]; A. Plaat, J.
# Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial
# Intelligence 87 (1996) [Plaat96]).
#
# A question is a null window: is a position worth at least so much? Each answer proves a bound of its
# score. A game's own knowledge answers first (`bounds`), then the table, then the moves: those worth
# a look (`non_losing_moves`), the most promising first (`move_score`). A score is counted from the
# position at hand, so it holds however that was reached; as moves advance a ply, none comes back.


def always(side: int, sides: int) -> bool:
    """Both sides cut at equality: scores are whole, so that "at least 5" and "more than 4" are one
    question.
    """
    return True


def spent_quickly(s: State, plies: int, count: Counts, visited: Visited) -> bool:
    """Counts a node, and nothing else; True where there is nothing left to spend on it."""
    if count[NODES] >= count[BUDGET]:
        count[STOPPED] = 1
        return True
    count[NODES] += 1
    return False


def uncounted(count: Counts) -> None:
    """Nobody asks how many cutoffs there were."""


def as_score(payoff: int, count: Counts) -> int:
    """The score of an end; one that is no win, draw or loss is counted in count[DEPTH_CUTOFFS]."""
    if payoff < -1 or payoff > 1:
        count[DEPTH_CUTOFFS] += 1
    return payoff * TOP


def too_long(s: State, memory: SearchMemory) -> int:
    """Stops the search: the game goes on for longer than the stack has room (count[FULL])."""
    memory.counts[FULL], memory.counts[STOPPED], memory.counts[BUDGET] = 1, 1, 0
    return 0


def non_losing(s: State, legal: Moves) -> tuple[Moves, int, int]:
    """The moves that do not lose at once; what the others are worth at most; the first of them all."""
    kept = non_losing_moves(s)
    return kept, -TOP if kept == legal else loss_in(2), first_move(legal)


def any_move(s: State, legal: Moves) -> tuple[Moves, int, int]:
    """Return any move, where moves are listed: nothing is known of them."""
    return legal, -TOP, first_move(legal)


def best_of_table(s: State, plies: int, first: int, last: int, high: float, memory: SearchMemory) -> float:
    """Return what the table promises of a move, the first that gives `high`, asked before any is searched:
    enhanced transposition cutoffs (J. Schaeffer and A. Plaat, "New advances in alpha-beta searching", 1996
    [SchaefferPlaat96]).
    """
    best: float = -TOP
    if not looks_up_children(s, last - first):
        return best
    turn_of = mover(s)
    for place in range(first, last):
        child = play(s, move_at(place, memory.stack))
        lower, upper = known(child, plies - 1, memory.table)
        best = max(best, one_ply_up(lower if mover(child) == turn_of else -upper))
        if best >= high:
            break
    return best


EXACT_SCORES: Bindings = {
    spent: spent_quickly,
    transposition.cuts_at_equality: always,
    transposition.note_cutoff: uncounted,
    transposition.as_value: as_score,
    transposition.horizon: too_long,
    transposition.moves_to_try: non_losing,
    transposition.one_ply_up: later,
    transposition.one_ply_down: sooner,
    transposition.lay_out: most_promising_first,
    transposition.prefetch_entry: bounds_table.prefetch_entry,
    transposition.prefetch_children: bounds_table.prefetch_children,
    transposition.best_known: best_of_table,
    transposition.known: bounds_table.known,
    transposition.probe: bounds_table.probe,
    transposition.store: bounds_table.store,
}


def scores_of(game: Game) -> Bindings:
    """`EXACT_SCORES` for a game."""
    listed: Bindings = {transposition.moves_to_try: any_move} if game.moves_are_listed else {}
    laid_out: Bindings = {
        transposition.lay_out: order_of(game).get(most_promising_first, most_promising_first)
    }
    ways = bounds_table.slots_of(game) | symmetry_in(game) | order_of(game) | late_bindings(game)
    return EXACT_SCORES | laid_out | listed | ways


def as_payoff(payoff: int, count: Counts) -> int:
    """A payoff is its own score; one that does not fit the table is counted in count[DEPTH_CUTOFFS]."""
    if payoff < -TOP or payoff > TOP:
        count[DEPTH_CUTOFFS] += 1
        return 0
    return payoff


def unbounded(s: State) -> tuple[int, int]:
    """Return what a game knows of its scores says nothing about payoffs."""
    return -TOP, TOP


PAYOFFS: Bindings = {
    transposition.as_value: as_payoff,
    transposition.moves_to_try: any_move,
    transposition.one_ply_up: as_it_is,
    transposition.one_ply_down: as_it_is,
    bounds: unbounded,
}
"""The same over payoffs: margins, whose distance nobody asks for (docs/decisions/0052)."""


def payoffs_of(game: Game) -> Bindings:
    """Return what an exact search over the payoffs of a game binds."""
    return scores_of(game) | PAYOFFS


# One exact search by several threads over one table, without locks.
#
# All threads ask the same question and look into the same table. What one of them searches, others put off
# to the end of their moves, so that they find something else to do meanwhile; the first move of a position
# they may all search, since the others may not be needed (ABDADA: J.-C. Weill, "The ABDADA
# distributed minimax
# search algorithm", ICCA Journal 19 (1996) [Weill96]; the marks in a small table of their own). Who answers a
# position calls away the threads that are still below it: they begin anew at the root, and find in the table
# all that they had proven.
#
#     board    [WORKERS] 1: this thread is called away    then of every mark: key word, set of the
# threads there
#
# The board is read and written without locks. A mark that is lost, or one too many, costs time and changes no
# answer: marks say in what order to search, and the table alone says what is proven.

WORKERS = 62
MARKS = 1 << 12
SHARED_PLIES = 12
"""In so many plies from the position that was asked about, threads keep out of each other's way: below, a
position is soon searched.
"""


def board() -> Visited:
    """An empty board, for compiled engines."""
    return np.zeros(WORKERS + 2 * MARKS, np.int64)


def mark_of(wanted: int) -> int:
    """Return where the mark of a key word stands."""
    return WORKERS + 2 * fibonacci_slot(wanted, MARKS)


def elsewhere(child: State, plies: int, memory: SearchMemory) -> bool:
    """Return whether another thread is searching `child`."""
    if plies <= DEPTH - SHARED_PLIES:
        return False
    wanted = word_of_code(key(child))
    mark, marks = mark_of(wanted), memory.visited
    return bool(marks[mark] == wanted and (marks[mark + 1] & ~(1 << memory.counts[WORKER])) != 0)


def enter(child: State, plies: int, memory: SearchMemory) -> None:
    """Marks `child`; a thread that is called away ends its search here."""
    if plies <= DEPTH - SHARED_PLIES:
        return
    wanted, worker, marks = word_of_code(key(child)), memory.counts[WORKER], memory.visited
    mark = mark_of(wanted)
    if marks[mark] == wanted:
        marks[mark + 1] |= 1 << worker
    else:
        marks[mark] = wanted
        marks[mark + 1] = 1 << worker
    if marks[worker] != 0:
        memory.counts[STOPPED] = 1
        memory.counts[BUDGET] = 0


def leave(child: State, plies: int, memory: SearchMemory) -> None:
    """Takes the mark back; with an answer, the others who are there are called away."""
    if plies <= DEPTH - SHARED_PLIES:
        return
    wanted, worker, marks = word_of_code(key(child)), memory.counts[WORKER], memory.visited
    mark = mark_of(wanted)
    if marks[mark] == wanted:
        others = int(marks[mark + 1] & ~(1 << worker))
        marks[mark + 1] = others
        if memory.counts[STOPPED] == 0:
            while others:
                other = lowest(others)
                others ^= other
                marks[position_of(other)] = 1


SHARED: Bindings = {
    transposition.searched_elsewhere: elsewhere,
    transposition.enter: enter,
    transposition.leave: leave,
}
"""What a compiled search binds, by however many threads, so that one engine does for all; its board stands in
the place of the positions that were seen.
"""


# Care that an exact search takes of a position, in games that say how many plies are left.
#
#     many     a move promises what it scores and, added to that, the most that its mover can score with the
#              move after it, whatever the reply: a search of three plies for the order of moves alone
#     fewer    what it scores
#     fewest   the end is played out: no table, no order, since they cost more than they save
#
# A third threshold lies between: children are looked up in the table where they are worth being there.

PLAYED_OUT, LOOKED_UP, LOOKED_AHEAD = 4, 7, 14
"""Plies left: at most so many are played out; from so many on the table is asked for children, and moves are
put in order by looking ahead.
"""
SETTLED = 1 << 20
"""What a unit of payoff promises, where the game ends within these plies: more than moves score."""


def probe(
    s: State, plies: int, low: int, high: int, ours: bool, theirs: bool, table: Ints, count: Counts
) -> tuple[float, float, int]:
    """`bounds_table.probe`; near the end what is asked, and no more, by playing it out."""
    if not 0 < plies_left(s) <= PLAYED_OUT:
        return ask_table(s, plies, low, high, ours, theirs, table, count)
    found = played_out(s, high, count)
    return (found, TOP, 0) if found >= high else (-TOP, found, 0)


def played_out(s: State, high: float, count: Counts) -> float:
    """A bound of the value of `s`, which is not over, to its mover: a lower one if it is at least `high`,
    else an upper one.
    """
    best: float = -TOP
    turn = mover(s)
    for move in each(moves(s)):
        count[NODES] += 1
        child = play(s, move)
        end, same = terminal_value(child), mover(child) == turn
        if end != ONGOING:
            value = as_value(end, count)
            found = one_ply_up(value if turn == 0 else -value)
        elif same:
            found = one_ply_up(played_out(child, one_ply_down(high), count))
        else:
            found = one_ply_up(-played_out(child, 1 - one_ply_down(high), count))
        best = max(best, found)
        if best >= high:
            break
    return best


def looks_up_early_children(s: State, moves_of_s: int) -> bool:
    """`bounds_table.looks_up_children`, where children are far enough from the end to be in the table."""
    return moves_of_s > 1 and not 0 < plies_left(s) < LOOKED_UP


def look_ahead(s: State, move: int) -> int:
    """`transposition.promise`, by looking ahead where it pays."""
    score = move_score(s, move)
    return score if plies_left(s) < LOOKED_AHEAD else score + prospect(play(s, move), mover(s))


def prospect(s: State, player: int) -> int:
    """The most that `player` can score with a move from `s` on, or after the reply that leaves it the
    least.
    """
    if terminal_value(s) != ONGOING or mover(s) == player:
        return best_score(s, player, SETTLED * TOP)
    least = SETTLED * TOP
    for reply in each(moves(s)):
        least = min(least, best_score(play(s, reply), player, least))
    return least


def best_score(s: State, player: int, enough: int) -> int:
    """Return what the best move in `s` scores, as `player` sees it, who moves: the first that scores
    `enough`.
    """
    end = terminal_value(s)
    if end != ONGOING:
        return SETTLED * (end if player == 0 else -end)
    side, best = 1 if mover(s) == player else -1, -SETTLED * TOP
    for move in each(moves(s)):
        best = max(best, move_score(s, move))
        if side * best >= enough:
            break
    return side * best


def late_bindings(game: Game) -> Bindings:
    """Return what an exact search binds in a game that says how many plies are left."""
    if "plies_left" not in game.given or game.has_past:
        return {}
    bound: Bindings = {transposition.probe: probe, bounds_table.looks_up_children: looks_up_early_children}
    return bound | ({transposition.promise: look_ahead} if "move_score" in game.given else {})
