"""Two processes against one: seconds on the clock of whole jobs, in which the processes are started."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.measure import Bar, Bench, Row, Sample, Skipped, agree, build_folder, race
from benchmarks.own_agents import TEN_LINES
from damier import load
from damier.arena.match import match
from damier.core.job import Job, cores
from damier.core.loop import MatchSetup
from damier.lab.agents import Lab, agent
from damier.lab.match_ranges import hiring
from damier.plugins.studies.sweep import Sweep, SweepPlan, settings_of

JOBS = 2
GAMES = 400_000
DRAWS = "def play(position, rng):\n    return rng.choice(position.moves)\n"
TRAININGS = "q:alpha=0.1,0.3,0.5,0.9,epsilon=0.1..0.5..0.1"
SEEDS, TRAINING_GAMES = 10, 300


def timed(work: Callable[[], object], expected: list[object]) -> Sample:
    """Seconds on the clock; what comes of the work is the same every time."""

    def sample() -> float:
        begun = time.perf_counter()
        found = work()
        seconds = time.perf_counter() - begun
        expected[:] = expected or [found]
        agree("shared work", found, expected[0])
        return seconds

    return sample


def two_against_one(name: str, work: Callable[[int], object]) -> Row:
    if cores() < JOBS:
        raise Skipped("one core")
    expected: list[object] = []
    two, one = timed(lambda: work(JOBS), expected), timed(lambda: work(1), expected)
    return race(name, "s", "one core", two, one, pairs=3, less=True)


def match_jobs(name: str) -> Row:
    """400,000 games of tic-tac-toe between two agents in files of plain Python, by two processes against one:
    seconds on the clock.
    """
    texts = []
    for file, source in (("ten_lines.py", TEN_LINES), ("draws.py", DRAWS)):
        path = build_folder() / file
        path.write_text(source)
        texts.append(str(path))

    def play(jobs: int) -> object:
        lab = Lab(load("tictactoe"), Job(jobs=jobs))
        table = MatchSetup(lab.game, (agent(lab, texts[0]), agent(lab, texts[1])), 1, swap=1)
        score = match(table, GAMES, lab.job, hire=hiring(lab, table, texts))
        return score.wins, score.draws, score.losses, score.plies

    return two_against_one(name, play)


def sweep_jobs(name: str) -> Row:
    """A sweep of 200 trainings of Q-learning at tic-tac-toe, each of 300 games and graded exactly, by two
    processes against one: seconds on the clock.
    """
    plan = SweepPlan(tuple(settings_of([TRAININGS])), range(SEEDS), TRAINING_GAMES, max_plies=9)

    def train(jobs: int) -> object:
        sweep = Sweep(Lab(load("tictactoe"), Job(jobs=jobs)), plan)
        sweep.run()
        return [{**result, "points": [list(point) for point in result["points"]]} for result in sweep.results]

    return two_against_one(name, train)


BENCHES = (
    Bench("match-jobs", match_jobs, Bar(1.8)),
    Bench("sweep-jobs", sweep_jobs, Bar(1.8)),
)
