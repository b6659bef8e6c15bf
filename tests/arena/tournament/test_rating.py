"""Strengths against a naive oracle, and their intervals against the truth they were drawn from."""

from __future__ import annotations

from itertools import combinations
from math import exp, log

import numpy as np
import pytest
from lasting import later
from numpy.typing import NDArray

from damier.arena.standings import ELO, Model, ratings

Table = NDArray[np.float64]


def drawn(strengths: Table, tie: float, games: int, random: np.random.Generator) -> tuple[Table, Table]:
    """Wins and draws of so many games of each pair."""
    n = len(strengths)
    wins, draws = np.zeros((n, n)), np.zeros((n, n))
    for i, j in combinations(range(n), 2):
        weights = np.exp([(strengths[i] - strengths[j]) / 2, tie, (strengths[j] - strengths[i]) / 2])
        wins[i, j], draws[i, j], wins[j, i] = random.multinomial(games, weights / weights.sum())
        draws[j, i] = draws[i, j]
    return wins, draws


def naive_surprise(x: list[float], wins: Table, draws: Table) -> float:
    """The same likelihood, game by game, as the docstring of the model says it."""

    def cost(difference: float, won: float, tied: float, lost: float) -> float:
        weights = [exp(difference / 2), exp(x[-1]), exp(-difference / 2)]
        return -sum(
            count * log(weight / sum(weights))
            for count, weight in zip((won, tied, lost), weights, strict=True)
        )

    strengths = x[:-1]
    found = sum(cost(strength, 1 / 3, 1 / 3, 1 / 3) for strength in strengths)
    for i, j in combinations(range(len(strengths)), 2):
        found += cost(strengths[i] - strengths[j], wins[i, j], draws[i, j], wins[j, i])
    return found


def naive_estimate(wins: Table, draws: Table) -> list[float]:
    """The least surprise by going up and down one parameter at a time."""
    x, step = [0.0] * (len(wins) + 1), 1.0
    best = naive_surprise(x, wins, draws)
    while step > 1e-6:
        before = best
        for place in range(len(x)):
            for change in (step, -step):
                tried = [*x]
                tried[place] += change
                if (cost := naive_surprise(tried, wins, draws)) < best:
                    x, best = tried, cost
        step = step if best < before else step / 2
    return x


@pytest.mark.parametrize("seed", [0, 1, later(2), later(3)])
def test_the_estimate_is_the_oracles(seed: int) -> None:
    random = np.random.default_rng(seed)
    wins, draws = drawn(random.normal(0, 1.5, 4), -0.5, 6, random)
    found, naive = Model(wins, draws).estimate(), naive_estimate(wins, draws)
    assert found == pytest.approx(naive, abs=1e-3)
    elo = ELO * (np.array(naive[:-1]) - np.mean(naive[:-1]))
    assert [rating.elo for rating in ratings(wins, draws)] == pytest.approx(elo, abs=0.5)


def test_the_curvature_is_that_of_the_surprise() -> None:
    random = np.random.default_rng(7)
    model = Model(*drawn(random.normal(0, 1, 3), 0.3, 9, random))
    x, h = random.normal(0, 0.5, 4), 1e-5
    for place in range(4):
        step = h * np.eye(4)[place]
        slope = (model.surprise(x + step) - model.surprise(x - step)) / (2 * h)
        assert model.gradient(x)[place] == pytest.approx(slope, rel=1e-5)
        bend = (model.gradient(x + step) - model.gradient(x - step)) / (2 * h)
        assert model.curvature(x)[place] == pytest.approx(bend, rel=1e-5, abs=1e-7)


def test_equal_results_are_equal_strengths_and_two_are_mirrored() -> None:
    wins = np.array([[0.0, 7.0], [3.0, 0.0]])
    one, other = ratings(wins, np.zeros((2, 2)))
    assert one.elo == pytest.approx(-other.elo)
    assert one.low == pytest.approx(-(other.high or 0), abs=1e-3)
    everybody = ratings(np.ones((5, 5)) - np.eye(5), np.zeros((5, 5)))
    assert all(rating.elo == pytest.approx(0, abs=1e-6) for rating in everybody)


def test_nothing_bounds_who_wins_or_loses_everything() -> None:
    best, middle, worst = ratings(np.array([[0.0, 9, 9], [0, 0, 9], [0, 0, 0]]), np.zeros((3, 3)))
    assert best.high is None
    assert worst.low is None
    assert best.low is not None
    assert worst.high is not None
    assert best.low > 0 > worst.high
    assert middle.low is not None
    assert middle.high is not None
    nobody = ratings(np.zeros((2, 2)), np.zeros((2, 2)))
    assert nobody[0] == (pytest.approx(0), None, None)


@pytest.mark.parametrize(
    ("agents", "spread", "tie", "games", "times"),
    [
        (4, 1.0, -0.5, 20, 60),
        later((2, 1.0, -1.0, 20, 1500)),
        later((5, 0.5, -1.0, 10, 600)),
        later((8, 3.0, -3.0, 20, 400)),  # many who win everything
        later((30, 1.5, 0.0, 40, 60)),
    ],
)
def test_95_intervals_of_100_hold_the_truth(
    agents: int, spread: float, tie: float, games: int, times: int
) -> None:
    random = np.random.default_rng(agents)
    held = []
    for _time in range(times):
        strengths = random.normal(0, spread, agents)
        truth = ELO * (strengths - strengths.mean())
        for rating, elo in zip(ratings(*drawn(strengths, tie, games, random)), truth, strict=True):
            held.append(
                (rating.low is None or rating.low <= elo) and (rating.high is None or elo <= rating.high)
            )
    band = 4 * (0.95 * 0.05 / len(held)) ** 0.5 + 0.01
    assert np.mean(held) == pytest.approx(0.95, abs=band)
