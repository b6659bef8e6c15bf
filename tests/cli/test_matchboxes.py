"""`damier matchboxes`: what it reports, draws and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import beginning
from lasting import later, shortly

from damier import Job, load
from damier.lab import matchboxes
from damier.lab.agents import Lab
from damier.lab.training import Plan, trainer

Captured = pytest.CaptureFixture[str]


call, data = beginning("matchboxes")


def test_menace_has_304_boxes(capsys: Captured) -> None:
    found = data(capsys, "tictactoe")
    assert (found["boxes"], found["beads"], found["seat"], found["games"]) == (304, 1720, "1", 0)
    assert [(stage["stage"], stage["boxes"]) for stage in found["stages"]] == [
        (0, 1),
        (1, 12),
        (2, 108),
        (3, 183),
    ]
    assert sum(stage["beads"] for stage in found["stages"]) == 1720
    assert found["learner"] == "beads:punish=last,cascade=true,forced=false"
    assert data(capsys, "tictactoe", "--learner", "beads:preset=scroggs")["beads"] == 1798
    assert data(capsys, "tictactoe", "--seat", "2")["boxes"] == 289


def test_every_box_listed(capsys: Captured) -> None:
    found = data(capsys, "hexapawn", "--list")
    assert found["seat"] == "2"
    assert len(found["list"]) == found["boxes"] == 19
    assert [box["number"] for box in found["list"]] == list(range(1, 20))
    assert sum(sum(box["moves"].values()) for box in found["list"]) == found["beads"]
    assert {"number": 2, "stage": 0, "board": "BBB\n.W.\nW.W", "moves": {"c3c2": 1, "c3b2": 1}} in found[
        "list"
    ]
    lists = data(capsys, "nim", "--list")["list"]
    assert sorted(len(box["moves"]) for box in lists) == [1, 2] + [3] * 14
    code, out, _err = call(capsys, "hexapawn", "--list")
    assert code == 0
    assert "19 boxes, " in out
    assert "1 box, " in call(capsys, "mnk:width=2,height=1,in_a_row=2")[1]
    assert "BBB / .W. / W.W" in out


def test_a_trained_agent(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "menace.json"
    made = trainer(Lab(load("tictactoe"), Job(jit=False)), Plan("menace"))
    made.training.grade_every = lambda: 0  # no grader is made
    made.save_to(path)
    made.training.run(50, made.lab.job)
    found = data(capsys, "tictactoe", "--agent", str(path))
    saved = json.loads(path.read_text())
    opened = sum(sum(row["beads"]) for row in saved["tables"][0]["rows"])
    assert (found["boxes"], found["games"]) == (304, 50)
    assert found["stages"][0]["beads"] == sum(
        next(row["beads"] for row in saved["tables"][0]["rows"] if row["state"] == [0, 0])
    )
    assert opened < found["beads"] < opened + 1720  # those never opened hold their first beads
    code, _out, err = call(capsys, "tictactoe", "--agent", str(path), "--learner", "menace")
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("suffix", shortly([".svg", ".png", ".pdf"], ".svg", ".pdf"))
def test_pictures(suffix: str, capsys: Captured, tmp_path: Path) -> None:
    if suffix != ".svg":
        pytest.importorskip("vl_convert")
        pytest.importorskip("pypdf")
    path = tmp_path / f"boxes{suffix}"
    code, out, err = call(capsys, "hexapawn", "-o", str(path))
    assert (code, err) == (0, "")
    assert str(path) in out.replace("\n", "")
    first = path.read_bytes()
    assert first.startswith({".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix])
    assert call(capsys, "hexapawn", "-o", str(path))[0] == 0
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_the_sheet_of_a_users_game(capsys: Captured, tmp_path: Path) -> None:
    game = tmp_path / "countdown.py"
    game.write_text(
        "from typing import NamedTuple\nfrom damier import Game, ONGOING\n\n\nclass State(NamedTuple):\n   "
        " left: int\n    mover: int\n\n\ndef countdown() -> Game:\n    return Game('countdown', State(5, 0),"
        " moves=lambda s: (1 << min(2, s.left)) - 1,\n                play=lambda s, move: State(s.left -"
        " move.bit_length(), 1 - s.mover),\n                outcome=lambda s: -1 if s.left == 0 else ONGOING,"
        " bits=(3, 1), name_move=lambda s, move: '<b>' + str(move))\n"
    )
    path = tmp_path / "new" / "boxes.svg"
    found = data(capsys, str(game), "-o", str(path))
    assert (found["boxes"], found["seat"]) == (4, "1")  # 5, 3, 2, 1 left
    assert ElementTree.fromstring(path.read_text()).tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hexapawn", "-o", "{tmp}/boxes.txt"], ".svg .png .pdf"),
        (["hexapawn", "-o", "{tmp}"], ".svg .png .pdf"),
        (["hexapawn", "--learner", "q"], "no matchboxes"),
        (["hexapawn", "--learner", "perfect"], "no matchboxes"),
        (["hexapawn", "--learner", "beads:beads=0"], "4-3-2-1"),
        (["hexapawn", "--seat", "3"], "seat"),
        (["hexapawn", "--agent", "{tmp}/none.json"], "cannot be read"),
        (["no_such_game"], "no_such_game"),
        (["nim:matches=1", "--seat", "2"], "never a choice"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, capsys: Captured, tmp_path: Path) -> None:
    code, out, err = call(capsys, *(argument.replace("{tmp}", str(tmp_path)) for argument in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "drawn", "boxes"), [("tictactoe", 303, 304), later(("octapawn", 1000, 2791))]
)
def test_too_many_boxes_to_draw(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, drawn: int, boxes: int
) -> None:
    monkeypatch.setattr("damier.cli.matchboxes.DRAWN", drawn)
    code, out, err = call(capsys, game, "-o", str(tmp_path / "boxes.svg"), "--json")
    assert (code, err.count("\n")) == (3, 1)
    assert json.loads(out)["boxes"] == boxes
    assert list(tmp_path.iterdir()) == []
    assert data(capsys, game)["boxes"] == boxes


def test_too_many_positions(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.matchboxes.POSITIONS", 1000)
    code, out, err = call(capsys, "connect_four:width=4,height=4", "--json")
    assert (code, err.count("\n")) == (3, 1)
    assert 1000 < json.loads(out)["positions"] < 1010


LARGE = ["mnk:width=4,height=4", "connect_four:width=4,height=5"]


@pytest.mark.parametrize("game", shortly(LARGE, LARGE[1]))
def test_what_is_too_large_by_its_own_bound_is_looked_through_for_few_boxes(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    positions: list[int] = []
    watched = matchboxes.require_few

    def watch(lab: Lab, met: int, boxes: int, most: matchboxes.MachineSize) -> None:
        positions.append(met)
        watched(lab, met, boxes, most)

    monkeypatch.setattr(matchboxes, "require_few", watch)
    code, out, err = call(capsys, game)
    assert (code, out) == (3, "")
    assert "more than 1,000 boxes" in err
    assert positions[-1] < 10_000
