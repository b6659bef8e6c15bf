"""The line of moves from the root to the node that is looked at: the one place where a selective
search makes a move, and takes it back.
"""

from __future__ import annotations

from damier.core.past import advance as advance_line
from damier.core.past import mark, rewind
from damier.core.rules import State, null_move
from damier.search.selective_memory import LINE, SelectiveMemory


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
    """Whether the last move was a null move; also at the root, where nobody passes either."""
    return ply == 0 or memory.room[LINE + ply - 1] == 0
