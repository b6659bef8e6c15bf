"""A file of the user's own, and the game in it: a function that returns a Game. An agent of one's
own is in `damier.lab.agent_file`.

The file runs as any program of the user's would. What is wrong in it is told with its file and
line, and its rules are tried out in plain Python before anything else is done with them.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TypeAlias

from damier.agents.languages import language_of
from damier.core import runtime
from damier.core.checks import refuse_deferred, try_out
from damier.core.errors import BadFile, BadGame, BadInput, DamierError
from damier.core.game import Game
from damier.core.interruptible import from_outside, words_of
from damier.core.job import presses
from damier.core.moves import MOVES, listing, numbered
from damier.core.rules import CHANCE, State
from damier.core.words import N_, Message, message
from damier.lab.python_source import read_source

Factory: TypeAlias = Callable[..., Game]
NO_MOVES = N_("moves gives no move though the game is not over, or a move beyond those that there are")
NO_PLAYER = N_("mover gives a player that there is not")


def load(text: str, build: Callable[[str, Factory, str], Game]) -> Game:
    """The game written `path/to/game.py[:function][:options]`, made by `build(name, factory,
    options)` and tried out.

    Raises BadFile, BadGame, BadInput. What is no game of the file, or no option of that game, is
    refused before anything is called.
    """
    path_text, wanted, written = parts(text)
    path = Path(path_text)
    runtime.guard(path)
    with beside(path), blaming(path):
        name, factory = chosen(run(path), str(path), path.stem, wanted)
        refuse_deferred(factory, name, BadGame, path.name)
        game = build(f"{path.name}:{name}", factory, written)
        return adopted(game, path, f"{path_text}:{name}" if wanted else path_text)


def adopted(game: Game, path: Path, name: str) -> Game:
    """Return a game that somebody else has written, tried out and watched from here on; `name` is what
    it is called by. Raises BadGame.
    """
    if not isinstance(game, Game):
        return game  # `build` says so
    game.source, game.name = path.resolve(), name
    try_out(game)
    watch_moves(game)
    game.mover = checked_mover(game.mover, CHANCE if game.stochastic else 0, game.players)
    return game


def parts(text: str) -> tuple[str, str, str]:
    """Path, name and options of what is written `path/to/file.py[:name][:options]`, or with a file or folder
    in another language.

    >>> parts("race.py:width=3"), parts("race.py:short:width=3")
    (('race.py', '', 'width=3'), ('race.py', 'short', 'width=3'))

    Raises BadInput for a colon with nothing beside it.
    """
    path, found, rest = text.partition(".py:")
    if found:
        path += ".py"
    elif language_of(text.partition(":")[0]) is not None:
        path, found, rest = text.partition(":")
    if found and (rest.startswith(":") or not rest or rest.endswith(":")):
        raise BadInput(message("a colon with nothing beside it in {text}; leave it out", text=text))
    first, _colon, second = rest.partition(":")
    name, options = (first, second) if first and "=" not in first else ("", first or second)
    return path, name, options


def is_folder(text: str) -> bool:
    """Return whether an agent is written as a folder: `bob/`, `./bob:depth=2`."""
    head = text.partition(":")[0]
    return os.sep in head and os.path.isdir(head)


def watch_moves(game: Game) -> None:
    """Has the rule `moves` watched in every position: a few games tried out do not see them all."""
    given = game.given["moves"]
    if game.moves_are_listed:
        game.given["moves"] = listed = checked_list(given)
        game.moves = listing(listed)
    elif game.moves_are_bits:
        game.moves = checked_set(given, MOVES)
    else:
        game.given["moves"] = wide = checked_set(given, game.most_moves())
        game.moves = numbered(wide)


def checked_set(moves: Callable[[State], int], most: int) -> Callable[[State], int]:
    """A rule that answers a set of at most so many moves, watched."""

    def moves_checked(s: State) -> int:
        legal = moves(s)
        if legal <= 0 or legal >> most:
            raise ValueError(NO_MOVES)
        return legal

    return moves_checked


def checked_list(moves: Callable[[State, list[int]], None]) -> Callable[[State, list[int]], None]:
    """A rule that appends moves to a list, watched."""

    def moves_checked(s: State, found: list[int]) -> None:
        moves(s, found)
        for index in range(len(found)):
            if found[index] <= 0 or found[index] >> MOVES:
                raise ValueError(NO_MOVES)
        if len(found) == 0:
            raise ValueError(NO_MOVES)

    return moves_checked


def checked_mover(mover: Callable[[State], int], lowest: int, players: int) -> Callable[[State], int]:
    """The rule, watched in every position."""

    def mover_checked(s: State) -> int:
        player = mover(s)
        if player < lowest or player >= players:
            raise ValueError(NO_PLAYER)
        return player

    return mover_checked


@contextlib.contextmanager
def beside(path: Path) -> Iterator[None]:
    """Lets a file import the modules beside it, freshly read, and forgets these afterwards: two
    games may each have a `helper`.
    """
    folder = str(path.resolve().parent)
    before, wrote_bytecode = set(sys.modules), sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True  # bytecode would hide an edit within the same second
    try:
        yield
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = wrote_bytecode
        for name in set(sys.modules) - before:
            if os.path.dirname(getattr(sys.modules[name], "__file__", None) or "") == folder:
                del sys.modules[name]


@contextlib.contextmanager
def blaming(path: Path, kind: type[BadInput] = BadGame) -> Iterator[None]:
    """Turns whatever a file raises into an error of this kind that names the file and the line."""
    before = presses()
    try:
        yield
    except kind as error:
        raise (
            error
            if path.name in str(error)
            else kind(message("{path}: {error}", path=path.name, error=error))
        ) from error
    except (DamierError, BrokenPipeError):  # who reads what is printed has gone: no fault of the file
        raise
    except SyntaxError as error:
        raise kind(not_python(os.path.basename(error.filename or path), error)) from error
    except BaseException as error:
        if from_outside(error, before):
            raise
        frames = traceback.extract_tb(error.__traceback__)
        own, folder = str(path.resolve()), str(path.resolve().parent)
        frame = (
            [frame for frame in frames if os.path.abspath(frame.filename) == own]
            or [frame for frame in frames if os.path.dirname(os.path.abspath(frame.filename)) == folder]
            or frames
        )[-1]
        place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
        said = words_of(error)
        raise kind(
            message("{place}: {kind}: {error}", place=place, kind=type(error).__name__, error=said)
        ) from error


def not_python(file: str, error: SyntaxError) -> Message:
    """Return what is said of a file that Python cannot read."""
    line, said = error.lineno or 1, error.msg
    return message("{path}:{line}: Python cannot read this: {error}", path=file, line=line, error=said)


def run(path: Path) -> ModuleType:
    """The module in a user's file, or of a file or folder in another language.

    Raises BadFile if it cannot be read, or cannot be in Python; BadInput, AgentFault as
    `foreign.module_of` does.
    """
    if language_of(path) is not None:
        from damier.agents.foreign import module_of  # few files are such

        return module_of(path)
    if not path.is_file():
        raise BadFile(
            message(
                "{path} is not a file; give the path of a Python file with a game or an agent in it",
                path=path,
            )
        )
    module_name = f"damier_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path.resolve())
    if spec is None or spec.loader is None:
        raise BadFile(message("{path} is not a Python file; its name must end in .py", path=path))
    read_source(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # NamedTuples and annotations look their module up
    spec.loader.exec_module(module)
    return module


# The functions of a module that make games: found once, when it is loaded.
#
# Nothing else in it can be called by its name.
#
# A name from outside (an address, a question of a page, a file) is looked up among these and never
# among the attributes of the module, where every import and every helper stands too.


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
    """Return what makes the game `wanted` of the file at `path`; where none is named, the only one, or the
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
    """Return whether a function says that it returns a Game."""
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
