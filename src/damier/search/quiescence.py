"""Quiescence: where a search would stop, it goes on with what settles something at once, until nothing
does, and only then judges (C. E. Shannon, "Programming a computer for playing chess", 1950 [Shannon50],
whose evaluation is of positions "that are relatively quiescent").

The mover need not go on: what the position is judged at stands against the noisy moves (*stand pat*).
Where it is threatened it must answer, and every move is tried. A capture that with a margin of two
pawns comes nowhere near what the mover is sure of is left out (*delta pruning*).
"""

from __future__ import annotations

from damier.core.evaluation import evaluate
from damier.core.rules import ONGOING, State, mover, moves, noisy_moves, reward, threatened
from damier.core.score import TOP
from damier.search.counting import CUTS, DEPTH_CUTOFFS, STOPPED, spent, terminal_value
from damier.search.game_line import advance, take_back
from damier.search.selective_memory import (
    LONGEST,
    PRUNING,
    QUIESCENCE,
    SelectiveMemory,
    extend_line,
    start_line,
)
from damier.search.selective_order import lay_noisy, pick

UNIT = 100
"""Values count hundredths of what the features count."""
WINS = TOP - 1000
"""A value beyond it is a win that was found; an evaluation stays within."""
MARGIN = 2 * UNIT
LONG, FEW = 6, 3
"""After so many plies only so many moves are tried: where everything hangs, exchanges would go on for
ever.
"""


def judged(s: State, memory: SelectiveMemory) -> int:
    """The evaluation of a position, from the side of its mover."""
    value = int(UNIT * evaluate(s, memory.weights))
    value = max(-WINS, min(WINS, value))
    return value if mover(s) == 0 else -value


def end_value(s: State, ply: int) -> int:
    """What the end of a game is worth to the mover, so many plies from the root: wins by their distance;
    ONGOING where it goes on.
    """
    end = terminal_value(s)
    if end == ONGOING or end == 0:
        return end
    return TOP - ply if (end > 0) == (mover(s) == 0) else ply - TOP


def quiesce(s: State, depth: int, alpha: int, beta: int, ply: int, memory: SelectiveMemory) -> int:
    """The value of `s` to its mover once nothing noisy is left, or a bound of it (fail-soft); `depth`: 0,
    and one less with each ply.
    """
    start_line(ply, memory.room)
    if spent(s, 0, memory.counts, memory.seen):
        return 0
    end = end_value(s, ply)
    if end != ONGOING:
        return end
    memory.counts[DEPTH_CUTOFFS] += 1
    must = threatened(s)
    stand = judged(s, memory)
    if memory.room[QUIESCENCE] == 0 or ply >= LONGEST or (not must and stand >= beta):
        return stand
    best = ply - TOP if must else stand
    alpha = max(alpha, best)
    count = lay_noisy(s, moves(s) if must else noisy_moves(s), ply, memory.room)
    if depth <= -LONG:
        count = min(count, FEW)
    side = mover(s) == 0
    for number in range(count):
        move = pick(number, count, ply, memory.room)
        if not must and memory.room[PRUNING]:
            hoped = stand + MARGIN + UNIT * reward(s, move)
            if hoped <= alpha:
                best = max(best, hoped)
                continue
        child = advance(s, move, ply, memory)
        if (mover(child) == 0) == side:
            found = quiesce(child, depth - 1, alpha, beta, ply + 1, memory)
        else:
            found = -quiesce(child, depth - 1, -beta, -alpha, ply + 1, memory)
        take_back(ply, memory)
        if memory.counts[STOPPED]:
            return best
        if found > best:
            best = found
            if best > alpha:
                alpha = best
                extend_line(ply, move, memory.room)
                if best >= beta:
                    memory.counts[CUTS] += 1
                    break
    return best
