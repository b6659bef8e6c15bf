"""damier: the laboratory for two-player games of perfect information.

The names below are read when they are first asked for: a command is ready to answer Ctrl-C before
anything large is imported.
"""

from damier.core.display import Displayed
from damier.core.runtime import prefer_quick_sorts

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from damier import draw
    from damier.core.bits import bit, byteswap, highest, lowest, popcount, position_of, reversed_bits
    from damier.core.board import Grid, Hexagons, NumberBoard, NumberPlace, Points
    from damier.core.errors import BadGame, BadInput, DamierError, IllegalMove, LimitReached
    from damier.core.game import Game, Position
    from damier.core.hooks import Endgames, Slice
    from damier.core.job import Job
    from damier.core.keys import setter
    from damier.core.past import ago, length
    from damier.core.rules import CHANCE, ONGOING, Past, loss_in, win_in
    from damier.lab.games import load
    from damier.lab.pictures import in_words, picture, png

prefer_quick_sorts()

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "ONGOING",
    "BadGame",
    "BadInput",
    "DamierError",
    "Endgames",
    "Game",
    "Grid",
    "Hexagons",
    "IllegalMove",
    "Job",
    "LimitReached",
    "NumberBoard",
    "NumberPlace",
    "Past",
    "Points",
    "Position",
    "Slice",
    "ago",
    "bit",
    "byteswap",
    "draw",
    "highest",
    "in_words",
    "length",
    "load",
    "loss_in",
    "lowest",
    "picture",
    "png",
    "popcount",
    "position_of",
    "reversed_bits",
    "setter",
    "win_in",
]

_MODULES = {
    "core.bits": ("bit", "byteswap", "highest", "lowest", "popcount", "position_of", "reversed_bits"),
    "core.hooks": ("Endgames", "Slice"),
    "core.errors": ("BadGame", "BadInput", "DamierError", "IllegalMove", "LimitReached"),
    "core.game": ("Game", "Position"),
    "core.board": ("Grid", "Hexagons", "NumberBoard", "NumberPlace", "Points"),
    "core.job": ("Job",),
    "core.keys": ("setter",),
    "core.past": ("ago", "length"),
    "core.rules": ("CHANCE", "ONGOING", "Past", "loss_in", "win_in"),
    "lab.games": ("load",),
    "lab.pictures": ("in_words", "picture", "png"),
}


def __getattr__(name: str) -> object:
    """A public name, read from where it is defined."""
    home = next((module for module, names in _MODULES.items() if name in names), None)
    if home is None and name != "draw":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    drawing = import_module("damier.draw")  # teaches `Position` to draw itself
    found: object = drawing if home is None else getattr(import_module(f"damier.{home}"), name)
    globals()[name] = found
    return found


Displayed.represent = __getattr__


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
