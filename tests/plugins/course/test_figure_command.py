"""`damier figure`: the figures of the documents, each by one command."""

from __future__ import annotations

import json
from math import exp
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import beginning

from damier.plugins.course.s0 import games_until_the_first_decision_knows

Captured = pytest.CaptureFixture[str]
call, data = beginning("figure")
NAMES = ("roulette", "updates", "random-table", "actions", "timeline", "sequence", "plies", "machines")


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_text_and_a_picture(name: str, capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "new" / "figure.svg"
    code, out, err = call(capsys, name, "-o", str(path))
    assert (code, err) == (0, "")
    assert len(out.splitlines()) > 2
    drawn = ElementTree.fromstring(path.read_text())
    assert drawn.tag.endswith("svg")


def test_the_roulette_draws_as_the_document_does(capsys: Captured) -> None:
    found = data(capsys, "roulette", "--values", "1,2,3", "--rand", "0.2")
    shares = [exp(value) / sum(map(exp, (1, 2, 3))) for value in (1, 2, 3)]
    assert found["shares"] == pytest.approx(shares)
    assert shares[0] < 0.2 < shares[0] + shares[1]
    assert found["drawn"] == 2
    assert data(capsys, "roulette", "--values=1000,-1000", "--rand", "1")["drawn"] in (1, 2), "no overflow"
    assert data(capsys, "roulette", "--values=3,3", "--rand", "0.5")["drawn"] == 1, "σ summed ≥ rand"


def test_forwards_and_backwards(capsys: Captured) -> None:
    found = data(capsys, "updates", "--games", "6")
    first = [game[0] for game in found["forwards"]]
    games = games_until_the_first_decision_knows()
    assert first[games - 2] == 0 < first[games - 1], "a value goes one decision back each game"
    assert all(found["backwards"][0]), "one pass backwards reaches the first decision"
    assert [game[-1] for game in found["forwards"]] == [game[-1] for game in found["backwards"]]
    assert found["backwards"][0][-2:] == pytest.approx([0.009, 1.0])


def test_the_table_under_a_random_policy(capsys: Captured) -> None:
    found = data(capsys, "random-table", "--games", "200")
    assert found["states"][0]["state"] == 377
    assert list(found["states"][0]["values"]) == ["0", "3", "6"]
    assert found == data(capsys, "random-table", "--games", "200"), "the same seed, the same table"
    assert found != data(capsys, "random-table", "--games", "200", "--seed", "1")


def test_the_action_numbers_are_told(capsys: Captured) -> None:
    words = json.loads(call(capsys, "actions", "--json")[1])["words"].splitlines()
    assert words[1] == "0: a1 → a2"
    assert words[-1] == "13: c2 → c3"
    assert len(words) == 15


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["updates", "--games", "0"], "--games 0"),
        (["actions", "--games", "3"], "--games is for"),
        (["roulette", "--values", "a"], "with commas"),
        (["roulette", "--values", "nan"], "with commas"),
        (["roulette", "--rand", "2"], "between 0 and 1"),
        (["roulette", "--temperature", "0"], "above 0"),
        (["nothing"], "roulette"),
        (["roulette", "-o", "x.gif"], ".svg"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, capsys: Captured) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
