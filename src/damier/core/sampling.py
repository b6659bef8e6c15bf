"""Draws that follow weights."""

from __future__ import annotations

from damier.core.bits import Rng, lowest, random_unit
from damier.core.rules import State, chance


def sample_chance(s: State, legal: int, rng: Rng) -> int:
    """One of the moves of a chance node, each as often as it weighs there: one random number, and
    the moves from the lowest on.
    """
    total = 0.0
    todo = legal
    while todo:
        move = lowest(todo)
        todo ^= move
        total += chance(s, move)
    left = random_unit(rng) * total
    todo = legal
    move = lowest(todo)
    while todo:
        move = lowest(todo)
        todo ^= move
        left -= chance(s, move)
        if left < 0:
            return move
    return move


def sample_move(probabilities: dict[int, float], rng: Rng) -> int:
    """One of some moves, by its probability."""
    left = random_unit(rng)
    for move, probability in probabilities.items():
        left -= probability
        if left < 0:
            return move
    return move
