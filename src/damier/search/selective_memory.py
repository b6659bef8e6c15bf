"""What the engine of a selective search reads and writes, and where in it things lie.

All whole numbers of a search but its table lie in one array, `room`: a call of compiled code hands on
seven words an array, and the engine calls itself at every node.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import Ints
from damier.core.evaluation import Weights
from damier.core.game import Game
from damier.core.past import AnyPast
from damier.core.player import Arrays
from damier.search.counting import Counts, Seen

LONGEST = 120
"""The longest line, in plies, extensions and quiescence included."""

NULL_MOVE, QUIESCENCE, REDUCTIONS, EXTENSIONS, PRUNING, TABLE, AGE, ROOT_DEPTH, ROOT_VALUE = range(9)
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
    """The arrays of one search. `held`: what an endgame table is asked with (`core/probe.py`)."""

    weights: Weights
    counts: Counts
    seen: Seen
    table: Ints
    room: Ints
    held: Arrays
    past: AnyPast


def room_words(game: Game) -> int:
    """How many words `room` has."""
    return STACK + 2 * (LONGEST + 2) * game.most_moves()


def start_line(ply: int, room: Ints) -> None:
    """Nothing is known yet of what follows a node."""
    room[PV_LENGTH + ply] = 0


def extend_line(ply: int, move: int, room: Ints) -> None:
    """What follows a node if everybody plays best: `move`, and what follows that."""
    row, below, length = PV + ply * (LONGEST + 2), PV + (ply + 1) * (LONGEST + 2), room[PV_LENGTH + ply + 1]
    room[row] = move
    for n in range(length):
        room[row + n + 1] = room[below + n]
    room[PV_LENGTH + ply] = length + 1


def line_of(room: Ints) -> list[int]:
    """The principal variation of the root."""
    return [int(room[PV + n]) for n in range(int(room[PV_LENGTH]))]
