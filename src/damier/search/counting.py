"""What every engine counts, the different positions that it looked at, and the one number that
stops it.

An engine asks `spent` at every node. Whoever wants it to stop, also from another thread, sets the
budget to 0.
"""

from __future__ import annotations

from typing import Final, TypeAlias, cast

from damier.core.arrays import IntArray, Ints
from damier.core.codes import code_at, code_room, is_code, put_code
from damier.core.open_addressing import empty_slot_of_code, slot_of_code
from damier.core.rules import ONGOING, Field, Key, State, as_state, key, mover, outcome, over, payoff, seen_as

NODES, BUDGET, STOPPED, DEPTH_CUTOFFS, CUTS, LEFT, DISTINCT, FULL, WORKER = range(9)
COUNTS = 9
"""Nodes so far, and how many there may be; 1: it was stopped; ends of the search that are no ends
of the game; cuts; the fewest plies that were left to search anywhere; different positions, and 1:
there is no room for more of them; which of the threads of one search it is.
"""

SLOTS = 1 << 16

Counts: TypeAlias = Ints
"""Whole numbers as the engines write them: a list in plain Python, an int64 array compiled."""

Seen: TypeAlias = IntArray
"""The different positions: [slots] their keys, as `damier.core.codes` reads them. In plain Python what
`plain_set` makes stands for it, and `UNMARKED` where nobody asks.
"""

UNMARKED: Final = cast("Seen", ())
"""No positions: only functions that mark none can read it."""


def spent(s: State, plies: int, count: Counts, seen: Seen) -> bool:
    """Counts a node with so many plies left, and notes which position it is; True where there is
    nothing left to spend on it.

    Stops the search where the set of positions is filling up.
    """
    if spent_unmarked(s, plies, count, seen):
        return True
    mark(s, count, seen)
    return False


def spent_unmarked(s: State, plies: int, count: Counts, seen: object) -> bool:
    """`spent`, where nobody asks which positions there were."""
    if count[NODES] >= count[BUDGET]:
        count[STOPPED] = 1
        return True
    count[NODES] += 1
    if plies < count[LEFT]:
        count[LEFT] = plies
    return False


def mark(s: State, count: Counts, seen: Seen) -> None:
    """Notes that the search looked at `s`."""
    wanted = key(seen_as(s))
    slot = slot_of_code(seen, seen, wanted)
    if not is_code(seen, slot):
        enter(wanted, slot, count, seen)


def enter(code: Key, slot: int, count: Counts, seen: Seen) -> None:
    """Notes a new position; stops the search where the set is filling up."""
    put_code(seen, slot, code)
    count[DISTINCT] += 1
    if 10 * count[DISTINCT] > 7 * code_room(seen):
        count[FULL] = 1
        count[BUDGET] = 0


def mark_in_set(s: State, count: Counts, seen: set[State]) -> None:
    """`mark`, in plain Python."""
    seen.add(seen_as(s))


def plain_set() -> Seen:
    """No positions yet, in plain Python; only `mark_in_set` can add one."""
    return cast("Seen", set[State]())


def spent_on(fields: tuple[Field, ...], plies: int, count: Counts, seen: Seen) -> bool:
    """`spent`; compiled code is entered with a plain tuple."""
    return spent(as_state(fields), plies, count, seen)


def terminal_value(s: State) -> int:
    """What a finished game is worth to player 0; ONGOING while it goes on.

    Of games that give `outcome`: it is asked once.
    """
    value = outcome(s)
    if value == ONGOING or mover(s) == 0:
        return value
    return -value


def terminal_value_of_many(s: State) -> int:
    """`terminal_value`, of games that give `over` and `payoff`."""
    return payoff(s, 0) if over(s) else ONGOING


def add_seen(seen: Seen, into: Seen, count: Counts) -> None:
    """Notes that the search looked at all positions of a set."""
    for slot in range(code_room(seen)):
        if is_code(seen, slot):
            wanted = code_at(seen, slot)
            place = slot_of_code(into, into, wanted)
            if not is_code(into, place):
                enter(wanted, place, count, into)
                if count[FULL]:
                    return


def move_over(seen: Seen, larger: Seen) -> None:
    """Enters what is in one set into a larger one."""
    for slot in range(code_room(seen)):
        if is_code(seen, slot):
            wanted = code_at(seen, slot)
            put_code(larger, empty_slot_of_code(larger, wanted), wanted)
