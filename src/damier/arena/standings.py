"""The games of a tournament added up, and what they say about the agents: its table, with Elo ratings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from damier.arena.match import Z

Pair: TypeAlias = tuple[int, int]
"""Two entrants: their numbers, in the order of their names, the smaller one first."""
Vector: TypeAlias = NDArray[np.float64]
"""An array of numbers: one or two axes."""


class Tally(NamedTuple):
    """Games of a pair: how they ended for its first, and how many either lost by a fault."""

    pair: Pair
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults_first: int = 0
    faults_second: int = 0


class Results:
    """Everything that was played.

    wins[i, j]   how often entrant i beat j
    draws[i, j]  how often the two drew
    faults[i]    how many games i lost by a fault
    byes[i]      points for rounds in which i had nobody to meet
    """

    def __init__(self, entrants: int) -> None:
        self.wins = np.zeros((entrants, entrants))
        self.draws = np.zeros((entrants, entrants))
        self.faults = np.zeros(entrants, np.int64)
        self.byes = np.zeros(entrants)

    def add(self, tallies: Iterable[Tally]) -> None:
        """Counts some more games."""
        for tally in tallies:
            first, second = tally.pair
            self.wins[first, second] += tally.wins
            self.wins[second, first] += tally.losses
            self.draws[first, second] += tally.draws
            self.draws[second, first] += tally.draws
            self.faults[first] += tally.faults_first
            self.faults[second] += tally.faults_second

    @property
    def games(self) -> int:
        return int((self.wins + self.wins.T + self.draws).sum()) // 2

    @property
    def points(self) -> Vector:
        """Of each entrant: one for a win, a half for a draw."""
        return np.asarray(self.wins.sum(axis=1) + self.draws.sum(axis=1) / 2 + self.byes)


# The table of a tournament: what its results say about the agents.


class Standing(TypedDict):
    """A line of the table. `elo` is 0 for the mean of all; an interval without an end has null."""

    place: int
    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    score: float
    elo: float
    elo_interval: list[float | None]
    faults: int


def standings(names: list[str], results: Results) -> list[Standing]:
    """The table: by points, then strength, then name; equal points and strength share a place."""
    strengths = ratings(results.wins, results.draws)
    points = results.points
    found: list[Standing] = []
    for number, name in enumerate(names):
        wins, draws = int(results.wins[number].sum()), int(results.draws[number].sum())
        games = wins + draws + int(results.wins[:, number].sum())
        score = (wins + draws / 2) / games if games else 0.0
        elo, low, high = strengths[number]
        found.append(
            {
                "place": 0,
                "agent": name,
                "games": games,
                "wins": wins,
                "draws": draws,
                "losses": games - wins - draws,
                "points": float(points[number]),
                "score": score,
                "elo": round(elo, 1) + 0.0,  # no minus before a zero
                "elo_interval": [None if end is None else round(end, 1) + 0.0 for end in (low, high)],
                "faults": int(results.faults[number]),
            }
        )
    found.sort(key=lambda line: (-line["points"], -line["elo"], line["agent"]))
    for at, line in enumerate(found):
        before = found[at - 1] if at else None
        same = before and (before["points"], before["elo"]) == (line["points"], line["elo"])
        line["place"] = before["place"] if before and same else at + 1
    return found


# How strong agents are, by the model of Bradley and Terry (R. A. Bradley and M. E. Terry, "Rank
# analysis of incomplete block designs: the method of paired comparisons", Biometrika 39 (1952)
# [BradleyTerry52]) with draws as in R. R. Davidson, "On extending the Bradley-Terry model to
# accommodate ties in paired comparison experiments", Journal of the American Statistical Association 65
# (1970) [Davidson70].
#
# Where two meet whose strengths differ by d, and draws have the weight t, a win, a draw and a loss are
# as likely as exp(d/2) : exp(t) : exp(-d/2). Every agent is taken to have played one game more, against
# an agent of strength 0: a third of a win, of a draw and of a loss. So there is one most likely
# strength also for who wins everything.
#
# An interval holds the strengths, relative to the mean of all, that likelihood does not reject: twice
# the logarithm of its fall is below 3.84 = 1.96². The other strengths move along as they do near the
# estimate (the least favourable line, B. Efron, "Better bootstrap confidence intervals", Journal of the
# American Statistical Association 82 (1987) [Efron87]). It is not symmetric where it should not be; on
# the side of an agent that won, or lost, all its games it has no end, since nothing bounds it.
# docs/decisions/0046 has the coverage as measured.

ELO = 400 / np.log(10)
"""Points of Elo's scale in one unit of strength: 400 points are odds of ten to one."""
THIRD = 1 / 3


class Rating(NamedTuple):
    """In points of Elo, 0 the mean of all; an interval without an end has None there."""

    elo: float
    low: float | None
    high: float | None


class Model:
    """The likelihood of some results.

    wins[i, j] is how often i beat j, draws[i, j] how often they drew; parameters are the strengths,
    one an agent, and the weight of draws.
    """

    def __init__(self, wins: Vector, draws: Vector) -> None:
        n = len(wins)
        first, second = np.nonzero(np.triu(wins + wins.T + draws, 1))
        # a row a pair: the difference of two strengths; then a row an agent: its own strength
        pairs = np.eye(n)[first] - np.eye(n)[second]
        self.agents = n
        self.differences = np.concatenate([pairs, np.eye(n)])
        self.won = np.append(wins[first, second], np.full(n, THIRD))
        self.lost = np.append(wins[second, first], np.full(n, THIRD))
        self.drawn = np.append(draws[first, second], np.full(n, THIRD))
        self.games = self.won + self.lost + self.drawn

    def surprise(self, x: Vector) -> float:
        """The negative logarithm of the likelihood."""
        half, draw = self.differences @ x[:-1] / 2, x[-1]
        total = np.logaddexp(np.logaddexp(half, -half), draw)
        return float(np.sum(self.games * total - (self.won - self.lost) * half - self.drawn * draw))

    def chances(self, x: Vector) -> tuple[Vector, Vector, Vector]:
        """Of a win, a draw and a loss, a row each as in `differences`."""
        half, draw = self.differences @ x[:-1] / 2, x[-1]
        total = np.logaddexp(np.logaddexp(half, -half), draw)
        return np.exp(half - total), np.exp(draw - total), np.exp(-half - total)

    def gradient(self, x: Vector) -> Vector:
        win, draw, loss = self.chances(x)
        excess = (self.games * (win - loss) - (self.won - self.lost)) / 2
        return np.append(excess @ self.differences, np.sum(self.games * draw - self.drawn))

    def curvature(self, x: Vector) -> Vector:
        """The second derivatives: positive definite everywhere."""
        win, draw, loss = self.chances(x)
        mean = (win - loss) / 2
        spread = self.games * ((win + loss) / 4 - mean**2)
        found = np.empty((self.agents + 1, self.agents + 1))
        found[:-1, :-1] = (self.differences.T * spread) @ self.differences
        found[:-1, -1] = found[-1, :-1] = (-self.games * mean * draw) @ self.differences
        found[-1, -1] = np.sum(self.games * draw * (1 - draw))
        return found

    def estimate(self) -> Vector:
        """The most likely parameters."""
        from scipy.optimize import minimize  # takes long to import, and most only count games

        start = np.zeros(self.agents + 1)
        found = minimize(
            self.surprise, start, jac=self.gradient, hess=self.curvature, method="trust-exact", tol=1e-6
        )
        return np.asarray(found.x)

    def bound(self, x: Vector, line: Vector) -> float:
        """Return how far one may go from the estimate along a line, in units of it, until what happened is
        too unlikely.
        """
        from scipy.optimize import brentq  # as above

        least = self.surprise(x)

        def excess(step: float) -> float:
            return 2 * (self.surprise(x + step * line) - least) - Z**2

        far = 1.0
        while excess(far) < 0:
            far *= 2
        return float(brentq(excess, 0.0, far, xtol=1e-6))


def ratings(wins: Vector, draws: Vector) -> list[Rating]:
    """Every agent's strength, from how often it beat each other (wins[i, j]) and drew (draws[i, j])."""
    model = Model(wins, draws)
    n = model.agents
    x = model.estimate()
    contrasts = np.eye(n + 1)[:, :n] - np.append(np.full((n, n), 1 / n), np.zeros((1, n)), axis=0)
    lines = np.linalg.solve(model.curvature(x), contrasts)
    ceded = wins.sum(axis=0) + draws.sum(axis=0)
    gained = wins.sum(axis=1) + draws.sum(axis=1)
    found = []
    for agent in range(n):
        strength, line = float(contrasts[:, agent] @ x), lines[:, agent]
        variance = float(contrasts[:, agent] @ line)
        line = line / np.sqrt(variance)  # a step is a standard error
        unit = float(ELO * np.sqrt(variance))
        elo = float(ELO * strength)
        low = elo - unit * model.bound(x, -line) if gained[agent] else None
        high = elo + unit * model.bound(x, line) if ceded[agent] else None
        found.append(Rating(elo, low, high))
    return found
