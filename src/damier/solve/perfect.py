"""The perfect player: it keeps the exact value of every position it meets (row A-76 is its
tic-tac-toe case).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from damier.core.arrays import FloatArray, Floats, IntArray, SmallIntArray, np
from damier.core.bits import Rng
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.moves import each, no_moves, with_move, without_moves
from damier.core.open_addressing import flat
from damier.core.player import TIES, AnyKernel, Kernel, Ties, chosen, share_of
from damier.core.rules import Moves, State, key, mover, moves, play, ply
from damier.core.solution import AnySolution, Solution, ValueSolution
from damier.core.words import message
from damier.solve.depth_first import find

Prefer: TypeAlias = Literal["value", "fastest"]


@dataclass
class PerfectPlayer:
    """Plays the best moves of a solution; among equals the first, the last, or any.

    prefer=value takes every move that keeps the win or the draw; prefer=fastest wins soonest and
    loses latest. Where values are payoffs, no win is faster than another.
    """

    solution: AnySolution
    prefer: Prefer = "value"
    ties: Ties = "random"

    compiles, learns = True, False

    def __post_init__(self) -> None:
        self._kernel: AnyKernel | None = None
        solution = self.solution
        if isinstance(solution, ValueSolution):
            if solution.endless:
                raise Unsuitable(
                    message(
                        "perfect could keep a payoff for ever in {game}, where players can go round: of"
                        " payoffs it is not known which move comes nearer to the end",
                        game=solution.game.text,
                    )
                )
        elif solution.cyclic and self.prefer == "value":
            raise BadInput(
                message(
                    "perfect:prefer=value could keep a win for ever in {game}, where a position can come"
                    " back; use prefer=fastest",
                    game=solution.game.text,
                )
            )

    @property
    def text(self) -> str:
        return f"perfect:prefer={self.prefer},ties={self.ties}"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return chosen(self._equals(s), TIES[self.ties], rng)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        equals = self._equals(s)
        return {move: share_of(move, equals, TIES[self.ties]) for move in each(game.moves(s))}

    def _equals(self, s: State) -> Moves:
        if self.prefer == "fastest" and isinstance(self.solution, Solution):
            return self.solution.fastest_moves(s)
        return self.solution.best_moves(s)

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        if not jit:
            return None
        if self._kernel is None:
            table, ties = self.solution.key_table(), TIES[self.ties]
            keys, offsets = flat(table.keys), np.array(table.offsets, np.int64)
            layers = [len(table.offsets) > 2, table.first_ply]
            if isinstance(self.solution, ValueSolution):
                options, even = np.array([ties, *layers], np.int64), np.array([self.solution.tolerance])
                payoffs: PayoffArrays = keys, table.scores, offsets, options, even
                self._kernel = Kernel(choose_richest, richest_probabilities, payoffs)
            else:
                options = np.array([ties, self.prefer == "fastest", *layers], np.int64)
                scores: SolutionArrays = keys, table.scores, offsets, options
                self._kernel = Kernel(choose_best, best_probabilities, scores)
        return self._kernel


# How it chooses in compiled code: by scores, or by payoffs, exact or expected.

SolutionArrays: TypeAlias = tuple[IntArray, "SmallIntArray | FloatArray", IntArray, IntArray]
"""Keys, scores, offsets of the layers; options: how to choose among equals, whether to hurry,
whether there are layers, the first ply.
"""

PayoffArrays: TypeAlias = tuple[IntArray, "SmallIntArray | FloatArray", IntArray, IntArray, FloatArray]
"""Keys, payoffs, offsets of the layers; options: how to choose among equals, whether there are
layers, the first ply; by how much two payoffs may differ that are one.
"""


def choose_best(s: State, arrays: SolutionArrays, rng: Rng) -> int:
    """Return how PerfectPlayer chooses by scores."""
    return chosen(equally_good(s, arrays, no_moves()), arrays[3][0], rng)


def best_probabilities(s: State, arrays: SolutionArrays, weights: Floats) -> None:
    """Weigh the moves as it does then."""
    equals, ties, index = equally_good(s, arrays, no_moves()), arrays[3][0], 0
    for move in each(moves(s)):
        weights[index] = share_of(move, equals, ties)
        index += 1  # noqa: SIM113  compiled, `each` is not to be enumerated


def equally_good(s: State, arrays: SolutionArrays, equals: Moves) -> Moves:
    """The moves that a player of these arrays finds best, gathered in `equals`."""
    options = arrays[3]
    ours = 1 if mover(s) == 0 else -1
    best = -(1 << 40)
    for move in each(moves(s)):
        score = ours * stored_score(play(s, move), arrays)
        if options[1] == 0:
            score = 1 if score > 0 else -1 if score < 0 else 0
        if score > best:
            best, equals = score, without_moves(equals)
        if score == best:
            equals = with_move(equals, move)
    return equals


def stored_score(s: State, arrays: SolutionArrays) -> int:
    """The score of a state that the arrays hold: keys, scores, offsets of the layers, options."""
    keys, scores, offsets, options = arrays
    wanted = key(s)
    layer = ply(s) - options[3] if options[2] else 0
    return int(scores[find(wanted, keys, offsets[layer], offsets[layer + 1] - offsets[layer])])


def choose_richest(s: State, arrays: PayoffArrays, rng: Rng) -> int:
    """Return how PerfectPlayer chooses by payoffs."""
    return chosen(equally_rich(s, arrays, no_moves()), arrays[3][0], rng)


def richest_probabilities(s: State, arrays: PayoffArrays, weights: Floats) -> None:
    """Weigh the moves as it does then."""
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
