"""Several trees of one position, grown side by side and read as one (root parallelism; G. Chaslot,
M. Winands and J. van den Herik, "Parallel Monte-Carlo tree search", 2008 [Chaslot08]).

Each tree has its share of the simulations and of the nodes, and random numbers of its own, so that what
they find together depends on how many trees there are, and not on how many cores grow them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from damier.core.analysis import Limit
from damier.core.cores import ALONE, Workers
from damier.core.game import Game
from damier.core.job import Job
from damier.core.patience import TimeIsUp, until
from damier.core.tiers import Tier, seconds_left, tier
from damier.search.growing_tree import CHUNK, GrowingTree
from damier.search.mcts_engine import FILLED, PROVES, misjudges

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
