"""Depth-first with a table: the score of a position is the best score of the positions it leads to,
each looked up before it is explored.

    score(s) = ± top                               where the game is over, 0 for a draw
             = the best of later(score(play(s, m))) over the moves m

where the best is the largest for player 0 and the smallest for player 1.

A position that can come back is never completed, so the path goes on to DEPTH: games with cycles,
or very long ones, are left to `retrograde`.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from damier.core.arrays import IntArray, Ints, SmallIntArray, np
from damier.core.codes import code_at, code_room, is_code, put_code
from damier.core.compile import Bindings, instantiate
from damier.core.game import Game
from damier.core.job import Job, calls_deep, patient, patiently
from damier.core.moves import each
from damier.core.open_addressing import FULL, as_codes, ascending, empty_slot_of_code, slot_of_code, there
from damier.core.rules import (
    NOT_ZERO_SUM as NO_SUM,
    ONGOING,
    Field,
    Key,
    State,
    as_it_is,
    as_state,
    key,
    later,
    mover,
    moves,
    outcome,
    play,
)
from damier.core.solution import PAYOFF_TYPE, SCORE_TYPE, STATE_TOP, KeyTable, StateTable
from damier.core.tiers import Allowance
from damier.core.words import _
from damier.solve.reach import BEYOND_WINS, NOT_ZERO_SUM, TOO_LARGE, TooMany, check as check_ends

UNKNOWN = 1 << 20  # no score
DEPTH = 1000
CHUNK = 2_000_000  # positions between two signs of life, compiled


class TooDeep(Exception):
    """A path of DEPTH plies without an end."""


def score(s: State, depth: int, table: ScoreTable, limits: Ints) -> int:
    """The score of a state that the table does not hold yet; UNKNOWN where a limit stopped it.

    limits: most positions, set to 1 if DEPTH was reached, what `damier.solve.reach` says of a payoff.
    """
    if size(table) >= limits[0]:  # ends too: a path of DEPTH plies may have MOVES of them at every ply
        return UNKNOWN
    ours = 1 if mover(s) == 0 else -1
    end = outcome(s)
    if end != ONGOING:
        best = score_of_end(end, STATE_TOP, limits)
        if limits[2] != 0:
            return UNKNOWN
    else:
        if depth >= DEPTH:
            limits[1] = 1
            return UNKNOWN
        best = -STATE_TOP
        for move in each(moves(s)):
            child = play(s, move)
            known = recall(table, child, UNKNOWN)
            if known == UNKNOWN:
                known = score(child, depth + 1, table, limits)
                if known == UNKNOWN:
                    return UNKNOWN
            known *= ours
            if known > best:
                best = known
        best = later(best)
    best *= ours
    store(table, s, best)
    return best


def score_of_end(end: int, top: int, limits: Ints) -> int:
    """The score of an end of this payoff; one that is no win, draw or loss is noted."""
    if end < -1 or end > 1:
        limits[2] = BEYOND_WINS
    return end * top


def payoff_of_end(end: int, top: int, limits: Ints) -> int:
    """`score_of_end`, in the units of the payoffs; one that does not fit the table is noted."""
    if end < -top or end > top:
        limits[2] = NOT_ZERO_SUM if end == NO_SUM else TOO_LARGE
        return 0
    return end


IN_UNITS: Bindings = {score_of_end: payoff_of_end, later: as_it_is}
"""Payoffs in the place of scores: who is ahead by three need not hurry."""


def start_score(fields: tuple[Field, ...], depth: int, table: ScoreTable, limits: Ints) -> int:
    """`score` from the start; compiled code is entered with a plain tuple (and, as it recurs, with
    no literal).
    """
    return score(as_state(fields), depth, table, limits)


def pure(game: Game, start: State, allowance: Allowance, units: bool = False) -> StateTable[int]:
    """Raises TooDeep, or TooMany where the allowance ends; LargePayoffs in `units`."""
    table_rules = PURE if game.source is None else CHECKED
    run = instantiate(score, game, jit=False, bind=table_rules | (IN_UNITS if units else {}))
    table: dict[State, int] = {}
    limits = [allowance.positions, 0, 0]

    def stop() -> None:
        limits[0] = 0

    with calls_deep(DEPTH), allowance.watched(stop):
        reached = run(start, 0, plain_table(table), limits)
    check(game, limits)
    if reached == UNKNOWN:
        raise TooMany
    return StateTable(table, PAYOFF_TYPE if units else SCORE_TYPE)


def compiled(game: Game, start: State, job: Job, units: bool = False) -> KeyTable[int]:
    """Raises TooDeep, or TooMany where the table would need more than the memory budget; LargePayoffs
    in `units`.
    """
    run, move_over = (
        patient(instantiate(start_score, game, jit=True, bind=IN_UNITS if units else {})),
        patient(instantiate(rehash, game, jit=True)),
    )
    words, slots = game.key_words, 1 << 16
    keys, scores = empty_arrays(slots, words, "int16")
    limits, filled = np.zeros(3, np.int64), np.zeros(1, np.int64)
    while True:
        room = int(slots * FULL)
        limits[0] = min(room, filled[0] + CHUNK)
        reached = run(game.fields(start), 0, (keys, scores, filled), limits)
        check(game, limits)
        if reached != UNKNOWN:
            break
        job.progress(int(filled[0]), None, _("positions"))
        if filled[0] >= room:
            slots *= 2
            # a slot takes its key and its score, and at the end their sorted copy
            if (16 * words + 10) * slots > job.memory:
                raise TooMany
            more_keys, more_scores = empty_arrays(slots, words, "int16")
            move_over(keys, scores, more_keys, more_scores)
            keys, scores = more_keys, more_scores
    found = as_codes(keys, words)
    taken = there(found)
    found, scores = found[taken], scores[taken]
    order = patiently(lambda: ascending(found))
    return KeyTable(game, found[order], scores[order], (0, len(found)))


def check(game: Game, limits: Ints) -> None:
    """Raises what the engine could only flag."""
    check_ends(game, limits)
    if limits[1]:
        raise TooDeep


# Tables that engines look states up in: dictionaries in plain Python; open addressing, or sorted
# keys, compiled.
#
# An engine names the functions of this file; `PURE` binds them to a dictionary's own methods, and
# compiled they are what they say. The compiled table is a tuple of arrays, `(keys, values, size)`:
# keys, as `damier.core.codes` reads them, are -1 where a slot is empty; there are as many slots as a
# power of two, and it must be grown before it fills up.

ScoreTable: TypeAlias = tuple[IntArray, SmallIntArray, IntArray]
"""(keys, values, size), as said above. In plain Python what `plain_table` makes stands for it."""


def recall(table: ScoreTable, s: State, unknown: int) -> int:
    """Return what is stored for the state `s`, or `unknown`."""
    k = key(s)
    keys, values, _size = table
    slot = slot_of_code(keys, keys, k)
    return int(values[slot]) if code_at(keys, slot) == k else unknown


def store(table: ScoreTable, s: State, value: int) -> None:
    """Stores a value for a state that has none yet."""
    k = key(s)
    keys, values, filled = table
    slot = slot_of_code(keys, keys, k)
    put_code(keys, slot, k)
    values[slot] = value
    filled[0] += 1


def size(table: ScoreTable) -> int:
    """Return how many states have a value."""
    return int(table[2][0])


PURE: Bindings = {recall: dict.get, store: dict.__setitem__, size: len}


def plain_table(scores: dict[State, int]) -> ScoreTable:
    """A dictionary as a table; only the functions bound by `PURE` can read it."""
    return cast("ScoreTable", scores)


def store_checked(table: dict[State, int], s: State, value: int) -> None:
    """`store` for a user's game: its state must have a key, as it must compiled."""
    key(s)
    table[s] = value


CHECKED: Bindings = PURE | {store: store_checked}


def find(wanted: Key, keys: IntArray, low: int, many: int) -> int:
    """The index of the key `wanted` among the `many` ascending ones from keys[low]; of the next
    larger one, if it is not there.
    """
    while many > 0:
        half = many >> 1
        if code_at(keys, low + half) < wanted:
            low += half + 1
            many -= half + 1
        else:
            many = half
    return low


def rehash(keys: IntArray, values: SmallIntArray, new_keys: IntArray, new_values: SmallIntArray) -> None:
    """Moves every entry to larger arrays."""
    for old in range(code_room(keys)):
        if is_code(keys, old):
            slot = empty_slot_of_code(new_keys, code_at(keys, old))
            put_code(new_keys, slot, code_at(keys, old))
            new_values[slot] = values[old]


def empty_arrays(slots: int, words: int, dtype: str) -> tuple[IntArray, SmallIntArray]:
    """Keys of so many words, and values, of a table of `slots` entries, a power of two."""
    return np.full(slots * words, -1, np.int64), np.zeros(slots, dtype)
