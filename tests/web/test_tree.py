"""The tree room: what a person does there, in a browser; and its verbs, asked with values that no
page would send.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, violations
from lasting import long, shortly
from playwright.sync_api import expect

from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.tree import written_value
from damier.core.words import _
from damier.trees.explicit import EXAMPLES, default_algorithm, read, search, suitable
from damier.trees.tree_text import facts, load, parse
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import tree
from damier.web.settings import Settings

LESSONS = Path(__file__).parent.parent.parent / "docs" / "lessons"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(Settings())


def show(registry: Registry, **values: Any) -> dict[str, Any]:
    return tree.show(registry, Params(values))


def step_of(page: Any, n: int, of: int) -> None:
    page.get_by_text(f"Step {n} of {of}", exact=True).wait_for()


# --- in the browser


PHONE = {"width": 390, "height": 844}
SMALL = """() => [...document.querySelectorAll(".tree-outline *")].filter((element) =>
  [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) &&
  parseFloat(getComputedStyle(element).fontSize) < 11).length"""


def outline_of(page: Any) -> list[str]:
    """The lines that can be seen."""
    return [" ".join(line.split()) for line in page.locator(".outline .line:visible").all_inner_texts()]


@long
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize(
    ("game", "plies"), [("hexapawn", 3), ("hexapawn", 4), ("tictactoe", 2), ("hexapawn", 2)]
)
def test_a_phone_shows_a_tree_line_by_line(page: Any, algorithm: str, game: str, plies: int) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/tree?game={game}&plies={plies}&algorithm={algorithm}")
    stage, outline = page.locator(".tree-stage"), page.locator(".tree-outline")
    expect(outline.locator(".line").first).to_be_visible()
    expect(stage).to_be_hidden()
    here = outline.locator(".line[aria-current=step]")
    steps = int(page.locator("#step").get_attribute("max"))
    for step in (1, 5, steps // 2, steps):
        page.locator("#step").fill(str(step))
        step_of(page, step, steps)
        if step < steps:
            expect(here).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert outline.evaluate("box => box.scrollWidth <= box.clientWidth")
        assert page.evaluate(SMALL) == 0
    assert violations(page) == []
    page.get_by_role("button", name="Lines").click()
    expect(stage).to_be_visible()
    expect(stage.locator("svg")).to_have_count(1)
    expect(outline).to_be_hidden()


def test_lines_say_what_the_picture_shows(page: Any) -> None:
    """The move, who moves, the value, the window, and why the rest was cut."""
    page.goto("/tree?step=15")
    page.get_by_role("button", name="Lines").click()
    line = page.locator(".outline .line[aria-current=step]")
    expect(line).to_contain_text("MIN already has 2 ≤ α = 3: MAX will not come here")
    assert outline_of(page)[:3] == ["▲ MAX A 3 … [3, ∞]", "a ▼ MIN B 3 [-∞, 3]", "a 3 best"]
    expect(line).to_contain_text("b ▼ MIN C ≤ 2")
    assert "b ✕ 4 not looked at" in outline_of(page)
    page.keyboard.press("ArrowRight")
    step_of(page, 16, 26)
    expect(line).to_contain_text("▲ MAX A 3 …")


def test_a_line_is_folded_and_stays_so(page: Any) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/tree?step=12")
    expect(page.locator(".tree-stage")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    branch = page.locator("details[data-place='1']")
    branch.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(branch).not_to_have_attribute("open", "")
    seen = len(outline_of(page))
    page.keyboard.press("ArrowRight")
    step_of(page, 13, 26)
    assert len(outline_of(page)) == seen
    expect(branch.locator("summary").first).to_be_focused()
    page.keyboard.press("Space")
    assert len(outline_of(page)) == seen + 3
    branch = page.locator("details[data-place='5']")
    branch.locator("summary").first.click()
    page.get_by_role("button", name="One step on").click()
    step_of(page, 14, 26)
    expect(branch).to_have_attribute("open", "")  # the search is in it


@long
def test_the_page_of_a_small_tree_brings_its_lines_for_a_phone_without_a_program(
    browser: Any, served: Served
) -> None:
    context = browser.new_context(base_url=served.address, java_script_enabled=False, viewport=PHONE)
    context.request.get(f"/?token={served.key}")
    still = context.new_page()
    still.goto("/tree?step=26")
    expect(still.locator(".tree-stage")).to_be_hidden()
    assert len(outline_of(still)) == 13
    context.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_lines_stand_as_deep_as_their_places(registry: Registry, name: str) -> None:
    answer = show(registry, tree=name, step=99, outline=True)
    lines = answer["parts"]["outline"]
    assert "tree" not in answer["parts"], "one of both is sent"
    assert lines.count("<ul") == lines.count("</ul>")
    assert lines.count("<li") == lines.count("</li>")
    assert lines.count("<details") == lines.count("</details>")


def test_a_search_of_states_has_lines_too(registry: Registry) -> None:
    asked = {"tree": "game", "game": "nim:matches=6", "algorithm": "andor", "outline": True}
    begins, ends = (show(registry, **asked, step=step)["parts"]["outline"] for step in (1, 99))
    assert begins.count("<li") < ends.count("<li")
    assert "HUMAN" in ends
    assert "decides" in ends


def test_a_tree_is_presented_on_the_whole_screen_and_stepped_by_a_clicker(page: Any) -> None:
    page.goto("/tree?present")
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.locator("#question")).to_be_hidden()
    step_of(page, 0, 26)
    current = page.locator("[data-part=code] [aria-current]")
    for n, line in enumerate(("initialize v = -∞", "initialize v = +∞"), 1):
        page.keyboard.press("PageDown")
        step_of(page, n, 26)
        expect(current).to_have_text(line)
    readings = page.locator(".readings")
    expect(readings).to_have_text(re.compile(r"α\s*-∞\s*β\s*∞"))
    page.goto("/tree?step=11&present")
    step_of(page, 11, 26)
    for n in range(12, 15):
        page.keyboard.press(("PageDown", "ArrowRight", " ")[n % 3])
        step_of(page, n, 26)
    expect(current).to_have_text("if v ≤ α return v")
    expect(readings).to_have_text(re.compile(r"α\s*3\s*β\s*∞\s*v\s*2"))
    stage = page.locator(".tree-stage svg").bounding_box()
    assert stage["height"] > page.viewport_size["height"] / 3
    page.keyboard.press("PageUp")
    step_of(page, 13, 26)
    expect(page).to_have_url(re.compile("step=13&present"))
    page.reload()
    step_of(page, 13, 26)
    expect(page.get_by_role("banner")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("banner")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present"))
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("banner")).to_be_hidden()


@long
def test_both_ways_of_writing_minimax_have_their_current_line(page: Any) -> None:
    page.goto("/tree?tree=single&algorithm=minimax&step=2")
    code = page.locator("[data-part=code]")
    expect(code.locator("pre:visible [aria-current]")).to_have_text(
        ["    if the next agent is MAX: return max-value(state)", "    initialize v = -∞"]
    )
    page.get_by_label("Which pseudo-code of the slides").select_option("two")
    expect(code.locator("pre:visible")).to_have_count(1)
    page.get_by_role("button", name="One step on").click()
    expect(code.locator("pre:visible [aria-current]")).to_have_text(
        "        v = max(v, min-value(successor))"
    )
    page.goto("/tree?tree=chance")
    expect(page.locator("#code-panel")).to_be_hidden()


def test_a_search_is_told_forwards_and_back(page: Any) -> None:
    page.goto("/tree")
    step_of(page, 0, 26)
    page.get_by_role("button", name="One step on").click()
    step_of(page, 1, 26)
    assert "MAX moves at A" in page.locator("[data-part=said]").inner_text()
    for _press in range(3):
        page.keyboard.press("ArrowRight")
    step_of(page, 4, 26)
    page.keyboard.press("ArrowLeft")
    step_of(page, 3, 26)
    assert "B,a is worth 3" in page.locator("[data-part=said]").inner_text()
    assert "B,a is worth 3" in page.locator("li[aria-current=step]").inner_text()
    page.keyboard.press("End")
    step_of(page, 26, 26)
    assert "value 3; best move: a" in page.locator("[data-part=said]").inner_text()
    page.get_by_role("button", name="To the start").click()
    step_of(page, 0, 26)
    page.get_by_role("button", name="To the end").click()
    step_of(page, 26, 26)
    page.keyboard.press("ArrowLeft")
    step_of(page, 25, 26)
    page.keyboard.press("End")
    page.wait_for_url("**/tree?*step=26")
    page.reload()
    step_of(page, 26, 26)


@long
def test_the_reason_of_a_cut(page: Any) -> None:
    page.goto("/tree")
    page.get_by_role("button", name="Next cut").click()
    said = page.locator("[data-part=said]")
    expect(said).to_contain_text("MAX will not come here; not looked at: b, c")
    expect(said.locator("dd")).to_have_text(["3", "∞", "2"])


def test_a_search_plays_by_itself_and_stops(page: Any) -> None:
    page.goto("/tree?tree=ties&step=12")
    step_of(page, 12, 15)
    page.locator("#pace").select_option(label="fast")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("button", name="Pause").wait_for()
    step_of(page, 15, 15)
    page.get_by_role("button", name="Run").wait_for()


@long
def test_false_values_are_told_where_they_occur(page: Any) -> None:
    page.goto("/tree?tree=ties&step=13")
    said = page.locator("[data-part=said]")
    assert "3 is only a bound: C is worth 1" in said.inner_text()
    page.keyboard.press("End")
    step_of(page, 15, 15)
    assert "b came back with the value of the best move, and is worth 1" in said.inner_text()
    page.locator("#prune").select_option("strict")
    page.wait_for_url("**prune=strict**")
    said.get_by_text("value 3; best move: a").wait_for()
    assert page.locator("[data-part=said] .false").count() == 0


def test_the_order_of_the_moves_changes_the_work(page: Any) -> None:
    page.goto("/tree?tree=random&seed=1&branching=3&depth=3")
    leaves = page.locator("[data-part=work] tr", has_text="leaves read").locator("td").nth(1)
    order = page.locator("#order")
    order.focus()
    page.keyboard.press("Home")
    page.get_by_text("The worst moves come first").wait_for()
    assert leaves.inner_text() == "27"
    page.keyboard.press("End")
    page.get_by_text("The best moves come first: 11 of 27").wait_for()
    assert leaves.inner_text() == "11"
    page.get_by_role("button", name="As written").click()
    page.get_by_text("The moves stand as they were written").wait_for()
    assert "order=" not in page.url


@long
def test_weak_and_strict_cuts_are_told_apart(page: Any) -> None:
    page.goto("/tree?tree=ties")
    leaves = page.locator("[data-part=work] tr", has_text="leaves read").locator("td").nth(1)
    assert leaves.inner_text() == "3"
    page.locator("#prune").select_option("strict")
    page.wait_for_url("**prune=strict**")
    assert leaves.inner_text() == "4"


@pytest.mark.parametrize("seed", range(30))
def test_after_strict_cuts_what_comes_back_as_the_best_is_the_best(registry: Registry, seed: int) -> None:
    values = {
        "tree": "random",
        "seed": seed,
        "depth": 2 + seed % 3,
        "largest": 4,
        "algorithm": "alphabeta",
        "prune": "strict",
    }
    this = tree.search_trace(registry, tree.Question.of_address(Params(values)))
    assert not any(false_tie for *_row, false_tie in tree.root_moves(this, this.end))


@long
def test_another_algorithm_and_another_tree(page: Any) -> None:
    page.goto("/tree")
    page.locator("#algorithm").select_option("minimax")
    step_of(page, 0, 29)
    assert page.locator("#ordering").is_hidden()
    page.locator("#tree").select_option("players")
    page.wait_for_url("**/tree?tree=players&algorithm=maxn")
    page.locator("#tree").select_option("chance")
    page.wait_for_url("**/tree?tree=chance&algorithm=expectimax")
    page.go_back()
    page.wait_for_url("**tree=players**")
    page.get_by_text("player 1").first.wait_for(state="attached")


def test_a_tree_of_ones_own(page: Any) -> None:
    page.goto("/tree")
    page.get_by_role("button", name="Edit this tree").click()
    box = page.get_by_label("Brackets are nodes")
    assert box.input_value() == EXAMPLES["classic"].text
    box.fill("((1 2) (3 x))")
    page.get_by_role("button", name="Show this tree").click()
    page.get_by_text("character 11 of the tree: x has no meaning in a tree").wait_for()
    box.fill("max(4 chance(1/2:3 1/2:8))")
    page.get_by_role("button", name="Show this tree").click()
    page.wait_for_url("**algorithm=expectimax**")
    page.keyboard.press("Tab")
    page.locator("[data-go=last]").click()
    page.get_by_text("value 5.5; best move: b").wait_for()
    page.wait_for_url("**step=11")
    page.reload()
    page.get_by_text("value 5.5; best move: b").wait_for()


@long
def test_a_long_tree_stays_in_its_window(page: Any, visitor: Any) -> None:
    text = "(" + " ".join(["(3000001 12000001 8000001)"] * 64) + ")"
    page.goto("/tree?tree=text&text=(1%202)")
    page.get_by_label("Brackets are nodes").fill(text)
    page.get_by_role("button", name="Show this tree").click()
    page.wait_for_url("**kept=1**")
    page.reload()
    page.wait_for_function("n => document.getElementById('text')?.value.length === n", arg=len(text))
    other = visitor.new_page()
    other.goto(page.url)
    other.get_by_text("was typed in another window").wait_for()


def test_the_tree_of_a_game(page: Any) -> None:
    page.goto("/tree?game=nim:matches=6&moves=1&plies=0")
    assert page.locator("#tree").input_value() == "game"
    page.locator("[data-go=last]").click()
    page.locator("[data-part=said] strong").wait_for()
    link = page.get_by_role("link", name="Open this position on the board")
    assert link.get_attribute("href") == "/nim:matches=6?moves=1"
    page.locator("#game").fill("tictactoe")
    page.locator("#moves").fill("")
    page.get_by_role("button", name="Show this tree").click()
    page.get_by_text("up to 1,500 nodes are shown on a page").wait_for()
    page.locator("#plies").fill("2")
    page.get_by_role("button", name="Show this tree").click()
    step_of(page, 0, 69)


@long
def test_an_evaluation_says_what_the_last_positions_are_worth(page: Any) -> None:
    page.goto("/tree?game=hexapawn&plies=1")
    page.locator("#evaluate").fill("2*pawns+advance")
    page.get_by_role("button", name="Show this tree").click()
    page.wait_for_url("**evaluate=2*")
    page.locator("[data-go=last]").click()
    page.get_by_text("value 1; 3 best moves").wait_for()
    page.locator("#evaluate").fill("queens")
    page.get_by_role("button", name="Show this tree").click()
    page.get_by_text("has no feature queens").wait_for()


@long
def test_what_was_refused_stays_said_when_an_earlier_question_is_answered(page: Any) -> None:
    held: list[Any] = []
    page.route("**/ask/tree.steps", lambda question: held.append(question), times=1)
    page.goto("/tree?game=hexapawn&plies=1")
    page.locator("#evaluate").fill("queens")
    page.get_by_role("button", name="Show this tree").click()
    expect(page.locator("#notice")).to_contain_text("has no feature queens")
    for question in held:
        question.continue_()
    page.get_by_role("button", name="One step on").click()
    step_of(page, 1, 8)
    expect(page.locator("#notice")).to_contain_text("has no feature queens")
    page.locator("#evaluate").fill("pawns")
    page.get_by_role("button", name="Show this tree").click()
    expect(page.locator("#notice")).to_be_empty()


@long
def test_a_wide_picture_follows_the_search(page: Any) -> None:
    page.goto("/tree?game=tictactoe&plies=2")
    stage = page.locator(".tree-stage")
    page.locator("[data-go=last]").click()
    step_of(page, 69, 69)
    assert stage.get_attribute("data-zoom") == "free"
    page.locator("[data-go=back]").click()
    step_of(page, 68, 69)
    ring, view = page.locator(".tree-stage .d-ring").bounding_box(), stage.bounding_box()
    assert view["x"] <= ring["x"] <= ring["x"] + ring["width"] <= view["x"] + view["width"] + 1
    page.locator("#zoom").select_option("fit")
    assert stage.evaluate("box => box.scrollWidth <= box.clientWidth")


@long
def test_the_graph_of_a_game(page: Any) -> None:
    page.goto("/tree?view=graph")
    size = page.locator("[data-part=size]")
    assert "12" in size.locator("tr", has_text="different positions").inner_text()
    page.locator("#kind").select_option("complete")
    page.wait_for_url("**kind=complete**")
    page.locator("#game").fill("tictactoe")
    page.get_by_role("button", name="Draw").click()
    page.get_by_text("up to 1,500 are drawn").wait_for()
    page.locator("#plies").fill("1")
    page.get_by_role("button", name="Draw").click()
    page.wait_for_url("**plies=1**")
    assert "10" in size.locator("tr", has_text="different positions").inner_text()


def test_of_two_questions_the_later_one_is_shown_whichever_is_answered_first(page: Any) -> None:
    held: list[Any] = []
    page.goto("/tree?view=graph")
    page.route("**/ask/graph.show", lambda question: held.append(question), times=1)
    page.locator("#kind").select_option("complete")
    while not held:
        page.wait_for_timeout(10)
    page.locator("#game").fill("nim:matches=5")
    page.get_by_role("button", name="Draw").click()
    page.wait_for_url("**matches=5**")
    with page.expect_response("**/ask/graph.show") as late:
        held[0].continue_()
    late.value.finished()
    # the page has gone on
    page.evaluate(
        "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
    )
    assert "matches=5" in page.url


# --- the verbs


def test_the_examples_are_those_of_the_lesson() -> None:
    for name, file in (("classic", "classic_tree.json"), ("ties", "wrong_inner_values.json")):
        ours, theirs = parse(EXAMPLES[name].text), load(LESSONS / file)
        assert [node.value for node in ours.nodes if not node.moves] == [
            node.value for node in theirs.nodes if not node.moves
        ]
        assert search(ours, "alphabeta").reads == search(theirs, "alphabeta").reads


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_shown_by_every_algorithm_that_suits_it(registry: Registry, name: str) -> None:
    found = parse(EXAMPLES[name].text)
    assert default_algorithm(found) in suitable(found)
    assert _(EXAMPLES[name].name)
    for algorithm in suitable(found):
        answer = show(registry, tree=name, algorithm=algorithm)
        last = show(registry, tree=name, algorithm=algorithm, step=answer["state"]["steps"])
        assert f"value {written_value(search(found, algorithm).value)}" in last["parts"]["said"]


def test_the_file_of_a_tree_can_be_typed_in(registry: Registry) -> None:
    text = json.dumps(facts(parse(EXAMPLES["ghosts"].text)))
    assert (
        show(registry, tree="text", text=text)["state"]["steps"]
        == show(registry, tree="ghosts")["state"]["steps"]
    )
    with pytest.raises(BadInput):
        read('{"format": "damier-agent/1"}')


def test_steps_come_a_few_at_a_time_and_are_those_that_are_shown(registry: Registry) -> None:
    found = tree.steps(registry, Params({"tree": "classic", "first": 3, "count": 4}))["steps"]
    assert list(found) == [3, 4, 5, 6]
    assert found[5]["said"] == show(registry, tree="classic", step=5)["parts"]["said"]
    assert list(tree.steps(registry, Params({"tree": "classic", "first": 26, "count": 8}))["steps"]) == [26]
    assert tree.steps(registry, Params({"tree": "classic", "first": 27}))["steps"] == {}


HOSTILE: list[dict[str, Any]] = [
    {"tree": "nothing"},
    {"tree": ["classic"]},
    {"tree": "classic", "algorithm": "quick"},
    {"tree": "classic", "prune": 1},
    {"tree": "classic", "order": 11},
    {"tree": "classic", "order": "best"},
    {"tree": "classic", "step": -1},
    {"tree": "classic", "step": True},
    {"tree": "chance", "algorithm": "alphabeta"},
    {"tree": "random", "branching": 8, "depth": 8},
    {"tree": "random", "seed": 1 << 60},
    {"tree": "random", "branching": 1},
    {"tree": "text"},
    {"tree": "text", "text": "(" * 100_000},
    {"tree": "text", "text": "{"},
    {"tree": "text", "text": '{"root": "a", "nodes": {"a": {"player": 0, "moves": [["x", "a"]]}}}'},
    {"tree": "text", "text": "[" * 5_000},
    {"tree": "game", "game": "../secret.py"},
    {"tree": "game", "game": "pacman:file=/etc/passwd"},
    {"tree": "game", "game": "tictactoe", "plies": 9},
    {"tree": "game", "game": "tictactoe", "moves": "9"},
    {"tree": "game", "game": "tictactoe", "moves": 5},
    {"tree": "game", "game": "tictactoe", "evaluate": "__import__"},
]


@pytest.mark.parametrize("values", HOSTILE, ids=lambda values: str(values)[:60])
def test_what_no_page_asks_is_refused_in_a_line(registry: Registry, values: dict[str, Any]) -> None:
    with pytest.raises(DamierError) as refused:
        show(registry, **values)
    assert "\n" not in str(refused.value)


def test_what_is_too_large_is_refused_before_it_is_searched(registry: Registry) -> None:
    doubled = {
        f"n{i}": {"player": i % 2, "moves": [["a", f"n{i + 1}"], ["b", f"n{i + 1}"]]} for i in range(60)
    } | {"n60": {"value": 1}}
    with pytest.raises(LimitReached, match="1,500 nodes"):
        show(registry, tree="text", text=json.dumps({"root": "n0", "nodes": doubled}))


def test_names_are_escaped(registry: Registry) -> None:
    nodes = {
        "<b>": {"player": 0, "moves": [["<i>", "x"], ['"y', "<img src=x>"]]},
        "x": {"value": 1},
        "<img src=x>": {"value": 2},
    }
    answer = show(registry, tree="text", text=json.dumps({"root": "<b>", "nodes": nodes}), step=1000)
    assert not any(
        mark in part for mark in ("<b>", "<i>", "<img") for part in map(str, answer["parts"].values())
    )


def test_graphs_that_no_page_shows(registry: Registry) -> None:
    for values in (
        {"game": "nothing"},
        {"kind": "all"},
        {"plies": -1},
        {"game": "tictactoe", "kind": "complete"},
    ):
        with pytest.raises(DamierError):
            tree.graph_show(registry, Params(values))


def test_beside_a_graph_without_values_is_why(registry: Registry) -> None:
    small, large = (
        tree.graph_show(registry, Params({"game": game, "kind": "truncated", "plies": 1}))["parts"]["size"]
        for game in ("nim:matches=6", "connect_four")
    )
    assert "no exact values" not in small
    assert large.count("no exact values: connect_four:width=7,height=6,in_a_row=4 has more") == 1


# --- the searches of document S1


@long
def test_explore_is_told_with_its_trace_and_a_list_of_visited_states(page: Any) -> None:
    page.goto("/tree?tree=game&game=nim:matches=4&algorithm=dfs&winner=2")
    step_of(page, 0, 11)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    step_of(page, 2, 11)
    said = page.locator("[data-part=said]")
    expect(said).to_contain_text("HUMAN plays 3: (1 AI)")
    expect(said.locator("dd")).to_have_text("(4\u00a0HUMAN) (1\u00a0AI)")
    assert page.locator("li[aria-current=step]").inner_text() == "   HUMAN plays 3 → (1 AI)"
    page.keyboard.press("End")
    step_of(page, 11, 11)
    expect(said).to_contain_text("2: the line hoped for is 2 1 1")
    page.get_by_role("link", name="The mixed search of the same state").click()
    expect(said).to_contain_text("One good move for us")
    page.goto(page.url + "&step=99")
    expect(said).to_contain_text("NIL: no forced win")
    page.locator("#algorithm").select_option("bfs")
    page.wait_for_url("**algorithm=bfs**")
    expect(said.locator("dt").last).to_contain_text("queue")
    page.locator("#algorithm").select_option("alphabeta")
    page.wait_for_url("**algorithm=alphabeta**")
    expect(said).to_contain_text("value")


def test_a_search_of_states_is_asked_with_strange_values(registry: Registry) -> None:
    space = {"tree": "game", "game": "nim:matches=5", "algorithm": "bfs"}
    found = tree.steps(registry, Params({**space, "first": 3, "count": 2}))["steps"]
    assert list(found) == [3, 4]
    assert show(registry, **space, step=999)["state"]["step"] == show(registry, **space)["state"]["steps"]
    for wrong in (
        {"winner": 3},
        {"game": "pig"},
        {"game": "tictactoe"},
        {"algorithm": "andor", "game": "go"},
    ):
        with pytest.raises(DamierError):
            show(registry, **{**space, **wrong})
    with pytest.raises(BadInput):
        show(registry, tree="classic", algorithm="dfs")


@pytest.mark.parametrize("width", shortly([390, 1280], 390))
def test_the_words_beside_the_order_of_the_moves_stay_in_their_panel(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/tree?lang=fr")
    assert page.locator("#ordering .order").evaluate(
        """label => {
          const words = document.createRange(), right = (part) => part.getBoundingClientRect().right;
          words.selectNodeContents(label);
          return right(words) < right(label.closest(".panel"));
        }"""
    )
