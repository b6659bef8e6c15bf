"""Agents of one's own in the web lab, as questions to a worker: known by a name that was given at the
start and never by a path, made anew for every question, loaded again when their file was edited.
"""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import damier.web
from damier.core.errors import BadInput
from damier.lab.training import Plan, table_trainer
from damier.web.messages import Query
from damier.web.pool import Worker
from damier.web.registry import Registry, own_files, playable_files
from damier.web.settings import Settings
from damier.web.worker import reply

EXAMPLES = Path(__file__).parents[2] / "examples"
FIRST = """
import sys
print("loaded", file=sys.stdout)

def play(position):
    print("thinks")
    return position.moves[0]
"""
TWO = """
class Nth:
    def __init__(self, n: int = 0):
        self.n = n

    def begin(self):
        self.begun = True

    def play(self, position):
        assert self.begun
        self.begun = False
        return position.moves[self.n]

class Last:
    def policy(self, position):
        return {position.moves[-1]: 1.0}
"""
GAME = """
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    left: int
    mover: int

def both() -> Game:
    play = lambda s, m: State(s.left - 1, 1 - s.mover)
    outcome = lambda s: ONGOING if s.left else 1
    return Game("both", State(3, 0), lambda s: 1, play, outcome, bits=(8, 1))

def play(position):
    return position.moves[0]
"""
MARKING = """
from pathlib import Path
Path(__file__).with_name("called").touch()

def play(position):
    return position.moves[0]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, code in (("first", FIRST), ("two", TWO), ("both", GAME), ("x", MARKING)):
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path


@pytest.fixture
def registry(home: Path) -> Registry:
    games, agents = own_files([str(home / name) for name in ("first.py", "two.py", "both.py")])
    return Registry(Settings(folder=home / "learners", games=games, agents=agents))


def asked(registry: Registry, verb: str, **values: object) -> tuple[int, Any]:
    """Status and content of an answer; of a page, its text."""
    question = {"verb": verb, "language": "en", "body": json.dumps(values)}
    status, kind, body = reply(registry, json.dumps(question).encode())
    return status, json.loads(body) if kind == "application/json" else body.decode()


def reply_of(registry: Registry, agent: str, game: str = "tictactoe", **values: object) -> tuple[int, Any]:
    """The move of an agent, or why there is none."""
    status, found = asked(registry, "board.reply", game=game, **{"1": agent, "2": "human"}, **values)
    return status, found.get("move", found.get("error"))


def test_a_file_may_hold_games_agents_or_both(registry: Registry) -> None:
    assert list(registry.settings.games) == ["both"]
    assert list(registry.settings.agents) == ["first", "two:Nth", "two:Last", "both"]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("nothing", "x = 1\n", ""),
        ("random", FIRST, "called random already"),
        ("learner", FIRST, "called learner already"),
        ("a b", FIRST, "a b cannot be the name of a game or an agent on a page"),
        ("own", (EXAMPLES / "chomp.py").read_text().replace("chomp", "own"), "the lab has such a page"),
        ("wrong", "def play(:\n", ""),
        ("raises", "1 / 0\n", ""),
    ],
)
def test_a_file_that_cannot_be_served_is_refused_in_one_line(
    tmp_path: Path, name: str, code: str, said: str
) -> None:
    (tmp_path / f"{name}.py").write_text(code)
    with pytest.raises(BadInput) as refused:
        own_files([str(tmp_path / f"{name}.py")])
    assert "\n" not in str(refused.value)
    assert said in str(refused.value)


def test_one_file_that_cannot_be_served_keeps_no_other_away(home: Path) -> None:
    (home / "beside").mkdir()
    (home / "beside" / "first.py").write_text(FIRST)
    (home / "wrong.py").write_text("def play(:\n")
    named = [str(home / name) for name in ("first.py", "wrong.py", "none.py", "beside/first.py", "both.py")]
    found = playable_files(named)
    assert (list(found.games), list(found.agents)) == (["both"], ["first", "both"])
    for fault, said in zip(
        found.faults, ("wrong.py:1: ", "none.py is not a file", "called first"), strict=True
    ):
        assert said in str(fault)


def test_two_files_of_one_name_and_words_behind_a_file_of_agents_are_refused(home: Path) -> None:
    (home / "beside").mkdir()
    (home / "beside" / "first.py").write_text(FIRST)
    for files in (["first.py", "beside/first.py"], ["first.py:play"], ["two.py:Nth:n=1"]):
        with pytest.raises(BadInput):
            own_files([str(home / file) for file in files])


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("play", "def play(position):\n    return position.moves[0]\n"),
        ("centre", "def centre(board):\n    return 4\n\ndef play(position):\n    return centre(position)\n"),
        ("known", "from damier import load\nGAME = load('nim')\ndef play(position):\n    return 1\n"),
    ],
)
def test_what_an_agent_needs_beside_it_is_no_game(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / f"{name}.py").write_text(code)
    assert own_files([str(tmp_path / f"{name}.py")]) == ({}, {name: str(tmp_path / f"{name}.py")})


def test_an_agent_of_ones_own_plays_with_its_options(registry: Registry) -> None:
    assert reply_of(registry, "first") == (200, "0")
    assert reply_of(registry, "two:Nth:n=3") == (200, "3")
    assert reply_of(registry, "two:Last") == (200, "8")
    assert reply_of(registry, "both", "both")[0] == 200
    status, error = reply_of(registry, "two:Nth:m=3")
    assert (status, error) == (404, "two.py:Nth has no option m; its options: n=0")


def test_it_is_written_as_commands_write_it_or_as_addresses_do(registry: Registry) -> None:
    assert reply_of(registry, "two.py:Nth:n=3") == (200, "3")
    assert reply_of(registry, "first.py") == (200, "0")
    assert reply_of(registry, "two.py:Nth:file=x.json")[0] == 400, "a page names no file"
    for room, values in (("home.page", {}), ("training_room.page", {"game": "hexapawn"})):
        assert "two.py:Nth" in asked(registry, room, **values)[1]


def test_it_says_what_it_thinks_and_sits_at_a_table(registry: Registry) -> None:
    status, found = asked(registry, "mind.show", game="tictactoe", **{"1": "two:Last", "2": "first"})
    assert status == 200
    assert "100 %" in found["parts"]["mind"]
    assert "It does not say what it thinks." in found["parts"]["mind"]
    assert asked(registry, "table.agents", game="tictactoe", agents=["two:Last", "first"])[0] == 200


def test_where_its_file_lies_is_told_to_nobody(registry: Registry, home: Path) -> None:
    (home / "helper.py").write_text("x = 1\n")
    (home / "first.py").write_text("from helper import y\n")
    status, error = reply_of(registry, "first")
    assert status == 400
    assert error.startswith("first.py:1: ImportError")
    assert str(home) not in error


def test_it_is_made_anew_for_every_question(registry: Registry) -> None:
    assert [reply_of(registry, "two:Nth") for _time in range(2)] == 2 * [(200, "0")]


def test_what_it_prints_goes_to_the_log(registry: Registry, capfd: pytest.CaptureFixture[str]) -> None:
    reply_of(registry, "first")
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.splitlines().count("thinks") == 1


def test_it_is_offered_first_and_its_file_runs_only_when_it_is_seated(
    registry: Registry, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (home / "first.py").write_text("1 / 0\n")
    page = asked(registry, "board.page", game="tictactoe", **{"1": "human", "2": "random"})[1]
    assert page.index('<optgroup label="your agents">') < page.index('<optgroup label="people">')
    assert '<option value="two:Nth">two:Nth</option>' in page
    seated = asked(registry, "board.seats", game="tictactoe", **{"1": "human", "2": "two:Nth:n=2"})[1]
    assert 'value="n=2" placeholder="n=0,seconds=10"' in seated["parts"]["seats"]


def test_it_is_not_offered_where_something_is_hidden(registry: Registry) -> None:
    settings = replace(registry.settings, games={"kuhn_poker": str(EXAMPLES / "kuhn_poker.py")})
    status, page = asked(Registry(settings), "board.page", game="kuhn_poker", **{"1": "human"})
    assert status == 200
    assert "your agents" not in page
    assert asked(Registry(settings), "board.seats", game="kuhn_poker", **{"1": "first"})[0] == 400


def test_a_fault_is_told_at_the_seat_and_an_edit_mends_it(registry: Registry, home: Path) -> None:
    seats = {"1": "first", "2": "human"}
    assert reply_of(registry, "first") == (200, "0")
    (home / "first.py").write_text("def play(position):\n\n    return position.nothing\n")
    status, error = reply_of(registry, "first")
    assert status == 400
    assert error.startswith("first.py:3: AttributeError")
    for code, line in (("import damier\n1 / 0\n", 2), ("def play(:\n", 1), ("x = 1\n", 0)):
        (home / "first.py").write_text(code)
        assert asked(registry, "board.page", game="tictactoe", **seats)[0] == 200
        status, found = asked(registry, "board.seats", game="tictactoe", **seats)
        assert status == 200
        assert (f"first.py:{line}" if line else "first.py has no agent") in found["parts"]["seats"]
        assert asked(registry, "mind.show", game="tictactoe", **seats)[0] == 200
    (home / "first.py").unlink()
    status, found = asked(registry, "board.seats", game="tictactoe", **seats)
    assert status == 200
    assert "first.py is not a file" in found["parts"]["seats"]
    assert str(home) not in found["parts"]["seats"]
    (home / "first.py").write_text("def play(position):\n    return position.moves[-1]\n")
    assert reply_of(registry, "first") == (200, "8")


def test_a_loop_without_end_ends_with_the_seconds_of_the_agent(registry: Registry, home: Path) -> None:
    (home / "first.py").write_text("def play(position):\n    while True:\n        pass\n")
    status, error = reply_of(registry, "first:seconds=0.1")
    assert status == 400
    assert "no answer within 0.1 seconds" in error


def test_a_question_that_names_one_has_workers_of_its_own(registry: Registry) -> None:
    for values in ({"2": "two:Nth:n=1"}, {"agent": "first"}, {"agents": ["random", "first"]}):
        assert Query("v", values, "en").seats_own(registry.settings)
    for other in ({"2": "random"}, {"1": "two"}, {"1": "firstly"}, {"text": "first"}, {"1": ["first"]}):
        assert not Query("v", other, "en").seats_own(registry.settings)
    said = Worker(registry.settings).too_long(Query("v", {"1": "first"}, "en").line, 20)
    assert said.startswith("first: ")


PATHS = ("x.py", "./x.py:play", "x.py:play:seconds=1", "{home}/x.py", "{home}/x.py:play", "two", "two:Nope")


@pytest.mark.parametrize("agent", PATHS)
def test_no_page_names_a_file(
    registry: Registry, home: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    agent = agent.format(home=home)
    questions: tuple[tuple[str, dict[str, object]], ...] = (
        ("board.page", {"2": agent}),
        ("board.seats", {"1": agent}),
        ("board.reply", {"1": "human", "agent": agent}),
        ("board.reply", {"1": agent}),
        ("mind.show", {"1": agent}),
        ("table.agents", {"agents": [agent]}),
        ("matchboxes.show", {"agent": agent}),
        ("matchboxes.train", {"opponent": agent, "count": 1}),
    )
    for verb, values in questions:
        status, _answer = asked(registry, verb, game="tictactoe", **values)
        assert status in (400, 404), verb
    for plan in (Plan(agent), Plan("q", agent)):
        with pytest.raises(BadInput):
            table_trainer(registry.lab("tictactoe"), plan)
    assert not (home / "called").exists()


def test_no_page_gives_an_agent_a_file(registry: Registry) -> None:
    for options in ("file=x", "n=1,file=x", "n=/etc/passwd"):
        status, error = reply_of(registry, f"two:Nth:{options}")
        assert status == 400
        assert "names a file" in error


def test_nothing_of_the_web_lab_loads_an_agent_by_its_text() -> None:
    """`lab.agents.agent` loads a file that it is named; the web lab has `brought` and the registry."""
    for path in Path(damier.web.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "damier.lab.agents":
                assert not {"agent", "policy", "searcher"} & {name.name for name in node.names}, path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) != ("agents", "agent"), path
