"""The one loop that plays games, plain or compiled. Game number n draws its random numbers from stream n of the seed, so that the same
games are played whatever the number of jobs and whichever of the two worlds plays them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from damier.core.bits import Rng, lowest, random_unit, reseed
from damier.core.compile import Engine, instantiate
from damier.core.game import Game
from damier.core.player import Kernel, Player
from damier.core.rules import CHANCE, State, as_state, chance, mover, moves, over, payoff, play

Choose: TypeAlias = Callable[[State, Any, Rng], int]

LOSSES, DRAWS, WINS = 0, 1, 2  # of the first agent, while it sits at seat 1; 3 to 5 the same at seat 2
UNFINISHED, PLIES = 6, 7
TALLIES = 8


def choose_first(s: State, arrays: Any, rng: Rng) -> int:
    """The move of the first agent: bound to its kernel."""
    raise TypeError("choose_first is bound by run_games")


def choose_second(s: State, arrays: Any, rng: Rng) -> int:
    """The move of the second agent: bound to its kernel."""
    raise TypeError("choose_second is bound by run_games")


def draw_of_chance(s: State, legal: int, rng: Rng) -> int:
    """One of the legal moves, each with its weight."""
    total = 0.0
    todo = legal
    while todo:
        move = lowest(todo)
        todo ^= move
        total += chance(s, move)
    left = random_unit(rng) * total
    todo = legal
    move = lowest(todo)
    while todo:
        move = lowest(todo)
        todo ^= move
        left -= chance(s, move)
        if left < 0:
            return move
    return move


def run_games(
    start: Any, first: int, stop: int, seed: int, swap: bool, limit: int, arrays: Any, others: Any, rng: Any, tallies: Any, line: Any, ends: Any
) -> int:
    """Plays games number first to stop, `limit` plies at most, and counts their ends in `tallies`; returns where it stopped.

    With `swap`, the agents change seats every other game. Moves are written one game after the other to `line`, each game's end in there
    to `ends`; it stops early where `line` is full. An empty `ends` records nothing.
    """
    recorded = len(ends) > 0
    written = 0
    for number in range(first, stop):
        reseed(rng, seed, number)
        seat = number & 1 if swap else 0  # of the first agent
        s = as_state(start)
        plies = 0
        while plies < limit and not over(s):
            player = mover(s)
            if player == CHANCE:
                move = draw_of_chance(s, moves(s), rng)
            elif player == seat:
                move = choose_first(s, arrays, rng)
            else:
                move = choose_second(s, others, rng)
            if recorded:
                if written == len(line):
                    return number
                line[written] = move
                written += 1
            s = play(s, move)
            plies += 1
        tallies[PLIES] += plies
        if recorded:
            ends[number - first] = written
        if over(s):
            worth = payoff(s, seat)
            tallies[3 * seat + (WINS if worth > 0 else LOSSES if worth < 0 else DRAWS)] += 1
        else:
            tallies[3 * seat + DRAWS] += 1
            tallies[UNFINISHED] += 1
    return stop


@dataclass
class Played:
    """Some games: how they ended, and their moves if these were asked for."""

    tallies: list[int] = field(default_factory=lambda: [0] * TALLIES)
    lines: list[list[int]] = field(default_factory=list)

    def add(self, other: Played) -> None:
        self.tallies = [mine + theirs for mine, theirs in zip(self.tallies, other.tallies, strict=True)]
        self.lines += other.lines


@dataclass
class Table:
    """Two agents at a game, ready to play any of its games, plain or compiled.

    `seed` and `swap` as in `run_games`; `limit` the most plies of a game; `record` whether the moves are kept.
    """

    game: Game
    agents: tuple[Player, Player]
    seed: int
    swap: bool = False
    limit: int = 10_000
    record: bool = False

    @cached_property
    def kernels(self) -> tuple[Kernel, Kernel] | None:
        """How the agents play compiled, if both can."""
        first, second = (agent.kernel() for agent in self.agents)
        return (first, second) if first and second else None

    def play(self, first: int, stop: int, *, jit: bool) -> Played:
        """Games number first to stop. Raises Uncompilable."""
        if jit:
            import numpy as np

            assert self.kernels is not None
            one, two = self.kernels
            engine = instantiate(run_games, self.game, jit=True, bind={choose_first: one.choose, choose_second: two.choose})
            return self._run(engine, first, stop, (one.arrays, two.arrays), lambda n: np.zeros(n, np.int64), np.zeros(1, np.uint64))
        return self._run(self._pure_engine, first, stop, ((), ()), lambda n: [0] * n, [0])

    def _run(self, engine: Engine, first: int, stop: int, arrays: tuple[Any, Any], ints: Callable[[int], Any], rng: Any) -> Played:
        """Calls the engine until all games are played; where their moves do not fit, the game that was cut off starts again."""
        played, room = Played(), LINE if self.record else 0
        while first < stop:
            tallies, line, ends = ints(TALLIES), ints(room), ints(stop - first if self.record else 0)
            reached = engine(tuple(self.game.start), first, stop, self.seed, self.swap, self.limit, *arrays, rng, tallies, line, ends)
            cuts = [int(end) for end in ends[: reached - first]]
            lines = [[int(move) for move in line[begin:end]] for begin, end in zip([0, *cuts], cuts, strict=False)]
            played.add(Played([int(n) for n in tallies], lines))
            if reached == first:
                room *= 2  # one game alone is longer
            first = reached
        return played

    @cached_property
    def _pure_engine(self) -> Engine:
        """The loop in plain Python: made once, since making it costs as much as some twenty games."""
        first, second = (_chooser(agent, self.game) for agent in self.agents)
        return instantiate(run_games, self.game, jit=False, bind={choose_first: first, choose_second: second})


def _chooser(agent: Player, game: Game) -> Choose:
    return lambda s, arrays, rng: agent.choose(game, s, rng)


LINE = 1 << 16  # moves recorded in one call of the engine
