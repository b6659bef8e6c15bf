"""The transposition table of an exact search: the least and the most that a position is worth to
its mover, and the move to try first.

A slot holds the last position that was sent there, whatever it was: an entry, the words of its key,
and where moves are a list the move, which the entry has no room for.

    entry, 0: empty    the move's number    upper + 1    lower + 1
                                    31        16           16       bits

Bounds of the value of a position, counted from there, hold however deep and by whatever way it is
come to. In plain Python the words are a list, and a key takes one place of it.
"""

from __future__ import annotations

from damier.core.arrays import Ints, ints
from damier.core.bits import fibonacci_slot, prefetch
from damier.core.codes import code_from, code_words, put_code_from, word_of_code
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import move_number, numbered_move
from damier.core.rules import Key, State, bounds, key
from damier.core.score import TOP
from damier.search.counting import Counts
from damier.search.window import fails_high, fails_low

WIDTH = 16
MASK = (1 << WIDTH) - 1
ZERO = TOP + 1
"""A bound of 0, as it is written down: above 0, so that no entry is 0."""
NOTHING = TOP + ZERO << WIDTH | ZERO - TOP
"""The entry of a position that is not there: at least a loss, at most a win, move number 0."""
LEAST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 27


def prefetch_entry(s: State, table: Ints) -> None:
    """Asks memory for the entry of `s`, which will be needed soon."""
    prefetch(table, place_of(key(s), table))


def place_of(wanted: Key, table: Ints) -> int:
    """Where the entry of a key stands, if it is there."""
    return slot_words() * fibonacci_slot(word_of_code(wanted), len(table) // slot_words())


def slot_words() -> int:
    """How many words a slot has."""
    return 1 + code_words()


def slot_words_beside() -> int:
    """`slot_words`, where moves are a list."""
    return 2 + code_words()


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
    entry, move = NOTHING, 0
    if table[place] and code_from(table, place + 1) == wanted:
        entry = int(table[place])
        move = noted_move(place, table)
    return max(lower, lower_of(entry)), min(upper, upper_of(entry)), move


def store(s: State, plies: int, complete: bool, lower: int, upper: int, move: int, table: Ints) -> None:
    """Notes the bounds of `s`, and the move that was best."""
    wanted = key(s)
    place = place_of(wanted, table)
    put_code_from(table, place + 1, wanted)
    note(place, lower, upper, move, table)


def note(place: int, lower: int, upper: int, move: int, table: Ints) -> None:
    """Writes what a slot says: the bounds and the move to try first."""
    table[place] = (move_number(move) << WIDTH | upper + ZERO) << WIDTH | lower + ZERO


def note_beside(place: int, lower: int, upper: int, move: int, table: Ints) -> None:
    """`note`, where moves are a list."""
    table[place] = upper + ZERO << WIDTH | lower + ZERO
    table[place + slot_words() - 1] = move


def lower_of(entry: int) -> int:
    return (entry & MASK) - ZERO


def upper_of(entry: int) -> int:
    return (entry >> WIDTH & MASK) - ZERO


def noted_move(place: int, table: Ints) -> int:
    """The move to try first."""
    return numbered_move(int(table[place]) >> 2 * WIDTH)


def noted_beside(place: int, table: Ints) -> int:
    """`noted_move`, where moves are a list."""
    return int(table[place + slot_words() - 1])


def move_over(table: Ints, larger: Ints) -> None:
    """Enters what is in one table into a larger one."""
    for slot in range(0, len(table), slot_words()):
        if table[slot]:
            place = place_of(code_from(table, slot + 1), larger)
            for word in range(slot_words()):
                larger[place + word] = table[slot + word]


def slots_of(game: Game) -> Bindings:
    """What stands for the functions of this file in a game."""
    if not game.moves_are_listed:
        return {}
    return {note: note_beside, noted_move: noted_beside, slot_words: slot_words_beside}


def words_of_slot(game: Game, key_words: int) -> int:
    """`slot_words` of a game, with keys of so many words."""
    return key_words + (2 if game.moves_are_listed else 1)


def slot_bytes(game: Game) -> int:
    """Bytes that a slot takes, compiled."""
    return 8 * words_of_slot(game, game.key_words)


def slots_within(game: Game, memory: int) -> int:
    """The most slots, a power of two, that a budget in bytes holds beside a table half as large,
    from which it grew; within LEAST_SLOTS and MOST_SLOTS.
    """
    room = max(1, memory * 2 // 3 // slot_bytes(game))
    return max(LEAST_SLOTS, min(MOST_SLOTS, 1 << (room.bit_length() - 1)))


def empty(game: Game, jit: bool, slots: int) -> Ints:
    """An empty table as the engines read it: pages that nothing was sent to take no memory yet."""
    return ints(words_of_slot(game, game.key_words if jit else 1) * slots, jit)
