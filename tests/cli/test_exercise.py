"""`damier exercise`: sheets and keys as pictures, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import beginning

from damier.cli.main import build, run

Captured = pytest.CaptureFixture[str]
TREES = ["minimax", "alphabeta", "expectimax", "maxn"]
KINDS = [*TREES, "evaluation", "minimal", "q", "beads", "retrograde"]


call, _data = beginning("exercise")


@pytest.mark.parametrize("kind", KINDS)
def test_sheet_and_key(kind: str, capsys: Captured, tmp_path: Path) -> None:
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    for path in (first, second):
        assert call(capsys, kind, "--seed", "5", "-o", str(path))[0] == 0
    key = tmp_path / "a-key.svg"
    assert first.read_bytes() == second.read_bytes() != key.read_bytes()
    assert key.read_bytes() == (tmp_path / "b-key.svg").read_bytes()
    assert all(ElementTree.parse(path).getroot().tag.endswith("svg") for path in (first, key))
    assert "data-blank" in first.read_text()
    assert "data-blank" not in key.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_json(kind: str, capsys: Captured, tmp_path: Path) -> None:
    code, out, err = call(capsys, kind, "--seed", "5", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    data = json.loads(out)
    assert (data["kind"], data["seed"]) == (kind, 5)
    assert data["answers"]
    if kind not in TREES:
        return
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(data["tree"]))
    assert run(build(), ["tree", str(path), "--algorithm", kind, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["action"], found["value"]) == (data["answers"]["action"], data["answers"]["value"])


def test_pages_and_text(capsys: Captured, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    path = tmp_path / "sheet.pdf"
    assert call(capsys, "minimax", "--seed", "1", "-o", str(path))[0] == 0
    assert len(pypdf.PdfReader(path).pages) == 2
    code, out, _err = call(capsys, "minimax", "--seed", "1")
    assert code == 0
    assert "▲ A = …" in out


@pytest.mark.parametrize("run_of", [(), ("--count", "2")])
def test_where_the_key_is_said_to_be_it_is(run_of: tuple[str, ...], capsys: Captured, tmp_path: Path) -> None:
    line = ("minimax", *run_of, "--seed", "7")
    said = call(capsys, *line)[1].splitlines()[-1].split()
    out = tmp_path / said[said.index("-o") + 1]
    code, _out, err = call(capsys, *line, "-o", str(out))
    assert (code, err) == (0, "")
    assert out.exists()


def test_a_run_is_the_same_as_its_exercises_alone(capsys: Captured, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    path = tmp_path / "run.pdf"
    assert call(capsys, "q", "--seed", "7", "--count", "3", "-o", str(path))[0] == 0
    assert len(pypdf.PdfReader(path).pages) == 6
    _code, out, _err = call(capsys, "mixed", "--seed", "7", "--count", "9", "--json")
    made = json.loads(out)["exercises"]
    assert {each["kind"] for each in made} == set(KINDS)
    alone = json.loads(call(capsys, made[2]["kind"], "--seed", "703", "--json")[1])
    assert alone == made[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "chess"),
        (["minimax", "--branching", "1"], "--branching 1: it must be from 2"),
        (["minimax", "--branching", "8", "--plies", "8"], "a sheet has 256 at most"),
        (["expectimax", "--players", "3"], "one player moves, and chance"),
        (["evaluation", "--plies", "3"], "no tree"),
        (["mixed", "--players", "3"], "no tree"),
        (["minimal", "--players", "3"], "two players"),
        (["q", "--count", "21"], "--count 21"),
        (["q", "--count", "2", "--seed", str(1 << 50)], "for a run"),
        (["q", "--count", "2", "-o", "run.svg"], "write .pdf"),
        (["minimax", "--seed", "-1"], "--seed -1"),
        (["minimax", "-o", "sheet.txt"], ".svg .png .pdf"),
    ],
)
def test_what_is_refused(arguments: list[str], said: str, capsys: Captured) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
