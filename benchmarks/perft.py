"""Perft: the raw speed of compiled rules, against C."""

from __future__ import annotations

from benchmarks.measure import Bar, Bench, Row, Sample, agree, compiled_c, race, rate, run_c
from damier import load
from damier.core.compile import instantiate
from damier.solve.count import start_leaves

DEPTH, PURE_DEPTH = 9, 5
TIMES = 8  # counts in one sample: one takes some 30 ms


def counter(jit: bool, depth: int, times: int = TIMES) -> tuple[int, Sample]:
    """Leaves of Connect Four 7×6 at a depth as damier counts them, and millions of them a second."""
    game = load("connect_four")
    count = instantiate(start_leaves, game, jit=jit)
    leaves = count(tuple(game.start), depth)
    return leaves, rate(lambda: sum(int(count(tuple(game.start), depth)) for _time in range(times)), per=1e6)


def in_c(leaves: int, *defines: str) -> Sample:
    """Millions of leaves a second of the C program."""
    program = compiled_c("perft", *defines)
    if not defines:
        agree("perft", leaves, run_c(program, DEPTH)["count"])
    return lambda: TIMES * leaves / 1e6 / float(run_c(program, DEPTH, TIMES)["seconds"])


def against_c(name: str) -> Row:
    """Connect Four 7×6 to depth 9, 39 394 572 leaves: generic compiled rules against our fastest C
    with the same counting, each leaf on its own.
    """
    leaves, ours = counter(True, DEPTH)
    return race(name, "M leaves/s", "C", ours, in_c(leaves), pairs=9)


def against_prototype(name: str) -> Row:
    """For orientation, not like for like: the same against the prototype's counting in C, which
    also looks for a win at every leaf; by leaf.
    """
    leaves, ours = counter(True, DEPTH)
    return race(name, "M leaves/s", "C, every node visited", ours, in_c(leaves, "NODES"))


def against_pure(name: str) -> Row:
    """The compiled engine to depth 9 against its pure twin to depth 5, by leaf."""
    _leaves, ours = counter(True, DEPTH)
    _leaves, pure = counter(False, PURE_DEPTH, times=1)
    return race(name, "M leaves/s", "pure twin", ours, pure, pairs=3)


BENCHES = (
    Bench("perft", against_c, Bar(0.85)),
    Bench("perft-nodes", against_prototype),
    Bench("perft-pure", against_pure),
)
