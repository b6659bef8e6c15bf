"""All positions of a game with their moves, children before parents: what policies are graded on.

Position i has the moves first[i]:first[i + 1]; move e is moves[e] and leads to child[e]. Where
positions can come back to one another, these are together, after all others that they lead to.
"""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.arrays import Floats, IntArray, Ints, floats, ints
from damier.core.compile import Bindings, E, instantiate
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import count_moves, each
from damier.core.numbering import Index, number_of, plain_index
from damier.core.patience import patient
from damier.core.rules import ONGOING, State, mover, moves, outcome, play, unkey
from damier.solve.components import strongly_connected
from damier.solve.depth_first import check
from damier.solve.reach import PURE_STATES, code, numbered, pure_layers


@dataclass
class Graph:
    """Positions and moves by their numbers.

    A position is as `unkey` reads it: its key compiled, itself in plain Python.

    states   [positions] the positions; the start is number 0
    first    [positions + 1] the number of the first move of each position
    moves    [moves] the moves; child: the positions that they lead to
    movers   [positions] who is to move; ends: the payoffs to player 0 where the game is over, 0
             elsewhere
    order    [positions] every position after its children; the start is the last
    cyclic   whether a position can come back
    """

    game: Game
    jit: bool
    states: IntArray | list[State]
    first: Ints
    moves: Ints
    child: Ints
    movers: Ints
    ends: Ints
    order: Ints
    cyclic: bool

    def __len__(self) -> int:
        return len(self.states)

    def ints(self, n: int) -> Ints:
        """Room for n ints, all 0."""
        return ints(n, self.jit)

    def floats(self, n: int) -> Floats:
        """Room for n real numbers, all 0."""
        return floats(n, self.jit)

    def engine(self, function: E, bind: Bindings | None = None) -> E:
        """A function bound to the game of this graph, at its speed, that can be left at Ctrl-C."""
        return whole(function, self.game, len(self), self.jit, bind or {})


LONG = 100_000
"""Positions that an engine takes some hundredths of a second to go over: below, a thread costs more."""


def whole(function: E, game: Game, positions: int, jit: bool, bind: Bindings) -> E:
    """An engine that goes over all positions in one call; compiled, it can be left at Ctrl-C."""
    engine = instantiate(function, game, jit=jit, bind=bind if jit else PURE_STATES | bind)
    return patient(engine) if jit and positions >= LONG else engine


def graph(game: Game, job: Job, *, jit: bool, start: State | None = None) -> Graph:
    """All positions from `start` on, the first of the game by default.

    Raises LimitReached beyond the memory budget.
    """
    found, n, table = _numbered(game, game.start if start is None else start, job, jit)
    first, movers, ends, limits = ints(n + 1, jit), ints(n, jit), ints(n, jit), ints(3, jit)
    whole(count_edges, game, n, jit, {})(table, n, first, movers, ends, limits)
    check(game, limits)
    edges = int(first[n])
    job.require(8 * (12 * n + 4 * edges), [n])
    moves_, child = ints(edges, jit), ints(edges, jit)
    whole(list_moves, game, n, jit, {})(table, n, first, moves_, child)
    order, at, path, seen = ints(n, jit), ints(n, jit), ints(n, jit), ints(n, jit)
    cyclic = not whole(children_first, game, n, jit, {})(n, first, child, order, at, path, seen)
    if cyclic:
        kept, component = ints(edges, jit), ints(n, jit)
        for edge in range(edges):
            kept[edge] = 1
        whole(strongly_connected, game, n, jit, {})(
            first, child, kept, order, component, at, seen, ints(n, jit), path, ints(n, jit)
        )
    return Graph(game, jit, found, first, moves_, child, movers, ends, order, cyclic)


def _numbered(game: Game, start: State, job: Job, jit: bool) -> tuple[IntArray | list[State], int, Index]:
    """All positions, how many there are, and the table that numbers them."""
    if not jit:
        states = [s for layer in pure_layers(game, start, job) for s in layer]
        return states, len(states), plain_index(states)
    table, _by_ply = numbered(game, start, job)
    return table[0], len(table[0]), table


def count_edges(table: Index, n: int, first: Ints, movers: Ints, ends: Ints, limits: Ints) -> None:
    """Fills first (running sums of the numbers of moves), movers and ends."""
    total = 0
    for index in range(n):
        s = unkey(table[0][index])
        first[index] = total
        movers[index] = mover(s)
        end = outcome(s)
        if end == ONGOING:
            total += count_moves(moves(s))
        else:
            if end < -1 or end > 1:
                limits[2] = 1
            ends[index] = end if movers[index] == 0 else -end
    first[n] = total


def list_moves(table: Index, n: int, first: Ints, listed: Ints, child: Ints) -> None:
    """Fills the moves of every position and where they lead."""
    for index in range(n):
        if first[index] < first[index + 1]:
            s = unkey(table[0][index])
            edge = first[index]
            for move in each(moves(s)):
                listed[edge] = move
                child[edge] = number_of(table, code(play(s, move)))
                edge += 1


def children_first(n: int, first: Ints, child: Ints, order: Ints, at: Ints, path: Ints, seen: Ints) -> bool:
    """Orders the positions that follow position 0 depth-first, each after its children; False where
    a path comes back to itself.

    at: the next move of a position on the path. seen: 0 new, 1 on the path, 2 done.
    """
    written, depth = 0, 1
    seen[0] = 1
    at[0] = first[0]
    while depth > 0:
        here = path[depth - 1]
        if at[here] == first[here + 1]:
            seen[here] = 2
            order[written] = here
            written += 1
            depth -= 1
        else:
            following = child[at[here]]
            at[here] += 1
            if seen[following] == 1:
                return False
            if seen[following] == 0:
                seen[following] = 1
                at[following] = first[following]
                path[depth] = following
                depth += 1
    return True
