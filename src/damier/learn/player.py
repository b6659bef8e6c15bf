"""A learner as a player: it sits in the loop like any other, and learns from the games that it
plays there, or only plays what it knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from damier.core.arrays import Floats, floats, ints
from damier.core.bits import Rng, random_unit
from damier.core.compile import instantiate
from damier.core.game import Game, written
from damier.core.moves import each
from damier.core.open_addressing import NUMBERS_IN_DICTIONARY
from damier.core.player import ActionProbabilities, Arrays, AskedPlayer, Choose, Kernel, Policy
from damier.core.rules import State, mover, moves
from damier.learn import beads, mean, q, v
from damier.learn.action_values import Memory
from damier.learn.parameters import as_numbers, as_written
from damier.learn.qtable import SeatArrays, begin

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

AnyParameters: TypeAlias = Any
"""The parameters of some algorithm: whoever knows the algorithm knows their fields."""


class LearningAlgorithm(Protocol):
    """One way of learning: a module of this room. Its functions are those of a `Kernel`."""

    @property
    def Parameters(self) -> type[Any]: ...  # a dataclass: its fields are what a command line is asked for

    def choose(self, s: State, arrays: Arrays, rng: Rng) -> int: ...

    def observe_reward(self, reward: int, player: int, arrays: Arrays) -> None: ...

    def learn(self, payoff: int, player: int, arrays: Arrays) -> None: ...

    def action_probabilities(self, s: State, arrays: Arrays, weights: Floats) -> None: ...


ALGORITHMS: Mapping[str, LearningAlgorithm] = {"beads": beads, "mean": mean, "q": q, "v": v}


class LearningPlayer:
    """A player with a memory. One memory may serve two players, one at each seat.

    Attributes:
        name: of its algorithm, a key of ALGORITHMS
        parameters: the dataclass of that module
        learns: whether it explores and learns; else it plays what it knows
    """

    compiles = True
    parameters: AnyParameters

    def __init__(
        self,
        game: Game,
        name: str,
        parameters: DataclassInstance,
        memory: Memory | None = None,
        *,
        learns: bool = True,
    ) -> None:
        self.game, self.name, self.parameters, self.learns = game, name, parameters, learns
        self.algorithm = ALGORITHMS[name]
        self.memory = Memory(game, getattr(parameters, "epsilon", 0.0)) if memory is None else memory
        self._options = as_numbers(parameters)
        self._own: dict[bool, Arrays] = {}  # this seat's own arrays, in plain Python and compiled
        self._jit = False  # which of the two was used last

    @property
    def text(self) -> str:
        """Its name, and the parameters that differ from the algorithm's own."""
        plain = as_written(self.algorithm.Parameters())
        changed = {name: value for name, value in as_written(self.parameters).items() if value != plain[name]}
        return written(self.name, changed)

    @property
    def last_row(self) -> int | None:
        """The row of its last decision in the game that it played last, None where it took none."""
        seat = SeatArrays(*self._arrays(self.memory.compiled))
        return int(seat.rows[seat.length[0] - 1]) if seat.length[0] else None

    def beside(self, *, learns: bool) -> LearningPlayer:
        """A player for the other seat, with the same memory."""
        return LearningPlayer(self.game, self.name, self.parameters, self.memory, learns=learns)

    def kernel(self, *, jit: bool) -> Kernel[Arrays] | None:
        bind = {} if jit else NUMBERS_IN_DICTIONARY
        arrays = self._arrays(jit)
        if not self.learns:
            return Kernel(PLAYING[self.name], self.algorithm.action_probabilities, arrays, bind=bind)
        functions = self.algorithm
        return Kernel(
            functions.choose,
            functions.action_probabilities,
            arrays,
            begin,
            functions.observe_reward,
            functions.learn,
            bind,
            self._grow,
        )

    def _arrays(self, jit: bool) -> Arrays:
        if jit not in self._own:
            self._make_room(1, jit)
        table = self.memory.arrays(jit=jit)
        if jit != self._jit:
            self._take_over(jit)
        return (*table, *self._own[jit], self._options)

    def _take_over(self, jit: bool) -> None:
        """The decisions of the last game, as they were written plain or compiled: `last_row`."""
        self._jit = jit
        if (not jit) in self._own:
            rows, *_others, length, _weights = self._own[not jit]
            n = int(length[0])
            if n > len(self._own[jit][0]):
                self._make_room(n, jit)
            self._own[jit][0][:n], self._own[jit][4][0] = [int(row) for row in rows[:n]], n

    def _grow(self, plies: int) -> None:
        self.memory.grow(plies)
        for jit in self._own:
            self._make_room(plies, jit)

    def _make_room(self, plies: int, jit: bool) -> None:
        """Arrays for the history of a game of so many plies."""
        rows, entries, length = ints(plies + 2, jit), ints(plies + 2, jit), ints(1, jit)
        bests, rewards, weights = (
            floats(plies + 2, jit),
            floats(plies + 2, jit),
            floats(self.game.most_moves(), jit),
        )
        self._own[jit] = (rows, entries, bests, rewards, length, weights)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        weights = [0.0] * game.most_moves()
        instantiate(self.algorithm.action_probabilities, game, jit=False, bind=NUMBERS_IN_DICTIONARY)(
            s, self._arrays(False), weights
        )
        return dict(zip(each(game.moves(s)), weights, strict=False))

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        """Return what it plays without learning."""
        return instantiate(PLAYING[self.name], game, jit=False, bind=NUMBERS_IN_DICTIONARY)(
            s, self._arrays(False), rng
        )


def playing(action_probabilities: ActionProbabilities) -> Choose:
    """Play of a policy: each move as often as it weighs; what the weights lack to 1 resigns."""

    def choose_by_weight(s: State, arrays: Arrays, rng: Rng) -> int:
        weights = SeatArrays(*arrays).weights
        action_probabilities(s, arrays, weights)
        left, total, last, index = random_unit(rng), 0.0, 0, 0
        for move in each(moves(s)):
            weight = weights[index]
            index += 1  # noqa: SIM113  compiled, `each` is not to be enumerated
            left -= weight
            total += weight
            if left < 0:
                return move
            last = move if weight > 0 else last
        return last if total > CERTAIN else 0

    return choose_by_weight


PLAYING = {name: playing(algorithm.action_probabilities) for name, algorithm in ALGORITHMS.items()}

CERTAIN = 1 - 1e-9
"""Weights that sum to more than this sum to 1, but for rounding."""


# A learner with a table for each seat: it plays with the one of the seat that it sits at.


class PolicyBySeat(AskedPlayer):
    """Two policies of any kinds, one for each seat, asked one position after the other."""

    def __init__(self, first: Policy, second: Policy) -> None:
        self.players = (first, second)

    @property
    def text(self) -> str:
        return " / ".join(player.text for player in self.players)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self.players[game.mover(s)].choose(game, s, rng)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        return self.players[game.mover(s)].probabilities(game, s)


class SeatedPlayer(PolicyBySeat):
    """Two players of one algorithm that do not learn, one for each seat."""

    def __init__(self, first: LearningPlayer, second: LearningPlayer) -> None:
        super().__init__(first, second)
        self.name, self.game, self.parameters, self.compiles = (
            first.name,
            first.game,
            first.parameters,
            first.compiles,
        )

    @property
    def text(self) -> str:
        return self.players[0].text

    def kernel(self, *, jit: bool) -> Kernel[Arrays] | None:
        first, second = (player.kernel(jit=jit) for player in self.players)
        assert first is not None
        assert second is not None
        choose, action_probabilities = BY_SEAT[self.name]
        return Kernel(choose, action_probabilities, (first.arrays, second.arrays), bind=first.bind)


def by_seat(
    choose_one: Choose, probabilities_of_one: ActionProbabilities
) -> tuple[Choose, ActionProbabilities]:
    """The functions of two players from those of one."""

    def choose(s: State, arrays: Arrays, rng: Rng) -> int:
        return choose_one(s, arrays[mover(s)], rng)

    def action_probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
        probabilities_of_one(s, arrays[mover(s)], weights)

    return choose, action_probabilities


BY_SEAT = {
    name: by_seat(PLAYING[name], algorithm.action_probabilities) for name, algorithm in ALGORITHMS.items()
}
