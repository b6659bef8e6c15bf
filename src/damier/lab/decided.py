"""What a player without probabilities decides: asked everywhere, twice, it is graded exactly if it
always answers alike.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from damier.agents.own import OwnPlayer
from damier.core.bits import Rng, reseed
from damier.core.game import Game, each
from damier.core.player import AnyKernel, Player
from damier.core.rules import State
from damier.core.words import _

AGAIN = 2
"""How often all is asked again where random numbers were drawn: another thread may have drawn them once."""
ASKED = 2
"""How often each position is asked, forwards and backwards: what remembers answers otherwise."""


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


def fixed_choices(game: Game, player: Player, states: Iterable[State] | None = None) -> FixedChoices:
    """Asks a player what it chooses in every position that can come up.

    It is taken to always choose alike only if it answers twice alike and draws no random numbers
    meanwhile, neither those that it is given nor those of Python and NumPy.
    """
    found = FixedChoices(player)
    asked = list(states if states is not None else decisions(game))
    begun, quiet = drawn(player), 0  # how often nobody drew meanwhile
    for time in range(ASKED + AGAIN):
        before = drawn(player)
        changed = first_change(found, game, asked if time % 2 == 0 else asked[::-1], time)
        after = drawn(player)
        quiet += after == before
        if changed:
            found.varies = _("it draws random numbers") if after != begun else changed
            return found
        if quiet == ASKED:
            return found
    found.varies = _("it draws random numbers")
    return found


def first_change(found: FixedChoices, game: Game, asked: Sequence[State], time: int) -> str:
    """Asks in each of these positions; where it chooses otherwise than before, in words, or nothing."""
    for number, s in enumerate(asked):
        rng = [0]
        reseed(rng, time + 1, number)
        move = found.player.choose(game, s, rng)
        if found.moves.setdefault(s, move) != move:
            return _(
                "asked twice, it plays {first} and then {second} in {position}",
                first=game.name_move(s, found.moves[s]),
                second=game.name_move(s, move),
                position=" / ".join(game.show(s).split("\n")[:12]),
            )
    return ""


def drawn(player: Player) -> tuple[object, ...]:
    """What changes when somebody draws random numbers."""
    numpy_random = sys.modules.get("numpy.random")
    return (
        random.getstate(),
        player.rng.drawn if isinstance(player, OwnPlayer) else 0,
        None if numpy_random is None else repr(numpy_random.get_state()),
    )


def decisions(game: Game) -> list[State]:
    """Every position in which somebody is to move, breadth first."""
    found, queue = {game.start}, [game.start]
    for s in queue:
        for move in game.legal(s):
            child = game.play(s, move)
            if child not in found:
                found.add(child)
                queue.append(child)
    return [s for s in queue if not game.over(s) and game.mover(s) >= 0]
