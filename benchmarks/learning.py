"""Learning: games a second through the loop of `damier train`, and exact grades.

What was learnt is graded after each measurement.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cache
from typing import Any

from benchmarks.measure import Bar, Bench, Row, Sample, cpu, peer, race
from damier import load
from damier.core.job import Job
from damier.core.player import RandomPlayer
from damier.lab.agents import Lab
from damier.lab.training import Plan, Trainer, trainer
from damier.learn.training import ungraded
from damier.solve.grade import Grader

#           row                game        learner              opponent   games       at least this share of
#                              the ceiling afterwards
TRAININGS = {
    "learn-q": ("tictactoe", "q:preset=one-step", "self", 2_000_000, 0.9),
    "learn-q-hexapawn": ("hexapawn", "q:preset=hexapion", "random", 1_000_000, 1.0),
    "learn-mean": ("tictactoe", "mean", "random", 1_000_000, 0.9),
    "learn-v": ("tictactoe", "v", "random", 1_000_000, 0.9),
    "learn-menace-random": ("tictactoe", "menace", "random", 500_000, 0.7),
    "learn-menace-perfect": ("tictactoe", "menace", "perfect", 500_000, 0.0),
}
PURE_GAMES = 2_000


def training(name: str, *, jit: bool) -> Trainer:
    """A new training of a row, its loop compiled."""
    game, learner, opponent, _games, _share = TRAININGS[name]
    made = trainer(Lab(load(game), Job(jit=jit)), Plan(learner, opponent))
    made.training.grade = ungraded
    if jit:
        made.training.table.tier.rises(Job(jit=True), 0.0)
    return made


def learning(name: str, games: int, *, jit: bool) -> Sample:
    """Millions of games a second of training from nothing; what comes of it is graded, outside the
    measurement.
    """

    def sample() -> float:
        made = training(name, jit=jit)
        begun = time.process_time()
        made.training.run(games, Job(jit=jit))
        seconds = time.process_time() - begun
        if jit:
            has_learnt(name, made)
        return games / 1e6 / seconds

    return sample


@cache
def grader(game: str) -> Grader:
    return Grader(load(game), RandomPlayer(), Job())


def has_learnt(name: str, made: Trainer) -> None:
    """Raises RuntimeError unless the learner comes near the ceiling against the random player
    (MENACE against perfect: unless it lives).
    """
    grade = grader(TRAININGS[name][0]).grade(made.learner)
    reached, ceiling, share = grade.seats[0].payoff, grade.best_against[0].payoff, TRAININGS[name][4]
    if reached < share * ceiling - 1e-9 and share > 0:
        raise RuntimeError(
            f"{name}: the learner is worth {reached:.3f} against random; the ceiling is {ceiling:.3f}"
        )


def against_pure(name: str) -> Row:
    """Millions of games a second of `damier train`'s loop from an empty table, against its pure
    twin.
    """
    return race(
        name,
        "M games/s",
        "pure twin",
        learning(name, TRAININGS[name][3], jit=True),
        learning(name, PURE_GAMES, jit=False),
    )


def q_against_pure(name: str) -> Row:
    """The same Q-learning in self-play, against its pure twin."""
    return race(
        name,
        "M games/s",
        "pure twin",
        learning("learn-q", TRAININGS["learn-q"][3], jit=True),
        learning("learn-q", PURE_GAMES, jit=False),
    )


def open_spiel(episodes: int) -> Sample:
    """Millions of episodes a second of OpenSpiel's tabular_qlearner, two of them, with the same
    step, discount and epsilon.
    """
    environment = peer("open_spiel.python.rl_environment")
    tabular = peer("open_spiel.python.algorithms.tabular_qlearner")

    def sample() -> float:
        world = environment.Environment("tic_tac_toe")
        moves = world.action_spec()["num_actions"]
        learners: Any = [
            tabular.QLearner(player_id=player, num_actions=moves, step_size=0.1, discount_factor=1.0)
            for player in (0, 1)
        ]
        begun = time.process_time()
        for _episode in range(episodes):
            step = world.reset()
            while not step.last():
                step = world.step([learners[step.observations["current_player"]].step(step).action])
            for learner in learners:
                learner.step(step)
        return episodes / 1e6 / (time.process_time() - begun)

    return sample


def q_against_open_spiel(name: str) -> Row:
    """One-step Q-learning in self-play on tic-tac-toe (alpha 0.1, epsilon 0.2) from an empty table,
    2 million games, against 10 000 of OpenSpiel's tabular_qlearner.
    """
    return race(
        name,
        "M games/s",
        "OpenSpiel tabular_qlearner",
        learning(name, TRAININGS[name][3], jit=True),
        open_spiel(10_000),
        pairs=5,
    )


def command(processes: int) -> Sample:
    """Seconds on the clock of so many `damier train` at once."""
    line = [
        sys.executable,
        "-m",
        "damier.cli.main",
        "train",
        "tictactoe",
        "q",
        "--opponent",
        "self",
        "--games",
        "8000000",
        "--json",
    ]

    def sample() -> float:
        begun = time.perf_counter()
        started = [
            subprocess.Popen([*line, "--seed", str(seed)], stdout=subprocess.DEVNULL)
            for seed in range(processes)
        ]
        if any(process.wait() for process in started):
            raise RuntimeError("damier train failed")
        return time.perf_counter() - begun

    return sample


def two_jobs(name: str) -> Row:
    """Two `damier train` at once on two cores against one: trainings by second on the clock."""
    if (os.cpu_count() or 1) < 2:
        raise RuntimeError("one core only")
    two, one = command(2), command(1)
    return race(name, "trainings/s", "one", lambda: 2 / two(), lambda: 1 / one(), pairs=3)


def grading(game: str, *, jit: bool) -> Sample:
    """Milliseconds of CPU time of one exact grade of a learner, positions known."""
    made = trainer(Lab(load(game), Job(jit=jit)), Plan("q", "random"))
    made.training.grade = ungraded
    made.training.run(20_000 if jit else 500, Job(jit=jit))
    known = Grader(load(game), RandomPlayer(), Job(jit=jit))
    return cpu(lambda: known.grade(made.learner), per=1e-3)


def grades(name: str) -> Row:
    """One exact grade of a learner's policy against the random player, as after each block of a
    training, against plain Python.
    """
    game = name.removeprefix("grade-")
    return race(name, "ms", "pure twin", grading(game, jit=True), grading(game, jit=False), less=True)


BENCHES = (
    Bench("learn-q", q_against_open_spiel, Bar(1000)),
    Bench("learn-q-pure", q_against_pure, Bar(100)),
    Bench("learn-q-hexapawn", against_pure, Bar(1, of="ours")),
    Bench("learn-mean", against_pure, Bar(1, of="ours")),
    Bench("learn-v", against_pure, Bar(1, of="ours")),
    Bench("learn-menace-random", against_pure, Bar(0.3, of="ours")),
    Bench("learn-menace-perfect", against_pure, Bar(0.3, of="ours")),
    Bench("learn-two-jobs", two_jobs, Bar(1.8)),
    Bench("grade-tictactoe", grades, Bar(5, of="ours", most=True)),
    Bench("grade-octapawn", grades, Bar(100, of="ours", most=True)),
)
