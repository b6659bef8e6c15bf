"""Agents of one's own in the training room: games followed and played again, a table where the file gives
one, what is told to their methods; and where a file gives nothing, that it says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop, violations, visiting
from lasting import long, shortly
from own_agents import LEARNER
from playwright.sync_api import expect

from damier.core.job import Job
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, trainer
from damier.web import training_pair as pairs
from damier.web.messages import Query
from damier.web.registry import Registry
from damier.web.settings import Settings
from damier.web.worker import reply

VALUED = LEARNER.replace("self.values", "self.q") + (
    "\n    def values(self, position):\n        return self.row(position)\n"
)
SARSA = VALUED.replace("reward, next_position):", "reward, next_position, next_move):").replace(
    "max(self.row(next_position).values())", "self.row(next_position)[next_move]"
)
BACKWARDS = (
    VALUED[: VALUED.index("    def learn")]
    + """
    def learn(self, history, payoff):
        target = payoff
        for position, move, reward in reversed(history):
            row = self.row(position)
            row[move] += self.alpha * (target + reward - row[move])
            target = max(row.values())

    def values(self, position):
        return self.row(position)
"""
)
CLOSED = """
import random

class Closed:
    def __init__(self):
        self.games = []
    def play(self, position):
        return random.choice(position.moves)
    def end(self, payoff):
        if self.learning:
            self.games.append(payoff)
"""
FIRST = "def play(position):\n    return position.moves[0]\n"
REFUSED = {
    "functions": (
        FIRST + "def end(payoff):\n    pass\n",
        "functions: its functions keep what they learn in their file",
    ),
    "dice": (
        "import random\nCHANCE = random.SystemRandom()\nclass Dice:\n    def play(self, position):\n"
        "        return CHANCE.choice(position.moves)\n    def learn(self, payoff):\n        pass\n",
        "dice: played again, its games come out otherwise",
    ),
    "shared": (
        "class Shared:\n    games = []\n    def play(self, position):\n        return position.moves[0]\n"
        "    def learn(self, payoff):\n        self.games.append(payoff)\n    def save(self):\n"
        "        return self.games\n",
        "shared: played again, its games come out otherwise",
    ),
    "late": (
        "import itertools\nMOVES = itertools.count()\nclass Late:\n    def play(self, position):\n"
        "        if next(MOVES) == 9:\n            raise TimeoutError('late')\n"
        "        return position.moves[0]\n    def learn(self, payoff):\n        pass\n",
        "late.py:6: TimeoutError: late",
    ),
    "locked": (
        "import threading\nclass Locked:\n    def __init__(self):\n        self.lock = threading.Lock()\n"
        "    def play(self, position):\n        return position.moves[0]\n    def learn(self, payoff):\n"
        "        pass\n",
        "locked.py:5: TypeError: cannot pickle '_thread.lock' object",
    ),
    "wordy": (
        "class Wordy:\n    def play(self, position):\n        return position.moves[0]\n"
        "    def learn(self, payoff):\n        pass\n    def values(self, position):\n"
        "        return {position.moves[0]: 'good'}\n",
        "wordy.py:6: values gives 'a1a2' the value 'good'; it must be a number",
    ),
    "list": (
        "class List:\n    def play(self, position):\n        return position.moves[0]\n"
        "    def learn(self, payoff):\n        pass\n    def values(self, position):\n        return [1]\n",
        "list.py:6: values returned [1]; it must return {move: number}",
    ),
    "tired": (
        "class Tired:\n    games = 0\n    def play(self, position):\n        return position.moves[0]\n"
        "    def learn(self, payoff):\n        self.games += 1\n        raise ValueError('tired')\n",
        "tired.py:7: ValueError: tired",
    ),
}
FILES = {
    "mine": VALUED,
    "sarsa": SARSA,
    "backwards": BACKWARDS,
    "closed": CLOSED,
    "first": FIRST,
    **{name: code for name, (code, _said) in REFUSED.items()},
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, code in FILES.items():
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path


@pytest.fixture
def registry(home: Path) -> Registry:
    return Registry(Settings(folder=home, agents={name: str(home / f"{name}.py") for name in FILES}))


def answer(registry: Registry, verb: str = "show", **values: object) -> tuple[int, Any]:
    values = {"game": "hexapawn", **{name.lstrip("_"): value for name, value in values.items()}}
    question = {"verb": f"training_room.{verb}", "language": "en", "body": json.dumps(values)}
    status, kind, body = reply(registry, json.dumps(question).encode())
    return status, json.loads(body) if kind == "application/json" else body.decode()


def film_of(registry: Registry, **values: object) -> Any:
    status, film = answer(registry, **{"tables": True, **values})
    assert status == 200, film
    return film


def shown_cells(film: Any, seat: int) -> dict[str, str]:
    """The cells of a table, with all their digits."""
    new = [row["html"] for frame in film["frames"] for row in frame["rows"] if row["seat"] == seat]
    table = "".join([film["parts"][f"table-{seat}"], *new])
    return dict(re.findall(r'data-cell="([^"]+)"[^>]*title="[^"]*?: ([^" (]+)', table))


@pytest.mark.parametrize(
    ("agent", "log"),
    shortly(
        product(["mine", "sarsa", "backwards"], ["", "150*"]),
        *(("mine", "150*"), ("sarsa", ""), ("backwards", "")),
    ),
)
def test_the_film_leads_the_table_that_values_gives_to_what_it_gives_after_the_game(
    registry: Registry, agent: str, log: str
) -> None:
    film = film_of(registry, _1=agent, _2="q", seed=5, log=log)
    following = film_of(registry, _1=agent, _2="q", seed=5, log=film["state"]["next"])
    cells, steps = shown_cells(film, 1), [step for step in film["steps"] if step["seat"] == 1]
    assert steps
    for step in steps:
        assert "Agent 1, <code>learn(" in step["formula"]
        for cell in step["cells"]:
            cells[cell["cell"]] = cell["exactly"]
    after = shown_cells(following, 1)
    assert cells == {key: after[key] for key in cells}


def test_it_knows_what_the_command_has_it_know(
    registry: Registry, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    made = trainer(Lab(load("hexapawn"), Job(jit=False)), Plan("mine.py:alpha=0.3", "first.py", "1", seed=5))
    made.training.run(80, Job(jit=False))
    film = film_of(registry, _1="mine:alpha=0.3", _2="first", seed=5, log="80*")
    told = made.learner.values(load("hexapawn").position())  # type: ignore[attr-defined]
    first_row = [exact for key, exact in shown_cells(film, 1).items() if key.startswith("1-0-")]
    assert first_row == [repr(value).replace("-", "\N{MINUS SIGN}") for value in told.values()]


def test_each_step_stands_where_it_happens(registry: Registry) -> None:
    film = film_of(registry, _1="mine", _2="backwards", seed=2)
    last = len(film["frames"]) - 1
    assert [step["frame"] for step in film["steps"]] == sorted(step["frame"] for step in film["steps"])
    assert [step["frame"] for step in film["steps"] if step["seat"] == 1] == [*range(2, last, 2), last]
    assert [step["frame"] for step in film["steps"] if step["seat"] == 2] == [last]
    assert "next_position" in film["steps"][0]["formula"]
    assert any("told here" in frame["state"] for frame in film["frames"])


def test_what_a_file_does_not_give_is_said_in_its_place(registry: Registry) -> None:
    film = film_of(registry, _1="closed", _2="first", log="3*")
    assert "closed.py has no method values(position)" in film["parts"]["table-1"]
    assert "has no policy(position)" in film["frames"][1]["why"]
    (step,) = film["steps"]
    assert step["cells"] == []
    assert "it has no values(position)" in step["formula"]
    then = film_of(registry, _1="closed", _2="first", log="4*")
    assert "It is not graded exactly: it draws random numbers" in then["parts"]["worth-1"]
    assert "It does not learn: its file has none" in film["parts"]["worth-2"]
    assert film_of(registry, _1="closed", _2="first", log="3*") == film


def test_both_seats_are_graded_with_what_each_knows(registry: Registry) -> None:
    film = film_of(registry, _1="mine", _2="backwards", seed=1, log="200*")
    assert "Exactly: " in film["parts"]["worth-1"]
    assert "Exactly: " in film["parts"]["worth-2"]
    assert film["parts"]["curve"].count("ceiling") >= 2
    status, found = answer(registry, "grade", _1="mine", _2="backwards", seed=1, log="200*")
    assert status == 200
    exactly = re.compile(r"Exactly: [^<]+")
    assert exactly.findall(found["parts"]["graded"]) == [
        exactly.findall(film["parts"][f"worth-{seat}"])[0] for seat in (1, 2)
    ]


def test_it_learns_from_a_person_game_after_game(registry: Registry) -> None:
    log = ""
    for _game in range(3):
        film, moves = film_of(registry, _1="mine", _2="random", log=log, person="2"), list[str]()
        while not film["state"]["over"]:
            moves.append(re.findall(r'data-move="([^"]+)', film["frames"][-1]["board"])[0])
            before = film["frames"]
            film = film_of(registry, _1="mine", _2="random", log=log, person="2", moves=[*moves])
            assert [frame["said"] for frame in film["frames"]][: len(before) - 1] == [
                frame["said"] for frame in before[:-1]
            ]
        log = film["state"]["next"]
    assert "3 games" in film_of(registry, _1="mine", _2="random", log=log)["parts"]["totals"]


def test_its_numbers_change_from_one_game_to_the_next(registry: Registry) -> None:
    changed = film_of(registry, _1="mine:alpha=0.5", _2="random", log="9*;1~alpha=0;20*")
    assert all(not step["cells"] for step in changed["steps"])
    assert "None of its values" in changed["steps"][0]["formula"]
    page = answer(registry, "page", _1="mine:alpha=0.5", _2="random", log="9*;1~alpha=0.25")[1]
    assert re.search(r'name="alpha"[^>]*value="0.25"', page)
    for wrong, said in (
        ("1~alpha=2", "alpha=2; it must be from 0 to 1"),
        ("1~gamma=0.5", "agent 1 has no gamma"),
        ("1~alpha=x", "alpha=x: that is no number"),
        ("2~alpha=0.5", "agent 2 does not learn"),
    ):
        assert answer(registry, _1="mine", _2="random", log=wrong) == (400, {"error": said})


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_followed_is_refused_in_one_line(registry: Registry, home: Path, name: str) -> None:
    status, found = answer(registry, _1=name, _2="q")
    assert status == 400
    assert found["error"].startswith(REFUSED[name][1])
    assert "\n" not in found["error"]
    assert str(home) not in found["error"]


def test_one_must_learn_and_other_refusals_stay(registry: Registry) -> None:
    assert (
        "one of the two must be an agent that learns" in answer(registry, _1="first", _2="random")[1]["error"]
    )
    assert "no option beta" in answer(registry, _1="mine:beta=1", _2="q")[1]["error"]
    assert "names a file" in answer(registry, _1="mine:file=x", _2="q")[1]["error"]
    assert "is a program" in answer(registry, _1="other.py", _2="q")[1]["error"]
    assert answer(registry, "download", _1="mine", _2="q", seat="1")[0] == 400


def test_games_that_take_long_to_play_again_go_on_one_at_a_time(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    film_of(registry, _1="mine", _2="random", log="30*")
    monkeypatch.setattr(pairs, "MOST_SECONDS", 0.0)
    assert film_of(registry, _1="mine", _2="random", log="31*")["state"]["next"] == "32*"
    status, found = answer(registry, _1="mine", _2="random", log="90*")
    assert status == 422
    assert "from here on one game at a time; longer trainings are under Learning" in found["error"]


def test_an_edited_file_plays_its_games_anew(registry: Registry, home: Path) -> None:
    before = film_of(registry, _1="mine", _2="first", log="9*")
    (home / "mine.py").write_text(VALUED.replace("row[move] +=", "row[move] -="))
    assert film_of(registry, _1="mine", _2="first", log="9*")["parts"] != before["parts"]


def test_it_runs_in_the_workers_of_ones_own_agents(registry: Registry) -> None:
    for verb in ("page", "show", "grade", "download"):
        assert Query(f"training_room.{verb}", {"2": "mine:alpha=0.1"}, "en").seats_own(registry.settings)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Served]:
    for name in ("mine", "closed", "first", "dice"):
        (tmp_path / f"{name}.py").write_text(FILES[name])
    found = serve(tmp_path, "mine.py", "closed.py", "first.py", "dice.py")
    yield found
    stop(found)


@long
def test_a_person_watches_it_learn_plays_it_and_edits_it(browser: Any, lab: Served, tmp_path: Path) -> None:
    for visitor in visiting(browser, lab, viewport={"width": 1280, "height": 800}):
        page = visitor.new_page()
        page.goto("/training/hexapawn?2=random&seed=2")
        page.locator("[data-player='1']").select_option("mine")
        page.wait_for_url("**1=mine**")
        page.get_by_role("button", name="Tables").click()
        table, formula = page.locator("[data-part='table-1']"), page.locator("[data-part=formula]")
        expect(table).to_contain_text("values(position)")
        expect(formula).to_contain_text("each call is a step here")
        step = page.locator("[data-do=step]")
        for _frame in range(3):
            step.click()
        expect(formula).to_contain_text("Agent 1, learn(position, move, reward, next_position)")
        page.locator("#many input").fill("60")
        page.locator("#many button").click()
        expect(page.locator("[data-part=totals] strong")).to_have_text(re.compile(r"6\d games"))
        expect(page.locator("[data-part='worth-1']")).to_contain_text("Exactly: ")
        assert page.locator("[data-cell].p1, [data-cell].p2, [data-cell].p3, [data-cell].p4").count() > 0
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 1280
        page.get_by_role("button", name="Tables").click()
        page.locator("[data-player='2']").select_option("human")
        page.locator("[data-part=board] button[data-move]").first.click()
        page.wait_for_url("**moves=*")
        (tmp_path / "mine.py").write_text(VALUED.replace("row[move] +=", "row[nothing] +="))
        page.locator("[data-player='2']").select_option("random")
        expect(page.locator("#notice")).to_contain_text("NameError: name 'nothing' is not defined")


@long
def test_what_it_does_not_show_and_refusals_in_french_on_a_phone(browser: Any, lab: Served) -> None:
    for visitor in visiting(browser, lab, viewport={"width": 390, "height": 844}):
        page = visitor.new_page()
        page.goto("/training/tictactoe?1=closed&2=first&lang=fr")
        page.get_by_role("button", name="Tables").click()
        expect(page.locator("[data-part='table-1']")).to_contain_text("n'a pas de méthode values(position)")
        expect(page.locator("[data-part='worth-2']")).to_contain_text("Il n'apprend pas")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert violations(page) == []
        page.goto("/training/hexapawn?1=dice&2=q&lang=fr")
        expect(page.locator(".problem")).to_contain_text("rejouées, ses parties ne sont plus les mêmes")
