"""What all searches of a given depth share: when they begin, deepen, go over to compiled code and
stop, and how the answer is put together.

One depth is searched by a function of each algorithm; with a limit of nodes or of time, or where it
is asked for, the depths 1, 2, 3 … are searched in turn, so that an answer is there whenever it has
to stop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from damier.core.analysis import Limit
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.interruptible import TimeIsUp, until
from damier.core.job import Job
from damier.core.past import Before
from damier.core.rules import Moves, State
from damier.core.tiers import Allowance, Outgrown, Tier, run_tiered, tier
from damier.core.tree import Number, Payoffs
from damier.core.words import message
from damier.search.running import DEPTH, ENDLESS, Run


@dataclass
class Found:
    """What a search of one depth found, as far as it came; values from the side of the player to
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

OneDepth: TypeAlias = Callable[[Run, Found], None]
"""Searches `found.plies` deep and writes what it finds, move by move, so that an answer is there if
it is stopped.
"""


@dataclass
class LookAhead:
    """One search from `state`, and afterwards what it cost.

    kind      which engines it runs: the algorithm and its options
    before    the positions before it that may come back
    marking   whether it is explained: different positions are counted, and some of the time is kept
              for what follows the search
    deadline  when all must be done; left_out: what was left out for it
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
            self._deepen(run, one_depth, (1,), None, Allowance())
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
        """Whether the clock has stopped it."""
        return deadline is not None and time.perf_counter() >= deadline and not self.interrupted

    def _pure_or_compiled(self, one_depth: OneDepth, depths: Iterable[int], deadline: float | None) -> None:
        def attempt(jit: bool, allowance: Allowance) -> None:
            run = Run(self.game, jit, self.marking, self.state, self.before, self.job.jobs)
            self._deepen(run, one_depth, depths, deadline, allowance)

        rising = self.tier("depth", self.marking, lambda run: one_depth(run, Found(2)))
        run_tiered(
            rising, self.job, lambda allowance: attempt(False, allowance), lambda: attempt(True, Allowance())
        )

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

    def _deepen(
        self,
        run: Run,
        one_depth: OneDepth,
        depths: Iterable[int],
        deadline: float | None,
        allowance: Allowance,
    ) -> None:
        self.run, self.nodes = run, 0
        for plies in depths:
            found = self._one(run, one_depth, plies, deadline, allowance)
            self.interrupted = run.interrupted
            self.nodes += run.nodes
            self.explored = run.explored
            if plies >= self.best.plies and (found.done or not self.best.done):
                self.best = found if found.value is not None else self.best
            if not found.done or found.exact:
                return

    def _one(
        self, run: Run, one_depth: OneDepth, plies: int, deadline: float | None, allowance: Allowance
    ) -> Found:
        """Searches one depth; again where the set of positions filled up on the way.

        Raises Outgrown where plain Python has come as far as it may.
        """
        left = ENDLESS if self.limit.nodes is None else self.limit.nodes - self.nodes
        allowed = allowance.positions - self.nodes
        while True:
            found = Found(plies)
            run.begin(max(0, min(left, allowed)))
            with allowance.watched(run.stop):
                run.watched(lambda: one_depth(run, found), deadline)
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
# it is weak (docs/decisions/0025).

NOBODY, MAX_CUTS, MIN_CUTS, BOTH = range(4)


def fails_high(value: float, high: float, at_equality: bool) -> bool:
    """Whether a value is too good for its mover to come up: its opponents have something better for
    them elsewhere.
    """
    return value > high or (at_equality and value == high)


def fails_low(value: float, low: float, at_equality: bool) -> bool:
    """Whether a value is so bad for its mover that it need not come here: it has something better
    elsewhere.
    """
    return value < low or (at_equality and value == low)
