"""The transposition table of an exact search: the least and the most that a position is worth to
its mover, and the move to try first.

Slots stand in pairs. A position may lie in either slot of its pair: in the first what took the most
nodes to find out, in the second whatever came last (D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den
Herik, "Replacement schemes for transposition tables", ICCA Journal 17 (1994) [Breuker94]). A slot is an
entry, the words of the key, and where moves are a list the move, which the entry has no room for.

    entry, 0: empty    log2 of the nodes    the move's number    upper + 1    lower + 1
                                       6                   25           16           16       bits

A key is written xor its entry, and each further word of it xor a hash of those before: where two threads
wrote a slot at once, so that its words are of two positions, no key fits it (R. M. Hyatt and T. Mann, "A
lock-less transposition table implementation for parallel search", ICGA Journal 25 (2002) [HyattMann02]).

Bounds of the value of a position, counted from there, hold however deep and by whatever way it is
come to. In the first plies of a search a position is looked up as the least of its symmetric ones. In
plain Python the words are a list, and a key takes one place of it.
"""

from __future__ import annotations

from damier.core.arrays import Ints, ints, np
from damier.core.bits import fibonacci_slot, prefetch
from damier.core.codes import code_from, code_words, put_code_from, sealed, unsealed, word_of_code
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import count_moves, each, move_number, numbered_move
from damier.core.rules import TOP, Key, Moves, State, bounds, key, play, turn, turn_move
from damier.core.symmetry import least_image, turned_back
from damier.search.lookahead import fails_high, fails_low
from damier.search.running import DEPTH, Counts

WIDTH = 16
MASK = (1 << WIDTH) - 1
ZERO = TOP + 1
"""A bound of 0, as it is written down: above 0, so that no entry is 0."""
MOVE_WIDTH = 25
MOVE_MASK = (1 << MOVE_WIDTH) - 1
COST = 2 * WIDTH + MOVE_WIDTH
LEAST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 29
PAIR = 2
CACHE_LINE = 64


def prefetch_entry(s: State, table: Ints) -> None:
    """Asks memory for the entry of `s`, which will be needed soon."""
    prefetch(table, place_of(key(s), table))


def prefetch_children(s: State, tried: Moves, plies: int, table: Ints) -> None:
    """Prefetch the entry of every child that is worth a look."""
    if not looks_up_children(s, count_moves(tried)):
        return
    for move in each(tried):
        prefetch_entry(play(s, move), table)


def looks_up_children(s: State, moves_of_s: int) -> bool:
    """Return whether the table is asked for all children before any is searched: a single one asks for
    itself.
    """
    return moves_of_s > 1


def place_of(wanted: Key, table: Ints) -> int:
    """Return where the pair of slots of a key begins."""
    pair = PAIR * slot_words()
    return pair * fibonacci_slot(word_of_code(wanted), len(table) // pair)


def slot_words() -> int:
    """Return how many words a slot has."""
    return 1 + code_words()


def slot_words_beside() -> int:
    """`slot_words`, where moves are a list."""
    return 2 + code_words()


def slot_of(wanted: Key, table: Ints) -> tuple[int, int]:
    """Return where the slot of a key begins, and its entry, read once; an entry of 0 where the table does not
    hold it.
    """
    place = place_of(wanted, table)
    for slot in range(PAIR):
        begin = place + slot * slot_words()
        entry = int(table[begin])
        if entry and code_from(table, begin + 1) == sealed(wanted, entry):
            return begin, entry
    return place, 0


def probe(
    s: State, plies: int, low: int, high: int, ours: bool, theirs: bool, table: Ints, count: Counts
) -> tuple[int, int, int]:
    """The least and the most that `s` is worth to its mover, and the hash move, or 0.

    The table is asked where the game's own bounds do not suffice.
    """
    lower, upper = bounds(s)
    if fails_high(lower, high, ours) or fails_low(upper, low, theirs):
        return lower, upper, 0
    symmetry = symmetry_of(s, plies)
    place, entry = slot_of(key_under(s, symmetry), table)
    if entry == 0:
        return lower, upper, 0
    move = turned_back(s, noted_move(place, entry, table), symmetry)
    return max(lower, lower_of(entry)), min(upper, upper_of(entry)), move


def known(s: State, plies: int, table: Ints) -> tuple[int, int]:
    """The least and the most that the table alone knows `s` to be worth to its mover."""
    _place, entry = slot_of(key_under(s, symmetry_of(s, plies)), table)
    return (-TOP, TOP) if entry == 0 else (lower_of(entry), upper_of(entry))


def store(
    s: State, plies: int, complete: bool, lower: int, upper: int, move: int, cost: int, table: Ints
) -> None:
    """Notes the bounds of `s`, and the move that was best; `cost`: nodes that it took."""
    symmetry = symmetry_of(s, plies)
    noted = move_under(move, symmetry)
    put(key_under(s, symmetry), entry_of(lower, upper, noted, cost), noted, table)


def put(wanted: Key, entry: int, move: int, table: Ints) -> None:
    """Writes an entry into the slot of its key; else into the first of its pair where it cost as much as what
    is there, which moves on to the second; else into the second.
    """
    place, before = slot_of(wanted, table)
    if before == 0 and table[place]:
        if entry >> COST >= int(table[place]) >> COST:
            for word in range(slot_words()):
                table[place + slot_words() + word] = table[place + word]
        else:
            place += slot_words()
    table[place] = entry
    put_code_from(table, place + 1, sealed(wanted, entry))
    note_beside(place, move, table)


def entry_of(lower: int, upper: int, move: int, cost: int) -> int:
    """Return what a slot says: the nodes it took, the move to try first, and the bounds."""
    facts = (number_of(move) << WIDTH | upper + ZERO) << WIDTH | lower + ZERO
    return cost.bit_length() << COST | facts


def number_of(move: int) -> int:
    """A move as an entry holds it."""
    return move_number(move)


def no_number(move: int) -> int:
    """`number_of`, where moves are a list."""
    return 0


def note_beside(place: int, move: int, table: Ints) -> None:
    """Writes the move beside the entry, where moves are a list."""


def note_in_list(place: int, move: int, table: Ints) -> None:
    table[place + slot_words() - 1] = move


def lower_of(entry: int) -> int:
    return (entry & MASK) - ZERO


def upper_of(entry: int) -> int:
    return (entry >> WIDTH & MASK) - ZERO


def noted_move(place: int, entry: int, table: Ints) -> int:
    """The move to try first."""
    return numbered_move(entry >> 2 * WIDTH & MOVE_MASK)


def noted_in_list(place: int, entry: int, table: Ints) -> int:
    """`noted_move`, where moves are a list: one that is none of `s` where two threads wrote at once."""
    return int(table[place + slot_words() - 1])


def move_over(table: Ints, larger: Ints) -> None:
    """Enters what is in one table into a larger one."""
    for place in range(0, len(table), slot_words()):
        entry = int(table[place])
        if entry:
            put(
                unsealed(code_from(table, place + 1), entry),
                entry,
                int(table[place + slot_words() - 1]),
                larger,
            )


def slots_of(game: Game) -> Bindings:
    """Return what stands for the functions of this file in a game."""
    if not game.moves_are_listed:
        return {}
    return {
        number_of: no_number,
        note_beside: note_in_list,
        noted_move: noted_in_list,
        slot_words: slot_words_beside,
    }


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
    """An empty table as the engines read it: pages that nothing was sent to take no memory yet. Compiled it
    begins with a line of the cache, so that no pair of small slots lies in two.
    """
    size = words_of_slot(game, game.key_words if jit else 1) * slots
    if not jit:
        return ints(size, jit)
    line = CACHE_LINE // 8
    words = np.zeros(size + line, np.int64)
    begin = -words.ctypes.data // 8 % line
    return words[begin : begin + size]


# Symmetric positions as one, in the first plies of an exact search.
#
# A position is looked up as the least of its symmetric ones. Near an empty board they meet often: from
# there Connect Four takes about half of the nodes. Deeper they hardly meet, and to turn a position costs more
# than a node.

SYMMETRIC_PLIES = 8
"""How many plies from the position that was asked about. With 14, Connect Four after 444444 takes 3 % fewer
nodes; four in a row on 5×4, all of whose few plies would be turned, takes some three times as long.
"""


def symmetry_of(s: State, plies: int) -> int:
    """The symmetry under which `s` has the least key; the identity beyond the first plies."""
    return 0 if plies <= DEPTH - SYMMETRIC_PLIES else least_image(s)[1]


def key_under(s: State, symmetry: int) -> Key:
    """The key of `s` as seen under a symmetry."""
    return key(turn(s, symmetry)) if symmetry else key(s)


def move_under(move: int, symmetry: int) -> int:
    """A move as seen under a symmetry; 0, no move, stays."""
    return turn_move(move, symmetry) if symmetry and move else move


def identity(s: State, plies: int) -> int:
    return 0


def key_itself(s: State, symmetry: int) -> Key:
    return key(s)


def move_itself(move: int, symmetry: int) -> int:
    return move


def unturned(s: State, turned: int, symmetry: int) -> int:
    return turned


NO_SYMMETRY: Bindings = {
    symmetry_of: identity,
    key_under: key_itself,
    move_under: move_itself,
    turned_back: unturned,
}


def symmetry_in(game: Game) -> Bindings:
    """Return what stands for the functions of this file in a game."""
    return NO_SYMMETRY if game.symmetries() == 1 else {}
