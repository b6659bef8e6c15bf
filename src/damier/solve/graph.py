"""All positions of a game with their moves, children before parents: what policies are graded on.

Position i has the moves first[i]:first[i + 1]; move e is moves[e] and leads to child[e]. Where
positions can come back to one another, these are together, after all others that they lead to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from damier.core.arrays import Floats, IntArray, Ints, floats, ints
from damier.core.codes import code_at
from damier.core.compile import Bindings, E, instantiate
from damier.core.game import Game
from damier.core.job import Job, in_order, patient
from damier.core.moves import count_moves, each
from damier.core.open_addressing import Index, listed, number_of
from damier.core.rules import CHANCE, ONGOING, State, chance, mover, moves, outcome, over, payoff, play, unkey
from damier.core.tiers import Allowance
from damier.solve.reach import (
    NOT_ZERO_SUM,
    PURE_STATES,
    WEIGHTS,
    check,
    code,
    in_units,
    numbered,
    require_allowed,
)


@dataclass
class Graph:
    """Positions and moves by their numbers.

    A position is as `unkey` reads it: its key compiled, itself in plain Python.

    Attributes:
        states: [positions] the positions, or [positions, words]; the start is number 0
        first: [positions + 1] the number of the first move of each position
        moves: [moves] the moves
        child: the positions that they lead to
        movers: [positions] who is to move
        ends: the payoffs to player 0 where the game is over, 0 elsewhere
        order: [positions] every position after its children; the start is the last
        cyclic: whether a position can come back
        most: the largest payoff, or loss; 1 where ends are wins, draws and losses
        odds: [moves] how likely a throw of the die is, 0 for what is no throw; empty in games without dice
        component: [positions] which positions can come back to one another: they have one number; empty where
            none can
        drawn: whether an end is a draw, or play need not end
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
    most: int
    odds: Floats
    component: Ints
    drawn: bool

    def __len__(self) -> int:
        return len(self.states)

    def listed(self) -> Iterator[State]:
        """The positions, as states."""
        if isinstance(self.states, list):
            yield from self.states
        else:
            yield from map(self.game.unkey, listed(self.states))

    @property
    def columns(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return order, first, child and movers: what most engines go over."""
        return self.order, self.first, self.child, self.movers

    @property
    def in_payoffs(self) -> bool:
        """Return whether positions are worth payoffs, not just wins, draws and losses."""
        return self.most > 1 or self.game.stochastic

    def ints(self, n: int) -> Ints:
        """Room for n ints, all 0."""
        return ints(n, self.jit)

    def floats(self, n: int) -> Floats:
        """Room for n real numbers, all 0."""
        return floats(n, self.jit)

    def engine(self, function: E, bind: Bindings | None = None) -> E:
        """A function bound to the game of this graph, at its speed, that can be left at Ctrl-C."""
        return whole(function, self.game, len(self), self.jit, bind or {})


PART = 1 << 16
"""Positions that a core lists the moves of in one go: short for Ctrl-C."""
LONG = 100_000
"""Positions that an engine takes some hundredths of a second to go over: below, a thread costs more."""


def whole(function: E, game: Game, positions: int, jit: bool, bind: Bindings) -> E:
    """An engine that goes over all positions in one call; compiled, it can be left at Ctrl-C."""
    engine = instantiate(function, game, jit=jit, bind=bind if jit else PURE_STATES | bind)
    return patient(engine) if jit and positions >= LONG else engine


def graph(
    game: Game,
    job: Job,
    *,
    jit: bool,
    start: State | None = None,
    allowance: Allowance | None = None,
    units: bool | None = None,
) -> Graph:
    """All positions from `start` on, the first of the game by default.

    Args:
        units: whether ends are payoffs of any size (`damier.solve.reach`); found out by default

    Raises LimitReached beyond the memory budget, reach.TooMany where the allowance ends.
    """
    in_payoffs = in_units(game) if units is None else units
    ending: Bindings = (
        {} if not in_payoffs else {end_to_first: (payoff_alone if game.players == 1 else payoff_to_first)}
    )
    root = game.start if start is None else start
    found, table, _by_ply = numbered(game, root, job, jit=jit, allowance=allowance)
    n = len(found)
    first, movers, ends, limits = ints(n + 1, jit), ints(n, jit), ints(n, jit), ints(3, jit)
    whole(count_edges, game, n, jit, ending)(table, n, first, movers, ends, limits)
    check(game, limits)
    edges = int(first[n])
    job.require(bytes_of(n, edges, game), [n])
    moves_, child = ints(edges, jit), ints(edges, jit)
    _list_moves(game, table, n, jit, job, first, moves_, child)
    require_allowed(allowance, n)
    odds = floats(edges if game.stochastic else 0, jit)
    if game.stochastic:
        whole(list_odds, game, n, jit, {})(table, n, first, movers, moves_, odds, limits)
        check(game, limits)
        require_allowed(allowance, n)
    order, at, path, visited = ints(n, jit), ints(n, jit), ints(n, jit), ints(n, jit)
    cyclic = not whole(children_first, game, n, jit, {})(n, first, child, order, at, path, visited)
    require_allowed(allowance, n)
    component = ints(n if cyclic else 0, jit)
    if cyclic:
        kept = ints(edges, jit)
        whole(keep_all, game, n, jit, {})(kept)
        whole(strongly_connected, game, n, jit, {})(
            first, child, kept, order, component, at, visited, ints(n, jit), path, ints(n, jit)
        )
    most = max(1, int(limits[0]))
    drawn = cyclic or bool(limits[1])
    return Graph(
        game, jit, found, first, moves_, child, movers, ends, order, cyclic, most, odds, component, drawn
    )


def bytes_of(positions: int, edges: int, game: Game) -> int:
    """Return what a graph takes, and one pass over it at a time."""
    return 8 * ((11 + game.key_words) * positions + 4 * edges)


def _list_moves(
    game: Game, table: Index, n: int, jit: bool, job: Job, first: Ints, listed: Ints, child: Ints
) -> None:
    """Lists the moves, the cores a part of the positions each."""
    run = instantiate(list_moves, game, jit=jit, bind={} if jit else PURE_STATES)

    def part(begin: int) -> None:
        run(table, begin, min(begin + PART, n), first, listed, child)

    for _done in in_order(job.jobs if jit else 1, part, range(0, n, PART)):
        pass


def end_to_first(s: State, limits: Ints) -> int:
    """ONGOING, or what the end of a game is worth to player 0; one that is no win, draw or loss is
    noted in limits[2].
    """
    end = outcome(s)
    if end == ONGOING:
        return end
    if end < -1 or end > 1:
        limits[2] = 1
    return end if mover(s) == 0 else -end


def payoff_to_first(s: State, limits: Ints) -> int:
    """ONGOING, or the payoff to player 0; the largest of all is kept in limits[0]."""
    if not over(s):
        return ONGOING
    end = payoff(s, 0)
    if payoff(s, 1) != -end:
        limits[2] = NOT_ZERO_SUM
    limits[0] = max(limits[0], abs(end))
    return end


def payoff_alone(s: State, limits: Ints) -> int:
    """`payoff_to_first`, of a game of one player."""
    if not over(s):
        return ONGOING
    end = payoff(s, 0)
    limits[0] = max(limits[0], abs(end))
    return end


def count_edges(table: Index, n: int, first: Ints, movers: Ints, ends: Ints, limits: Ints) -> None:
    """Fills first (running sums of the numbers of moves), movers and ends; an end that is a draw is noted in
    limits[1].
    """
    total = 0
    for index in range(n):
        s = unkey(code_at(table[0], index))
        first[index] = total
        movers[index] = mover(s)
        end = end_to_first(s, limits)
        if end == ONGOING:
            total += count_moves(moves(s))
        else:
            ends[index] = end
            if end == 0:
                limits[1] = 1
    first[n] = total


def list_odds(
    table: Index, n: int, first: Ints, movers: Ints, listed: Ints, odds: Floats, limits: Ints
) -> None:
    """Fills how likely each throw of a die is; weights that are none are noted in limits[2]."""
    for index in range(n):
        if movers[index] == CHANCE:
            s = unkey(code_at(table[0], index))
            total = 0.0
            for edge in range(first[index], first[index + 1]):
                odds[edge] = chance(s, listed[edge])
                total += odds[edge]
                if not odds[edge] >= 0:
                    limits[2] = WEIGHTS
            if not total > 0 and first[index] < first[index + 1]:
                limits[2] = WEIGHTS
                total = 1.0
            for edge in range(first[index], first[index + 1]):
                odds[edge] /= total


def list_moves(table: Index, begin: int, stop: int, first: Ints, listed: Ints, child: Ints) -> None:
    """Fills the moves of some positions and where they lead."""
    for index in range(begin, stop):
        if first[index] < first[index + 1]:
            s = unkey(code_at(table[0], index))
            edge = first[index]
            for move in each(moves(s)):
                listed[edge] = move
                child[edge] = number_of(table, code(play(s, move)))
                edge += 1


def keep_all(kept: Ints) -> None:
    """All moves count."""
    for edge in range(len(kept)):
        kept[edge] = 1


def children_first(
    n: int, first: Ints, child: Ints, order: Ints, at: Ints, path: Ints, visited: Ints
) -> bool:
    """Orders the positions that follow position 0 depth-first, each after its children; False where
    a path comes back to itself.

    at: the next move of a position on the path. seen: 0 new, 1 on the path, 2 done.
    """
    written, depth = 0, 1
    visited[0] = 1
    at[0] = first[0]
    while depth > 0:
        here = path[depth - 1]
        if at[here] == first[here + 1]:
            visited[here] = 2
            order[written] = here
            written += 1
            depth -= 1
        else:
            following = child[at[here]]
            at[here] += 1
            if visited[following] == 1:
                return False
            if visited[following] == 0:
                visited[following] = 1
                at[following] = first[following]
                path[depth] = following
                depth += 1
    return True


# Strongly connected components (R. Tarjan, "Depth-first search and linear graph algorithms", 1972
# [Tarjan72]): which positions can come back to one another, as an engine over the arrays of a graph.


class ComponentScratch(NamedTuple):
    """Memory of the search for every position.

    Attributes:
        at: the next move of a position on the path
        visited: in which order it was met, 0 if it was not
        low: the earliest position that it can come back to, by that order
        path: the positions from the root to here
        open_: those met whose component is not complete
    """

    at: Ints
    visited: Ints
    low: Ints
    path: Ints
    open_: Ints


def strongly_connected(
    first: Ints,
    child: Ints,
    kept: Ints,
    order: Ints,
    component: Ints,
    at: Ints,
    visited: Ints,
    low: Ints,
    path: Ints,
    open_: Ints,
) -> int:
    """Numbers the components from 1 on, each after those that it leads to; returns how many there are.

    Only moves e with kept[e] count. order: the positions, component after component; component: the
    number of each. The rest is scratch (`ComponentScratch`).
    """
    written, met, found = 0, 0, 0
    for root in range(len(component)):
        visited[root] = 0
        component[root] = 0
    for root in range(len(component)):
        if visited[root]:
            continue
        met += 1
        visited[root], low[root], at[root], path[0], open_[0] = met, met, first[root], root, root
        depth, waiting = 1, 1
        while depth > 0:
            here = path[depth - 1]
            if at[here] < first[here + 1]:
                edge = at[here]
                at[here] += 1
                following = child[edge]
                if not kept[edge]:
                    continue
                if not visited[following]:
                    met += 1
                    visited[following], low[following], at[following] = met, met, first[following]
                    path[depth], open_[waiting] = following, following
                    depth, waiting = depth + 1, waiting + 1
                elif not component[following]:
                    low[here] = min(low[here], visited[following])
            else:
                depth -= 1
                if depth > 0:
                    low[path[depth - 1]] = min(low[path[depth - 1]], low[here])
                if low[here] == visited[here]:
                    found += 1
                    member = -1
                    while member != here:
                        waiting -= 1
                        member = open_[waiting]
                        component[member] = found
                        order[written] = member
                        written += 1
    return found
