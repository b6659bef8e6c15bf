"""One slice solved: the arrays that `waves` works on, from the first look to the last check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from damier.core.arrays import IntArray, Ints, SmallIntArray, np
from damier.core.compile import Engine, instantiate
from damier.core.endgames import bindings, endgames_of, place_of, slice_of, state_at, unmoves, unplay
from damier.core.errors import BadGame
from damier.core.game import Game
from damier.core.hooks import Endgames, Slice
from damier.core.moves import each
from damier.core.rules import ONGOING, TOP, State, later, loss_in, mover, moves, outcome, play, win_in
from damier.core.words import message

CHUNK: Final = 1 << 16
"""Places between two signs of life: compiled, a tenth of a second at most."""
PLAIN_CHUNK: Final = 1 << 10
CHECKED: Final = 1 << 16
"""Places of a slice whose scores are checked against the rules before it is kept."""
BYTES_A_PLACE: Final = 2 + 2 + 2 + 4 + 4
"""Of memory while a slice is solved: score, due, left, chain, queue."""
MOST_PLACES: Final = (1 << 31) - 1

Tell = Callable[[int], None]
"""Called with places that were worked on since the last call; raises where the work is to end."""


class SliceCounts(NamedTuple):
    """The number of places of a slice that hold positions, what these are worth to who is to move, and the
    plies of the longest win and the longest loss, -1 where there is none.
    """

    positions: int
    wins: int
    draws: int
    losses: int
    longest_win: int
    longest_loss: int


class SolvedSlice(NamedTuple):
    scores: SmallIntArray  # int16, one a place
    counts: SliceCounts


@dataclass(frozen=True)
class Engines:
    """The engines of `waves` for one game; `backwards`: it has un-moves."""

    game: Game
    look_over: Engine
    spread: Engine
    pass_over: Engine
    count_scores: Engine
    backwards: bool
    chunk: int


def engines(game: Game, *, jit: bool) -> Engines:
    """The engines, plain or compiled: those that will be used are compiled here, in this thread.

    Raises Uncompilable.
    """
    bind = bindings(game, jit=jit)
    given = endgames_of(game)
    made = Engines(
        game,
        instantiate(look_over, game, jit=jit, bind=bind),
        instantiate(spread, game, jit=jit, bind=bind),
        instantiate(pass_over, game, jit=jit, bind=bind),
        instantiate(count_scores, game, jit=jit, bind=bind),
        given.unmoves is not None and given.unplay is not None,
        CHUNK if jit else PLAIN_CHUNK,
    )
    if jit:
        _compile(made)
    return made


def _compile(made: Engines) -> None:
    """Calls every engine that will be used on nothing at all."""
    scores = np.zeros(1, np.int16)
    scores.flags.writeable = False
    known = KnownSlices(scores, np.full(1, -1, np.int64))
    room = room_for(0)
    made.look_over(0, 0, 0, 1, False, tuple(known), tuple(room))
    if made.backwards:
        made.spread(0, 0, tuple(room))
    else:
        made.pass_over(0, 0, 0, 0, tuple(room), np.zeros(2, np.int64))
    made.count_scores(room.scores, np.zeros(6, np.int64))


def room_for(places: int) -> WaveArrays:
    """The arrays of `waves` for so many places."""
    scores, due, left = (np.zeros(places, np.int16) for _array in range(3))
    after, queue = np.zeros(places, np.int32), np.zeros(places, np.int32)
    pointers = np.zeros(POINTERS, np.int64)
    pointers[PLIES] = -1
    return WaveArrays(scores, due, left, np.full(TOP + 1, END, np.int32), after, queue, pointers)


def solve_slice(made: Engines, one: Slice, known: KnownSlices, tell: Tell) -> SolvedSlice:
    """The scores of a slice, those of all that its moves lead to being known.

    Raises BadGame where the slices of the game do not hold together, and what `tell` raises.
    """
    room, places, chunk = room_for(one.places), one.places, made.chunk
    for begin in range(0, places, chunk):
        stop = min(begin + chunk, places)
        failed = made.look_over(one.number, begin, stop, 1, False, tuple(known), tuple(room))
        if failed >= 0:
            raise _leads_nowhere(made.game, one, int(failed), known)
        tell(stop - begin)
    if made.backwards:
        while not room.pointers[FINISHED]:
            made.spread(one.number, chunk, tuple(room))
            tell(0)
    else:
        _pass_over(made, one, room, tell)
    wrong = first_wrong(made, one, room, known, max(1, places // CHECKED), tell)
    if wrong >= 0:
        raise _does_not_follow(made.game, one, wrong)
    counts = np.array([0, 0, 0, 0, -1, -1], np.int64)
    made.count_scores(room.scores, counts)
    return SolvedSlice(room.scores, SliceCounts(*(int(count) for count in counts)))


def first_wrong(
    made: Engines, one: Slice, room: WaveArrays, known: KnownSlices, step: int, tell: Tell
) -> int:
    """The first of every `step` places whose score does not follow from those of its moves, or -1."""
    for begin in range(0, one.places, step * made.chunk):
        stop = min(begin + step * made.chunk, one.places)
        wrong = made.look_over(one.number, begin, stop, step, True, tuple(known), tuple(room))
        if wrong >= 0:
            return int(wrong)
        tell(0)
    return -1


def _pass_over(made: Engines, one: Slice, room: WaveArrays, tell: Tell) -> None:
    """All plies of the longest win, one after the other."""
    plies = 0
    while plies <= TOP:
        found = np.array([0, TOP + 1], np.int64)
        for begin in range(0, one.places, made.chunk):
            stop = min(begin + made.chunk, one.places)
            made.pass_over(one.number, plies, begin, stop, tuple(room), found)
            tell(0)
        plies = plies + 1 if found[0] else int(found[1])


def _leads_nowhere(game: Game, one: Slice, place: int, known: KnownSlices) -> BadGame:
    """Return which position of a slice has a move to what no earlier slice holds."""
    given = endgames_of(game)
    s = given.state_at(one.number, place)
    for move in each(game.moves(s)):
        t = game.play(s, move)
        if given.slice_of(t) != one.number and game.outcome(t) == ONGOING and not _holds(given, t, known):
            return BadGame(
                message(
                    "{game}: in {state}, of the slice {slice}, {move} leads to {after}, which no slice of"
                    " an earlier stage holds",
                    game=game.text,
                    state=s,
                    slice=one.name,
                    move=game.name_move(s, move),
                    after=t,
                )
            )
    return _does_not_follow(game, one, place)


def _holds(given: Endgames[State], s: State, known: KnownSlices) -> bool:
    """Return whether a table holds a position."""
    slice = given.slice_of(s)
    if not 0 <= slice < len(known.starts) or known.starts[slice] < 0:
        return False
    place = given.place_of(s)
    return place >= 0 and known.scores[known.starts[slice] + place] != NO_POSITION


def _does_not_follow(game: Game, one: Slice, place: int) -> BadGame:
    return BadGame(
        message(
            "{game}: in the slice {slice}, the value of {state} does not follow from those of its moves: are"
            " place_of, state_at, unmoves and unplay right?",
            game=game.text,
            slice=one.name,
            state=endgames_of(game).state_at(one.number, place),
        )
    )


# One slice of an endgame table, solved: engines over the slices of a game (`core.endgames`).
#
# First every place is looked at once (`look_over`): what its moves that leave the slice are worth is
# known, since that is in the table already; its moves inside are counted. Then waves of equal distance
# run backwards, as in `solve.retrograde`, but nothing is stored of the edges: who may have come here is
# worked out from the position, by un-moves (`spread`). A game without un-moves is gone through once for
# every ply of its longest win (`pass_over`).

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
    """Knowledge so far: the scores of all slices one after the other, int16, and where that of
    each number begins, int64, -1 where it is not known.
    """

    scores: SmallIntArray
    starts: IntArray


class WaveArrays(NamedTuple):
    """Arrays that are worked out of one slice, by place.

    Attributes:
        scores: to the mover, int16; NO_POSITION; 0 while nothing is decided, and for a draw
        due: what the moves that leave the slice are worth, int16: a win or, where no move stays inside, a
            loss, decided when its ply comes; beside moves inside, the latest of its losses
        left: moves inside after which nothing is lost yet, int16; NEVER where no loss can come of them, DRAWN
            where the game is over
        first: first[n] begins the chain of places that are decided at ply n, int32, END where there is none;
            `after[place]` continues it
        queue: the places that are decided, in that order, int32
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
    """Return how many moves stay in the slice, and the best score of those that leave it, or once it is
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
