"""Policies of others, networks above all, asked in all positions of a game at once: graded exactly, shown
where they first go wrong, and written as agents that play in damier.

A *scorer* is a function of observations and masks, arrays of as many positions as it is asked about, that
answers a number for each action: the legal action with the largest is played.

>>> from damier.interop.policies import graded
>>> first_cell = graded(lambda observations, masks: -np.arange(9) + 0 * masks, "tictactoe")
>>> first_cell.best_response[0].payoff, round(first_cell.optimal_share_all, 3)
(1.0, 0.587)
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from damier.core.arrays import FloatArray, IntArray
from damier.core.bits import Rng
from damier.core.errors import BadInput
from damier.core.files import write_text
from damier.core.game import Game, require
from damier.core.grade import Grade, Mistake
from damier.core.player import AnyKernel
from damier.core.rules import State
from damier.core.words import _, decimal, grouped, message
from damier.interop.observations import Observer, game_named
from damier.lab import grading
from damier.lab.agents import policy as policy_named
from damier.lab.games import Lab
from damier.solve.grade import Grader
from damier.solve.reach import BOUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

Scorer: TypeAlias = "Callable[[NDArray[np.float32], NDArray[np.bool_]], Any]"
"""scorer(observations, masks): a number for each action, [positions, actions]; what it says of actions that
are not legal means nothing.
"""


LEAST_SCORE = np.finfo(np.float64).min
"""What a legal action has at least: more than one that is not legal."""
AGENT = Path(__file__).with_name("network_agent.txt")
"""The file of an agent, but for its numbers."""


class ScoredPolicy:
    """A policy that plays the legal action which a scorer likes best.

    Attributes:
        text: its name
    """

    compiles = learns = False

    def __init__(self, game: Game, scorer: Scorer, text: str = "network") -> None:
        self.game, self.scorer, self.text = game, scorer, text
        self._observer = Observer(game)
        self._known: _Positions | None = None

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        """Return nothing: a scorer does not play in compiled code."""
        return None

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return next(iter(self.probabilities(game, s)))

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        observation = self._observer.observe(s, game.mover(s))[None].astype(np.float32)
        mask = self._observer.mask(s)[None].astype(bool)
        return {self._observer.legal(s)[int(self._scores(observation, mask)[0].argmax())]: 1.0}

    def batch_probabilities(self, codes: IntArray, first: IntArray, moves: IntArray) -> FloatArray:
        """Return how likely each move of many positions is; these are looked at once, and kept."""
        if self._known is None or not np.array_equal(self._known.codes, codes):
            self._known = _Positions(self._observer, codes, first, moves)
        known = self._known
        best = self._scores(known.observations, known.masks).argmax(axis=1)
        return np.where(known.actions == np.repeat(best, np.diff(first)), 1.0, 0.0)

    def _scores(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        # copies: whoever changes what it is given asks next time about the same positions
        scores = np.array(self.scorer(observations.copy(), masks.copy()), np.float64)
        if scores.shape != masks.shape or np.isnan(scores[masks]).any():
            raise BadInput(
                message(
                    "a policy answers a number for each action, {shape} in all; it answered {found}",
                    shape=str(masks.shape),
                    found=str(scores.shape) if scores.shape != masks.shape else "nan",
                )
            )
        # of moves that it calls impossible, too, one is played
        return np.where(masks, np.maximum(scores, LEAST_SCORE), -np.inf)


class _Positions:
    """Positions as a scorer sees them, and the action of each of their moves."""

    def __init__(self, observer: Observer, codes: IntArray, first: IntArray, moves: IntArray) -> None:
        game, self.codes = observer.game, codes
        keys = codes[:, 0].tolist() if codes.shape[1] == 1 else map(tuple, codes.tolist())
        states = [game.unkey(key) for key in keys]
        self.observations = np.stack([observer.observe(s, game.mover(s)) for s in states]).astype(np.float32)
        of_moves = np.repeat(np.arange(len(states)), np.diff(first))
        self.actions = np.empty(len(moves), np.int64)
        legal = [{move: action for action, move in observer.legal(s).items()} for s in states]
        for edge, (place, move) in enumerate(zip(of_moves.tolist(), moves.tolist(), strict=True)):
            self.actions[edge] = legal[place][move]
        self.masks = np.zeros((len(states), observer.actions), bool)
        self.masks[of_moves, self.actions] = True


class ExactGrader:
    """Grades policies of one game exactly, in all its positions.

    Attributes:
        game: the game
        against: the agent that grades are against
        positions: how many positions the game has
    """

    def __init__(self, game: str | Game, against: str = "random") -> None:
        """Work out the positions of a game and their values.

        Args:
            game: a game, or as it is written on the command line
            against: the agent that grades are against

        Raises UnknownName, BadInput, Unsuitable, and LimitReached for a game that is too large.
        """
        self._lab = Lab(game_named(game))
        self.game = self._lab.game
        self._grader = Grader(self.game, policy_named(self._lab, against), self._lab.job)
        self.against = against
        self.positions = self._grader.positions

    def policy(self, scorer: Scorer) -> ScoredPolicy:
        """Return what plays as a scorer says; graded again after it has learnt, it looks at no position
        twice.
        """
        return ScoredPolicy(self.game, scorer)

    def grade(self, policy: ScoredPolicy | Scorer) -> Grade:
        """Return the exact grade: payoffs against the agent, what an opponent who knows the policy gets from
        it, and in how many positions it keeps the value.
        """
        return self._grader.grade(policy if isinstance(policy, ScoredPolicy) else self.policy(policy))

    def is_unbeatable(self, grade: Grade) -> bool:
        """Return whether nobody gets more from the policy than from a perfect player, at either seat: of
        games with dice as far as their values are known, to a millionth.
        """
        start = self._grader.values_to_movers()[0] * (1 if self.game.mover(self.game.start) == 0 else -1)
        return all(grade.best_response[seat].payoff <= (start, -start)[seat] + BOUND for seat in range(2))

    def mistakes(self, policy: ScoredPolicy | Scorer, most: int = 5) -> list[Mistake]:
        """Return where a policy first goes wrong, those mistakes first that come after fewer plies."""
        player = policy if isinstance(policy, ScoredPolicy) else self.policy(policy)
        return grading.mistakes(self._lab, player, most)

    def told(self, curve: Iterable[tuple[float, int, Grade]], policy: ScoredPolicy | Scorer) -> str:
        """Return what became of a policy that learnt, a line for each grade of `curve` (after so many seconds
        and moves), and where it goes wrong now.
        """
        lines = [
            _(
                "{seconds} s, {moves} moves: {seats} against {agent}; who knows it gets {best}",
                seconds=decimal(seconds, "5.1f"),
                moves=grouped(moves).rjust(9),
                seats=" ".join(decimal(seat.payoff, "+.3f") for seat in grade.seats),
                agent=self.against,
                best=" ".join(_signed(seat.payoff) for seat in grade.best_response),
            )
            for seconds, moves, grade in curve
        ]
        lines += [
            _(
                "goes wrong after {moves}: {played}, not {right}",
                moves=" ".join(mistake.moves) or "-",
                played=mistake.played,
                right=mistake.right[0],
            )
            for mistake in self.mistakes(policy, 3)
        ]
        return "\n".join(lines)


def _signed(payoff: float) -> str:
    """Return a payoff with its sign: whole where it is whole."""
    whole = round(payoff)
    return f"{whole:+d}" if abs(payoff - whole) < BOUND else decimal(payoff, "+.3f")


def graded(policy: Scorer, game: str | Game, against: str = "random") -> Grade:
    """Return the exact grade of a scorer, as `ExactGrader` gives it; one who grades many times makes one of
    these.

    Raises UnknownName, BadInput, Unsuitable, and LimitReached for a game that is too large.
    """
    return ExactGrader(game, against).grade(policy)


def linear_layers(modules: Iterable[Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the matrices and biases of modules of PyTorch that have them, as `write_agent` takes them."""
    linear = [each for each in modules if hasattr(each, "weight")]
    return [(each.weight.detach().numpy().T, each.bias.detach().numpy()) for each in linear]


def write_agent(path: str | Path, layers: Sequence[tuple[NDArray[Any], NDArray[Any]]], summary: str) -> None:
    """Write a network as an agent of damier: a file of Python that needs NumPy alone.

    Args:
        path: the file
        layers: the matrix [inputs, outputs] and the biases of each layer; all but the last are followed by
            max(0, x)
        summary: what it is, in a line

    Raises BadInput where there is no layer, or one that does not fit the one before it.
    """
    require_layers(layers)
    written = [
        (f"{matrix.shape[0]}, {matrix.shape[1]}", _numbers(matrix), _numbers(biases))
        for matrix, biases in layers
    ]
    rows = "\n".join(f'    ({shape}, "{matrix}", "{biases}"),' for shape, matrix, biases in written)
    line = " ".join(summary.replace("\\", " ").replace('"', " ").split())
    write_text(
        Path(path), AGENT.read_text(encoding="utf-8").replace("SUMMARY", line).replace("LAYERS_OF_IT", rows)
    )


def require_layers(layers: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> None:
    """Raises BadInput for what is no network, which would show only when it plays."""
    require(len(layers) > 0, _("a network has at least one layer, of a matrix and of biases"))
    outputs = layers[0][0].shape[0]
    for number, (matrix, biases) in enumerate(layers, 1):
        if matrix.shape != (outputs, *biases.shape) or biases.ndim != 1:
            raise BadInput(
                message(
                    "layer {n}: a matrix is [inputs, outputs], with a bias for each output, and takes what"
                    " the layer before it gives; here they are {matrix} and {biases}",
                    n=number,
                    matrix=str(matrix.shape),
                    biases=str(biases.shape),
                )
            )
        outputs = len(biases)


def _numbers(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array, "<f4").tobytes()).decode()
