"""Environments: steps of many games at once, against pgx; and of one game, against PettingZoo's own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.measure import Bar, Bench, Row, Sample, peer, race, rate
from benchmarks.zero import ONE_THREAD
from damier.interop.pettingzoo import env
from damier.interop.vector import VectorGames

GAMES, STEPS = 1024, 100
"""Games side by side, and steps of each sample."""
LONGEST = 300
"""Plies after which a game is broken off."""
IN_PGX = {
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four",
    "othello": "othello",
    "hex": "hex",
    "chess": "chess",
}
MOVES = 1500
"""Moves of a sample in PettingZoo's loop."""


def steps(game: str) -> Sample:
    """Millions of steps a CPU second, observations and masks copied; actions are drawn outside the clock."""
    games = VectorGames(game, GAMES, max_plies=LONGEST)
    games.reset()

    def sample() -> float:
        spent = 0.0
        for _step in range(STEPS):
            actions = games.random_actions()
            begun = time.process_time()
            games.step(actions)
            spent += time.process_time() - begun
        return GAMES * STEPS / spent / 1e6

    return sample


def pgx_steps(game: str) -> Sample:
    """The same of pgx, once compiled: on the CPU, with its own way to begin a game anew."""
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax, pgx, again = peer("jax"), peer("pgx"), peer("pgx.experimental")
    environment = pgx.make(IN_PGX[game])
    step = jax.jit(jax.vmap(again.auto_reset(environment.step, environment.init)))
    keys = jax.random.split(jax.random.PRNGKey(1), GAMES)
    draw = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e30), axis=-1))
    held = [jax.jit(jax.vmap(environment.init))(keys), jax.random.PRNGKey(0)]

    def sample() -> float:
        spent = 0.0
        for _step in range(STEPS // 5):
            held[1], key = jax.random.split(held[1])
            actions = draw(key, held[0].legal_action_mask).block_until_ready()
            begun = time.process_time()
            held[0] = step(held[0], actions, keys)
            held[0].observation.block_until_ready()
            held[0].legal_action_mask.block_until_ready()
            spent += time.process_time() - begun
        return GAMES * (STEPS // 5) / spent / 1e6

    return sample


def against_pgx(name: str) -> Row:
    """A step of 1,024 games at once, random legal actions, observation and mask written and copied for each,
    games that end begun anew: against pgx on the CPU, one core.
    """
    game, cores = name.removeprefix("environment-"), os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})  # with threads on several cores pgx takes twice as long
    try:
        return race(name, "M steps/s", "pgx", steps(game), pgx_steps(game), pairs=3)
    finally:
        os.sched_setaffinity(0, cores)


def chess(name: str) -> Row:
    """The same of chess, not alike: ours writes 13 planes and 4,168 actions, pgx 119 planes and 4,672."""
    return against_pgx(name)


def call(name: str) -> Row:
    """A call beside its games: the time of a step of one game of tic-tac-toe, less one 1,024th of that of
    1,024 games; each the least of seven samples.
    """

    def microseconds(size: int) -> float:
        games, found = VectorGames("tictactoe", size, max_plies=1), list[float]()
        games.reset()
        actions = games.random_actions()
        for _sample in range(7):
            begun = time.process_time()
            for _step in range(2000):
                games.step(actions)
            found.append((time.process_time() - begun) / 2000 * 1e6)
        return min(found)

    one, many = microseconds(1), microseconds(GAMES)
    return Row(name, "µs", one - many / GAMES, "1,024 games", many, many / one)


def played(make: Callable[[], Any]) -> Sample:
    """Moves a CPU second in PettingZoo's loop, random legal ones."""
    environment, rng = make(), np.random.default_rng(1)

    def work() -> int:
        moves = 0
        while moves < MOVES:
            environment.reset(seed=int(rng.integers(1 << 30)))
            for _agent in environment.agent_iter():
                seen, _reward, terminated, truncated, _info = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                legal = np.flatnonzero(seen["action_mask"])
                environment.step(int(legal[rng.integers(len(legal))]))
                moves += 1
        return moves

    return rate(work, per=1e3)


def against_pettingzoo(name: str) -> Row:
    """Moves of a random game in PettingZoo's loop, in its own environment with its wrappers and in ours."""
    import sys

    sys.modules.setdefault("pygame", ModuleType("pygame"))  # it draws only, and nothing is drawn
    game = name.removeprefix("pettingzoo-")
    module = peer(f"pettingzoo.classic.{game}_v3")
    return race(name, "k moves/s", "PettingZoo", played(lambda: env(game)), played(module.env), pairs=3)


BENCHES = (
    Bench("environment-tictactoe", against_pgx, Bar(10, "ours")),
    Bench("environment-connect_four", against_pgx, Bar(10, "ours")),
    Bench("environment-othello", against_pgx, Bar(5, "ours")),
    Bench("environment-hex", against_pgx, Bar(5)),
    Bench("environment-chess", chess, Bar(0.5, "ours")),
    Bench("environment-call", call, Bar(10, "ours", most=True)),
    Bench("pettingzoo-tictactoe", against_pettingzoo, Bar(1)),
    Bench("pettingzoo-connect_four", against_pettingzoo, Bar(1)),
)
