"""`damier graph`: what it counts, draws and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import beginning
from lasting import later

from damier.solve import reach

Captured = pytest.CaptureFixture[str]


call, data = beginning("graph")


@pytest.mark.parametrize(
    ("matches", "nodes", "leaves"),
    [(4, 15, 7), (6, 52, 24), (8, 177, 81), (10, 600, 274), (16, 23249, 10609)],
)
def test_complete_trees_of_the_report(capsys: Captured, matches: int, nodes: int, leaves: int) -> None:
    found = data(capsys, f"nim:matches={matches}", "--complete")
    assert (found["nodes"], found["leaves"], found["edges"]) == (nodes, leaves, nodes - 1)
    assert found["repeated"] == nodes - 2 * matches


@pytest.mark.parametrize(("matches", "expanded", "dots"), [(4, 8, 5), (6, 12, 13), (8, 16, 21), (16, 32, 53)])
def test_truncated_trees_of_the_report(capsys: Captured, matches: int, expanded: int, dots: int) -> None:
    found = data(capsys, f"nim:matches={matches}", "--truncated")
    assert (found["states"], found["repeated"], found["nodes"]) == (expanded, dots, expanded + dots)


def test_the_state_graph_of_the_report(capsys: Captured) -> None:
    found = data(capsys, "nim")
    assert found == data(capsys, "nim", "--merged")
    assert (found["nodes"], found["edges"], found["leaves"], found["repeated"]) == (32, 84, 2, 0)


def test_counts_of_other_games(capsys: Captured) -> None:
    assert data(capsys, "hexapawn", "--complete")["leaves"] == 134
    assert data(capsys, "hexapawn", "--merged", "--symmetry")["nodes"] == 71
    assert data(capsys, "tictactoe", "--complete", "--symmetry")["leaves"] == 26830
    found = data(capsys, "tictactoe", "--complete")
    assert (found["nodes"], found["leaves"], found["states"]) == (549946, 255168, 5478)


@pytest.mark.parametrize("kind", ["complete", "truncated", "merged"])
@pytest.mark.parametrize("plies", range(4))
def test_plies_and_moves(capsys: Captured, kind: str, plies: int) -> None:
    """Against a plain walk from 7 matches, 3 taken."""
    found = data(capsys, "nim:matches=7", f"--{kind}", "--moves", "3", "--plies", str(plies))
    rows = [[(4, 1)]]
    for _ply in range(plies):
        rows.append(
            [(left - take, 1 - mover) for left, mover in rows[-1] for take in (1, 2, 3) if take <= left]
        )
    assert found["states"] == len({state for row in rows for state in row})
    if kind == "complete":
        assert found["nodes"] == sum(map(len, rows))


def test_the_last_row_of_a_complete_tree_is_perft(capsys: Captured) -> None:
    """No game on this board ends before ply 7; a column is full after four moves."""
    assert data(capsys, "connect_four:width=4,height=4", "--complete", "--plies", "5")["leaves"] == 4**5 - 4


@pytest.mark.parametrize("suffix", [".svg", ".dot"])
@pytest.mark.parametrize("kind", ["--complete", "--truncated", "--merged"])
def test_it_draws(capsys: Captured, tmp_path: Path, kind: str, suffix: str) -> None:
    path = tmp_path / f"nim{suffix}"
    code, out, err = call(capsys, "nim:matches=4", kind, "-o", str(path))
    assert (code, err) == (0, "")
    assert str(path) in out.replace("\n", "")
    text = path.read_text(encoding="utf-8")
    if suffix == ".svg":
        assert ElementTree.fromstring(text).get("role") == "img"
    else:
        assert text.startswith("digraph {")


@pytest.mark.parametrize(("suffix", "begin"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_it_draws_png_and_pdf(capsys: Captured, tmp_path: Path, suffix: str, begin: bytes) -> None:
    pytest.importorskip("vl_convert")
    if suffix == ".pdf":
        pytest.importorskip("pypdf")
    path = tmp_path / f"nim{suffix}"
    assert call(capsys, "nim:matches=16", "--truncated", "-o", str(path))[0] == 0
    assert path.read_bytes().startswith(begin)


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["nim", "--complete"], 23249),
        later((["tictactoe", "--complete"], 549946)),
        later((["tictactoe", "--merged"], 5478)),
        later((["tictactoe", "--truncated"], 16168)),
    ],
)
def test_too_large_to_draw(capsys: Captured, tmp_path: Path, arguments: list[str], nodes: int) -> None:
    path = tmp_path / "x.svg"
    code, out, err = call(capsys, *arguments, "-o", str(path), "--json")
    assert code == 3
    assert f"{nodes:,} nodes" in err
    assert json.loads(out)["nodes"] == nodes
    assert not path.exists()


def test_too_large_to_count(capsys: Captured, tmp_path: Path) -> None:
    code, _out, err = call(
        capsys, "connect_four", "--complete", "--memory", "0.01", "-o", str(tmp_path / "x.svg")
    )
    assert code == 3
    assert "more than 1,500 nodes" in err
    code, _out, err = call(capsys, "connect_four", "--merged", "--moves", "4", "--memory", "0.001")
    assert code == 3
    assert "--memory" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("kind", ["--complete", "--truncated", "--merged"])
def test_more_positions_than_memory_are_refused_before_they_are_counted(capsys: Captured, kind: str) -> None:
    code, out, err = call(capsys, "connect_four", kind, "--json")
    assert code == 3
    assert json.loads(out)["states"] == 70_728_639_995_483
    assert "Smaller with --plies" in err


def test_a_path_without_end_is_stopped_at_the_budget(capsys: Captured) -> None:
    """The score is a part of Pacman's positions: none comes back, and none is the last."""
    code, out, _err = call(capsys, "pacman:layout=corridor", "--complete", "--memory", "0.01", "--json")
    assert code == 3
    assert json.loads(out)["positions"] >= 10_000


@pytest.mark.parametrize("kind", ["--complete", "--merged"])
def test_a_game_that_goes_on_for_ever_is_left(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    monkeypatch.setattr(reach, "FARTHEST", 3_000)
    path = tmp_path / "endless.py"
    path.write_text(
        "from typing import NamedTuple\n\nfrom damier import ONGOING, Game\n\n\n"
        "class State(NamedTuple):\n    total: int\n    mover: int\n\n\n"
        "def endless() -> Game:\n"
        "    return Game('endless', State(0, 0), lambda s: 1,\n"
        "                lambda s, move: State(s.total + 1, 1 - s.mover), lambda s: ONGOING)\n"
    )
    code, out, err = call(capsys, str(path), kind, "--json")
    assert (code, json.loads(out)["positions"] >= 3_000) == (3, True)
    assert "seems to go on for ever: after 3,000 plies" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nim", "--complete", "--merged"], "exclude each other"),
        (["nim", "-o", "x.gif"], ".svg .png .pdf .dot"),
        (["nim", "-o", "README.md/x.svg"], "cannot be written"),
        (["nim", "--plies", "-1"], "--plies"),
        (["nim", "--plies", "1.5"], "whole number"),
        (["nim", "--moves", "4"], "not a legal move"),
        (["tests/gallery.py:tug", "--complete"], "can come back"),
    ],
)
def test_bad_input_is_one_line(capsys: Captured, arguments: list[str], words: str) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_game_without_end_in_a_few_plies(capsys: Captured) -> None:
    assert data(capsys, "tests/gallery.py:tug", "--complete", "--plies", "3")["nodes"] > 8
    assert data(capsys, "tests/gallery.py:tug", "--merged")["nodes"] > 8
