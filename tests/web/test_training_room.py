"""The training room: that what it shows is what a training does, and what a person does at the page."""

from __future__ import annotations

import re
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, violations
from lasting import long, shortly
from playwright.sync_api import expect

from damier import load
from damier.core.errors import BadInput, DamierError, IllegalMove, LimitReached
from damier.core.job import Job
from damier.core.json_types import JsonValue
from damier.core.player import RandomPlayer
from damier.core.words import speaking
from damier.lab.agents import Lab, agent
from damier.lab.training import Plan, table_trainer, typed_starts
from damier.learn.action_values import Memory
from damier.learn.player import LearningPlayer
from damier.learn.store import load_hexapion
from damier.solve.grade import grade
from damier.web import training_pair
from damier.web.messages import Params, RoomFilm
from damier.web.registry import Registry
from damier.web.rooms import training_room as room
from damier.web.settings import Settings
from damier.web.training_pair import (
    MOST_ENTRIES,
    MOST_POSITIONS,
    Pair,
    PairKnown,
    SeatKnown,
    TableGiven,
    read_log,
    write_log,
)

ALGORITHMS = ("q:preset=hexapion", "q:preset=one-step", "q:preset=sarsa", "v", "mean", "menace")
DIFFERENT = ("q:preset=sarsa", "v", "menace")
"""Numbers of moves, of positions, and beads."""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return Registry(Settings(folder=tmp_path_factory.mktemp("learners")))


def told(memory: Memory) -> list[tuple[object, tuple[float, ...], tuple[int, ...]]]:
    return [(row.state, row.values, row.counts) for row in memory.rows()]


def told_of(known: PairKnown, seat: int) -> object:
    learner = known.seats[seat]
    assert isinstance(learner, SeatKnown)
    return told(learner.memory)


def pair(first: str, second: str, seed: int = 0, game: str = "hexapawn") -> Pair:
    lab = Lab(load(game), Job(jit=False))
    return Pair(lab, (agent(lab, first), agent(lab, second)), seed)


def test_games_that_begin_elsewhere_are_shown_and_learnt_as_the_command_has_them(registry: Registry) -> None:
    lab = Lab(load("hexapawn"), Job(jit=False))
    starts = typed_starts(lab.game, "random:plies=3")
    trained = table_trainer(lab, Plan("q", "self:table=separate", "1", seed=7, starts=starts))
    trained.training.run(40, Job(jit=False))
    asked = {"game": "hexapawn", "1": "q", "2": "q", "seed": 7, "positions": "random:plies=3"}
    found = room.room_visit(registry, Params(asked)).pair
    assert told_of(found.after(read_log("40*")), 0) == told(trained.learner.memory)
    film = room.show(registry, Params(asked | {"log": "40*"}))
    assert film["state"]["positions"] == "random:plies=3"
    episode, _agents = found.watched(found.after(read_log("40*")), room.ALONE, [])
    assert starts is not None
    assert episode.positions()[0].state == starts.of(lab.game, 7)(40) != lab.game.start
    with pytest.raises(BadInput, match=r"position 1: /etc/passwd"):
        room.show(registry, Params(asked | {"positions": "/etc/passwd"}))


@pytest.mark.parametrize("text", shortly(ALGORITHMS, *DIFFERENT))
def test_the_tables_are_those_of_the_command(text: str) -> None:
    trained = table_trainer(
        Lab(load("hexapawn"), Job(jit=False)), Plan(text, "self:table=separate", "1", seed=7)
    )
    trained.training.run(60, Job(jit=False))
    at_once = pair(text, text, 7).after(read_log("60*"))
    assert trained.saved_opponent is not None
    assert told_of(at_once, 0) == told(trained.learner.memory)
    assert told_of(at_once, 1) == told(trained.saved_opponent.memory)
    in_steps = pair(text, text, 7)
    for games in (1, 2, 3, 20, 60):
        found = in_steps.after(read_log(f"{games}*"))
    assert (told_of(found, 0), told_of(found, 1)) == (told_of(at_once, 0), told_of(at_once, 1))
    assert found.curve == at_once.curve == trained.training.curve
    assert found.totals == at_once.totals
    assert sum(found.totals) == found.games == 60


def ask(registry: Registry, **values: JsonValue) -> RoomFilm:
    asked: dict[str, JsonValue] = {"tables": True, **values}
    return room.show(registry, Params({name.lstrip("_"): value for name, value in asked.items()}))


def after(registry: Registry, film: RoomFilm, **values: JsonValue) -> RoomFilm:
    """The film of the game after one that is over, asked for by the same values."""
    return ask(registry, **values | {"log": film["state"]["next"], "moves": []})


def shown_cells(film: RoomFilm, seat: str) -> dict[str, tuple[str, str]]:
    """The cells of a table, with those that the game brings: what they show, and all their digits."""
    new = [row["html"] for frame in film["frames"] for row in frame["rows"] if str(row["seat"]) == seat]
    cell = r'data-cell="([^"]+)"[^>]*title="[^"]*?: ([^" (]+)[^"]*">.*? <span data-value>([^<]+)'
    found = re.findall(cell, "".join([film["parts"][f"table-{seat}"], *new]))
    return {key: (text, exactly) for key, exactly, text in found}


@pytest.mark.parametrize(
    ("text", "log"),
    shortly(product(ALGORITHMS, ["", "150*"]), *product(DIFFERENT, ["150*"]), (ALGORITHMS[0], "")),
)
def test_the_film_leads_each_table_cell_by_cell_to_what_the_learner_knows(
    registry: Registry, text: str, log: str
) -> None:
    film = ask(registry, _1=text, _2=text, seed=5, log=log)
    following = ask(registry, _1=text, _2=text, seed=5, log=film["state"]["next"])
    assert film["state"]["over"]
    assert film["steps"]
    for seat in "12":
        cells = shown_cells(film, seat)
        assert cells
        for step in film["steps"]:
            cells |= {
                cell["cell"]: (cell["text"], cell["exactly"])
                for cell in step["cells"]
                if cell["cell"].startswith(seat)
            }
        after = shown_cells(following, seat)
        assert {key: cells[key] for key in cells} == {key: after[key] for key in cells}


@pytest.mark.parametrize(
    ("text", "letters", "numbers"),
    [
        (
            "q:preset=hexapion",
            "(1 − α) · Q(s, a) + α · (r + γ · max Q(s′, ·))",
            "0.99 · 0 + 0.01 · (100 + 0.9 · 0)",
        ),
        ("q:preset=sarsa", "(1 − α) · Q(s, a) + α · (r + γ · Q(s′, a′))", "0.9 · 0 + 0.1 · (1 + 1 · 0)"),
        (
            "q:preset=q-lambda",
            "(1 − α) · Q(s, a) + α · (r + γ · (max Q(s′, ·) + λ · (T′ − max Q(s′, ·))))",
            "",
        ),
        ("v", "V(s) + α · (r + γ · V(s′) − V(s))", "0 + 0.1 · (1 + 1 · 0 − 0)"),
        ("mean", "m + (r − m) / n", "0 + (1 − 0) / 2"),
        ("menace", "b + r", "3 + 3"),
    ],
)
def test_a_formula_has_the_numbers_of_the_learner(
    registry: Registry, text: str, letters: str, numbers: str
) -> None:
    wins = [
        film for seed in range(6) if (film := ask(registry, _1=text, _2="random", seed=seed)) and won(film)
    ]
    formulas = [step["formula"] for step in wins[0]["steps"]]
    assert any(letters in formula for formula in formulas)
    assert numbers in formulas[0]


def won(film: RoomFilm) -> bool:
    return film["frames"][-1]["said"] == "Player 1 has won."


def test_a_person_teaches_both_seats_game_after_game(registry: Registry) -> None:
    for person in "12":
        log = ""
        for _game in range(3):
            film, moves = ask(registry, log=log, person=person), list[str]()
            while not film["state"]["over"]:
                moves.append(
                    re.findall(r'<button type="button" data-move="([^"]+)', film["frames"][-1]["board"])[0]
                )
                film = ask(registry, log=log, person=person, moves=[*moves])
            assert film["state"]["next"] == ";".join(filter(None, [log, f"{person}:{','.join(moves)}"]))
            log = film["state"]["next"]
            seats = {step["seat"] for step in film["steps"]}
            assert seats == {3 - int(person)}
        assert "3 games" in ask(registry, log=log)["parts"]["totals"]


def test_parameters_change_from_one_game_to_the_next() -> None:
    known = pair("q", "v").after(
        read_log("20*;1~epsilon=0,alpha=0.5,policy=softmax,temperature=0.25;2~gamma=0.5")
    )
    first, second = known.seats
    assert isinstance(first, SeatKnown)
    assert isinstance(second, SeatKnown)
    assert (first.memory.epsilon, first.parameters.step_size, first.parameters.policy) == (
        0.0,
        0.5,
        "softmax",
    )
    assert (first.parameters.temperature, second.parameters.discount_factor, second.memory.epsilon) == (
        0.25,
        0.5,
        0.2,
    )
    assert known.games == 20


def test_softmax_shows_its_shares_and_the_number_that_was_drawn(registry: Registry) -> None:
    film = ask(registry, _1="q:policy=softmax,epsilon=0", _2="random", log="40*")
    why = film["frames"][1]["why"]
    assert why.count('class="share s') == 3
    assert "drawn" in why
    assert "by the shares of softmax" in why
    assert "at random" in ask(registry, _1="q:epsilon=1", _2="random")["frames"][1]["why"]


def test_delayed_rewards_fall_in_one_place_and_are_told_in_another(registry: Registry) -> None:
    films = [ask(registry, seed=seed) for seed in range(8)]
    lines = ["".join(frame["moved"] for frame in film["frames"]) for film in films]
    assert any("falls here" in line and "told here" in line for line in lines)
    assert all(len(re.findall(r'<strong class="told"', line)) == 2 for line in lines)


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"_1": "random", "_2": "perfect"}, BadInput, "one of the two must be an agent that learns"),
        ({"game": "goofspiel"}, DamierError, "goofspiel"),
        ({"_1": "q:file=secret.json"}, BadInput, "names a file"),
        ({"_1": "human"}, BadInput, "human is who sits at the page"),
        ({"log": "9000000*"}, LimitReached, "play up to 200"),
        ({"log": "x"}, BadInput, "is nothing that happens"),
        ({"log": "1~reward=3"}, BadInput, "reward cannot be changed here"),
        ({"log": "1~alpha=7"}, BadInput, "alpha=7.0; it must be from"),
        ({"log": "1~alpha=much"}, BadInput, "alpha=much: that is no number"),
        ({"log": "1~alpha=nan"}, BadInput, "that is no number"),
        ({"log": "1~policy=best"}, BadInput, "policy must be one of"),
        ({"_2": "random", "log": "2~alpha=0.5"}, BadInput, "agent 2 does not learn"),
        ({"_2": "mean", "log": "2~alpha=0.5"}, BadInput, "agent 2 has no alpha"),
        ({"log": "1:a1a3"}, IllegalMove, "move 1: a1a3 is not a legal move"),
        ({"log": "1:a1a2"}, BadInput, "game 1 is not over"),
        ({"log": "1:" + "a1a2," * 40}, DamierError, "a1a2"),
        ({"log": ";".join(["1:a1a2", "1*"] * MOST_ENTRIES)}, LimitReached, "keeps up to 400 games"),
    ],
)
def test_what_cannot_be_is_refused(
    registry: Registry, values: dict[str, JsonValue], error: type[DamierError], words: str
) -> None:
    with pytest.raises(error, match=re.escape(words)):
        ask(registry, **values)


def test_a_log_is_written_as_it_is_read() -> None:
    for text in ("", "12*", "1~epsilon=0.1,alpha=0.5;3*;2:b3b2,a3a2;1:", "2~policy=softmax"):
        assert write_log(read_log(text)) == text
    assert write_log(read_log("1*;1*;2~gamma=1;2~gamma=0,alpha=1")) == "2*;2~gamma=0,alpha=1"


def test_each_table_is_a_file_of_its_own(registry: Registry, tmp_path: Path) -> None:
    for seat in ("1", "2"):
        content = room.download(registry, Params({"log": "20*", "seat": seat, "seed": 3})).content.decode()
        (tmp_path / "AgentA.txt").write_text(content, encoding="ascii")
        memory = load_hexapion(tmp_path / "AgentA.txt", load("hexapawn"))
        known = pair("q:preset=hexapion", "q:preset=hexapion", 3).after(read_log("20*")).seats[int(seat) - 1]
        assert isinstance(known, SeatKnown)
        assert [(row.state, row.values) for row in memory.rows()] == [
            (row.state, tuple(float(f"{value:.9g}") for value in row.values)) for row in known.memory.rows()
        ]
    beads = room.download(registry, Params({"1": "menace", "2": "v", "game": "tictactoe", "log": "3*"}))
    assert beads.content.decode().splitlines()[2].split() == ["0", "1", "4"]
    with pytest.raises(BadInput, match="does not learn"):
        room.download(registry, Params({"2": "random", "seat": "2"}))


def test_a_table_that_was_saved_goes_back_in(registry: Registry) -> None:
    """AgentA.txt, at either seat: its values, its decisions and its ε; then it learns on."""
    agents = pair("q:preset=hexapion", "q:preset=hexapion", 3)
    for seat in (0, 1):
        saved = Params({"log": "80*", "seat": str(seat + 1), "seed": 3})
        text = room.download(registry, saved).content.decode()
        log = write_log([TableGiven(seat, text)])
        assert re.fullmatch(r"[12]=[-0-9.e+|_]+", log), "short in an address"
        assert read_log(log) == [TableGiven(seat, text)]
        given, known = (agents.after(read_log(events)).seats[seat] for events in (log, "80*"))
        assert isinstance(given, SeatKnown)
        assert isinstance(known, SeatKnown)
        assert [row.state for row in given.memory.rows()] == [row.state for row in known.memory.rows()]
        assert (given.memory.decisions, given.memory.epsilon) == (
            known.memory.decisions,
            known.memory.epsilon,
        )
        more = agents.after(read_log(f"{log};5*")).seats[seat]
        assert isinstance(more, SeatKnown)
        assert more.memory.decisions > given.memory.decisions
    for agent_text, log, said in (
        ("q:preset=hexapion", "1=12_0.5|999999|0|0", "not the number of a state"),
        ("q:preset=hexapion", "1=<b>", "not a file of the Hexapawn lab"),
        ("mean", "1=12_0.5", "only q:preset=hexapion takes"),
    ):
        with pytest.raises(BadInput, match=said):
            pair(agent_text, "random").after(read_log(log))


@long
def test_a_file_is_given_at_the_page(page: Any, tmp_path: Path) -> None:
    page.goto("/training/hexapawn?2=random&log=40*")
    page.get_by_role("button", name="Tables").click()
    with page.expect_download() as got:
        page.get_by_role("link", name="AgentA.txt").click()
    path = tmp_path / "AgentA.txt"
    got.value.save_as(path)
    page.goto("/training/hexapawn?2=random")
    page.get_by_role("button", name="Tables").click()
    rows = page.locator("[data-part=table-1] tbody tr:not([data-new])")
    page.locator("[data-import='1']").set_input_files(path)
    expect(rows).to_have_count((len(path.read_text().splitlines()) - 1) // 3)
    assert "1%3D" in page.url or "1=" in page.url.partition("log=")[2]
    (tmp_path / "wrong.txt").write_text("hello")
    page.locator("[data-import='1']").set_input_files(tmp_path / "wrong.txt")
    expect(page.get_by_text("is not a file of the Hexapawn lab")).to_be_visible()


@pytest.mark.parametrize("game", shortly(["tictactoe", "nim", "connect_four", "pig"], "nim"))
def test_other_games_have_a_room_too(registry: Registry, game: str) -> None:
    film = ask(registry, game=game, _1="q", _2="v", log="2*")
    assert film["frames"][-1]["said"]
    with speaking("fr"):
        assert "," in ask(registry, game=game, _1="q", _2="v")["steps"][0]["formula"]


def test_games_are_listed_by_their_titles(registry: Registry) -> None:
    with speaking("fr"):
        page = room.page(registry, Params({}))
    assert ">Puissance 4</option>" in page
    assert not re.search(r">(connect_four|nine_mens_morris|hexapawn)</option>", page)


def test_the_page_plays_a_game_teaches_its_tables_and_goes_on(page: Any, registry: Registry) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/training/hexapawn?1=q:alpha=0.5&2=random&seed=2")
    page.get_by_role("button", name="Tables").click()
    expect(page.locator("tr[data-new]:visible")).to_have_count(1)
    film = ask(registry, _1="q:alpha=0.5", _2="random", seed=2)
    frames, steps = len(film["frames"]), len(film["steps"])
    page.locator("[data-do=step]").focus()
    for _frame in range(frames - 1):
        page.keyboard.press("Enter")
    assert page.locator("tr[data-new]:visible").count() == steps
    page.keyboard.press("Enter")
    assert "0.5 · 0 + 0.5 · (" in page.inner_text("[data-part=formula]")
    for _step in range(steps - 1):
        page.keyboard.press("Enter")
    assert page.locator("#tables [data-cell].n3").count() == page.locator(".time [data-cell].n3").count() == 1
    page.locator("[data-do=back]").click()
    assert violations(page) == []
    page.get_by_role("button", name="Tables").click()
    page.locator("[data-do=step]").click()
    page.locator("[data-dial='1'][name=alpha]").fill("0.25")
    page.locator("[data-dial='1'][name=alpha]").press("Tab")
    page.locator("[data-do=step]").click()
    page.wait_for_url("**log=1*;1~alpha=0.25")
    page.select_option("#pace", "most")
    page.locator("[data-do=run]").click()
    expect(page.locator("[data-part=totals] strong")).to_have_text(re.compile(r"\d\d\d games"))
    page.locator("[data-do=run]").click()
    assert page.locator("[data-part=curve] svg:visible").count() == 1
    page.select_option("[data-player='2']", "human")
    page.locator("[data-part=board] button[data-move]").first.wait_for()
    assert page.locator("[data-resting='2']").is_visible()
    page.locator("[data-part=board] button[data-move]").first.click()
    page.wait_for_url("**moves=*")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    before = page.url
    page.reload()
    assert page.url == before


@long
def test_a_room_runs_by_itself_and_what_is_too_long_for_an_address_is_kept(page: Any) -> None:
    log = ";".join(f"1*;1~alpha=0.{number:04}" for number in range(1, 120))
    page.goto(f"/training/nim?1=q&2=q&log={log}")
    total = page.locator("[data-part=totals] strong")
    expect(total).to_have_text("119 games")
    page.select_option("#pace", "fast")
    page.locator("[data-do=run]").click()
    expect(total).to_have_text(re.compile("1(2[1-9]|[3-9][0-9]) games"))
    page.locator("[data-do=run]").click()
    assert "kept=training" in page.url
    page.locator("#many input").fill("200")
    page.locator("#many button").click()
    expect(total).to_have_text(re.compile("3[2-9][0-9] games"))
    expect(page.locator("[data-do=run]")).to_have_text("Run")
    shown = total.inner_text()
    page.reload()
    expect(total).to_have_text(shown)


def test_on_a_phone_that_lies_the_heading_and_what_explains_it_have_room(page: Any) -> None:
    page.set_viewport_size({"width": 740, "height": 360})
    page.goto("/training/hexapawn?lang=fr")
    sizes = [page.locator(f".title {part}").bounding_box() for part in ("h1", ".lead")]
    assert all(size["height"] < 50 for size in sizes), sizes


@long
def test_a_phone_shows_the_board_first_and_is_not_wider_than_itself(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/training/tictactoe?1=q:policy=softmax,epsilon=0&2=menace&seed=2&log=20*&lang=fr")
    page.locator("[data-do=step]").click()
    expect(page.locator(".shares svg")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("[data-part=board]").bounding_box()["y"] < 500
    page.evaluate("scrollTo(0, 700)")
    box = page.locator("[data-do=step]").bounding_box()
    assert 600 < box["y"] < 844 - box["height"], "step and run stay within reach"
    assert violations(page) == []


def test_space_and_arrows_step(page: Any) -> None:
    page.goto("/training/tictactoe?lang=en")
    here, columns = page.locator("[data-part=time] [aria-current] .ply"), ["2", "3", "2"]
    expect(here).to_have_text("1")
    for key, column in zip((" ", "ArrowRight", "ArrowLeft"), columns, strict=True):
        page.keyboard.press(key)
        expect(here).to_have_text(column)
    field = page.get_by_label("Games at once")
    field.focus()
    page.keyboard.press("ArrowRight")
    page.locator("[data-do=run]").focus()
    page.keyboard.press(" ")  # a button does what it says
    expect(page.locator("[data-do=run]")).to_have_attribute("aria-pressed", "true")


def test_a_table_holds_the_moves_that_there_are(registry: Registry) -> None:
    film = ask(registry, game="connect_four", _1="q", _2="mean", log="20*")
    for seat in "12":
        rows = film["parts"][f"table-{seat}"].split("<tr ")[2:]
        assert rows
        for row in rows:
            names = re.findall(r'<span class="a">([^<]*)', row)
            assert names == sorted(set(names))
            assert set(names) <= set("1234567")


@pytest.mark.parametrize(
    ("game", "most"),
    shortly([("tictactoe", 1_000), ("connect_four:width=5,height=3", MOST_POSITIONS)], ("tictactoe", 1_000)),
)
def test_a_larger_game_is_graded_when_somebody_asks(
    registry: Registry, game: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_pair, "MOST_POSITIONS", most)
    large: dict[str, JsonValue] = {"game": game, "1": "q", "2": "random"}
    page = room.page(registry, Params(large))
    assert 'id="grade"' in page
    assert 'id="grade"' not in room.page(registry, Params({"game": "hexapawn"}))
    with speaking("en"):
        said = room.grade(registry, Params(large | {"log": "30*"}))["parts"]["graded"]
    assert "Graded after game 30:" in said
    assert "Player 2" not in said, "random play learns nothing"
    log = read_log("30*")
    trained = pair("q", "random", game=game).after(log).seats[0]
    assert isinstance(trained, SeatKnown)
    player = LearningPlayer(load(game), "q", trained.parameters, trained.memory)
    true = grade(player.game, player, RandomPlayer()).seats[0].payoff
    assert f"{true:+.4f}".replace("-", "\N{MINUS SIGN}") in said


def test_both_ways_of_grading_a_room_agree() -> None:
    known = pair("q", "v").after(read_log("40*"))
    made = pair("q", "v")
    agents = made.agents(known, telling=False)
    assert made.grades.grade_compiled(agents) == made.grades.grade(agents)
    assert not made.grades.comes_later


def test_boxes_with_and_without_symmetry_are_shown_one_after_the_other(registry: Registry) -> None:
    for preset in ("michie", "ia01", "ia01-last", "michie"):
        page = room.page(registry, Params({"game": "hexapawn", "1": f"beads:preset={preset}", "2": "random"}))
        assert "a1a2" in page


@pytest.mark.parametrize("width", shortly([1280, 390], 390))
def test_the_bar_of_shares_and_the_curve_can_be_read(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/training/hexapawn?1=beads&2=random&log=1*")
    page.locator("[data-do=step]").click()
    page.emulate_media(color_scheme="dark")
    fill = page.locator(".shares svg text").first.evaluate("text => getComputedStyle(text).fill")
    assert fill == "rgb(31, 39, 48)", "dark on light in both themes"
    for place in (".shares svg", ".curve svg"):
        page.locator(f"{place}:visible").first.wait_for()
        assert page.evaluate(SMALLEST, place) >= 10.99
    assert page.evaluate("document.documentElement.scrollWidth") <= width


CURVE_AS_SEEN = """() => {
  const box = [...document.querySelectorAll("[data-part=curve] .curve")].find((one) => one.checkVisibility())
  const texts = [...box.querySelectorAll("svg text")]
  return {
    over: box.scrollWidth - box.clientWidth,
    right: box.getBoundingClientRect().right,
    labels: texts.map((text) => text.getBoundingClientRect().right),
    smallest: Math.min(...texts.map((text) =>
      parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d)),
  }
}"""
"""The curve, measured at one moment: its part is put anew with the game."""


@pytest.mark.parametrize(
    ("width", "scheme"),
    shortly(product([390, 800, 1280, 1440, 1920], ["light", "dark"]), (1280, "dark")),
)
def test_the_whole_curve_is_seen(page: Any, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto("/training/hexapawn?1=q&2=q&log=30*")
    page.locator("[data-part=curve] .curve:visible svg text").first.wait_for()
    curve = page.evaluate(CURVE_AS_SEEN)
    assert curve["over"] <= 0
    assert max(curve["labels"]) <= curve["right"]
    assert curve["smallest"] >= 10.99
    assert violations(page) == []


def test_nobody_hears_of_what_is_not_played_yet(page: Any, http: Any, registry: Registry) -> None:
    """Nor of positions that an agent has not met yet: no element of the page has it, nor its source."""
    address = "/training/hexapawn?1=q&2=q&seed=3&log=5*"
    asked: dict[str, JsonValue] = {"_1": "q", "_2": "q", "seed": 3}
    film = ask(registry, **asked, log="5*")
    totals = after(registry, film, **asked)["parts"]["totals"]
    source = http.get(address).text
    page.goto(address)
    places, last = page.locator("[data-part=time] > li"), len(film["frames"]) - 1
    assert last > 3
    for played in range(last):
        expect(places).to_have_count(played + 1)
        assert places.locator(".move").count() == played
        content = page.content()
        for text in [source] * (played == 0) + [content]:
            for frame in film["frames"][played + 1 :]:
                assert re.findall(r"s = \d+", frame["state"])[0] + "<" not in text
                assert all(row["html"].partition(">")[0] not in text for row in frame["rows"])
            assert film["steps"][0]["formula"].partition("= ")[2][:30] not in text
            assert totals not in text
        page.locator("[data-do=step]").click()
    page.locator("[data-do=back]").click()
    expect(places).to_have_count(last)
    assert page.locator("#steps").get_attribute("max") == str(last), "what was seen may be gone to again"


@long
def test_the_positions_of_an_agent_are_counted_once(page: Any) -> None:
    """As many as its table shows, before the game, in its middle and after it."""
    page.set_viewport_size({"width": 1280, "height": 800})
    for log in ("", "1*"):
        page.goto(f"/training/hexapawn?1=q&2=v&seed=3&log={log}")
        page.get_by_role("button", name="Tables").click()
        expect(page.locator("#tables table")).to_have_count(2)
        for _step in range(12):
            for seat in "12":
                told = page.locator(f"[data-part=worth-{seat}] .now").text_content()
                rows = page.locator(f"[data-part=table-{seat}] tbody tr:visible").count()
                assert int(told.split()[0]) == rows
            page.locator("[data-do=step]").click()


@pytest.mark.parametrize("text", shortly([*ALGORITHMS, "q:preset=q-lambda"], *DIFFERENT))
def test_what_each_has_met_ends_as_the_next_game_begins(registry: Registry, text: str) -> None:
    for log in ("", "9*"):
        asked: dict[str, JsonValue] = {"_1": text, "_2": text, "seed": 4}
        film = ask(registry, **asked, log=log)
        then = after(registry, film, **asked)["parts"]
        for seat in (1, 2):
            assert film["frames"][-1]["known"][seat - 1] in then[f"worth-{seat}"]


@pytest.mark.parametrize(
    "text", shortly(["q:preset=hexapion", "q:preset=one-step", "q:preset=sarsa", "v"], *DIFFERENT)
)
def test_a_number_flies_from_the_cell_in_which_it_was_read(registry: Registry, text: str) -> None:
    """It is that of what follows in the formula, which the cell holds then; of the end, the reward."""
    for seed in range(3):
        film = ask(registry, _1=text, _2=text, seed=seed, log="60*")
        cells = shown_cells(film, "1") | shown_cells(film, "2")
        before = dict(cells)
        for step in film["steps"]:
            figures = step["formula"].partition("figures")[2].partition("</p>")[0]
            numbers = [
                float(n.replace("\N{MINUS SIGN}", "-"))
                for n in re.findall(r"\u2212?[\d.]+(?:e\u2212?\d+)?", figures)
            ]
            carried = float(step["carried"].replace("\N{MINUS SIGN}", "-"))
            assert any(abs(number - carried) <= 0.005 for number in numbers)
            if step["source"].endswith("-end"):
                assert any(f'data-cell-end="{step["source"]}"' in frame["moved"] for frame in film["frames"])
                assert "nothing follows" in step["formula"]
            elif carried:
                assert step["carried"] in (cells[step["source"]][0], before[step["source"]][0])
            cells |= {cell["cell"]: (cell["text"], cell["exactly"]) for cell in step["cells"]}


COCKPITS = (
    "hexapawn?log=30*",
    "hexapawn?1=beads&2=menace&log=30*",
    "tictactoe?1=mean&2=v&log=30*&lang=fr",
    "connect_four?1=q:preset=sarsa&2=q:preset=q-lambda&log=9*",
)


@pytest.mark.parametrize(
    ("address", "size"),
    shortly(product(COCKPITS, [(1280, 800), (1440, 900), (1920, 1080)]), (COCKPITS[2], (1280, 800))),
)
def test_the_cockpit_is_one_screen(page: Any, address: str, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"/training/{address}")
    wide = page.locator("#tables").is_visible()
    assert wide == (width >= 1600)
    whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    places = [
        ".stage svg",
        "[data-part=time]",
        "[data-part=formula]",
        ".curve.wide svg",
        "[data-player='2']",
        "#notes" if "preset" in address or "?log" in address else "#many",
    ]
    for _step in range(14):
        assert page.evaluate(whole) == [width, height]
        page.locator("[data-do=step]").click()
    for place in places:
        box = page.locator(place).first.bounding_box()
        assert 0 <= box["x"] <= width - box["width"], place
        assert 0 <= box["y"] <= height - box["height"], place
        assert box["height"] > 8, place
    board, time, curve = (page.locator(place).first.bounding_box() for place in places[:2] + places[3:4])
    assert board["height"] > 180
    assert board["x"] + board["width"] <= time["x"], "the board is at the left"
    assert time["y"] + time["height"] <= curve["y"], "the curve is docked below"
    if not wide:
        page.get_by_role("button", name="Tables").click()
        assert page.evaluate(whole) == [width, height]
        expect(page.locator("#tables tbody").first).to_be_visible()


def test_what_was_played_can_be_gone_back_and_forth_in(page: Any, registry: Registry) -> None:
    page.goto("/training/hexapawn?1=q:alpha=0.5&2=q&seed=2&log=3*;1~alpha=0.25;2*")
    games, steps, cell = (
        page.locator("#games"),
        page.locator("#steps"),
        page.locator(".time [data-cell='1-0-0']").first,
    )
    first = "[data-part=time] > li"
    page.locator("[data-do=step]").click()
    page.locator("[data-do=step]").click()
    expect(steps).to_have_attribute("aria-valuetext", "step 2 of the 2 seen so far")
    expect(games).to_have_attribute("aria-valuetext", "game 6 of the 6 begun so far")
    latest = cell.text_content()
    for game in (5, 4, 3):
        games.press("ArrowLeft")
        page.wait_for_url(f"**shown={game}")
        log = "3*;1~alpha=0.25;1*" if game == 5 else "3*;1~alpha=0.25" if game == 4 else "2*"
        film = ask(registry, _1="q:alpha=0.5", _2="q", seed=2, log=log)
        shown = {key: found[0] for key, found in shown_cells(film, "1").items()}
        assert cell.locator("[data-value]").text_content() == shown["1-0-0"]
        expect(page.locator("[data-part=totals] strong")).to_have_text(f"{game - 1} games")
        assert int(steps.get_attribute("max")) == len(film["frames"]) + len(film["steps"]) - 1
    page.reload()
    expect(games).to_have_value("3")
    steps.press("End")
    expect(page.locator("[data-part=formula] .figures")).to_be_visible()
    steps.press("Home")
    expect(page.locator(first)).to_have_count(1)
    for game in (4, 5, 6):
        games.press("ArrowRight")
        expect(page.locator("[data-part=totals] strong")).to_have_text(f"{game - 1} games")
    assert cell.text_content() == latest
    assert "shown" not in page.url
    games.press("Home")
    page.wait_for_url("**shown=1")
    steps.press("End")
    page.locator("[data-do=step]").click()  # on into the second, as it was
    expect(games).to_have_value("2")
    page.locator("#many input").fill("10")
    page.locator("#many button").click()  # after the latest
    page.wait_for_url(re.compile("2\\*;|1~alpha=0.25;12\\*"))
    expect(games).to_have_attribute("max", "16")


@long
def test_a_game_with_a_person_is_shown_again(page: Any, registry: Registry) -> None:
    film, moves = ask(registry, _1="q", _2="q", log="2*", person="1"), list[str]()
    while not film["state"]["over"]:
        moves.append(re.findall(r'<button type="button" data-move="([^"]+)', film["frames"][-1]["board"])[0])
        film = ask(registry, _1="q", _2="q", log="2*", person="1", moves=[*moves])
    page.goto(f"/training/hexapawn?1=q&2=q&log={film['state']['next']}")
    expect(page.locator("[data-resting='1']")).to_be_hidden()
    page.locator("#games").press("ArrowLeft")
    page.wait_for_url("**shown=3")
    expect(page.locator("[data-resting='1']")).to_be_visible()
    assert page.locator("[data-part=board] button[data-move]:enabled").count() == 0
    page.locator("#games").press("ArrowRight")
    expect(page.locator("[data-resting='1']")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "agents"), shortly([("en", "q:alpha=0.5"), ("fr", "v")], ("en", "q:alpha=0.5"))
)
def test_the_next_number_can_be_predicted(page: Any, registry: Registry, language: str, agents: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/training/hexapawn?1={agents}&2={agents}&seed=2&log=7*&lang={language}")
    film = ask(registry, _1=agents, _2=agents, seed=2, log="7*")
    form, field = page.locator("#predict"), page.locator("#predict input")
    for _frame in range(len(film["frames"]) - 1):
        expect(form).to_be_hidden()
        page.locator("[data-do=step]").click()
    expect(form).to_contain_text("α")
    assert violations(page) == []
    steps = [step for step in film["steps"] if step["asked"]]
    assert all(str(step["cells"][0]["exactly"]) not in step["asked"] for step in steps)
    for number, step in enumerate(steps[:2]):
        right = number == 0
        said = f"{step['value'] + (0 if right else 1):.6f}"
        field.fill(said.replace(".", ",") if language == "fr" else said)
        field.press("Enter")
        word = {"en": ("Right: ", "Not "), "fr": ("Juste", "Pas ")}[language][not right]
        expect(page.locator("[data-verdict]")).to_contain_text(word)
        figures = page.locator("[data-part=formula] .figures strong")
        assert figures.get_attribute("title") == step["cells"][0]["exactly"].replace(
            ".", "," if language == "fr" else "."
        )
    tally = {"en": "1 of 2 predicted", "fr": "1 sur 2 prédits"}[language]
    expect(page.locator("[data-tally]")).to_have_text(tally)
    expect(field).to_be_focused()
    page.locator("[data-do=back]").click()
    expect(page.locator("[data-verdict]")).to_be_empty()


def test_an_update_flies_and_nobody_waits_for_it(visitor: Any) -> None:
    page = visitor.new_page()
    page.goto("/training/hexapawn?1=q&2=random&seed=2&log=9*")
    steps = page.locator("#steps")
    step = page.locator("[data-do=step]")
    while page.locator("#predict").is_hidden():
        step.click()
    step.click()
    assert page.locator(".flight").count() == 0, "at once under reduced motion"
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(WATCHED_FLIGHTS)
    before = int(steps.input_value())
    value = page.locator(".time .number.at [data-value]").text_content()
    step.click()
    page.wait_for_function("() => window.flown.length")
    ((text, duration, points),) = page.evaluate("window.flown")
    assert text == value, "it is the value of what follows"
    assert 200 <= duration <= 300
    assert points > 2
    assert page.locator(".flight").count() == 1
    assert page.locator(".time .number.landing").count() == 1
    step.click()  # while it flies
    assert int(steps.input_value()) == before + 2 or page.locator("#games").input_value() == "11"
    page.locator("[data-do=back]").click()
    expect(page.locator(".flight")).to_have_count(0)
    assert page.locator(".landing").count() == 0


def test_codes_of_documents_stand_in_footnotes_only(registry: Registry) -> None:
    for agents in (("q:preset=hexapion", "mean:preset=morpion"), ("v:preset=vfunction", "beads:preset=ia01")):
        page = room.page(registry, Params({"game": "hexapawn", "1": agents[0], "2": agents[1]}))
        notes = page.partition('id="notes">')[2].partition("</p>")[0]
        assert len(set(re.findall(r"document (S\d)", notes))) == 2
        rest = page.replace(notes, "").partition('id="code"')[0]
        assert not re.search(r"\bS[0-4]\b|\brows? [A-Z]-\d", re.sub(r"<[^>]*>", "", rest))
    assert "<h1>Q-learning, as in the course<" in room.page(registry, Params({"game": "hexapawn"}))


FIRST_PAGE = 60_000
"""Bytes of the page, before the film that it asks for: a first page is to be 150 kB at most with all of it.
"""
TRAINED = tuple(
    product(("tictactoe", "hexapawn", "connect_four:width=5,height=4"), ("q", "menace"), ("30*", "300*"))
)


@pytest.mark.parametrize(("game", "text", "log"), shortly(TRAINED, TRAINED[0]))
def test_the_first_page_is_small_whatever_has_been_trained(
    registry: Registry, game: str, text: str, log: str
) -> None:
    found = room.page(registry, Params({"game": game, "1": text, "2": text, "log": log}))
    assert len(found.encode()) < FIRST_PAGE
    assert "data-row" not in found
    assert found.count('<div class="curve ') == 1


def test_a_page_that_is_asked_for_again_finds_its_agents_again(registry: Registry) -> None:
    """Though it lists more games than a registry keeps."""
    asked = Params({"game": "hexapawn", "log": "40*"})
    agents = room.room_visit(registry, asked).pair
    room.page(registry, asked)
    assert room.room_visit(registry, asked).pair is agents


@long
def test_tables_are_a_link_where_no_program_runs(browser: Any, served: Served) -> None:
    context = browser.new_context(base_url=served.address, java_script_enabled=False)
    context.request.get(f"/?token={served.key}")
    still = context.new_page()
    still.goto("/training/hexapawn?1=q&2=q&seed=3&log=9*;1~alpha=0.5")
    assert still.locator("#tables").is_hidden()
    still.get_by_role("link", name="Tables").click()
    expect(still.locator("[data-part=table-1] tbody tr").first).to_be_visible()
    assert still.locator("[data-part=totals]").inner_text().startswith("9 games")
    context.close()


@long
def test_tables_come_when_their_drawer_is_opened_at_the_step_that_is_shown(
    page: Any, registry: Registry
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/training/hexapawn?1=q&2=q&seed=3&log=5*")
    for _step in range(3):
        page.locator("[data-do=step]").click()
    assert page.locator("[data-row]").count() == 0
    drawer = page.get_by_role("button", name="Tables")
    drawer.focus()
    page.keyboard.press(" ")
    film = ask(registry, _1="q", _2="q", seed=3, log="5*")
    new = sum(len(frame["rows"]) for frame in film["frames"][:4])
    expect(page.locator("#tables tr[data-new]")).to_have_count(new)
    assert page.locator("#steps").input_value() == "3"
    assert drawer.get_attribute("aria-expanded") == "true"
    expect(drawer).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#tables")).to_be_hidden()


@long
def test_a_curve_is_sent_in_the_size_that_is_shown(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/training/hexapawn?1=q&2=q&seed=3&log=5*")
    expect(page.locator(".curve.narrow svg")).to_be_visible()
    assert page.locator(".curve").count() == 1
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".curve.wide svg")).to_be_visible()
    assert page.locator(".curve").count() == 1


STEP = 0.05
"""CPU seconds of a step: of the page's thread, and of the server for a game shared among its steps."""


@pytest.mark.parametrize("game", shortly(["hexapawn", "tictactoe"], "hexapawn"))
def test_a_step_is_little_work_for_the_server(registry: Registry, game: str) -> None:
    film = ask(registry, game=game, log="30*", tables=False)
    steps, begun = 0, time.process_time()
    for _game in range(10):
        film = after(registry, film, game=game, tables=False)
        steps += len(film["frames"]) + len(film["steps"]) - 1
    assert (time.process_time() - begun) / steps < STEP


def test_the_next_game_is_there_before_the_step_that_begins_it(page: Any, registry: Registry) -> None:
    """It is asked for once, while this one is watched, and nobody waits for it."""
    questions: list[Any] = []
    page.on("request", lambda request: "training_room.show" in request.url and questions.append(request))
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        values = session.send("Performance.getMetrics")["metrics"]
        return next(float(value["value"]) for value in values if value["name"] == "ScriptDuration")

    page.goto("/training/hexapawn?1=q&2=q&seed=3&log=5*", wait_until="networkidle")
    film = ask(registry, _1="q", _2="q", seed=3, log="5*")
    assert len(questions) == 1, "a game that is only opened is followed by none"
    steps = len(film["frames"]) + len(film["steps"]) - 1
    with page.expect_response("**/training_room.show"):
        page.keyboard.press(" ")
    before = spent()
    for _step in range(steps - 1):
        page.keyboard.press(" ")
    expect(page.locator("[data-part=totals] strong")).to_have_text("6 games")
    assert (spent() - before) / steps < STEP
    assert len(questions) == 2
    at_once = """async () => {
      document.querySelector("[data-do=step]").click();
      for (let turn = 0; turn < 20; turn++) await null;
      return document.getElementById("games").value;
    }"""
    assert page.evaluate(at_once) == "7"
    assert len(questions) == 2


class Held:
    """Questions for films that wait for their answers until they are let go."""

    def __init__(self, page: Any) -> None:
        self.page, self.waiting = page, list[Any]()
        page.route("**/training_room.show", lambda route: self.waiting.append(route))

    def until(self, count: int) -> None:
        """Await so many of them."""
        for _frame in range(1000):
            if len(self.waiting) >= count:
                return
            self.page.evaluate("new Promise(requestAnimationFrame)")
        raise AssertionError(f"{len(self.waiting)} of {count} questions")

    def let_go(self) -> None:
        for route in self.waiting:
            route.continue_()
        self.waiting.clear()


ANOTHER = (
    """() => fetch("/games").then((answer) => answer.text()).then(() => new Promise(requestAnimationFrame))"""
)
"""Awaits the answer of another question, before which those of earlier ones are there."""


@pytest.mark.parametrize("phase", shortly(["most", "many"], "most"))
def test_what_runs_is_stopped_at_once_in_whatever_it_is(page: Any, phase: str) -> None:
    page.goto("/training/nim?1=q&2=q&seed=3&log=5*", wait_until="networkidle")
    run, total = page.locator("[data-do=run]"), page.locator("[data-part=totals] strong")
    held = Held(page)
    if phase == "many":
        page.locator("#many input").fill("100000")
        page.locator("#many button").click()
    else:
        page.select_option("#pace", phase)
        run.click()
    held.until(1)  # it waits for an answer
    expect(run).to_have_text("Stop")
    run.click()
    expect(run).to_have_text("Run")
    held.let_go()
    address = page.url
    page.evaluate(ANOTHER)
    expect(total).to_have_text("5 games")
    assert page.url == address
    assert run.get_attribute("aria-pressed") == "false"
    page.select_option("#pace", "most")
    run.click()
    held.until(1)
    run.click()
    run.click()  # the run before has no answer yet
    held.until(2)
    held.let_go()
    held.until(1)
    run.click()
    held.let_go()
    expect(run).to_have_text("Run")
    shown = total.text_content()
    page.evaluate(ANOTHER)
    expect(total).to_have_text(str(shown))
    page.unroute_all(behavior="wait")


WATCHED_FLIGHTS = """() => {
  window.flown = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (path, options) {
    const flight = animate.call(this, path, options);
    window.flown.push([this.textContent, options.duration, path.length]);
    flight.pause();
    return flight;
  };
}"""
"""Flights are noted, and stay in the air."""
SMALLEST = """place => {
  const svg = [...document.querySelectorAll(place)].find((one) => one.checkVisibility())
  return Math.min(...[...svg.querySelectorAll("text")].map(
    (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d))
}"""
"""Pixels of the smallest text of the first picture that is shown at a place, at one moment."""


def test_a_number_of_an_agent_is_shown_and_read_with_a_comma_in_french(page: Any) -> None:
    page.goto("/training/hexapawn?lang=fr&1=q:alpha=0.5&2=random&seed=2")
    alpha = page.locator("[data-dial='1'][name=alpha]")
    expect(alpha).to_have_value("0,5")
    assert alpha.get_attribute("inputmode") == "decimal"
    for wrong in ("1,5", "-0,1", "beaucoup"):
        alpha.fill(wrong)
        alpha.press("Tab")
        assert alpha.evaluate("field => field.validationMessage") == "un nombre de 0 à 1"
    alpha.fill(",25")
    alpha.press("Tab")
    assert alpha.evaluate("field => field.validity.valid")
    page.locator("[data-do=run]").click()
    page.wait_for_url(re.compile("1~alpha=0.25"))
    assert "," in page.locator("[data-dial='1'][name=epsilon]").input_value()


@pytest.mark.parametrize("game", ["go:size=19", "hex:size=19", "othello:size=16"])
def test_a_game_of_too_many_pictures_is_refused_before_it_is_played(registry: Registry, game: str) -> None:
    with pytest.raises(LimitReached, match=r"as a picture of .* places: choose a smaller board"):
        room.page(registry, Params({"game": game}))


@pytest.mark.parametrize(
    ("game", "most"),
    shortly(
        [
            ("hyper_backgammon:checkers=1", training_pair.LATE_POSITIONS),
            ("hex:size=4", training_pair.LATE_POSITIONS),
            ("pawns:width=6,height=4", training_pair.LATE_POSITIONS),
            ("hex:size=3", 1_000),
        ],
        ("hex:size=3", 1_000),
    ),
)
def test_a_game_that_is_too_large_is_told_before_it_is_graded(
    registry: Registry, game: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_pair, "MOST_POSITIONS", min(most, MOST_POSITIONS))
    monkeypatch.setattr(training_pair, "LATE_POSITIONS", most)
    with pytest.raises(LimitReached, match="too many to grade here: choose a smaller board"):
        room.grade(registry, Params({"game": game}))
