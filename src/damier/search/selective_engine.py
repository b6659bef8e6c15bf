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
(principal variation search). Values are whole, to the mover, fail-soft; wins count their distance
from the root.

A win that is found here was found in a real line, but not all other lines were searched as deep.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.analysis import Weights, evaluate
from damier.core.arrays import Ints
from damier.core.bits import fibonacci_slot
from damier.core.codes import word_of_code
from damier.core.endgames import UNKNOWN, probe
from damier.core.game import Game
from damier.core.moves import each, move_number
from damier.core.past import advance as advance_line, mark, rewind
from damier.core.player import Arrays
from damier.core.rules import (
    ONGOING,
    TOP,
    AnyPast,
    Field,
    Moves,
    State,
    as_state,
    key,
    most_moves,
    move_score,
    mover,
    moves,
    noisy_moves,
    null_move,
    reward,
    threatened,
)
from damier.search.running import CUTS, DEPTH_CUTOFFS, STOPPED, Counts, Visited, spent, terminal_value

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
    if spent(s, depth, counts, memory.visited):
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
            if spent(child, 0, counts, memory.visited):  # it was made and looked at
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
            int(room[SEARCH_AGE]),
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
    visited: Visited,
    table: Ints,
    room: Ints,
    held: Arrays,
    past: AnyPast,
) -> int:
    """The value of a root to its mover; compiled code is entered with a plain tuple and arrays."""
    ply = depth - depth  # no literal 0: `search`, which calls itself, would be compiled twice
    memory = SelectiveMemory(weights, counts, visited, table, room, held, past)
    return search(as_state(fields), depth, alpha, beta, ply, memory)


# Quiescence: where a search would stop, it goes on with what settles something at once, until nothing
# does, and only then judges (C. E. Shannon, "Programming a computer for playing chess", 1950 [Shannon50],
# whose evaluation is of positions "that are relatively quiescent").
#
# The mover need not go on: what the position is judged at stands against the noisy moves (*stand pat*).
# Where it is threatened it must answer, and every move is tried. A capture that with a margin of two
# pawns comes nowhere near what the mover is sure of is left out (*delta pruning*).

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
    """Return what the end of a game is worth to the mover, so many plies from the root: wins by their
    distance; ONGOING where it goes on.
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
    if spent(s, 0, memory.counts, memory.visited):
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


# The order in which a selective search tries moves: the sooner a good one comes, the more is cut.
#
#     1. the hash move: the best one of an earlier search of the position
#     2. what the game scores (`move_score`): captures, the best trades first
#     3. the killers: quiet moves that were too good in a sister position (Slate and Atkin's Chess 4.5
#        [SlateAtkin77])
#     4. the others by their history: how often they were too good anywhere (J. Schaeffer, "The history
#        heuristic", 1983 [Schaeffer83])
#
# A move that the game scores above 0 is *promising*, any other *quiet*. Each node has a piece of `room`: the
# promises of its moves, then the moves. They are sorted as far as they are tried.

HASH_MOVE = 1 << 40
PROMISING = 1 << 30
"""A promising move has this and its score."""
KILLER = 1 << 20
"""The older killer; the newer has one more."""
LIMIT = 1 << 14
"""No history goes beyond it."""


def stack_of(ply: int) -> int:
    """Return where the moves of a node lie."""
    return STACK + 2 * ply * most_moves()


def lay_out(s: State, tried: Moves, hash_move: int, ply: int, side: int, room: Ints) -> int:
    """Lays the moves of a node in its piece of `room`, each with its promise; returns how many."""
    first, beside, count = stack_of(ply), most_moves(), 0
    for move in each(tried):
        room[first + count] = promise(s, move, hash_move, ply, side, room)
        room[first + beside + count] = move
        count += 1
    return count


def promise(s: State, move: int, hash_move: int, ply: int, side: int, room: Ints) -> int:
    """Return how early to try a move: the most first."""
    if move == hash_move:
        return HASH_MOVE
    score = move_score(s, move)
    if score > 0:
        return PROMISING + score
    if move == room[KILLERS + 2 * ply]:
        return KILLER + 1
    if move == room[KILLERS + 2 * ply + 1]:
        return KILLER
    return int(room[history_place(move, side)])


def lay_noisy(s: State, tried: Moves, ply: int, room: Ints) -> int:
    """`lay_out` for quiescence: by what the game scores alone."""
    first, beside, count = stack_of(ply), most_moves(), 0
    for move in each(tried):
        room[first + count] = move_score(s, move)
        room[first + beside + count] = move
        count += 1
    return count


def pick(number: int, count: int, ply: int, room: Ints) -> int:
    """The move to try as number `number`: the most promising one that is left, the first of equals."""
    first, beside = stack_of(ply), most_moves()
    best = first + number
    for place in range(first + number + 1, first + count):
        if room[place] > room[best]:
            best = place
    place = first + number
    promise_of, move = int(room[best]), int(room[best + beside])
    room[best], room[best + beside] = room[place], room[place + beside]
    room[place], room[place + beside] = promise_of, move
    return move


def promise_at(number: int, ply: int, room: Ints) -> int:
    """Return what the move promised that was tried as number `number`."""
    return int(room[stack_of(ply) + number])


def history_place(move: int, side: int) -> int:
    """Return where the history of a side's move lies; far moves of games with many may share a place."""
    return HISTORY + side * HISTORY_WORDS + (move_number(move) & HISTORY_WORDS - 1)


def reward_quiet(number: int, depth: int, ply: int, side: int, room: Ints) -> None:
    """A quiet move, tried as number `number`, was too good to come up: it is a killer, its history
    rises, and that of the quiet moves tried before it falls.
    """
    first = stack_of(ply) + most_moves()
    move = int(room[first + number])
    if move != room[KILLERS + 2 * ply]:
        room[KILLERS + 2 * ply + 1] = room[KILLERS + 2 * ply]
        room[KILLERS + 2 * ply] = move
    bonus = min(depth * depth * 8, LIMIT >> 3)
    drawn_to(history_place(move, side), bonus, room)
    for before in range(number):
        if promise_at(before, ply, room) < PROMISING:
            drawn_to(history_place(int(room[first + before]), side), -bonus, room)


def drawn_to(place: int, bonus: int, room: Ints) -> None:
    """Adds to a history, the less the nearer it already is to its limit."""
    before = int(room[place])
    room[place] = before + bonus - (before * abs(bonus) >> 14)


# The line of moves from the root to the node that is looked at: the one place where a selective
# search makes a move, and takes it back.


def advance(s: State, move: int, ply: int, memory: SelectiveMemory) -> State:
    """The state after `move`, played `ply` plies from the root."""
    memory.room[LINE + ply] = move
    return advance_line(s, move, memory.past)


def take_back(ply: int, memory: SelectiveMemory) -> None:
    """Leaves the state that `advance` gave at this ply."""
    rewind(memory.past, mark(memory.past) - 1)


def passed(s: State, ply: int, memory: SelectiveMemory) -> State:
    """The state after a null move."""
    memory.room[LINE + ply] = 0
    return null_move(s)


def came_by_passing(ply: int, memory: SelectiveMemory) -> bool:
    """Return whether the last move was a null move; also at the root, where nobody passes either."""
    return ply == 0 or memory.room[LINE + ply - 1] == 0


# What the engine of a selective search reads and writes, and where in it things lie.
#
# All whole numbers of a search but its table lie in one array, `room`: a call of compiled code hands on
# seven words an array, and the engine calls itself at every node.

LONGEST = 120
"""The longest line, in plies, extensions and quiescence included."""

NULL_MOVE, QUIESCENCE, REDUCTIONS, EXTENSIONS, PRUNING, TABLE, SEARCH_AGE, ROOT_DEPTH, ROOT_VALUE = range(9)
"""Which parts are on (1) or off (0); the age of this search; how deep its root is searched, and
what the best move of the root is worth that was found so far.
"""

LINE = 9
"""The moves from the root to a node, 0 for a null move."""
KILLERS = LINE + LONGEST + 2
HISTORY_WORDS = 4096
HISTORY = KILLERS + 2 * (LONGEST + 2)
REDUCED = HISTORY + 2 * HISTORY_WORDS
PV_LENGTH = REDUCED + 64 * 64
PV = PV_LENGTH + LONGEST + 2
STACK = PV + (LONGEST + 2) * (LONGEST + 2)
"""Where each part of `room` begins; behind the last the moves of the nodes on the way."""


class SelectiveMemory(NamedTuple):
    """The arrays of one search. `held`: what an endgame table is asked with (`core/endgames.py`)."""

    weights: Weights
    counts: Counts
    visited: Visited
    table: Ints
    room: Ints
    held: Arrays
    past: AnyPast


def room_words(game: Game) -> int:
    """Return how many words `room` has."""
    return STACK + 2 * (LONGEST + 2) * game.most_moves()


def start_line(ply: int, room: Ints) -> None:
    """Nothing is known yet of what follows a node."""
    room[PV_LENGTH + ply] = 0


def extend_line(ply: int, move: int, room: Ints) -> None:
    """Write what follows a node if everybody plays best: `move`, and what follows that."""
    row, below, length = PV + ply * (LONGEST + 2), PV + (ply + 1) * (LONGEST + 2), room[PV_LENGTH + ply + 1]
    room[row] = move
    for n in range(length):
        room[row + n + 1] = room[below + n]
    room[PV_LENGTH + ply] = length + 1


def line_of(room: Ints) -> list[int]:
    """The principal variation of the root."""
    return [int(room[PV + n]) for n in range(int(room[PV_LENGTH]))]


# The transposition table of a selective search: what it found out about a position, for when that comes
# back by another way (R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, 1967 [Greenblatt67]; A. L.
# Zobrist, "A new hashing method with application for game playing", 1970 [Zobrist70]).
#
# One array of words, four to an entry: the code of the position plus 1 (0: nothing), the facts, the best
# move, and what the position was judged at. Two entries make a bucket, one line of a processor's cache;
# the one that is older, or was searched less deep, gives way. Threads share a table without locks: the
# first word is written xor the other three, so that an entry of which two threads wrote a part each is
# none (R. M. Hyatt and T. Mann, 2002 [HyattMann02]).
#
#     facts    value + 32768 (16 bits) | depth (8) | which bound (2) | complete (1) | age (6)
#
# A code has 62 bits, compared in full. Of the 2^62 codes, 2^19 buckets leave 2^43 that share a bucket:
# where another position lies there, it is taken for this one once in 4·10^12 questions. A best move is
# played only if it is legal, so that such an error costs a wrong value, never a wrong move.

BUCKETS = 1 << 19
WORDS = 4
BUCKET = 2 * WORDS
CODE, FACTS, MOVE, JUDGED = range(WORDS)

UPPER, LOWER, EXACT = 1, 2, 3
"""Which bound a value is: bits, so that `EXACT` is both."""

VALUE, DEPTH, BOUND, COMPLETE, AGE = 0, 16, 24, 26, 27
"""Where a fact begins in its word."""
ZERO = 1 << 15
AGES = 64
NOTHING = -1
"""No facts."""
UNJUDGED = 1 << 20
"""What a threatened position is judged at: it is not."""


def find(code: int, table: Ints) -> tuple[int, int, int]:
    """The facts of the entry of a position, its best move, and what it was judged at, read once; NOTHING, 0
    and UNJUDGED where there is none.
    """
    first = BUCKET * fibonacci_slot(code, BUCKETS)
    for place in (first, first + WORDS):
        facts, move, judged = int(table[place + FACTS]), int(table[place + MOVE]), int(table[place + JUDGED])
        if table[place] == sealed(code, facts, move, judged):
            return facts, move, judged
    return NOTHING, 0, UNJUDGED


def sealed(code: int, facts: int, move: int, judged: int) -> int:
    """The first word of an entry: where threads wrote several at once, it fits no position."""
    return (code + 1) ^ facts ^ move ^ judged


def value_in(facts: int) -> int:
    """The value of an entry, as `write` left it."""
    return (facts & 0xFFFF) - ZERO


def depth_in(facts: int) -> int:
    """Return how deep it was searched."""
    return facts >> DEPTH & 0xFF


def bound_in(facts: int) -> int:
    """UPPER, LOWER or EXACT."""
    return facts >> BOUND & 3


def complete_in(facts: int) -> bool:
    """Return whether all lines came to an end of the game, and nothing was left out."""
    return facts >> COMPLETE & 1 != 0


def age_in(facts: int) -> int:
    """In which search it was written, of the last AGES."""
    return facts >> AGE


def place_for(code: int, age: int, table: Ints) -> tuple[int, int]:
    """Return where a position is written: over its own entry, or over the one that is least worth keeping;
    and the move of its own entry, or 0.
    """
    first = BUCKET * fibonacci_slot(code, BUCKETS)
    for place in (first, first + WORDS):
        move = int(table[place + MOVE])
        if table[place] == sealed(code, int(table[place + FACTS]), move, int(table[place + JUDGED])):
            return place, move
    second = first + WORDS
    return first if keeps(first, age, table) <= keeps(second, age, table) else second, 0


def keeps(place: int, age: int, table: Ints) -> int:
    """Return how much an entry is worth keeping: those of this search first, then the deep ones."""
    facts = int(table[place + FACTS])
    return depth_in(facts) + (256 if age_in(facts) == age else 0)


def write(
    code: int,
    depth: int,
    value: int,
    bound: int,
    complete: bool,
    move: int,
    judged: int,
    age: int,
    table: Ints,
) -> None:
    """Notes what was found out; the best move stays where none is known now."""
    place, before = place_for(code, age, table)
    if move == 0:
        move = before
    whole = 1 if complete else 0
    facts = value + ZERO | depth << DEPTH | bound << BOUND | whole << COMPLETE | age << AGE
    table[place] = sealed(code, facts, move, judged)
    table[place + FACTS], table[place + MOVE], table[place + JUDGED] = facts, move, judged
