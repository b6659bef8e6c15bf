"""Monte Carlo tree search as people call it: a tree grown by simulations, and the decision read
from it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from damier.core.analysis import Analysis, Limit, plain
from damier.core.bits import reseed
from damier.core.compile import Engine, instantiate
from damier.core.game import Game
from damier.core.job import Job, uninterrupted
from damier.core.patience import TimeIsUp, until
from damier.core.requirements import PERFECT_INFORMATION, require
from damier.core.rules import State
from damier.core.tiers import Tier, tier
from damier.search.mcts_engine import (
    FILLED,
    MOST_MOVES,
    PLIES,
    PROVES,
    SPREAD,
    Scratch,
    SearchTree,
    misjudges,
    simulate,
)
from damier.search.running import ENDLESS

CHUNK = {False: 50, True: 5_000}
"""Simulations between two looks at the limit of nodes, in plain Python and compiled."""
FIRST, SECONDS = {False: 10, True: 200}, 0.05
"""Simulations in one go at first, and then about how long it takes: short for Ctrl-C and for the
clock.
"""

ROOM = 1 << 12
NODE_BYTES = 48
COLUMNS = ("int64", "int32", "int8", "int32", "float64", "int8", "float64")
"""The kinds of the arrays of a tree (`SearchTree`)."""


@dataclass
class GrowingTree:
    """A tree under way, in one of the two worlds."""

    game: Game
    state: State
    seed: int
    c: float
    jit: bool

    def __post_init__(self) -> None:
        self.rng: Any = [0]
        players = self.game.players
        self.arrays: list[Any] = [self._zeros(ROOM, kind) for kind in COLUMNS]
        self.scratch = tuple(self._zeros(n, kind) for n, kind in self._columns())
        if self.jit:
            self.rng = self._zeros(1, "uint64")
        reseed(self.rng, self.seed, 0)
        numbers = Scratch(*self.scratch).filled
        numbers[FILLED], numbers[SPREAD] = 1, 1.0
        numbers[PROVES] = -1 if players != 2 or self.game.stochastic or not self.game.zero_sum else 1
        self.done, self.seconds = 0, 0.0
        self._bind()

    def _bind(self) -> None:
        self._chunk = FIRST[self.jit]
        self._engine: Engine = instantiate(simulate, self.game, jit=self.jit)

    def compile(self) -> None:
        """Goes over to compiled code with all that has grown so far."""
        import numpy as np

        with uninterrupted():
            self.arrays = list(map(np.array, self.arrays, COLUMNS))
            self.scratch = tuple(map(np.array, self.scratch, (kind for _n, kind in self._columns())))
            self.rng, self.jit = np.array(self.rng, np.uint64), True
            self._bind()

    def _columns(self) -> tuple[tuple[int, str], ...]:
        """The sizes and kinds of `scratch`."""
        players = max(2, self.game.players)
        return ((PLIES, "int64"), (PLIES, "int64"), (players, "float64"), (3, "float64"))

    def _zeros(self, n: int, kind: str) -> Any:
        if not self.jit:
            return [0.0 if kind == "float64" else 0] * n
        import numpy as np

        return np.zeros(n, kind)

    @property
    def filled(self) -> int:
        return int(self.scratch[3][FILLED])

    def run(self, times: int) -> int:
        """Runs so many simulations (0: only compiles), or as many as there is room for; returns how
        many.
        """
        done = int(
            self._engine(
                tuple(self.state),
                times,
                self.game.players,
                float(self.c),
                tuple(self.arrays),
                self.scratch,
                self.rng,
            )
        )
        self.done += done
        return done

    def simulate(self, times: int, job: Job, deadline: float | None = None) -> bool:
        """Runs more simulations, until the deadline; False where there is nothing left to find out,
        or no room.
        """
        while times > 0 and (deadline is None or time.perf_counter() < deadline):
            asked = min(times, self._chunk)
            begun = time.perf_counter()
            done = self.run(asked)
            times -= done
            seconds = time.perf_counter() - begun
            self.seconds += seconds
            if done < asked:
                break
            self._chunk = max(1, int(asked * min(2.0, SECONDS / max(seconds, 1e-9))))
        arrays = SearchTree(*self.arrays)
        if arrays.proven[0]:
            return False
        if self.filled + MOST_MOVES > len(arrays.move):
            self._grow(job)
        return True

    def _grow(self, job: Job) -> None:
        job.require(2 * NODE_BYTES * len(self.arrays[0]), [self.filled])
        if not self.jit:
            for column in self.arrays:
                column.extend([column[0] * 0] * len(column))
            return
        import numpy as np

        self.arrays = [np.concatenate([column, np.zeros_like(column)]) for column in self.arrays]


def mcts(
    game: Game,
    s: State,
    limit: Limit | None = None,
    simulations: int | None = 1000,
    c: float = 1.4,
    seed: int = 0,
    *,
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """Grows a tree by `simulations` (None: as many as the limit lets it), or until the time or the
    nodes of `limit` are spent, or the root is proven.

    The same seed gives the same answer, unless the clock stopped it. Raises Unsuitable for games
    with secrets, LimitReached beyond the memory budget.
    """
    require(game, "mcts", PERFECT_INFORMATION)
    begun = time.perf_counter()
    chosen = limit or Limit()
    chosen_job = job or Job()
    if game.over(s):
        worth = plain(game.payoff(s, max(0, int(game.mover(s)))))
        return Analysis(
            game, s, "mcts", worth, {}, 0, 1, None, 0, True, False, False, time.perf_counter() - begun
        )
    most = ENDLESS if simulations is None else simulations
    tree, interrupted = grown(game, s, chosen, most, c, seed, chosen_job, begun)
    return read(
        tree,
        begun,
        stopped=interrupted or (tree.done < most and not tree.arrays[5][0]),
        interrupted=interrupted,
    )


def grown(
    game: Game, s: State, limit: Limit, simulations: int, c: float, seed: int, job: Job, begun: float
) -> tuple[GrowingTree, bool]:
    """The tree, grown until a limit is reached, and whether Ctrl-C ended it.

    Where a payoff turns out to be larger than 1, no single win proves a position: it begins again.
    """
    deadline = None if limit.seconds is None else begun + limit.seconds
    rising = tier(game, "mcts", lambda: GrowingTree(game, s, seed, c, True).run(0))
    tree = GrowingTree(game, s, seed, c, False)
    try:
        while tree.done < simulations and (limit.nodes is None or tree.filled < limit.nodes):
            if not tree.jit and _rises(rising, tree, simulations, deadline, job):
                tree.compile()
            chunk_begun = time.perf_counter()
            more = tree.simulate(min(CHUNK[tree.jit], simulations - tree.done), job, deadline)
            rising.spent += 0.0 if tree.jit else time.perf_counter() - chunk_begun
            if misjudges(Scratch(*tree.scratch)):
                tree = GrowingTree(tree.game, tree.state, tree.seed, tree.c, tree.jit)
                tree.scratch[3][PROVES] = 0
            elif not more:
                break
            if deadline is not None and time.perf_counter() >= deadline:
                break
    except KeyboardInterrupt:
        if not tree.done:
            raise
        return tree, True
    return tree, False


def _rises(rising: Tier, tree: GrowingTree, simulations: int, deadline: float | None, job: Job) -> bool:
    """Whether to go on compiled: what is left is estimated by what plain Python took so far, in this
    decision and in those before it, which others are expected to follow.
    """
    left = rising.spent
    if deadline is not None:
        left = deadline - time.perf_counter()
    elif tree.done:
        left = max(left, tree.seconds / tree.done * (simulations - tree.done))
    try:
        with until(deadline):
            return rising.rises(job, left)
    except TimeIsUp:
        return False


def read(tree: GrowingTree, begun: float, *, stopped: bool, interrupted: bool) -> Analysis:
    """The decision: a proven win; else the most visited move, unless a proven one is worth as much
    as its mean.
    """
    game, s, arrays = tree.game, tree.state, SearchTree(*tree.arrays)
    player = int(game.mover(s))
    me = max(0, player)
    children = list(
        range(int(arrays.first_child[0]), int(arrays.first_child[0]) + int(arrays.child_count[0]))
    )
    worths = {child: worth_of(arrays, child, me) for child in children if arrays.visits[child]}
    best = [] if player < 0 else best_children(arrays, worths)
    value = worths[best[0]] if best else float(arrays.total[0]) / max(1, tree.done)
    if player < 0:
        value = sum(float(arrays.visits[child]) * worth for child, worth in worths.items()) / max(
            1, sum(int(arrays.visits[child]) for child in worths)
        )
    return Analysis(
        game,
        s,
        "mcts",
        plain(value),
        {
            int(arrays.move[child]): plain(worth)
            for child, worth in sorted(worths.items(), key=lambda item: int(arrays.move[item[0]]))
        },
        sum(int(arrays.move[child]) for child in best),
        tree.filled,
        None,
        len(line := line_of(arrays, best, me)),
        bool(arrays.proven[0]),
        stopped,
        interrupted,
        time.perf_counter() - begun,
        line,
        {
            int(arrays.move[child]): int(arrays.visits[child])
            for child in sorted(children, key=lambda child: int(arrays.move[child]))
        },
    )


def worth_of(arrays: SearchTree, child: int, me: int) -> float:
    """What a move of the root is worth to player `me`: exact where it is proven, else the mean of
    its simulations.
    """
    if arrays.proven[child]:
        return float(arrays.exact[child]) if me == 0 else -float(arrays.exact[child])
    return float(arrays.total[child]) / int(arrays.visits[child])


def best_children(arrays: SearchTree, worths: dict[int, float]) -> list[int]:
    """The moves to choose from: all the best where the root is proven, else one."""
    proven = {child: worth for child, worth in worths.items() if arrays.proven[child]}
    open_ = [child for child in worths if not arrays.proven[child]]
    most = max(open_, key=lambda child: (int(arrays.visits[child]), worths[child]), default=None)
    if proven and (most is None or arrays.proven[0] or max(proven.values()) >= worths[most]):
        best = max(proven.values())
        return sorted(
            (child for child, worth in proven.items() if worth == best),
            key=lambda child: int(arrays.move[child]),
        )
    return [] if most is None else [most]


def line_of(arrays: SearchTree, best: list[int], me: int) -> tuple[int, ...]:
    """The most visited line of the tree."""
    line = []
    node = best[0] if best else -1
    while node >= 0:
        line.append(int(arrays.move[node]))
        below = range(
            int(arrays.first_child[node]), int(arrays.first_child[node]) + int(arrays.child_count[node])
        )
        node = max(below, key=lambda child: int(arrays.visits[child]), default=-1)
        if node >= 0 and not arrays.visits[node]:
            break
    return tuple(line)
