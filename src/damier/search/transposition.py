"""Alpha-beta with a transposition table, the one engine of every search that remembers positions
(D. J. Slate and L. R. Atkin, "Chess 4.5", 1977 [SlateAtkin77]; fail-soft as in J. P. Fishburn, 1983
[Fishburn83]; the table: R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, "The Greenblatt chess
program", FJCC 1967 [Greenblatt67]). The search itself, without a table, is `alphabeta`.

    1. the table is asked: what is known of the position may settle the question at once     probe
    2. the moves are tried, the most promising first, until one is too good to come up       lay_out
    3. what was found out is written to the table, with the best move                        store

As it stands, values are payoffs as floats, and the table has a slot for every depth
(`slot_of`). What may be different is a function of its own, and bound to another one: `alphabeta` may
ask with null windows first; `exact` counts plies in its values and keeps bounds for all
depths.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, cast

from damier.core.analysis import Weights, evaluate
from damier.core.arrays import FloatArray, IntArray, Ints, np
from damier.core.bits import fibonacci_slot, position_of
from damier.core.codes import code_at, put_code, word_of_code
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import count_moves, each
from damier.core.past import advance, mark, rewind
from damier.core.rules import (
    ONGOING,
    AnyPast,
    Field,
    Key,
    Moves,
    State,
    as_state,
    key,
    most_moves,
    move_score,
    mover,
    moves,
)
from damier.search.lookahead import BOTH, MAX_CUTS, MIN_CUTS, fails_high, fails_low
from damier.search.minimax import INFINITY
from damier.search.running import CUTS, DEPTH_CUTOFFS, NODES, STOPPED, Counts, Visited, spent, terminal_value


class SearchMemory(NamedTuple):
    """Memory that the engine reads and writes; `stack` (`stack_words`) has room for the moves of
    the positions on the way.
    """

    weights: Weights
    counts: Counts
    visited: Visited
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
    if spent(s, plies, memory.counts, memory.visited):
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
    tried, best, best_move = moves_to_try(s, moves(s))
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
    visited: Visited,
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
        SearchMemory(weights, count, visited, table, stack, past),
    )


def child_window(low: float, high: float, side: int) -> tuple[float, float]:
    """A mover's window as the alpha and the beta of a child."""
    low, high = one_ply_down(low), one_ply_down(high)
    return (low, high) if side > 0 else (-high, -low)


def cuts_at_equality(side: int, sides: int) -> bool:
    """Return whether a side is one of those that cut at equality."""
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


def moves_to_try(s: State, legal: Moves) -> tuple[Moves, float, int]:
    """The moves to try; what all others are worth at most; a move to name if none is better."""
    return legal, -INFINITY, 0


def one_ply_up(value: float) -> float:
    """Return what a value is one ply before: the same, unless values count plies."""
    return value


def one_ply_down(value: float) -> float:
    """Return what a value must be one ply later to be `value` here."""
    return value


def asks_first(later_move: bool) -> bool:
    """Return whether a move is asked with a null window first: no move, unless `alphabeta` binds
    `NULL_WINDOWS`.
    """
    return False


def prefetch_entry(s: State, table: DepthTable) -> None:
    """Says that the table will be asked about `s` soon."""


def prefetch_children(s: State, tried: Moves, plies: int, table: DepthTable) -> None:
    """Says that `best_known` will ask the table about every child of `s`."""


def best_known(s: State, plies: int, first: int, last: int, high: float, memory: SearchMemory) -> float:
    """Return what the table promises the mover of `s` after one of the moves laid out, the first that gives
    `high`: where that settles the question, none is searched. Nothing, unless `exact` binds another.
    """
    return -INFINITY


def searched_elsewhere(child: State, plies: int, memory: SearchMemory) -> bool:
    """Return whether another thread is searching `child`, so that another move had better come first: there
    is none, unless `exact` binds its marks.
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


# The transposition table of a search to a given depth: what it found out about a position, for
# when that comes back by another way.
#
# A slot holds the last position that was sent there: its key, all words of it, a value to its mover,
# what that is (exact, or a bound), how many plies deep it was searched, whether all of its lines came to
# an end of the game within them, and its best move. In plain Python the slots are a dictionary.
#
# What is complete holds for every deeper search as well, and has one slot. What is not holds for its
# own depth only, and each depth has a slot of its own: where a position comes back after a circle,
# what is known of it at one depth is not lost to another (docs/decisions/0024).

SLOTS = 1 << 20
AROUND = 15
"""A position has this many slots beside its first; of two depths that lie so far apart, the later
one stays.
"""

EXACT, LOWER, UPPER = 0, 1, 2
COMPLETE = 4  # added: no line was cut off by the limit of plies, so that a deeper search finds the same
PLIES = 8  # the depth, times this

DepthTable: TypeAlias = tuple[IntArray, FloatArray, IntArray, IntArray]
"""(codes, values, kinds, moves), each [SLOTS]: the key of the position, as `damier.core.codes` reads it; a
value; what it is, with the depth; the best move. In plain Python a `PlainTable` stands for it,
which only the functions bound by `PURE` can read.
"""

PlainTable: TypeAlias = dict[int, tuple[Key, tuple[float, int, int]]]
"""By slot: the key, and (value, kind, move)."""


def slot_of(home: int, plies: int) -> int:
    """The slot of a depth, near the home of its position."""
    return home ^ (1 + plies % AROUND)


def probe(
    s: State, plies: int, low: float, high: float, ours: bool, theirs: bool, table: DepthTable, count: Counts
) -> tuple[float, float, int]:
    """The least and the most that `s` is worth to its mover, if that settles a search of this depth
    in this window; else nothing, and the hash move: the best one in an earlier search of all lines,
    of this depth, or of the one before; or 0.
    """
    wanted = key(s)
    home = fibonacci_slot(word_of_code(wanted), SLOTS)
    for slot in (home, slot_of(home, plies)):
        if is_there(table, slot, wanted):
            value, kind, _move = entry_at(table, slot)
            depth, complete = kind // PLIES, kind & COMPLETE != 0
            lower = -INFINITY if kind & UPPER else value
            upper = INFINITY if kind & LOWER else value
            holds = plies == depth or (complete and plies > depth)
            if holds and (lower == upper or fails_high(lower, high, ours) or fails_low(upper, low, theirs)):
                if not complete:
                    count[DEPTH_CUTOFFS] += 1
                return lower, upper, 0
    for slot in (home, slot_of(home, plies), slot_of(home, plies - 1)):
        if is_there(table, slot, wanted):
            return -INFINITY, INFINITY, entry_at(table, slot)[2]
    return -INFINITY, INFINITY, 0


def known(s: State, plies: int, table: DepthTable) -> tuple[float, float]:
    """The least and the most that the table alone knows `s` to be worth to its mover: nothing that holds at
    every depth, unless `bounds_table` is bound.
    """
    return -INFINITY, INFINITY


def store(
    s: State,
    plies: int,
    complete: bool,
    lower: float,
    upper: float,
    move: int,
    cost: int,
    table: DepthTable,
) -> None:
    """Notes what a search of this depth found out about `s`: its value, or one bound of it. The last one
    stays, whatever it cost (nodes).
    """
    wanted = key(s)
    home = fibonacci_slot(word_of_code(wanted), SLOTS)
    kind = EXACT if lower == upper else LOWER if upper == INFINITY else UPPER
    value = upper if kind == UPPER else lower
    write(
        table,
        home if complete else slot_of(home, plies),
        wanted,
        value,
        plies * PLIES + (COMPLETE if complete else 0) + kind,
        move,
    )


def is_there(table: DepthTable, slot: int, wanted: Key) -> bool:
    """Return whether a slot holds the position of this key."""
    return code_at(table[0], slot) == wanted


def entry_at(table: DepthTable, slot: int) -> tuple[float, int, int]:
    """A value; what it is, with the depth; the best move."""
    return table[1][slot], table[2][slot], table[3][slot]


def write(table: DepthTable, slot: int, wanted: Key, value: float, kind: int, move: int) -> None:
    codes, values, kinds, moves = table
    put_code(codes, slot, wanted)
    values[slot] = value
    kinds[slot] = kind
    moves[slot] = move


def is_in_dictionary(table: PlainTable, slot: int, wanted: Key) -> bool:
    found = table.get(slot)
    return found is not None and found[0] == wanted


def entry_in_dictionary(table: PlainTable, slot: int) -> tuple[float, int, int]:
    return table[slot][1]


def write_to_dictionary(
    table: PlainTable, slot: int, wanted: Key, value: float, kind: int, move: int
) -> None:
    table[slot] = (wanted, (value, kind, move))


def nothing_known(
    s: State, plies: int, low: float, high: float, ours: bool, theirs: bool, table: DepthTable, count: Counts
) -> tuple[float, float, int]:
    return -INFINITY, INFINITY, 0


def nothing_kept(
    s: State,
    plies: int,
    complete: bool,
    lower: float,
    upper: float,
    move: int,
    cost: int,
    table: DepthTable,
) -> None:
    return None


PURE: Bindings = {is_there: is_in_dictionary, entry_at: entry_in_dictionary, write: write_to_dictionary}
NONE: Bindings = {probe: nothing_known, store: nothing_kept}


def empty(game: Game, jit: bool, kept: bool) -> DepthTable:
    """An empty table as the engines read it."""
    if not jit:
        return cast("DepthTable", PlainTable())
    slots = SLOTS if kept else 1
    return (
        np.full(slots * game.key_words, -1, np.int64),
        np.zeros(slots, np.float64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
    )


# In what order a search tries the moves of a position.
#
# The sooner a good one comes, the more is cut.
#
# A move lies on the stack with what it promises: score · 64 + 63 - number, so that of moves that promise
# the same the lowest comes first. Where moves are no bits, the promise lies in the first half of the
# stack, and the move in the second.

HASH_MOVE = 1 << 44
"""More than any move scores: the best move of an earlier search of the position."""


def move_at(place: int, stack: Ints) -> int:
    """The move that lies at a place of the stack."""
    return 1 << (63 - (int(stack[place]) & 63))


def to_the_end(place: int, last: int, stack: Ints) -> None:
    """Puts the move at a place behind all others, which end before `last`."""
    rotate(place, last, stack)


def rotate(place: int, last: int, stack: Ints) -> None:
    """Puts the word at a place behind those up to `last`."""
    word = stack[place]
    for n in range(place, last - 1):
        stack[n] = stack[n + 1]
    stack[last - 1] = word


def promise(s: State, move: int) -> int:
    """Return what a move promises its mover: what the game scores it, unless `exact.look_ahead`
    is bound.
    """
    return move_score(s, move)


def in_given_order(tried: Moves, first: int, stack: Ints) -> int:
    """The game's own order."""
    last = first
    for move in each(tried):
        stack[last] = 63 - position_of(move)
        last += 1
    return last


def most_promising_first(s: State, tried: Moves, hash_move: int, first: int, stack: Ints) -> int:
    """The hash move first, then those that the game scores highest: sorted as they are laid down. A single
    move is not scored.
    """
    last, single = first, count_moves(tried) == 1
    for move in each(tried):
        score = HASH_MOVE if single or move == hash_move else promise(s, move)
        word = (score << 6) + 63 - position_of(move)
        place = last
        while place > first and stack[place - 1] < word:
            stack[place] = stack[place - 1]
            place -= 1
        stack[place] = word
        last += 1
    return last


def move_beside(place: int, stack: Ints) -> int:
    """`move_at`, where moves are no bits."""
    return int(stack[place + (len(stack) >> 1)])


def beside_to_the_end(place: int, last: int, stack: Ints) -> None:
    """`to_the_end`, where moves are no bits."""
    rotate(place, last, stack)
    beside = len(stack) >> 1
    rotate(place + beside, last + beside, stack)


def list_in_given_order(tried: Moves, first: int, stack: Ints) -> int:
    """`in_given_order`, where moves are no bits."""
    last, beside = first, len(stack) >> 1
    for move in each(tried):
        stack[last + beside] = move
        last += 1
    return last


def list_most_promising_first(s: State, tried: Moves, hash_move: int, first: int, stack: Ints) -> int:
    """`most_promising_first`, where moves are no bits: of those that promise the same the first of the
    list comes first.
    """
    last, beside, single = first, len(stack) >> 1, count_moves(tried) == 1
    for move in each(tried):
        score = HASH_MOVE if single or move == hash_move else promise(s, move)
        place = last
        while place > first and stack[place - 1] < score:
            stack[place] = stack[place - 1]
            stack[place + beside] = stack[place + beside - 1]
            place -= 1
        stack[place] = score
        stack[place + beside] = move
        last += 1
    return last


NO_BITS: Bindings = {
    move_at: move_beside,
    to_the_end: beside_to_the_end,
    in_given_order: list_in_given_order,
    most_promising_first: list_most_promising_first,
}
"""What stands for the functions of this file in games whose moves are no bits."""


def order_of(game: Game) -> Bindings:
    """Return what stands for the functions of this file in a game."""
    return {} if game.moves_are_bits else NO_BITS


def stack_words(game: Game, plies: int) -> int:
    """Return how many words the stack of a search of so many plies has."""
    return (plies + 1) * game.most_moves() * (1 if game.moves_are_bits else 2)
