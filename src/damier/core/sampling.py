"""Draws that follow weights."""

from __future__ import annotations

from damier.core.bits import Rng, random_unit
from damier.core.moves import each, first_move
from damier.core.rules import Moves, State, chance


def sample_chance(s: State, legal: Moves, rng: Rng) -> int:
    """One of the moves of a chance node, each as often as it weighs there: one random number, and
    the moves from the first on.
    """
    total = 0.0
    for move in each(legal):
        total += chance(s, move)
    left = random_unit(rng) * total
    drawn = first_move(legal)
    for move in each(legal):
        drawn = move
        left -= chance(s, move)
        if left < 0:
            break
    return drawn


def sample_move(probabilities: dict[int, float], rng: Rng) -> int:
    """One of some moves, by its probability."""
    left = random_unit(rng)
    for move, probability in probabilities.items():
        left -= probability
        if left < 0:
            return move
    return move
