"""The functions of a module that make games: found once, when it is loaded.

Nothing else in it can be called by its name.

A name from outside (an address, a question of a page, a file) is looked up among these and never
among the attributes of the module, where every import and every helper stands too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TypeAlias

from damier.core.errors import BadGame, BadInput
from damier.core.game import Game
from damier.core.words import message

Factory: TypeAlias = Callable[..., Game]


def factories_in(module: ModuleType) -> dict[str, Factory]:
    """The functions that a module itself defines and that say they return a Game, by their public
    names.
    """
    found: dict[str, Factory] = {}
    for name in vars(module):
        function = own_function(module, name)
        if function is not None and says_game(function) and not name.startswith("_"):
            found[name] = function
    return found


def games_in(module: ModuleType, stem: str) -> dict[str, Factory]:
    """All that may be asked for in the module of the file `stem`.py: its factories, and the Games
    that stand in it.

    A function that says nothing of what it returns is a game if it has the name of the file and no
    other says that it returns a Game: then the file can mean nothing else.
    """
    found = factories_in(module)
    undeclared = own_function(module, stem)
    if (
        not found
        and undeclared is not None
        and "return" not in undeclared.__annotations__
        and not stem.startswith("_")
    ):
        found[stem] = undeclared
    made = {
        name: game
        for name, game in vars(module).items()
        if isinstance(game, Game) and not name.startswith("_")
    }
    return found | {name: standing(game) for name, game in made.items()}


def chosen(module: ModuleType, path: str, stem: str, wanted: str) -> tuple[str, Factory]:
    """What makes the game `wanted` of the file at `path`; where none is named, the only one, or the
    one named as the file.

    Nothing is called. Raises BadInput for a name that is no game of the file, BadGame for a file
    without a game.
    """
    found = games_in(module, stem)
    name = wanted or stem
    if name in found:
        return name, found[name]
    function = own_function(module, name)
    if function is not None and "return" not in function.__annotations__ and not name.startswith("_"):
        raise BadGame(
            message(
                "{path}: {name} does not say what it returns; if it makes a game, write `def {name}(…) ->"
                " Game`",
                path=path,
                name=name,
            )
        )
    if wanted:
        raise BadInput(
            message(
                "{path} has no function {name}; it has: {names}",
                path=path,
                name=wanted,
                names=" ".join(found) or message("none"),
            )
        )
    factories = factories_in(module)
    if not factories:
        raise BadGame(
            message("{path} has no game; write a function `def {stem}() -> Game`", path=path, stem=stem)
        )
    if len(factories) > 1:
        raise BadInput(
            message(
                "{path} has several games: write {path}:NAME with one of {names}",
                path=path,
                names=" ".join(factories),
            )
        )
    return next(iter(factories.items()))


def own_function(module: ModuleType, name: str) -> FunctionType | None:
    """The function of that name, if the module's own code defines it; of a cached one, the function
    that is cached.

    What was imported has other globals; what was run from a text has the code of no file.
    `__module__`, `__wrapped__` and whatever else can be set by hand is not asked.
    """
    found = vars(module).get(name)
    if isinstance(found, functools._lru_cache_wrapper):
        found = found.__wrapped__
    if not isinstance(found, FunctionType) or found.__globals__ is not vars(module):
        return None
    return found if found.__code__.co_filename == module.__file__ else None


def says_game(function: FunctionType) -> bool:
    """Whether a function says that it returns a Game."""
    said = function.__annotations__.get("return")
    if not isinstance(said, str):
        return isinstance(said, type) and issubclass(said, Game)
    first, *rest = said.strip("'\" ").split(".")
    meant = function.__globals__.get(first)
    if meant is None:  # imported for the type checker only
        return [first, *rest] in (["Game"], ["damier", "Game"])
    for part in rest:
        meant = getattr(meant, part, None)
    return isinstance(meant, type) and issubclass(meant, Game)


def standing(game: Game) -> Factory:
    """A factory without options for a Game that was made when its file was loaded."""
    return lambda: game
