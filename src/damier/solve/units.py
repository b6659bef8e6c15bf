"""Facts that random games tell before a game is solved: the units of its values, and a position near its end.

Games are solved in the units of their payoffs (docs/decisions/0052) whose ends are worth more than a win, a
draw or a loss, in which dice are thrown, and those of one player. All others are solved by wins, draws and
losses, with distances. A few random games tell which it is; where they do not, the first end does that is
found later (`BeyondWins`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary

from damier.core.arrays import Ints
from damier.core.bits import Rng, seeded
from damier.core.compile import instantiate
from damier.core.errors import BadGame, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import random_move
from damier.core.rules import State, moves, over, play
from damier.core.words import message

GAMES = 4
"""Random games that are looked at."""

BOUND = 1e-6
"""How far an expected payoff may be from the right one, where nothing else is said."""

BEYOND_WINS, NOT_ZERO_SUM, WEIGHTS, TOO_LARGE = 1, 2, 3, 4
"""What an engine notes in limits[2]: a payoff that is no win, draw or loss; payoffs that do not
cancel out; weights of chance that are none; a payoff that does not fit the table.
"""

_known: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()


class BeyondWins(BadGame):
    """A game turned out to have payoffs beyond a win, a draw and a loss."""


class LargePayoffs(Exception):
    """Payoffs that do not fit the table."""


def in_units(game: Game) -> bool:
    """Return whether exact values of a game are payoffs, as far as it is known."""
    if game not in _known:
        _known[game] = game.stochastic or game.players == 1 or _beyond_wins(game)
    return _known[game]


def _beyond_wins(game: Game) -> bool:
    """Return whether one of a few random games ends with more than a win, a draw or a loss."""
    line = instantiate(random_line, game, jit=False)
    for number in range(GAMES):
        last = line(game.start, seeded(0, number))[-1]
        if game.over(last) and any(abs(game.payoff(last, player)) > 1 for player in range(game.players)):
            return True
    return False


def check(game: Game, limits: Ints) -> None:
    """Raises what an engine could only note in limits[2]."""
    found = int(limits[2])
    if found == BEYOND_WINS:
        _known[game] = True  # from here on it is one of those in units
        raise BeyondWins(
            message(
                "{game}: payoffs that are not 1, 0 or -1, or do not cancel out; solve knows wins, draws and"
                " losses",
                game=game.text,
            )
        )
    if found == NOT_ZERO_SUM:
        raise Unsuitable(
            message(
                "{game}: payoffs of an end that do not cancel out, so the game is not zero-sum: maxn"
                " handles it",
                game=game.text,
            )
        )
    if found == WEIGHTS:
        raise BadGame(message("{game}: weights of chance that are negative, or all 0", game=game.text))
    if found == TOO_LARGE:
        raise LargePayoffs


# A position near the end of a game: whatever goes over all positions is done soon from there.
#
# Compiled engines are prepared by that (`damier.core.tiers`).

LITTLE = 8 << 20
"""Bytes that are enough to call every engine; where positions come back, a late one may lead to
all.
"""
PLIES = 1000


def near_end(game: Game) -> State:
    """Two plies before the end of a random game, always the same one."""
    line = instantiate(random_line, game, jit=False)(game.start, seeded(0))
    return line[max(0, len(line) - 3)]


def random_line(s: State, rng: Rng) -> list[State]:
    """The positions of a random game, of at most PLIES plies."""
    line = [s]
    while len(line) <= PLIES and not over(line[-1]) and moves(line[-1]):
        line.append(play(line[-1], random_move(rng, moves(line[-1]))))
    return line


def plies_of_random_game(game: Game, s: State, number: int = 0) -> int:
    """Return how long a random game from `s` is, about: the one of this number is always the same."""
    return len(instantiate(random_line, game, jit=False)(s, seeded(0, number))) - 1


def prepared(work: Callable[[State, Job], object], game: Game) -> Callable[[], None]:
    """Return what does some work compiled, from a late position, with little memory."""
    return partial(_prepare, work, game)


def _prepare(work: Callable[[State, Job], object], game: Game) -> None:
    with contextlib.suppress(LimitReached):
        work(near_end(game), Job(memory=LITTLE, jit=True))
