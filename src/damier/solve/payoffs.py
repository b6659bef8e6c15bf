"""Games solved in the units of their payoffs (`damier.solve.units`): margins by the methods of wins
and losses, where these serve; else all positions as a graph.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, NamedTuple

from damier.core.arrays import Floats, Ints
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.interruptible import patiently
from damier.core.job import Job
from damier.core.open_addressing import ascending
from damier.core.rules import State
from damier.core.solution import EXPECTED_TYPE, KeyTable, Kind, ScoreStore, StateTable, ValueSolution
from damier.core.tiers import Allowance, Outgrown, run_tiered, tier
from damier.solve import depth_first, expected, layers, reach
from damier.solve.graph import Graph, graph
from damier.solve.perft import prepared
from damier.solve.units import LargePayoffs

if TYPE_CHECKING:
    from damier.solve.dispatch import Method


GRAPH_BYTES = 192
"""Bytes that a position of a graph takes, with some moves, beside its key."""


class FoundPayoffs(NamedTuple):
    """What a `ValueSolution` says beside its game."""

    table: ScoreStore[float]
    method: str
    cyclic: bool = False
    kind: Kind = "margin"
    bound: float = 0.0
    endless: bool = False


def solved(game: Game, root: State, job: Job, method: Method | None, bound: float) -> ValueSolution:
    """The payoff of every position that can follow `root`. Raises LimitReached."""
    begun = time.perf_counter()

    def compiled(start: State, job: Job) -> FoundPayoffs:
        return _compiled(game, start, job, method, bound)

    def plain(allowance: Allowance) -> FoundPayoffs:
        held = job.memory // reach.PURE_BYTES
        try:
            return _pure(game, root, job, method, bound, allowance.at_most(held))
        except reach.TooMany:
            if allowance.spent(held):
                raise Outgrown from None
            job.require(job.memory + 1, _growth(game, root, job))
            raise

    rising = tier(game, ("payoffs", method), prepared(compiled, game))
    found = run_tiered(rising, job, plain, lambda: compiled(root, job))
    return ValueSolution(game, root, *found, seconds=time.perf_counter() - begun)


def _growth(game: Game, root: State, job: Job) -> list[int]:
    """How the positions grow by ply, as far as the budget lets them be counted."""
    by_ply: list[int] = []
    with contextlib.suppress(LimitReached):
        by_ply.extend(len(layer) for layer in reach.pure_layers(game, root, job))
    return by_ply


def is_whole(game: Game, method: Method | None) -> bool:
    """Whether a game is tried by the methods of wins and losses, whose payoffs are whole."""
    return game.players == 2 and not game.stochastic and method != "retrograde"


def _pure(
    game: Game, root: State, job: Job, method: Method | None, bound: float, allowance: Allowance
) -> FoundPayoffs:
    if is_whole(game, method):
        try:
            return FoundPayoffs(depth_first.pure(game, root, allowance, units=True), "depth-first")
        except (depth_first.TooDeep, LargePayoffs):
            pass
    return _by_graph(graph(game, job, jit=False, start=root, allowance=allowance, units=True), bound)


def _compiled(game: Game, root: State, job: Job, method: Method | None, bound: float) -> FoundPayoffs:
    if is_whole(game, method):
        try:
            by_layers = method == "layers" or (method is None and reach.sorts(game))
            solver = layers.compiled if by_layers else depth_first.compiled
            return FoundPayoffs(solver(game, root, job, units=True), "layers" if by_layers else "depth-first")
        except (depth_first.TooDeep, LargePayoffs):
            pass
        except reach.TooMany:
            job.require(job.memory + 1, [len(layer) for layer in reach.layers(game, root, job)])
            raise
    return _by_graph(graph(game, job, jit=True, start=root, units=True), bound)


def _by_graph(positions: Graph, bound: float) -> FoundPayoffs:
    """The payoffs of a graph."""
    values, apart, method = expected.payoffs(positions, bound)
    endless = positions.cyclic and expected.can_go_round(positions)
    return FoundPayoffs(
        _stored(positions, values), method, positions.cyclic, kind_of(positions), apart, endless
    )


def _stored(positions: Graph, values: Floats) -> ScoreStore[float]:
    """The payoffs by state."""
    if isinstance(positions.states, list):
        return StateTable(dict(zip(positions.states, values, strict=True)), EXPECTED_TYPE)
    import numpy as np

    keys, payoffs = positions.states, np.asarray(values)
    order = patiently(lambda: ascending(keys))
    return KeyTable(positions.game, keys[order], payoffs[order], (0, len(keys)))


def kind_of(positions: Graph) -> Kind:
    """How the payoffs of a game are said."""
    if not positions.game.stochastic:
        return "payoff" if positions.game.players == 1 else "margin"
    return "chance" if positions.engine(always_won)(positions.first, positions.ends) else "mean"


def always_won(first: Ints, ends: Ints) -> bool:
    """Whether every end is worth 1 or -1."""
    for here in range(len(ends)):
        if first[here] == first[here + 1] and ends[here] != 1 and ends[here] != -1:
            return False
    return True
