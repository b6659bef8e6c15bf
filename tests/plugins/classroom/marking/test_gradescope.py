"""`results.json` against the published description of the format [Gradescope]: every key that is written
is one that it describes, and has a value that it allows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from marked import edited, only, solution

from damier.core.json_types import JsonValue
from damier.core.words import speaking
from damier.plugins.classroom.marking.reports import write_reports
from damier.plugins.classroom.marking.sheet import mark_all, sheet

Rule = Callable[[JsonValue], bool]


def number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")


def text(value: JsonValue) -> bool:
    return isinstance(value, str)


def texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(map(text, value))


def anything(value: JsonValue) -> bool:
    return True


def one_of(*words: str) -> Rule:
    return lambda value: value in words


VISIBILITY = one_of("hidden", "after_due_date", "after_published", "visible")
FORMAT = one_of("text", "html", "simple_format", "md", "ansi")

OF_A_TEST: dict[str, Rule] = {
    "score": number,
    "max_score": number,
    "status": one_of("passed", "failed"),
    "name": text,
    "name_format": FORMAT,
    "number": text,
    "output": text,
    "output_format": FORMAT,
    "tags": texts,
    "visibility": VISIBILITY,
    "extra_data": anything,
}
OF_RESULTS: dict[str, Rule] = {
    "score": number,
    "execution_time": number,
    "output": text,
    "output_format": FORMAT,
    "test_output_format": FORMAT,
    "test_name_format": FORMAT,
    "visibility": VISIBILITY,
    "stdout_visibility": VISIBILITY,
    "extra_data": anything,
    "tests": lambda value: isinstance(value, list) and all(follows(test, OF_A_TEST) for test in value),
    "leaderboard": lambda value: isinstance(value, list),
}
"""Of the object; the rule of each key that the description has. "Optional" are all of them, but one of
`score` and the scores of `tests`.
"""


def follows(found: JsonValue, rules: Mapping[str, Rule]) -> bool:
    """Whether an object has no other keys, and each of its values is allowed."""
    return isinstance(found, dict) and all(key in rules and rules[key](found[key]) for key in found)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_results_are_of_the_format_that_is_described(language: str, tmp_path: Path) -> None:
    asked = only(
        sheet(str(Path(__file__).with_name("own_lists.toml"))), "imports", "explore", "mixed", "jeu-joueur"
    )
    for name, code in (
        ("right", solution("own_lists")),
        ("wrong", edited(solution("own_lists"), "return player == IA", "return player != IA")),
        ("broken", "def explore(position:"),
    ):
        (tmp_path / f"{name}.py").write_text(code)
    with speaking(language):
        marks = mark_all(asked, sorted(tmp_path.glob("*.py")), 2, lambda done: None)
        write_reports(tmp_path, asked, marks)
    scores = {}
    for student in marks:
        found = json.loads((tmp_path / student.name / "results.json").read_text(encoding="utf-8"))
        assert follows(found, OF_RESULTS)
        assert {"score", "tests"} <= set(found)
        tests = found["tests"]
        assert [test["number"] for test in tests] == ["1", "2", "3", "4"]
        assert all(test["score"] <= test["max_score"] for test in tests)
        assert all((test["status"] == "passed") == (test["score"] == test["max_score"]) for test in tests)
        assert sum(test["score"] for test in tests) == found["score"]
        scores[student.name] = found["score"]
    assert scores == {"right": asked.points, "wrong": asked.points - 2, "broken": 0}


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": 1},
        {"score": "1"},
        {"score": float("inf")},
        {"visibility": "shown"},
        {"tests": [{"status": "ok"}]},
        {"tests": [{"tags": "one"}]},
        {"tests": [{"name": 1}]},
    ],
)
def test_what_is_not_described_is_noticed(wrong: JsonValue) -> None:
    assert not follows(wrong, OF_RESULTS)
