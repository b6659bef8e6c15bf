"""The learning room, as a person uses it: one click, and a learner that knows nothing becomes
unbeatable beside the exact ceiling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop, violations
from lasting import later, long, shortly
from playwright.sync_api import expect

from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.solution import SIGNED
from damier.core.words import languages, speaking
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, trainer
from damier.web import pages
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import learning
from damier.web.settings import Settings
from damier.web.snapshot import (
    MOST_ROWS,
    SeatGrade,
    action_probabilities,
    answers,
    in_order,
    line_of,
    rows_of,
)

HEAD = "[data-part=head]"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A lab of its own, which may be killed."""
    found = serve(tmp_path)
    yield found
    stop(found)


def start(page: Any, **values: str) -> None:
    """Opens the room, fills in what is given, and presses Start."""
    page.goto("/learning")
    page.locator("#plan summary").click()
    for name, value in values.items():
        field = page.locator(f"#plan [name={name}]")
        (
            field.select_option(value)
            if field.evaluate("field => field.localName") == "select"
            else field.fill(value)
        )
    page.get_by_role("button", name="Start").click()


def until(page: Any, state: str) -> None:
    page.wait_for_selector(f"{HEAD} [data-state={state}]", timeout=300_000)


def number(page: Any, name: str) -> str:
    return str(
        page.locator("[data-part=numbers] tr", has=page.get_by_role("rowheader", name=name, exact=True))
        .locator("td")
        .first.inner_text()
    )


def test_a_clueless_learner_becomes_unbeatable_and_one_sees_why(page: Any, visitor: Any) -> None:
    start(page, called="story", pace="1")
    page.wait_for_selector("[data-unbeatable]")
    page.get_by_role("button", name="Pause").press("Space")
    until(page, "paused")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    expect(page.locator("[data-unbeatable]")).to_have_attribute("data-unbeatable", "false")
    assert float(number(page, "Exact payoff")) < float(number(page, "Ceiling"))
    assert violations(page) == []
    watching = visitor.new_page()
    watching.route_web_socket("**/live", as_from_elsewhere)
    watching.goto(page.url)
    expect(watching.locator("#others")).to_be_visible()
    expect(watching.get_by_role("button", name="Stop and save")).to_be_hidden()
    watching.close()
    page.get_by_role("button", name="Go on").click()
    page.locator("#live-pace").select_option("0")
    until(page, "finished")
    expect(page.locator("[data-unbeatable]")).to_have_attribute("data-unbeatable", "true")
    expect(page.locator("[data-part=numbers]")).to_contain_text(
        "As it plays now, nobody can beat it. And nobody gets more out of the random player."
    )
    assert number(page, "Exact payoff") == number(page, "Ceiling") == "+0.6458"
    assert number(page, "Against its strongest opponent") == "+0.0000"
    expect(page.locator("[data-part=curve] svg")).to_contain_text("ceiling +0.6458")
    rows = page.locator(".known tbody tr")
    expect(rows.first).to_contain_text("BBB/.../WWW")
    expect(rows.first.locator(".exact").first).to_have_text("[0]")
    expect(page.locator(".known tr.current")).to_contain_text("met last")
    assert violations(page) == []


@long
def test_the_table_is_sorted_as_one_likes(page: Any) -> None:
    start(page, called="sorted", games="60", pace="0")
    until(page, "finished")

    def column(place: int) -> list[str]:
        return [
            text.replace(",", "").replace("–", "0")
            for text in page.locator(f".known tbody tr td:nth-of-type({place})").all_inner_texts()
        ]

    visits = [int(text) for text in column(2)]
    assert visits == sorted(visits, reverse=True)
    page.locator("#order").select_option("error")
    page.wait_for_function(
        "() => document.querySelector('.known tbody td:nth-of-type(3)').textContent !== '–'"
    )
    lost = [float(text) for text in column(3)]
    assert lost[0] > 0
    assert lost == sorted(lost, reverse=True)
    page.locator("#order").select_option("discovery")
    expect(page.locator(".known tbody tr").first).to_contain_text("BBB/.../WWW")


@long
def test_one_plays_against_it_while_it_learns(page: Any) -> None:
    start(page, called="rival", games="100000", pace="20")
    page.wait_for_selector(".known tbody tr")
    page.get_by_role("link", name="Play against it, you first").click()
    page.wait_for_url("**/hexapawn?1=human&2=learner:rival*")
    page.locator("[data-move]").first.wait_for()
    assert page.request.post("/ask/learning.show", data={"name": "rival"}).ok
    page.go_back()
    page.get_by_role("button", name="Stop and save").click()
    until(page, "stopped")


@long
def test_a_learner_is_kept_found_again_and_learns_more(page: Any) -> None:
    start(page, called="pupil", games="40", pace="0")
    until(page, "finished")
    assert page.url.endswith("name=pupil")
    page.reload()
    until(page, "finished")
    page.get_by_label("up to how many games in all").fill("90")
    page.get_by_role("button", name="Learn more").click()
    page.wait_for_function(
        "() => document.querySelector('[data-part=head]').textContent.includes('90 of 90')"
    )
    expect(page.locator("[data-learner=pupil]")).to_contain_text("90")


@long
def test_a_page_that_was_open_when_the_lab_was_killed_goes_on_where_that_stopped(
    browser: Any, own: Served
) -> None:
    page = browser.new_page(base_url=own.address, locale="en-GB")
    start(page, games="100000")
    until(page, "running")
    page.wait_for_selector(".known tr.current")
    port = own.address.rpartition(":")[2]
    own.process.kill()
    own.process.wait()
    expect(page.locator("#notice")).to_contain_text("connection is lost")
    again = serve(own.folder.parent, port=port)
    try:
        until(page, "saved")
        expect(page.get_by_role("button", name="Pause")).to_be_hidden()
        expect(page.get_by_label("up to how many games in all")).to_have_value("100000")
        expect(page.locator("[data-learner]")).to_have_attribute("data-state", "saved")
        page.get_by_role("button", name="Learn more").click()
        until(page, "running")
        page.get_by_role("button", name="Stop and save").click()
        until(page, "stopped")
    finally:
        page.close()
        stop(again)


@long
def test_two_pages_show_one_training(page: Any, visitor: Any) -> None:
    start(page, called="shared", games="100000")
    page.wait_for_selector(".known tbody tr")
    other = visitor.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Pause").click()
    until(page, "paused")
    page.get_by_role("button", name="Go on").click()
    until(other, "running")
    other.get_by_role("button", name="Stop and save").click()
    until(page, "stopped")


@long
def test_who_did_not_begin_a_training_watches_it(page: Any, visitor: Any) -> None:
    start(page, called="watched", games="100000")
    page.wait_for_selector(".known tbody tr")
    other = visitor.new_page()
    other.route_web_socket("**/live", as_from_elsewhere)
    other.goto(page.url)
    expect(other.locator("#others")).to_be_visible()
    expect(other.get_by_role("link", name="Play against it, you first")).to_be_visible()
    for name in ("Pause", "Stop and save"):
        expect(other.get_by_role("button", name=name)).to_be_hidden()
    assert violations(other) == []
    page.get_by_role("button", name="Stop and save").click()
    until(page, "stopped")


def as_from_elsewhere(socket: Any) -> None:
    """A connection whose lab answers as it does to somebody at another machine."""
    server = socket.connect_to_server()
    server.on_message(lambda text: socket.send(text.replace('"may": true', '"may": false')))


@long
def test_two_learners_are_compared(page: Any) -> None:
    for name, learner in (("first-q", "q"), ("second-menace", "menace")):
        start(page, called=name, learner=learner, games="200", pace="0")
        until(page, "finished")
    page.locator("#one").select_option("first-q")
    page.locator("#other").select_option("second-menace")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector("#comparison table")
    comparison = page.locator("#comparison")
    expect(comparison.locator("svg")).to_contain_text("second-menace")
    expect(comparison).to_contain_text("against its strongest opponent, at seat 2")
    expect(comparison).to_contain_text("A match of 1,000 games")
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/learning?lang=fr&name=first-q")
    page.locator("#one").select_option("first-q")
    page.locator("#other").select_option("second-menace")
    page.locator("#compare button").click()
    page.wait_for_selector("#comparison table")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    edges = "[...document.querySelectorAll('.measured *')].map((part) => part.getBoundingClientRect().right)"
    assert max(page.evaluate(edges)) <= 1280


def test_where_an_answer_is_lost_on_the_way_the_page_says_so(page: Any) -> None:
    def behind(socket: Any) -> None:
        lab = socket.connect_to_server()
        socket.on_message(lambda text: socket.close() if "training.start" in text else lab.send(text))

    page.route_web_socket("**/live", behind)
    with page.expect_websocket():
        start(page)
    expect(page.locator("#notice")).to_have_text("The lab does not answer.")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [later(("game", "no-such-game", "no game is called no-such-game")), ("parameters", "alpha=7", "alpha=7")],
)
def test_what_cannot_be_is_said_on_the_page(page: Any, name: str, value: str, said: str) -> None:
    start(page, **{name: value})
    expect(page.locator("#notice")).to_contain_text(said)


def test_the_address_fills_in_the_form(page: Any) -> None:
    page.goto(
        "/learning?game=hexapawn:width=4&learner=q:alpha=0.3,preset=hexapion&opponent=random&seat=2&seed=5&games=70"
    )
    for name, value in {
        "game": "hexapawn:width=4",
        "learner": "q:preset=hexapion",
        "opponent": "random",
        "games": "70",
    }.items():
        expect(page.locator(f"#plan [name={name}]")).to_have_value(value)
    for name, value in {"parameters": "alpha=0.3", "seat": "2", "seed": "5"}.items():
        expect(page.locator(f"#plan [name={name}]")).to_have_value(value)


@long
def test_the_room_is_worked_with_keys_alone(page: Any) -> None:
    page.goto("/learning")
    page.locator("#games-number").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("3000")
    page.keyboard.press("Enter")
    until(page, "running")
    page.get_by_role("button", name="Pause").focus()
    page.keyboard.press("Space")
    until(page, "paused")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    until(page, "stopped")
    expect(page.get_by_role("button", name="Learn more")).to_be_focused()


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """A registry with two learners in its folder."""
    folder = tmp_path_factory.mktemp("registry")
    for name, learner, opponent in (
        ("pupil", "q", "self"),
        ("boxes", "menace", "random"),
        ("after", "v", "self:table=separate"),
    ):
        made = trainer(Lab(load("hexapawn"), Job()), Plan(learner, opponent))
        made.save_to(folder / f"{name}.json")
        made.training.run(300, Job())
    made = trainer(Lab(load("nim"), Job()), Plan("beads:preset=ia01"))
    made.save_to(folder / "matches.json")
    made.training.run(300, Job())
    return Registry(Settings(folder=folder))


@pytest.mark.parametrize(
    ("language", "order", "name"),
    shortly(
        product(languages(), ["visits", "error", "discovery"], ["pupil", "boxes", "after", "matches"]),
        *product(["en"], ["visits"], ["pupil", "boxes", "after", "matches"]),
        *product(["fr"], ["error", "discovery"], ["pupil"]),
    ),
)
def test_every_kind_of_learner_can_be_shown(registry: Registry, name: str, order: str, language: str) -> None:
    with speaking(language):
        shown = learning.show(registry, Params({"name": name, "order": order}))
    assert set(shown["parts"]) == {"head", "rates", "numbers", "curve", "table"}
    assert shown["state"]["games"] == 300


def test_what_is_given_away_is_what_the_solution_says(registry: Registry) -> None:
    agent = registry.kept_agent("hexapawn", "pupil")
    facts = {"algorithm": "q", "parameters": vars(agent.parameters), "last": None}
    exact = answers(registry, "hexapawn")
    solution = registry.lab("hexapawn").solution("")
    lines = [line_of(exact, facts, *row) for row in rows_of(agent.memories[0])["rows"]]
    rows = list(agent.memories[0].rows())
    for line, row in zip(lines, rows, strict=True):
        values = solution.explain(row.state)
        assert [cell.exact for cell in line.cells.values()] == [SIGNED[values[move][0]] for move in row.moves]
        weights = action_probabilities("q", row)
        kept = sum(
            weight
            for weight, move in zip(weights, row.moves, strict=True)
            if solution.best_moves(row.state) & move
        )
        assert (line.lost == pytest.approx(0)) == (kept == pytest.approx(1))
    assert [line.visits for line in in_order(lines, "visits")] == sorted(
        (sum(row.counts) for row in rows), reverse=True
    )


def test_of_a_large_table_what_was_learnt_most_often_is_told() -> None:
    made = trainer(Lab(load("tictactoe"), Job()), Plan("q", "random"))
    made.training.grade_every = lambda: 0
    made.training.run(1500, Job(jit=False))
    memory = made.learner.memory
    assert len(memory) > MOST_ROWS
    told = rows_of(memory)
    visits = sorted(memory.visits(), reverse=True)
    assert sorted((sum(row[4]) for row in told["rows"]), reverse=True) == visits[:MOST_ROWS]
    compiled = (list(memory.selected([0, 7, 300])), memory.visits())
    memory.arrays(jit=True)
    assert (list(memory.selected([0, 7, 300])), memory.visits()) == compiled


@pytest.mark.parametrize(
    "values",
    [
        {"name": "../pupil"},
        {"name": "nobody"},
        {"name": ""},
        {"name": ["pupil"]},
        {"name": "pupil", "order": "colour"},
        {"name": "x" * 400},
    ],
    ids=str,
)
def test_what_is_not_a_learner_is_refused(registry: Registry, values: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        learning.show(registry, Params(values))


@pytest.mark.parametrize(
    "pair", [("pupil", "pupil"), ("pupil", "matches"), ("pupil", "../boxes"), ("pupil", "nobody")]
)
def test_what_cannot_be_compared_is_refused(registry: Registry, pair: tuple[str, str]) -> None:
    with pytest.raises(BadInput):
        learning.compare(registry, Params({"one": pair[0], "other": pair[1]}))


@pytest.mark.parametrize("language", languages())
def test_no_two_learners_of_the_form_have_one_name(registry: Registry, language: str) -> None:
    with speaking(language):
        titles = [row["title"] for rows in learning.learner_groups(registry).values() for row in rows]
    assert sorted(set(titles), key=str) == sorted(titles, key=str)


def test_why_there_is_no_grade_names_no_option_of_a_command(registry: Registry) -> None:
    facts = {
        "state": "preparing",
        "game": "g",
        "learner": "q",
        "opponent": "",
        "seat": "",
        "name": "n",
        "games": 0,
        "of": 9,
        "stage": "",
        "error": "",
        "pace": 0,
    }
    shown = learning.numbers(registry, Params(facts | {"notes": ["the memory budget is 1 GiB (--memory)"]}))[
        "parts"
    ]["head"]
    assert "the memory budget is 1 GiB</p>" in shown


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_room_speaks_of_no_other_game_than_the_chosen_one(tmp_path: Path, language: str) -> None:
    with speaking(language):
        made = learning.page(
            Registry(Settings(folder=tmp_path)), Params({"game": "tictactoe", "opponent": "random"})
        )
    welcome = made[made.index('id="welcome"') : made.index('id="training"')]
    assert not re.search("hexap|itself|lui-même", welcome)


def test_texts_of_an_address_are_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\"'"
    made = learning.page(
        Registry(Settings(folder=tmp_path)),
        Params({"game": evil, "opponent": evil, "name": evil, "learner": evil, "seed": evil, "games": evil}),
    )
    assert "<script>alert" not in made
    assert '""' not in made.replace('=""', "")


def test_what_is_said_holds_for_both_seats_of_two_tables(registry: Registry) -> None:
    shown = learning.show(registry, Params({"name": "after"}))["parts"]
    assert shown["table"].count("<h3>") == 2
    assert shown["table"].count('class="known"') == 2
    worst = re.findall(r"strongest opponent</th>(.*?)</tr>", shown["numbers"], re.DOTALL)[0]
    both, first, second = (float(text) for text in re.findall(r"[+-]\d\.\d{4}", worst))
    assert both == min(first, second)
    assert f'data-unbeatable="{str(both >= 0).lower()}"' in shown["numbers"]
    assert "agent 1" in shown["curve"]
    assert "agent 2" in shown["curve"]
    total = re.findall(r"All 300 games.*?</table>", shown["rates"], re.DOTALL)[0]
    assert "agent 1 won" in total
    assert "agent 2 won" in total
    assert sum(int(number) for number in re.findall(r'<td class="number">(\d+)</td>', total)) == 300


def test_the_verdict_names_the_seat_at_which_one_wins() -> None:
    def verdict(grade: SeatGrade, by_seat: list[SeatGrade], opponent: str) -> str:
        part = pages.part(
            "learning_numbers.html", grade=grade, by_seat=by_seat, seat="alternate", opponent=opponent
        )
        return " ".join(part.partition("</span>")[2].partition("</p>")[0].split())

    never, always = SeatGrade(1, 1, 0, 1), SeatGrade(1, 1, -1, 1)
    assert "at seat 2 one can" in verdict(never, [never, always], "random")
    assert verdict(never, [never, never], "random").startswith("As it plays now, nobody can beat it. And")
    assert verdict(always, [always, always], "random").startswith("It gets all that anybody gets")


def test_each_table_of_a_learner_is_a_file_of_its_own(registry: Registry) -> None:
    files = [
        learning.download(registry, Params({"name": "after", "seat": seat})).content.decode().splitlines()
        for seat in "12"
    ]
    agent = registry.kept_agent("hexapawn", "after")
    assert [len(lines) for lines in files] == [1 + 3 * len(memory) for memory in agent.memories]
    assert files[0][2] == "V"
    with pytest.raises(BadInput, match="no such table"):
        learning.download(registry, Params({"name": "pupil", "seat": "2"}))


@long
def test_document_s3_is_one_page(page: Any) -> None:
    """Code, training and play, with its 10,000 games."""
    page.goto("/learning?game=tictactoe&learner=v:preset=vfunction")
    expect(page.locator("#games-number")).to_have_value("10000")
    page.goto("/learning")
    expect(page.locator("#games-number")).to_have_value("400")
    page.locator("#learner").select_option("v:preset=vfunction")
    expect(page.locator("#games-number")).to_have_value("10000")
    start(page, called="s3", games="200", pace="0", learner="v:preset=vfunction", opponent="", seat="")
    until(page, "finished")
    expect(page.locator("[data-part=table] h3")).to_have_count(2)
    page.locator("#code summary").click()
    expect(page.locator("#code pre:visible")).to_contain_text("before + p.step_size * (target - before)")
    for number, file in (("1", "AgentA.txt"), ("2", "AgentB.txt")):
        with page.expect_download() as kept:
            page.locator(f"[data-export='{number}']").click()
        assert kept.value.suggested_filename == file
    assert violations(page) == []
    page.locator("#manage summary").click()
    page.locator("#rename input").fill("s3-renamed")
    page.locator("#rename button").click()
    expect(page.locator("[data-part=head] h2")).to_contain_text("s3-renamed")
    expect(page.locator("[data-learner='s3-renamed']")).to_be_visible()
    expect(page.locator("[data-learner='s3']")).to_have_count(0)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#remove").click()
    expect(page.locator("#welcome")).to_be_visible()
    expect(page.locator("[data-learner='s3-renamed']")).to_have_count(0)


def test_an_opponent_and_a_game_are_chosen_by_their_names(page: Any) -> None:
    page.goto("/learning?lang=en")
    opponent, text = page.get_by_label("Opponent", exact=True), page.locator("#opponent")
    expect(opponent.locator("option:checked")).to_have_text("itself, one table")
    opponent.select_option(label="random moves")
    page.get_by_label("Game", exact=True).select_option(label="Tic-tac-toe")
    assert (text.input_value(), page.locator("#game").input_value()) == ("random", "tictactoe")
    expect(text).to_be_hidden()
    opponent.select_option(label="written under “More”")
    expect(text).to_be_focused()
    text.fill("mcts:simulations=7")
    expect(opponent.locator("option:checked")).to_have_text("written under “More”")
    text.fill("perfect")
    expect(opponent.locator("option:checked")).to_have_text("the perfect player")
    page.locator("#learner").select_option("v:preset=vfunction")
    assert opponent.input_value() == text.input_value() == "self:table=separate"


@long
def test_what_an_address_names_and_no_choice_has_stands_open(page: Any) -> None:
    page.goto("/learning?game=hexapawn:width=4&opponent=mcts:simulations=7&lang=fr")
    expect(page.locator("#opponent")).to_be_visible()
    for choice in page.locator("#plan [data-writes]").all():
        expect(choice.locator("option:checked")).to_have_text(
            "écrit sous «\N{NO-BREAK SPACE}Davantage\N{NO-BREAK SPACE}»"
        )
