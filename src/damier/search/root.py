"""The root of a search, where a decision is made: its moves, their values, and the answer put
together from them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from damier.core.analysis import Analysis, plain
from damier.core.game import Game
from damier.core.interruptible import TimeIsUp, until
from damier.core.moves import first_move
from damier.core.rules import CHANCE, State
from damier.core.tiers import READING_PAYS, Allowance, Outgrown, run_tiered
from damier.core.tree import to_player
from damier.search.lookahead import Found, LookAhead
from damier.search.running import ENDLESS, Run


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
        """Whether there is nothing to decide; then `found` says what the game was worth."""
        if not self.game.over(self.state):
            return False
        found.value = plain(self.side * self.game.payoff(self.state, 0))
        return True

    def settle(self, found: Found, slack: float = 0.0) -> None:
        """The value and the best moves, from the values of the moves known so far; means are equal
        where they differ by `slack` at most.
        """
        best = max(to_player(value, 0) for value in found.values.values())
        found.value = best
        found.best = self.game.gathered(
            move
            for move, value in found.values.items()
            if to_player(value, 0) >= best - slack * max(1.0, abs(best))
        )


ROUNDING = 1e-12
"""How far equal means may lie apart: sums of fractions are rounded."""


def uncounted_run(search: LookAhead, name: str, work: Callable[[Run], None], nodes: int = ENDLESS) -> bool:
    """Does what is not counted as part of a search in a run of its own, in what is left of the time
    and with so many nodes. `name` says which part it is.

    False where it did not come to its end. After Ctrl-C, and where no time is left, nothing is
    begun.
    """
    if search.interrupted or (search.deadline is not None and time.perf_counter() >= search.deadline):
        return False

    def attempt(jit: bool, allowance: Allowance) -> bool:
        run = Run(search.game, jit, False, search.state, search.before, search.job.jobs)
        run.begin(min(allowance.positions, nodes))
        with allowance.watched(run.stop):
            run.watched(lambda: work(run), search.deadline)
        search.interrupted = search.interrupted or run.interrupted
        out_of_time = search.deadline is not None and time.perf_counter() >= search.deadline
        if (
            run.stopped
            and not (run.interrupted or out_of_time)
            and (allowance.over or allowance.positions < nodes)
        ):
            raise Outgrown
        return not run.stopped

    rising = search.tier(name, False, work)
    try:
        with until(search.deadline):
            if search.run is not None and search.run.jit:
                rising.rises(search.job, READING_PAYS)  # what the search itself outgrew, this will, too
            return run_tiered(
                rising,
                search.job,
                lambda allowance: attempt(False, allowance),
                lambda: attempt(True, Allowance()),
            )
    except (KeyboardInterrupt, TimeIsUp) as end:  # on the way to compiled code
        search.interrupted = search.interrupted or isinstance(end, KeyboardInterrupt)
        return False


def principal_variation(
    search: LookAhead,
    found: Found,
    one_depth: Callable[[Run, Found, State], None],
    stops: Callable[[State], bool],
) -> tuple[int, ...]:
    """What follows if everybody plays the first of the best moves: searched move by move, and not
    counted. It ends where `stops` says so.
    """
    line: list[int] = [first_move(found.best)] if found.best else []

    def follow(run: Run) -> None:
        line.clear()
        s, plies, best = search.state, found.plies, found.best
        while best:
            line.append(first_move(best))
            s, plies = run.line.play(line[-1]), plies - 1
            if plies <= 0 or search.game.over(s) or search.game.mover(s) == CHANCE or stops(s):
                return
            after = Found(plies)
            one_depth(run, after, s)
            best = after.best if not run.stopped else 0

    if not uncounted_run(search, "pv", follow):
        search.left_out.append("pv")
    return tuple(line)


def never(s: State) -> bool:
    """For a line of play that goes on to its end."""
    return False


def answer(
    search: LookAhead,
    found: Found,
    agent: str,
    pv: tuple[int, ...] = (),
    visits: dict[int, int] | None = None,
) -> Analysis:
    """What a search found, and what it cost."""
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
        visits or {},
        found.distance,
        tuple(name for name in ("values", "best", "pv", "distance") if name in search.left_out),
        before=search.before,
    )
