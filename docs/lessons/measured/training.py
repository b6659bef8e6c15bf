"""Learners trained over many seeds, and graded exactly.

The same seeds give the same numbers on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from damier.arena.match import wilson
from damier.core.grade import Block, Grade
from damier.core.job import Job
from damier.core.player import Policy
from damier.draw.curve import Point, RateInterval, Series
from damier.lab.agents import Lab, policy
from damier.lab.curves import mean_payoff
from damier.lab.games import load
from damier.lab.training import Plan, Trainer, trainer
from damier.learn.parameters import SeatName
from damier.learn.training import ungraded
from damier.solve.grade import Grader

SEEDS = range(20)


@cache
def lab(game: str) -> Lab:
    """One laboratory a game, so that what is compiled and solved serves all seeds."""
    return Lab(load(game))


@cache
def grader(game: str, against: str) -> Grader:
    """What grades policies of a game against one opponent."""
    return Grader(lab(game).game, policy(lab(game), against), Job())


def graded(game: str, player: Policy | str, against: str = "random") -> Grade:
    """The exact grade of a policy, or of the agent of that name."""
    return grader(game, against).grade(policy(lab(game), player) if isinstance(player, str) else player)


@cache
def trained(
    game: str, learner: str, games: int, seed: int, opponent: str | None = None, seat: SeatName | None = None
) -> Trainer:
    """A learner after so many games; opponent and seat are those of its preset unless given.

    Only read it: it is handed out again.
    """
    made = trainer(lab(game), Plan(learner, opponent, seat, seed))
    made.training.grade = ungraded
    made.training.run(games, Job(jit=True))
    return made


def curve(
    name: str,
    game: str,
    learner: str,
    games: int,
    opponent: str,
    seat: SeatName,
    against: str,
) -> Series:
    """The mean of the curves of many seeds, every block graded exactly against one opponent."""
    return Series(name, points(game, learner, games, opponent, seat, against), against)


@cache
def points(
    game: str, learner: str, games: int, opponent: str, seat: SeatName, against: str
) -> tuple[Point, ...]:
    """The points of such a curve: the same for a picture in any language."""
    curves = []
    for seed in SEEDS:
        made = trainer(lab(game), Plan(learner, opponent, seat, seed))
        made.training.grade = grader(game, against).grade
        made.training.run(games, Job(jit=True))
        curves.append(made.training.curve.blocks)
    found, done = [], 0
    for blocks in zip(*curves, strict=True):
        done += blocks[0].games
        found.append(mean_point(blocks, done, seat))
    return tuple(found)


def mean_point(blocks: Sequence[Block], games: int, seat: SeatName) -> Point:
    """The same block of many seeds as one point: their games together, their mean payoff."""
    played = sum(block.games for block in blocks)
    ends = (
        sum(block.wins for block in blocks),
        sum(block.draws for block in blocks),
        sum(block.losses for block in blocks),
    )
    win, draw, loss = (RateInterval(n / played, *wilson(n, played)) for n in ends)
    grades = [block.grade for block in blocks if block.grade is not None]
    payoff, ceiling = (
        mean([mean_payoff(pair, seat) for pair in pairs])
        for pairs in ([g.seats for g in grades], [g.best_against for g in grades])
    )
    return Point(games, (win, draw, loss), mean([block.epsilon for block in blocks]), payoff, ceiling)


def level(name: str, payoff: float, games: int, against: str) -> Series:
    """A player that does not learn, as a line to compare with."""
    nothing = RateInterval(0.0, 0.0, 0.0)
    return Series(
        name, tuple(Point(n, (nothing, nothing, nothing), payoff=payoff) for n in (1, games)), against
    )


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
