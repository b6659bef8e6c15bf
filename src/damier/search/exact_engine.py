"""The engine of `transposition` over scores that hold value and distance in one (`core.score`):
what an exact search asks, question by question (J. Pearl, "Scout", 1980 [Pearl80]; A. Plaat, J.
Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial
Intelligence 87 (1996) [Plaat96]).

A question is a null window: is a position worth at least so much? Each answer proves a bound of its
score. A game's own knowledge answers first (`bounds`), then the table, then the moves: those worth
a look (`non_losing_moves`), the most promising first (`move_score`). A score is counted from the
position at hand, so it holds however that was reached; as moves advance a ply, none comes back.
"""

from __future__ import annotations

from damier.core.arrays import Ints, np
from damier.core.bits import fibonacci_slot, lowest, position_of
from damier.core.codes import word_of_code
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import each, first_move
from damier.core.rules import (
    ONGOING,
    TOP,
    Moves,
    State,
    bounds,
    key,
    later,
    loss_in,
    move_score,
    mover,
    moves,
    non_losing_moves,
    play,
    plies_left,
    sooner,
)
from damier.search import bounds_table, transposition
from damier.search.bounds_table import looks_up_children, symmetry_in
from damier.search.bounds_table import probe as ask_table
from damier.search.running import (
    BUDGET,
    DEPTH,
    DEPTH_CUTOFFS,
    FULL,
    NODES,
    STOPPED,
    WORKER,
    Counts,
    Seen,
    spent,
    terminal_value,
)
from damier.search.transposition import (
    SearchMemory,
    as_value,
    known,
    most_promising_first,
    move_at,
    one_ply_down,
    one_ply_up,
    order_of,
)


def always(side: int, sides: int) -> bool:
    """Both sides cut at equality: scores are whole, so that "at least 5" and "more than 4" are one
    question.
    """
    return True


def spent_quickly(s: State, plies: int, count: Counts, seen: Seen) -> bool:
    """Counts a node, and nothing else; True where there is nothing left to spend on it."""
    if count[NODES] >= count[BUDGET]:
        count[STOPPED] = 1
        return True
    count[NODES] += 1
    return False


def uncounted(count: Counts) -> None:
    """Nobody asks how many cutoffs there were."""


def as_score(payoff: int, count: Counts) -> int:
    """The score of an end; one that is no win, draw or loss is counted in count[DEPTH_CUTOFFS]."""
    if payoff < -1 or payoff > 1:
        count[DEPTH_CUTOFFS] += 1
    return payoff * TOP


def too_long(s: State, memory: SearchMemory) -> int:
    """Stops the search: the game goes on for longer than the stack has room (count[FULL])."""
    memory.counts[FULL], memory.counts[STOPPED], memory.counts[BUDGET] = 1, 1, 0
    return 0


def non_losing(s: State, legal: Moves) -> tuple[Moves, int, int]:
    """The moves that do not lose at once; what the others are worth at most; the first of them all."""
    kept = non_losing_moves(s)
    return kept, -TOP if kept == legal else loss_in(2), first_move(legal)


def any_move(s: State, legal: Moves) -> tuple[Moves, int, int]:
    """Return any move, where moves are listed: nothing is known of them."""
    return legal, -TOP, first_move(legal)


def best_of_table(s: State, plies: int, first: int, last: int, high: float, memory: SearchMemory) -> float:
    """Return what the table promises of a move, the first that gives `high`, asked before any is searched:
    enhanced transposition cutoffs (J. Schaeffer and A. Plaat, "New advances in alpha-beta searching", 1996
    [SchaefferPlaat96]).
    """
    best: float = -TOP
    if not looks_up_children(s, last - first):
        return best
    turn_of = mover(s)
    for place in range(first, last):
        child = play(s, move_at(place, memory.stack))
        lower, upper = known(child, plies - 1, memory.table)
        best = max(best, one_ply_up(lower if mover(child) == turn_of else -upper))
        if best >= high:
            break
    return best


EXACT_SCORES: Bindings = {
    spent: spent_quickly,
    transposition.cuts_at_equality: always,
    transposition.note_cutoff: uncounted,
    transposition.as_value: as_score,
    transposition.horizon: too_long,
    transposition.worth_trying: non_losing,
    transposition.one_ply_up: later,
    transposition.one_ply_down: sooner,
    transposition.lay_out: most_promising_first,
    transposition.prefetch_entry: bounds_table.prefetch_entry,
    transposition.prefetch_children: bounds_table.prefetch_children,
    transposition.best_known: best_of_table,
    transposition.known: bounds_table.known,
    transposition.probe: bounds_table.probe,
    transposition.store: bounds_table.store,
}


def scores_of(game: Game) -> Bindings:
    """`EXACT_SCORES` for a game."""
    listed: Bindings = {transposition.worth_trying: any_move} if game.moves_are_listed else {}
    laid_out: Bindings = {
        transposition.lay_out: order_of(game).get(most_promising_first, most_promising_first)
    }
    ways = bounds_table.slots_of(game) | symmetry_in(game) | order_of(game) | care_of(game)
    return EXACT_SCORES | laid_out | listed | ways


def as_payoff(payoff: int, count: Counts) -> int:
    """A payoff is its own score; one that does not fit the table is counted in count[DEPTH_CUTOFFS]."""
    if payoff < -TOP or payoff > TOP:
        count[DEPTH_CUTOFFS] += 1
        return 0
    return payoff


def unbounded(s: State) -> tuple[int, int]:
    """Return what a game knows of its scores says nothing about payoffs."""
    return -TOP, TOP


def as_it_is(payoff: int) -> int:
    """A payoff is the same however far it is."""
    return payoff


PAYOFFS: Bindings = {
    transposition.as_value: as_payoff,
    transposition.worth_trying: any_move,
    transposition.one_ply_up: as_it_is,
    transposition.one_ply_down: as_it_is,
    bounds: unbounded,
}
"""The same over payoffs: margins, whose distance nobody asks for (docs/decisions/0052)."""


def payoffs_of(game: Game) -> Bindings:
    """Return what an exact search over the payoffs of a game binds."""
    return scores_of(game) | PAYOFFS


# One exact search by several threads over one table, without locks.
#
# All threads ask the same question and look into the same table. What one of them searches, others put off
# to the end of their moves, so that they find something else to do meanwhile; the first move of a position
# they may all search, since the others may not be needed (ABDADA: J.-C. Weill, "The ABDADA
# distributed minimax
# search algorithm", ICCA Journal 19 (1996) [Weill96]; the marks in a small table of their own). Who answers a
# position calls away the threads that are still below it: they begin anew at the root, and find in the table
# all that they had proven.
#
#     board    [WORKERS] 1: this thread is called away    then of every mark: key word, set of the
# threads there
#
# The board is read and written without locks. A mark that is lost, or one too many, costs time and changes no
# answer: marks say in what order to search, and the table alone says what is proven.

WORKERS = 62
MARKS = 1 << 12
SHARED_PLIES = 12
"""In so many plies from the position that was asked about, threads keep out of each other's way: below, a
position is soon searched.
"""


def board() -> Seen:
    """An empty board, for compiled engines."""
    return np.zeros(WORKERS + 2 * MARKS, np.int64)


def mark_of(wanted: int) -> int:
    """Return where the mark of a key word stands."""
    return WORKERS + 2 * fibonacci_slot(wanted, MARKS)


def elsewhere(child: State, plies: int, memory: SearchMemory) -> bool:
    """Return whether another thread is searching `child`."""
    if plies <= DEPTH - SHARED_PLIES:
        return False
    wanted = word_of_code(key(child))
    mark, marks = mark_of(wanted), memory.seen
    return bool(marks[mark] == wanted and (marks[mark + 1] & ~(1 << memory.counts[WORKER])) != 0)


def enter(child: State, plies: int, memory: SearchMemory) -> None:
    """Marks `child`; a thread that is called away ends its search here."""
    if plies <= DEPTH - SHARED_PLIES:
        return
    wanted, worker, marks = word_of_code(key(child)), memory.counts[WORKER], memory.seen
    mark = mark_of(wanted)
    if marks[mark] == wanted:
        marks[mark + 1] |= 1 << worker
    else:
        marks[mark] = wanted
        marks[mark + 1] = 1 << worker
    if marks[worker] != 0:
        memory.counts[STOPPED] = 1
        memory.counts[BUDGET] = 0


def leave(child: State, plies: int, memory: SearchMemory) -> None:
    """Takes the mark back; with an answer, the others who are there are called away."""
    if plies <= DEPTH - SHARED_PLIES:
        return
    wanted, worker, marks = word_of_code(key(child)), memory.counts[WORKER], memory.seen
    mark = mark_of(wanted)
    if marks[mark] == wanted:
        others = int(marks[mark + 1] & ~(1 << worker))
        marks[mark + 1] = others
        if memory.counts[STOPPED] == 0:
            while others:
                other = lowest(others)
                others ^= other
                marks[position_of(other)] = 1


SHARED: Bindings = {
    transposition.searched_elsewhere: elsewhere,
    transposition.enter: enter,
    transposition.leave: leave,
}
"""What a search by several threads binds; its board stands in the place of the positions that were seen."""


# Care that an exact search takes of a position, in games that say how many plies are left.
#
#     many     a move promises what it scores and, added to that, the most that its mover can score with the
#              move after it, whatever the reply: a search of three plies for the order of moves alone
#     fewer    what it scores
#     fewest   the end is played out: no table, no order, since they cost more than they save
#
# A third threshold lies between: children are looked up in the table where they are worth being there.

PLAYED_OUT, LOOKED_UP, LOOKED_AHEAD = 4, 7, 14
"""Plies left: at most so many are played out; from so many on the table is asked for children, and moves are
put in order by looking ahead.
"""
SETTLED = 1 << 20
"""What a unit of payoff promises, where the game ends within these plies: more than moves score."""


def probe(
    s: State, plies: int, low: int, high: int, ours: bool, theirs: bool, table: Ints, count: Counts
) -> tuple[float, float, int]:
    """`bounds_table.probe`; near the end what is asked, and no more, by playing it out."""
    if not 0 < plies_left(s) <= PLAYED_OUT:
        return ask_table(s, plies, low, high, ours, theirs, table, count)
    found = played_out(s, high, count)
    return (found, TOP, 0) if found >= high else (-TOP, found, 0)


def played_out(s: State, high: float, count: Counts) -> float:
    """A bound of the value of `s`, which is not over, to its mover: a lower one if it is at least `high`,
    else an upper one.
    """
    best: float = -TOP
    turn = mover(s)
    for move in each(moves(s)):
        count[NODES] += 1
        child = play(s, move)
        end, same = terminal_value(child), mover(child) == turn
        if end != ONGOING:
            worth = as_value(end, count)
            found = one_ply_up(worth if turn == 0 else -worth)
        elif same:
            found = one_ply_up(played_out(child, one_ply_down(high), count))
        else:
            found = one_ply_up(-played_out(child, 1 - one_ply_down(high), count))
        best = max(best, found)
        if best >= high:
            break
    return best


def looks_up_early_children(s: State, moves_of_s: int) -> bool:
    """`bounds_table.looks_up_children`, where children are far enough from the end to be in the table."""
    return moves_of_s > 1 and not 0 < plies_left(s) < LOOKED_UP


def look_ahead(s: State, move: int) -> int:
    """`transposition.promise`, by looking ahead where it pays."""
    score = move_score(s, move)
    return score if plies_left(s) < LOOKED_AHEAD else score + prospect(play(s, move), mover(s))


def prospect(s: State, player: int) -> int:
    """The most that `player` can score with a move from `s` on, or after the reply that leaves it the
    least.
    """
    if terminal_value(s) != ONGOING or mover(s) == player:
        return best_score(s, player, SETTLED * TOP)
    least = SETTLED * TOP
    for reply in each(moves(s)):
        least = min(least, best_score(play(s, reply), player, least))
    return least


def best_score(s: State, player: int, enough: int) -> int:
    """Return what the best move in `s` scores, as `player` sees it, who moves: the first that scores
    `enough`.
    """
    end = terminal_value(s)
    if end != ONGOING:
        return SETTLED * (end if player == 0 else -end)
    side, best = 1 if mover(s) == player else -1, -SETTLED * TOP
    for move in each(moves(s)):
        best = max(best, move_score(s, move))
        if side * best >= enough:
            break
    return side * best


def care_of(game: Game) -> Bindings:
    """Return what an exact search binds in a game that says how many plies are left."""
    if "plies_left" not in game.given or game.has_past:
        return {}
    bound: Bindings = {transposition.probe: probe, bounds_table.looks_up_children: looks_up_early_children}
    return bound | ({transposition.promise: look_ahead} if "move_score" in game.given else {})
