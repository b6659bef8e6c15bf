"""The engine of the selective search: alpha-beta that looks deeper where something happens, and less
deep where nothing does (Shannon's "type B" [Shannon50]; as programs for chess came to do it, and Deep
Blue with them [DeepBlue02]). Each part can be switched off:

    table         what is known of a position may settle it, or says what to try first
    null move     who is so well off that passing would be too good gets a cut from a search that is less
                  deep (C. Donninger, "Null move and deep search", 1993 [Donninger93])
    reductions    quiet moves that are tried late are searched less deep first
    pruning       near the horizon, what is far from the window is left out (E. A. Heinz, "Extended
                  futility pruning", 1998 [Heinz98])
    extensions    a threatened mover is searched one ply deeper
    quiescence    the search ends in quiet positions (`quiescence`)

The first move gets the whole window, the others are asked with a null window whether they are better
(`pvs`). Values are whole, to the mover, fail-soft; wins count their distance from the root.

A win that is found here was found in a real line, but not all other lines were searched as deep.
"""

from __future__ import annotations

from damier.core.arrays import Ints
from damier.core.codes import word_of_code
from damier.core.evaluation import Weights
from damier.core.past import AnyPast
from damier.core.player import Arrays
from damier.core.probe import UNKNOWN, probe
from damier.core.rules import ONGOING, Field, State, as_state, key, mover, moves, threatened
from damier.core.score import TOP
from damier.search.counting import CUTS, DEPTH_CUTOFFS, STOPPED, Counts, Seen, spent
from damier.search.game_line import advance, came_by_passing, passed, take_back
from damier.search.hash_table import (
    EXACT,
    LOWER,
    NOTHING,
    UNJUDGED,
    UPPER,
    bound_in,
    complete_in,
    depth_in,
    find,
    value_in,
    write,
)
from damier.search.quiescence import UNIT, WINS, end_value, judged, quiesce
from damier.search.selective_memory import (
    AGE,
    EXTENSIONS,
    LONGEST,
    NULL_MOVE,
    PRUNING,
    REDUCED,
    REDUCTIONS,
    ROOT_DEPTH,
    ROOT_VALUE,
    TABLE,
    SelectiveMemory,
    extend_line,
    start_line,
)
from damier.search.selective_order import (
    KILLER,
    PROMISING,
    lay_out,
    pick,
    promise_at,
    reward_quiet,
)

FRONTIER = 6
"""Plies from the horizon where a position far above the window is cut without a search."""
FUTILE = 3
"""Plies from the horizon where quiet moves may be left out."""


def search(s: State, depth: int, alpha: int, beta: int, ply: int, memory: SelectiveMemory) -> int:
    """The value of `s` to its mover, so many plies deep, or a bound of it; `ply` plies from the root."""
    counts, room, table = memory.counts, memory.room, memory.table
    must = threatened(s)
    if must and room[EXTENSIONS] and ply < 2 * room[ROOT_DEPTH]:
        depth += 1
    if depth <= 0 or ply >= LONGEST:
        return quiesce(s, min(depth, 0), alpha, beta, ply, memory)
    start_line(ply, room)
    if spent(s, depth, counts, memory.seen):
        return 0
    end = end_value(s, ply)
    if end == ONGOING and ply > 0:
        end = from_table(probe(s, memory.held), ply)
    if end != ONGOING:
        return end
    best = ply - TOP
    alpha, beta = max(alpha, best), min(beta, TOP - ply - 1)
    if alpha >= beta:  # a win was found that is nearer than any from here
        return alpha
    whole = beta - alpha > 1
    limited = counts[DEPTH_CUTOFFS]
    own_code = word_of_code(key(s)) if room[TABLE] else 0
    facts, hash_move, static = find(own_code, table) if room[TABLE] else (NOTHING, 0, UNJUDGED)
    if facts != NOTHING:
        known, bound = here(value_in(facts), ply), bound_in(facts)
        deep_enough = depth_in(facts) >= depth or complete_in(facts)
        if not whole and deep_enough and bound & (LOWER if known >= beta else UPPER):
            if not complete_in(facts):
                counts[DEPTH_CUTOFFS] += 1
            return known
    elif depth >= 5 and room[TABLE] and room[REDUCTIONS]:
        depth -= 1  # nothing says what to try first: the next search of this depth will know
    if not must and static == UNJUDGED:
        static = judged(s, memory)
    side = 0 if mover(s) == 0 else 1
    if not whole and not must and beta > -WINS and beta < WINS:
        if room[PRUNING] and depth <= FRONTIER and static - 3 * UNIT * depth // 4 >= beta:
            counts[DEPTH_CUTOFFS] += 1
            return static
        if room[NULL_MOVE] and depth >= 3 and static >= beta and not came_by_passing(ply, memory):
            other = passed(s, ply, memory)
            if (mover(other) == 0) != (side == 0):
                less = 3 + depth // 4 + min(2, (static - beta) // (2 * UNIT))
                found = -search(other, depth - less, -beta, 1 - beta, ply + 1, memory)
                if counts[STOPPED]:
                    return 0
                if found >= beta:
                    counts[DEPTH_CUTOFFS] += 1
                    return beta if found >= WINS else found
    futile = not whole and not must and depth <= FUTILE and room[PRUNING] != 0 and alpha > -WINS
    hoped = static + UNIT + UNIT * depth
    best_move, quiets, old = 0, 0, alpha
    count = lay_out(s, moves(s), hash_move, ply, side, room)
    for number in range(count):
        move = pick(number, count, ply, room)
        promised = promise_at(number, ply, room)
        quiet = promised < PROMISING
        child = advance(s, move, ply, memory)
        late = quiet and number > 0 and not must
        if late and (futile or (depth >= 3 and number >= 3)) and threatened(child):
            late = False
        if late and futile and best > -WINS and (hoped <= alpha or quiets > 3 + depth * depth):
            take_back(ply, memory)
            if spent(child, 0, counts, memory.seen):  # it was made and looked at
                return best
            counts[DEPTH_CUTOFFS] += 1
            best = max(best, min(hoped, alpha))
            continue
        less = 0
        if late and room[REDUCTIONS] and depth >= 3 and number >= 3:
            less = int(room[REDUCED + 64 * min(depth, 63) + min(number, 63)])
            if promised >= KILLER or whole:
                less -= 1
            elif promised < 0:
                less += 1
            less = max(0, min(less, depth - 2))
        quiets += 1 if quiet else 0
        sign = 1 if (mover(child) == 0) == (side == 0) else -1
        found = alpha + 1
        if number > 0:
            below, above = window_of(alpha, alpha + 1, sign)
            found = sign * search(child, depth - 1 - less, below, above, ply + 1, memory)
            if found > alpha and less > 0:
                found = sign * search(child, depth - 1, below, above, ply + 1, memory)
        if number == 0 or (whole and alpha < found < beta):
            below, above = window_of(alpha, beta, sign)
            found = sign * search(child, depth - 1, below, above, ply + 1, memory)
        take_back(ply, memory)
        if counts[STOPPED]:
            return best
        if found > best:
            best = found
            if best > alpha:
                alpha, best_move = best, move
                extend_line(ply, move, room)
                if ply == 0:
                    room[ROOT_VALUE] = best
                if best >= beta:
                    counts[CUTS] += 1
                    if quiet:
                        reward_quiet(number, depth, ply, side, room)
                    break
    if room[TABLE]:
        bound = LOWER if best >= beta else EXACT if best > old else UPPER
        complete = counts[DEPTH_CUTOFFS] == limited
        write(
            own_code,
            min(depth, 255),
            at_home(best, ply),
            bound,
            complete,
            best_move,
            static,
            int(room[AGE]),
            table,
        )
    return best


def window_of(alpha: int, beta: int, sign: int) -> tuple[int, int]:
    """A mover's window as that of a child, whose mover is the same (1) or the other (-1)."""
    return (alpha, beta) if sign > 0 else (-beta, -alpha)


def from_table(score: int, ply: int) -> int:
    """The score of an endgame table as the value of a node: ONGOING where no table knows it."""
    return ONGOING if score == UNKNOWN else here(score, ply)


def here(value: int, ply: int) -> int:
    """A value that counts wins from a node, counted from the root."""
    if value > WINS:
        return value - ply
    return value + ply if value < -WINS else value


def at_home(value: int, ply: int) -> int:
    """A value that counts wins from the root, counted from a node."""
    if value > WINS:
        return value + ply
    return value - ply if value < -WINS else value


def value_of(
    fields: tuple[Field, ...],
    depth: int,
    alpha: int,
    beta: int,
    weights: Weights,
    counts: Counts,
    seen: Seen,
    table: Ints,
    room: Ints,
    held: Arrays,
    past: AnyPast,
) -> int:
    """The value of a root to its mover; compiled code is entered with a plain tuple and arrays."""
    ply = depth - depth  # no literal 0: `search`, which calls itself, would be compiled twice
    memory = SelectiveMemory(weights, counts, seen, table, room, held, past)
    return search(as_state(fields), depth, alpha, beta, ply, memory)
