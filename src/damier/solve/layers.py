"""Layer by layer: where every move advances a ply, positions fall into layers that lead only to the
next one.

Forwards, each layer is expanded, sorted and freed of doubles; backwards, each position takes the
best of the scores that the next layer holds. What is kept is sorted keys and one byte a position. A
directory over the upper bits of the keys narrows the search for a child to a few neighbours, so
that it costs about one access to memory. Cores share the parts of a layer, both ways. Keys of several
words are not sorted: their games are solved depth-first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from damier.core.arrays import IntArray, SmallIntArray, np
from damier.core.codes import word_of_code
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import Job, Workers
from damier.core.moves import each
from damier.core.rules import ONGOING, State, key, later, mover, moves, outcome, play, unkey
from damier.core.solution import SCORE_TYPE, KeyTable, dtype_for
from damier.core.words import _
from damier.solve.depth_first import IN_UNITS, check, find, score_of_end
from damier.solve.reach import layers

CHUNK = 1 << 18  # positions between two signs of life: short for Ctrl-C
DIRECTORY = 1 << 23  # the most entries of a directory


def back_up(
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
    first, last = bounds[4] != 0, bounds[5] != 0
    for index in range(len(keys)):
        s = unkey(keys[index])
        ours = 1 if mover(s) == 0 else -1
        end = outcome(s)
        if end != ONGOING:
            best = score_of_end(end, top, limits)
        else:
            best = -top if first else int(scores[index])
            for move in each(moves(s)):
                child = word_of_code(key(play(s, move)))
                if (first and last) or (smallest <= child and child <= largest):
                    known = ours * int(
                        later_scores[find_child(child, later_keys, directory, (child - smallest) >> shift)]
                    )
                    if known > best:
                        best = known
            if last:
                best = later(best)
        scores[index] = ours * best if last else best


def find_child(wanted: int, keys: IntArray, directory: SmallIntArray, entry: int) -> int:
    """The index of a key that is there, between directory[entry] and directory[entry + 1]."""
    low = int(directory[entry])
    return find(wanted, keys, low, int(directory[entry + 1]) - low)


def fill_directory(first: int, stop: int, keys: IntArray, directory: SmallIntArray, bounds: IntArray) -> None:
    """directory[e]: the index of the first key whose upper bits are at least e; of the entries for which
    that is from `first` on and before `stop`, and after the last key of those that are left.
    """
    smallest, shift = bounds[1], bounds[2]
    entry = ((keys[first - 1] - smallest) >> shift) + 1 if first else 0
    for index in range(first, stop):
        upper = (keys[index] - smallest) >> shift
        while entry <= upper:
            directory[entry] = index
            entry += 1
    while stop == len(keys) and entry < len(directory):
        directory[entry] = len(keys)
        entry += 1


def compiled(game: Game, start: State, job: Job, units: bool = False) -> KeyTable[int]:
    """Raises LimitReached where keys and scores would need more than the budget; LargePayoffs in
    `units`.
    """
    found = list(layers(game, start, job))
    dtype = SCORE_TYPE if units else dtype_for(len(found))
    offsets = np.concatenate([[0], np.cumsum([len(layer) for layer in found])])
    job.require((8 + np.dtype(dtype).itemsize) * int(offsets[-1]), [len(layer) for layer in found])
    scores = np.zeros(offsets[-1], dtype)
    with Workers(job.jobs) as workers:
        backwards = _Backwards(game, units, dtype, workers)
        for number in reversed(range(len(found))):
            for done in backwards.score(found[number], scores[offsets[number] : offsets[number + 1]]):
                positions = int(offsets[-1] - offsets[number]) - done
                job.progress(positions, int(offsets[-1]), _("positions scored"))
        keys = joined(found, int(offsets[-1]), workers)
    return KeyTable(game, keys, scores, tuple(int(offset) for offset in offsets), game.ply(start))


class _Backwards:
    """Scores layers from the last to the first, the parts of each by all cores."""

    def __init__(self, game: Game, units: bool, dtype: str, workers: Workers) -> None:
        self._run = instantiate(back_up, game, jit=True, bind=IN_UNITS if units else {})
        self._index_keys = instantiate(fill_directory, game, jit=True)
        self._game, self._workers = game, workers
        self._bounds = one_range(dtype)
        # of the layer after the one at hand
        self._keys, self._scores = np.zeros(1, np.int64), np.zeros(1, dtype)
        self._directory: SmallIntArray = np.zeros(2, np.int32)

    def score(self, layer: IntArray, scores: SmallIntArray) -> Iterator[int]:
        """Fills in `scores`; yields where each part that is done begins. Raises BeyondWins,
        LargePayoffs.
        """

        def backed_up(first: int) -> IntArray:
            limits = np.zeros(3, np.int64)
            stop = min(first + CHUNK, len(layer))
            later = self._keys, self._scores, self._directory, self._bounds
            self._run(layer[first:stop], scores[first:stop], *later, limits)
            return limits

        begins = range(0, len(layer), CHUNK)
        for first, limits in zip(begins, self._workers.in_order(backed_up, begins), strict=True):
            check(self._game, limits)
            yield first
        self._keys, self._scores = layer, scores
        self._index()

    def _index(self) -> None:
        keys = self._keys
        directory = self._directory = directory_for(keys, self._bounds)

        def filled(first: int) -> None:
            self._index_keys(first, min(first + CHUNK, len(keys)), keys, directory, self._bounds)

        deque(self._workers.in_order(filled, range(0, len(keys), CHUNK)), 0)


def one_range(dtype: str) -> IntArray:
    """The bounds of a later layer that is one range; `directory_for` sets what they say of its keys."""
    return np.array([np.iinfo(dtype).max, 0, 0, 0, True, True], np.int64)


def directory_for(keys: IntArray, bounds: IntArray, most: int = DIRECTORY) -> SmallIntArray:
    """An empty directory with up to one entry a key, and about `most` at most; sets the smallest key,
    the shift and the largest key in `bounds`.
    """
    span = int(keys[-1]) - int(keys[0])
    entries = min(most, len(keys))
    bounds[1], bounds[2], bounds[3] = keys[0], max(0, (span // entries).bit_length()), keys[-1]
    return np.zeros((span >> int(bounds[2])) + 2, np.int32 if len(keys) < 1 << 31 else np.int64)


def joined(found: list[IntArray], total: int, workers: Workers) -> IntArray:
    """The layers in one array; each is let go as it is copied, so that the peak is one layer above
    the whole.
    """
    keys = np.empty(total, np.int64)
    filled = 0
    found.reverse()
    while found:
        layer = found.pop()
        place = keys[filled : filled + len(layer)]

        def copied(first: int, layer: IntArray = layer, place: IntArray = place) -> None:
            place[first : first + CHUNK] = layer[first : first + CHUNK]

        deque(workers.in_order(copied, range(0, len(layer), CHUNK)), 0)
        filled += len(layer)
    return keys
