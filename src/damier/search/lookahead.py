"""The common part of all searches of a given depth: when they begin, deepen, go over to compiled code and
stop, and how the answer is put together.

One depth is searched by a function of each algorithm; with a limit of nodes or of time, or where it
is asked for, the depths 1, 2, 3 … are searched in turn, so that an answer is there whenever it has
to stop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from types import TracebackType
from typing import Generic, TypeAlias, TypeVar

from damier.core.analysis import Analysis, Limit, plain_number
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import ALONE, Job, TimeIsUp, is_past, started, until
from damier.core.moves import first_move
from damier.core.past import Before
from damier.core.rules import CHANCE, Moves, State
from damier.core.tiers import READING_PAYS, Allowance, Outgrown, Tier, run_tiered, tier
from damier.core.tree import Number, Payoffs, to_player
from damier.core.words import message
from damier.search.running import BUDGET, DEPTH, ENDLESS, Run


@dataclass
class Found:
    """Findings of a search of one depth, as far as it came; values from the side of the player to
    move at the root. `reached`: its longest line.
    """

    plies: int
    value: Number | Payoffs | None = None
    values: dict[int, Number | Payoffs] = field(default_factory=dict)
    best: Moves = 0
    reached: int = 0
    done: bool = False
    exact: bool = False
    distance: int | None = None


SHARE = 0.5
"""How much of its seconds an explained search may spend on the decision; the rest is for what
explains it.
"""

FEW = 200
"""Nodes that call every engine of a search."""

OneDepth: TypeAlias = Callable[[Run, Found, State], None]
"""Searches a position `found.plies` deep and writes what it finds, move by move, so that an answer is there
if it is stopped.
"""


@dataclass
class LookAhead:
    """One search from `state`, and afterwards what it cost.

    Attributes:
        kind: which engines it runs: the algorithm and its options
        before: the positions before it that may come back
        marking: whether it is explained: different positions are counted, and some of the time is kept for
            what follows the search
        deadline: when all must be done
        left_out: what was left out for it
    """

    game: Game
    state: State
    limit: Limit
    job: Job
    kind: Hashable
    marking: bool = True
    before: Before = ()
    nodes: int = 0
    explored: int | None = None
    seconds: float = 0.0
    interrupted: bool = False
    run: Run | None = None
    deadline: float | None = None
    left_out: list[str] = field(default_factory=list)

    def search(self, one_depth: OneDepth, *, deepen: bool = False) -> Found:
        """The answer of the deepest search that came to its end; of one that did not, where none
        has. One ply is looked ahead however little time there is.

        Raises Unsuitable where a game may go on for ever and the depth was not limited,
        LimitReached where there is no answer at all.
        """
        begun = time.perf_counter()
        self.best = Found(0)
        seconds = self.limit.seconds
        self.deadline = None if seconds is None else begun + seconds
        deadline = None if seconds is None else begun + seconds * (SHARE if self.marking else 1)
        most = self.limit.plies_of(self.game)
        deepens = deepen or self.limit.nodes is not None or deadline is not None
        depths = range(1, (most or DEPTH) + 1) if deepens else (most or DEPTH,)
        try:
            with until(deadline):
                self._pure_or_compiled(one_depth, depths, deadline)
        except KeyboardInterrupt:  # between two depths
            self.interrupted = True
        except TimeIsUp:  # while something was compiled
            pass
        if self.best.value is None and self._is_late(deadline):
            run = Run(self.game, self.run is not None and self.run.jit, self.marking, self.state, self.before)
            self.deepen(run, one_depth, (1,), None, Allowance())
        self.seconds = time.perf_counter() - begun
        limited = self.run is not None and self.run.limited
        if most is None and not deepens and self.best.done and limited:
            raise Unsuitable(
                message(
                    "{game} can go on for more than {n} plies; limit the search: plies=…",
                    game=self.game.text,
                    n=DEPTH,
                )
            )
        if self.interrupted and not self.best.best:
            raise KeyboardInterrupt
        if self.best.value is None:
            raise LimitReached(
                message("the search was stopped before it knew a single move; a larger limit goes further"),
                {"nodes": self.nodes},
            )
        return self.best

    def _is_late(self, deadline: float | None) -> bool:
        """Return whether the clock has stopped it."""
        return is_past(deadline) and not self.interrupted

    def _pure_or_compiled(self, one_depth: OneDepth, depths: Iterable[int], deadline: float | None) -> None:
        def attempt(jit: bool, allowance: Allowance) -> None:
            run = Run(self.game, jit, self.marking, self.state, self.before, self.job.jobs)
            self.deepen(run, one_depth, depths, deadline, allowance)

        rising = self.tier("depth", self.marking, lambda run: one_depth(run, Found(2), self.state))
        run_tiered(rising, self.job, attempt)

    def tier(self, work: str, marking: bool, prepare: Callable[[Run], None]) -> Tier:
        """The tier of one part of this search, prepared by a few nodes of it."""

        def begun() -> None:
            run = Run(self.game, True, marking, self.state, self.before)
            run.begin(FEW)
            prepare(run)
            if shared:
                run.add(run.beginning_beside())

        shared = marking and self.job.jobs > 1  # what threads have counted is put together compiled
        return tier(self.game, (self.kind, work, marking, shared), begun)

    def deepen(
        self,
        run: Run,
        one_depth: OneDepth,
        depths: Iterable[int],
        deadline: float | None,
        allowance: Allowance,
    ) -> None:
        self.run, self.nodes = run, 0
        for plies in depths:
            if self._is_late(deadline):  # a fast engine would end it before the clock's thread could stop it
                return
            found = self.search_depth(run, one_depth, plies, deadline, allowance)
            self.interrupted = run.interrupted
            self.nodes += run.nodes
            self.explored = run.explored
            if plies >= self.best.plies and (found.done or not self.best.done):
                self.best = found if found.value is not None else self.best
            if not found.done or found.exact:
                return

    def search_depth(
        self, run: Run, one_depth: OneDepth, plies: int, deadline: float | None, allowance: Allowance
    ) -> Found:
        """Searches one depth; again where the set of positions filled up on the way.

        Raises Outgrown where plain Python has come as far as it may.
        """
        left = ENDLESS if self.limit.nodes is None else self.limit.nodes - self.nodes
        allowed = allowance.positions - self.nodes
        while True:
            found = Found(plies)
            budget = max(0, min(left, allowed))
            run.spend(budget, lambda: one_depth(run, found, self.state), deadline, allowance)
            found.done, found.exact = not run.stopped, not run.stopped and not run.limited and run.sound
            found.reached = plies - run.left
            if not run.stopped or run.interrupted or self._is_late(deadline):
                return found
            if run.crowded:
                if not run.make_room(self.job.memory):
                    return found
            elif allowed < left or allowance.over:
                raise Outgrown
            else:
                return found


# Between which bounds a search is asked, and the three cases of what it answers.
#
# A window is (low, high), seen by whoever is to move. Who searches may stop at values outside it:
# what comes back is then a bound, not the value.
#
#     value beyond high     fail high    a lower bound: the value is at least that
#     value beyond low      fail low     an upper bound: the value is at most that
#     between them          exact
#
# Whether a value that *equals* a side of the window is beyond it is said for each side of the game
# apart: `cut_at_equality` is a set of sides. Nobody cuts there where pruning is strict, both do where
# it is weak (docs/decisions/0024).

NOBODY, MAX_CUTS, MIN_CUTS, BOTH = range(4)


def fails_high(value: float, high: float, at_equality: bool) -> bool:
    """Return whether a value is too good for its mover to come up: its opponents have something better for
    them elsewhere.
    """
    return value > high or (at_equality and value == high)


def fails_low(value: float, low: float, at_equality: bool) -> bool:
    """Return whether a value is so bad for its mover that it need not come here: it has something better
    elsewhere.
    """
    return value < low or (at_equality and value == low)


# The root of a search, where a decision is made: its moves, their values, and the answer put
# together from them.


@dataclass
class Root:
    """The root node in one run: counted as the engines count theirs."""

    run: Run
    state: State
    plies: int

    def __post_init__(self) -> None:
        self.game: Game = self.run.game
        self.side = -1 if self.game.mover(self.state) > 0 else 1
        self.moves = self.game.legal(self.state)
        self.run.look_at(self.state, self.plies)

    def is_over(self, found: Found) -> bool:
        """Return whether there is nothing to decide; then `found` says what the game was worth."""
        if not self.game.over(self.state):
            return False
        found.value = plain_number(self.side * self.game.payoff(self.state, 0))
        return True

    def settle(self, found: Found, slack: float = 0.0, player: int = 0) -> None:
        """The value and the best moves, from the values of the moves known so far; means are equal
        where they differ by `slack` at most. Of payoffs to all players, the best are those for `player`.
        """
        values = {move: to_player(value, player) for move, value in found.values.items()}
        best = max(values.values())
        equals = [move for move in values if values[move] >= best - slack * max(1.0, abs(best))]
        payoffs = found.values[equals[0]]
        found.value = payoffs if isinstance(payoffs, tuple) else best
        found.best = self.game.gathered(equals)


ROUNDING = 1e-12
"""How far equal means may lie apart: sums of fractions are rounded."""


def uncounted_run(search: LookAhead, name: str, work: Callable[[Run], None], nodes: int = ENDLESS) -> bool:
    """Does what is not counted as part of a search in a run of its own, in what is left of the time
    and with so many nodes. `name` says which part it is.

    False where it did not come to its end. After Ctrl-C, and where no time is left, nothing is
    begun.
    """
    if search.interrupted or is_past(search.deadline):
        return False

    def attempt(jit: bool, allowance: Allowance) -> bool:
        run = Run(search.game, jit, False, search.state, search.before, search.job.jobs)
        run.spend(min(allowance.positions, nodes), lambda: work(run), search.deadline, allowance)
        search.interrupted = search.interrupted or run.interrupted
        goes_on = run.stopped and not run.interrupted and not is_past(search.deadline)
        if goes_on and (allowance.over or allowance.positions < nodes):
            raise Outgrown
        return not run.stopped

    rising = search.tier(name, False, work)
    try:
        with until(search.deadline):
            if search.run is not None and search.run.jit:
                rising.rises(search.job, READING_PAYS)  # what the search itself outgrew, this will, too
            return run_tiered(rising, search.job, attempt)
    except (KeyboardInterrupt, TimeIsUp) as end:  # on the way to compiled code
        search.interrupted = search.interrupted or isinstance(end, KeyboardInterrupt)
        return False


def principal_variation(
    search: LookAhead, found: Found, one_depth: OneDepth, player: int | None = None
) -> tuple[int, ...]:
    """Return what follows if everybody plays the first of the best moves: searched move by move, and not
    counted. It ends where chance moves, or anybody but `player`, if there is one.
    """
    game, line = search.game, [first_move(found.best)] if found.best else []

    def follow(run: Run) -> None:
        line.clear()
        s, plies, best = search.state, found.plies, found.best
        while best:
            line.append(first_move(best))
            s, plies = run.line.play(line[-1]), plies - 1
            if plies <= 0 or game.over(s) or game.mover(s) == CHANCE:
                return
            if player is not None and game.mover(s) != player:
                return
            after = Found(plies)
            one_depth(run, after, s)
            best = after.best if not run.stopped else 0

    if not uncounted_run(search, "pv", follow):
        search.left_out.append("pv")
    return tuple(line)


def answer(search: LookAhead, found: Found, agent: str, pv: tuple[int, ...]) -> Analysis:
    """Return what a search found, and what it cost."""
    assert found.value is not None
    stopped = search.interrupted or not found.done or (search.run is not None and search.run.stopped)
    return Analysis(
        search.game,
        search.state,
        agent,
        found.value,
        found.values,
        found.best,
        search.nodes,
        search.explored,
        found.reached,
        found.exact,
        stopped,
        search.interrupted,
        search.seconds,
        pv,
        distance=found.distance,
        left_out=tuple(name for name in ("values", "best", "pv", "distance") if name in search.left_out),
        before=search.before,
    )


# The moves of a root, searched one after the other; or by several threads, with the same answer and the
# same counts.
#
# The first moves are searched by one thread: they say what the mover is sure of (`alpha`), without which
# the others would be searched in vain (*young brothers wait*: R. Feldmann, B. Monien, P. Mysliwietz and O.
# Vornberger, "Distributed game tree search", ICCA Journal 12 (1989) [Feldmann89]). Then threads take the
# others in their order, each with the alpha that holds when it begins. Where alpha has risen before the
# turn of a move comes, what was found of it is dropped, and the move searched again: what counts is what one
# thread would have done. Each thread counts for itself; what it counted is added when the turn of its move
# comes.

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

    Attributes:
        shared: whether several threads may search them: not where what is found of one is used for another
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
        """Return what move number `number` is worth, where the mover is sure of `alpha`; nothing that means
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
        """Return whether there is something to share. A run that only so many nodes are left to counts each
        of them as it comes.
        """
        run = self._run
        unbounded = run.jit and run.count[BUDGET] >= ENDLESS
        return unbounded and self._shared and self._alone <= 0 and 0 < number < len(self._moves) - 1

    def _begin(self, number: int, alpha: float) -> None:
        self._alpha = alpha
        self._waiting = list(range(number, len(self._moves)))
        heapify(self._waiting)
        self._threads = started(self._search_on, range(1, 1 + min(self._run.jobs, len(self._waiting))))

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
        """Work of each thread."""
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
    with RootMoves(run, moves, searcher) as root:
        for number, move in enumerate(moves):
            value = root.value(number, 0.0)
            if value is None or run.stopped:
                return
            yield move, value
