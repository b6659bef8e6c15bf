"""Naive search of games, to hold damier's against: each algorithm as the slides write it, with the
rules of a game and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from damier import CHANCE, Game

Evaluate = Callable[[Any], float]


def nothing(s: Any) -> float:
    return 0.0


def minimax(game: Game, s: Any, plies: int, evaluate: Evaluate = nothing) -> float:
    """What `s` is worth to player 0."""
    if game.over(s):
        return float(game.payoff(s, 0))
    if plies == 0:
        return evaluate(s)
    values = [minimax(game, game.play(s, move), plies - 1, evaluate) for move in game.legal(s)]
    return max(values) if game.mover(s) == 0 else min(values)


def nodes(game: Game, s: Any, plies: int) -> int:
    """Nodes of the whole tree."""
    if game.over(s) or plies == 0:
        return 1
    return 1 + sum(nodes(game, game.play(s, move), plies - 1) for move in game.legal(s))


class AlphaBeta:
    """max-value and min-value as on the slides; counts its calls and collects the states that it
    saw.
    """

    def __init__(self, game: Game, weak: bool, evaluate: Evaluate = nothing) -> None:
        self.game, self.weak, self.evaluate = game, weak, evaluate
        self.calls, self.seen = 0, set()

    def value(self, s: Any, plies: int, alpha: float = -inf, beta: float = inf) -> float:
        self.calls += 1
        self.seen.add(s)
        if self.game.over(s):
            return float(self.game.payoff(s, 0))
        if plies == 0:
            return self.evaluate(s)
        return (
            self.max_value(s, plies, alpha, beta)
            if self.game.mover(s) == 0
            else self.min_value(s, plies, alpha, beta)
        )

    def max_value(self, s: Any, plies: int, alpha: float, beta: float) -> float:
        v = -inf
        for move in self.game.legal(s):
            v = max(v, self.value(self.game.play(s, move), plies - 1, alpha, beta))
            if v > beta or (self.weak and v == beta):
                return v
            alpha = max(alpha, v)
        return v

    def min_value(self, s: Any, plies: int, alpha: float, beta: float) -> float:
        v = inf
        for move in self.game.legal(s):
            v = min(v, self.value(self.game.play(s, move), plies - 1, alpha, beta))
            if v < alpha or (self.weak and v == alpha):
                return v
            beta = min(beta, v)
        return v


def expectimax(game: Game, s: Any, plies: int, me: int) -> float:
    """What player `me` can expect from `s`."""
    if game.over(s):
        return float(game.payoff(s, me))
    if plies == 0:
        return 0.0
    children = [(move, expectimax(game, game.play(s, move), plies - 1, me)) for move in game.legal(s)]
    if game.mover(s) == me:
        return max(worth for _move, worth in children)
    weights = [game.chance(s, move) if game.mover(s) == CHANCE else 1.0 for move, _worth in children]
    return sum(weight * worth for weight, (_move, worth) in zip(weights, children, strict=True)) / sum(
        weights
    )


def maxn(game: Game, s: Any, plies: int) -> tuple[float, ...]:
    """What `s` is worth to each player."""
    players = range(game.players)
    if game.over(s):
        return tuple(float(game.payoff(s, player)) for player in players)
    if plies == 0:
        return tuple(0.0 for _player in players)
    children = [maxn(game, game.play(s, move), plies - 1) for move in game.legal(s)]
    if game.mover(s) != CHANCE:
        return max(children, key=lambda worths: worths[game.mover(s)])
    weights = [game.chance(s, move) for move in game.legal(s)]
    return tuple(
        sum(w * child[player] for w, child in zip(weights, children, strict=True)) / sum(weights)
        for player in players
    )
