"""How many positions a game has, by ply and by result, up to symmetry or not, and how many complete games."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from damier.core.compile import PURE_LIMIT, Engine, instantiate
from damier.core.errors import Uncompilable, Unsuitable
from damier.core.game import Game, each
from damier.core.job import Job
from damier.core.rules import State, over, payoff, unkey
from damier.core.words import _
from damier.solve.door import refuse_too_large, refuse_wide
from damier.solve.reach import PURE_STATES, SYMMETRIC, TooMany, code, layers, pure_layers


@dataclass
class Counts:
    """Positions that can be reached, the ends among them, and whom these are won by."""

    states: int = 0
    terminals: int = 0
    wins: int = 0  # of the first player
    draws: int = 0
    losses: int = 0
    by_ply: list[int] = field(default_factory=list)  # by the ply at which a position is first met


def tally(layer: Any, counts: Any) -> None:
    """Adds the ends among some positions to counts: lost, drawn and won by player 0."""
    for index in range(len(layer)):
        s = unkey(layer[index])
        if over(s):
            worth = payoff(s, 0)
            counts[1 + (1 if worth > 0 else 0) - (1 if worth < 0 else 0)] += 1


def count(game: Game, start: State | None = None, job: Job | None = None, *, symmetric: bool = False) -> Counts:
    """Counts what can be reached from `start`; with `symmetric`, positions that are images of each other count once.

    Raises LimitReached where the memory budget does not suffice.
    """
    job = job or Job()
    root = game.start if start is None else start
    refuse_wide(game, "count")
    if root == game.start:
        refuse_too_large(game, job)
    if job.jit is not True:
        try:
            return _pure(game, root, job, symmetric, PURE_LIMIT if job.jit is None else None)
        except TooMany:
            pass
    import numpy as np

    try:
        return _counted(layers(game, root, job, symmetric=symmetric), instantiate(tally, game, jit=True), np.zeros(3, np.int64))
    except Uncompilable as error:
        job.note(_("{game} runs as plain Python, uncompiled: {reason}", game=game.name, reason=error))
        return _pure(game, root, job, symmetric, None)


def _pure(game: Game, root: State, job: Job, symmetric: bool, limit: int | None) -> Counts:
    bind = {} if symmetric else PURE_STATES
    return _counted(pure_layers(game, root, job, symmetric=symmetric, limit=limit), instantiate(tally, game, jit=False, bind=bind), [0] * 3)


def _counted(found: Iterable[Any], run: Engine, ends: Any) -> Counts:
    counts = Counts()
    for layer in found:
        counts.by_ply.append(len(layer))
        run(layer, ends)
    counts.losses, counts.draws, counts.wins = (int(n) for n in ends)
    counts.states, counts.terminals = sum(counts.by_ply), sum(int(n) for n in ends)
    return counts


def count_games(game: Game, start: State | None = None, *, symmetric: bool = False) -> tuple[int, int, int]:
    """Complete games won, drawn and lost by the first player, as whole numbers of any size, in plain Python.

    With `symmetric`, moves that lead to images of one position count once (tic-tac-toe: 26 830). Raises Unsuitable where a position can
    come back: then there is no end to the games.
    """
    bind = SYMMETRIC if symmetric else {}
    name = instantiate(code, game, jit=False, bind=bind)
    done: dict[int, tuple[int, int, int]] = {}
    path: set[int] = set()

    def games(s: State) -> tuple[int, int, int]:
        here = name(s)
        if here in done:
            return done[here]
        if here in path:
            raise Unsuitable(_("in {game} a position can come back: there is no end to its games", game=game.text))
        path.add(here)
        if game.over(s):
            worth = game.payoff(s, 0)
            total = (int(worth > 0), int(worth == 0), int(worth < 0))
        else:
            children = {name(child): child for child in (game.play(s, move) for move in each(game.moves(s)))}
            each_move = children.values() if symmetric else (game.play(s, move) for move in each(game.moves(s)))
            counts = [games(child) for child in each_move]
            total = (sum(c[0] for c in counts), sum(c[1] for c in counts), sum(c[2] for c in counts))
        path.remove(here)
        done[here] = total
        return total

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        return games(game.start if start is None else start)
    finally:
        sys.setrecursionlimit(before)
