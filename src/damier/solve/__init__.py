"""Exact answers: how many positions, how many games, the value and the distance of every position."""

from damier.solve.count import Counts, count, count_games, divide, perft
from damier.solve.dispatch import solve
from damier.solve.perfect import PerfectPlayer

__all__ = ["Counts", "PerfectPlayer", "count", "count_games", "divide", "perft", "solve"]
