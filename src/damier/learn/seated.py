"""A learner with a table for each seat: it plays with the one of the seat that it sits at."""

from __future__ import annotations

from damier.core.arrays import Floats
from damier.core.bits import Rng
from damier.core.game import Game
from damier.core.player import ActionProbabilities, Arrays, Choose, Kernel, Policy
from damier.core.rules import State, mover
from damier.learn.player import ALGORITHMS, PLAYING, LearningPlayer


class SeatedPlayer:
    """Two players of one algorithm that do not learn, one for each seat."""

    compiles: bool
    learns = False

    def __init__(self, first: LearningPlayer, second: LearningPlayer) -> None:
        self.players = (first, second)
        self.name, self.game, self.parameters, self.compiles = (
            first.name,
            first.game,
            first.parameters,
            first.compiles,
        )

    @property
    def text(self) -> str:
        return self.players[0].text

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self.players[game.mover(s)].choose(game, s, rng)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        return self.players[game.mover(s)].probabilities(game, s)

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


class PolicyBySeat:
    """Two policies of any kinds, one for each seat, asked one position after the other."""

    compiles, learns = False, False

    def __init__(self, first: Policy, second: Policy) -> None:
        self.players = (first, second)

    @property
    def text(self) -> str:
        return " / ".join(player.text for player in self.players)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self.players[game.mover(s)].choose(game, s, rng)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        return self.players[game.mover(s)].probabilities(game, s)

    def kernel(self, *, jit: bool) -> Kernel[Arrays] | None:
        return None
