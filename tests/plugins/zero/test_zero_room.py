"""AlphaZero's room: a training that is watched, its network at a board, its search step by step."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import Served, violations
from playwright.sync_api import expect
from talking import Live

from damier import load
from damier.core.errors import BadFile, BadInput, Unsuitable
from damier.core.job import Job
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.plugins.zero import room
from damier.plugins.zero.agent import opponent
from damier.plugins.zero.encoding import input_count, sizes_of
from damier.plugins.zero.files import keep, kept, zipped
from damier.plugins.zero.network import Perceptron
from damier.plugins.zero.room import SearchReplay, settings_of
from damier.plugins.zero.self_play import ZeroEngines
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.settings import Settings

TINY = "zero:games=8,simulations=4,hidden=8,batch=32"
GAME = "tictactoe"


@pytest.fixture(scope="session")  # the lab that all share keeps it, whatever order tests come in
def trained(served: Served) -> str:
    """A network that the lab has trained while somebody looked on."""
    live = Live(served)
    begun = live.tell("training.start", game=GAME, learner=TINY, games=16, seed=1, name="noughts")
    assert begun.get("name") == "noughts", begun
    live.send(do="watch", topic="training/noughts/en/visits")
    told = live.until("training/noughts/en/visits", lambda told: told["state"]["state"] == "finished")
    assert told["state"]["games"] == 16
    assert "Exactly best: " in told["parts"]["curve"]
    assert "perfect play" in told["parts"]["curve"]
    return "noughts"


@pytest.fixture
def registry(served: Served) -> Registry:
    return Registry(Settings(folder=served.folder))


@pytest.fixture
def replay() -> SearchReplay:
    game = load(GAME)
    network = Perceptron.new(input_count(game), 8, 1, sizes_of(game).slots, 3)
    engines = ZeroEngines(game, sizes_of(game), Job(jit=False))
    return SearchReplay(engines, network, game.position().play("4"), 24)


def test_only_who_knows_the_curve_tells_how_many_points_it_has(trained: str, served: Served) -> None:
    """Told last, a number of none hid from the page what a network that has learnt can be used for."""
    live, found = Live(served), {}
    for topic in (f"training/{trained}/en/visits", f"progress/{trained}/en"):
        live.send(do="watch", topic=topic)
        found[topic] = live.until(topic, lambda told: told["state"]["state"] == "finished")["state"]
    drawn, numbers = found.values()
    assert drawn == {**numbers, "points": drawn["points"]}
    assert drawn["points"] > 0


def test_a_training_is_watched_and_its_network_is_a_learner_of_the_lab(
    trained: str, served: Served, http: httpx.Client
) -> None:
    facts = kept(served.folder / f"{trained}.json", load(GAME)).facts
    assert facts["games"] == 16
    assert facts["seed"] == 1
    page = http.get(f"/zero/{GAME}?name={trained}").text
    assert "16 games" in page
    assert "Exactly best: " in page
    assert f"/zero/{GAME}?name={trained}" in http.get("/zero").text
    listed = http.get("/learning").text
    assert f'href="/zero/{GAME}?name={trained}"' in listed
    assert f'data-learner="{trained}"' not in listed  # the learning room does not show it
    refused = http.post("/ask/learning.show", json={"name": trained, "order": "visits"})
    assert refused.status_code == 400
    assert refused.json()["error"] == f"{trained} is a learner of another room: zero"


def test_a_training_goes_on_and_refuses_other_options(trained: str, served: Served) -> None:
    live = Live(served)
    on = {"resume": True, "name": trained, "game": GAME, "seed": 1}
    other = live.tell("training.start", **on, learner="zero:games=8,simulations=5", games=24)
    assert other["error"] == f"{trained} was trained with other options"
    enough = live.tell("training.start", **on, learner=TINY, games=16)
    assert "has played 16 games already" in enough["error"]
    assert "name" in live.tell("training.start", **on, learner=TINY, games=24)
    live.send(do="watch", topic=f"progress/{trained}/en")
    live.until(f"progress/{trained}/en", lambda told: told["state"]["state"] == "finished")
    assert kept(served.folder / f"{trained}.json", load(GAME)).facts["games"] == 24


def test_the_folder_that_is_downloaded_is_an_agent(trained: str, http: httpx.Client, tmp_path: Path) -> None:
    answer = http.get(f"/zero/files/{trained}.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == "attachment"
    assert answer.content == http.get(f"/zero/files/{trained}.zip").content
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert all(name.startswith(f"{trained}/") for name in archive.namelist())
        archive.extractall(tmp_path)
    game = load(GAME)
    player = agent(Lab(game, Job(jit=False)), f"zero:file={tmp_path / trained},simulations=4")
    assert player.choose(game, game.start, [0]) in game.legal(game.start)


def test_the_network_plays_at_a_board(trained: str, http: httpx.Client) -> None:
    seats = {"game": GAME, "1": f"learner:{trained}", "2": "human"}
    answer = http.post("/ask/board.reply", json=seats).json()
    assert answer["move"] in list("012345678")
    assert f"learner:{trained}" in http.post("/ask/board.seats", json=seats).text
    mind = http.post("/ask/mind.show", json=seats).json()["parts"]["mind"]
    assert "how likely" in mind


def test_no_page_names_a_file_or_another_learner(trained: str, http: httpx.Client, served: Served) -> None:
    assert http.post("/ask/board.reply", json={"game": GAME, "1": "zero:file=z"}).status_code == 400
    for name in ("../x", "..%2Fx", "nobody", ".owners"):
        assert http.get(f"/zero/files/{name}").status_code in (400, 404)
    (served.folder / "table.json").write_text('{"format": "damier-agent/1"}')
    answer = http.get(f"/zero/{GAME}?name=table")
    assert answer.status_code == 400
    assert "table is no network of this room" in answer.text
    (served.folder / "table.json").unlink()
    wrong = http.get(f"/zero/hexapawn?name={trained}")
    assert wrong.status_code == 400
    assert str(served.folder) not in wrong.text


@pytest.mark.parametrize(("game", "why"), [("pig", "chance"), ("kuhn_poker", "secrets")])
def test_games_that_it_does_not_handle_are_refused(http: httpx.Client, game: str, why: str) -> None:
    answer = http.get(f"/zero/{game}")
    assert answer.status_code == 400
    assert why in answer.text


def test_its_heading_has_the_colon_of_the_language(http: httpx.Client) -> None:
    assert "<h1>AlphaZero\xa0: Morpion</h1>" in http.get(f"/zero/{GAME}?lang=fr").text


def test_what_a_page_may_train_is_bounded(served: Served) -> None:
    live = Live(served)
    plan = {"game": GAME, "games": 8}
    for learner, why in (
        ("zero:simulations=1000", "at most simulations=128 here"),
        ("zero:hidden=4096", "at most hidden=128 here"),
        ("zero:batch=1", "from 16 to"),
        ("zero:file=x", "file"),
    ):
        assert why in live.tell("training.start", **plan, learner=learner)["error"]
    assert "no opponent" in live.tell("training.start", **plan, learner=TINY, opponent="random")["error"]
    large = live.tell("training.start", game="connect_four", games=8, learner=TINY)["error"]
    assert large.startswith(
        "connect_four:width=7,height=6,in_a_row=4 is too large to be graded in all positions on a page"
    )
    assert settings_of("zero").games == 128
    with pytest.raises(BadInput, match="window"):
        settings_of("zero:window=100000")


def test_thoughts_and_truth_stand_beside_each_other(trained: str, registry: Registry) -> None:
    """X has 0 and 1: who does not take 2 loses."""
    asked = {"game": GAME, "name": trained, "moves": "0,4,1", "simulations": 64}
    answer = room.look(registry, Params(asked))
    part = answer["parts"]["position"]
    assert part.count("<figure>") == 3
    assert (
        "With 64 simulations: 2, exactly best." in part or "are proven" in part or "2, exactly best" in part
    )
    assert part.count("worth worth-loss") == 5
    assert part.count("worth-best") == 1
    assert answer["state"]["taps"][2] == "2"
    over = room.look(registry, Params(asked | {"moves": "0,3,1,4,2"}))
    assert over["parts"]["step"] == ""
    assert "Take the move back" in over["parts"]["position"]


def test_every_simulation_is_that_of_the_search(replay: SearchReplay) -> None:
    """What the steps tell adds up to what the whole search found."""
    visits: dict[int, int] = {}
    for number in range(1, replay.done + 1):
        step = replay.simulation(number)
        assert step.way[0].visits == (number - 1, number)
        assert bool(step.moves) == (number > 1)
        if len(step.way) > 1:
            chosen = step.way[1].move
            visits[chosen] = visits.get(chosen, 0) + 1
            assert max(step.moves, key=lambda one: one.bound).bound == pytest.approx(
                next(one.bound for one in step.moves if one.move == chosen)
            )
            assert step.leaf.mover != step.way[-1].player or step.ended
        assert abs(step.value) <= 1
        if step.expanded:
            assert sum(one.prior for one in step.expanded) == pytest.approx(1)
            assert len(step.expanded) == len(step.leaf.named_moves)
    assert visits == {one.move: one.visits for one in replay.moves() if one.visits}
    assert sum(one.decided for one in replay.moves()) == 1


def test_a_search_that_proves_the_position_ends_there() -> None:
    game = load(GAME)
    position = game.position()
    for move in ("0", "3", "1", "4"):
        position = position.play(move)
    network = Perceptron.new(input_count(game), 8, 1, sizes_of(game).slots, 3)
    found = SearchReplay(ZeroEngines(game, sizes_of(game), Job(jit=False)), network, position, 64)
    assert found.proven
    last = found.simulation(found.done)
    assert last.ended
    assert last.value == 1
    assert last.way[0].proven
    assert found.done < 64


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    game = load(GAME)
    sizes = sizes_of(game)
    path = tmp_path / "n.json"
    facts: dict[str, Any] = {"games": 8, "generations": 1, "steps": 2, "sizes": sizes.as_json(), "curve": []}

    def write(network: Perceptron, facts: dict[str, Any]) -> None:
        keep(path, game, "zero", network, {}, facts)

    good = Perceptron.new(input_count(game), 8, 1, sizes.slots, 0)
    write(good, facts)
    assert kept(path, game).done() == (1, 8, 2)
    assert zipped(kept(path, game), game, "n")
    with pytest.raises(BadFile, match=r"an agent for tictactoe.*, not for hexapawn"):
        kept(path, load("hexapawn"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    with pytest.raises(BadFile):
        kept(path, game)
    write(Perceptron.new(5, 8, 1, sizes.slots, 0), facts)
    with pytest.raises(BadFile, match="holds no network"):
        kept(path, game)
    for curve in None, [{"generation": 1, "games": "many"}]:
        write(good, facts | {"curve": curve})
        with pytest.raises(BadFile, match="holds no network"):
            kept(path, game)
    write(good, {"games": 8})
    with pytest.raises(BadFile, match="holds no network"):
        kept(path, game)
    write(good, facts | {"steps": "many"})
    with pytest.raises(BadFile, match="how far it is"):
        kept(path, game).done()
    assert opponent(Lab(game, Job()), _saved(path, write, good, facts), "learner:n").text == "learner:n"


def _saved(path: Path, write: Any, network: Perceptron, facts: dict[str, Any]) -> Path:
    write(network, facts)
    return path


def test_a_person_walks_through_a_position_and_its_search_with_keys(trained: str, visitor: Any) -> None:
    page = visitor.new_page()
    page.goto(f"/zero/{GAME}?name={trained}")
    assert violations(page) == []
    page.locator(".zero-boards figure").first.locator("[data-move='4']").click()
    expect(page.get_by_role("link", name="Take the move back")).to_be_visible()
    assert "moves=4" in page.url
    page.locator("[data-key=next]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".zero-steps [data-spoken]")).to_contain_text("simulation 1 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".zero-steps [data-spoken]")).to_contain_text("simulation 2 of")
    expect(page.locator("[data-key=next]")).to_be_focused()
    expect(page.locator(".zero-phases h3")).to_have_text(["Select", "Expand", "Evaluate", "Back up"])
    expect(page.locator(".zero-phases tr.current")).to_have_count(1)
    assert violations(page) == []
    page.keyboard.press("End")
    expect(page.locator("[data-key=next]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(page.locator(".zero-steps [data-spoken]")).to_contain_text("simulation 1 of")
    page.go_back()
    expect(page.locator(".zero-steps [data-spoken]")).not_to_contain_text("simulation 1 of")
    expect(page.get_by_role("link", name="Play against it")).to_be_visible()


def test_a_room_refuses_by_name(registry: Registry) -> None:
    with pytest.raises(Unsuitable):
        room.look(registry, Params({"game": "pig"}))
    with pytest.raises(BadInput):
        room.look(registry, Params({"game": GAME, "simulations": 65}))
    with pytest.raises(BadInput):
        room.look(registry, Params({"game": GAME, "moves": "0,0"}))
