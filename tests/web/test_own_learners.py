"""Agents of one's own in the learning room: they learn, are opponents, are kept, go on and are played
against, by the names that were served; what stands in a file of a learner chooses no other file.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop, violations, visiting
from lasting import later, long
from own_agents import LEARNER
from playwright.sync_api import expect
from talking import Live

from damier.core.errors import BadInput
from damier.core.job import Job
from damier.lab import agent_file
from damier.lab.agent_file import may_learn
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, trainer
from damier.web import learners
from damier.web.messages import Query
from damier.web.registry import Registry
from damier.web.settings import Settings
from damier.web.worker import reply

FIRST = "def play(position):\n    return position.moves[0]\n"
FAULTY = """
class Tires:
    learnt = 0
    def play(self, position):
        return position.moves[0]
    def learn(self, payoff):
        self.learnt += 1
        if self.learnt == 3:
            raise ValueError("tired")
    def save(self):
        return self.learnt
    def load(self, data):
        self.learnt = data
"""
PLANNED = {"learner": "mine:alpha=0.3", "opponent": "first", "seat": "alternate", "seed": 5}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    for name, code in (("mine", LEARNER), ("first", FIRST), ("faulty", FAULTY)):
        (folder / f"{name}.py").write_text(code)
    return folder


@pytest.fixture(scope="module")
def lab(home: Path) -> Iterator[Served]:
    found = serve(home, "mine.py", "first.py", "faulty.py")
    yield found
    stop(found)


@pytest.fixture
def live(lab: Served) -> Live:
    return Live(lab)


def begin(live: Live, name: str, **plan: object) -> dict[str, Any]:
    answer = live.tell("training.start", name=name, game="hexapawn", **plan)
    live.send(do="watch", topic=f"progress/{name}/en")
    live.send(do="watch", topic=f"training/{name}/en/visits")
    return answer


def until(live: Live, name: str, state: str, games: int = 0) -> dict[str, Any]:
    return live.until(
        f"progress/{name}/en",
        lambda told: told["state"]["state"] == state and told["state"]["games"] >= games,
    )


def test_it_comes_to_what_the_command_comes_to_and_goes_on(
    live: Live, lab: Served, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert begin(live, "kept", games=100, pace=0, **PLANNED)["name"] == "kept"
    until(live, "kept", "finished")
    picture = live.until("training/kept/en/visits", lambda told: told["parts"].get("numbers"))["parts"]
    assert set(picture) == {"curve", "numbers", "table"}
    assert "Exact payoff" in picture["numbers"]
    assert "ceiling" in picture["curve"]
    assert begin(live, "kept", resume=True, games=150, pace=0)["name"] == "kept"
    until(live, "kept", "finished", games=150)
    monkeypatch.chdir(home)
    made = trainer(
        Lab(load("hexapawn"), Job(jit=False)), Plan("mine.py:alpha=0.3", "first.py", "alternate", seed=5)
    )
    made.training.run(150, Job(jit=False))
    made.save(home / "same.json")
    assert (lab.folder / "kept.json").read_bytes() == (home / "same.json").read_bytes()
    made.resume(lab.folder / "kept.json")


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"learner": "first"}, "first.py does not learn"),
        later(({"learner": "mine:beta=1"}, "no option beta")),
        ({"learner": "mine:file=x"}, "names a file"),
        later(({"learner": "mine.py"}, "is a program")),
        later(({"learner": "q", "opponent": "mine.py"}, "is a program")),
        ({"learner": "q", "opponent": "./first.py"}, "is a program"),
        later(({"learner": "mine:Nobody"}, "mine.py")),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    live: Live, lab: Served, home: Path, plan: dict[str, str], said: str
) -> None:
    answer = begin(live, "refused", **plan)["error"]
    assert said in answer
    assert "\n" not in answer
    assert str(home) not in answer
    assert "refused" not in learners.names(lab.folder)


def test_a_fault_ends_the_training_with_file_and_line(live: Live) -> None:
    begin(live, "tired", learner="faulty", games=100, pace=0)
    assert "faulty.py:9: ValueError: tired" in until(live, "tired", "failed")["parts"]["head"]


@long
def test_a_learner_of_damier_learns_from_it(live: Live, lab: Served) -> None:
    begin(live, "pupil", learner="q", opponent="first", seat="1", games=50, pace=0)
    until(live, "pupil", "finished")
    assert json.loads((lab.folder / "pupil.json").read_text())["training"]["opponent"] == "first.py"
    begin(live, "pupil", resume=True, games=90, pace=0)
    until(live, "pupil", "finished", games=90)


@pytest.fixture
def registry(home: Path, tmp_path: Path) -> Registry:
    """The lab as a worker knows it, with a learner that a command has trained in another folder."""
    made = trainer(Lab(load("hexapawn"), Job(jit=False)), Plan(f"{home}/mine.py", "random", "1"))
    made.training.run(40, Job(jit=False))
    made.save(tmp_path / "learnt.json")
    shutil.copy(tmp_path / "learnt.json", tmp_path / "twin.json")
    return Registry(Settings(folder=tmp_path, agents={"mine": str(home / "mine.py")}))


def asked(registry: Registry, verb: str, **values: object) -> tuple[int, Any]:
    question = {"verb": verb, "language": "en", "body": json.dumps(values)}
    status, kind, body = reply(registry, json.dumps(question).encode())
    return status, json.loads(body) if kind == "application/json" else body.decode()


def test_what_a_command_has_trained_is_shown_compared_and_played_against(
    registry: Registry, home: Path
) -> None:
    shown = json.dumps(asked(registry, "learning.show", name="learnt", order="visits"))
    assert "mine.py" in shown
    assert "in its own way" in shown
    assert str(home) not in shown + json.dumps(asked(registry, "learning.page"))
    status, found = asked(registry, "learning.compare", one="learnt", other="twin")
    assert status == 200
    assert "A match of 200 games" in found["parts"]["comparison"]
    assert "Exact payoffs" in found["parts"]["comparison"]
    for other in ("learning.show", "name"), ("learning.show", "learnt"):
        assert not Query(other[0], {"name": other[1]}, "en").seats_own(registry.settings)
    assert Query("learning.compare", {"one": "learnt"}, "en").seats_own(registry.settings)
    assert Query("board.reply", {"2": "learner:learnt"}, "en").seats_own(registry.settings)
    seats = {"1": "learner:learnt", "2": "human"}
    first = asked(registry, "board.reply", game="hexapawn", **seats)
    assert first[0] == 200
    assert asked(registry, "board.reply", game="hexapawn", **seats) == first


def test_one_whose_agent_is_not_served_is_shown_and_neither_plays_nor_goes_on(registry: Registry) -> None:
    other = Registry(Settings(folder=registry.settings.folder))
    assert asked(other, "learning.show", name="learnt", order="visits")[0] == 200
    status, found = asked(other, "board.reply", game="hexapawn", **{"1": "learner:learnt", "2": "human"})
    assert status == 400
    assert "learnt was learnt by mine.py, which is not served here: damier serve mine.py" in found["error"]


@pytest.mark.parametrize("agent", ["/etc/evil.py", "evil.py:mine", "mine", "mine.py:file=/etc/passwd", "q"])
def test_a_file_of_a_learner_runs_nothing_that_is_not_served(registry: Registry, agent: str) -> None:
    path = registry.settings.folder / "learnt.json"
    data = json.loads(path.read_text())
    del data["sha256"]
    path.write_text(json.dumps(data | {"agent": agent}))
    assert agent_file.load(path, load("hexapawn")).learner == agent
    with pytest.raises(BadInput):
        registry.agent("hexapawn", "learner:learnt")


@pytest.mark.parametrize(
    ("code", "wanted", "learns"),
    [
        (FIRST, "", False),
        (FIRST + "def end(payoff):\n    pass\n", "", True),
        (LEARNER, "", True),
        (LEARNER + "class Fixed:\n    def play(self, position):\n        return 0\n", "Fixed", False),
        ("from x import Base\nclass Mine(Base):\n    pass\n", "Mine", True),
        ("def play(:", "", True),
        ("class Agent:\n    def update_estimations(self, reward):\n        pass\n", "Agent", True),
    ],
)
def test_what_may_learn_is_seen_without_running_it(
    tmp_path: Path, code: str, wanted: str, learns: bool
) -> None:
    (tmp_path / "x.py").write_text(code)
    assert may_learn(tmp_path / "x.py", wanted) is learns


def test_the_format_that_the_hub_knows_is_that_of_the_file() -> None:
    assert learners.OWN_FORMAT == agent_file.FORMAT


@long
def test_a_person_trains_it_looks_at_it_and_plays_against_it(browser: Any, lab: Served) -> None:
    for visitor in visiting(browser, lab):
        page = visitor.new_page()
        page.goto("/learning")
        form = page.locator("#plan")
        form.locator("select[name=learner]").select_option("mine")
        expect(form.locator("[name=opponent]")).to_have_value("random")
        expect(form.locator("select[name=learner] option[value=first]")).to_have_count(0)
        form.locator("summary").click()
        form.locator("[name=parameters]").fill("epsilon=0.3")
        form.locator("[name=called]").fill("seen")
        form.locator("[name=games]").fill("60")
        form.locator("[name=pace]").select_option("0")
        form.get_by_role("button", name="Start").click()
        page.wait_for_selector("[data-part=head] [data-state=finished]")
        expect(page.locator("[data-part=head]")).to_contain_text("mine.py:epsilon=0.3")
        expect(page.locator("[data-part=numbers]")).to_contain_text("Exact payoff")
        expect(page.locator("[data-part=table]")).to_contain_text("in its own way")
        assert violations(page) == []
        page.get_by_role("link", name="Play against it, it first").click()
        expect(page.locator("#moves li, [data-part=line] li").first).to_be_visible()
