"""Monte Carlo tree search as people call it: a tree grown by simulations, and the decision read
from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from damier.core.analysis import Analysis, Limit, plain
from damier.core.arrays import Floats, Ints, floats, ints, words
from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import Job, uninterrupted
from damier.core.past import Before, Line
from damier.core.patience import TimeIsUp, until
from damier.core.requirements import PERFECT_INFORMATION, require
from damier.core.rules import Moves, State
from damier.core.tiers import Tier, seconds_left, tier
from damier.search.mcts_engine import (
    FILLED,
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
TREE_KINDS = ("int64", "int32", "int16", "int32", "float64", "int8", "float64")
"""The NumPy types of the columns of a SearchTree."""
SCRATCH_KINDS = ("int64", "int64", "float64", "float64")
"""The same of a Scratch."""


@dataclass
class GrowingTree:
    """A tree under way, in one of the two worlds."""

    game: Game
    state: State
    seed: int
    c: float
    jit: bool
    before: Before = ()

    def __post_init__(self) -> None:
        players, jit = self.game.players, self.jit
        self.arrays = SearchTree._make(zeros(ROOM, kind, jit) for kind in TREE_KINDS)
        self.scratch = Scratch(
            ints(PLIES, jit), ints(PLIES, jit), floats(max(2, players), jit), floats(3, jit)
        )
        self.rng = words(1, jit)
        reseed(self.rng, self.seed, 0)
        numbers = self.scratch.filled
        numbers[FILLED], numbers[SPREAD] = 1, 1.0
        numbers[PROVES] = -1 if players != 2 or self.game.stochastic or not self.game.zero_sum else 1
        self.done, self.seconds = 0, 0.0
        self._bind()

    def _bind(self) -> None:
        self._chunk = FIRST[self.jit]
        self._line = Line(self.game, self.state, self.before, plies=2 * PLIES, jit=self.jit)
        self._engine = instantiate(simulate, self.game, jit=self.jit)

    def compile(self) -> None:
        """Goes over to compiled code with all that has grown so far."""
        import numpy as np

        with uninterrupted():
            self.arrays = SearchTree._make(map(np.array, self.arrays, TREE_KINDS))
            self.scratch = Scratch._make(map(np.array, self.scratch, SCRATCH_KINDS))
            self.rng, self.jit = np.array(self.rng, np.uint64), True
            self._bind()

    @property
    def filled(self) -> int:
        return int(self.scratch.filled[FILLED])

    def run(self, times: int) -> int:
        """Runs so many simulations (0: only compiles), or as many as there is room for; returns how
        many.
        """
        done = int(
            self._engine(
                self.game.fields(self.state),
                times,
                self.game.players,
                float(self.c),
                self.arrays[:],  # compiled code is entered with plain tuples
                self.scratch[:],
                self.rng,
                self._line.past,
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
        if self.arrays.proven[0]:
            return False
        if self.filled + self.game.most_moves() > len(self.arrays.move):
            self._grow(job)
        return True

    def _grow(self, job: Job) -> None:
        job.require(2 * NODE_BYTES * len(self.arrays.move), [self.filled])
        self.arrays = SearchTree._make(doubled(column) for column in self.arrays)


def zeros(n: int, kind: str, jit: bool) -> Ints | Floats:
    """Room for n numbers of a NumPy type."""
    if not jit:
        return [0.0] * n if kind == "float64" else [0] * n
    import numpy as np

    return np.zeros(n, kind)


def doubled(column: Ints | Floats) -> Ints | Floats:
    """A column with twice the room; the new half is 0."""
    if isinstance(column, list):
        return column + [0] * len(column)
    import numpy as np

    return np.concatenate([column, np.zeros_like(column)])


def mcts(
    game: Game,
    s: State,
    limit: Limit | None = None,
    simulations: int | None = 1000,
    c: float = 1.4,
    seed: int = 0,
    *,
    before: Before = (),
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """Grows a tree by `simulations` (None: as many as the limit lets it), or until the time or the
    nodes of `limit` are spent, or the root is proven.

    The same seed gives the same answer, unless the clock stopped it. Raises Unsuitable for games
    of imperfect information, LimitReached beyond the memory budget.
    """
    require(game, "mcts", PERFECT_INFORMATION)
    begun = time.perf_counter()
    chosen = limit or Limit()
    chosen_job = job or Job()
    if game.over(s):
        value = plain(game.payoff(s, max(0, int(game.mover(s)))))
        return Analysis(
            game, s, "mcts", value, {}, 0, 1, None, 0, True, False, False, time.perf_counter() - begun
        )
    most = ENDLESS if simulations is None else simulations
    tree, interrupted = grown(
        lambda jit: GrowingTree(game, s, seed, c, jit, before), game, chosen, most, chosen_job, begun
    )
    return read(
        tree,
        begun,
        stopped=interrupted or (tree.done < most and not tree.arrays.proven[0]),
        interrupted=interrupted,
    )


def grown(
    plant: Callable[[bool], GrowingTree], game: Game, limit: Limit, simulations: int, job: Job, begun: float
) -> tuple[GrowingTree, bool]:
    """A tree, planted in plain Python or compiled and grown until a limit is reached, and whether
    Ctrl-C ended it.

    Where a payoff turns out to be larger than 1, no single win proves a position: it begins again.
    """
    deadline = None if limit.seconds is None else begun + limit.seconds
    rising = tier(game, "mcts", lambda: plant(True).run(0))
    tree = plant(rising.compiled and job.jit is not False)
    try:
        while tree.done < simulations and (limit.nodes is None or tree.filled < limit.nodes):
            if not tree.jit and _rises(rising, tree, simulations, deadline, job):
                tree.compile()
            chunk_begun = time.perf_counter()
            more = tree.simulate(min(CHUNK[tree.jit], simulations - tree.done), job, deadline)
            rising.spent += 0.0 if tree.jit else time.perf_counter() - chunk_begun
            if misjudges(tree.scratch):
                tree = plant(tree.jit)
                tree.scratch.filled[PROVES] = 0
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
    """Whether to go on compiled: what is left is estimated by what plain Python took so far, in
    this decision and in those before it, which others are expected to follow.
    """
    left = rising.spent
    if deadline is not None:
        left = deadline - time.perf_counter()
    else:
        left = max(left, seconds_left(tree.seconds, tree.done, simulations))
    try:
        with until(deadline):
            return rising.rises(job, left)
    except TimeIsUp:
        return False


def read(tree: GrowingTree, begun: float, *, stopped: bool, interrupted: bool) -> Analysis:
    """The decision: a proven win; else the most visited move, unless a proven one is worth as much
    as its mean.
    """
    game, s, arrays = tree.game, tree.state, tree.arrays
    player = int(game.mover(s))
    me = max(0, player)
    children = list(
        range(int(arrays.first_child[0]), int(arrays.first_child[0]) + int(arrays.child_count[0]))
    )
    values = {child: value_of(arrays, child, me) for child in children if arrays.visits[child]}
    best = [] if player < 0 else best_children(arrays, values)
    value = values[best[0]] if best else float(arrays.total[0]) / max(1, tree.done)
    if player < 0:
        value = sum(float(arrays.visits[child]) * mean for child, mean in values.items()) / max(
            1, sum(int(arrays.visits[child]) for child in values)
        )
    return Analysis(
        game,
        s,
        "mcts",
        plain(value),
        {
            int(arrays.move[child]): plain(mean)
            for child, mean in sorted(values.items(), key=lambda item: int(arrays.move[item[0]]))
        },
        game.gathered(int(arrays.move[child]) for child in best) or everything(game, s, player),
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
        before=tree.before,
    )


def everything(game: Game, s: State, player: int) -> Moves:
    """The moves to choose from where no move has been simulated yet: all, and none of chance."""
    return 0 if player < 0 else game.moves(s)


def value_of(arrays: SearchTree, child: int, me: int) -> float:
    """What a move of the root is worth to player `me`: exact where it is proven, else the mean of
    its simulations.
    """
    if arrays.proven[child]:
        return float(arrays.exact[child]) if me == 0 else -float(arrays.exact[child])
    return float(arrays.total[child]) / int(arrays.visits[child])


def best_children(arrays: SearchTree, values: dict[int, float]) -> list[int]:
    """The moves to choose from: all the best where the root is proven, else one."""
    proven = {child: value for child, value in values.items() if arrays.proven[child]}
    open_ = [child for child in values if not arrays.proven[child]]
    most = max(open_, key=lambda child: (int(arrays.visits[child]), values[child]), default=None)
    if proven and (most is None or arrays.proven[0] or max(proven.values()) >= values[most]):
        best = max(proven.values())
        return sorted(
            (child for child, value in proven.items() if value == best),
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
