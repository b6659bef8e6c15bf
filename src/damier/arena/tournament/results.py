"""The games of a tournament added up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from damier.arena.tournament.pairing import Pair

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
