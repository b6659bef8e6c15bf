"""The chance nodes of a game, one at a time: for games that a person plays move by move."""

from __future__ import annotations

from damier.core.bits import Rng
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.player import sample_chance
from damier.core.rules import State


def chance_move(game: Game, s: State, rng: Rng) -> int:
    """How the die falls at a chance node: each move as often as it weighs, by one random number."""
    return int(instantiate(sample_chance, game, jit=False)(s, game.moves(s), rng))
