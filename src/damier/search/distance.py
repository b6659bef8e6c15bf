"""In how many plies a game ends that somebody wins: the winner hurries, the loser delays, as
`solve` counts them.

Iterative deepening of one question (D. J. Slate and L. R. Atkin, "Chess 4.5", 1977 [SlateAtkin77]):
can the winner force a won end within 1, 2, 3 … plies? The first depth at which it can is the
distance, and the proof of it. What holds within n plies holds within more, and what does not, not
within fewer: so a position is remembered with the fewest plies that are enough and the most that
are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from damier.core.analysis import Evaluation
from damier.core.arrays import IntArray, np
from damier.core.bits import fibonacci_slot
from damier.core.codes import code_at, put_code, word_of_code
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import each
from damier.core.past import advance, mark, rewind
from damier.core.rules import ONGOING, AnyPast, Field, State, as_state, key, mover, moves
from damier.core.tree import to_player
from damier.search.lookahead import Found, LookAhead, uncounted_run
from damier.search.running import DEPTH, STOPPED, Counts, Run, spent_unmarked, terminal_value

SLOTS = 1 << 20
NEVER = DEPTH + 1

DistanceTable: TypeAlias = tuple[IntArray, IntArray, IntArray]
"""(codes, enough, too_few), each [SLOTS]: the key of the position, as `damier.core.codes` reads it; the
fewest plies that are enough; the most that are not. In plain Python a `PlainDistances` stands for
it, which only the functions bound by `PURE` can read.
"""

PlainDistances: TypeAlias = dict[State, tuple[int, int]]
"""By position: (enough, too_few)."""


def wins(s: State, plies: int, side: int, count: Counts, memory: DistanceTable, past: AnyPast) -> bool:
    """Return whether player 0 (`side` 1), or whoever is against it (-1), can force a won end within so
    many plies.
    """
    if spent_unmarked(s, plies, count, memory):
        return False
    end = terminal_value(s)
    if end != ONGOING:
        return side * end > 0
    if plies == 0:
        return False
    enough, too_few = remembered(memory, s)
    if plies >= enough or plies <= too_few:
        return plies >= enough
    ours = (mover(s) == 0) == (side > 0)
    won, here = not ours, mark(past)
    for move in each(moves(s)):
        child_won = wins(advance(s, move, past), plies - 1, side, count, memory, past)
        rewind(past, here)
        if child_won == ours:
            won = ours
            break
    if count[STOPPED] == 0:
        remember(memory, s, plies if won else enough, too_few if won else plies)
    return won


def wins_at(
    fields: tuple[Field, ...], plies: int, side: int, count: Counts, memory: DistanceTable, past: AnyPast
) -> bool:
    """`wins`; compiled code is entered with a plain tuple."""
    return wins(as_state(fields), plies, side, count, memory, past)


def remembered(memory: DistanceTable, s: State) -> tuple[int, int]:
    """The fewest plies that are known to be enough, and the most that are known not to be."""
    codes, enough, too_few = memory
    wanted = key(s)
    slot = fibonacci_slot(word_of_code(wanted), SLOTS)
    if code_at(codes, slot) != wanted:
        return NEVER, 0
    return enough[slot], too_few[slot]


def remember(memory: DistanceTable, s: State, within: int, not_within: int) -> None:
    codes, enough, too_few = memory
    wanted = key(s)
    slot = fibonacci_slot(word_of_code(wanted), SLOTS)
    put_code(codes, slot, wanted)
    enough[slot], too_few[slot] = within, not_within


def remembered_in_dictionary(memory: PlainDistances, s: State) -> tuple[int, int]:
    return memory.get(s, (NEVER, 0))


def remember_in_dictionary(memory: PlainDistances, s: State, within: int, not_within: int) -> None:
    memory[s] = (within, not_within)


PURE: Bindings = {remembered: remembered_in_dictionary, remember: remember_in_dictionary}


def empty(game: Game, jit: bool) -> DistanceTable:
    """No positions yet, as the engines read it."""
    if not jit:
        return cast("DistanceTable", PlainDistances())
    codes = np.full(SLOTS * game.key_words, -1, np.int64)
    return codes, np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)


def find_distance(search: LookAhead, found: Found, heuristic: Evaluation) -> tuple[int, ...]:
    """Writes to `found` in how many plies the game ends: 0 where it is over, None where nobody is
    known to win.

    Whoever is only judged to be better, by an evaluation at the end of the search, is not. Returns
    a line of play of that length, if it is also one of best play.
    """
    game, s = search.game, search.state
    if game.over(s):
        found.distance = 0
        return ()
    value = to_player(found.value, 0) if found.value is not None else 0
    line: list[int] = []
    if not value or (heuristic.features and not found.exact):
        return ()
    side = (-1 if game.mover(s) > 0 else 1) * (1 if value > 0 else -1)

    def work(run: Run) -> None:
        engine, memory = run.engine(wins_at, {} if run.jit else PURE), empty(game, run.jit)
        run.remembers = True

        def within(s: State, plies: int) -> bool:
            return bool(engine(run.game.fields(s), plies, side, run.count, memory, run.line.past))

        plies = next((plies for plies in range(1, found.plies + 1) if within(s, plies) or run.stopped), None)
        found.distance = None if run.stopped else plies
        line[:], end = hurried_line(run, s, found.distance or 0, side, within)
        if not run.sound:
            line.clear()
            found.distance = None
            run.stop()
        # where payoffs differ, who hurries may win less
        if run.stopped or not game.over(end) or game.payoff(end, game.mover(s)) != value:
            line.clear()

    if not uncounted_run(search, "distance", work) and found.distance is None:
        search.left_out.append("distance")
    return tuple(line)


def hurried_line(
    run: Run, s: State, plies: int, side: int, within: Callable[[State, int], bool]
) -> tuple[list[int], State]:
    """The first line of play to the end that is `plies` away, and that end: the winner moves nearer
    to it, the loser no nearer than it must.
    """
    game, line = run.game, list[int]()
    for left in range(plies - 1, -1, -1):
        wins_here = (game.mover(s) == 0) == (side > 0)
        for move in game.legal(s):
            with run.line.trying(move) as child:
                if within(child, left) and (wins_here or left == 0 or not within(child, left - 1)):
                    line.append(move)
                    break
        else:  # stopped by a limit
            break
        s = run.line.play(line[-1])
    return line, s
