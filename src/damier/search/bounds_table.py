"""The transposition table of an exact search: the least and the most that a position is worth to
its mover, and the move to try first.

A slot is two words, which lie on one cache line; it holds the last position that was sent there,
whatever it was:

    key + 1    0: empty               the move's number    upper    lower
                                                     6       16       16  bits

Where moves are no bits, a slot is four words, and its third is the move.

Bounds of the value of a position, counted from there, hold however deep and by whatever way it is
come to. In plain Python the words are a list.
"""

from __future__ import annotations

from damier.core.arrays import Ints, ints
from damier.core.bits import fibonacci_slot, position_of, prefetch
from damier.core.compile import Bindings
from damier.core.defaults import constant
from damier.core.game import Game
from damier.core.rules import State, bounds, key
from damier.core.score import TOP
from damier.search.counting import Counts
from damier.search.window import fails_high, fails_low

WIDTH = 16
MASK = (1 << WIDTH) - 1
NOTHING = TOP + TOP << WIDTH
"""The entry of a position that is not there: at least a loss, at most a win, move number 0."""
SLOT_BYTES = 16
LEAST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 27


def prefetch_entry(s: State, table: Ints) -> None:
    """Asks memory for the entry of `s`, which will be needed soon."""
    prefetch(table, place_of(key(s), table))


def place_of(wanted: int, table: Ints) -> int:
    """Where the entry of a key stands, if it is there."""
    return slot_words() * fibonacci_slot(wanted, len(table) // slot_words())


def slot_words() -> int:
    """How many words a slot has."""
    return 2


def probe(
    s: State, plies: int, low: int, high: int, ours: bool, theirs: bool, table: Ints, count: Counts
) -> tuple[int, int, int]:
    """The least and the most that `s` is worth to its mover, and the hash move, or 0.

    The table is asked where the game's own bounds do not suffice.
    """
    lower, upper = bounds(s)
    if fails_high(lower, high, ours) or fails_low(upper, low, theirs):
        return lower, upper, 0
    wanted = key(s)
    place = place_of(wanted, table)
    entry = int(table[place + 1]) if table[place] == wanted + 1 else NOTHING
    move = noted_move(place, table) if entry != NOTHING else 0
    return max(lower, lower_of(entry)), min(upper, upper_of(entry)), move


def store(s: State, plies: int, complete: bool, lower: int, upper: int, move: int, table: Ints) -> None:
    """Notes the bounds of `s`, and the move that was best."""
    wanted = key(s)
    place = place_of(wanted, table)
    table[place] = wanted + 1
    note(place, lower, upper, move, table)


def note(place: int, lower: int, upper: int, move: int, table: Ints) -> None:
    """Writes what a slot says: the bounds and the move to try first."""
    table[place + 1] = (position_of(move) << WIDTH | upper + TOP) << WIDTH | lower + TOP


def note_beside(place: int, lower: int, upper: int, move: int, table: Ints) -> None:
    """`note`, where moves are no bits."""
    table[place + 1] = (1 << WIDTH | upper + TOP) << WIDTH | lower + TOP
    table[place + 2] = move


def lower_of(entry: int) -> int:
    return (entry & MASK) - TOP


def upper_of(entry: int) -> int:
    return (entry >> WIDTH & MASK) - TOP


def noted_move(place: int, table: Ints) -> int:
    """The move to try first."""
    return 1 << (int(table[place + 1]) >> 2 * WIDTH)


def noted_beside(place: int, table: Ints) -> int:
    """`noted_move`, where moves are no bits."""
    return int(table[place + 2])


def move_over(table: Ints, larger: Ints) -> None:
    """Enters what is in one table into a larger one."""
    for slot in range(0, len(table), slot_words()):
        if table[slot]:
            place = place_of(table[slot] - 1, larger)
            for word in range(slot_words()):
                larger[place + word] = table[slot + word]


WORDS_BESIDE = 4


def slots_of(game: Game) -> Bindings:
    """What stands for the functions of this file in a game."""
    if game.moves_are_bits:
        return {}
    return {note: note_beside, noted_move: noted_beside, slot_words: constant(WORDS_BESIDE)}


def slots_within(memory: int) -> int:
    """The most slots, a power of two, that a budget in bytes holds beside a table half as large,
    from which it grew; within LEAST_SLOTS and MOST_SLOTS.
    """
    room = max(1, memory * 2 // 3 // SLOT_BYTES)
    return max(LEAST_SLOTS, min(MOST_SLOTS, 1 << (room.bit_length() - 1)))


def empty(game: Game, jit: bool, slots: int) -> Ints:
    """An empty table as the engines read it: pages that nothing was sent to take no memory yet."""
    return ints((slot_words() if game.moves_are_bits else WORDS_BESIDE) * slots, jit)
