"""A search under way: plain or compiled, stopped by nodes, by the clock or by Ctrl-C, with the best
answer so far kept.

Compiled code cannot be interrupted from within, so it runs in a thread of its own, and the main
thread sets its budget of nodes to 0.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar, cast

from damier.core.analysis import Analysis, Weights
from damier.core.arrays import IntArray, Ints, ints, np
from damier.core.bits import Rng, random_word
from damier.core.codes import code_at, code_room, is_code, put_code
from damier.core.compile import Bindings, Engine, instantiate
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.job import TimeIsUp, calls_deep, patiently, wait_for
from damier.core.moves import each
from damier.core.open_addressing import empty_slot_of_code, slot_of_code
from damier.core.past import Before, Line, states
from damier.core.player import TIES, AskedPlayer, Ties, chosen, share_of
from damier.core.rules import (
    ONGOING,
    AnyPast,
    Field,
    Key,
    Moves,
    State,
    as_state,
    key,
    mover,
    outcome,
    over,
    payoff,
    seen_as,
)
from damier.core.runtime import has_threads
from damier.core.tiers import Allowance
from damier.core.words import message

DEPTH = 1000
"""The most plies that a search looks ahead."""

ENDLESS = 1 << 60

E = TypeVar("E", bound=Engine)


@dataclass(eq=False)
class Run:
    """The common state of the engines of one search.

    Attributes:
        marking: whether the different positions are counted
        state: where it begins (the game's start), and the positions before it
        remembers: whether what was found out about a position is used again where it is met at the end of
            another line
        line: the position at hand, and what the engines see of those before it
        jobs: how many threads may share it (`root_moves`)
        beside: runs of these threads, which stop with it
    """

    game: Game
    jit: bool
    marking: bool
    state: State | None = None
    before: Before = ()
    jobs: int = 1
    beside: list[Run] = field(default_factory=list, init=False)
    count: Counts = field(init=False)
    visited: Visited = field(init=False)
    interrupted: bool = False
    remembers: bool = False

    def __post_init__(self) -> None:
        self.count = ints(COUNTS, self.jit)
        begin = self.game.start if self.state is None else self.state
        self.line = Line(self.game, begin, self.before, plies=2 * DEPTH, jit=self.jit)
        if self.jit:
            self.visited = np.full((SLOTS if self.marking else 1) * self.game.key_words, -1, np.int64)
        else:
            self.visited = plain_set()

    @property
    def explored(self) -> int | None:
        """Return how many different positions were looked at."""
        if not self.marking:
            return None
        return int(self.count[DISTINCT]) if self.jit else len(self.visited)

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    @property
    def left(self) -> int:
        """The fewest plies that were left to search anywhere."""
        return int(self.count[LEFT])

    @property
    def limited(self) -> bool:
        """Return whether the search stopped somewhere short of an end of the game."""
        return bool(self.count[DEPTH_CUTOFFS])

    @property
    def stopped(self) -> bool:
        return bool(self.count[STOPPED])

    @property
    def sound(self) -> bool:
        """Return whether no position that was met again may have meant something else by its past."""
        return not (self.remembers and self.line.matters)

    def weights(self, values: tuple[float, ...]) -> Weights:
        """The weights of an evaluation as the engines read them."""
        if not self.jit:
            return values
        return np.array(values, np.float64)

    def engine(self, function: E, bind: Bindings) -> E:
        """An engine bound to the game and to the ways of this run."""
        if not self.marking:
            marked: Bindings = {spent: spent_unmarked}
        else:
            marked = {} if self.jit else {mark: mark_in_set}
        ends: Bindings = (
            {}
            if self.game.players == 2 and "outcome" in self.game.given
            else {terminal_value: terminal_value_of_many}
        )
        return instantiate(function, self.game, jit=self.jit, bind=marked | ends | bind)

    def begin(self, budget: int) -> None:
        """Before a search, or a deeper one: counts from 0, of so many nodes at most."""
        self.count[NODES], self.count[DEPTH_CUTOFFS], self.count[CUTS], self.count[STOPPED] = 0, 0, 0, 0
        self.count[BUDGET], self.count[LEFT] = budget, DEPTH

    def look_at(self, s: State, plies: int) -> None:
        """Counts a node that is looked at from Python: the root."""
        if self.marking:
            self.engine(spent_on, {})(self.game.fields(s), plies, self.count, self.visited)
        else:
            spent_unmarked(s, plies, self.count, self.visited)

    def add_positions(self, other: Run, memory: int) -> bool:
        """Adds the positions alone; False where the budget has no room for them all."""
        if not self.marking:
            return True
        self._add_visited(other)
        while self.crowded:
            if not self.make_room(memory):
                return False
            self._add_visited(other)
        return True

    def _add_visited(self, other: Run) -> None:
        instantiate(add_visited, self.game, jit=True)(other.visited, self.visited, self.count)

    def watched(self, work: Callable[[], None], deadline: float | None) -> None:
        """Does `work`; at the deadline, or at Ctrl-C, the engine is stopped and `work` finds itself
        stopped.
        """
        if not self.jit:
            clock = None
            if deadline is not None and has_threads():
                clock = threading.Timer(max(0.0, deadline - time.perf_counter()), self.stop)
                clock.start()
            elif deadline is not None:
                self.count = CountsByClock(self.count, deadline)
            try:
                with calls_deep(DEPTH):
                    work()
            except KeyboardInterrupt:
                self.interrupted = True
                self.stop()
            finally:
                if clock:
                    clock.cancel()
            return
        try:
            wait_for(work, deadline, self.stop)
        except KeyboardInterrupt:
            self.interrupted = True

    def spend(
        self,
        budget: int,
        work: Callable[[], None],
        deadline: float | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        """Does `work` with so many nodes at most, counted from 0, `watched`; of an allowance, no longer than
        that goes.
        """
        self.begin(budget)
        with (allowance or Allowance()).watched(self.stop):
            self.watched(work, deadline)

    def stop(self) -> None:
        """Stops the engine at its next node, from any thread."""
        self.count[BUDGET], self.count[STOPPED] = 0, 1
        for other in self.beside.copy():
            other.stop()

    def beginning_beside(self) -> Run:
        """A run from the position at hand that another thread does as a part of this one: it stops with
        it, and counts for itself.
        """
        other = Run(self.game, self.jit, self.marking, self.line.state, self.line.before)
        other.remembers = self.remembers
        other.begin(ENDLESS)
        self.beside.append(other)
        if self.stopped:  # meanwhile
            other.stop()
        return other

    def make_room_as_in(self, other: Run) -> None:
        """Gives the positions that are counted a set as large as that of another run."""
        if len(self.visited) < len(other.visited):
            self.visited = np.full(len(other.visited), -1, np.int64)

    def add(self, other: Run) -> None:
        """Adds what was counted beside this run, where that came to its end."""
        self.beside.remove(other)
        count, more = self.count, other.count
        for kind in (NODES, DEPTH_CUTOFFS, CUTS):
            count[kind] += more[kind]
        count[LEFT] = min(count[LEFT], more[LEFT])
        count[FULL] |= more[FULL]
        if self.marking:
            self._add_visited(other)
        if self.game.has_past:
            self.line.past[2][1] += other.line.past[2][1]
        if count[FULL]:
            self.stop()

    @property
    def crowded(self) -> bool:
        """Return whether the set of positions was filling up."""
        return bool(self.count[FULL])

    def make_room(self, memory: int) -> bool:
        """Gives the positions a larger set, so that what was stopped for it can begin again; False
        where the budget has no room for one, Ctrl-C comes or the time of `until` is over.
        """
        if 5 * self.visited.nbytes > memory:
            return False
        larger = np.full(4 * len(self.visited), -1, np.int64)
        move = instantiate(move_over, self.game, jit=True)
        try:
            patiently(lambda: move(self.visited, larger))
        except KeyboardInterrupt:
            self.interrupted = True
            return False
        except TimeIsUp:
            return False
        self.visited, self.count[FULL] = larger, 0
        return True


# What every engine counts, the different positions that it looked at, and the one number that
# stops it.
#
# An engine asks `spent` at every node. Whoever wants it to stop, also from another thread, sets the
# budget to 0.

NODES, BUDGET, STOPPED, DEPTH_CUTOFFS, CUTS, LEFT, DISTINCT, FULL, WORKER = range(9)
COUNTS = 9
"""Nodes so far, and how many there may be; 1: it was stopped; ends of the search that are no ends
of the game; cuts; the fewest plies that were left to search anywhere; different positions, and 1:
there is no room for more of them; which of the threads of one search it is.
"""

SLOTS = 1 << 16

Counts: TypeAlias = Ints
"""Whole numbers as the engines write them: a list in plain Python, an int64 array compiled."""


class CountsByClock(list[int]):
    """The counts of a search in plain Python that looks at the clock itself, every few nodes: where no other
    thread could stop it.
    """

    SLICE = 32

    def __init__(self, counts: Iterable[int], deadline: float) -> None:
        super().__init__(map(int, counts))
        self._deadline = deadline

    def __setitem__(self, kind: Any, value: Any) -> None:
        super().__setitem__(kind, value)
        if kind == NODES and value % self.SLICE == 0 and time.perf_counter() >= self._deadline:
            super().__setitem__(BUDGET, 0)
            super().__setitem__(STOPPED, 1)


Visited: TypeAlias = IntArray
"""The different positions: [slots] their keys, as `damier.core.codes` reads them. In plain Python what
`plain_set` makes stands for it, and `UNMARKED` where nobody asks.
"""

UNMARKED: Final = cast("Visited", ())
"""No positions: only functions that mark none can read it."""


def spent(s: State, plies: int, count: Counts, visited: Visited) -> bool:
    """Counts a node with so many plies left, and notes which position it is; True where there is
    nothing left to spend on it.

    Stops the search where the set of positions is filling up.
    """
    if spent_unmarked(s, plies, count, visited):
        return True
    mark(s, count, visited)
    return False


def spent_unmarked(s: State, plies: int, count: Counts, visited: object) -> bool:
    """`spent`, where nobody asks which positions there were."""
    if count[NODES] >= count[BUDGET]:
        count[STOPPED] = 1
        return True
    count[NODES] += 1
    if plies < count[LEFT]:
        count[LEFT] = plies
    return False


def mark(s: State, count: Counts, visited: Visited) -> None:
    """Notes that the search looked at `s`."""
    wanted = key(seen_as(s))
    slot = slot_of_code(visited, visited, wanted)
    if not is_code(visited, slot):
        enter(wanted, slot, count, visited)


def enter(code: Key, slot: int, count: Counts, visited: Visited) -> None:
    """Notes a new position; stops the search where the set is filling up."""
    put_code(visited, slot, code)
    count[DISTINCT] += 1
    if 10 * count[DISTINCT] > 7 * code_room(visited):
        count[FULL] = 1
        count[BUDGET] = 0


def mark_in_set(s: State, count: Counts, visited: set[State]) -> None:
    """`mark`, in plain Python."""
    visited.add(seen_as(s))


def plain_set() -> Visited:
    """No positions yet, in plain Python; only `mark_in_set` can add one."""
    return cast("Visited", set[State]())


def spent_on(fields: tuple[Field, ...], plies: int, count: Counts, visited: Visited) -> bool:
    """`spent`; compiled code is entered with a plain tuple."""
    return spent(as_state(fields), plies, count, visited)


def terminal_value(s: State) -> int:
    """Return what a finished game is worth to player 0; ONGOING while it goes on.

    Of games that give `outcome`: it is asked once.
    """
    value = outcome(s)
    if value == ONGOING or mover(s) == 0:
        return value
    return -value


def terminal_value_of_many(s: State) -> int:
    """`terminal_value`, of games that give `over` and `payoff`."""
    return payoff(s, 0) if over(s) else ONGOING


def add_visited(visited: Visited, into: Visited, count: Counts) -> None:
    """Notes that the search looked at all positions of a set."""
    for slot in range(code_room(visited)):
        if is_code(visited, slot):
            wanted = code_at(visited, slot)
            place = slot_of_code(into, into, wanted)
            if not is_code(into, place):
                enter(wanted, place, count, into)
                if count[FULL]:
                    return


def move_over(visited: Visited, larger: Visited) -> None:
    """Enters what is in one set into a larger one."""
    for slot in range(code_room(visited)):
        if is_code(visited, slot):
            wanted = code_at(visited, slot)
            put_code(larger, empty_slot_of_code(larger, wanted), wanted)


# Searches as players: one that decides anew in every position.

Decide: TypeAlias = Callable[[State, Before, int, bool], Analysis]
"""decide(state, before, seed, explain): one search, of a position at the end of a line."""

REMEMBERED = 200_000
"""Positions whose best moves a player remembers."""


@dataclass
class SearchPlayer(AskedPlayer):
    """Searches every position in which it is to move, and plays one of the best moves.

    Attributes:
        draws: whether its searches use random numbers
        cores: the most cores that can share one of them
    """

    game: Game
    text: str
    decide: Decide
    ties: Ties = "random"
    draws: bool = False
    cores: int = 1
    line: AnyPast | None = field(default=None, init=False)

    def follow(self, past: AnyPast | None) -> None:
        """Positions are searched as the end of this line."""
        self.line = past

    @property
    def before(self) -> Before:
        """The positions before the one at hand that may come back."""
        return states(self.line) if self.line else ()

    def analyse(self, s: State, seed: int = 0) -> Analysis:
        """One decision, explained."""
        return self.decide(s, self.before, seed, True)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return chosen(self.best(s, self.before, rng), TIES[self.ties], rng)

    def best(self, s: State, before: Before, rng: Rng) -> Moves:
        """The best moves of a position."""
        found = self.decide(s, before, random_word(rng) if self.draws else 0, False)
        if found.interrupted:
            raise KeyboardInterrupt
        return found.best


@dataclass
class SearchPolicy(SearchPlayer):
    """A search that always decides alike: its probabilities are known, and what it decided is
    remembered.
    """

    known: dict[tuple[State, Before], Moves] = field(default_factory=dict)

    def best(self, s: State, before: Before, rng: Rng) -> Moves:
        if (s, before) not in self.known:
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            self.known[s, before] = super().best(s, before, rng)
        return self.known[s, before]

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """Raises Unsuitable for a position in which no move is chosen."""
        best = self.best(s, (), [0])
        if not best:
            raise Unsuitable(message("{agent} has no move to choose in {state}", agent=self.text, state=s))
        return {move: share_of(move, best, TIES[self.ties]) for move in each(game.moves(s))}
