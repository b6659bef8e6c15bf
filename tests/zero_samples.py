"""How samples of proven positions are made in which networks are graded (`damier.plugins.zero.proven_moves`,
which reads them); `scripts/zero sample` runs it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

import numpy as np

from damier.core.bits import random_below, reseed
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import write_arrays
from damier.core.json_types import JsonObject
from damier.core.rules import State
from damier.plugins.zero.proven_moves import FORMAT, LARGEST, PACKED, SEED, Sample, sign_of
from damier.search import bounds_table
from damier.search.exact import Prover
from damier.search.proof_store import Bounds, book_key
from damier.search.running import ENDLESS

MOVES = 31
"""The most moves that a position of a sample has: two bits each, in a word."""
GAMES_A_POSITION = 4096
"""Random games after which no other position of a depth is looked for."""


def prove(sample: Sample, ply: int, most: int, prover: SampleProver) -> Iterator[int]:
    """Add positions of a ply until there are so many of them, or no more; yield how many after each."""
    drawn = sample.plies.setdefault(ply, {})
    for key in islice(random_keys(sample.game, ply), most):
        if key not in drawn:
            signs = prover.signs(sample.game.unkey(key)).values()
            drawn[key] = sum(sign + 1 << 2 * n for n, sign in enumerate(signs))
        yield len(drawn)


def random_keys(game: Game, ply: int) -> Iterator[int]:
    """Yield the least keys of different positions of a ply in which somebody decides, each from a random game
    that comes so far; ends where no other was met for long.
    """
    seen, rng, last = set[int](), [0], 0
    for number in count():
        if number - last > GAMES_A_POSITION:
            return
        reseed(rng, SEED + ply, number)
        s = game.start
        for _move in range(ply):
            if game.over(s):
                break
            legal = game.legal(s)
            s = game.play(s, legal[random_below(rng, len(legal))])
        if not game.over(s) and game.mover(s) >= 0 and (key := book_key(game, s)) not in seen:
            seen.add(key)
            last = number
            yield key


class SampleProver:
    """Prover of what the moves of many positions lead to, all over one table."""

    def __init__(self, game: Game, job: Job) -> None:
        jit = job.jit is not False
        self._game, self._prover = game, Prover(game, jit, bounds_table.slots_within(game, job.memory))

    def signs(self, s: State) -> dict[int, int]:
        """For each move of a position 1, 0 or -1: a win, a draw or a loss of player 0.

        Raises KeyboardInterrupt, and LimitReached where there are more moves than a file can tell of.
        """
        legal = self._game.legal(s)
        if len(legal) > MOVES:
            raise LimitReached(f"{self._game.text}: more than {MOVES} moves")
        return {move: self._sign(self._game.play(s, move)) for move in legal}

    def _sign(self, s: State) -> int:
        if self._game.over(s):
            payoff = self._game.payoff(s, 0)
            return (payoff > 0) - (payoff < 0)
        bounds, run = Bounds(), self._prover.run
        while (sign := sign_of(bounds)) is None:
            run.begin(ENDLESS)
            run.watched(partial(self._ask, s, bounds), None)
            if run.interrupted:
                raise KeyboardInterrupt
        return sign

    def _ask(self, s: State, bounds: Bounds) -> None:
        asked = bounds.question()
        found = self._prover.ask(s, asked)
        if not self._prover.run.stopped:
            bounds.answered(asked, found)


def write_sample(path: Path, sample: Sample) -> None:
    """Write a sample. Raises BadInput where that cannot be done."""
    game, columns = sample.game, bytearray()
    for drawn in sample.plies.values():
        for column in (np.array(list(drawn), "<u8"), np.array(list(drawn.values()), "<u8")):
            columns += column.view(np.uint8).reshape(-1, 8).T.tobytes()
    header: JsonObject = {
        "game": game.name,
        "options": {**game.options},
        "fingerprint": game.fingerprint(),
        "seed": SEED,
        "plies": {str(ply): len(drawn) for ply, drawn in sample.plies.items()},
    }
    packed = np.frombuffer(zlib.compress(bytes(columns), 9), np.int8)
    write_arrays(path, FORMAT, header, {PACKED: packed}, LARGEST)
