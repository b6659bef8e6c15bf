"""The perfect player of a game whose values are payoffs: it keeps the payoff, exact or expected, of
every position it meets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from damier.core.arrays import FloatArray, Floats, IntArray, SmallIntArray
from damier.core.bits import Rng
from damier.core.code_arrays import flat
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.moves import each, no_moves, with_move
from damier.core.player import Kernel
from damier.core.rules import Moves, State, key, mover, moves, play, ply
from damier.core.ties import TIES, Ties, chosen, share_of
from damier.core.value_solution import ValueSolution
from damier.core.words import message
from damier.solve.perfect import Prefer
from damier.solve.tables import find

PayoffArrays: TypeAlias = tuple[IntArray, "SmallIntArray | FloatArray", IntArray, IntArray, FloatArray]
"""Keys, payoffs, offsets of the layers; options: how to choose among equals, whether there are
layers, the first ply; by how much two payoffs may differ that are one.
"""


@dataclass
class PerfectPayoffPlayer:
    """Plays the moves with the best payoff; among equals the first, the last, or any. No win is
    faster than another.
    """

    solution: ValueSolution
    prefer: Prefer = "value"
    ties: Ties = "random"

    compiles, learns = True, False

    def __post_init__(self) -> None:
        self._kernel: Kernel[PayoffArrays] | None = None
        if self.solution.endless:
            raise Unsuitable(
                message(
                    "perfect could keep a payoff for ever in {game}, where players can go round: of payoffs"
                    " it is not known which move comes nearer to the end",
                    game=self.solution.game.text,
                )
            )

    @property
    def text(self) -> str:
        return f"perfect:prefer={self.prefer},ties={self.ties}"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return chosen(self.solution.best_moves(s), TIES[self.ties], rng)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        equals = self.solution.best_moves(s)
        return {move: share_of(move, equals, TIES[self.ties]) for move in each(game.moves(s))}

    def kernel(self, *, jit: bool) -> Kernel[PayoffArrays] | None:
        if not jit:
            return None
        import numpy as np

        if self._kernel is None:
            table = self.solution.key_table()
            offsets = np.array(table.offsets, np.int64)
            options = np.array([TIES[self.ties], len(table.offsets) > 2, table.first_ply], np.int64)
            even = np.array([self.solution.tolerance])
            self._kernel = Kernel(
                choose_richest,
                richest_probabilities,
                (flat(table.keys), table.scores, offsets, options, even),
            )
        return self._kernel


def choose_richest(s: State, arrays: PayoffArrays, rng: Rng) -> int:
    """How PerfectPayoffPlayer chooses."""
    return chosen(equally_rich(s, arrays, no_moves()), arrays[3][0], rng)


def richest_probabilities(s: State, arrays: PayoffArrays, weights: Floats) -> None:
    """How PerfectPayoffPlayer weighs the moves."""
    equals, ties, index = equally_rich(s, arrays, no_moves()), arrays[3][0], 0
    for move in each(moves(s)):
        weights[index] = share_of(move, equals, ties)
        index += 1  # noqa: SIM113  compiled, `each` is not to be enumerated


def equally_rich(s: State, arrays: PayoffArrays, equals: Moves) -> Moves:
    """The moves with the best payoff, gathered in `equals`."""
    ours = 1.0 if mover(s) == 0 else -1.0
    best = -1e300
    for move in each(moves(s)):
        best = max(best, ours * stored_payoff(play(s, move), arrays))
    for move in each(moves(s)):
        if ours * stored_payoff(play(s, move), arrays) >= best - arrays[4][0]:
            equals = with_move(equals, move)
    return equals


def stored_payoff(s: State, arrays: PayoffArrays) -> float:
    """The payoff of a state that the arrays hold."""
    keys, payoffs, offsets, options, _even = arrays
    layer = ply(s) - options[2] if options[1] else 0
    return float(payoffs[find(key(s), keys, offsets[layer], offsets[layer + 1] - offsets[layer])])
