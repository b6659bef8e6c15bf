"""A position near the end of a game: whatever goes over all positions is done soon from there.

Compiled engines are prepared by that (`damier.core.tiers`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

from damier.core.bits import random_bit, reseed
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State

LITTLE = 8 << 20
"""Bytes that are enough to call every engine; where positions come back, a late one may lead to
all.
"""
PLIES = 1000


def late_position(game: Game) -> State:
    """Two plies before the end of a random game, always the same one."""
    line, rng = [game.start], [0]
    reseed(rng, 0, 0)
    while len(line) <= PLIES and not game.over(line[-1]) and game.moves(line[-1]):
        line.append(game.play(line[-1], random_bit(rng, game.moves(line[-1]))))
    return line[max(0, len(line) - 3)]


def prepared(work: Callable[[State, Job], object], game: Game) -> Callable[[], None]:
    """What does some work compiled, from a late position, with little memory."""
    return partial(_prepare, work, game)


def _prepare(work: Callable[[State, Job], object], game: Game) -> None:
    with contextlib.suppress(LimitReached):
        work(late_position(game), Job(memory=LITTLE, jit=True))
