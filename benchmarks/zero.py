"""AlphaZero: simulations of the searches of self-play, against OpenSpiel's in Python and mctx with pgx."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import numpy as np

from benchmarks.measure import Bar, Bench, Row, Sample, peer, race, rate
from damier import load
from damier.core.bits import random_below, reseed
from damier.core.job import Job
from damier.core.rules import State
from damier.plugins.zero import encoding
from damier.plugins.zero.encoding import sizes_of
from damier.plugins.zero.lockstep import SearchSettings
from damier.plugins.zero.network import Perceptron
from damier.plugins.zero.self_play import Lockstep, ZeroEngines

POSITIONS, SIMULATIONS, PLIES = 128, 32, 8
"""Searches side by side, simulations of each, and the plies before them, fewer than that."""
HIDDEN, LAYERS, COLUMNS = 128, 2, 7
PEER_POSITIONS = 8
ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"


@cache
def lines() -> tuple[tuple[int, ...], ...]:
    """Columns that lead to some positions of Connect Four 7×6 that are not over."""
    game, found, rng = load("connect_four"), list[tuple[int, ...]](), [0]
    for number in count():
        reseed(rng, 5, number)
        s, line = game.start, list[int]()
        for _ply in range(number % PLIES):
            legal = game.legal(s)
            move = legal[random_below(rng, len(legal))]
            line.append(int(game.name_move(s, move)) - 1)
            s = game.play(s, move)
        if not game.over(s):
            found.append(tuple(line))
        if len(found) == POSITIONS:
            return tuple(found)
    raise AssertionError


def searches() -> Sample:
    """Thousands of simulations a second of searches in lockstep."""
    game, job = load("connect_four"), Job(jit=True)
    sizes = sizes_of(game)
    engines = ZeroEngines(game, sizes, job)
    network = Perceptron.new(encoding.input_count(game), HIDDEN, LAYERS, sizes.slots, 1)
    lockstep = Lockstep(engines, SearchSettings(SIMULATIONS, noise=0.25), POSITIONS)
    states: list[State] = []
    for line in lines():
        s = game.start
        for column in line:
            s = next(
                game.play(s, move) for move in game.legal(s) if game.name_move(s, move) == str(column + 1)
            )
        states.append(s)
    codes = engines.codes(states)

    def work() -> int:
        done = 0
        for _time in range(20):
            for number in lockstep.search(network, codes):
                done += int(lockstep.tree.visits[lockstep.root(number)])
        return done

    return rate(work, per=1e3)


def spiel_searches() -> Sample:
    """The same of OpenSpiel's MCTS in Python with an evaluator that asks the network of each position, as
    that of its AlphaZero does: of the same hidden layers, over what OpenSpiel shows of a position.
    """
    spiel, mcts = peer("pyspiel"), peer("open_spiel.python.algorithms.mcts")
    game = spiel.load_game("connect_four")
    network = Perceptron.new(game.observation_tensor_size(), HIDDEN, LAYERS, COLUMNS, 1)

    class NetworkEvaluator(mcts.Evaluator):  # type: ignore[misc, name-defined]
        """Prior and value of a position, kept for the second question as its AlphaZeroEvaluator does."""

        def __init__(self) -> None:
            self.known: dict[bytes, tuple[Any, float]] = {}

        def asked(self, state: Any) -> tuple[Any, float]:
            seen = np.array(state.observation_tensor(), np.float32)
            key = seen.tobytes()
            if key not in self.known:
                logits, values = network.evaluate(seen[None])
                legal = state.legal_actions()
                odds = np.exp(logits[0, legal] - logits[0, legal].max())
                self.known[key] = (list(zip(legal, odds / odds.sum(), strict=True)), float(values[0]))
            return self.known[key]

        def evaluate(self, state: Any) -> Any:
            value, mover = self.asked(state)[1], state.current_player()
            return np.array([value, -value] if mover == 0 else [-value, value])

        def prior(self, state: Any) -> Any:
            return self.asked(state)[0]

    states = []
    for line in lines()[:PEER_POSITIONS]:
        state = game.new_initial_state()
        for column in line:
            state.apply_action(column)
        states.append(state)

    def work() -> int:
        done = 0
        for state in states:
            bot = mcts.MCTSBot(
                game,
                1.5,
                SIMULATIONS,
                NetworkEvaluator(),
                solve=True,
                random_state=np.random.RandomState(1),
                child_selection_fn=mcts.SearchNode.puct_value,
                dirichlet_noise=(0.25, 1.0),
            )
            done += bot.mcts_search(state).explore_count
        return done

    return rate(work, per=1e3)


def mctx_searches() -> Sample:
    """The same of mctx and pgx in one batch, on the CPU: the same hidden layers, over what pgx shows of a
    position.
    """
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax, mctx, pgx = peer("jax"), peer("mctx"), peer("pgx")
    jnp, environment = jax.numpy, pgx.make("connect_four")
    seen = int(np.prod(environment.observation_shape))
    weights = [jnp.asarray(held) for held in Perceptron.new(seen, HIDDEN, LAYERS, COLUMNS, 1).weights]
    step, begin = jax.vmap(environment.step), jax.vmap(environment.init)

    def judged(state: Any) -> tuple[Any, Any]:
        h = state.observation.reshape(POSITIONS, -1).astype(jnp.float32)
        h = jax.nn.relu(h @ weights[0] + weights[1])
        for layer in range(2, len(weights) - 2, 2):
            h = h + jax.nn.relu(h @ weights[layer] + weights[layer + 1])
        answers = h @ weights[-2] + weights[-1]
        logits = jnp.where(state.legal_action_mask, answers[:, :-1], jnp.finfo(jnp.float32).min)
        return logits, jnp.tanh(answers[:, -1])

    def recurrent(_parameters: Any, _key: Any, action: Any, state: Any) -> tuple[Any, Any]:
        mover = state.current_player
        state = step(state, action)
        logits, value = judged(state)
        reward = state.rewards[jnp.arange(POSITIONS), mover]
        value = jnp.where(state.terminated, 0.0, value)
        discount = jnp.where(state.terminated, 0.0, -1.0)
        return (
            mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value),
            state,
        )

    @jax.jit  # type: ignore[untyped-decorator]
    def search(state: Any, key: Any) -> Any:
        logits, value = judged(state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        found = mctx.muzero_policy(
            None,
            key,
            root,
            recurrent,
            SIMULATIONS,
            invalid_actions=~state.legal_action_mask,
            dirichlet_fraction=0.25,
            dirichlet_alpha=1.0,
        )
        return found.search_tree.summary().visit_counts

    states = begin(jax.random.split(jax.random.PRNGKey(0), POSITIONS))
    once = jax.jit(step)
    for ply in range(PLIES):
        columns = np.array([line[ply] if ply < len(line) else 0 for line in lines()])
        goes_on = np.array([ply < len(line) for line in lines()])

        def chosen(new: Any, old: Any, goes_on: Any = goes_on) -> Any:
            return jnp.where(goes_on.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        states = jax.tree_util.tree_map(chosen, once(states, jnp.asarray(columns)), states)
    keys = count(1)

    def work() -> int:
        done = 0
        for _time in range(4):
            done += int(search(states, jax.random.PRNGKey(next(keys))).sum())
        return done

    return rate(work, per=1e3)


def raced(name: str, reference: str, theirs: Callable[[], Sample]) -> Row:
    """Our searches against those of a peer."""
    return race(name, "k simulations/s", reference, searches(), theirs())


def against_spiel(name: str) -> Row:
    """Searches of Connect Four 7×6, 32 simulations each with noise at the root, 128 positions side by side,
    by a network of two residual layers of 128 numbers in NumPy, against OpenSpiel's MCTS in Python, which
    asks the same network position by position; one thread each.
    """
    return raced(name, "OpenSpiel Python MCTS", spiel_searches)


def against_mctx(name: str) -> Row:
    """The same against mctx and pgx on the CPU, with the same network and batch, once compiled."""
    return raced(name, "mctx + pgx", mctx_searches)


BENCHES = (
    Bench("zero-simulations", against_spiel, Bar(20)),
    Bench("zero-simulations-mctx", against_mctx, Bar(1)),
)
