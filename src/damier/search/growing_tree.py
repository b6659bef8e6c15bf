"""A tree of Monte Carlo tree search under way: its arrays, which grow, and its random numbers."""

from __future__ import annotations

import time
from dataclasses import dataclass

from damier.core.arrays import Floats, Ints, floats, ints, words
from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import Job, uninterrupted
from damier.core.past import Before, Line
from damier.core.rules import State
from damier.search.mcts_engine import FILLED, PLIES, PROVES, SPREAD, Scratch, SearchTree, simulate

CHUNK = {False: 50, True: 5_000}
"""Simulations between two looks at the limit of nodes, in plain Python and compiled."""
FIRST, SECONDS = {False: 10, True: 200}, 0.05
"""Simulations in one go at first, and then about how long it takes: short for Ctrl-C and for the
clock.
"""

ROOM = 1 << 12
NODE_BYTES = 48
TREE_KINDS = ("int64", "int32", "int16", "int32", "float64", "int8", "float64")
"""The NumPy types of the columns of a SearchTree."""
SCRATCH_KINDS = ("int64", "int64", "float64", "float64")
"""The same of a Scratch."""


@dataclass
class GrowingTree:
    """A tree under way, in one of the two worlds.

    stream    which random numbers of the seed it draws
    stopping  set from another thread: it grows no further
    """

    game: Game
    state: State
    seed: int
    c: float
    jit: bool
    before: Before = ()
    stream: int = 0
    stopping = False

    def __post_init__(self) -> None:
        players, jit = self.game.players, self.jit
        self.arrays = SearchTree._make(zeros(ROOM, kind, jit) for kind in TREE_KINDS)
        self.scratch = Scratch(
            ints(PLIES, jit), ints(PLIES, jit), floats(max(2, players), jit), floats(3, jit)
        )
        self.rng = words(1, jit)
        reseed(self.rng, self.seed, self.stream)
        numbers = self.scratch.filled
        numbers[FILLED], numbers[SPREAD] = 1, 1.0
        numbers[PROVES] = -1 if players != 2 or self.game.stochastic or not self.game.zero_sum else 1
        self.done, self.seconds = 0, 0.0
        self._bind()

    def _bind(self) -> None:
        self._chunk = FIRST[self.jit]
        self._line = Line(self.game, self.state, self.before, plies=2 * PLIES, jit=self.jit)
        self._engine = instantiate(simulate, self.game, jit=self.jit)

    def compile(self) -> None:
        """Goes over to compiled code with all that has grown so far."""
        import numpy as np

        with uninterrupted():
            self.arrays = SearchTree._make(map(np.array, self.arrays, TREE_KINDS))
            self.scratch = Scratch._make(map(np.array, self.scratch, SCRATCH_KINDS))
            self.rng, self.jit = np.array(self.rng, np.uint64), True
            self._bind()

    @property
    def filled(self) -> int:
        return int(self.scratch.filled[FILLED])

    def run(self, times: int) -> int:
        """Runs so many simulations (0: only compiles), or as many as there is room for; returns how
        many.
        """
        done = int(
            self._engine(
                self.game.fields(self.state),
                times,
                self.game.players,
                float(self.c),
                self.arrays[:],  # compiled code is entered with plain tuples
                self.scratch[:],
                self.rng,
                self._line.past,
            )
        )
        self.done += done
        return done

    def simulate(self, times: int, job: Job, deadline: float | None = None) -> bool:
        """Runs more simulations, until the deadline; False where there is nothing left to find out,
        or no room.
        """
        while times > 0 and not self.stopping and (deadline is None or time.perf_counter() < deadline):
            asked = min(times, self._chunk)
            begun = time.perf_counter()
            done = self.run(asked)
            times -= done
            seconds = time.perf_counter() - begun
            self.seconds += seconds
            if done < asked:
                break
            self._chunk = max(1, int(asked * min(2.0, SECONDS / max(seconds, 1e-9))))
        if self.arrays.proven[0]:
            return False
        if self.filled + self.game.most_moves() > len(self.arrays.move):
            self._grow(job)
        return True

    def _grow(self, job: Job) -> None:
        job.require(2 * NODE_BYTES * len(self.arrays.move), [self.filled])
        self.arrays = SearchTree._make(doubled(column) for column in self.arrays)


def zeros(n: int, kind: str, jit: bool) -> Ints | Floats:
    """Room for n numbers of a NumPy type."""
    if not jit:
        return [0.0] * n if kind == "float64" else [0] * n
    import numpy as np

    return np.zeros(n, kind)


def doubled(column: Ints | Floats) -> Ints | Floats:
    """A column with twice the room; the new half is 0."""
    if isinstance(column, list):
        return column + [0] * len(column)
    import numpy as np

    return np.concatenate([column, np.zeros_like(column)])
