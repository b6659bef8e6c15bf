"""Exercises as people do them: in a browser, with a mouse, keys or a finger; and their verbs, asked with
values that no page would send.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from browsing import Served, violations, visiting
from lasting import long, shortly
from playwright.sync_api import expect

from damier.core.errors import BadInput
from damier.lab.exercises import points as points_of
from damier.lab.exercises.kinds import KINDS, DrillKind, DrillRun, drill
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import exercise
from damier.web.settings import Settings


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(Settings())


def fill_in(page: Any, answers: dict[str, str]) -> None:
    """Puts answers where they belong, as far as they are still open."""
    for key, text in answers.items():
        box = page.locator(f'[data-part=fields] [name="{key}"]:not([type=hidden])')
        if (kind := box.first.get_attribute("type")) in ("checkbox", "radio"):
            for word in text.split():
                choice = page.locator(f'[name="{key}"][value="{word}"]')
                if choice.is_enabled():
                    choice.focus()
                    page.keyboard.press("Space")
        elif kind is None and box.evaluate("box => box.localName") == "select":
            if box.is_enabled():
                box.select_option(text)
        elif box.get_attribute("readonly") is None:
            box.fill(text)


def marked(page: Any, right: int, of: int) -> None:
    page.get_by_role("button", name="Mark", exact=True).click()
    said = "All right." if right == of else f"{right} of {of} right."
    expect(page.locator("[data-part=status]")).to_contain_text(said)


def test_first_right_and_wrong_then_hints_then_reasons_and_the_key(page: Any) -> None:
    page.goto("/tree?view=exercise&kind=minimax&seed=1")
    made = drill("minimax", 1)
    right = made.right_answers()
    of = len(made.fields())
    wrong = right | {"value:A": "77", "value:B": "78"}
    fill_in(page, wrong)
    marked(page, of - 2, of)
    box = page.get_by_label("Value of A", exact=True)
    assert box.get_attribute("aria-invalid") == "true"
    assert box.input_value() == "77"
    assert page.locator(".is-wrong .sign").count() == 2
    assert page.locator(".reasons").count() == 0  # right or wrong, and nothing else
    assert page.locator('[name="value:C"]').get_attribute("readonly") is not None
    box.fill(right["value:A"])
    marked(page, of - 1, of)
    hint = page.locator(".reasons")
    expect(hint).to_contain_text("MIN takes the smallest of what its moves lead to")
    assert right["value:B"] not in hint.inner_text()
    hint.get_by_role("button", name="Value of B").click()
    expect(page.locator('[name="value:B"]')).to_be_focused()
    assert violations(page) == []
    page.locator('[name="value:B"]').fill(right["value:B"])
    marked(page, of, of)
    worth = points_of(made, [wrong, wrong | {"value:A": right["value:A"]}, right])
    expect(page.locator("[data-part=status]")).to_contain_text(f"{worth:g} points of 10")
    assert page.get_by_role("button", name="Mark", exact=True).count() == 0
    page.get_by_role("button", name="Show the key").click()
    page.locator("[data-part=key] svg").wait_for()
    page.get_by_role("button", name="Next exercise").click()
    page.wait_for_url("**seed=2**")
    assert page.locator("[data-part=key] svg").count() == 0
    page.get_by_role("button", name="Show the key").click()
    page.locator("[data-part=key] svg").wait_for()
    expect(page.locator("[data-part=status]")).to_contain_text("0 points of 10")
    assert page.locator("[data-part=status]").inner_text().startswith("0 of")
    assert "MAX takes the largest of" in page.locator(".reasons").inner_text()


def test_branches_are_cut_by_a_click_on_them(page: Any) -> None:
    page.goto("/tree?view=exercise&kind=alphabeta&seed=1")
    made = drill("alphabeta", 1)
    cuts = {key: text.split() for key, text in made.right_answers().items() if key.startswith("cut:")}
    (key, moves), *_others = cuts.items()
    over = f"{key.removeprefix('cut:')}/{moves[0]}"
    branch = page.locator(f'path[data-press="{over}"]')
    page.locator('[name="value:E"]').scroll_into_view_if_needed()
    x, y = branch.evaluate(
        "path => { const p = path.getPointAtLength(0.3 * path.getTotalLength())"
        ".matrixTransform(path.getScreenCTM()); return [p.x, p.y]; }"
    )
    page.mouse.click(x, y)
    tick = page.locator(f'[name="{key}"][value="{moves[0]}"]')
    assert tick.is_checked()
    assert "d-is-cut" in page.locator(f'path[data-branch="{over}"]').get_attribute("class")
    assert page.locator("g.d-below-cut").count() > 0
    page.mouse.click(x, y)
    assert not tick.is_checked()
    assert page.locator("g.d-below-cut").count() == 0


@long
@pytest.mark.parametrize(
    "kind",
    ["alphabeta", "maxn", "evaluation", "minimal", "beads", "retrograde"],
)
def test_every_kind_is_done_from_the_keyboard(page: Any, kind: DrillKind) -> None:
    page.goto(f"/tree?view=exercise&kind={kind}&seed=3")
    made = drill(kind, 3)
    fill_in(page, made.right_answers())
    marked(page, len(made.fields()), len(made.fields()))
    assert page.locator(".is-wrong").count() == 0
    expect(page.locator("[data-part=status]")).to_contain_text("10 points of 10")


def test_enter_goes_to_the_next_box_and_marks_at_the_last(page: Any) -> None:
    page.goto("/tree?view=exercise&kind=q&seed=3")
    page.locator("[name=best]").press("Enter")
    expect(page.locator("[name=target]")).to_be_focused()
    page.locator("[name=target]").press("Enter")
    expect(page.locator("[name=new]")).to_be_focused()
    assert page.locator(".sign").count() == 0


@pytest.mark.parametrize("last", shortly([2, 3], 2))
def test_a_run_its_points_and_what_a_reload_keeps(page: Any, last: int) -> None:
    page.goto(f"/tree?view=exercise&kind=q&seed=9&run={last}")
    run, points = DrillRun("q", 9, last), f"{10 * last - 1.2:.1f} points of {10 * last}"
    for number in range(1, last):
        page.get_by_role("heading", name=f"Exercise {number} of {last}").wait_for()
        fill_in(page, run.drill(number).right_answers())
        marked(page, 4, 4)
        page.get_by_role("button", name="Next exercise").click()
    page.get_by_role("heading", name=f"Exercise {last} of {last}").wait_for()
    assert page.locator(".progress .is-closed .points").all_inner_texts() == ["10"] * (last - 1)
    fill_in(page, run.drill(last).right_answers() | {"target": "77"})
    marked(page, 3, 4)
    page.reload()
    expect(page.locator("[data-part=status]")).to_contain_text("3 of 4 right.")
    assert page.locator("[name=target]").input_value() == "77"
    page.locator("[name=target]").fill(run.drill(last).right_answers()["target"])
    marked(page, 4, 4)
    result = page.locator(".result")
    expect(result).to_contain_text(points)
    assert violations(page) == []
    page.locator("#runs summary").click()
    expect(page.locator("#runs tbody tr")).to_contain_text(points.replace("points of", "/"))
    page.reload()
    expect(result).to_contain_text(points)
    page.locator(".progress [data-item='1']").click()
    page.get_by_role("heading", name=f"Exercise 1 of {last}").wait_for()
    expect(page.locator("[data-part=status]")).to_contain_text("10 points of 10")
    page.get_by_role("button", name="The same again").press("Enter")
    expect(page.locator("[data-part=task]")).to_be_focused()
    expect(page.locator(".progress .is-closed")).to_have_count(0)
    assert page.locator("[name=target]").input_value() == ""
    assert page.locator(".result").count() == 0


@long
def test_one_exercise_alone_stands_as_it_stood_when_it_is_loaded_again(page: Any) -> None:
    page.goto("/tree?view=exercise&kind=q&seed=3&lang=en")
    page.wait_for_function("() => !location.search.includes('lang')")
    assert page.url.endswith("/tree?view=exercise&kind=q&seed=3")
    page.locator("[name=new]").fill("12")
    page.get_by_role("button", name="Mark", exact=True).click()
    page.wait_for_selector(".standing strong")
    page.reload()
    page.wait_for_selector(".standing strong")
    assert page.locator("[name=new]").input_value() == "12"
    page.get_by_role("button", name="Show the key").click()
    page.get_by_role("button", name="Do it again").click()
    page.wait_for_selector(".standing .quiet")
    assert page.locator("[name=new]").input_value() == ""
    page.reload()
    page.wait_for_selector(".standing .quiet")


def test_another_kind_another_size_another_run(page: Any) -> None:
    page.goto("/tree?view=exercise")
    page.get_by_role("heading", name="Exercise 1 of 10: Minimax").wait_for()
    page.locator("#kind").select_option("beads")
    page.get_by_role("heading", name="Exercise 1 of 10: Beads after a game").wait_for()
    page.locator("#kind").select_option("minimal")
    page.get_by_text("Size of the trees").click()
    page.locator("#branching").fill("2")
    page.locator("#plies").fill("2")
    page.get_by_role("button", name="One exercise").click()
    page.wait_for_url("**branching=2&plies=2**")
    assert page.locator("[data-part=fields] input[type=checkbox]").count() == 2
    page.locator("#plies").fill("8")
    page.locator("#branching").fill("8")
    page.get_by_role("button", name="One exercise").click()
    expect(page.locator("#notice")).to_contain_text("256 at most")
    page.go_back()
    page.get_by_role("heading", name="Exercise 1 of 10: The minimal tree").wait_for()


@pytest.mark.parametrize("run", shortly([2, 9], 2))
def test_a_sheet_for_a_class_is_printed_with_or_without_its_key(page: Any, run: int) -> None:
    page.goto(f"/tree?view=exercise&kind=mixed&seed=4&run={run}")
    page.get_by_role("link", name="Print all").click()
    page.get_by_role("heading", name=f"Exercise {run} of {run}").wait_for()
    assert page.locator(".sheet-page svg").count() == run
    assert page.locator(".sheet-page.key").count() == 0
    page.get_by_role("link", name="With the key").click()
    page.wait_for_url("**keys=1**")
    assert page.locator(".sheet-page.key svg").count() == run
    page.emulate_media(media="print")
    first = page.locator(".sheet-page.key").first
    assert first.evaluate("part => getComputedStyle(part).breakBefore") == "page"
    assert not page.locator("#print").is_visible()


SMALLEST = """svg => Math.min(...[...svg.querySelectorAll("text")].map(
  (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d))"""
"""Pixels of the smallest text of a picture."""


@pytest.fixture
def phone(browser: Any, served: Served) -> Iterator[Any]:
    screen = {"width": 390, "height": 844}
    yield from visiting(browser, served, viewport=screen, has_touch=True, is_mobile=True)


def test_on_a_phone_a_pad_types_and_the_tree_scrolls_inside(phone: Any) -> None:
    page = phone.new_page()
    page.goto("/tree?view=exercise&kind=alphabeta&seed=1")
    box = page.get_by_label("Value of D", exact=True)
    assert page.locator("#pad").is_hidden()
    box.tap()
    assert box.get_attribute("inputmode") == "none"
    for sign in ("1", "2", "-"):
        page.locator(f"#pad [data-sign='{sign}']").tap()
    page.get_by_role("button", name="Erase").tap()
    assert box.input_value() == "12"
    page.get_by_role("button", name="Next box").tap()
    expect(page.get_by_label("Value of E", exact=True)).to_be_focused()
    assert box.bounding_box()["height"] >= 39
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    stage = page.locator(".sheet-stage")
    assert stage.evaluate("stage => stage.scrollWidth > stage.clientWidth")
    page.get_by_role("button", name="All of it").tap()
    assert stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    page.get_by_role("button", name="Larger").tap()
    assert stage.evaluate("stage => stage.scrollWidth > stage.clientWidth")


@pytest.mark.parametrize("kind", shortly(["q", "beads"], "beads"))
def test_on_a_phone_no_box_is_outside_where_all_can_be_read(phone: Any, kind: str) -> None:
    page = phone.new_page()
    page.goto(f"/tree?view=exercise&kind={kind}&seed=1")
    stage = page.locator(".sheet-stage")
    assert stage.evaluate("stage => stage.scrollWidth <= stage.clientWidth")
    fields = page.locator(".answer input, .answer select")
    for field in fields.all():
        expect(field).to_be_in_viewport(ratio=1)
    below = fields.last.bounding_box()
    page.touchscreen.tap(below["x"] + below["width"] / 2, below["y"] + below["height"] + 2)
    expect(fields.last).to_be_focused()


@pytest.mark.parametrize(
    ("width", "kind"),
    shortly(product((390, 1280), KINDS[:-1]), (390, "retrograde"), (1280, KINDS[0])),
)
def test_the_smallest_text_of_an_exercise_can_be_read(page: Any, kind: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/tree?view=exercise&kind={kind}&seed=1")
    drawn = page.locator(".sheet-paper svg").evaluate(SMALLEST)
    assert drawn >= 10.99


# --- its verbs


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_the_key_of_an_exercise_is_not_in_its_page(registry: Registry, kind: DrillKind) -> None:
    page = exercise.page(registry, Params({"kind": kind, "seed": 5}))
    made = drill(kind, 5)
    assert not re.search(r"[αβ] =|already has|best move at A:", page) or kind == "q"
    assert not any(sentence in page for sentence in made.solution())
    assert not any(mark.reason in page for mark in made.marked({}))
    assert "is-wrong" not in page


@pytest.mark.parametrize(
    "values",
    [
        {"answers": 5},
        {"answers": {"value:A": 3}},
        {"answers": {"value:A": "x" * 1000}},
        {"answers": {str(n): "" for n in range(1000)}},
        {"before": 5},
        {"before": [5]},
        {"before": [{}, {}, {}]},
        {"kind": "chess"},
        {"branching": 9},
        {"branching": "many"},
        {"branching": 8, "plies": 8},
        {"run": 21},
        {"run": 3, "item": 4},
        {"run": 3, "seed": 1 << 52},
        {"kind": "expectimax", "plies": True},
    ],
)
def test_what_no_page_sends_is_refused(registry: Registry, values: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        exercise.mark(registry, Params({"kind": "minimax", "seed": 1, "answers": {}} | values))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("items", [5, [5], [[5]], [[{}] * 4], [[]] * 21])
def test_runs_that_no_page_sends_are_refused(registry: Registry, items: Any) -> None:
    with pytest.raises(BadInput):
        exercise.result(registry, Params({"kind": "q", "run": 2, "items": items}))
    with pytest.raises(BadInput, match="only a run"):
        exercise.result(registry, Params({"kind": "q"}))
    with pytest.raises(BadInput, match="run=10"):
        exercise.sheet(registry, Params({"kind": "q"}))


def test_answers_to_questions_that_nobody_asked_change_nothing(registry: Registry) -> None:
    plain = exercise.mark(registry, Params({"kind": "minimax", "seed": 1, "answers": {}}))
    strange = {"value:<b>": "3", "cut:A": "a"}
    more = exercise.mark(registry, Params({"kind": "minimax", "seed": 1, "answers": strange}))
    assert (more["right"], more["of"]) == (plain["right"], plain["of"])
    assert "<b>" not in more["parts"]["fields"]


def test_who_gives_up_keeps_what_was_right_before(registry: Registry) -> None:
    right = drill("q", 1).right_answers()
    asked = {"kind": "q", "seed": 1, "answers": right, "before": [right | {"new": "9"}], "given_up": True}
    found = exercise.mark(registry, Params(asked))
    assert (found["closed"], found["points"]) == (True, 7.5)


def test_what_somebody_answers_is_escaped(registry: Registry) -> None:
    answers = {"best": '"><script>', "greedy": "<b>"}
    found = exercise.mark(registry, Params({"kind": "q", "seed": 1, "answers": answers}))
    assert "<script>" not in found["parts"]["fields"]
    assert "<b>" not in found["parts"]["fields"]


@pytest.mark.parametrize("kind", shortly(["minimal", "retrograde", "evaluation"], "evaluation"))
def test_boxes_outside_of_the_picture_are_counted_and_gone_to(phone: Any, kind: str) -> None:
    page = phone.new_page()
    page.goto(f"/tree?view=exercise&kind={kind}&seed=1")
    hint = page.locator("#outside")
    expect(hint).to_have_text(re.compile("[←↑→↓] [0-9]+ more box"))
    assert page.locator(".sheet-stage").evaluate(OUTSIDE) == int(re.sub("[^0-9]", "", hint.inner_text()))
    before = hint.inner_text()
    hint.tap()
    expect(hint).not_to_have_text(before)
    page.get_by_role("button", name="All of it").click()
    page.locator(".sheet-stage").evaluate("stage => stage.scrollTo(0, 0)")
    expect(page.locator("#outside")).not_to_have_text(re.compile("[←→]"))


OUTSIDE = """stage => {
  const view = stage.getBoundingClientRect();
  return [...stage.querySelectorAll("[data-over]:not([hidden])")].filter((field) => {
    const { x, y, width, height } = field.getBoundingClientRect();
    const across = x + width / 2, down = y + height / 2;
    return across < view.left || across > view.right || down < view.top || down > view.bottom;
  }).length;
}"""
