"""One slice of an endgame table, solved: engines over the slices of a game (`core.slices`).

First every place is looked at once (`look_over`): what its moves that leave the slice are worth is
known, since that is in the table already; its moves inside are counted. Then waves of equal distance
run backwards, as in `solve.retrograde`, but nothing is stored of the edges: who may have come here is
worked out from the position, by un-moves (`spread`). A game without un-moves is gone through once for
every ply of its longest win (`pass_over`).

    scores[place]  the score to the mover; NO_POSITION; 0 while nothing is decided, and for a draw
    due[place]     what the moves that leave the slice are worth: a win or, where no move stays inside,
                   a loss, decided when its ply comes; beside moves inside, the latest of its losses
    left[place]    moves inside after which nothing is lost yet; NEVER where no loss can come of them,
                   DRAWN where the game is over
"""

from __future__ import annotations

from typing import Final

from damier.core.arrays import Ints
from damier.core.moves import each
from damier.core.rules import ONGOING, State, mover, moves, outcome, play
from damier.core.score import TOP, later, loss_in, win_in
from damier.core.slices import place_of, slice_of, state_at, unmoves, unplay

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


def look_over(
    slice: int,
    begin: int,
    stop: int,
    step: int,
    solved: bool,
    held: Ints,
    starts: Ints,
    scores: Ints,
    due: Ints,
    left: Ints,
    first: Ints,
    after: Ints,
    pointers: Ints,
) -> int:
    """Goes through the places begin, begin + step, … before `stop`; returns the first at which
    something is wrong, or -1.

    Before the slice is solved: notes what its moves that leave the slice are worth. `first[n]` begins
    the chain of places that are decided at ply n, `after[place]` continues it. Wrong is a move to a
    position that nothing is known of.

    Once it is solved: works its scores out once more. Wrong is one that does not follow from those
    of its moves, too.
    """
    for place in range(begin, stop, step):
        s = state_at(slice, place)
        if solved and scores[place] == NO_POSITION:
            continue
        if not solved and (slice_of(s) != slice or place_of(s) != place):
            scores[place] = NO_POSITION
            continue
        end = outcome(s)
        if end == ONGOING:
            inside, best = look_at_moves(s, slice, solved, held, starts, scores)
            if inside < 0:
                return place
        else:
            inside, best = 0, end * TOP
        if solved:
            if best != scores[place]:
                return place
        else:
            note(place, best, inside, end, due, left, first, after, pointers)
    return -1


def look_at_moves(
    s: State, slice: int, solved: bool, held: Ints, starts: Ints, scores: Ints
) -> tuple[int, int]:
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
        if to == slice or (0 <= to < len(starts) and starts[to] >= 0):
            place = place_of(t)
            if place >= 0:
                score = int(scores[place]) if to == slice else int(held[starts[to] + place])
        if score == NO_POSITION:
            end = outcome(t)
            if end == ONGOING:
                return -1, 0
            score = end * TOP
        best = max(best, later(score if mover(t) == ours else -score))
    return inside, best


def note(
    place: int,
    best: int,
    inside: int,
    end: int,
    due: Ints,
    left: Ints,
    first: Ints,
    after: Ints,
    pointers: Ints,
) -> None:
    """Writes down what was seen from a place."""
    due[place] = best if best != NO_POSITION else 0
    left[place] = DRAWN if end == 0 else NEVER if best >= 0 and end == ONGOING else inside
    if best > 0 or (due[place] < 0 and left[place] == 0):
        wait(place, TOP - abs(best), first, after, pointers)


def wait(place: int, plies: int, first: Ints, after: Ints, pointers: Ints) -> None:
    """Enters a place into the chain of those that are decided at that ply."""
    after[place] = first[plies]
    first[plies] = place
    pointers[WAITING] += 1


def spread(
    slice: int,
    most: int,
    scores: Ints,
    due: Ints,
    left: Ints,
    first: Ints,
    after: Ints,
    queue: Ints,
    pointers: Ints,
) -> None:
    """Decides every place that somebody can force, in the order of their distances: tells those who
    may have moved to each of the next `most` places.
    """
    for _step in range(most):
        while pointers[DONE] == pointers[WAVE_END]:
            if pointers[WAVE_END] == pointers[FILLED] and pointers[WAITING] == 0:
                pointers[FINISHED] = 1
                return
            begin_wave(scores, due, first, after, queue, pointers)
        place = int(queue[pointers[DONE]])
        pointers[DONE] += 1
        tell_before(slice, place, scores, due, left, first, after, queue, pointers)


def begin_wave(scores: Ints, due: Ints, first: Ints, after: Ints, queue: Ints, pointers: Ints) -> None:
    """The next ply: those who waited for it join those who were told."""
    pointers[PLIES] += 1
    place = int(first[pointers[PLIES]])
    while place != END:
        pointers[WAITING] -= 1
        if scores[place] == 0:
            decide(place, int(due[place]), scores, queue, pointers)
        place = int(after[place])
    pointers[WAVE_END] = pointers[FILLED]


def decide(place: int, score: int, scores: Ints, queue: Ints, pointers: Ints) -> None:
    """The score of a place is known."""
    scores[place] = score
    queue[pointers[FILLED]] = place
    pointers[FILLED] += 1


def tell_before(
    slice: int,
    place: int,
    scores: Ints,
    due: Ints,
    left: Ints,
    first: Ints,
    after: Ints,
    queue: Ints,
    pointers: Ints,
) -> None:
    """Tells all who may have moved to a place what it is worth: they win by it, or have one move less
    that does not lose.
    """
    s = state_at(slice, place)
    ours, won = mover(s), scores[place] > 0
    further = pointers[PLIES] + 1
    back = unmoves(s)
    for number in range(len(back)):
        t = unplay(s, back[number])
        before = place_of(t)
        if before < 0 or scores[before] != 0:
            continue
        if won == (mover(t) == ours):
            decide(before, win_in(further), scores, queue, pointers)
        elif left[before] > 0:
            left[before] -= 1
            if left[before] == 0:
                latest = int(due[before])  # of its losses outside
                if latest != 0 and latest > loss_in(further):
                    wait(before, TOP + latest, first, after, pointers)
                else:
                    decide(before, loss_in(further), scores, queue, pointers)


def pass_over(
    slice: int, plies: int, begin: int, stop: int, scores: Ints, due: Ints, left: Ints, found: Ints
) -> None:
    """Decides, from `begin` to `stop`, what is known to be won or lost within so many plies: without
    un-moves. found[0] counts what was decided; found[1] is the nearest later ply at which something
    will be.
    """
    for place in range(begin, stop):
        if scores[place] != 0 or left[place] == DRAWN:
            continue
        score = within_reach(slice, place, scores, due, left)
        if score != 0:
            distance = TOP - abs(score)
            if distance <= plies:
                scores[place] = score
                found[0] += 1
            else:
                found[1] = min(found[1], distance)


def within_reach(slice: int, place: int, scores: Ints, due: Ints, left: Ints) -> int:
    """The score of a place by those of its moves that are known, 0 where these do not tell."""
    best, unknown = int(due[place]), left[place] == NEVER
    if abs(best) == TOP:  # over
        return best
    best = NO_POSITION if best == 0 else best
    s = state_at(slice, place)
    ours = mover(s)
    for move in each(moves(s)):
        t = play(s, move)
        if slice_of(t) == slice:
            score = int(scores[place_of(t)])
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
