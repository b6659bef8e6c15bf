"""Searches: simulations of Monte Carlo tree search against OpenSpiel's C++, alpha-beta against
OpenSpiel's Python over C++ states, exact search against C.
"""

from __future__ import annotations

from itertools import count

from benchmarks.measure import Bar, Bench, Row, Sample, agree, compiled_c, cpu, peer, race, rate, run_c
from damier import load
from damier.core.bits import random_bit, reseed
from damier.core.job import Job
from damier.core.rules import State
from damier.search.alphabeta import Options, Windows
from damier.search.exact import Prover, exact
from damier.search.mcts import mcts
from damier.search.minimax import INFINITY
from damier.search.proof_store import Bounds
from damier.search.running import ENDLESS, Run

SIMULATIONS = 10_000
PEER_SIMULATIONS = 2_000


def uct(simulations: int) -> Sample:
    """Thousands of simulations a second of one search of Connect Four from the start; every run has
    another seed.
    """
    game, seeds = load("connect_four"), count(1)
    job = Job(jit=True)

    def search() -> int:
        found = mcts(game, game.start, None, simulations, seed=next(seeds), job=job)
        return int(sum(found.visits.values())) + 1

    return rate(search, per=1e3)


def peer_uct(simulations: int) -> Sample:
    """The same of OpenSpiel's MCTSBot in C++: one random game a simulation, no solver."""
    spiel = peer("pyspiel")
    game = spiel.load_game("connect_four")
    evaluator = spiel.RandomRolloutEvaluator(1, 7)

    def search() -> int:
        bot = spiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 7, False)
        bot.mcts_search(game.new_initial_state())
        return simulations

    return rate(search, per=1e3)


def simulations(name: str) -> Row:
    """Connect Four 7×6 from the start, 10,000 simulations from an empty tree, against OpenSpiel's
    C++ `MCTSBot` (2,000, which it does at the same rate).
    """
    return race(
        name, "k simulations/s", "OpenSpiel C++ MCTSBot", uct(SIMULATIONS), peer_uct(PEER_SIMULATIONS)
    )


def root_value(*, jit: bool, times: int) -> Sample:
    """Milliseconds of one alpha-beta search of tic-tac-toe from the start: weak pruning, cells
    0..8, no table.
    """
    game = load("tictactoe")
    run = Run(game, jit, marking=False)
    windows = Windows(run, Options("weak"))

    def search() -> None:
        for _time in range(times):
            run.begin(ENDLESS)
            value = windows.value(game.start, 9, -INFINITY, INFINITY, weak=True)
            agree("alpha-beta", (value, run.nodes), (0, 18297))

    return cpu(search, per=1e-3 * times)


def peer_root_value() -> Sample:
    """Milliseconds of OpenSpiel's `alpha_beta_search`: Python over states in C++, the same order
    and the same weak pruning.
    """
    spiel, minimax = peer("pyspiel"), peer("open_spiel.python.algorithms.minimax")
    game = spiel.load_game("tic_tac_toe")

    def search() -> None:
        value, _action = minimax.alpha_beta_search(game)
        agree("alpha-beta", 0.0, value)

    return cpu(search, per=1e-3)


def pure(name: str) -> Row:
    """Tic-tac-toe, its worth by alpha-beta in plain Python, against OpenSpiel's
    `alpha_beta_search`: the same 18,297 nodes in the same order.
    """
    return race(
        name,
        "ms",
        "OpenSpiel alpha_beta_search",
        root_value(jit=False, times=1),
        peer_root_value(),
        less=True,
    )


def compiled(name: str) -> Row:
    """The same search compiled, against the same reference: milliseconds."""
    return race(
        name,
        "ms",
        "OpenSpiel alpha_beta_search",
        root_value(jit=True, times=20),
        peer_root_value(),
        less=True,
    )


SLOTS_BITS, POSITIONS, PLIES = 20, 100, 14


def undecided() -> list[State]:
    """Positions of Connect Four 7×6 after 14 random moves, each of the legal ones as likely: game i
    draws from stream i of seed 1; one that is over by then is left out, until there are 100.
    """
    game, rng, stream = load("connect_four"), [0], 0
    found: list[State] = []
    while len(found) < POSITIONS:
        reseed(rng, 1, stream)
        stream, s = stream + 1, game.start
        while not game.over(s) and game.ply(s) < PLIES:
            s = game.play(s, random_bit(rng, game.moves(s)))
        if not game.over(s):
            found.append(s)
    return found


def proven(states: list[State]) -> tuple[int, list[int], Sample]:
    """The nodes and the scores of these positions, with one table for all; and millions of nodes a
    CPU second.
    """
    game = load("connect_four")

    def prove() -> tuple[int, list[int]]:
        prover, found = Prover(game, True, 1 << SLOTS_BITS), [Bounds() for _s in states]
        prover.run.begin(ENDLESS)
        for s, bounds in zip(states, found, strict=True):
            prover.narrow(s, bounds)
        return prover.run.nodes, [bounds.low for bounds in found]

    nodes, scores = prove()
    return nodes, scores, rate(lambda: prove()[0], per=1e6)


def null_windows(name: str) -> Row:
    """Alpha-beta with null windows and a table of 16 MB over 100 positions of Connect Four 7×6 (14
    random plies, not over): the generic engine with the game's hooks against our C; both must come
    to the same nodes and scores.
    """
    states = undecided()
    nodes, scores, ours = proven(states)
    program, numbers = compiled_c("exact"), [number for s in states for number in s]
    in_c = run_c(program, SLOTS_BITS, *numbers)
    agree(name, (nodes, scores), (in_c["nodes"], in_c["scores"]))
    return race(
        name,
        "M nodes/s",
        "C",
        ours,
        lambda: nodes / 1e6 / float(run_c(program, SLOTS_BITS, *numbers)["seconds"]),
        pairs=9,
    )


def hundred_positions(name: str) -> Row:
    """CPU seconds for value and distance of the same 100 positions, once compiled: each by `exact`
    with a table of its own, against the C with one table for all.
    """
    game, job, states = load("connect_four"), Job(jit=True), undecided()
    program, numbers = compiled_c("exact"), [number for s in states for number in s]
    scores = [exact(game, s, job, moves=False).bounds.low for s in states]
    agree(name, scores, run_c(program, SLOTS_BITS, *numbers)["scores"])
    ours = cpu(lambda: [exact(game, s, job, moves=False) for s in states])
    return race(
        name, "s", "C", ours, lambda: float(run_c(program, SLOTS_BITS, *numbers)["seconds"]), less=True
    )


BENCHES = (
    Bench("uct", simulations, Bar(10)),
    Bench("alphabeta-pure", pure, Bar(1)),
    Bench("alphabeta-compiled", compiled, Bar(50)),
    Bench("null-windows", null_windows, Bar(0.8)),
    Bench("positions-of-14-plies", hundred_positions, Bar(3, of="ours", most=True)),
)
