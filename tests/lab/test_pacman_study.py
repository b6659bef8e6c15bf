"""Pacman's laboratory: the games of a cell are those that `damier play` shows, the numbers are counted
from them, and the picture says the numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from damier import load
from damier.arena.match import wilson
from damier.cli.main import build, run
from damier.core.job import Job
from damier.draw.tables import HeatCell, HeatPanel, heat_svg
from damier.lab.agents import Lab
from damier.lab.pacman_study import PacmanPlan, PacmanStudy, cells_of

Captured = pytest.CaptureFixture[str]
MAZE = "pacman:layout=crossing,ghosts=1"
FEW = ("study", "evaluation", MAZE, "--rounds", "1,2", "--games", "2")


def data(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code = run(build(), [*arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


def test_every_cell_is_counted_drawn_and_can_be_seen_again(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "pacman.svg"
    found = data(
        *(capsys, *FEW, "--jobs", "1", "--against", "random", "--against", "chase"),
        *("--evaluate", "score,none", "-o", str(path)),
    )
    assert [(row["ghosts"], row["evaluate"], row["depth"]) for row in found["rows"]] == [
        (ghosts, evaluate, depth)
        for ghosts in ("random", "chase")
        for evaluate in ("score", "none")
        for depth in (1, 2)
    ]
    described = str(ElementTree.parse(path).findtext("{http://www.w3.org/2000/svg}desc"))
    for row in found["rows"]:
        assert row["games"] == len(row["scores"]) == 2
        assert row["interval"] == list(wilson(row["wins"], 2))
        assert row["score"] == sum(row["scores"]) / 2
        assert f"{row['wins']} of 2 won" in described
    row = found["rows"][3]
    again = data(capsys, *row["replay"].split()[1:])
    assert again["payoffs"][0] == row["scores"][0] or not again["finished"]


def test_the_number_of_games_changes_none_of_them() -> None:
    lab = Lab(load(MAZE), Job(jit=False))
    few, many = (PacmanPlan(("chase",), ("score",), (1,), games=games, seed=4) for games in (2, 3))
    games = list(PacmanStudy(lab, many).games())
    assert list(PacmanStudy(lab, few).games()) == games[:2]
    (cell,) = cells_of(many, games[:2])
    assert len(cell.games) == 2
    assert PacmanStudy(lab, many).record(cell.setting, 1).payoffs[0] == games[1].score


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*FEW, "--plies", "2"), "give one of them"),
        ((*FEW[:3], "--rounds", "0"), "--rounds 0"),
        ((*FEW[:3], "--rounds", "1" * 5000), "--rounds 111"),
        ((*FEW, "--against", "human"), "human"),
        ((*FEW, "--against", "./ghost"), "./ghost"),
        ((*FEW, "--evaluate", "beauty"), "beauty"),
        (("study", "evaluation", "nim", "--against", "random", "--against", "perfect"), "only pacman"),
    ],
)
def test_what_cannot_be_played_is_one_line(capsys: Captured, arguments: tuple[str, ...], said: str) -> None:
    assert run(build(), list(arguments)) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert said in err


def test_a_cell_that_was_not_played_says_so() -> None:
    cells = (HeatCell(None, 0.0, 1.0, "", "nothing yet"), HeatCell(0.5, 0.1, 0.9, "a<b", "half"))
    drawn = heat_svg([HeatPanel("title", ("1", "2"), (("row", cells),))], "name", "measured")
    assert "a&lt;b" in drawn
    assert "50\u00a0%" in drawn
    assert "nothing yet" in drawn
