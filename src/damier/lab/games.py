"""Games by name or by file: every public function of `damier.games`, or of a user's file, that returns a Game is a game of that name."""

from __future__ import annotations

import importlib.util
import inspect
import os
import pkgutil
import sys
import traceback
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import damier.games
from damier.core.errors import BadFile, BadGame, BadInput, DamierError
from damier.core.game import Game
from damier.core.trial import try_out
from damier.core.words import _
from damier.lab.options import parameters, read_options, unknown

Factory: TypeAlias = Callable[..., Game]


@cache
def game_factories() -> dict[str, Factory]:
    """The games that damier brings, by name: what makes each, its options as parameters."""
    found: dict[str, Factory] = {}
    for module in pkgutil.iter_modules(damier.games.__path__):
        found |= factories_in(import_module(f"damier.games.{module.name}"))
    return dict(sorted(found.items()))


def factories_in(module: ModuleType) -> dict[str, Factory]:
    """The functions defined in a module that say they return a Game."""
    functions = inspect.getmembers(module, inspect.isfunction)
    own = [(name, f) for name, f in functions if f.__module__ == module.__name__ and not name.startswith("_")]
    return {name: f for name, f in own if f.__annotations__.get("return") in (Game, "Game", "damier.Game")}


def load(text: str) -> Game:
    """The game that is written `name`, `name:option=value,…` or `path/to/game.py[:function][:options]`.

    Raises UnknownName, BadInput (options), BadFile, or BadGame for a user's rules that break the contract of a game.

    >>> load("hexapawn:blocked=loss").text
    'hexapawn:width=3,height=3,blocked=loss'
    """
    if ".py" in text.split("=")[0] or os.sep in text.split(":")[0]:
        return _load_file(text)
    name, _colon, written = text.partition(":")
    if name not in game_factories():
        raise unknown(_("game"), name, game_factories())
    return build(name, game_factories()[name], written)


def build(name: str, factory: Factory, written: str) -> Game:
    """The game that a factory makes with the options written in `written`."""
    options = read_options(name, written, factory)
    game = factory(**options)
    chosen = {option: options.get(option, p.default) for option, p in parameters(factory).items()}
    game.options = game.options or chosen  # a game may have worked out its own
    return game


def _load_file(text: str) -> Game:
    path_text, rest = text, ""
    if ".py:" in text:
        path_text, rest = text.split(".py:", 1)
        path_text += ".py"
    first, _colon, second = rest.partition(":")
    wanted, written = (first, second) if first and "=" not in first else ("", first or second)
    path = Path(path_text)
    module = _run(path)
    name, factory = _choose(path, module, wanted)
    try:
        game = build(f"{path.name}:{name}", factory, written)
    except DamierError:
        raise
    except Exception as error:
        raise BadGame(_("{place}: {kind}: {error}", place=_place(error, path), kind=type(error).__name__, error=error)) from error
    if not isinstance(game, Game):
        raise BadGame(_("{path}: {name} returned {answer}; it must return a Game", path=path, name=name, answer=repr(game)))
    game.source = path.resolve()
    game.name = f"{path_text}:{name}" if wanted else path_text
    try_out(game)
    return game


def _run(path: Path) -> ModuleType:
    """The module in a user's file. Raises BadFile if it cannot be read, BadGame with file and line if it fails."""
    if not path.is_file():
        raise BadFile(_("{path} is not a file; give the path of a Python file with a game in it", path=path))
    module_name = f"damier_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    if spec is None or spec.loader is None:
        raise BadFile(_("{path} is not a Python file; its name must end in .py", path=path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # NamedTuples and annotations look their module up
    sys.path.insert(0, str(path.resolve().parent))  # helpers beside the game
    try:
        spec.loader.exec_module(module)
    except DamierError:
        raise
    except SyntaxError as error:
        raise BadGame(_("{path}:{line}: {error}", path=path.name, line=error.lineno, error=error.msg)) from error
    except (Exception, SystemExit) as error:
        raise BadGame(_("{place}: {kind}: {error}", place=_place(error, path), kind=type(error).__name__, error=error)) from error
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module


def _choose(path: Path, module: ModuleType, wanted: str) -> tuple[str, Factory]:
    """The function that makes the game: the one asked for, the only one, or the one named as the file."""
    found: dict[str, Any] = dict(factories_in(module))
    named = getattr(module, wanted or path.stem, None)
    if callable(named):
        found = {wanted or path.stem: named}
    elif isinstance(named, Game):
        found = {wanted or path.stem: lambda: named}
    elif wanted:
        raise BadInput(_("{path} has no function {name}; it has: {names}", path=path, name=wanted, names=" ".join(found) or _("none")))
    if len(found) != 1:
        if not found:
            raise BadGame(_("{path} has no game; write a function `def {stem}() -> Game`", path=path, stem=path.stem))
        raise BadInput(_("{path} has several games: write {path}:NAME with one of {names}", path=path, names=" ".join(found)))
    return next(iter(found.items()))


def _place(error: BaseException, path: Path) -> str:
    """Where in the user's file an error came from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if os.path.abspath(frame.filename) == str(path.resolve())]
    frame = (own or frames)[-1]
    return f"{os.path.basename(frame.filename)}:{frame.lineno}"
