"""`damier tables`, and what `solve` and `show` say of the folder it makes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from at_work import interrupted, one_object, started, wait_until
from commands import beginning
from ring import text_of_ring

from damier.core.errors import BadInput
from damier.core.job import Job
from damier.lab.agents import agent
from damier.lab.games import Lab, load
from damier.plugins.large.endgame_tables import build

Captured = pytest.CaptureFixture[str]

call, data = beginning()


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "ring.py"
    path.write_text(text_of_ring(), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of draughts with two pieces."""
    folder = tmp_path_factory.mktemp("two")
    build(load("draughts"), 2, folder, Job(jit=False))
    return folder


def test_tables_are_built_and_shown(capsys: Captured, game: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "tables")
    made = data(capsys, "tables", game, "--pieces", "3", "-o", folder, "--jobs", "1", "--pure")
    assert (made["solved"], [one["name"] for one in made["slices"]]) == (2, ["1-1", "2-1"])
    assert made["bytes"] == 2 * made["places"] == 2 * 2 * (1 << 14)
    code, out, err = call(capsys, "tables", game, "--pieces", "4", "-o", folder, "--pure")
    assert (code, err) == (0, "")
    assert "2-2" in out
    for path in (folder, f"{folder}/endgames.json"):
        shown = data(capsys, "show", path)
        assert shown["positions"] == sum(one["positions"] for one in shown["slices"])
        assert len(shown["slices"]) == 3
    assert "positions in 3 slices" in call(capsys, "show", folder)[1]


def test_solve_answers_from_tables(capsys: Captured, two: Path) -> None:
    won = ("solve", "draughts", "--position", "B:WK22:BK18", "--tables", str(two))
    found = data(capsys, *won)
    assert (found["value"], found["distance"], found["method"]) == ("win", 1, "endgame-tables")
    assert found["best_moves"] == found["fastest_moves"] == ["18x25"]
    code, out, err = call(capsys, *won)
    assert (code, err) == (0, "")
    assert "wins in 1 ply." in out
    assert "looked at in" in out


def test_what_cannot_be_is_one_line(capsys: Captured, two: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "none")
    for arguments, said in (
        (("tables", "tictactoe", "--pieces", "3", "-o", folder), "gives no slices of its endings"),
        (("tables", "draughts", "--pieces", "7", "-o", folder), "has slices with up to 6 pieces"),
        (("tables", "draughts", "--pieces", "x", "-o", folder), "must be a whole number"),
        (("tables", "draughts", "--pieces", "2", "-o", folder, "--jobs", "0"), "from 1 to 256"),
        (("tables", "draughts", "--pieces", "2", "-o", f"{folder}/a/b"), "cannot be written"),
        (("tables", "chess", "--pieces", "3", "-o", str(two)), "holds tables of draughts"),
        (("solve", "draughts", "--tables", str(two)), "no table holds B:W21"),
        (("solve", "draughts", "--tables", folder), "holds no endgame tables"),
        (("solve", "draughts", "--tables", str(two), "-o", "all.solution"), "give one of them"),
    ):
        code, out, err = call(capsys, *arguments)
        assert (code, out) == (2, ""), arguments
        assert said in err
        assert err.count("\n") == 1


def test_too_little_memory_is_said_before(capsys: Captured, tmp_path: Path) -> None:
    line = ("tables", "draughts", "--pieces", "5", "-o", str(tmp_path / "t"), "--memory", "0.01", "--json")
    code, out, err = call(capsys, *line)
    assert code == 3
    assert "the largest slices need" in err
    assert json.loads(out)["memory"] < json.loads(out)["bytes"]


def test_ctrl_c_leaves_what_can_be_gone_on_with(capsys: Captured, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    process = started("tables", "draughts", "--pieces", "4", "-o", str(folder), "--pure", "--json")
    wait_until((folder / "endgames.json").exists, process)
    out, err = interrupted(process)
    found = one_object(out)
    assert found["error"] == "interrupted"
    assert found["slices"] >= 1
    assert f"of 23 slices are in {folder}; the same command goes on from there" in err
    gone_on = data(capsys, "tables", "draughts", "--pieces", "2", "-o", str(folder), "--pure")
    assert len(gone_on["slices"]) >= 3


def test_a_search_ends_its_lines_in_tables(capsys: Captured, two: Path) -> None:
    """Three pieces: White takes one, and the table knows that the rest is won, and in how many plies."""
    position = ["--position", "W:WK18:B14,K32"]
    agent = f"selective:plies=3,tables={two}"
    found = data(capsys, "search", "draughts", agent, *position, "--pure")
    after = found["table_end"]
    solved = data(capsys, "solve", "draughts", "--tables", str(two), "--position", "B:WK9:BK32")
    assert (found["best_moves"], after["plies"]) == (["18x9"], 1)
    assert (after["value"], after["distance"]) == (solved["value"], solved["distance"])
    status, out, _err = call(capsys, "search", "draughts", agent, "--position", "W:WK9:BK32", "--pure")
    assert status == 0
    assert "from the table" in out


def test_a_lab_that_opens_no_files_opens_no_tables(two: Path) -> None:
    with pytest.raises(BadInput, match="opens no files"):
        agent(Lab(load("draughts"), loads_files=False), f"selective:plies=2,tables={two}")
