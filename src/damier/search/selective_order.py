"""The order in which a selective search tries moves: the sooner a good one comes, the more is cut.

    1. the hash move: the best one of an earlier search of the position
    2. what the game scores (`move_score`): captures, the best trades first
    3. the killers: quiet moves that were too good in a sister position (Slate and Atkin's Chess 4.5
       [SlateAtkin77])
    4. the others by their history: how often they were too good anywhere (J. Schaeffer, "The history
       heuristic", 1983 [Schaeffer83])

A move that the game scores above 0 is *promising*, any other *quiet*. Each node has a piece of `room`: the
promises of its moves, then the moves. They are sorted as far as they are tried.
"""

from __future__ import annotations

from damier.core.arrays import Ints
from damier.core.moves import each, move_number
from damier.core.rules import Moves, State, most_moves, move_score
from damier.search.selective_memory import HISTORY, HISTORY_WORDS, KILLERS, STACK

HASH_MOVE = 1 << 40
PROMISING = 1 << 30
"""A promising move has this and its score."""
KILLER = 1 << 20
"""The older killer; the newer has one more."""
LIMIT = 1 << 14
"""No history goes beyond it."""


def stack_of(ply: int) -> int:
    """Where the moves of a node lie."""
    return STACK + 2 * ply * most_moves()


def lay_out(s: State, tried: Moves, hash_move: int, ply: int, side: int, room: Ints) -> int:
    """Lays the moves of a node in its piece of `room`, each with its promise; returns how many."""
    first, beside, count = stack_of(ply), most_moves(), 0
    for move in each(tried):
        room[first + count] = promise(s, move, hash_move, ply, side, room)
        room[first + beside + count] = move
        count += 1
    return count


def promise(s: State, move: int, hash_move: int, ply: int, side: int, room: Ints) -> int:
    """How early to try a move: the most first."""
    if move == hash_move:
        return HASH_MOVE
    score = move_score(s, move)
    if score > 0:
        return PROMISING + score
    if move == room[KILLERS + 2 * ply]:
        return KILLER + 1
    if move == room[KILLERS + 2 * ply + 1]:
        return KILLER
    return int(room[history_place(move, side)])


def lay_noisy(s: State, tried: Moves, ply: int, room: Ints) -> int:
    """`lay_out` for quiescence: by what the game scores alone."""
    first, beside, count = stack_of(ply), most_moves(), 0
    for move in each(tried):
        room[first + count] = move_score(s, move)
        room[first + beside + count] = move
        count += 1
    return count


def pick(number: int, count: int, ply: int, room: Ints) -> int:
    """The move to try as number `number`: the most promising one that is left, the first of equals."""
    first, beside = stack_of(ply), most_moves()
    best = first + number
    for place in range(first + number + 1, first + count):
        if room[place] > room[best]:
            best = place
    place = first + number
    promise_of, move = int(room[best]), int(room[best + beside])
    room[best], room[best + beside] = room[place], room[place + beside]
    room[place], room[place + beside] = promise_of, move
    return move


def promise_at(number: int, ply: int, room: Ints) -> int:
    """What the move promised that was tried as number `number`."""
    return int(room[stack_of(ply) + number])


def history_place(move: int, side: int) -> int:
    """Where the history of a side's move lies; far moves of games with many may share a place."""
    return HISTORY + side * HISTORY_WORDS + (move_number(move) & HISTORY_WORDS - 1)


def reward_quiet(number: int, depth: int, ply: int, side: int, room: Ints) -> None:
    """A quiet move, tried as number `number`, was too good to come up: it is a killer, its history
    rises, and that of the quiet moves tried before it falls.
    """
    first = stack_of(ply) + most_moves()
    move = int(room[first + number])
    if move != room[KILLERS + 2 * ply]:
        room[KILLERS + 2 * ply + 1] = room[KILLERS + 2 * ply]
        room[KILLERS + 2 * ply] = move
    bonus = min(depth * depth * 8, LIMIT >> 3)
    drawn_to(history_place(move, side), bonus, room)
    for before in range(number):
        if promise_at(before, ply, room) < PROMISING:
            drawn_to(history_place(int(room[first + before]), side), -bonus, room)


def drawn_to(place: int, bonus: int, room: Ints) -> None:
    """Adds to a history, the less the nearer it already is to its limit."""
    before = int(room[place])
    room[place] = before + bonus - (before * abs(bonus) >> 14)
