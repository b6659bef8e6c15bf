"""`--disk`: where memory does not suffice, the layers go to disk."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from commands import beginning
from lasting import long

from damier.core.errors import LimitReached
from damier.lab import solving
from damier.plugins.large import disk_layers as run

Captured = pytest.CaptureFixture[str]
BOARD = "connect_four:width=4,height=4"
LITTLE = ("--memory", "0.0045")
"""So little that the board is refused in memory."""


@pytest.fixture
def small_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that would fit beside the program goes to disk all the same."""
    monkeypatch.setattr(run, "require_room", lambda job: None)


solve, _data = beginning("solve")
count, _data = beginning("count")


def test_a_refusal_for_want_of_memory_names_the_disk(capsys: Captured, tmp_path: Path) -> None:
    for arguments in (("-o", str(tmp_path / "a.solution")), ("--method", "enumerate")):
        code, out, err = solve(capsys, BOARD, *LITTLE, *arguments)
        assert (code, out) == (3, "")
        assert "with --disk GIB its layers go to disk" in err
    code, _out, err = count(capsys, BOARD, *LITTLE)
    assert code == 3
    assert "--disk" in err


@pytest.mark.usefixtures("small_program")
def test_a_solution_is_written_by_way_of_the_disk(capsys: Captured, tmp_path: Path) -> None:
    here, there = tmp_path / "here.solution", tmp_path / "there.solution"
    code, out, err = solve(capsys, BOARD, *LITTLE, "--disk", "1", "-o", str(there), "--json")
    assert code == 0, err
    data = json.loads(out)
    assert (data["value"], data["positions"], data["method"]) == ("draw", 161_029, "disk")
    assert solve(capsys, BOARD, "--compiled", "-o", str(here))[0] == 0
    assert here.read_bytes() == there.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.solution", "there.solution"]


def test_what_did_not_fit_is_let_go_before_the_disk_begins(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Else it takes its memory until the end."""
    held: list[object] = []

    def refuse(*_asked: object) -> None:
        refusal = sys.exc_info()[1]
        assert isinstance(refusal, LimitReached)
        held.append(refusal.__traceback__)
        raise LimitReached("seen")

    monkeypatch.setattr(solving, "solution_on_disk", refuse)
    assert solve(capsys, BOARD, *LITTLE, "--disk", "1", "-o", str(tmp_path / "a.solution"))[0] == 3
    assert held == [None]


@pytest.mark.usefixtures("small_program")
def test_without_a_file_every_move_is_told_and_nothing_stays(capsys: Captured, tmp_path: Path) -> None:
    code, out, err = solve(capsys, BOARD, *LITTLE, "--disk", "1", "--folder", str(tmp_path / "layers"))
    assert code == 0, err
    assert "Player 1 to move: a draw with best play." in out
    assert "161,029 positions in" in out
    assert list(tmp_path.iterdir()) == []
    counted = json.loads(count(capsys, BOARD, *LITTLE, "--disk", "1", "--json")[1])
    assert counted["states"] == 161_029
    assert counted == json.loads(count(capsys, BOARD, "--json")[1])


def test_what_is_too_little_for_the_program_itself_says_what_suffices(
    capsys: Captured, tmp_path: Path
) -> None:
    """Rather than to take more than it may, or to crawl."""
    arguments = (BOARD, "--disk", "1", "-o", str(tmp_path / "a.solution"))
    code, out, err = solve(capsys, *arguments, *LITTLE)
    assert (code, out) == (3, "")
    least = re.search(r"damier itself takes .* GiB; --memory ([0-9.]+) is the least", err)
    assert least is not None, err
    code, _out, err = solve(capsys, *arguments, "--memory", least[1])
    assert code == 0, err


@long
@pytest.mark.usefixtures("small_program")
def test_what_stops_half_way_goes_on(capsys: Captured, tmp_path: Path) -> None:
    arguments = (BOARD, *LITTLE, "-o", str(tmp_path / "a.solution"))
    code, _out, err = solve(capsys, *arguments, "--disk", "0.0003")
    assert code == 3
    assert "the same command" in err
    assert (tmp_path / "a.solution.layers" / "layers.json").exists()
    assert solve(capsys, *arguments, "--disk", "1")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.solution"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--disk", "0"), "above 0"),
        (("--folder", "layers"), "give --disk with it"),
    ],
)
def test_options_that_cannot_be_meant(capsys: Captured, arguments: tuple[str, ...], said: str) -> None:
    code, _out, err = solve(capsys, BOARD, *arguments)
    assert code == 2
    assert said in err


def test_a_game_that_cannot_go_to_disk_says_so(capsys: Captured, tmp_path: Path) -> None:
    little = ("--memory", "0.001", "--disk", "1", "--folder", str(tmp_path / "a"), "--method", "enumerate")
    code, _out, err = solve(capsys, "chess", *little)
    assert code == 2
    assert "chess is none" in err
