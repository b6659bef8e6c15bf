"""Monte Carlo tree search: UCT, with exact back-up where lines of the tree have come to their end
(L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 [KocsisSzepesvari06];
M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008 [Winands08]).

A simulation selects its way down the tree, expands the position it comes to when it comes back to
it, plays from there at random, and backs the payoffs up. Of the moves of a position it selects the
one with the largest

    mean payoff to the mover + c · spread · sqrt(ln(visits of the position) / visits of the move)

The tree is a record of arrays; the moves of node i are the nodes first_child[i] … first_child[i] +
child_count[i] - 1. A state is not kept: it is played anew.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple, TypeAlias

from damier.core.arrays import Floats, Ints, floats, ints, words
from damier.core.bits import Rng, random_unit, random_word, reseed
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import Job, uninterrupted
from damier.core.moves import each, random_move
from damier.core.past import AnyPast, Before, Line, advance, mark, rewind
from damier.core.player import sample_chance
from damier.core.rules import (
    CHANCE,
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
    """Whether a win was taken for the most that anybody can get, and then a larger payoff came."""
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
        if mover(s) == CHANCE:
            s = advance(s, sample_chance(s, moves(s), rng), past)
        else:
            s = advance(s, random_move(rng, moves(s)), past)
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
    """Whether the moves of a position settle it: one of them wins, or all of them are proven."""
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

    stream    which random numbers of the seed it draws
    stopping  set from another thread: it grows no further
    """

    game: Game
    state: State
    seed: int
    c: float
    jit: bool
    before: Before = ()
    stream: int = 0
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
        while times > 0 and not self.stopping and (deadline is None or time.perf_counter() < deadline):
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
