"""damier: the laboratory for two-player games of perfect information."""

from damier import draw
from damier.core.bits import lowest, popcount, position_of
from damier.core.errors import BadGame, BadInput, DamierError, IllegalMove, LimitReached
from damier.core.game import Game
from damier.core.grid import Grid
from damier.core.job import Job
from damier.core.position import Position
from damier.core.rules import CHANCE, ONGOING
from damier.lab.games import load

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "ONGOING",
    "BadGame",
    "BadInput",
    "DamierError",
    "Game",
    "Grid",
    "IllegalMove",
    "Job",
    "LimitReached",
    "Position",
    "draw",
    "load",
    "lowest",
    "popcount",
    "position_of",
]
