"""Games by name, by options and by file."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import damier.games
import damier.plugins.more_games
from damier import BadGame, BadInput, Game, Position, load
from damier.core.errors import BadFile, UnknownName
from damier.lab.games import GAMES, MODULES
from damier.lab.user_file import Factory, factories_in

ONE = """
from typing import NamedTuple
from damier import ONGOING, Game
class State(NamedTuple):
    left: int
    mover: int
def {name}(matches: int = 5, kind: str = "a", fair: bool = True, share: float = 0.5) -> Game:
    play = lambda s, m: State(s.left - 1, 1 - s.mover)
    outcome = lambda s: ONGOING if s.left else 1
    return Game("x", State(matches, 0), lambda s: 1, play, outcome, bits=(8, 1))
"""


def write(folder: Path, file: str, *names: str, more: str = "") -> str:
    path = folder / file
    path.write_text("".join(ONE.format(name=name) for name in names) + more)
    return str(path)


def test_a_path_is_a_game(tmp_path: Path) -> None:
    text = write(tmp_path, "one.py", "one")
    assert load(Path(text)).text == load(text).text


def first_played(position: Position) -> Position:
    return position.play(position.moves[0])


def test_positions_go_to_other_processes_and_come_back(tmp_path: Path) -> None:
    texts = ["hexapawn:blocked=loss", "chess", write(tmp_path, "one.py", "one")]
    positions = [load(text).position() for text in texts]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        played = pool.map(first_played, positions)
    assert played == [first_played(position) for position in positions]
    assert [position.plies for position in played] == [1, 1, 1]
    assert all(after.game is before.game for after, before in zip(played, positions, strict=True))
    assert copy.deepcopy(positions[0].game) is positions[0].game


def test_a_game_that_was_not_loaded_says_why_it_cannot_be_sent() -> None:
    game = factories_in(import_module("damier.games.nim"))["nim"]()
    with pytest.raises(
        TypeError, match=r"nim:.* cannot be sent to another process: only what damier\.load makes"
    ):
        pickle.dumps(game)


def test_the_table_of_games_has_what_the_modules_of_games_make() -> None:
    made: dict[str, Factory] = {}
    for room in (damier.games, damier.plugins.more_games):
        for module in pkgutil.iter_modules(room.__path__):
            made |= factories_in(import_module(f"{room.__name__}.{module.name}"))
    assert dict(GAMES) == dict(sorted(made.items()))
    assert list(MODULES) == sorted(MODULES)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("tictactoe", "tictactoe:misere=false"),
        ("mnk:width=4", "mnk:width=4,height=3,in_a_row=3,misere=false"),
        ("hexapawn:blocked=loss", "hexapawn:width=3,height=3,blocked=loss"),
        ("nim:heaps=1-2", "nim:heaps=1-2,take=0,misere=true"),
        ("nim:misere=FALSE", "nim:matches=16,take=3,misere=false"),
        ("nim:matches=+7", "nim:matches=7,take=3,misere=true"),
    ],
)
def test_a_game_says_how_it_is_written(text: str, written: str) -> None:
    assert load(text).text == written


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tictacto", "did you mean tictactoe"),
        ("hexapwn", "did you mean hexapawn"),
        ("hexapawn ", "no game is called 'hexapawn '; did you mean hexapawn"),
        ("conect_four", "did you mean connect_four"),
        ("checkers", "nim"),
        ("", "is called '';"),
        ("\x1b[2J", "nim"),
    ],
)
def test_an_unknown_game_is_refused_with_a_near_one_and_all_there_are(text: str, words: str) -> None:
    with pytest.raises(UnknownName, match=words) as refusal:
        load(text)
    assert str(refusal.value).isprintable()
    assert "hexapawn" in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hexapawn:blokced=loss", r"has no option blokced; did you mean blocked\? Its options: width=3,"),
        ("mnk:widht=4", "no option widht.*width"),
        ("mnk:width=4, height=4", "no option ' height'; did you mean height"),
        ("mnk:width", "no value"),
        ("mnk:width=", "whole number"),
        ("mnk:width=3.5", "whole number"),
        ("mnk:width=four", "whole number"),
        ("mnk:width=+-3", "whole number"),
        ("mnk:width=--3", "whole number"),
        ("mnk:width=1e1", "whole number"),
        ("mnk:width=²", "whole number"),
        ("mnk:width=3,width=4", "twice"),
        ("tictactoe:misere=yes", "true or false"),
        ("tictactoe:misere=1", "true or false"),
        ("hexapawn:blocked=win", "draw loss"),
        ("mnk:width=99999999999999999999999", "whole number|cells"),
        ("mnk:=3", "no option"),
        ("mnk:width=\x1b[2J", "whole number"),
    ],
)
def test_a_bad_option_is_refused_with_what_would_be_right(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as refusal:
        load(text)
    assert str(refusal.value).isprintable()


def test_a_file_named_without_its_ending_is_told_how_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "one.py", "one")
    write(tmp_path, "nim.py", "nim")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName, match=r"the file one\.py is written one\.py:matches=3$"):
        load("one:matches=3")
    assert load("nim").source is None


def test_the_only_game_of_a_file_is_taken(tmp_path: Path) -> None:
    path = write(tmp_path, "file.py", "mine")
    game = load(path)
    assert isinstance(game, Game)
    assert game.source == Path(path).resolve()
    assert game.text.startswith(path)


def test_the_game_named_as_the_file_is_taken_among_several(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", "other", "mine")
    assert load(f"{path}:matches=4").start.left == 4


def test_a_game_of_several_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, "file.py", "one", "two")
    with pytest.raises(BadInput, match=r"several games.*one two"):
        load(path)
    assert load(f"{path}:two").position().moves == ("0",)
    assert load(f"{path}:two:matches=3").start.left == 3
    assert load(load(f"{path}:two:matches=3").text).start.left == 3


def test_options_of_a_user_s_game_are_typed(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", "mine")
    assert load(f"{path}:matches=7,fair=false,share=0.25,kind=b").options == {
        "matches": 7,
        "kind": "b",
        "fair": False,
        "share": 0.25,
    }
    with pytest.raises(BadInput, match="true or false"):
        load(f"{path}:fair=maybe")
    with pytest.raises(BadInput, match="a number"):
        load(f"{path}:share=nan")
    with pytest.raises(UnknownName, match="matches=5"):
        load(f"{path}:size=3")


@pytest.mark.parametrize("name", ["three", "State2", "ONGOING2", "__name__x"])
def test_a_function_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, "file.py", "one", "two")
    with pytest.raises(BadInput, match=f"no function {name}.*one two"):
        load(f"{path}:{name}")


def test_a_name_in_the_file_that_makes_no_game_is_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "file.py",
        "one",
        more="def number(n: int = 3):\n    return n\n\n\ndef two(n: int = 3) -> int:\n    return n\n",
    )
    with pytest.raises(BadGame, match="number does not say what it returns"):
        load(f"{path}:number")
    with pytest.raises(BadInput, match=r"no function two.*one"):
        load(f"{path}:two")


def test_a_game_object_in_a_file_is_taken(tmp_path: Path) -> None:
    path = write(tmp_path, "file.py", "_make", more="chosen = _make(3)\n")
    assert load(f"{path}:chosen").start.left == 3


def test_a_file_without_a_game_says_what_to_write(tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("x = 3\n")
    with pytest.raises(BadGame, match=r"def empty\(\) -> Game"):
        load(str(path))


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not a file"):
        load(str(tmp_path / "nothing.py"))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(BadFile, match="not a file"):
        load(str(tmp_path / "folder.py"))
    (tmp_path / "game.txt").write_text("")
    with pytest.raises(BadFile, match=r"\.py"):
        load(str(tmp_path / "game.txt"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def broken(:\n", r"file\.py:1: "),
        ("x = 1\n\ny = 1 // 0\n", r"file\.py:3: ZeroDivisionError"),
        ("import nothing_of_that_name\n", r"file\.py:1: ModuleNotFoundError"),
        ("import sys\nsys.exit(3)\n", r"file\.py:2: SystemExit: 3$"),
        ("assert 1 == 2\n", r"file\.py:1: AssertionError$"),
        ("from damier import load\nload('nothing')\n", "no game is called nothing"),
        ("\x00", r"file\.py"),
    ],
)
def test_a_file_that_fails_is_refused_with_its_line(source: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_text(source)
    with pytest.raises(BadInput, match=words) as refusal:
        load(str(path))
    assert str(refusal.value).isprintable()


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(b"\xff\xfe\x00garbage")
    with pytest.raises(BadInput, match=r"file\.py"):
        load(str(path))


def test_an_edited_file_is_read_again_in_the_same_process(tmp_path: Path) -> None:
    path = Path(write(tmp_path, "mine.py", "mine"))
    assert load(str(path)).start.left == 5
    path.write_text(path.read_text().replace("matches: int = 5", "matches: int = 6"))
    assert load(str(path)).start.left == 6


def test_a_fingerprint_tells_rules_apart_and_nothing_else() -> None:
    texts = [
        "tictactoe",
        "tictactoe:misere=true",
        "mnk:width=4",
        "hexapawn",
        "hexapawn:blocked=loss",
        "nim",
        "nim:misere=false",
        "connect_four",
    ]
    prints = [load(text).fingerprint() for text in texts]
    assert len(set(prints)) == len(texts)
    assert load("mnk").fingerprint() == load("tictactoe").fingerprint()
    assert load("tictactoe").fingerprint() == prints[0]


@pytest.mark.parametrize("end", [":", "::size=3", ":race:", ":race:,", ":race:matches=3,,"])
def test_a_colon_or_a_comma_with_nothing_beside_it_is_refused(tmp_path: Path, end: str) -> None:
    with pytest.raises(BadInput, match=r"nothing beside it in|missing beside a comma"):
        load(write(tmp_path, "race.py", "race") + end)
