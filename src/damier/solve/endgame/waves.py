"""One slice of an endgame table, solved: engines over the slices of a game (`core.slices`).

First every place is looked at once (`look_over`): what its moves that leave the slice are worth is
known, since that is in the table already; its moves inside are counted. Then waves of equal distance
run backwards, as in `solve.retrograde`, but nothing is stored of the edges: who may have come here is
worked out from the position, by un-moves (`spread`). A game without un-moves is gone through once for
every ply of its longest win (`pass_over`).
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from damier.core.arrays import IntArray, Ints, SmallIntArray
from damier.core.endgames import place_of, slice_of, state_at, unmoves, unplay
from damier.core.moves import each
from damier.core.rules import ONGOING, State, mover, moves, outcome, play
from damier.core.score import TOP, later, loss_in, win_in

NO_POSITION: Final = -TOP - 1
"""The score of a place that holds no position."""
NEVER: Final = -1
DRAWN: Final = -2
END: Final = -1
"""Ends a chain of places."""
DONE, WAVE_END, FILLED, PLIES, WAITING, FINISHED, POINTERS = range(7)
"""What `spread` keeps from call to call: in the queue, the next place to tell of, the end of its wave,
and the end of all; the ply of the wave; places that wait for a later one; whether all is told.
"""


class KnownSlices(NamedTuple):
    """What is known so far: the scores of all slices one after the other, int16, and where that of
    each number begins, int64, -1 where it is not known.
    """

    scores: SmallIntArray
    starts: IntArray


class WaveArrays(NamedTuple):
    """What is worked out of one slice, by place.

    scores  to the mover, int16; NO_POSITION; 0 while nothing is decided, and for a draw
    due     what the moves that leave the slice are worth, int16: a win or, where no move stays
            inside, a loss, decided when its ply comes; beside moves inside, the latest of its losses
    left    moves inside after which nothing is lost yet, int16; NEVER where no loss can come of them,
            DRAWN where the game is over
    first   first[n] begins the chain of places that are decided at ply n, int32, END where there is
            none; `after[place]` continues it
    queue   the places that are decided, in that order, int32
    """

    scores: SmallIntArray
    due: Ints
    left: Ints
    first: Ints
    after: Ints
    queue: Ints
    pointers: Ints


WaveColumns: TypeAlias = tuple[SmallIntArray, Ints, Ints, Ints, Ints, Ints, Ints]
"""The same as engines are given it: compiled, they take plain tuples."""


def look_over(
    slice: int,
    begin: int,
    stop: int,
    step: int,
    solved: bool,
    known_columns: tuple[SmallIntArray, IntArray],
    columns: WaveColumns,
) -> int:
    """Goes through the places begin, begin + step, … before `stop`; returns the first at which
    something is wrong, or -1.

    Before the slice is solved: notes what its moves that leave the slice are worth. Wrong is a move
    to a position that nothing is known of.

    Once it is solved: works its scores out once more. Wrong is one that does not follow from those
    of its moves, too.
    """
    known, room = KnownSlices(*known_columns), WaveArrays(*columns)
    for place in range(begin, stop, step):
        s = state_at(slice, place)
        if solved and room.scores[place] == NO_POSITION:
            continue
        if not solved and (slice_of(s) != slice or place_of(s) != place):
            room.scores[place] = NO_POSITION
            continue
        end = outcome(s)
        if end == ONGOING:
            inside, best = look_at_moves(s, slice, solved, known, room.scores)
            if inside < 0:
                return place
        else:
            inside, best = 0, end * TOP
        if solved:
            if best != room.scores[place]:
                return place
        else:
            note(place, best, inside, end, room)
    return -1


def look_at_moves(s: State, slice: int, solved: bool, known: KnownSlices, scores: Ints) -> tuple[int, int]:
    """How many moves stay in the slice, and the best score of those that leave it, or once it is
    solved of all; NO_POSITION where there are none. -1 moves: nothing is known of one of them.
    """
    ours, inside, best = mover(s), 0, NO_POSITION
    for move in each(moves(s)):
        t = play(s, move)
        to = slice_of(t)
        if to == slice and not solved:
            inside += 1
            continue
        score = NO_POSITION
        if to == slice or (0 <= to < len(known.starts) and known.starts[to] >= 0):
            place = place_of(t)
            if place >= 0:
                score = int(scores[place]) if to == slice else int(known.scores[known.starts[to] + place])
        if score == NO_POSITION:
            end = outcome(t)
            if end == ONGOING:
                return -1, 0
            score = end * TOP
        best = max(best, later(score if mover(t) == ours else -score))
    return inside, best


def note(place: int, best: int, inside: int, end: int, room: WaveArrays) -> None:
    """Writes down what was seen from a place."""
    room.due[place] = best if best != NO_POSITION else 0
    room.left[place] = DRAWN if end == 0 else NEVER if best >= 0 and end == ONGOING else inside
    if best > 0 or (room.due[place] < 0 and room.left[place] == 0):
        wait(place, TOP - abs(best), room)


def wait(place: int, plies: int, room: WaveArrays) -> None:
    """Enters a place into the chain of those that are decided at that ply."""
    room.after[place] = room.first[plies]
    room.first[plies] = place
    room.pointers[WAITING] += 1


def spread(slice: int, most: int, columns: WaveColumns) -> None:
    """Decides every place that somebody can force, in the order of their distances: tells those who
    may have moved to each of the next `most` places.
    """
    room = WaveArrays(*columns)
    pointers = room.pointers
    for _step in range(most):
        while pointers[DONE] == pointers[WAVE_END]:
            if pointers[WAVE_END] == pointers[FILLED] and pointers[WAITING] == 0:
                pointers[FINISHED] = 1
                return
            begin_wave(room)
        place = int(room.queue[pointers[DONE]])
        pointers[DONE] += 1
        tell_before(slice, place, room)


def begin_wave(room: WaveArrays) -> None:
    """The next ply: those who waited for it join those who were told."""
    pointers = room.pointers
    pointers[PLIES] += 1
    place = int(room.first[pointers[PLIES]])
    while place != END:
        pointers[WAITING] -= 1
        if room.scores[place] == 0:
            decide(place, int(room.due[place]), room)
        place = int(room.after[place])
    pointers[WAVE_END] = pointers[FILLED]


def decide(place: int, score: int, room: WaveArrays) -> None:
    """The score of a place is known."""
    room.scores[place] = score
    room.queue[room.pointers[FILLED]] = place
    room.pointers[FILLED] += 1


def tell_before(slice: int, place: int, room: WaveArrays) -> None:
    """Tells all who may have moved to a place what it is worth: they win by it, or have one move less
    that does not lose.
    """
    s = state_at(slice, place)
    ours, won, left = mover(s), room.scores[place] > 0, room.left
    further = room.pointers[PLIES] + 1
    back = unmoves(s)
    for number in range(len(back)):
        t = unplay(s, back[number])
        before = place_of(t)
        if before < 0 or room.scores[before] != 0:
            continue
        if won == (mover(t) == ours):
            decide(before, win_in(further), room)
        elif left[before] > 0:
            left[before] -= 1
            if left[before] == 0:
                latest = int(room.due[before])  # of its losses outside
                if latest != 0 and latest > loss_in(further):
                    wait(before, TOP + latest, room)
                else:
                    decide(before, loss_in(further), room)


def pass_over(slice: int, plies: int, begin: int, stop: int, columns: WaveColumns, found: Ints) -> None:
    """Decides, from `begin` to `stop`, what is known to be won or lost within so many plies: without
    un-moves. found[0] counts what was decided; found[1] is the nearest later ply at which something
    will be.
    """
    room = WaveArrays(*columns)
    for place in range(begin, stop):
        if room.scores[place] != 0 or room.left[place] == DRAWN:
            continue
        score = within_reach(slice, place, room)
        if score != 0:
            distance = TOP - abs(score)
            if distance <= plies:
                room.scores[place] = score
                found[0] += 1
            else:
                found[1] = min(found[1], distance)


def within_reach(slice: int, place: int, room: WaveArrays) -> int:
    """The score of a place by those of its moves that are known, 0 where these do not tell."""
    best, unknown = int(room.due[place]), room.left[place] == NEVER
    if abs(best) == TOP:  # over
        return best
    best = NO_POSITION if best == 0 else best
    s = state_at(slice, place)
    ours = mover(s)
    for move in each(moves(s)):
        t = play(s, move)
        if slice_of(t) == slice:
            score = int(room.scores[place_of(t)])
            unknown = unknown or score == 0
            best = max(best, later(score if mover(t) == ours else -score) if score != 0 else NO_POSITION)
    return best if best > 0 or not unknown else 0


def count_scores(scores: Ints, counts: Ints) -> None:
    """counts: positions, wins, draws, losses, the plies of the longest win and of the longest loss
    (-1: there is none).
    """
    for place in range(len(scores)):
        score = int(scores[place])
        if score != NO_POSITION:
            counts[0] += 1
            if score > 0:
                counts[1] += 1
                counts[4] = max(counts[4], TOP - score)
            elif score < 0:
                counts[3] += 1
                counts[5] = max(counts[5], TOP + score)
            else:
                counts[2] += 1
