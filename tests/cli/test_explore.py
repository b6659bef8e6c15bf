"""`damier explore`: the searches of document S1, their trace, their steps, as JSON and as a picture."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import beginning

Captured = pytest.CaptureFixture[str]
call, _data = beginning("explore")


def test_the_trace_and_what_it_comes_to(capsys: Captured) -> None:
    code, out, err = call(capsys, "nim:matches=7")
    assert (code, err) == (0, "")
    assert "\n   AI plays 3 → (4 HUMAN)\n      HUMAN plays 3 → (1 AI)\n" in out
    assert "3: the line hoped for is 3 2 1 1" in out
    assert "5 states expanded, 7 different states met" in out
    assert call(capsys, "nim:matches=7", "--step")[1].startswith("(7 AI)\n   AI plays 3"), (
        "no terminal: a list"
    )


def test_what_depth_first_and_breadth_first_cost(capsys: Captured) -> None:
    code, out, err = call(capsys, "nim", "--algorithm", "all")
    assert (code, err) == (0, "")
    assert re.search(r"depth-first: explore +3 +6 +7 *\n", out)
    assert re.search(r"breadth-first +3 +122 +28 *\n", out)
    assert re.search(r"with the list of visited states +3 +22 +28 *\n", out)
    costs = json.loads(call(capsys, "nim:matches=7", "--algorithm", "all", "--json")[1])["costs"]
    assert [(cost["algorithm"], cost["revisit"], cost["move"]) for cost in costs] == [
        ("dfs", True, "3"),
        ("bfs", True, "3"),
        ("bfs", False, "3"),
        ("andor", False, "2"),
    ]
    assert call(capsys, "nim", "--algorithm", "all", "--step")[0] == 2


def test_for_either_player_as_json(capsys: Captured, tmp_path: Path) -> None:
    picture = tmp_path / "found.svg"
    code, out, err = call(capsys, "nim:matches=4", "--winner", "2", "-o", str(picture), "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert (data["move"], data["player"], data["found"], data["line"]) == ("2", 1, True, ["2", "1", "1"])
    assert data["steps"][1]["trace"] == "   HUMAN plays 3 → (1 AI)"
    assert "NIL" in picture.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pig"], "dice"),
        (["tictactoe", "--algorithm", "andor"], "1,500"),
        (["nim", "--algorithm", "minimax"], "algorithm"),
    ],
)
def test_what_cannot_be_told_is_refused_in_one_line(
    capsys: Captured, arguments: list[str], said: str
) -> None:
    code, _out, err = call(capsys, *arguments)
    assert code in (2, 3)
    assert err.count("\n") == 1
    assert said in err
