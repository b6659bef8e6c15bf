"""The course: a sheet as a student works through it, and its verbs asked with values that no page would
send.
"""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from lasting import long, shortly
from playwright.sync_api import expect

from damier.core.errors import UnknownName
from damier.plugins.course import room as course
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.settings import Settings


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(Settings())


def test_answers_are_marked_with_reasons_and_what_was_right_is_kept(page: Any) -> None:
    page.goto("/course")
    page.get_by_role("link", name="Nim: search, then learning by lists").click()
    four = page.locator("#four")
    four.locator("input").fill("3")
    four.get_by_role("button", name="Check").click()
    expect(four.locator(".mark")).to_contain_text("3 is what a human who wants to win would take")
    four.locator("input").fill("two")
    page.keyboard.press("Enter")
    expect(four.locator(".mark")).to_contain_text("a number is needed")
    four.locator("input").fill("2")
    page.keyboard.press("Enter")
    expect(four.locator(".mark")).to_contain_text("2: after 3 the AI would have to take the last match")
    expect(page.locator("[data-score]")).to_have_text("1 of 15 right")
    ends = page.locator("#ends")
    ends.get_by_text("if n = 0 and the AI is to move: give back nil").click()
    ends.get_by_role("button", name="Check").click()
    expect(page.locator("[data-score]")).to_have_text("2 of 15 right")
    never = page.locator("#never")
    for name in ("15", "9"):
        never.get_by_label(name, exact=True).check()
    never.get_by_role("button", name="Check").click()
    expect(never.locator(".mark")).to_contain_text("9 is lost against a good human")
    never.get_by_role("button", name="Show the answer").click()
    expect(never.locator(".mark")).to_contain_text("The answer: 1 · 15")
    call = page.locator("#call")
    call.locator("input").fill("(explore 6 actions 'HUMAIN 0)")
    page.keyboard.press("Enter")
    expect(call.locator(".mark")).to_contain_text("(6 HUMAN) = 3")
    expect(page.locator("[data-score]")).to_have_text("3 of 15 right")
    page.goto("/course")
    expect(page.locator("[data-progress=s1]")).to_have_text("3 of 15 right")


def test_commands_are_typed_as_they_are_printed_and_open_their_rooms(page: Any) -> None:
    page.goto("/course/s1")
    transcript = page.locator("[data-transcript]")
    page.get_by_label("Command", exact=True).fill("(dotimes (x 20) (explore-renf-rec 16 *actions*))")
    page.keyboard.press("Enter")
    expect(transcript).to_contain_text("games played on these lists: 20")
    page.get_by_label("Command", exact=True).fill("(delete-file 1)")
    page.keyboard.press("Enter")
    expect(transcript.locator(".problem")).to_contain_text("not understood. Try (explore 7 actions 'IA 0)")
    page.get_by_role("button", name="(aff *actions*)").click()
    expect(transcript.locator("pre").last).to_contain_text("(1 1)")
    page.get_by_role("button", name="(explore 7 actions 'IA 0)").click()
    expect(transcript).to_contain_text("3: the line hoped for is 3 2 1 1")
    transcript.get_by_role("link", name="Step by step").click()
    page.get_by_text("Step 0 of 13", exact=True).wait_for()


def test_commands_are_answered_in_the_order_in_which_they_were_sent(page: Any) -> None:
    page.goto("/course/s1")
    field, transcript = page.get_by_label("Command", exact=True), page.locator("[data-transcript]")
    for games in ("1000", "7"):  # sent at once, the second long before the first is answered
        field.fill(f"(dotimes (x {games}) (explore-renf-rec 16 *actions*))")
        page.keyboard.press("Enter")
    page.get_by_role("button", name="(aff *actions*)").click()
    said = transcript.locator("pre")
    expect(said).to_have_count(3)
    expect(said.nth(0)).to_contain_text("games played on these lists: 1,000")
    expect(said.nth(1)).to_contain_text("games played on these lists: 1,007")
    expect(said.nth(2)).to_contain_text("(16 …)")
    expect(transcript.locator("code").nth(1)).to_contain_text("(x 7)")
    field.press("ArrowUp")
    field.press("ArrowUp")
    expect(field).to_have_value("(dotimes (x 7) (explore-renf-rec 16 *actions*))")


def test_a_sitting_is_no_longer_than_it_may_be(registry: Registry) -> None:
    asked = {"document": "s1", "text": "(aff *actions*)", "before": ["(renforcement 7 2 *actions*)"] * 200}
    assert "(7 …)   3 × 1  2 × 201" in course.typed_command(registry, Params(asked))["parts"]["typed"]
    asked["before"] = ["n"] * 201
    found = course.typed_command(registry, Params(asked))["parts"]["typed"]
    assert "load the page again to begin anew" in found


@pytest.mark.parametrize("documents", shortly([1, len(course.DOCUMENTS)], 1))
def test_a_sheet_fits_a_phone_in_french(documents: int, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for document in [*course.DOCUMENTS][-documents:]:
        page.goto(f"/course/{document}?lang=fr")
        expect(page.get_by_role("heading", name="Taper une commande du document")).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    edge = page.locator("#edge")
    edge.locator("input").fill("0")
    edge.get_by_role("button", name="Vérifier").click()
    expect(edge.locator(".mark")).to_contain_text("Au centre, O aurait annulé")


def test_the_first_page_and_the_lessons_link_to_the_sheets(http: httpx.Client) -> None:
    assert 'href="/course"' in http.get("/").text
    assert 'href="/course/s2"' in http.get("/lessons/pacman").text
    (door,) = re.findall(
        r'href="(/pacman/laboratory\?[^"]+)"', http.get("/course/s2").text.partition('id="deep"')[2]
    )[:1]
    assert "games=20" in door


@long
def test_the_sheets_are_reached_from_the_first_page_and_from_the_lessons(page: Any) -> None:
    page.goto("/?lang=en")
    page.get_by_role("link", name="guided sheets, their questions marked with reasons").click()
    page.wait_for_url("**/course")
    page.goto("/lessons/pacman?lang=en")
    page.get_by_role("link", name="Questions: the guided sheet of its document").click()
    page.wait_for_url("**/course/s2")
    page.locator("#deep a.link").click()
    page.wait_for_url("**/pacman/laboratory?*")
    expect(page.locator("[name=games]:checked, select[name=games]")).to_have_value("20")


def test_a_training_of_ten_thousand_games_is_played_where_it_is_typed(registry: Registry) -> None:
    from damier.plugins.course.room import typed_command

    train = {"document": "s3", "text": "demo.train(10000);"}
    assert "Agent1: 59% de victoire" in typed_command(registry, Params(train))["parts"]["typed"]
    test = {"document": "s3", "text": "demo.test(trained_agents[0], trained_agents[1], 100);", "before": []}
    assert "what it has learnt in 10,000 games" in typed_command(registry, Params(test))["parts"]["typed"]


def test_every_lesson_with_a_sheet_is_there_and_so_is_the_sheet() -> None:
    from damier.plugins.course.sheet import DOCUMENTS
    from damier.web.rooms.lessons import SHEETS, names

    assert SHEETS.keys() <= set(names())
    assert set(SHEETS.values()) == set(DOCUMENTS)


def test_every_room_that_a_sheet_opens_is_there(registry: Registry) -> None:
    """The links lead to pages of this lab; those of trees are asked for, which would refuse nonsense."""
    from damier.plugins.course.sheet import DOCUMENTS
    from damier.web.rooms import tree

    links = [question.link for parts in DOCUMENTS.values() for part in parts for question in part.questions]
    for link in filter(None, links):
        path, _mark, query = link.partition("?")
        assert path.split("/")[1] in (
            *("", "hexapawn", "nim", "pacman", "tictactoe", "training", "learning", "matchboxes", "tree"),
            *("lessons", "games"),
        )
        if path == "/tree" and "view=" not in query:
            from urllib.parse import parse_qsl

            assert tree.show(registry, Params(dict(parse_qsl(query))))["state"]["steps"] > 0


@pytest.mark.parametrize(
    "values",
    [
        {"answers": "1"},
        {"answers": [1]},
        {"answers": ["x" * 700]},
        {"answers": ["1"] * 99},
        {"answers": {"a": 1}},
    ],
)
def test_strange_answers_are_refused_beside_the_question(registry: Registry, values: dict[str, Any]) -> None:
    found = course.mark(registry, Params({"document": "s0", "name": "theory", **values}))
    assert not found["right"]
    assert "must be at most 20 texts" in found["parts"]["mark-theory"]


def test_what_is_not_there_is_refused(registry: Registry) -> None:
    for function in (course.mark, course.typed_command, course.sheet):
        with pytest.raises(UnknownName):
            function(registry, Params({"document": "s9", "name": "s9", "text": "x"}))
    with pytest.raises(UnknownName):
        course.mark(registry, Params({"document": "s0", "name": "nosuch", "answers": ["1"]}))
    wrong = course.typed_command(registry, Params({"document": "s1", "text": "(aff *actions*)", "before": 5}))
    assert "before must be at most 201 texts" in wrong["parts"]["typed"]
    answer = course.typed_command(registry, Params({"document": "s1", "text": "<b>x</b>"}))
    assert "<b>" not in answer["parts"]["typed"]
