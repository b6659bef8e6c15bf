"""Pacman: alpha-beta of one decision in the maze of 20 × 11 cells with two ghosts, every ghost
minimising the score.
"""

from __future__ import annotations

from benchmarks.measure import Bar, Bench, Row, Sample, agree, cpu, race, rate
from damier import load
from damier.core.job import Job
from damier.lab.agents import Lab, searcher
from damier.search.running import SearchPlayer

ROUNDS, PURE_ROUNDS = 10, 6


def player(rounds: int, *, jit: bool) -> SearchPlayer:
    """Looks so many moves of everybody ahead, and takes the score for what a state is worth there."""
    return searcher(
        Lab(load("pacman:layout=maze"), Job(jit=jit)), f"alphabeta:rounds={rounds},evaluate=score,ties=first"
    )


def decision(rounds: int, *, jit: bool) -> Sample:
    """CPU milliseconds of one decision from the start."""
    found = player(rounds, jit=jit)
    # `choose` remembers what it has decided
    return cpu(lambda: found.decide(found.game.start, (), 0, False), per=1e-3)


def nodes(rounds: int, *, jit: bool) -> Sample:
    """Millions of states that the search looks at, by CPU second."""
    found = player(rounds, jit=jit)
    return rate(lambda: found.decide(found.game.start, (), 0, False).nodes, per=1e6)


def states(name: str) -> Row:
    """States that alpha-beta looks at by CPU second: compiled to 10 rounds, against the pure twin
    to 6.
    """
    return race(
        name, "M states/s", "pure twin", nodes(ROUNDS, jit=True), nodes(PURE_ROUNDS, jit=False), pairs=3
    )


def decide(name: str) -> Row:
    """One decision, so many rounds ahead, once compiled, against the pure twin, which must decide
    alike.
    """
    rounds = int(name.rpartition("-")[2])
    fast, slow = (player(rounds, jit=jit) for jit in (True, False))
    agree(name, *(found.analyse(found.game.start, 0).values for found in (fast, slow)))
    return race(name, "ms", "pure twin", decision(rounds, jit=True), decision(rounds, jit=False), less=True)


BENCHES = (
    Bench("pacman-states", states, Bar(1.0, "ours")),
    Bench("pacman-decision-2", decide, Bar(5.0, "ours", most=True)),
    Bench("pacman-decision-4", decide, Bar(1000.0, "ours", most=True)),
)
