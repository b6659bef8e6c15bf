"""Exact search by several threads over one table, by the clock on the wall: two cores have to be free."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from benchmarks.measure import Bar, Bench, Row, Sample, race
from benchmarks.searching import undecided
from damier import load
from damier.core.job import Job
from damier.search.exact import Exact, exact

HARD = "32164444"
TABLE = 1 << 30
WHOLE_TABLE = 8 << 30
ASKED, ASKED_OF_ALL = 60.0, 300.0


def wall(work: Callable[[], object]) -> Sample:
    """A sample: seconds on the clock."""

    def sample() -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    return sample


def hard(jobs: int) -> Exact:
    """One position, searched by so many threads."""
    game = load("connect_four")
    return exact(game, game.position().play(*HARD).state, Job(memory=TABLE, jit=True, jobs=jobs), moves=False)


def hard_position(name: str) -> Row:
    """Seconds on the clock for value and distance of one hard position of Connect Four 7×6 (32164444, 8
    plies), two threads with one table against one.
    """
    return race(name, "s", "one thread", wall(lambda: hard(2)), wall(lambda: hard(1)), less=True)


def hundred(jobs: int) -> list[int]:
    """The scores of a hundred positions, so many at a time."""
    game, job = load("connect_four"), Job(jit=True)
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda s: exact(game, s, job, moves=False).bounds.low, undecided()))


def hundred_positions(name: str) -> Row:
    """Seconds on the clock for value and distance of 100 positions of Connect Four 7×6 of 14 random plies,
    two at a time, each with a table of its own, against one at a time.
    """
    return race(name, "s", "one thread", wall(lambda: hundred(2)), wall(lambda: hundred(1)), less=True)


def start(*, moves: bool) -> Sample:
    """Seconds on the clock from the empty board, two threads."""
    game = load("connect_four")
    return wall(lambda: exact(game, game.start, Job(memory=WHOLE_TABLE, jit=True, jobs=2), moves=moves))


def empty_board(name: str) -> Row:
    """Seconds on the clock for value and distance of Connect Four 7×6 from the empty board: two threads,
    8 GiB, nothing computed before.
    """
    hard(2)  # compiled
    return race(name, "s", "asked", start(moves=False), lambda: ASKED, pairs=1, less=True, warm=False)


def first_moves(name: str) -> Row:
    """The same, and the exact score of each of the seven first moves."""
    hard(2)
    return race(name, "s", "asked", start(moves=True), lambda: ASKED_OF_ALL, pairs=1, less=True, warm=False)


BENCHES = (
    Bench("threads-hard-position", hard_position, Bar(1.6)),
    Bench("threads-hundred-positions", hundred_positions, Bar(1.85)),
    Bench("empty-board", empty_board, Bar(ASKED, of="ours", most=True), long=True),
    Bench("empty-board-moves", first_moves, Bar(ASKED_OF_ALL, of="ours", most=True), long=True),
)
