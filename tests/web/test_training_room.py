"""The training room: that what it shows is what a training does, and what a person does at the page."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browsing import violations
from lasting import shortly
from playwright.sync_api import expect

from damier import load
from damier.core.errors import BadInput, DamierError, IllegalMove, LimitReached
from damier.core.job import Job
from damier.core.json_types import JsonValue
from damier.core.player import RandomPlayer
from damier.core.words import speaking
from damier.lab.agents import Lab, agent
from damier.lab.starts import typed_starts
from damier.lab.training import Plan, table_trainer
from damier.learn.action_values import Memory
from damier.learn.player import LearningPlayer
from damier.learn.store import load_hexapion
from damier.solve.grade import grade
from damier.web.messages import RoomFilm
from damier.web.params import Params
from damier.web.registry import Registry
from damier.web.rooms import training_room as room
from damier.web.settings import Settings
from damier.web.training_pair import MOST_ENTRIES, Pair, PairKnown, SeatKnown, TableGiven, read_log, write_log

ALGORITHMS = ("q:preset=hexapion", "q:preset=one-step", "q:preset=sarsa", "v", "mean", "menace")


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


@pytest.mark.parametrize("text", ALGORITHMS)
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
    return room.show(registry, Params({name.lstrip("_"): value for name, value in values.items()}))


def shown_cells(html: str) -> dict[str, tuple[str, str]]:
    """The cells of a table: what they show, and all their digits."""
    found = re.findall(
        r'data-cell="([^"]+)"[^>]*title="[^"]*?: ([^" (]+)[^"]*"><span data-value>([^<]+)', html
    )
    return {key: (text, exactly) for key, exactly, text in found}


@pytest.mark.parametrize("text", ALGORITHMS)
@pytest.mark.parametrize("log", ["", "150*"])
def test_the_film_leads_each_table_cell_by_cell_to_what_the_learner_knows(
    registry: Registry, text: str, log: str
) -> None:
    film = ask(registry, _1=text, _2=text, seed=5, log=log)
    following = ask(registry, _1=text, _2=text, seed=5, log=film["state"]["next"])
    assert film["state"]["over"]
    assert film["steps"]
    for seat in "12":
        cells = shown_cells(film["parts"][f"table-{seat}"])
        assert cells
        for step in film["steps"]:
            cells |= {
                cell["cell"]: (cell["text"], cell["exactly"])
                for cell in step["cells"]
                if cell["cell"].startswith(seat)
            }
        after = shown_cells(following["parts"][f"table-{seat}"])
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
        assert film["later"]["totals"] == ask(registry, log=log)["parts"]["totals"]


def test_parameters_change_from_one_game_to_the_next() -> None:
    known = pair("q", "v").after(
        read_log("20*;1~epsilon=0,alpha=0.5,policy=softmax,temperature=0.25;2~gamma=0.5")
    )
    first, second = known.seats
    assert isinstance(first, SeatKnown)
    assert isinstance(second, SeatKnown)
    assert (first.epsilon, first.parameters.step_size, first.parameters.policy) == (0.0, 0.5, "softmax")
    assert (first.parameters.temperature, second.parameters.discount_factor, second.epsilon) == (
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
    lines = [film["parts"]["time"] for film in films]
    assert any("falls here" in line and "told here" in line for line in lines)
    assert all(len(re.findall(r'<strong class="told">', line)) == 2 for line in lines)


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
        content = room.download(registry, Params({"log": "80*", "seat": seat, "seed": 3})).content.decode()
        (tmp_path / "AgentA.txt").write_text(content, encoding="ascii")
        memory = load_hexapion(tmp_path / "AgentA.txt", load("hexapawn"))
        known = pair("q:preset=hexapion", "q:preset=hexapion", 3).after(read_log("80*")).seats[int(seat) - 1]
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
        assert (given.memory.decisions, given.epsilon) == (known.memory.decisions, known.epsilon)
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


def test_a_file_is_given_at_the_page(page: Any, tmp_path: Path) -> None:
    page.goto("/training/hexapawn?2=random&log=40*")
    with page.expect_download() as got:
        page.get_by_role("link", name="AgentA.txt").click()
    path = tmp_path / "AgentA.txt"
    got.value.save_as(path)
    page.goto("/training/hexapawn?2=random")
    rows = page.locator("[data-part=table-1] tbody tr:not([hidden])")
    page.locator("[data-import='1']").set_input_files(path)
    expect(rows).to_have_count((len(path.read_text().splitlines()) - 1) // 3)
    assert "1%3D" in page.url or "1=" in page.url.partition("log=")[2]
    (tmp_path / "wrong.txt").write_text("hello")
    page.locator("[data-import='1']").set_input_files(tmp_path / "wrong.txt")
    expect(page.get_by_text("is not a file of the Hexapawn lab")).to_be_visible()


@pytest.mark.parametrize("game", ["tictactoe", "nim", "connect_four", "pig"])
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


def test_the_page_plays_a_game_teaches_its_tables_and_goes_on(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/training/hexapawn?1=q:alpha=0.5&2=random&seed=2")
    assert page.locator("tr[data-new]:visible").count() == 1
    film = json.loads(page.locator("[data-film]").get_attribute("data-film"))
    frames, steps = len(film["frames"]), len(film["steps"])
    page.locator("[data-do=step]").focus()
    for _frame in range(frames - 1):
        page.keyboard.press("Enter")
    assert page.locator("tr[data-new]:visible").count() == steps
    page.keyboard.press("Enter")
    assert "0.5 · 0 + 0.5 · (" in page.inner_text("[data-part=formula]")
    for _step in range(steps - 1):
        page.keyboard.press("Enter")
    assert page.locator("[data-cell].n3").count() == 1
    page.locator("[data-do=back]").click()
    assert violations(page) == []
    page.locator("[data-do=step]").click()
    page.locator("[data-dial='1'][name=alpha]").fill("0.25")
    page.locator("[data-dial='1'][name=alpha]").press("Tab")
    page.locator("[data-do=step]").click()
    page.wait_for_url("**log=1*;1~alpha=0.25")
    page.select_option("#pace", "most")
    page.locator("[data-do=run]").click()
    expect(page.locator("[data-part=totals] strong")).to_have_text(re.compile(r"\d\d\d games"))
    page.locator("[data-do=run]").click()
    assert page.locator("[data-part=curve] svg").count() == 1
    page.select_option("[data-player='2']", "human")
    page.locator("[data-part=board] button[data-move]").first.wait_for()
    assert page.locator("[data-resting='2']").is_visible()
    page.locator("[data-part=board] button[data-move]").first.click()
    page.wait_for_url("**moves=*")
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
    before = page.url
    page.reload()
    assert page.url == before


def test_a_room_runs_by_itself_and_what_is_too_long_for_an_address_is_kept(page: Any) -> None:
    log = ";".join(f"1*;1~alpha=0.{number:04}" for number in range(1, 120))
    page.goto(f"/training/nim?1=q&2=q&log={log}")
    total = page.locator("[data-part=totals] strong")
    expect(total).to_have_text("119 games")
    page.select_option("#pace", "fast")
    page.locator("[data-do=run]").click()
    expect(total).to_have_text(re.compile("1(2[1-9]|[3-9][0-9]) games"), timeout=60_000)
    page.locator("[data-do=run]").click()
    assert "kept=training" in page.url
    page.locator("#many input").fill("200")
    page.locator("#many button").click()
    expect(total).to_have_text(re.compile("3[2-9][0-9] games"), timeout=60_000)
    expect(page.locator("[data-do=run]")).to_have_text("Run")
    shown = total.inner_text()
    page.reload()
    expect(total).to_have_text(shown)


def test_a_phone_shows_the_board_first_and_is_not_wider_than_itself(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/training/tictactoe?1=q:policy=softmax,epsilon=0&2=menace&seed=2&log=20*&lang=fr")
    page.locator("[data-do=step]").click()
    assert page.locator(".shares svg").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("[data-part=board]").bounding_box()["y"] < 500
    page.evaluate("scrollTo(0, 700)")
    box = page.locator("[data-do=step]").bounding_box()
    assert 600 < box["y"] < 844 - box["height"], "step and run stay within reach"
    assert violations(page) == []


def test_space_and_arrows_step(page: Any) -> None:
    page.goto("/training/tictactoe?lang=en")
    here, columns = page.locator("[data-part=time] thead .current"), ["2", "3", "2"]
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


def test_moves_of_one_name_share_a_column(registry: Registry) -> None:
    film = ask(registry, game="connect_four", _1="q", _2="mean", log="20*")
    for seat in "12":
        head = re.findall(r'<th scope="col" class="number">([^<]*)', film["parts"][f"table-{seat}"])
        assert head == sorted(set(head))
        assert set(head) <= set("1234567")


def test_a_larger_game_is_graded_when_somebody_asks(registry: Registry) -> None:
    large: dict[str, JsonValue] = {"game": "connect_four:width=5,height=3", "1": "q", "2": "random"}
    page = room.page(registry, Params(large))
    assert 'id="grade"' in page
    assert 'id="grade"' not in room.page(registry, Params({"game": "hexapawn"}))
    with speaking("en"):
        said = room.grade(registry, Params(large | {"log": "30*"}))["parts"]["graded"]
    assert "Graded after game 30:" in said
    assert "Player 2" not in said, "random play learns nothing"
    log = read_log("30*")
    trained = pair("q", "random", game="connect_four:width=5,height=3").after(log).seats[0]
    assert isinstance(trained, SeatKnown)
    player = LearningPlayer(load("connect_four:width=5,height=3"), "q", trained.parameters, trained.memory)
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


@pytest.mark.parametrize("width", [1280, 390])
def test_the_bar_of_shares_and_the_curve_can_be_read(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/training/hexapawn?1=beads&2=random&log=1*")
    page.locator("[data-do=step]").click()
    page.emulate_media(color_scheme="dark")
    fill = page.locator(".shares svg text").first.evaluate("text => getComputedStyle(text).fill")
    assert fill == "rgb(31, 39, 48)", "dark on light in both themes"
    for place in (".shares svg", ".curve svg"):
        picture = page.locator(place).first
        picture.wait_for()
        assert picture.evaluate(SMALLEST) >= 10.99
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("width", "scheme"),
    shortly(product([800, 1280, 1440, 1920], ["light", "dark"]), (800, "dark"), (1920, "light")),
)
def test_the_whole_curve_is_seen(page: Any, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto("/training/hexapawn?1=q&2=q&log=30*")
    box = page.locator("[data-part=curve] .curve")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    labels = box.locator("svg text").evaluate_all("texts => texts.map(t => t.getBoundingClientRect().right)")
    right = box.evaluate("box => box.getBoundingClientRect().right")
    assert max(labels) <= right
    assert box.locator("svg").evaluate(SMALLEST) >= 10.99
    assert violations(page) == []


def test_nobody_hears_of_what_is_not_played_yet(page: Any) -> None:
    """Nor of positions that an agent has not met yet."""
    page.goto("/training/hexapawn?1=q&2=q&seed=3")
    time = page.locator("[data-part=time]")
    states, moves = time.locator("[data-states] td"), time.locator("tbody tr:nth-of-type(2) td")
    assert states.count() > 3
    for played in range(3):
        assert [place.is_visible() for place in states.all()] == [
            number <= played for number in range(states.count())
        ]
        assert [place.is_visible() for place in moves.all()] == [
            number < played for number in range(moves.count())
        ]
        heard = time.aria_snapshot()
        assert len(re.findall(r"- cell .*\d", heard)) <= 3 * (played + 1)
        page.locator("[data-do=step]").click()


def test_the_positions_of_an_agent_are_counted_once(page: Any) -> None:
    """As many as it knew before the game that is shown, beside its table as above it."""
    page.goto("/training/hexapawn?1=q&2=q&seed=3")
    seat = page.locator("[data-seat='1']")
    assert re.findall(r"\d+ positions?", seat.inner_text()) == ["0 positions"]
    page.goto("/training/hexapawn?1=q&2=q&seed=3&log=1*")
    (first,) = set(re.findall(r"(\d+) positions?", seat.inner_text()))
    assert seat.locator("tbody tr:visible").count() == int(first)


SMALLEST = """svg => Math.min(...[...svg.querySelectorAll("text")].map(
  (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d))"""
"""Pixels of the smallest text of a picture."""


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


@pytest.mark.parametrize("game", ["hyper_backgammon:checkers=1", "hex:size=4", "pawns:width=6,height=4"])
def test_a_game_that_is_too_large_is_told_before_it_is_graded(registry: Registry, game: str) -> None:
    with pytest.raises(LimitReached, match="too many to grade here: choose a smaller board"):
        room.grade(registry, Params({"game": game}))
