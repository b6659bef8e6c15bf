"""Engines that find and score layers on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from damier.core.arrays import IntArray, Ints, SmallIntArray
from damier.core.codes import word_of_code
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import ONGOING, key, later, mover, moves, outcome, play, unkey
from damier.solve.count import tally
from damier.solve.layers import fill_directory, find_child, score_of_end
from damier.solve.packed_store import ByteArray, pack, unpack
from damier.solve.reach import SYMMETRIC, Unite, drop_doubles, expand, unite


def back_up_within(
    keys: IntArray,
    scores: SmallIntArray,
    later_keys: IntArray,
    later_scores: SmallIntArray,
    directory: SmallIntArray,
    bounds: IntArray,
    limits: IntArray,
) -> None:
    """Folds the children that stand in a range of the later layer into the scores of some positions.

    bounds: the top score, the smallest key of the range, the directory's shift, the largest key, whether
    the range is the first one, and the last. Before the last one `scores` holds the best so far, from the
    side of the mover.
    """
    top, smallest, shift, largest = bounds[0], bounds[1], bounds[2], bounds[3]
    for index in range(len(keys)):
        s = unkey(keys[index])
        ours = 1 if mover(s) == 0 else -1
        end = outcome(s)
        if end != ONGOING:
            best = score_of_end(end, top, limits)
        else:
            best = -top if bounds[4] else int(scores[index])
            for move in each(moves(s)):
                child = word_of_code(key(play(s, move)))
                if smallest <= child and child <= largest:
                    known = ours * int(
                        later_scores[find_child(child, later_keys, directory, (child - smallest) >> shift)]
                    )
                    if known > best:
                        best = known
            if bounds[5]:
                best = later(best)
        scores[index] = ours * best if bounds[5] else best


class DiskEngines(NamedTuple):
    """Compiled for one game; they run beside each other in threads."""

    expand: Callable[[IntArray, int, IntArray], tuple[int, int]]
    drop_doubles: Callable[[IntArray], int]
    unite: Unite
    pack: Callable[[IntArray, int, ByteArray, IntArray, IntArray, IntArray], int]
    unpack: Callable[[ByteArray, IntArray, IntArray], int]
    tally: Callable[[IntArray, Ints], None]
    fill_directory: Callable[[int, int, IntArray, SmallIntArray, IntArray], None]
    back_up: Callable[..., None]


def prepare(engines: DiskEngines, most_moves: int, score_types: Sequence[str] = ()) -> None:
    """Calls the engines once, in this thread: the compiler is not to be entered by several."""
    import numpy as np

    none, one = np.zeros(0, np.int64), np.zeros(1, np.int64)
    children = np.zeros(most_moves, np.int64)
    engines.expand(none, 0, children)
    engines.drop_doubles(none)
    engines.unite(none, none, none)
    engines.pack(none, 0, np.zeros(0, np.uint8), none, none, np.zeros(5, np.int64))
    engines.unpack(np.zeros(0, np.uint8), none, none)
    for dtype in score_types:
        directory, bounds = np.zeros(2, np.int32), np.zeros(6, np.int64)
        engines.fill_directory(0, 1, one, directory, bounds)
        scores = np.zeros(0, dtype)
        engines.back_up(none, scores, one, scores, directory, bounds, bounds)


def engines_of(game: Game, symmetric: bool = False) -> DiskEngines:
    """The engines of a game; `symmetric`: one position stands for all its images."""
    bind = SYMMETRIC if symmetric else {}
    return DiskEngines(
        instantiate(expand, game, jit=True, bind=bind),
        instantiate(drop_doubles, game, jit=True),
        instantiate(unite, game, jit=True),
        instantiate(pack, game, jit=True),
        instantiate(unpack, game, jit=True),
        instantiate(tally, game, jit=True),
        instantiate(fill_directory, game, jit=True),
        instantiate(back_up_within, game, jit=True),
    )
