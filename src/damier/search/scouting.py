"""Principal variation search: alpha-beta that guesses that the first move is the best, and asks of every other only whether it is better
(T. A. Marsland and M. Campbell, "Parallel search of strongly ordered game trees", Computing Surveys 14 (1982); A. Reinefeld, "An improvement
to the scout tree search algorithm", ICCA Journal 6 (1983): NegaScout).

The question is a *null window*: both bounds are what the mover is sure of. There whoever asks must not cut at equality, or "as good" could not be
told from "better"; the others may. Where the answer is yes, the move is searched again for what it is worth. Order and table are those of
`remembering`; without a good order most questions are asked twice.
"""

from __future__ import annotations

from typing import Any

from damier.core.evaluation import evaluate
from damier.core.rules import ONGOING, State, as_state, mover, moves, play
from damier.search.counting import CUTS, LIMITED, STOPPED, ending, spent
from damier.search.minimax import INFINITY
from damier.search.remembering import next_move
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
        child = play(s, move)
        asks = best_move != 0 and sure < enough
        if asks:
            child_worth = side * value(child, plies - 1, side * sure, side * sure, weak & ~own, weights, count, seen, table)
        if not asks or sure < child_worth < enough or (child_worth == enough and weak & own == 0):
            at_least = max(sure, child_worth) if asks else sure
            low, high = (at_least, enough) if side > 0 else (-enough, -at_least)
            child_worth = side * value(child, plies - 1, low, high, weak, weights, count, seen, table)
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
