"""One slice solved: the arrays that `waves` works on, from the first look to the last check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from damier.core.arrays import SmallIntArray
from damier.core.compile import Engine, instantiate
from damier.core.endgames import Endgames, Slice, bindings, endgames_of
from damier.core.errors import BadGame
from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import ONGOING, State
from damier.core.score import TOP
from damier.core.words import message
from damier.solve.endgame import waves
from damier.solve.endgame.waves import KnownSlices, WaveArrays

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
    """How many places of a slice hold positions, what these are worth to who is to move, and the
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
        instantiate(waves.look_over, game, jit=jit, bind=bind),
        instantiate(waves.spread, game, jit=jit, bind=bind),
        instantiate(waves.pass_over, game, jit=jit, bind=bind),
        instantiate(waves.count_scores, game, jit=jit, bind=bind),
        given.unmoves is not None and given.unplay is not None,
        CHUNK if jit else PLAIN_CHUNK,
    )
    if jit:
        _compile(made)
    return made


def _compile(made: Engines) -> None:
    """Calls every engine that will be used on nothing at all."""
    import numpy as np

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
    import numpy as np

    scores, due, left = (np.zeros(places, np.int16) for _array in range(3))
    after, queue = np.zeros(places, np.int32), np.zeros(places, np.int32)
    pointers = np.zeros(waves.POINTERS, np.int64)
    pointers[waves.PLIES] = -1
    return WaveArrays(scores, due, left, np.full(TOP + 1, waves.END, np.int32), after, queue, pointers)


def solve_slice(made: Engines, one: Slice, known: KnownSlices, tell: Tell) -> SolvedSlice:
    """The scores of a slice, those of all that its moves lead to being known.

    Raises BadGame where the slices of the game do not hold together, and what `tell` raises.
    """
    import numpy as np

    room, places, chunk = room_for(one.places), one.places, made.chunk
    for begin in range(0, places, chunk):
        stop = min(begin + chunk, places)
        failed = made.look_over(one.number, begin, stop, 1, False, tuple(known), tuple(room))
        if failed >= 0:
            raise _leads_nowhere(made.game, one, int(failed), known)
        tell(stop - begin)
    if made.backwards:
        while not room.pointers[waves.FINISHED]:
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
    import numpy as np

    plies = 0
    while plies <= TOP:
        found = np.array([0, TOP + 1], np.int64)
        for begin in range(0, one.places, made.chunk):
            stop = min(begin + made.chunk, one.places)
            made.pass_over(one.number, plies, begin, stop, tuple(room), found)
            tell(0)
        plies = plies + 1 if found[0] else int(found[1])


def _leads_nowhere(game: Game, one: Slice, place: int, known: KnownSlices) -> BadGame:
    """Which position of a slice has a move to what no earlier slice holds."""
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
    """Whether a table holds a position."""
    slice = given.slice_of(s)
    if not 0 <= slice < len(known.starts) or known.starts[slice] < 0:
        return False
    place = given.place_of(s)
    return place >= 0 and known.scores[known.starts[slice] + place] != waves.NO_POSITION


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
