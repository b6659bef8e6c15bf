"""Alpha-beta that remembers what it found out about a position, and that tries promising moves first: fewer nodes, the same answers.

See `alphabeta` for the search itself. What looks best comes first: the best move of an earlier search of the position, then the moves that
the game scores highest. A table settles a position that comes back by another way.
"""

from __future__ import annotations

from typing import Any

from damier.core.bits import lowest
from damier.core.evaluation import evaluate
from damier.core.rules import ONGOING, State, as_state, move_score, mover, moves, play
from damier.search.counting import CUTS, LIMITED, STOPPED, ending, spent
from damier.search.minimax import INFINITY
from damier.search.table import MAX_CUTS, MIN_CUTS, UNKNOWN, best_known, fact_of, recall, store


def value(s: State, plies: int, alpha: float, beta: float, weak: int, weights: Any, count: Any, seen: Any, table: Any) -> float:
    """The worth of `s` to player 0 if it lies between `alpha` and `beta`; else a bound of it, on the same side of them."""
    if spent(s, plies, count, seen):
        return 0.0
    worth = ending(s)
    if worth != ONGOING:
        return float(worth)
    if plies == 0:
        count[LIMITED] += 1
        return float(evaluate(s, weights))
    known = recall(table, s, plies, alpha, beta, weak, count)
    if known != UNKNOWN:
        return known
    limited = count[LIMITED]
    side, own = (1.0, MAX_CUTS) if mover(s) == 0 else (-1.0, MIN_CUTS)
    sure, enough = (alpha, beta) if side > 0 else (-beta, -alpha)  # of the mover; of its opponents
    best, best_move = -INFINITY, 0
    hint = best_known(table, s, plies)
    untried = moves(s)
    while untried:
        move = next_move(s, untried, hint)
        untried ^= move
        low, high = (sure, enough) if side > 0 else (-enough, -sure)
        child_worth = side * value(play(s, move), plies - 1, low, high, weak, weights, count, seen, table)
        if child_worth > best:
            best, best_move = child_worth, move
        if best > enough or (weak & own != 0 and best == enough):
            count[CUTS] += 1
            break
        sure = max(sure, best)
    if count[STOPPED] == 0:
        store(table, s, side * best, fact_of(plies, count[LIMITED] == limited, side * best, alpha, beta, weak), best_move)
    return side * best


def value_of(fields: Any, plies: int, alpha: float, beta: float, weak: int, weights: Any, count: Any, seen: Any, table: Any) -> float:
    """`value`; compiled code is entered with a plain tuple."""
    return value(as_state(fields), plies, alpha, beta, weak, weights, count, seen, table)


def next_move(s: State, untried: int, hint: int) -> int:
    """The move to try next: the game's own order, unless `most_promising` takes its place."""
    return lowest(untried)


def most_promising(s: State, untried: int, hint: int) -> int:
    """The best move of an earlier search, then those of the highest score."""
    if untried & hint:
        return hint
    best = lowest(untried)
    high = move_score(s, best)
    left = untried ^ best
    while left:
        move = lowest(left)
        left ^= move
        score = move_score(s, move)
        if score > high:
            best, high = move, score
    return best
