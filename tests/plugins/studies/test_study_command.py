"""`damier study`: depth × evaluation and the growth of a game's tree, against grades and counts
found apart.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from lasting import later

from damier import load
from damier.cli.main import build, run
from damier.core.job import Job
from damier.draw.line_charts import IntervalLine, IntervalPoint, depths_svg
from damier.lab.agents import Lab, policy
from damier.solve.grade import grade

Captured = pytest.CaptureFixture[str]


def data(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code = run(build(), ["study", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


def test_depth_and_evaluation_are_graded_exactly(capsys: Captured) -> None:
    found = data(capsys, "evaluation", "hexapawn", "--plies", "1,3", "--evaluate", "none,2*pawns+advance")
    assert [(row["evaluate"], row["plies"]) for row in found["rows"]] == [
        ("none", 1),
        ("none", 3),
        ("2*pawns+advance", 1),
        ("2*pawns+advance", 3),
    ]
    lab = Lab(load("hexapawn"), Job(jit=False))
    for row in found["rows"]:
        evaluate = "" if row["evaluate"] == "none" else f",evaluate={row['evaluate']}"
        seats = grade(
            lab.game, policy(lab, f"alphabeta:plies={row['plies']}{evaluate}"), policy(lab, "random")
        ).seats
        assert row["payoff"] == (seats[0].payoff + seats[1].payoff) / 2


def test_an_evaluation_helps_a_shallow_search_more_than_a_deep_one(capsys: Captured) -> None:
    """Row A-54: the deeper the search, the less the evaluation matters."""
    rows = data(
        capsys, "evaluation", "nim", "--plies", "1,15", "--evaluate", "none,theory", "--against", "perfect"
    )["rows"]
    payoff = {(row["evaluate"], row["plies"]): row["payoff"] for row in rows}
    assert payoff["theory", 1] - payoff["none", 1] > payoff["theory", 15] - payoff["none", 15] == 0


def test_games_are_played_where_that_is_asked_for(capsys: Captured) -> None:
    arguments = (
        "evaluation",
        "hexapawn",
        "--plies",
        "2",
        "--evaluate",
        "pawns",
        "--games",
        "40",
        "--seed",
        "3",
    )
    found = data(capsys, *arguments)
    (row,) = found["rows"]
    assert not found["exact"]
    assert row["interval"][0] <= row["win"] <= row["interval"][1]
    assert found == data(capsys, *arguments)


def test_growth(capsys: Captured) -> None:
    """Random tic-tac-toe lasts 7.63 plies on average: 9 less what wins end early."""
    found = data(capsys, "growth", "tictactoe", "--games", "3000")
    assert (found["shortest"], found["longest"], found["unfinished"]) == (5, 9, 0)
    assert found["m"] == pytest.approx(7.63, abs=0.1)
    assert 5 < found["b"] < 6.2
    nim = data(capsys, "growth", "nim:matches=3,take=1", "--games", "10")
    assert (nim["b"], nim["m"], nim["log10"]) == (1, 3, 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluation", "nim", "--plies", "0"), "above 0"),
        (("evaluation", "nim", "--plies", "1,,2"), "commas"),
        (("evaluation", "nim", "--evaluate", "beauty"), "theory"),
        (("evaluation", "nim", "--games", "0"), "--games"),
        (("evaluation", "nim", "--against", "mcts"), "graded exactly: --games"),
        (("evaluation", "nim", "--against", "human"), "graded exactly: --games"),
        (("evaluation", "connect_four"), "memory"),
        (("speed", "nim"), "growth"),
        (("growth", "nim", "-o", "g.svg"), "evaluation"),
        (("evaluation", "nim", "-o", "g.gif"), ".svg .png .pdf"),
    ],
)
def test_bad_input_is_one_line(capsys: Captured, arguments: tuple[str, ...], said: str) -> None:
    code = run(build(), ["study", *arguments])
    out, err = capsys.readouterr()
    assert code in (2, 3)
    assert out == ""
    assert len(err.splitlines()) == 1
    assert said in err


def test_an_agent_of_ones_own_is_an_opponent(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = {
        "first": "def play(position, place: int = 0):\n    return position.moves[place]\n",
        "draws": "def play(position):\n    import random\n    return random.choice(position.moves)\n",
        "none": "def play(position):\n    return None\n",
        "raises": "def play(position):\n    if not position.moves[3:]:\n        1 / 0\n    return 1\n",
        "values": "def evaluate(position):\n    return 0.0\n",
    }
    for name, code in codes.items():
        (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    few = ("evaluation", "nim", "--plies", "1", "--evaluate", "none,values.py", "--against")
    exact, played = data(capsys, *few, "first.py"), data(capsys, *few, "first.py:place=-1", "--games", "50")
    assert exact["exact"]
    assert exact["rows"][0]["payoff"] == exact["rows"][1]["payoff"] > 0
    assert played["rows"][0]["interval"]
    assert not data(capsys, *few, "draws.py", "--games", "20")["exact"]
    for wrong, said in (
        ("draws.py", "draws.py: it draws random numbers; it is not graded exactly: --games"),
        ("none.py", "none.py:1: None is not a legal move"),
        ("raises.py", "raises.py:3: ZeroDivisionError"),
        ("gone.py", "gone.py is not a file"),
        ("values.py", "values.py has no agent"),
    ):
        assert run(build(), ["study", *few, wrong]) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert said in err


def test_a_study_is_drawn(capsys: Captured, tmp_path: Path) -> None:
    for number, games in enumerate(((), ("--games", "20"))):
        path = tmp_path / f"{number}.svg"
        found = data(
            capsys,
            "evaluation",
            "hexapawn",
            "--plies",
            "1,3",
            "--evaluate",
            "none,pawns",
            *games,
            "-o",
            str(path),
        )
        texts = [
            (element.text or "").replace("\u00a0", " ")
            for element in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
        ]
        assert {"none", "pawns", "1", "3", "depth of the search, in plies"} <= set(texts)
        described = ElementTree.parse(path).find("{http://www.w3.org/2000/svg}desc")
        assert described is not None
        assert all(
            f"{row['win' if games else 'payoff']:+.4f}" in str(described.text) for row in found["rows"]
        )


def test_a_study_says_where_it_is_drawn(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "study.svg"
    assert run(build(), ["study", "evaluation", "hexapawn", "--plies", "1", "-o", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"written to {path}"


def test_one_depth_and_equal_values_are_drawn_too() -> None:
    drawn = depths_svg([IntervalLine("a<b", (IntervalPoint(2, 0.0),))], "title", "measured", least=-1)
    assert "a&lt;b" in drawn
    assert "nan" not in drawn


@pytest.mark.parametrize(("positions", "nodes"), [(1, 150), later((3, 150))])
def test_positions_are_solved_and_counted(
    positions: int, nodes: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Four ways to search some positions."""
    from damier.plugins.studies import measurements

    monkeypatch.setattr(measurements, "KNOWN", measurements.KNOWN[:positions])
    monkeypatch.setattr(measurements, "PARTS", ("quiescence",))
    arguments = ("chess", "--plies", "2", "--nodes", str(nodes), "--jobs", "1", "--pure")
    found = data(capsys, "positions", *arguments)
    rows = {row["agent"]: row for row in found["rows"]}
    assert list(rows)[:3] == [
        "selective:plies=2",
        f"selective:nodes={nodes}",
        f"selective:nodes={nodes},quiescence=false",
    ]
    assert len(rows) == 4
    assert all(0 <= row["solved"] <= row["positions"] == positions for row in rows.values())
    assert rows["selective:plies=2"]["plies"] == 2
    assert rows[f"selective:nodes={nodes}"]["nodes"] <= positions * nodes


def test_a_game_without_known_positions_is_refused(capsys: Captured) -> None:
    assert run(build(), ["study", "positions", "draughts"]) == 2
    assert "draughts" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        ("growth", ("--plies", "2")),
        ("growth", ("--evaluate", "pawns")),
        ("positions", ("--against", "perfect")),
        ("evaluation", ("--rounds", "1")),
    ],
)
def test_what_a_study_would_not_look_at_is_refused(
    kind: str, option: tuple[str, str], capsys: Captured
) -> None:
    assert run(build(), ["study", kind, "hexapawn", *option]) == 2
    assert f"takes no {option[0]}" in capsys.readouterr().err
