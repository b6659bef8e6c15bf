"""One exact search by several threads over one table, without locks.

All threads ask the same question and look into the same table. What one of them searches, others put off
to the end of their moves, so that they find something else to do meanwhile; the first move of a position
they may all search, since the others may not be needed (ABDADA: J.-C. Weill, "The ABDADA distributed minimax
search algorithm", ICCA Journal 19 (1996) [Weill96]; the marks in a small table of their own). Who answers a
position calls away the threads that are still below it: they begin anew at the root, and find in the table
all that they had proven.

    board    [WORKERS] 1: this thread is called away    then of every mark: key word, set of the threads there

The board is read and written without locks. A mark that is lost, or one too many, costs time and changes no
answer: marks say in what order to search, and the table alone says what is proven.
"""

from __future__ import annotations

from damier.core.bits import fibonacci_slot, lowest, position_of
from damier.core.codes import word_of_code
from damier.core.compile import Bindings
from damier.core.rules import State, key
from damier.search import transposition
from damier.search.counting import BUDGET, STOPPED, WORKER, Seen
from damier.search.running import DEPTH
from damier.search.transposition import SearchMemory

WORKERS = 62
MARKS = 1 << 12
SHARED_PLIES = 12
"""In so many plies from the position that was asked about, threads keep out of each other's way: below, a
position is soon searched.
"""


def board() -> Seen:
    """An empty board, for compiled engines."""
    import numpy as np

    return np.zeros(WORKERS + 2 * MARKS, np.int64)


def mark_of(wanted: int) -> int:
    """Where the mark of a key word stands."""
    return WORKERS + 2 * fibonacci_slot(wanted, MARKS)


def elsewhere(child: State, plies: int, memory: SearchMemory) -> bool:
    """Whether another thread is searching `child`."""
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
