"""Who chooses the moves. A Player chooses; a Policy is a player that can say how likely it is to choose each move.

A player that brings a `kernel` can sit in the compiled loop; any other plays in its pure twin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from damier.core.bits import Rng, lowest, popcount, position_of, random_bit
from damier.core.game import Game, each
from damier.core.rules import State, moves


class Kernel(NamedTuple):
    """A player as compiled code sees it: plain functions, and the arrays that they read.

    choose(state, arrays, rng) -> move; weigh(state, arrays, weights) writes how likely each legal move is, by the number of its bit: None
    for a player that is no policy.
    """

    choose: Callable[[State, Any, Rng], int]
    weigh: Callable[[State, Any, Any], None] | None
    arrays: tuple[Any, ...]


class Player(Protocol):
    """Chooses one of the legal moves of a state in which it is to move."""

    @property
    def text(self) -> str:
        """As it is written on the command line."""
        ...

    def choose(self, game: Game, s: State, rng: Rng) -> int: ...

    def kernel(self) -> Kernel | None:
        """How it plays compiled; None for a player that is Python only."""
        ...


@runtime_checkable
class Policy(Player, Protocol):
    """A player that can be graded exactly."""

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """How likely each legal move is; what is missing to 1 resigns."""
        ...


class RandomPlayer:
    """Every legal move is as likely (rows A-11, A-75)."""

    text = "random"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return random_bit(rng, game.moves(s))

    def kernel(self) -> Kernel:
        return Kernel(choose_at_random, weigh_evenly, ())

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        legal = game.moves(s)
        return {move: 1 / popcount(legal) for move in each(legal)}


def choose_at_random(s: State, arrays: Any, rng: Rng) -> int:
    """The kernel of RandomPlayer."""
    return random_bit(rng, moves(s))


def weigh_evenly(s: State, arrays: Any, weights: Any) -> None:
    """How RandomPlayer weighs the moves."""
    legal = moves(s)
    even = 1.0 / popcount(legal)
    while legal:
        move = lowest(legal)
        legal ^= move
        weights[position_of(move)] = even
