"""A file of the user's own, and the game in it: a function that returns a Game. An agent of one's
own is in `damier.lab.agent_file`.

The file runs as any program of the user's would. What is wrong in it is told with its file and
line, and its rules are tried out in plain Python before anything else is done with them.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import importlib.util
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TypeAlias

from damier.core import runtime
from damier.core.errors import BadFile, BadGame, BadInput, DamierError
from damier.core.files import read_bytes
from damier.core.game import Game
from damier.core.job import exception_in_words, from_outside, is_own_file, own_place, presses
from damier.core.moves import MOVES, listing, numbered
from damier.core.rules import CHANCE, State
from damier.core.words import N_, Message, Text, message

Factory: TypeAlias = Callable[..., Game]
NO_MOVES = N_("moves gives no move though the game is not over, or a move beyond those that there are")
NO_PLAYER = N_("mover gives a player that there is not")
KEYBOARD = N_(
    "{place}: it asks for something to be typed while the file is still being read; put what a file does by"
    ' itself under `if __name__ == "__main__":`'
)


def load(text: str, build: Callable[[str, Factory, str], Game]) -> Game:
    """The game written `path/to/game.py[:function][:options]`, made by `build(name, factory,
    options)` and tried out.

    Raises BadFile, BadGame, BadInput. What is no game of the file, or no option of that game, is
    refused before anything is called.
    """
    from damier.core.checks import refuse_deferred

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
    from damier.core.checks import try_out

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
    from damier.agents.languages import language_of  # many modules, for files alone

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
            if is_own_file(Path(getattr(sys.modules[name], "__file__", None) or ""), Path(folder)):
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
        place = own_place(error, path.resolve())
        place = place or f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
        reading = any(frame.name == "<module>" for frame in frames)
        if isinstance(error, EOFError) and reading:
            raise kind(message(KEYBOARD, place=place)) from error
        raise kind(message("{place}: {error}", place=place, error=exception_in_words(error))) from error


def not_python(file: str, error: SyntaxError) -> Message:
    """Return what is said of a file that Python cannot read."""
    line, why = error.lineno or 1, error.msg
    return message("{path}:{line}: Python cannot read this: {error}", path=file, line=line, error=why)


def run(path: Path) -> ModuleType:
    """The module in a user's file, or of a file or folder in another language.

    Raises BadFile if it cannot be read, or cannot be in Python; BadInput, AgentFault as
    `foreign.module_of` does.
    """
    from damier.agents.languages import language_of, module_of

    if language_of(path) is not None:
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
    if isinstance(found, functools._lru_cache_wrapper):  # noqa: SLF001  of the standard library
        found = found.__wrapped__
    if not isinstance(found, FunctionType) or found.__globals__ is not vars(module):
        return None
    return found if found.__code__.co_filename == module.__file__ else None


def says_game(function: FunctionType) -> bool:
    """Return whether a function says that it returns a Game."""
    annotation = function.__annotations__.get("return")
    if not isinstance(annotation, str):
        return isinstance(annotation, type) and issubclass(annotation, Game)
    first, *rest = annotation.strip("'\" ").split(".")
    meant = function.__globals__.get(first)
    if meant is None:  # imported for the type checker only
        return [first, *rest] in (["Game"], ["damier", "Game"])
    for part in rest:
        meant = getattr(meant, part, None)
    return isinstance(meant, type) and issubclass(meant, Game)


def standing(game: Game) -> Factory:
    """A factory without options for a Game that was made when its file was loaded."""
    return lambda: game


# The source of a program in Python that somebody else wrote: a student's file, or a user's own. What is
# handed in instead of one is known by its first bytes, so that people are told what it is, and what to do,
# rather than what Python says of it.
#
# A source is written in UTF-8. Where it says so itself (PEP 263) it may be in ASCII or Latin-1, as old files
# are; whatever else such a line names is refused before any codec sees a stranger's bytes.

LARGEST = 1 << 24

BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", N_("a picture (PNG)")),
    (b"\xff\xd8\xff", N_("a picture (JPEG)")),
    (b"GIF8", N_("a picture (GIF)")),
    (b"%PDF-", N_("a PDF document")),
    (b"PK\x03\x04", N_("an archive (ZIP), or a document of a word processor")),
    (b"{\\rtf", N_("a document of a word processor (RTF)")),
    (b"\x7fELF", N_("a compiled program")),
    (b"MZ\x90\x00", N_("a compiled program")),
)
"""How files begin that are no text of a program."""
ARCHIVES = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"PK\x05\x06", "ZIP"),  # with nothing in it
)
"""How archives begin, other than those from which a folder is taken."""
TAR, TAR_AT = b"ustar", 257
"""What stands in an archive of `tar`, and where."""
COMPILED = re.compile(rb".[\r\x0e]\r\n[\0-\3]\0\0\0", re.DOTALL)
"""How a file begins that Python has compiled, since 3.8: its magic number, a line's end,
four bytes of flags.
"""
MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
"""How files begin that an editor wrote in another encoding; the longer ones first."""
COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
NO_CODE = re.compile(rb"[ \t\f]*(?:#.*)?")
"""A first line after which the second may name the encoding."""
UTF_8 = "utf-8"
ENCODINGS = {
    UTF_8: ("utf-8", "utf8", "utf-8-sig"),
    "ascii": ("ascii", "us-ascii"),
    "latin-1": ("latin-1", "latin1", "iso-8859-1", "iso8859-1", "iso-latin-1"),
}
"""Those of a source, and what files call them."""
LONGEST_NAME = 40
PAGE = re.compile(rb"\s*<(?:!doctype|html|\?xml)", re.IGNORECASE)


def read_source(path: Path) -> str:
    """The text of a file in Python. Raises BadFile for what cannot be read, or cannot be in Python."""
    content = read_bytes(path, LARGEST)
    if why := why_no_python(content):
        raise BadFile(message("{file}: {why}", file=path.name, why=why))
    return content.removeprefix(codecs.BOM_UTF8).decode(encoding_of(content))


def why_no_python(content: bytes) -> Text:
    """Return why a file cannot be one in Python, in a sentence; nothing where it may be one."""
    if not content.strip():
        return message("the file is empty")
    if mark := next((name for beginning, name in MARKS if content.startswith(beginning)), ""):
        return message("the file is written in {encoding}; save it as UTF-8", encoding=mark)
    if archive := archive_of(content):
        return message(
            "the file is an archive ({kind}), no program in Python; unpack it, and choose the file that ends"
            " in .py",
            kind=archive,
        )
    if what := kind_of(content):
        return message(
            "the file is {what}, no program in Python; choose the file that ends in .py", what=message(what)
        )
    if is_notebook(content):
        return message(
            "the file is a notebook (Jupyter), no program in Python; export it as a file that ends in .py"
        )
    if b"\0" in content:
        return message("the file is no text, so no program in Python")
    return why_unreadable(content)


def kind_of(content: bytes) -> str:
    """Return what a file is that is no text of a program, to be translated; empty where it may be one."""
    found = next((what for beginning, what in BEGINNINGS if content.startswith(beginning)), "")
    if found:
        return found
    if COMPILED.match(content):
        return N_("a file that Python has compiled (.pyc)")
    if PAGE.match(content):
        return N_("a page of the web (HTML)")
    return ""


def archive_of(content: bytes) -> str:
    """Return of which kind an archive is from which no folder is taken; empty where a file is none."""
    if content.startswith(TAR, TAR_AT):
        return "tar"
    return next((kind for beginning, kind in ARCHIVES if content.startswith(beginning)), "")


def is_notebook(content: bytes) -> bool:
    if not content.lstrip().startswith(b"{") or b'"cells"' not in content:
        return False
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def why_unreadable(content: bytes) -> Text:
    """Return what is wrong with the encoding of a text: it names another than those of a source, or the first
    line that is not in the one that it names.
    """
    encoding = encoding_of(content)
    if not encoding:
        return message(
            "the file says that it is written in {encoding}; save it as UTF-8, and take the line out that"
            " says so",
            encoding=named_encoding(content),
        )
    try:
        content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return message(
            "the file is not written in {encoding} (line {line}); save it as UTF-8",
            encoding=encoding.upper(),
            line=line,
        )
    return ""


def encoding_of(content: bytes) -> str:
    """The encoding of a source, a key of ENCODINGS; empty where it names another, or begins as one in UTF-8
    and says that it is not.
    """
    name = re.sub("-(unix|dos|mac)$", "", named_encoding(content).lower().replace("_", "-"))  # after Emacs
    if content.startswith(codecs.BOM_UTF8):
        return UTF_8 if name.startswith(UTF_8) else ""  # as Python wants it, to which utf8 is another
    return next((encoding for encoding, names in ENCODINGS.items() if name in names), "")


def named_encoding(content: bytes) -> str:
    """The encoding that one of the first two lines of a source names, as it is written there; else UTF-8."""
    for line in content.removeprefix(codecs.BOM_UTF8).splitlines()[:2]:
        if found := COOKIE.match(line):
            return found[1].decode("ascii")[:LONGEST_NAME]
        if not NO_CODE.fullmatch(line):
            break
    return UTF_8
