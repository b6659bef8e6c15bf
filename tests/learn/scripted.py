"""Games whose moves are given: a learner plays them itself, by drawing random numbers until it
would choose the move wanted of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.loop import MatchSetup
from damier.core.player import Kernel
from damier.core.rules import State
from damier.learn.action_values import Memory
from damier.learn.parameters import PRESETS, fields_of
from damier.learn.player import ALGORITHMS, LearningPlayer

RESIGNS = "resigns"
TRIES = 2000


def learner(
    game: Game, name: str, preset: str = "", memory: Memory | None = None, **changed: Any
) -> LearningPlayer:
    """A learner with the parameters of a preset, some of them changed."""
    given = dict(PRESETS[name][preset].parameters) if preset else {}
    return LearningPlayer(game, name, ALGORITHMS[name].Parameters(**(given | fields_of(changed))), memory)


class Scripted:
    """A player that takes its moves from a script; a learner among them learns as ever."""

    text, compiles = "scripted", False

    def __init__(self, script: Iterator[str], player: LearningPlayer | None = None) -> None:
        self.script, self.player, self.learns = script, player, player is not None

    def wanted(self, game: Game, s: State) -> int:
        name = next(self.script)
        return 0 if name == RESIGNS else {game.name_move(s, move): move for move in game.legal(s)}[name]

    def choose(self, game: Game, s: State, rng: Any) -> int:
        return self.wanted(game, s)

    def kernel(self, *, jit: bool) -> Kernel | None:
        assert not jit
        if self.player is None:
            return None
        kernel = self.player.kernel(jit=False)
        assert kernel is not None
        return kernel._replace(choose=self.forced(kernel))

    def forced(self, kernel: Kernel) -> Callable[[State, Any, Any], int]:
        assert self.player is not None
        game = self.player.game
        choose = instantiate(kernel.choose, game, jit=False, bind=kernel.bind)

        def choose_as_told(s: State, arrays: Any, rng: Any) -> int:
            wanted = self.wanted(game, s)
            for number in range(TRIES):
                reseed(rng, 1, number)
                before = list(rng)
                if choose(s, deepcopy(arrays), rng) == wanted:
                    return choose(s, arrays, before)
            raise AssertionError(f"it never chooses {wanted} in {s}")

        return choose_as_told


def play(first: LearningPlayer | None, second: LearningPlayer | None, *games: str) -> None:
    """Plays games written as moves with spaces between them; None is a player that does not learn."""
    game = next(player for player in (first, second) if player is not None).game
    for moves in games:
        script = iter(moves.split())
        table = MatchSetup(game, (Scripted(script, first), Scripted(script, second)), seed=0, limit=64)
        table.play(0, 1, jit=False)
        assert next(script, None) is None, f"{moves}: the game ended before the script"


def position(game: Game, moves: str) -> State:
    """The state that moves lead to."""
    found = game.position()
    for move in moves.split():
        found = found.play(move)
    return found.state


def row(player: LearningPlayer, s: State) -> dict[str, float]:
    """What a learner has in the row of a state, by the names of the moves; nothing where it has
    none.
    """
    return {name: value for name, (value, _count) in both(player, s).items()}


def counts(player: LearningPlayer, s: State) -> dict[str, int]:
    """Counts, or beads, in the row of a state."""
    return {name: count for name, (_value, count) in both(player, s).items()}


def both(player: LearningPlayer, s: State) -> dict[str, tuple[float, int]]:
    game = player.game
    for found in player.memory.rows():
        if found.state == s:
            return {
                game.name_move(s, move): (value, count)
                for move, value, count in zip(found.moves, found.values, found.counts, strict=True)
            }
    return {}


def tables(players: Sequence[LearningPlayer]) -> list[Any]:
    """All that some learners know, to be compared."""
    return [(list(p.memory.rows()), p.memory.decisions, p.memory.games, p.memory.epsilon) for p in players]
