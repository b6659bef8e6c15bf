"""One game, and what was worked out about it: what agents by name are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from damier.core.bits import Rng
from damier.core.compile import instantiate
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.player import sample_chance
from damier.core.rules import State
from damier.core.solution import AnySolution
from damier.core.words import message
from damier.solve import solve


@dataclass
class Lab:
    """One game and what was worked out about it: two perfect players share one solution.

    `ask` and `tell` are how a human player is spoken to; `seed` is what agents of one's own may draw
    from; `isolated` whether agents of others play in a sandbox or not at all; `loads_files` whether
    agents, programs and evaluations may be named by their files, which then run; `known` is the game
    solved, once it is.
    """

    game: Game
    job: Job = field(default_factory=Job)
    ask: Callable[[str], str] = input
    tell: Callable[[str], None] = print
    seed: int = 0
    isolated: bool = False
    loads_files: bool = True

    known: AnySolution | None = field(default=None, init=False)

    def solution(self, why: str) -> AnySolution:
        """The solved game. Raises LimitReached, with `why` it was needed, where it is too large."""
        if self.known is None:
            try:
                self.known = solve(self.game, job=self.job)
            except LimitReached as error:
                raise LimitReached(message("{why}: {error}", why=why, error=error), error.reached) from error
        return self.known


# The chance nodes of a game, one at a time: for games that a person plays move by move.


def chance_move(game: Game, s: State, rng: Rng) -> int:
    """Return how the die falls at a chance node: each move as often as it weighs, by one random number."""
    return int(instantiate(sample_chance, game, jit=False)(s, game.moves(s), rng))
