"""`damier card`: of every kind of agent, with the grade of `damier grade`; checked, and what differs told."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path

import pytest
from commands import Captured, beginning
from lasting import shortly

from damier.cli.grade import differences, read_card
from damier.core.words import speaking

call, data = beginning("card")
call_any, data_any = beginning()
PAGE = Path(__file__).parents[2] / "docs" / "agent_card.md"
OWN = """
class First:
    "takes the first move"
    def play(self, position):
        return position.moves[0]
"""


@pytest.fixture
def learnt(tmp_path: Path, capsys: Captured) -> Path:
    path = tmp_path / "q.json"
    line = ("train", "nim:matches=5", "q", "--games", "300", "--pure", "-o", str(path))
    data_any(capsys, *line)
    return path


def test_a_card_says_what_the_file_and_the_grade_say(learnt: Path, capsys: Captured) -> None:
    found = data(capsys, str(learnt))
    graded = data_any(capsys, "grade", "nim:matches=5", f"q:file={learnt}")
    assert {name: graded[name] for name in found["grade"]} == found["grade"]
    assert found["grade"]["exact"] is True
    shown = data_any(capsys, "show", str(learnt))
    assert found["learnt"]["curve"]["blocks"] == shown["curve"]
    assert {name: found["learnt"][name] for name in ("games", "seed", "opponent", "parameters")} == {
        name: shown[name] for name in ("games", "seed", "opponent", "parameters")
    }
    assert found["versions"]["damier"]
    assert data(capsys, f"q:file={learnt}") == found


def test_a_card_in_french_has_no_english_names(learnt: Path, capsys: Captured) -> None:
    _code, english, _err = call(capsys, str(learnt))
    with speaking("fr"):
        _code, french, _err = call(capsys, str(learnt))
    assert "* opponent: `random`" in english
    assert "* adversaire\N{NO-BREAK SPACE}: `random`" in french
    names = {line.partition(":")[0] for line in english.splitlines() if line.startswith("* ")}
    assert {"* seed", "* max_plies"} <= names
    assert not {line.partition(":")[0].rstrip() for line in french.splitlines()} & names - {"* agent"}


@pytest.mark.parametrize("suffix", shortly([".md", ".json"], ".md"))
def test_a_card_is_checked(learnt: Path, tmp_path: Path, capsys: Captured, suffix: str) -> None:
    out = tmp_path / f"card{suffix}"
    assert call(capsys, str(learnt), "-o", str(out))[0] == 0
    assert read_card(out) == data(capsys, str(learnt))
    assert data(capsys, str(learnt), "--check", str(out))["same"] is True
    moved = tmp_path / "moved.json"
    learnt.rename(moved)
    assert data(capsys, str(moved), "--check", str(out))["same"] is True, "where it lies does not matter"
    wrong = out.read_text().replace('"games": 300', '"games": 301')
    out.write_text(wrong)
    code, told, err = call(capsys, str(moved), "--check", str(out), "--json")
    assert (code, err.count("\n")) == (1, 1)
    assert json.loads(told)["differences"] == [{"place": "learnt.games", "written": 301, "now": 300}]
    code, told, _err = call(capsys, str(moved), "--check", str(out))
    assert (code, "learnt.games" in told) == (1, True)


def test_agents_of_ones_own_and_by_name(tmp_path: Path, capsys: Captured) -> None:
    own = tmp_path / "own.py"
    own.write_text(OWN)
    found = data(capsys, f"{own}:First", "--game", "nim:matches=5", "--against", "perfect")
    assert (found["grade"]["exact"], found["learnt"], found["against"][:7]) == (True, None, "perfect")
    assert len(found["files"]) == 64
    card = tmp_path / "card.json"
    assert call(capsys, f"{own}:First", "--game", "nim:matches=5", "-o", str(card))[0] == 0
    own.write_text(OWN.replace("moves[0]", "moves[-1]"))
    code, told, _err = call(capsys, f"{own}:First", "--check", str(card), "--json")
    places = {one["place"].partition("[")[0] for one in json.loads(told)["differences"]}
    assert (code, {"files", "grade.seats"} <= places) == (1, True)
    named = data(capsys, "minimax:plies=2", "--game", "nim:matches=5")
    assert named["agent"].startswith("minimax:plies=2,")
    assert named["summary"]


def test_what_cannot_be_exact_is_by_games_and_says_why(tmp_path: Path, capsys: Captured) -> None:
    card = tmp_path / "card.md"
    line = ("mcts:simulations=2", "--game", "nim:matches=2", "--pure")
    assert call(capsys, *line, "-o", str(card))[0] == 0
    found = read_card(card)["grade"]
    assert isinstance(found, dict)
    assert (found["exact"], found["games"], bool(found["why"])) == (False, 2000, True)
    assert data(capsys, *line, "--check", str(card))["same"] is True, "the same seed, the same games"


def test_what_a_card_names_does_not_run(learnt: Path, tmp_path: Path, capsys: Captured) -> None:
    card = tmp_path / "card.json"
    call(capsys, str(learnt), "-o", str(card))
    facts = json.loads(card.read_text())
    for name, value in (("against", "evil.py"), ("against", "./evil"), ("game", "evil.py")):
        card.write_text(json.dumps(facts | {name: value}))
        code, _out, err = call(capsys, "minimax:plies=2", "--check", str(card))
        assert (code, err.count("\n"), "would run" in err) == (2, 1, True), err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("random", "--game"),
        ("random --game nim -o a.txt", ".md .json"),
        ("nothing --game nim", "no agent is called nothing"),
        ("human --game nim", "cannot be asked"),
        ("random --game nim --check missing.md", "missing.md cannot be read"),
    ],
)
def test_bad_input_costs_a_line(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _out, err = call(capsys, *line.split())
    assert (code, err.count("\n"), said in err) == (2, 1, True), err


def test_a_card_of_blocks_that_never_end_is_none(tmp_path: Path, capsys: Captured) -> None:
    card = tmp_path / "card.md"
    card.write_text("```json\n" * 300_000)
    begun = time.process_time()
    code, _out, err = call(capsys, "random", "--game", "nim", "--check", str(card))
    assert (code, err.count("\n"), "is no card of an agent" in err) == (2, 1, True)
    assert time.process_time() - begun < 20, "it took minutes"


def test_a_number_beyond_all_others_is_a_difference() -> None:
    most = 10**400
    assert differences({"a": most, "b": most}, {"a": 0.5, "b": most}) == [
        {"place": "a", "written": most, "now": 0.5}
    ]


def test_rounding_is_no_difference() -> None:
    assert differences({"a": 0.1 + 0.2, "versions": 1}, {"a": 0.3, "versions": 2}) == []
    assert [one["place"] for one in differences({"a": [1, 2]}, {"a": [1]})] == ["a[1]"]


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    for line in re.findall(r"^damier .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        code, _out, err = call_any(capsys, *shlex.split(line)[1:])
        assert code == 0, err
    assert (tmp_path / "card.md").read_text().startswith("# q:file=q.json\n")
