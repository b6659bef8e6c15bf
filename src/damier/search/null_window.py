"""Alpha-beta with null windows: is a position worth at least so much? Each answer proves a bound of its score, value and distance in one (J. Pearl,
"Scout", 1980; A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87 (1996)).

A game's own knowledge answers first (`bounds`), then the table, then the moves: those worth a look (`non_losing_moves`), the most promising first
(`move_score`). The score is counted from the position at hand, so that it holds however the position was reached; as moves advance a ply, none comes back.
"""

from __future__ import annotations

from typing import Any

from damier.core.bits import lowest, position_of
from damier.core.game import MOVES
from damier.core.rules import ONGOING, State, as_state, bounds, move_score, mover, moves, non_losing_moves, outcome, play
from damier.core.score import TOP, later, loss_in, sooner
from damier.search.counting import BUDGET, FULL, LIMITED, NODES, STOPPED
from damier.search.proven import NOTHING, announce, fact_of, least_of, most_of, move_of, recall, store

FIRST = 1 << 44
"""More than any move scores: the move that was best before."""


def score(s: State, asked: int, free: int, table: Any, stack: Any, count: Any) -> int:
    """A bound of the score of `s` for player 0, fail-soft: a lower one if it is at least `asked`, else an upper one.

    `stack` holds the moves still to be tried, those of this position from `free` on.
    """
    if spent(s, free, table, stack, count):
        return 0
    side = 1 if mover(s) == 0 else -1
    worth = outcome(s)
    if worth != ONGOING:
        return side * ended(worth, count)
    wanted = asked if side > 0 else 1 - asked  # of the mover
    least, most, hint = known(s, wanted, table)
    if least >= wanted or most < wanted:
        return side * (least if least >= wanted else most)
    legal, kept = moves(s), non_losing_moves(s)
    last = ordered(s, kept, hint, free, stack)
    best, first = -TOP if kept == legal else loss_in(2), lowest(legal)
    reply = sooner(wanted) if side > 0 else 1 - sooner(wanted)
    for place in range(free, last):
        move = 1 << (63 - (stack[place] & 63))
        found = later(side * score(play(s, move), reply, free + MOVES, table, stack, count))
        if found > best:
            best, first = found, move
            if best >= wanted:
                break
    if count[STOPPED] == 0:
        store(table, s, fact_of(best, most, first) if best >= wanted else fact_of(least, min(most, best), first))
    return side * best


def spent(s: State, free: int, table: Any, stack: Any, count: Any) -> bool:
    """Counts a node; True where the budget has none left for it, or the stack no room for its moves (count[FULL])."""
    if count[NODES] >= count[BUDGET]:
        count[STOPPED] = 1
        return True
    count[NODES] += 1
    announce(table, s)
    if free + MOVES > len(stack):
        count[FULL], count[STOPPED], count[BUDGET] = 1, 1, 0
        return True
    return False


def ended(worth: int, count: Any) -> int:
    """The score of an end; one that is no win, draw or loss is counted in count[LIMITED]."""
    if worth < -1 or worth > 1:
        count[LIMITED] += 1
    return worth * TOP


def known(s: State, wanted: int, table: Any) -> tuple[int, int, int]:
    """The least and the most that `s` is worth before its moves are looked at, and the move to try first, or 0; the table is asked where the game's
    own bounds do not suffice."""
    least, most = bounds(s)
    if least >= wanted or most < wanted:
        return least, most, 0
    fact = recall(table, s)
    return max(least, least_of(fact)), min(most, most_of(fact)), move_of(fact) if fact != NOTHING else 0


def ordered(s: State, kept: int, hint: int, free: int, stack: Any) -> int:
    """Lays the moves on the stack, most promising first, of equal ones the lowest; returns the place behind the last."""
    last = free
    while kept:
        move = lowest(kept)
        kept ^= move
        promise = ((FIRST if move == hint else move_score(s, move)) << 6) + 63 - position_of(move)
        place = last
        while place > free and stack[place - 1] < promise:
            stack[place] = stack[place - 1]
            place -= 1
        stack[place] = promise
        last += 1
    return last


def score_of(fields: Any, asked: int, free: int, table: Any, stack: Any, count: Any) -> int:
    """`score`; compiled code is entered with a plain tuple (and, as it recurs, with no literal)."""
    return score(as_state(fields), asked, free, table, stack, count)
