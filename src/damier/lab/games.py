"""Games by name or by file: every public function of `damier.games`, or of a user's file, that
returns a Game is a game of that name.
"""

from __future__ import annotations

import os
import pkgutil
from functools import cache
from importlib import import_module

import damier.draw  # teaches `Position` to draw itself
import damier.games
from damier.core.errors import BadGame
from damier.core.game import Game
from damier.core.words import _, message
from damier.lab import user_file
from damier.lab.factories import Factory, factories_in
from damier.lab.options import name_and_options, parameters, read_options, unknown


@cache
def game_factories() -> dict[str, Factory]:
    """The games that damier brings, by name: what makes each, its options as parameters."""
    found: dict[str, Factory] = {}
    for module in pkgutil.iter_modules(damier.games.__path__):
        found |= factories_in(import_module(f"damier.games.{module.name}"))
    return dict(sorted(found.items()))


def load(text: str) -> Game:
    """The game that is written `name`, `name:option=value,…` or
    `path/to/game.py[:function][:options]`.

    Raises UnknownName, BadInput (options), BadFile, or BadGame for a user's rules that break the
    contract of a game.

    >>> load("hexapawn:blocked=loss").text
    'hexapawn:width=3,height=3,blocked=loss'
    """
    if is_file(text):
        return user_file.load(text, build)
    return brought(text)


def brought(text: str) -> Game:
    """One of the games that damier brings, written `name` or `name:option=value,…`: never a file.

    Raises UnknownName, BadInput.
    """
    name, written = name_and_options(text)
    if name not in game_factories():
        raise unknown(_("game"), name, game_factories())
    return build(name, game_factories()[name], written)


def is_file(text: str) -> bool:
    """Whether a game is written as a user's file, which runs when it is loaded."""
    return ".py" in text.split("=")[0] or os.sep in text.split(":")[0]


def build(name: str, factory: Factory, written: str) -> Game:
    """The game that a factory makes with the options written in `written`."""
    options, known = read_options(name, written, factory), parameters(factory)
    game = factory(**{known[option].name: value for option, value in options.items()})
    if not isinstance(game, Game):
        raise BadGame(
            message("{name} returned {answer}; it must return a Game", name=name, answer=repr(game))
        )
    # None is not written
    chosen = {
        option: value for option, p in known.items() if (value := options.get(option, p.default)) is not None
    }
    game.options = game.options or chosen  # a game may have worked out its own
    return game
