"""What all searches of a given depth share: when they begin, deepen, go over to compiled code and
stop, and how the answer is put together.

One depth is searched by a function of each algorithm; with a limit of nodes or of time, or where it
is asked for, the depths 1, 2, 3 … are searched in turn, so that an answer is there whenever it has
to stop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from damier.core.analysis import Limit
from damier.core.compile import PURE_LIMIT
from damier.core.errors import LimitReached, Uncompilable, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.patience import until
from damier.core.rules import State
from damier.core.tree import Number, Payoffs
from damier.core.words import _
from damier.search.running import DEPTH, ENDLESS, Run


@dataclass
class Found:
    """What a search of one depth found, as far as it came; values from the side of the player to
    move at the root. `reached`: its longest line.
    """

    plies: int
    value: Number | Payoffs | None = None
    values: dict[int, Number | Payoffs] = field(default_factory=dict)
    best: int = 0
    reached: int = 0
    done: bool = False
    exact: bool = False
    distance: int | None = None


SHARE = 0.5
"""How much of its seconds an explained search may spend on the decision; the rest is for what
explains it.
"""

OneDepth: TypeAlias = Callable[[Run, Found], None]
"""Searches `found.plies` deep and writes what it finds, move by move, so that an answer is there if
it is stopped.
"""


class Outgrown(Exception):
    """A search has passed what is done in plain Python."""


@dataclass
class LookAhead:
    """One search from `state`, and afterwards what it cost.

    marking   whether it is explained: different positions are counted, and some of the time is kept
              for what follows the search
    deadline  when all must be done; left_out: what was left out for it
    """

    game: Game
    state: State
    limit: Limit
    job: Job
    marking: bool = True
    nodes: int = 0
    explored: int | None = None
    seconds: float = 0.0
    interrupted: bool = False
    run: Run | None = None
    deadline: float | None = None
    left_out: list[str] = field(default_factory=list)

    def search(self, one_depth: OneDepth, *, deepen: bool = False) -> Found:
        """The answer of the deepest search that came to its end; of one that did not, where none
        has.

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
        self.seconds = time.perf_counter() - begun
        if most is None and not deepens and self.best.done and not self.best.exact:
            raise Unsuitable(
                _(
                    "{game} can go on for more than {n} plies; limit the search: plies=…",
                    game=self.game.text,
                    n=DEPTH,
                )
            )
        if self.interrupted and not self.best.best:
            raise KeyboardInterrupt
        if self.best.value is None:
            raise LimitReached(
                _("the search was stopped before it knew a single move; a larger limit goes further"),
                {"nodes": self.nodes},
            )
        return self.best

    def _pure_or_compiled(self, one_depth: OneDepth, depths: Iterable[int], deadline: float | None) -> None:
        try:
            self._deepen(Run(self.game, self.job.jit is True, self.marking), one_depth, depths, deadline)
        except Outgrown:
            self.job.jit = True  # of what follows, too
            self._pure_or_compiled(one_depth, depths, deadline)
        except Uncompilable as error:
            self.job.note(
                _("{game} runs as plain Python, uncompiled: {reason}", game=self.game.name, reason=error)
            )
            self.job.jit = False
            self._pure_or_compiled(one_depth, depths, deadline)

    def _deepen(self, run: Run, one_depth: OneDepth, depths: Iterable[int], deadline: float | None) -> None:
        self.run, self.nodes = run, 0
        for plies in depths:
            found = self._one(run, one_depth, plies, deadline)
            self.interrupted = run.interrupted
            self.nodes += run.nodes
            self.explored = run.explored
            if found.done or not self.best.done:
                self.best = found if found.value is not None else self.best
            if not found.done or found.exact:
                return

    def _one(self, run: Run, one_depth: OneDepth, plies: int, deadline: float | None) -> Found:
        """Searches one depth; again where the set of positions filled up on the way."""
        left = ENDLESS if self.limit.nodes is None else self.limit.nodes - self.nodes
        pure_left = PURE_LIMIT - self.nodes if self.job.jit is None else ENDLESS
        while True:
            found = Found(plies)
            run.begin(max(0, min(left, pure_left)))
            run.watched(lambda: one_depth(run, found), deadline)
            found.done, found.exact = not run.stopped, not run.stopped and not run.limited
            found.reached = plies - run.left
            if (
                not run.stopped
                or run.interrupted
                or (deadline is not None and time.perf_counter() >= deadline)
            ):
                return found
            if run.crowded:
                if not run.make_room(self.job.memory):
                    return found
            elif pure_left < left:
                raise Outgrown
            else:
                return found
