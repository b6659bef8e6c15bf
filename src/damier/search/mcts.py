"""Monte Carlo tree search as people call it: a tree grown by simulations, and the decision read
from it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from math import log, sqrt
from typing import NamedTuple, TypeAlias

from damier.core.analysis import PERFECT_INFORMATION, Analysis, Limit, plain_number, require
from damier.core.arrays import Floats, Ints, floats, ints, np, words
from damier.core.bits import Rng, random_unit, random_word, reseed
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import ALONE, Job, TimeIsUp, Workers, is_past, uninterrupted, until
from damier.core.moves import each
from damier.core.past import Before, Line, advance, mark, rewind
from damier.core.player import drawn_move
from damier.core.rules import (
    CHANCE,
    AnyPast,
    Field,
    Moves,
    State,
    as_state,
    chance,
    most_moves,
    mover,
    moves,
    over,
    payoff,
)
from damier.core.tiers import Tier, seconds_left, tier
from damier.search.running import ENDLESS

# Monte Carlo tree search: UCT, with exact back-up where lines of the tree have come to their end
# (L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 [KocsisSzepesvari06];
# M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008 [Winands08]).
#
# A simulation selects its way down the tree, expands the position it comes to when it comes back to
# it, plays from there at random, and backs the payoffs up. Of the moves of a position it selects the
# one with the largest
#
#     mean payoff to the mover + c · spread · sqrt(ln(visits of the position) / visits of the move)
#
# The tree is a record of arrays; the moves of node i are the nodes first_child[i] … first_child[i] +
# child_count[i] - 1. A state is not kept: it is played anew.

PLIES = 1000
"""A simulation that is longer counts as a draw."""


class SearchTree(NamedTuple):
    """The tree.

    `total` is what the simulations through a node were worth to the player who moved there; `exact`
    to player 0, where `proven`.
    """

    move: Ints
    first_child: Ints
    child_count: Ints
    visits: Ints
    total: Floats
    proven: Ints
    exact: Floats


class Scratch(NamedTuple):
    """The way of one simulation, node by node, with the player who moved to each; what it was worth
    to each player; and the tree's own numbers.
    """

    path: Ints
    who: Ints
    payoffs: Floats
    # nodes in the tree; the largest payoff so far; whether one move that wins proves its position
    filled: Floats


FILLED, SPREAD, PROVES = 0, 1, 2


TreeColumns: TypeAlias = tuple[Ints, Ints, Ints, Ints, Floats, Ints, Floats]
ScratchColumns: TypeAlias = tuple[Ints, Ints, Floats, Floats]


def simulate(
    fields: tuple[Field, ...],
    times: int,
    players: int,
    c: float,
    columns: TreeColumns,
    room: ScratchColumns,
    rng: Rng,
    past: AnyPast,
) -> int:
    """Runs simulations on the arrays of a SearchTree and a Scratch; returns how many.

    It ends early where the tree is nearly full, where the root is proven, and where it misjudges.
    """
    tree, scratch, here = SearchTree(*columns), Scratch(*room), mark(past)
    for number in range(times):
        if scratch.filled[FILLED] + most_moves() > len(tree.move) or tree.proven[0] or misjudges(scratch):
            return number
        rewind(past, here)
        s, depth = select(as_state(fields), c * scratch.filled[SPREAD], tree, scratch, rng, past)
        rollout(scratch.path[depth], s, players, tree, scratch, rng, past)
        backpropagate(depth, players, tree, scratch)
    rewind(past, here)
    return times


def select(
    s: State, c: float, tree: SearchTree, scratch: Scratch, rng: Rng, past: AnyPast
) -> tuple[State, int]:
    """Goes down the tree to a position that is not expanded, or is settled; its state and its
    depth. One that was visited is expanded first.
    """
    node, depth = 0, 0
    scratch.path[0] = 0
    scratch.who[0] = CHANCE
    while not tree.proven[node]:
        if tree.child_count[node] == 0:
            if over(s) or tree.visits[node] == 0 or depth + 1 == len(scratch.path):
                break
            expand(node, moves(s), tree, scratch, rng)
        player = mover(s)
        node = sampled_child(node, s, tree, rng) if player == CHANCE else best_child(node, c, player, tree)
        s = advance(s, tree.move[node], past)
        depth += 1
        scratch.path[depth] = node
        scratch.who[depth] = player
    return s, depth


def misjudges(scratch: Scratch) -> bool:
    """Return whether a win was taken for the most that anybody can get, and then a larger payoff came."""
    return bool(scratch.filled[PROVES] > 0 and scratch.filled[SPREAD] > 1)


def expand(node: int, legal: Moves, tree: SearchTree, scratch: Scratch, rng: Rng) -> None:
    """Adds the moves of a position to the tree, in random order."""
    begin = int(scratch.filled[FILLED])
    end = begin
    for move in each(legal):
        place = begin + random_word(rng) % (end - begin + 1)
        tree.move[end] = tree.move[place]
        tree.move[place] = move
        end += 1
    scratch.filled[FILLED] = end
    tree.first_child[node] = begin
    tree.child_count[node] = end - begin


def best_child(node: int, c: float, player: int, tree: SearchTree) -> int:
    """The move that promises most: one that was never tried, or the largest upper bound."""
    begin = int(tree.first_child[node])
    best, high = begin, -1e300
    ln = log(tree.visits[node])
    for child in range(begin, begin + tree.child_count[node]):
        visits = tree.visits[child]
        if visits == 0:
            return child
        if tree.proven[child]:
            bound = tree.exact[child] if player == 0 else -tree.exact[child]
        else:
            bound = tree.total[child] / visits + c * sqrt(ln / visits)
        if bound > high:
            best, high = child, bound
    return best


def sampled_child(node: int, s: State, tree: SearchTree, rng: Rng) -> int:
    """A move at a chance node: `sample_chance` over the children in their own order, so that the
    same seed gives the same tree.
    """
    begin, end = int(tree.first_child[node]), int(tree.first_child[node] + tree.child_count[node])
    whole = 0.0
    for child in range(begin, end):
        whole += chance(s, tree.move[child])
    left = random_unit(rng) * whole
    for child in range(begin, end):
        left -= chance(s, tree.move[child])
        if left < 0:
            return child
    return end - 1


def rollout(
    node: int, s: State, players: int, tree: SearchTree, scratch: Scratch, rng: Rng, past: AnyPast
) -> None:
    """Plays from the end of the way in the tree to the end of the game, and writes what it was
    worth.
    """
    if tree.proven[node]:
        scratch.payoffs[0], scratch.payoffs[1] = tree.exact[node], -tree.exact[node]
        return
    ended = over(s)
    plies = 0
    while plies < PLIES and not over(s):
        s = advance(s, drawn_move(s, moves(s), rng), past)
        plies += 1
    finished = over(s)
    for player in range(players):
        value = float(payoff(s, player)) if finished else 0.0
        scratch.payoffs[player] = value
        scratch.filled[SPREAD] = max(scratch.filled[SPREAD], abs(value))
    if ended and scratch.filled[PROVES] >= 0:
        tree.proven[node] = 1
        tree.exact[node] = scratch.payoffs[0]


def backpropagate(depth: int, players: int, tree: SearchTree, scratch: Scratch) -> None:
    """Adds what a simulation was worth to every node of its way, and proves the positions that it
    settles.
    """
    settles = tree.proven[scratch.path[depth]] and players == 2
    for step in range(depth, -1, -1):
        node = scratch.path[step]
        if settles and step < depth and not prove(node, scratch.who[step + 1], tree, scratch):
            settles = False
        if settles:
            scratch.payoffs[0], scratch.payoffs[1] = tree.exact[node], -tree.exact[node]
        tree.visits[node] += 1
        if scratch.who[step] != CHANCE:
            tree.total[node] += scratch.payoffs[scratch.who[step]]


def prove(node: int, player: int, tree: SearchTree, scratch: Scratch) -> bool:
    """Return whether the moves of a position settle it: one of them wins, or all of them are proven."""
    if player == CHANCE:
        return False
    side = 1.0 if player == 0 else -1.0
    best = -1e300
    all_proven = True
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        if tree.proven[child]:
            best = max(best, side * tree.exact[child])
        else:
            all_proven = False
    if all_proven or (scratch.filled[PROVES] > 0 and best >= 1.0):
        tree.proven[node] = 1
        tree.exact[node] = side * best
        return True
    return False


# A tree of Monte Carlo tree search under way: its arrays, which grow, and its random numbers.

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
    """A tree under way, in one of the two worlds.

    Attributes:
        stream: which random numbers of the seed it draws
        root: the only moves that are looked at in the position itself; none: all
        stopping: set from another thread: it grows no further
    """

    game: Game
    state: State
    seed: int
    c: float
    jit: bool
    before: Before = ()
    stream: int = 0
    root: tuple[int, ...] = ()
    stopping = False

    def __post_init__(self) -> None:
        players, jit = self.game.players, self.jit
        self.arrays = SearchTree._make(zeros(ROOM, kind, jit) for kind in TREE_KINDS)
        self.scratch = Scratch(
            ints(PLIES, jit), ints(PLIES, jit), floats(max(2, players), jit), floats(3, jit)
        )
        self.rng = words(1, jit)
        reseed(self.rng, self.seed, self.stream)
        numbers = self.scratch.filled
        numbers[FILLED], numbers[SPREAD] = 1 + len(self.root), 1.0
        if self.root:
            self.arrays.first_child[0], self.arrays.child_count[0] = 1, len(self.root)
            self.arrays.visits[0] = 1  # as one that was visited, and then expanded
            for child, move in enumerate(self.root, 1):
                self.arrays.move[child] = move
        numbers[PROVES] = -1 if players != 2 or self.game.stochastic or not self.game.zero_sum else 1
        self.done, self.seconds = 0, 0.0
        self._bind()

    def _bind(self) -> None:
        self._chunk = FIRST[self.jit]
        self._line = Line(self.game, self.state, self.before, plies=2 * PLIES, jit=self.jit)
        self._engine = instantiate(simulate, self.game, jit=self.jit)

    def compile(self) -> None:
        """Goes over to compiled code with all that has grown so far."""
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
        while times > 0 and not self.stopping and not is_past(deadline):
            iterations = min(times, self._chunk)
            begun = time.perf_counter()
            done = self.run(iterations)
            times -= done
            seconds = time.perf_counter() - begun
            self.seconds += seconds
            if done < iterations:
                break
            self._chunk = max(1, int(iterations * min(2.0, SECONDS / max(seconds, 1e-9))))
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
    return np.zeros(n, kind)


def doubled(column: Ints | Floats) -> Ints | Floats:
    """A column with twice the room; the new half is 0."""
    if isinstance(column, list):
        return column + [0] * len(column)
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
    trees: int = 1,
    root: tuple[int, ...] = (),
) -> Analysis:
    """Grows a tree by `simulations` (None: as many as the limit lets it), or until the time or the
    nodes of `limit` are spent, or the root is proven. Several `trees` share all that (`forest`), and are
    grown by the cores of the job. Of the moves of `s` only those of `root` are looked at, where it has any.

    The same seed gives the same answer, unless the clock stopped it, however many cores there are. Raises
    Unsuitable for games of imperfect information, LimitReached beyond the memory budget.
    """
    require(game, "mcts", PERFECT_INFORMATION)
    begun = time.perf_counter()
    chosen = limit or Limit()
    chosen_job = job or Job()
    if game.over(s):
        value = plain_number(game.payoff(s, max(0, int(game.mover(s)))))
        return Analysis(
            game, s, "mcts", value, {}, 0, 1, None, 0, True, False, False, time.perf_counter() - begun
        )
    most = ENDLESS if simulations is None else simulations
    forest, interrupted = grown(
        lambda jit, number: GrowingTree(game, s, seed, c, jit, before, number, root),
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
    children = children_of(arrays, 0)
    values = {child: value_of(arrays, child, me) for child in children if arrays.visits[child]}
    best = [] if player < 0 else best_children(arrays, values)
    value = values[best[0]] if best else float(arrays.total[0]) / max(1, tree.done)
    if player < 0:
        value = sum(float(arrays.visits[child]) * mean for child, mean in values.items()) / max(
            1, sum(int(arrays.visits[child]) for child in values)
        )
    unvisited = 0 if player < 0 else game.moves(s)  # where no move has been simulated yet
    return Analysis(
        game,
        s,
        "mcts",
        plain_number(value),
        {
            int(arrays.move[child]): plain_number(mean)
            for child, mean in sorted(values.items(), key=lambda item: int(arrays.move[item[0]]))
        },
        game.gathered(int(arrays.move[child]) for child in best) or unvisited,
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


def value_of(arrays: SearchTree, child: int, me: int) -> float:
    """Return what a move of the root is worth to player `me`: exact where it is proven, else the mean of
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
        below = children_of(arrays, node)
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
                if is_past(deadline):
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
        return tree.simulate(min(CHUNK[self.jit], self._simulations[number] - tree.done), self._job, deadline)

    def _side_by_side(self, growing: list[int], workers: Workers, deadline: float | None) -> list[bool]:
        try:
            begun = [workers.begin(partial(self._grow, number, deadline)) for number in growing]
            return [goes_on() for goes_on in begun]
        except BaseException:
            for tree in self.trees:
                tree.stopping = True
            raise


def _rises(rising: Tier, forest: Forest, simulations: int, deadline: float | None, job: Job) -> bool:
    """Return whether to go on compiled: what is left is estimated by what plain Python took so far, in this
    decision and in those before it, which others are expected to follow.
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
    children = {int(arrays.move[child]): child for child in children_of(arrays, 0)}
    for tree in trees:
        if tree is whole or not tree.done:
            continue
        own = tree.arrays
        pairs = [(0, 0), *((children[int(own.move[child])], child) for child in children_of(own, 0))]
        for here, there in pairs:
            arrays.visits[here] += own.visits[there]
            arrays.total[here] += own.total[there]
            if own.proven[there]:
                arrays.proven[here], arrays.exact[here] = 1, own.exact[there]
        whole.done += tree.done
        whole.scratch.filled[FILLED] += tree.filled
    return whole


def children_of(arrays: SearchTree, node: int) -> range:
    """The nodes that the moves of a node lead to."""
    first = int(arrays.first_child[node])
    return range(first, first + int(arrays.child_count[node]))
