"""Two cores against one, on the clock: what `--jobs 2` gains where the results are the same."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.measure import Bar, Bench, Row, Sample, Skipped, agree, race
from damier import load
from damier.core.game import Game
from damier.core.job import Job, cores
from damier.core.player import RandomPlayer
from damier.search.mcts import mcts
from damier.solve import count, solve
from damier.solve.count import perft
from damier.solve.grade import grade

LARGE = "connect_four:width=5,height=5"
TREES, SIMULATIONS = 2, 2_000_000


def positions_solved(job: Job) -> object:
    solution = solve(load(LARGE), job=job)
    return len(solution), solution.score(solution.start)


def positions_counted(job: Job) -> object:
    return count(load(LARGE), job=job)


def lines_counted(job: Job) -> object:
    return perft(load("connect_four"), 10, job=job)


def graded(job: Job) -> object:
    random = RandomPlayer()
    return grade(load("connect_four:width=5,height=4"), random, random, job)


def trees_grown(job: Job) -> object:
    game: Game = load("connect_four")
    found = mcts(game, game.start, None, SIMULATIONS, job=job, trees=TREES)
    return found.best, found.visits, found.values


def two_against_one(name: str, work: Callable[[Job], object]) -> Row:
    """The row of some work by two cores and by one, in one process, after a run of each."""
    if cores() < 2:
        raise Skipped("this machine has one core")
    agree(name, *(work(Job(jit=True, jobs=jobs)) for jobs in (2, 1)))

    def on_the_clock(jobs: int) -> Sample:
        def sample() -> float:
            begun = time.perf_counter()
            work(Job(jit=True, jobs=jobs))
            return time.perf_counter() - begun

        return sample

    return race(name, "s", "one core", on_the_clock(2), on_the_clock(1), pairs=3, less=True, warm=False)


def solving(name: str) -> Row:
    """Seconds on the clock for value and distance of all positions of Connect Four 5×5, layer by
    layer, two cores against one.
    """
    return two_against_one(name, positions_solved)


def counting(name: str) -> Row:
    """Seconds on the clock for the count of these positions and their ends, two cores against one."""
    return two_against_one(name, positions_counted)


def perft_of_ten(name: str) -> Row:
    """Seconds on the clock for perft of Connect Four 7×6 from 1 to 10 plies, two cores against one."""
    return two_against_one(name, lines_counted)


def grading(name: str) -> Row:
    """Seconds on the clock for an exact grade on Connect Four 5×4, its 3 945 711 positions found and
    linked before, two cores against one.
    """
    return two_against_one(name, graded)


def growing(name: str) -> Row:
    """Seconds on the clock for a decision by Monte Carlo tree search with two trees, 2 000 000
    simulations of Connect Four, two cores against one.
    """
    return two_against_one(name, trees_grown)


BENCHES = (
    Bench("cores-solve", solving, Bar(1.7), long=True),
    Bench("cores-count", counting, Bar(1.7), long=True),
    Bench("cores-perft", perft_of_ten, Bar(1.9), long=True),
    Bench("cores-grade", grading, long=True),
    Bench("cores-mcts", growing, long=True),
)
