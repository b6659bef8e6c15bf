"""The perfect player: it keeps the exact value of every position it meets (row A-76 is its
tic-tac-toe case).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from damier.core.arrays import Floats, np
from damier.core.bits import Rng
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.moves import each, no_moves, with_move, without_moves
from damier.core.open_addressing import flat
from damier.core.player import (
    TIES,
    ActionProbabilities,
    AnyKernel,
    Arrays,
    Choose,
    Kernel,
    Ties,
    chosen,
    share_of,
)
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
            table = self.solution.key_table()
            options = [TIES[self.ties], len(table.offsets) > 2, table.first_ply]
            columns = flat(table.keys), table.scores, np.array(table.offsets, np.int64)
            if isinstance(self.solution, ValueSolution):
                even = np.array([self.solution.tolerance])
                self._kernel = Kernel(*BY_PAYOFF, (*columns, np.array(options, np.int64), even))
            else:
                options.append(self.prefer == "fastest")
                self._kernel = Kernel(*BY_SCORE, (*columns, np.array(options, np.int64)))
        return self._kernel


# How it chooses in compiled code: by scores, or by payoffs, exact or expected.
#
# What both read is a tuple of arrays: keys; scores, or payoffs; offsets of the layers; options: how to
# choose among equals, whether there are layers, the first ply, and by scores whether to hurry; by payoffs
# by how much two may differ that are one.


def playing(equals: Callable[[State, Arrays, Moves], Moves]) -> tuple[Choose, ActionProbabilities]:
    """Return how PerfectPlayer chooses, and weighs, among the moves that it finds equally good, which are
    gathered in what `equals` is given.
    """

    def choose(s: State, arrays: Arrays, rng: Rng) -> int:
        return chosen(equals(s, arrays, no_moves()), arrays[3][0], rng)

    def probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
        found, ties, index = equals(s, arrays, no_moves()), arrays[3][0], 0
        for move in each(moves(s)):
            weights[index] = share_of(move, found, ties)
            index += 1  # noqa: SIM113  compiled, `each` is not to be enumerated

    return choose, probabilities


def stored(s: State, arrays: Arrays) -> float:
    """The score, or the payoff, of a state that the arrays hold."""
    offsets, options = arrays[2], arrays[3]
    layer = ply(s) - options[2] if options[1] else 0
    place = find(key(s), arrays[0], offsets[layer], offsets[layer + 1] - offsets[layer])
    found: float = arrays[1][place]
    return found


def equally_good(s: State, arrays: Arrays, equals: Moves) -> Moves:
    """The moves with the best score."""
    options = arrays[3]
    ours = 1 if mover(s) == 0 else -1
    best = -(1 << 40)
    for move in each(moves(s)):
        score = ours * int(stored(play(s, move), arrays))
        if options[3] == 0:
            score = 1 if score > 0 else -1 if score < 0 else 0
        if score > best:
            best, equals = score, without_moves(equals)
        if score == best:
            equals = with_move(equals, move)
    return equals


def equally_rich(s: State, arrays: Arrays, equals: Moves) -> Moves:
    """The moves with the best payoff."""
    ours = 1.0 if mover(s) == 0 else -1.0
    best = -1e300
    for move in each(moves(s)):
        best = max(best, ours * float(stored(play(s, move), arrays)))
    for move in each(moves(s)):
        if ours * float(stored(play(s, move), arrays)) >= best - arrays[4][0]:
            equals = with_move(equals, move)
    return equals


BY_SCORE, BY_PAYOFF = playing(equally_good), playing(equally_rich)
