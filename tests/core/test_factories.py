"""What a file may be asked for: the games that it defines.

Nothing else in it is called, whoever asks, and whatever it is called.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from damier import BadGame, BadInput, load
from damier.core.errors import UnknownName

GAME = """
from __future__ import annotations
import functools, os, subprocess, typing
from functools import cache, partial, wraps
from subprocess import getoutput
from typing import NamedTuple
from damier import ONGOING, Game
import damier

class State(NamedTuple):
    left: int
    mover: int

def {name}(matches: int = 5){says}:
    return Game("x", State(matches, 0), lambda s: 1, lambda s, m: State(s.left - 1, 1 - s.mover),
                lambda s: ONGOING if s.left else 1, bits=(8, 1))

def touch(cmd: str = "x") -> str:
    open({mark!r}, "w").close()
    return cmd

"""


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """A file that is there once something was called that must not be."""
    return tmp_path / "called"


def write(mark: Path, more: str = "", name: str = "mine", says: str = " -> Game", file: str = "mine") -> str:
    path = mark.parent / f"{file}.py"
    path.write_text(GAME.format(name=name, says=says, mark=str(mark)) + more)
    return str(path)


TOUCH = "open({mark!r}, 'w').close()"

OTHERS = {
    "an import": ("", "getoutput:cmd=touch {mark}"),
    "a module": ("", "subprocess"),
    "something inside a module": ("", "os.system:command=touch {mark}"),
    "a helper that says it returns a text": ("", "touch:cmd=id"),
    "a helper that says nothing": ("def helper(cmd='x'):\n    return touch(cmd)\n", "helper:cmd=id"),
    "a helper given another name": ("other = touch\n", "other:cmd=id"),
    "an import given another name": ("game = getoutput\n", "game:cmd=touch {mark}"),
    "an import with options filled in": ("game = partial(getoutput, 'touch {mark}')\n", "game"),
    "an import that looks like one of the file's": (
        "game = wraps(mine)(partial(getoutput, 'touch {mark}'))\n",
        "game",
    ),
    "an import whose module is set by hand": (
        (
            "import shlex\ngame = shlex.join\ngame.__module__ = __name__\ngame.__annotations__ = {{'return':"
            " Game}}\n"
        ),
        "game",
    ),
    "a class": ("class Maker(Game):\n    def __init__(self):\n        touch()\n", "Maker"),
    "a class that is called as a function": (
        "class Maker:\n    def __call__(self) -> Game:\n        touch()\n",
        "Maker",
    ),
    "an object that can be called": (
        "class Maker:\n    def __call__(self) -> Game:\n        touch()\nmade = Maker()\n",
        "made",
    ),
    "a method": ("class Maker:\n    @staticmethod\n    def make() -> Game:\n        touch()\n", "Maker.make"),
    "a function with a name of its own use": ("def _make() -> Game:\n    touch()\n", "_make"),
    "a dunder": ("", "__loader__"),
    "a builtin": ("", "__builtins__"),
    "code run from a text": ("exec('def made() -> Game:\\n    touch()\\n')\n", "made"),
    "a lambda": ("made = lambda: touch()\n", "made"),
    "a function that returns something else": ("def made() -> 'State':\n    return touch()\n", "made"),
    "a function that says a Game of its own": (
        "class Other: ...\ndef made() -> Other:\n    touch()\n",
        "made",
    ),
    "nothing": ("", "nothing"),
    "an empty name with a dot": ("", "."),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_game_of_the_file_is_refused_and_not_called(kind: str, mark: Path) -> None:
    more, asked = (text.format(mark=mark) for text in OTHERS[kind])
    path = write(mark, more)
    with pytest.raises(BadInput) as refusal:
        load(f"{path}:{asked}")
    assert not mark.exists()
    assert str(refusal.value).isprintable()
    assert load(path).start.left == 5  # the game itself is there still


def test_an_import_from_a_file_beside_it_is_no_game_of_the_file(mark: Path) -> None:
    write(mark, name="beside", file="beside")
    path = write(mark, "from beside import beside, touch as away\n")
    for name in ("beside", "away"):
        with pytest.raises(BadInput):
            load(f"{path}:{name}")
    assert not mark.exists()


def test_an_import_named_as_the_file_is_no_game(mark: Path) -> None:
    path = mark.parent / "getoutput.py"
    path.write_text("from subprocess import getoutput\n")
    with pytest.raises(BadGame, match=r"def getoutput\(\) -> Game"):
        load(f"{path}:cmd=touch {mark}")
    assert not mark.exists()


@pytest.mark.parametrize("says", [" -> Game", " -> 'Game'", " -> damier.Game", ""])
def test_a_function_named_as_the_file_is_its_game_also_if_it_says_nothing(says: str, mark: Path) -> None:
    assert load(write(mark, says=says) + ":matches=3").start.left == 3


def test_a_function_that_says_nothing_is_no_game_beside_one_that_says_so(mark: Path) -> None:
    path = write(mark, "def tool(cmd='x'):\n    return touch(cmd)\n", name="game", file="tool")
    for text in (path, f"{path}:cmd=id", f"{path}:tool:cmd=id"):
        with pytest.raises(BadGame, match=r"def tool\(…\) -> Game"):
            load(text)
    assert not mark.exists()
    assert load(f"{path}:game").start.left == 5


def test_a_game_that_says_so_may_be_cached_and_decorated(mark: Path) -> None:
    more = """
def loud(f):
    @wraps(f)
    def louder(*arguments, **options):
        return f(*arguments, **options)
    return louder

@cache
def kept(matches: int = 4) -> Game:
    return mine(matches)

@loud
def said(matches: int = 6) -> Game:
    return mine(matches)

ready = mine(7)
"""
    path = write(mark, more)
    assert [load(f"{path}:{name}").start.left for name in ("kept", "said", "said:matches=2", "ready")] == [
        4,
        6,
        2,
        7,
    ]


def test_what_a_factory_returns_must_be_a_game(mark: Path) -> None:
    path = write(mark, "def liar() -> Game:\n    return 3\n")
    with pytest.raises(BadGame, match="must return a Game"):
        load(f"{path}:liar")


OPTIONS = """
def odd(
    first, /, *rest, kind: list = [], maker: typing.Callable = touch, both: int | str = 3, bare=None, **others
) -> Game:
    touch()
"""


@pytest.mark.parametrize(
    "option",
    [
        "first=1",
        "rest=1",
        "others=1",
        "kind=1",
        "maker=touch",
        "both=1",
        "bare=1",
        "__class__=1",
        "self=1",
        "no=1",
    ],
)
def test_only_options_that_can_be_written_are_given(option: str, mark: Path) -> None:
    path = write(mark, OPTIONS)
    with pytest.raises((BadInput, UnknownName)):
        load(f"{path}:odd:{option}")
    assert not mark.exists()


def test_the_refusal_lists_the_games_by_name(mark: Path) -> None:
    path = write(mark, "def other() -> Game:\n    return mine()\n\nready = mine(3)\n")
    with pytest.raises(BadInput, match="it has: mine other ready"):
        load(f"{path}:getoutput")
