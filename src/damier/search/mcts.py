"""Monte Carlo tree search as people call it: a tree grown by simulations, and the decision read
from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from damier.core.analysis import PERFECT_INFORMATION, Analysis, Limit, plain, require
from damier.core.game import Game
from damier.core.interruptible import ALONE, TimeIsUp, Workers, until
from damier.core.job import Job
from damier.core.past import Before
from damier.core.rules import Moves, State
from damier.core.tiers import Tier, seconds_left, tier
from damier.search.mcts_engine import CHUNK, FILLED, PROVES, GrowingTree, SearchTree, misjudges
from damier.search.running import ENDLESS


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
    trees: int = 1,
) -> Analysis:
    """Grows a tree by `simulations` (None: as many as the limit lets it), or until the time or the
    nodes of `limit` are spent, or the root is proven. Several `trees` share all that (`forest`), and are
    grown by the cores of the job.

    The same seed gives the same answer, unless the clock stopped it, however many cores there are. Raises
    Unsuitable for games of imperfect information, LimitReached beyond the memory budget.
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
    forest, interrupted = grown(
        lambda jit, number: GrowingTree(game, s, seed, c, jit, before, number),
        trees,
        game,
        chosen,
        most,
        chosen_job,
        begun,
    )
    tree = merged(forest)
    return read(
        tree,
        begun,
        stopped=interrupted or (tree.done < most and not tree.arrays.proven[0]),
        interrupted=interrupted,
    )


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


# Several trees of one position, grown side by side and read as one (root parallelism; G. Chaslot,
# M. Winands and J. van den Herik, "Parallel Monte-Carlo tree search", 2008 [Chaslot08]).
#
# Each tree has its share of the simulations and of the nodes, and random numbers of its own, so that what
# they find together depends on how many trees there are, and not on how many cores grow them.

Plant: TypeAlias = Callable[[bool, int], GrowingTree]
"""plant(jit, number): a new tree, compiled or in plain Python."""


def grown(
    plant: Plant, trees: int, game: Game, limit: Limit, simulations: int, job: Job, begun: float
) -> tuple[list[GrowingTree], bool]:
    """Trees, planted in plain Python or compiled and grown until a limit is reached, and whether
    Ctrl-C ended it. Raises LimitReached beyond the memory budget.
    """
    deadline = None if limit.seconds is None else begun + limit.seconds
    rising = tier(game, "mcts", lambda: plant(True, 0).run(0))
    jit = rising.compiled and job.jit is not False
    own = replace(job, memory=job.memory // trees) if trees > 1 else job
    forest = Forest(plant, trees, limit.nodes, simulations, jit, own)
    try:
        with Workers(min(job.jobs, trees)) as workers:
            while growing := forest.growing():
                if not forest.jit and _rises(rising, forest, simulations, deadline, job):
                    forest.compile()
                with nullcontext() if forest.jit else rising.spending():
                    forest.grow(growing, workers, deadline)
                if deadline is not None and time.perf_counter() >= deadline:
                    break
    except KeyboardInterrupt:
        if not forest.done:
            raise
        return forest.trees, True
    return forest.trees, False


class Forest:
    """Trees under way, all in one of the two worlds."""

    def __init__(
        self, plant: Plant, trees: int, nodes: int | None, simulations: int, jit: bool, job: Job
    ) -> None:
        self.trees = [plant(jit, number) for number in range(trees)]
        self.jit, self._plant, self._job = jit, plant, job
        self._nodes = None if nodes is None else -(-nodes // trees)
        self._simulations = [(simulations + trees - 1 - number) // trees for number in range(trees)]
        self._ended: set[int] = set()  # trees with nothing left to find out

    @property
    def done(self) -> int:
        return sum(tree.done for tree in self.trees)

    @property
    def seconds(self) -> float:
        return sum(tree.seconds for tree in self.trees)

    def growing(self) -> list[int]:
        """The trees that have not reached their limits."""
        return [
            number
            for number, tree in enumerate(self.trees)
            if number not in self._ended
            and tree.done < self._simulations[number]
            and (self._nodes is None or tree.filled < self._nodes)
        ]

    def compile(self) -> None:
        for tree in self.trees:
            tree.compile()
        self.jit = True

    def grow(self, growing: list[int], workers: Workers, deadline: float | None) -> None:
        """Grows these trees by some simulations. Where a payoff turns out to be larger than 1, no single
        win proves a position: that tree begins again.
        """
        if self.jit and workers.jobs > 1 and self.seconds > ALONE:
            more = self._side_by_side(growing, workers, deadline)
        else:
            more = [self._grow(number, deadline) for number in growing]
        for number, goes_on in zip(growing, more, strict=True):
            if misjudges(self.trees[number].scratch):
                self.trees[number] = self._plant(self.jit, number)
                self.trees[number].scratch.filled[PROVES] = 0
            elif not goes_on:
                self._ended.add(number)

    def _grow(self, number: int, deadline: float | None) -> bool:
        tree = self.trees[number]
        left = self._simulations[number] - tree.done
        return tree.simulate(min(CHUNK[self.jit], left), self._job, deadline)

    def _side_by_side(self, growing: list[int], workers: Workers, deadline: float | None) -> list[bool]:
        try:
            begun = [workers.begin(partial(self._grow, number, deadline)) for number in growing]
            return [goes_on() for goes_on in begun]
        except BaseException:
            for tree in self.trees:
                tree.stopping = True
            raise


def _rises(rising: Tier, forest: Forest, simulations: int, deadline: float | None, job: Job) -> bool:
    """Whether to go on compiled: what is left is estimated by what plain Python took so far, in
    this decision and in those before it, which others are expected to follow.
    """
    if deadline is not None:
        left = deadline - time.perf_counter()
    else:
        left = seconds_left(forest.seconds, forest.done, simulations)
    try:
        with until(deadline):
            return rising.rises(job, max(left, rising.spent))
    except TimeIsUp:
        return False


def merged(trees: list[GrowingTree]) -> GrowingTree:
    """The tree that was grown most, which grows no more, with what all have found out of the root and
    its moves.
    """
    if len(trees) == 1:
        return trees[0]
    whole = max(trees, key=lambda tree: tree.done)
    arrays = whole.arrays
    children = {int(arrays.move[child]): child for child in children_of_root(whole)}
    for tree in trees:
        if tree is whole or not tree.done:
            continue
        own = tree.arrays
        pairs = [(0, 0), *((children[int(own.move[child])], child) for child in children_of_root(tree))]
        for here, there in pairs:
            arrays.visits[here] += own.visits[there]
            arrays.total[here] += own.total[there]
            if own.proven[there]:
                arrays.proven[here], arrays.exact[here] = 1, own.exact[there]
        whole.done += tree.done
        whole.scratch.filled[FILLED] += tree.filled
    return whole


def children_of_root(tree: GrowingTree) -> range:
    """The nodes that the moves of the root lead to."""
    first = int(tree.arrays.first_child[0])
    return range(first, first + int(tree.arrays.child_count[0]))
