"""Dispatch of games to the methods that solve them exactly.

wins, draws and losses, with distances:

few positions                depth-first in plain Python: no compiler to wait for
moves that advance a ply     layer by layer, sorted, where a key is one word
any other game               depth-first with a table
a position can come back     retrograde

The cores of a job share layers, of the search for them and of their scores (docs/decisions/0061); retrograde
has a second one sort and look for cycles (0068), depth-first runs on one.

payoffs of any size, chance nodes, one player (docs/decisions/0052): the first two of these in the
units of the payoffs, and else the graph of all positions (`damier.solve.expected`)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sized
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from damier.core.analysis import PERFECT_INFORMATION, ZERO_SUM, Requirement, require
from damier.core.arrays import Floats, Ints, np
from damier.core.errors import BadInput, LimitReached, Unsuitable
from damier.core.game import Game, first_state
from damier.core.job import Job, gib, patiently
from damier.core.open_addressing import ascending
from damier.core.rules import State
from damier.core.solution import (
    EXPECTED_TYPE,
    AnySolution,
    KeyTable,
    Kind,
    N,
    ScoreStore,
    Solution,
    StateTable,
    ValueSolution,
)
from damier.core.tiers import Allowance, Outgrown, run_tiered, tier
from damier.core.words import N_, _, in_short, message
from damier.solve import depth_first, reach
from damier.solve.reach import BOUND, BeyondWins, LargePayoffs, in_units, layers as layers_of, prepared

if TYPE_CHECKING:
    from damier.solve.graph import Graph

# The methods are imported where one is used, but for the first that is tried.

Method: TypeAlias = Literal["depth-first", "layers", "retrograde"]
Result = TypeVar("Result")

BYTES_OF_WORD, BYTES_OF_SCORE = 8, 8


def solve(
    game: Game,
    start: State | None = None,
    job: Job | None = None,
    method: Method | None = None,
    *,
    bound: float = BOUND,
) -> AnySolution:
    """The value and the distance of every position that can follow `start` (default: the first of
    the game); a `ValueSolution` of a game whose values are payoffs (`damier.solve.reach`), which are
    no farther than `bound` from the right ones.

    Raises Unsuitable for a game of another kind (imperfect information, more than two players, not
    zero-sum), LimitReached where the memory budget of the job does not suffice. `method` forces one
    of the three; depth-first still leaves games with cycles to retrograde.
    """
    job, root = job or Job(), first_state(game, start)
    if method not in (None, *get_args(Method)):
        raise BadInput(
            message("method={method}; methods: {methods}", method=method, methods=" ".join(get_args(Method)))
        )
    if method == "layers" and not game.advances:
        raise Unsuitable(
            message("layers needs a ply that every move advances; {game} gives none", game=game.text)
        )
    if method == "layers" and not reach.sorts(game):
        raise Unsuitable(
            message(
                "layers sorts keys of one word, and a position of {game} takes {n}: depth-first solves it;"
                " give that, or no method",
                game=game.text,
                n=game.key_words,
            )
        )
    if method == "layers" and job.jit is False:
        raise Unsuitable(message("layers runs compiled only; give another method, or none"))
    if method == "layers":
        job = replace(job, jit=True)
    refuse_unsuitable(game, "solve")
    if start is None or start == game.start:
        refuse_too_large(game, job, bytes_of(game))
    note_no_past(game, job)
    begun = time.perf_counter()
    if not in_units(game):
        try:
            wins = _pure_or_compiled(game, root, job, ("solve", method), partial(_by_wins, game, method))
            return Solution(game, root, wins.table, wins.method, wins.cyclic, time.perf_counter() - begun)
        except BeyondWins:
            refuse_unsuitable(game, "solve")
    found = _pure_or_compiled(game, root, job, ("payoffs", method), partial(_by_payoffs, game, method, bound))
    return ValueSolution(game, root, *found, seconds=time.perf_counter() - begun)


def note_no_past(game: Game, job: Job) -> None:
    """Notes that positions are taken by themselves, where a game asks what was before them."""
    if game.has_past:
        job.note(
            _(
                "{game}: what was before (repetition, superko, moves without progress) is not looked at"
                " here; every position is taken by itself",
                game=game.text,
            )
        )


def bytes_of(game: Game) -> int:
    """Bytes that a position takes at least, by the method that serves the game."""
    by_graph = game.stochastic or game.players == 1
    return BYTES_OF_WORD * game.key_words + GRAPH_BYTES if by_graph else least_bytes(game)


def least_bytes(game: Game) -> int:
    """Bytes that a position takes at least: the words of its key, and a score with room to spare."""
    return BYTES_OF_WORD * game.key_words + BYTES_OF_SCORE


ONE_OR_TWO_PLAYERS = Requirement(
    lambda game: game.players <= 2,
    N_("{work} handles games of one or two players; {game} has {n}: maxn handles more"),
)


def refuse_unsuitable(game: Game, work: str) -> None:
    """Raises Unsuitable, by name, where exact values do not exist for a game."""
    require(game, work, ONE_OR_TWO_PLAYERS, PERFECT_INFORMATION, ZERO_SUM)


def refuse_too_large(game: Game, job: Job, bytes_a_position: int | None = None) -> None:
    """Raises LimitReached where the game's own bound on its positions is beyond the memory budget."""
    bytes_a_position = bytes_a_position or least_bytes(game)
    if game.states is not None and game.states * bytes_a_position > job.memory:
        raise LimitReached(
            message(
                "{game} has up to {states} positions, {need} at {bytes} bytes each; the memory budget is"
                " {budget} (--memory)",
                game=game.text,
                states=in_short(game.states),
                need=gib(game.states * bytes_a_position),
                bytes=bytes_a_position,
                budget=gib(job.memory),
            ),
            {"states": game.states, "memory": job.memory},
        )


def _pure_or_compiled(
    game: Game,
    start: State,
    job: Job,
    engines: Hashable,
    work: Callable[[State, Job, Allowance | None], Result],
) -> Result:
    """Return what some work finds in plain Python, as far as its allowance lets it come, or else compiled,
    where it has none. Raises LimitReached.
    """

    def attempt(jit: bool, allowance: Allowance) -> Result:
        if jit:
            return work(start, job, None)
        held = job.memory // reach.PURE_BYTES
        try:
            return work(start, job, allowance.at_most(held))
        except reach.TooMany:
            if allowance.spent(held):
                raise Outgrown from None
            raise _out_of_memory(reach.pure_layers(game, start, job), job) from None

    prepare = prepared(lambda start, job: work(start, job, None), game)
    return run_tiered(tier(game, engines, prepare), job, attempt)


def _out_of_memory(layers: Iterable[Sized], job: Job) -> LimitReached:
    """Return what a search that ran out of memory reports: how the positions grow by ply, as far as the
    budget lets them be counted.
    """
    by_ply: list[int] = []
    try:
        by_ply.extend(len(layer) for layer in layers)
        job.require(job.memory + 1, by_ply)
    except LimitReached as error:
        return error
    raise AssertionError("unreachable: more than the budget is always refused")


class FoundScores(NamedTuple, Generic[N]):
    """The scores of all positions, and by which method; of payoffs also what else a solution says."""

    table: ScoreStore[N]
    method: str
    cyclic: bool = False
    kind: Kind = "margin"
    bound: float = 0.0
    endless: bool = False


def _without_cycles(
    game: Game, method: Method | None, start: State, job: Job, allowance: Allowance | None, *, units: bool
) -> FoundScores[int] | None:
    """Return what the methods find that go from the start to the ends, in whole numbers; None where they do
    not serve: a position comes back, or is too far from the ends, or a payoff is too large.
    """
    if method == "retrograde":
        return None
    by_layers = allowance is None and (method == "layers" or (method is None and reach.sorts(game)))
    try:
        if by_layers:
            from damier.solve import layers

            return FoundScores(layers.compiled(game, start, job, units=units), "layers")
        if allowance is None:
            return FoundScores(depth_first.compiled(game, start, job, units=units), "depth-first")
        return FoundScores(depth_first.pure(game, start, allowance, units=units), "depth-first")
    except (depth_first.TooDeep, LargePayoffs):
        return None
    except reach.TooMany:
        if allowance is not None:
            raise
        raise _out_of_memory(layers_of(game, start, job), job) from None


def _by_wins(
    game: Game, method: Method | None, start: State, job: Job, allowance: Allowance | None
) -> FoundScores[int]:
    """The scores of a game of wins, draws and losses. Raises BeyondWins for any other."""
    if found := _without_cycles(game, method, start, job, allowance, units=False):
        return found
    from damier.solve import retrograde

    table, cyclic = retrograde.solved(game, start, job, allowance)
    return FoundScores(table, "retrograde", cyclic)


# Games solved in the units of their payoffs (`damier.solve.reach`): margins by the methods of wins
# and losses, where these serve; else all positions as a graph.

GRAPH_BYTES = 192
"""Bytes that a position of a graph takes, with some moves, beside its key."""


def _by_payoffs(
    game: Game, method: Method | None, bound: float, start: State, job: Job, allowance: Allowance | None
) -> FoundScores[float]:
    """The payoffs of all positions. Raises TooMany where the allowance ends."""
    are_whole = game.players == 2 and not game.stochastic
    if are_whole and (found := _without_cycles(game, method, start, job, allowance, units=True)):
        return found
    from damier.solve import expected
    from damier.solve.graph import graph

    jit, allowed = allowance is None, allowance or Allowance()
    positions = graph(game, job, jit=jit, start=start, allowance=allowed, units=True)
    values, apart, used = expected.payoffs(positions, bound, allowed)
    endless = positions.cyclic and expected.can_go_round(positions, allowed)
    return FoundScores(_stored(positions, values), used, positions.cyclic, kind_of(positions), apart, endless)


def _stored(positions: Graph, values: Floats) -> ScoreStore[float]:
    """The payoffs by state."""
    if isinstance(positions.states, list):
        return StateTable(dict(zip(positions.states, values, strict=True)), EXPECTED_TYPE)
    keys, payoffs = positions.states, np.asarray(values)
    order = patiently(lambda: ascending(keys))
    return KeyTable(positions.game, keys[order], payoffs[order], (0, len(keys)))


def kind_of(positions: Graph) -> Kind:
    """Return the kind of the payoffs of a game."""
    if not positions.game.stochastic:
        return "payoff" if positions.game.players == 1 else "margin"
    return "chance" if positions.engine(always_won)(positions.first, positions.ends) else "mean"


def always_won(first: Ints, ends: Ints) -> bool:
    """Return whether every end is worth 1 or -1."""
    for here in range(len(ends)):
        if first[here] == first[here + 1] and ends[here] != 1 and ends[here] != -1:
            return False
    return True
