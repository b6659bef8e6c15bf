"""Alpha-beta with a transposition table, the one engine of every search that remembers positions
(D. J. Slate and L. R. Atkin, "Chess 4.5", 1977 [SlateAtkin77]; fail-soft as in J. P. Fishburn, 1983
[Fishburn83]; the table: R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, "The Greenblatt chess
program", FJCC 1967 [Greenblatt67]). The search itself, without a table, is `alphabeta`.

    1. the table is asked: what is known of the position may settle the question at once     probe
    2. the moves are tried, the most promising first, until one is too good to come up       lay_out
    3. what was found out is written to the table, with the best move                        store

As it stands, values are payoffs as floats, and the table has a slot for every depth
(`depth_table`). What may be different is a function of its own, and bound to another one: `pvs`
asks with null windows first; `exact_engine` counts plies in its values and keeps bounds for all
depths.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import Ints
from damier.core.evaluation import Weights, evaluate
from damier.core.past import AnyPast, advance, mark, rewind
from damier.core.rules import ONGOING, Field, Moves, State, as_state, most_moves, mover, moves
from damier.search.counting import CUTS, DEPTH_CUTOFFS, NODES, STOPPED, Counts, Seen, spent, terminal_value
from damier.search.depth_table import DepthTable, probe, store
from damier.search.lookahead import BOTH, MAX_CUTS, MIN_CUTS, fails_high, fails_low
from damier.search.minimax import INFINITY
from damier.search.move_order import in_given_order, move_at, to_the_end


class SearchMemory(NamedTuple):
    """What the engine reads and writes; `stack` (`move_order.stack_words`) has room for the moves of the
    positions on the way.
    """

    weights: Weights
    counts: Counts
    seen: Seen
    table: DepthTable
    stack: Ints
    past: AnyPast


def value(
    s: State, plies: int, alpha: float, beta: float, cut_at_equality: int, memory: SearchMemory
) -> float:
    """The value of `s` to player 0, as far as it matters to who asks; one of three cases, and the
    window says which:

        alpha < v < beta     exact: the value, `plies` moves deep
        v >= beta            a lower bound: player 0 gets at least v
        v <= alpha           an upper bound: player 0 gets at most v

    On alpha or beta itself it is such a bound where that side cuts at equality (`window`), and
    exact where it does not.
    """
    if spent(s, plies, memory.counts, memory.seen):
        return as_value(0, memory.counts)
    prefetch_entry(s, memory.table)
    end = terminal_value(s)
    if end != ONGOING:
        return as_value(end, memory.counts)
    if plies == 0:
        return horizon(s, memory)
    side, own = (1, MAX_CUTS) if mover(s) == 0 else (-1, MIN_CUTS)
    low, high = (alpha, beta) if side > 0 else (-beta, -alpha)  # from here on all is seen by the mover
    ours, theirs = cuts_at_equality(own, cut_at_equality), cuts_at_equality(BOTH ^ own, cut_at_equality)
    lower, upper, hash_move = probe(s, plies, low, high, ours, theirs, memory.table, memory.counts)
    if fails_high(lower, high, ours):
        return side * lower
    if fails_low(upper, low, theirs) or lower == upper:
        return side * upper
    limited, begun = memory.counts[DEPTH_CUTOFFS], memory.counts[NODES]
    tried, best, best_move = worth_trying(s, moves(s))
    here = mark(memory.past)
    alpha, first = low, plies * most_moves()  # every better move raises alpha, now the mover's
    below, above = child_window(alpha, high, side)
    prefetch_children(s, tried, plies, memory.table)
    last = lay_out(s, tried, hash_move, first, memory.stack)
    known = best_known(s, plies, first, last, high, memory)
    if fails_high(known, high, ours):
        return side * known
    place, put_back = first, last  # from `put_back` on lie those that were put back: once is enough
    while place < last:
        move = move_at(place, memory.stack)
        child = advance(s, move, memory.past)
        if first < place < put_back and searched_elsewhere(child, plies, memory):
            rewind(memory.past, here)
            to_the_end(place, last, memory.stack)
            put_back -= 1
            continue
        enter(child, plies, memory)
        if asks_first(place > first) and alpha < high:
            bound = side * one_ply_down(alpha)
            found = one_ply_up(side * value(child, plies - 1, bound, bound, cut_at_equality & ~own, memory))
            if alpha < found < high or (found == high and not ours):
                at_least, at_most = child_window(found, high, side)
                found = one_ply_up(side * value(child, plies - 1, at_least, at_most, cut_at_equality, memory))
        else:
            found = one_ply_up(side * value(child, plies - 1, below, above, cut_at_equality, memory))
        leave(child, plies, memory)
        rewind(memory.past, here)
        place += 1
        if found > best:
            best, best_move = found, move
            if fails_high(best, high, ours):
                note_cutoff(memory.counts)
                break
            if best > alpha:
                alpha = best
                below, above = child_window(alpha, high, side)
    if memory.counts[STOPPED] == 0:
        if fails_high(best, high, ours):
            lower = best
        elif fails_low(best, low, theirs):
            upper = min(upper, best)
        else:
            lower = upper = best
        complete, cost = memory.counts[DEPTH_CUTOFFS] == limited, memory.counts[NODES] - begun
        store(s, plies, complete, lower, upper, best_move, cost, memory.table)
    return side * best


def value_of(
    fields: tuple[Field, ...],
    plies: int,
    alpha: float,
    beta: float,
    cut_at_equality: int,
    weights: Weights,
    count: Counts,
    seen: Seen,
    table: DepthTable,
    stack: Ints,
    past: AnyPast,
) -> float:
    """`value`; compiled code is entered with plain tuples and arrays (and, as it recurs, with no
    literal).
    """
    return value(
        as_state(fields),
        plies,
        alpha,
        beta,
        cut_at_equality,
        SearchMemory(weights, count, seen, table, stack, past),
    )


def child_window(low: float, high: float, side: int) -> tuple[float, float]:
    """A mover's window as the alpha and the beta of a child."""
    low, high = one_ply_down(low), one_ply_down(high)
    return (low, high) if side > 0 else (-high, -low)


def cuts_at_equality(side: int, sides: int) -> bool:
    """Whether a side is one of those that cut at equality."""
    return sides & side != 0


def note_cutoff(count: Counts) -> None:
    """Counts a position at which moves were left out."""
    count[CUTS] += 1


def as_value(payoff: int, count: Counts) -> float:
    """The value of an end of the game."""
    return float(payoff)


def horizon(s: State, memory: SearchMemory) -> float:
    """The value of a position at which the search stops short of an end."""
    memory.counts[DEPTH_CUTOFFS] += 1
    return float(evaluate(s, memory.weights))


def worth_trying(s: State, legal: Moves) -> tuple[Moves, float, int]:
    """The moves to try; what all others are worth at most; a move to name if none is better."""
    return legal, -INFINITY, 0


def one_ply_up(value: float) -> float:
    """What a value is one ply before: the same, unless values count plies."""
    return value


def one_ply_down(value: float) -> float:
    """What a value must be one ply later to be `value` here."""
    return value


def asks_first(later_move: bool) -> bool:
    """Whether a move is asked with a null window first: no move, unless `pvs` is bound."""
    return False


def prefetch_entry(s: State, table: DepthTable) -> None:
    """Says that the table will be asked about `s` soon."""


def prefetch_children(s: State, tried: Moves, plies: int, table: DepthTable) -> None:
    """Says that `best_known` will ask the table about every child of `s`."""


def best_known(s: State, plies: int, first: int, last: int, high: float, memory: SearchMemory) -> float:
    """What the table promises the mover of `s` after one of the moves laid out, the first that gives `high`:
    where that settles the question, none is searched. Nothing, unless `exact_engine` is bound.
    """
    return -INFINITY


def searched_elsewhere(child: State, plies: int, memory: SearchMemory) -> bool:
    """Whether another thread is searching `child`, so that another move had better come first: there is
    none, unless `sharing` is bound.
    """
    return False


def enter(child: State, plies: int, memory: SearchMemory) -> None:
    """Says to other threads that `child` is being searched."""


def leave(child: State, plies: int, memory: SearchMemory) -> None:
    """Says to other threads that `child` was searched."""


def lay_out(s: State, tried: Moves, hash_move: int, first: int, stack: Ints) -> int:
    """Lays moves on the stack from place `first`, in the order in which to try them; returns the
    place behind the last.
    """
    return in_given_order(tried, first, stack)
