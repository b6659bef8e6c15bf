"""Endgame tables in the cache: where they are, who builds them, what is made of those that are no good."""

from __future__ import annotations

import json
import os
import shutil
import time
from itertools import product
from pathlib import Path

import pytest
from commands import Captured, beginning
from lasting import shortly
from ring import text_of_ring

from damier import load
from damier.core.game import Game, read_position
from damier.core.job import Job, take_notes_of_process
from damier.core.rules import State
from damier.lab.large import INDEX, SCORES, TablesAnswer, ask_tables
from damier.lab.solving import SWITCH
from damier.plugins.large import cached_tables
from damier.plugins.large.cached_tables import kept_folder, made_folder
from damier.plugins.large.endgame_tables import build, open_tables

KINGS = "B:WK22:BK18"
"""Two kings: tables with two pieces take plain Python a moment."""

call, data = beginning()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    monkeypatch.setattr(cached_tables, "copies_at_work", {})
    monkeypatch.setattr(cached_tables, "tried_in_vain", {})


@pytest.fixture
def game() -> Game:
    return load("draughts")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of draughts with two pieces."""
    folder = tmp_path_factory.mktemp("two")
    build(load("draughts"), 2, folder, Job(jit=False))
    return folder


@pytest.fixture
def kings(game: Game) -> State:
    return read_position(game, KINGS).state


def asked_until_it_ends(game: Game, s: State) -> TablesAnswer:
    """What is known when nothing is being built any more."""
    ask_tables(game, s, begin=True)
    while cached_tables.is_being_built(kept_folder(game)):
        time.sleep(cached_tables.LOOK)
    return ask_tables(game, s)


def test_small_tables_are_built_for_who_asks_and_kept(game: Game, kings: State) -> None:
    assert ask_tables(game, kings) == TablesAnswer()
    assert not kept_folder(game).exists(), "who only looks builds nothing"
    found = asked_until_it_ends(game, kings)
    assert found.solution is not None
    assert found.solution.value(kings) == "win"
    assert found.solution.distance(kings) == 1
    assert open_tables(kept_folder(game), game).pieces == 2
    assert ask_tables(game, kings).solution == found.solution


def test_the_command_keeps_its_tables_there_unless_it_is_told_otherwise(
    capsys: Captured, game: Game, kings: State
) -> None:
    made = data(capsys, "tables", "draughts", "--pieces", "2", "--pure")
    assert Path(made["folder"]) == kept_folder(game)
    assert ask_tables(game, kings).solution is not None
    assert data(capsys, "show", made["folder"])["positions"] == made["positions"]


def test_nothing_is_asked_nor_built_where_it_is_switched_off(
    game: Game, kings: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "off")
    assert ask_tables(game, kings, begin=True) == TablesAnswer()
    assert not kept_folder(game).exists()


def test_one_process_builds_at_a_time(game: Game, kings: State, monkeypatch: pytest.MonkeyPatch) -> None:
    made_folder(game)
    with cached_tables.building_alone(kept_folder(game).parent):
        found = ask_tables(game, kings, begin=True)
        assert found.building
        assert not found.solution
        assert not cached_tables.copies_at_work
    assert asked_until_it_ends(game, kings).solution is not None


def test_what_came_to_nothing_is_not_tried_again_at_once(
    game: Game, kings: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[float] = []
    monkeypatch.setattr(cached_tables, "build_alone", lambda *_of: begun.append(time.monotonic()))
    monkeypatch.setattr(cached_tables, "copied", lambda work: work())
    monkeypatch.setattr(cached_tables, "limit_time", lambda _seconds: None)  # the copy would be this process
    for _time in range(3):
        assert ask_tables(game, kings, begin=True) == TablesAnswer()
    assert len(begun) <= 2, "in the copy, and where there can be none here"


def test_a_build_that_takes_too_much_is_ended(
    game: Game, kings: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_of: object) -> None:
        while True:
            pass

    monkeypatch.setattr(cached_tables, "BUILDING", 1)
    monkeypatch.setattr(cached_tables, "build_alone", endless)
    assert asked_until_it_ends(game, kings) == TablesAnswer()


@pytest.mark.parametrize(
    ("damage", "name"),
    shortly(
        product(("cut", "changed", "foreign"), (INDEX, SCORES)),
        ("cut", INDEX),
        ("changed", SCORES),
        ("foreign", INDEX),
    ),
)
def test_damaged_tables_are_said_to_be_damaged(
    game: Game, two: Path, kings: State, name: str, damage: str
) -> None:
    folder = made_folder(game)
    shutil.copytree(two, folder)
    assert ask_tables(game, kings).solution is not None
    path = folder / name
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[: len(content) // 3])
    elif damage == "changed":
        path.write_bytes(bytes(byte ^ 1 for byte in content))
    elif name == INDEX:
        path.write_text(json.dumps(json.loads(content) | {"rules": "others"}), encoding="utf-8")
    else:
        path.unlink()
        path.mkdir()
    os.utime(folder / INDEX, ns=(1, 1))
    found = ask_tables(game, kings, begin=True)
    assert found.solution is None
    assert "damaged" in found.why
    assert str(folder) not in found.why


def test_of_larger_tables_it_says_what_makes_them() -> None:
    chess = load("chess")
    found = ask_tables(chess, read_position(chess, "8/8/8/4k3/8/8/5b2/KQ6 w - - 0 1").state, begin=True)
    assert "damier tables chess --pieces 4" in found.why
    assert not kept_folder(chess).exists()


def test_a_game_of_somebodys_own_has_its_folder_but_no_tables_on_pages(tmp_path: Path) -> None:
    path = tmp_path / "ring.py"
    path.write_text(text_of_ring(), encoding="utf-8")
    ring = load(str(path))
    build(ring, 4, made_folder(ring), Job(jit=False))
    assert ask_tables(ring, ring.start, begin=True) == TablesAnswer()


def test_tables_that_others_could_have_written_are_not_read(game: Game, two: Path, kings: State) -> None:
    shutil.copytree(two, made_folder(game))
    assert ask_tables(game, kings).solution is not None
    kept_folder(game).chmod(0o777)
    assert ask_tables(game, kings) == TablesAnswer()
    assert any("endgame tables are not read from there" in note for note in take_notes_of_process())
