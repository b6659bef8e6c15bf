"""The room of exams: what came back, typed or pasted, is marked as the command marks it; nothing is kept."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import violations
from playwright.sync_api import expect

from damier.core.errors import BadFile, BadInput
from damier.core.json_data import to_json
from damier.core.words import speaking
from damier.plugins.exams import room
from damier.plugins.exams.exam import Exam, exam_of_keys, marks_csv, read_exam
from damier.web.messages import Params, StateAnswer
from damier.web.registry import Registry
from damier.web.settings import Settings

QUESTIONS = """
title = "Test"
variants = 2
[[questions]]
kind = "alphabeta"
branching = 2
plies = 2
points = 6
[[questions]]
kind = "minimax"
tree = "((3 12) (2 4) (14 5))"
points = 4
[[questions]]
kind = "maxn"
"""


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Exam:
    path = tmp_path_factory.mktemp("exam") / "exam.toml"
    path.write_text(QUESTIONS)
    return read_exam(path, b"secret")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(Settings())


def ask(registry: Registry, exam: Exam, **values: Any) -> StateAnswer[room.ExamState]:
    return room.mark(registry, Params({"keys": to_json(exam.as_data()), **values}))


def right(exam: Exam, variant: str) -> dict[str, str]:
    return {
        f"{number} {key}": answer
        for number, item in enumerate(exam.papers[variant], 1)
        for key, answer in item.drill.right_answers().items()
        if answer
    }


def test_a_paper_is_marked_as_the_command_marks_it(registry: Registry, exam: Exam) -> None:
    papers = [
        {"student": "Ada", "variant": "A", "answers": right(exam, "A")},
        {"student": "=Bob", "variant": "B", "answers": right(exam, "B") | {"2 value:B": "99"}},
        {"student": "Eve", "variant": "b", "answers": {}},
    ]
    answer = ask(registry, exam, papers=papers, at=1)
    assert answer["state"]["marks"] == marks_csv(exam.marked(answer["state"]["table"]))
    rows = list(csv.DictReader(io.StringIO(answer["state"]["marks"])))
    assert [row["total"] for row in rows] == ["20.0", "19.2", "0.0"]
    assert rows[1]["student"] == "'=Bob"
    assert answer["state"]["wrong"] == ["2 value:B"]
    (item,) = exam.marked(answer["state"]["table"])[1].wrong
    assert item.reason in answer["parts"]["points-2"]
    assert "3.2 / 4" in answer["parts"]["points-2"]
    assert "paper" not in answer["parts"]
    with speaking("fr"):
        again = ask(registry, exam, papers=papers, at=2, form=True)
    assert "3,2" in again["parts"]["papers"]
    assert again["state"]["marks"] == answer["state"]["marks"]
    assert "cases sont vides" in again["parts"]["points-1"]
    assert again["parts"]["paper"].count("<fieldset class=\"exam-question\"") == 3  # fmt: skip


def test_a_table_is_taken_in_with_or_without_its_head(registry: Registry, exam: Exam) -> None:
    own = {"student": "Zoé", "variant": "A", "answers": right(exam, "A")}
    table = ask(registry, exam, papers=[own])["state"]["table"]
    assert ask(registry, exam, table="\ufeff" + table)["state"]["papers"] == [own]
    headless = "\t".join(next(csv.reader(io.StringIO(table.splitlines()[1]))))
    answer = ask(registry, exam, table=headless, papers=[own | {"student": "Léa"}], form=True)
    assert [paper["student"] for paper in answer["state"]["papers"]] == ["Léa", "Zoé"]
    assert answer["state"]["at"] == 1
    assert 'value="Zoé"' in answer["parts"]["paper"]
    with pytest.raises(BadFile, match="line 2: there is no variant Q"):
        ask(registry, exam, table="Zoé;Q")


@pytest.mark.parametrize(
    "values",
    [
        {"keys": "{}"},
        {"keys": "title = 1"},
        {"keys": 3},
        {"papers": 3},
        {"papers": ["x"]},
        {"papers": [{"answers": []}]},
        {"papers": [{"variant": "Z"}]},
        {"papers": [{"variant": "A", "answers": {"1 value:A": "x" * 201}}]},
        {"papers": [{"variant": "A"}] * 401},
        {"table": "a,b,c\nx"},
        {"at": -1},
    ],
    ids=str,
)
def test_what_is_no_exam_is_refused(registry: Registry, exam: Exam, values: dict[str, Any]) -> None:
    with pytest.raises((BadFile, BadInput)):
        ask(registry, exam, **values)


def test_keys_are_the_same_for_whoever_reads_them(exam: Exam) -> None:
    keys = to_json(exam.as_data())
    with speaking("fr"):
        assert to_json(exam.as_data()) == keys
        assert exam_of_keys(keys, Path("keys.json")).points == exam.points
    more = json.loads(keys)
    more["papers"]["A"] *= 11
    with pytest.raises(BadFile, match="edited"):
        exam_of_keys(json.dumps(more), Path("keys.json"))


def test_a_french_title_keeps_its_marks_on_its_line(registry: Registry, exam: Exam) -> None:
    titled = replace(exam, title="Contrôle : « jeux »")
    with speaking("fr"):
        part = ask(registry, titled, form=True)["parts"]["paper"]
        page = next(titled.sheets("A"))
    for shown in (part, page):
        assert "Contrôle\N{NO-BREAK SPACE}: «\N{NO-BREAK SPACE}jeux\N{NO-BREAK SPACE}»" in shown


def test_no_page_holds_a_key_before_somebody_brings_it(registry: Registry, exam: Exam) -> None:
    ask(registry, exam)
    made = room.page(registry, Params({"keys": to_json(exam.as_data())}))
    assert "value:" not in made
    with pytest.raises(BadFile):
        room.mark(registry, Params({"papers": []}))


def test_a_teacher_marks_by_keyboard_and_takes_the_marks_along(page: Any, exam: Exam, tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(to_json(exam.as_data()))
    page.goto("/exams")
    assert violations(page) == []
    page.set_input_files("#file", keys)
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    assert violations(page) == []
    page.keyboard.type("Zoé")
    answers = right(exam, "A")
    for column in ("2 value:B", "2 value:A"):
        page.locator(f"[name='{column}']").fill(answers[column])
        page.keyboard.press("Tab")
    expect(page.locator("[data-part=points-2]")).to_contain_text("1.6 / 4")
    page.locator("[name='2 value:C']").fill("99")
    page.keyboard.press("Enter")  # the next paper
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_role("button", name="Zoé", exact=True).click()
    expect(page.locator("[data-part=points-2]")).to_contain_text("99")
    expect(page.locator("[data-column='2 value:C']")).to_have_class("box is-wrong")
    with page.expect_download() as kept:
        page.get_by_role("button", name="Marks (CSV)").click()
    written = Path(kept.value.path()).read_text()
    assert written.startswith("\ufeffstudent,variant,question 1")
    assert "Zoé,A,0.0,1.6,0.0,1.6,20" in written
    with page.expect_download() as kept:  # then nothing is lost that is left
        page.get_by_role("button", name="Answers (CSV)").click()
    page.get_by_label("or its file, answers.csv").set_input_files(kept.value.path())
    expect(page.get_by_role("button", name="Zoé", exact=True)).to_have_count(2)
    page.get_by_label("variant", exact=True).select_option("B")
    expect(page.locator("[data-part=papers] tr.current td").first).to_have_text("B")
    with page.expect_download():
        page.get_by_role("button", name="Answers (CSV)").click()
    page.route("**/exams.mark", lambda route: route.fulfill(status=503, json={"error": "busy"}))
    page.get_by_role("button", name="Next paper").press("Enter")
    expect(page.locator("#notice")).to_have_text("busy")
    expect(page.get_by_role("button", name="Next paper")).to_be_focused()
    page.unroute("**/exams.mark")
    page.get_by_label("Name", exact=True).fill("Léo")
    page.keyboard.press("Tab")
    other = tmp_path / "other.json"
    other.write_text(to_json(Exam("Other", {"A": exam.papers["B"]}).as_data()))
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.set_input_files("#file", other)
    assert asked.value.message == "The papers of the other exam are in no file yet. Leave them?"
    expect(page.get_by_label("Name", exact=True)).to_have_value("Léo")
    page.once("dialog", lambda dialog: dialog.accept())
    page.set_input_files("#file", other)
    expect(page.get_by_role("heading", name="Other")).to_be_visible()
