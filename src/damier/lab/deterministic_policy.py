"""What a player without probabilities decides: asked everywhere, twice, it is graded exactly if it
always answers alike.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from damier.agents.own import GameRandom, OwnPlayer
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
TRIES = 8
"""How often a position is asked again where random numbers were drawn meanwhile: what is drawn may decide
nothing, as where it is compared with ε = 0.
"""
MOST_TRIED = 400_000
"""Questions in all that are asked so; some seconds of plain Python."""
EXTREMES = (0.0, 1.0 - 2.0**-53)
"""What `random()` gives in the first tries: whatever is compared with it falls on one side and the other."""


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

    It is taken to always choose alike if it answers alike each time; where random numbers were drawn
    meanwhile (those that it is given, Python's or NumPy's), only if 8 more answers, with others, are alike
    too.
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
    """Whether what is drawn decides anything in some position, in words, or nothing."""
    tried = 0
    for number, s in enumerate(asked):
        for time in range(TRIES):
            before = drawn(found.player)
            with constant(EXTREMES[time]) if time < len(EXTREMES) else nullcontext():
                varies = change(found, game, s, (ASKED + 1 + time, number))
            tried += 1
            if varies or tried > MOST_TRIED:
                return _("it draws random numbers")
            if drawn(found.player) == before and time >= len(EXTREMES):
                break
    return ""


@contextmanager
def constant(number: float) -> Iterator[None]:
    """Has `random()` give this number, both the agent's own `rng` and Python's `random.random`."""
    kept = random.random, GameRandom.random
    random.random = GameRandom.random = lambda *_self: number  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        random.random, GameRandom.random = kept  # type: ignore[method-assign]


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
