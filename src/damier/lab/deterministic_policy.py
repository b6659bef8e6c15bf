"""What a player without probabilities decides: asked everywhere, twice, it is graded exactly if it
always answers alike.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from damier.agents.own import OwnPlayer
from damier.core.bits import Rng, reseed
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import each
from damier.core.player import AnyKernel, Player
from damier.core.rules import State
from damier.core.words import _
from damier.solve.reach import pure_layers

ASKED = 2
"""How often each position is asked, forwards and backwards: what remembers answers otherwise."""
TRIES = 5
"""How often a position is asked again where random numbers were drawn meanwhile, which another thread may
have done: an agent that draws does so every time.
"""


@dataclass
class FixedChoices:
    """What a player chooses in each position, as a policy.

    varies  why it is none: where it chose otherwise, or drew random numbers; empty where it always
            chooses alike
    """

    player: Player
    moves: dict[State, int] = field(default_factory=dict)
    varies: str = ""

    compiles, learns = False, False

    @property
    def text(self) -> str:
        return self.player.text

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self.moves[s]

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        chosen = self.moves[s]
        return {move: float(move == chosen) for move in each(game.moves(s))}


def fixed_choices(game: Game, player: Player, asked: Sequence[State]) -> FixedChoices:
    """Asks a player what it chooses in each of these positions, such as `decisions`.

    It is taken to always choose alike only if it answers alike each time and draws no random numbers
    meanwhile, neither those that it is given nor those of Python and NumPy.
    """
    found = FixedChoices(player)
    before = drawn(player)
    for time in range(ASKED):
        for number, s in enumerate(asked if time % 2 == 0 else reversed(asked)):
            found.varies = change(found, game, s, (time + 1, number))
            if found.varies:
                break
    if drawn(player) != before:
        found.varies = _("it draws random numbers") if found.varies else draws(found, game, asked)
    return found


def change(found: FixedChoices, game: Game, s: State, stream: tuple[int, int]) -> str:
    """Asks in a position, with other random numbers each time; where it chooses otherwise than before,
    in words, or nothing.
    """
    rng = [0]
    reseed(rng, *stream)
    move = found.player.choose(game, s, rng)
    if found.moves.setdefault(s, move) == move:
        return ""
    return _(
        "asked twice, it plays {first} and then {second} in {position}",
        first=game.name_move(s, found.moves[s]),
        second=game.name_move(s, move),
        position=" / ".join(game.show(s).split("\n")[:12]),
    )


def draws(found: FixedChoices, game: Game, asked: Sequence[State]) -> str:
    """Whether random numbers are drawn whenever it is asked in some position, in words, or nothing."""
    for number, s in enumerate(asked):
        for time in range(TRIES):
            before = drawn(found.player)
            varies = change(found, game, s, (ASKED + 1 + time, number))
            if drawn(found.player) == before and not varies:
                break
        else:
            return _("it draws random numbers")
    return ""


def drawn(player: Player) -> tuple[object, ...]:
    """What changes when somebody draws random numbers."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is None:
        of_numpy: tuple[object, ...] = ()
    else:
        _kind, words, *rest = numpy_random.get_state()
        of_numpy = (words.tobytes(), *rest)
    return random.getstate(), player.rng.drawn if isinstance(player, OwnPlayer) else 0, of_numpy


def decisions(game: Game, job: Job) -> list[State]:
    """Every position in which somebody is to move, breadth first. Raises LimitReached."""
    layers = pure_layers(game, game.start, job)
    return [s for layer in layers for s in layer if not game.over(s) and game.mover(s) >= 0]
