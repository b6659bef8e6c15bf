"""Sorted runs of keys, ascending and without doubles: made of the children of positions, and two of them
united, by as many cores as there are.

The runs that are made depend on how many cores there are, and what they are united to does not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TypeAlias

from damier.core.arrays import IntArray
from damier.core.interruptible import Workers, patiently
from damier.core.job import Job

CHUNK = 1 << 22
"""Children made before they are sorted, by all cores together."""
SWEPT = 1 << 17
"""Positions that take long to expand, for Ctrl-C."""
SHARE = 1 << 20
"""Values that are worth a core of their own."""

Expand: TypeAlias = Callable[[IntArray, int, IntArray], tuple[int, int]]
"""`damier.solve.reach.expand`, compiled."""
DropDoubles: TypeAlias = Callable[[IntArray], int]
"""`damier.solve.reach.drop_doubles`, compiled."""
Unite: TypeAlias = Callable[[IntArray, IntArray, IntArray], int]
"""`damier.solve.reach.unite`, compiled."""


def parts(layer: IntArray, size: int) -> Iterator[IntArray]:
    """The layer in pieces of `size` positions."""
    for first in range(0, len(layer), size):
        yield layer[first : first + size]


class SortedChildren:
    """Makes runs of what positions lead to: mostly one of each part of a layer.

    most_at_work  the most codes in buffers, and in runs that wait for those before them
    """

    def __init__(self, expand: Expand, drop_doubles: DropDoubles, most_moves: int, job: Job) -> None:
        self._expand, self._drop_doubles, self._most = expand, drop_doubles, most_moves
        self._room, self.most_at_work = CHUNK, 0
        if job.jobs > 1:
            waiting = 3 * job.jobs + 1  # with a buffer for each core
            self._room = max(2 * most_moves, min(CHUNK // job.jobs, job.memory // 8 // (8 * waiting)))
            self.most_at_work = waiting * self._room
        self._spare: list[IntArray] = []  # buffers
        self._last = (0, 0)  # of the part made last, how many positions and children

    def positions(self) -> int:
        """How many make up a part: their children fill a buffer, if they have as many as the last."""
        positions, children = self._last
        if not children:
            return max(1, self._room // self._most)
        return max(1, self._room * positions // (children + children // 16))

    def __call__(self, part: IntArray) -> list[IntArray]:
        """The runs, where the children do not fit one buffer in order of their parents."""
        return patiently(lambda: self._runs(part)) if len(part) >= SWEPT else self._runs(part)

    def _runs(self, part: IntArray) -> list[IntArray]:
        import numpy as np

        children = self._spare.pop() if self._spare else np.empty(self._room, np.int64)
        runs: list[IntArray] = []
        done = made = 0
        while done < len(part):
            done, written = self._expand(part, done, children)
            children[:written].sort()
            runs.append(children[: self._drop_doubles(children[:written])].copy())
            made += written
        self._spare.append(children)
        self._last = (len(part), made)
        return runs


def merged(one: IntArray, two: IntArray, both: IntArray, unite: Unite, workers: Workers) -> int:
    """Writes the values of two ascending arrays, each once, to the front of `both`, which has room for
    all of them; returns how many there are.
    """
    shares = min(workers.jobs, len(both) // SHARE)
    if shares < 2:
        return unite(one, two, both) if len(both) < SHARE else patiently(lambda: unite(one, two, both))
    cuts = [cut(one, two, len(both) * share // shares) for share in range(shares + 1)]

    def united(share: int) -> int:
        (i, j), (i_end, j_end) = cuts[share], cuts[share + 1]
        return unite(one[i:i_end], two[j:j_end], both[i + j : i_end + j_end])

    filled = 0
    for share, written in enumerate(workers.in_order(united, range(shares))):
        begin = sum(cuts[share])
        if begin > filled:  # the doubles of the shares before it left room
            both[filled : filled + written] = both[begin : begin + written]
        filled += written
    return filled


def cut(one: IntArray, two: IntArray, wanted: int) -> tuple[int, int]:
    """How many of each of two ascending arrays without doubles come first, about `wanted` together, so
    that what comes first is smaller than the rest.
    """

    def before(i: int) -> int:
        return i + int(two.searchsorted(one[i]))

    i = bisect_left(range(len(one)), wanted, key=before)
    least = int(two.searchsorted(one[i - 1], "right")) if i else 0
    most = int(two.searchsorted(one[i])) if i < len(one) else len(two)
    return i, min(max(wanted - i, least), most)
