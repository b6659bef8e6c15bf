"""A position near the end of a game: whatever goes over all positions is done soon from there.

Compiled engines are prepared by that (`damier.core.tiers`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

from damier.core.bits import Rng, reseed
from damier.core.compile import instantiate
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import random_move
from damier.core.rules import State, moves, over, play

LITTLE = 8 << 20
"""Bytes that are enough to call every engine; where positions come back, a late one may lead to
all.
"""
PLIES = 1000


def late_position(game: Game) -> State:
    """Two plies before the end of a random game, always the same one."""
    rng = [0]
    reseed(rng, 0, 0)
    line = instantiate(random_line, game, jit=False)(game.start, rng)
    return line[max(0, len(line) - 3)]


def random_line(s: State, rng: Rng) -> list[State]:
    """The positions of a random game, at most PLIES of them."""
    line = [s]
    while len(line) < PLIES and not over(line[-1]) and moves(line[-1]):
        line.append(play(line[-1], random_move(rng, moves(line[-1]))))
    return line


def plies_of_random_game(game: Game, s: State) -> int:
    """How long a random game from `s` is, about: one of them, always the same."""
    rng = [0]
    reseed(rng, 0, 0)
    return len(instantiate(random_line, game, jit=False)(s, rng)) - 1


def prepared(work: Callable[[State, Job], object], game: Game) -> Callable[[], None]:
    """What does some work compiled, from a late position, with little memory."""
    return partial(_prepare, work, game)


def _prepare(work: Callable[[State, Job], object], game: Game) -> None:
    with contextlib.suppress(LimitReached):
        work(late_position(game), Job(memory=LITTLE, jit=True))
