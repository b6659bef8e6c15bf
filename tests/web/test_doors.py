"""Names from outside, as somebody sends them who wants in: what they could become (a call, a
module, a file), and that they become nothing of it.

The decision 0026 lists the doors. Here questions go straight to a worker, past all that the hub
would refuse before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Served, serve, stop
from lasting import long
from talking import Live

from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.words import spoken
from damier.lab.agents import AGENTS, Lab
from damier.lab.games import GAMES, load
from damier.lab.options import parameters
from damier.lab.training import Plan, trainer
from damier.learn import store
from damier.web import board_session, learners
from damier.web.learners import OWNERS
from damier.web.limits import LAB
from damier.web.messages import Query
from damier.web.registry import FILE_OPTIONS, Registry
from damier.web.rooms import ROOMS, lessons
from damier.web.rooms.matchboxes import box_set_of
from damier.web.settings import Settings
from damier.web.trainee import checked_plan, plan_of_file
from damier.web.worker import reply

OWN = """
import os, shutil, subprocess
from functools import partial
from subprocess import getoutput
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    left: int
    mover: int

def mine(matches: int = 5, words: str = "a") -> Game:
    play = lambda s, m: State(s.left - 1, 1 - s.mover)
    outcome = lambda s: ONGOING if s.left else 1
    return Game("mine", State(matches, 0), lambda s: 1, play, outcome, bits=(8, 1))

def helper(cmd="x"):
    return getoutput(cmd)

def said(path: str = "x") -> str:
    return open(path).read()

run = partial(getoutput, "touch {mark}")
alias = getoutput
"""
SECRET = "what-nobody-may-read"
CALLS = [
    "mine:getoutput:cmd=touch {mark}",
    "mine:getoutput:cmd=touch\\t{mark}",
    "mine:helper:cmd=touch called",
    "mine:said:path=secret",
    "mine:alias:cmd=id",
    "mine:run",
    "mine:os",
    "mine:os.system:command=id",
    "mine:subprocess.getoutput:cmd=id",
    "mine:shutil.rmtree:path=learners",
    "mine:Game",
    "mine:State:left=1,mover=0",
    "mine:__builtins__",
    "mine:__loader__:x=1",
    "mine:mine.__globals__",
    "mine::helper",
    "mine:mine:helper",
    "mine:mine:__class__=1",
    "mine:words={mark}",
    "mine:words=secret.txt",
    "mine:words=secret.TXT",
    "mine:words=..\\\\secret",
    "mine:words=secret\\u0000",
    "mine.py",
    "./mine",
    "../lab/mine.py",
    "{folder}/mine.py",
    "{folder}/mine.py:helper:cmd=id",
    "mine.py:helper:cmd=id",
    "hexapawn:mine.py:helper:cmd=id",
    "hexapawn:/../{folder}/mine.py:helper",
    "hexapawn.py",
    "damier.games.nim",
    "os",
    "pawns.instantiate",
    "pacman:start=secret.json",
    "pacman:start={folder}/secret.json",
    "pacman:layout={folder}/secret.txt",
    "pacman:layout=secret.txt",
    "pacman:layout=../layouts/maze",
    "nim:heaps={folder}/secret",
    "\\u0000",
    "é" * 100,
    "mine\\n",
    " mine",
    "MINE",
]
AGENT_TEXTS = [
    "q:file={folder}/secret.json",
    "q:file=secret.json",
    "q:FILE=secret.json",
    "q:alpha=1,file=secret.json",
    "learner:../secret",
    "learner:secret.json",
    "learner:..",
    "learner:",
    "learner:linked",
    "learner:a\\u0000",
    "learner:é",
    "learner:" + "a" * 250,
    "learner:secret\\n",
    "load",
    "Lab",
    "__import__:name=os",
    "read_options",
    "agent:text=human",
    "minimax:evaluate=__import__",
    "minimax:evaluate=os.system",
    "alphabeta:evaluate=pawns.__globals__",
    "perfect:table=1",
    "mcts:__class__=1",
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game as somebody writes it who does not think of strangers, and with what is
    not for them.
    """
    for name in ("secret", "secret.txt", "secret.json"):
        (tmp_path / name).write_text(SECRET)
    (tmp_path / "mine.py").write_text(OWN.replace("{mark}", str(tmp_path / "called")))
    (tmp_path / "learners").mkdir()
    (tmp_path / "learners" / "linked.json").symlink_to(tmp_path / "secret.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def registry(home: Path) -> Registry:
    return Registry(Settings(games={"mine": str(home / "mine.py")}, folder=home / "learners"))


def filled(text: str, home: Path) -> str:
    """A hostile text for this folder."""
    written = text.replace("{mark}", str(home / "called")).replace("{folder}", str(home))
    return written.replace("\\u0000", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")


def contents(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in home.rglob("*") if "__pycache__" not in path.parts}


def asked(registry: Registry, verb: str, **values: object) -> tuple[int, str]:
    """Status and text of a worker's answer."""
    question = {"verb": verb, "language": "en", "body": json.dumps(values)}
    status, _kind, content = reply(registry, json.dumps(question).encode())
    return status, content if isinstance(content, str) else content.decode(errors="replace")


def refused(registry: Registry, home: Path, verb: str, **values: object) -> None:
    """Fails unless a question is refused in a line that gives nothing away, and has left nothing
    behind.
    """
    before = contents(home)
    status, answer = asked(registry, verb, **values)
    assert 400 <= status < 500, (verb, values, answer[:200])
    assert "\n" not in json.loads(answer)["error"]
    assert SECRET not in answer
    assert str(home) not in answer or str(home) in json.dumps(values)
    assert contents(home) == before


@pytest.mark.parametrize("text", CALLS)
def test_a_game_s_name_becomes_no_call_and_no_file(text: str, registry: Registry, home: Path) -> None:
    for verb in ("board.show", "board.page", "boards.code", "table.judge", "tree.page", "matchboxes.show"):
        refused(registry, home, verb, game=filled(text, home))
    assert asked(registry, "board.show", game="mine")[0] == 200


@pytest.mark.parametrize("text", AGENT_TEXTS)
def test_an_agent_s_name_becomes_no_call_and_no_file(text: str, registry: Registry, home: Path) -> None:
    agent = filled(text, home)
    refused(registry, home, "board.reply", game="hexapawn", agent=agent)
    refused(registry, home, "table.agents", game="hexapawn", agents=[agent])
    refused(registry, home, "board.page", game="hexapawn", **{"2": agent})


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "..",
        ".",
        "",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a\0",
        "a\n",
        "linked",
        "é",
        "a" * 41,
        "-a",
        ".a",
        "con:",
        "a b",
        "%2e%2e",
    ],
)
def test_a_learner_s_name_becomes_no_path(name: str, registry: Registry, home: Path) -> None:
    folder = home / "learners"
    refused(registry, home, "learning.show", name=name)
    refused(registry, home, "learning.compare", one=name, other="x")
    for door in (learners.kept, learners.free_place):
        with pytest.raises(BadInput):
            door(folder, name)
    assert {path.name for path in folder.iterdir()} == {"linked.json"}


@pytest.mark.parametrize("verb", [verb for verb, kind in ROOMS.verbs.items() if kind.channel != "hub"])
def test_no_question_with_names_from_hell_runs_reads_or_writes_anything(
    verb: str, registry: Registry, home: Path
) -> None:
    """Every verb with every value that any of them reads as a name, all of them hostile."""
    values = dict.fromkeys(
        (
            "name",
            "one",
            "other",
            "agent",
            "opponent",
            "learner",
            "evaluate",
            "board",
            "stage",
            "kind",
            "tree",
            "order",
            "lang",
        ),
        "../secret",
    )
    before = contents(home)
    for game in (
        "mine:helper:cmd=touch called",
        "mine:getoutput:cmd=touch called",
        "../mine.py",
        str(home / "mine.py"),
    ):
        status, answer = asked(registry, verb, **values, game=game)
        assert status < 500, answer
        assert SECRET not in answer
    assert contents(home) == before


@pytest.mark.parametrize(
    "name",
    [
        "../README",
        "README",
        "q.md",
        "..",
        "/etc/passwd",
        "q\0",
        "../../pyproject",
        "%2e%2e/README",
        "q/../q",
        "Q",
        "q.svg",
    ],
)
def test_a_lesson_s_name_becomes_no_path(name: str, registry: Registry, home: Path) -> None:
    refused(registry, home, "lessons.lesson", name=name)
    assert set(lessons.names()) <= {path.stem for path in lessons.folder().glob("*.md")}


@pytest.mark.parametrize("language", ["../../x", "..", "fr/../fr", "fr\0", "", "x" * 9999, "__init__"])
def test_a_language_becomes_no_path(language: str) -> None:
    assert not spoken([language])


def test_every_text_option_is_known_to_name_a_file_or_not() -> None:
    """A new option that is a text must be looked at: does it name a file?

    Then it belongs to FILE_OPTIONS.
    """
    factories = {**GAMES, **{name: kind.factory for name, kind in AGENTS.items()}}
    texts = {
        option
        for factory in factories.values()
        for option, p in parameters(factory, ["lab"]).items()
        if p.annotation is str
    }
    assert texts - set(FILE_OPTIONS) == {"beads", "evaluate", "heaps", "layout"}
    assert set(FILE_OPTIONS) <= texts


@pytest.mark.parametrize(
    "agent",
    [
        "process",
        "process:run=touch started",
        "process:isolated=true,run=touch started",
        "uci:run=touch started",
        "gtp:run=touch started",
        "./program",
        "../program",
        "{folder}/program",
        "./program:x=1",
        "program/",
    ],
)
def test_no_page_starts_a_program(agent: str, registry: Registry, home: Path) -> None:
    program = home / "program"
    program.write_text(f"#!/bin/sh\ntouch {home}/started\n")
    program.chmod(0o755)
    agent = filled(agent, home)
    with pytest.raises(BadInput):
        registry.agent("hexapawn", agent)
    for plan in ({"learner": agent, "opponent": "random"}, {"learner": "q", "opponent": agent}):
        with pytest.raises(BadInput):
            checked_plan({"seat": "", "seed": 0, **plan}, registry.own)
    with pytest.raises(BadInput):
        box_set_of(registry.lab("hexapawn"), "hexapawn", agent, "")
    refused(registry, home, "matchboxes.page", game="hexapawn", agent=agent)
    assert "process" not in [choice.name for choice in board_session.choices(registry, "hexapawn", 0)]
    assert not (home / "started").exists()


def test_a_training_is_no_way_round(registry: Registry, home: Path) -> None:
    plan = {"learner": "q", "opponent": "random", "seat": "", "seed": 0}
    for changed in (
        {"learner": "q:file=secret.json"},
        {"opponent": f"v:file={home}/secret.json"},
        {"opponent": "human"},
        {"learner": "human"},
    ):
        with pytest.raises(BadInput):
            checked_plan(plan | changed, registry.own)


def test_the_file_of_a_learner_is_no_way_round(registry: Registry, home: Path) -> None:
    """Data is not trusted, wherever it lies: it chooses neither what is called nor which files are
    read.
    """
    made = trainer(Lab(load("hexapawn"), Job()), Plan("q", "random"))
    path = home / "learners" / "pupil.json"
    made.save_to(path)
    made.training.run(5, Job())
    honest = json.loads(path.read_text())
    found = store.load(path, load("hexapawn"))
    for opponent in ("q:file=secret.json", "human", f"v:alpha=1,file={home}/secret"):
        found.training["opponent"] = opponent
        with pytest.raises(BadInput):
            plan_of_file(found, "pupil", registry.own)
    for game in ("mine:getoutput", "mine:helper", "mine.py", f"{home}/mine.py"):
        path.write_text(json.dumps(honest | {"game": game, "options": {"cmd": "touch called"}}))
        status, answer = asked(registry, "learning.show", name="pupil")
        assert status in (400, 404)
        assert str(home) not in answer or game.startswith("/")
    assert not (home / "called").exists()


def test_a_name_written_in_escapes_does_not_reach_the_workers_of_others(home: Path) -> None:
    own = {"mine": str(home / "mine.py")}
    for body in ('{"game": "mine"}', '{"game": "\\u006dine:words=b"}', '{"moves": [], "game":"mine"}'):
        assert Query.read("board.show", body, "en", LAB).is_about(own)
    for body in ('{"game": "hexapawn"}', '{"game": 3}'):
        assert not Query.read("board.show", body, "en", LAB).is_about(own)
    for body in ("[]", "{", 100_000 * "["):
        with pytest.raises(BadInput):
            Query.read("board.show", body, "en", LAB)


# --- a lab as it is served


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = tmp_path_factory.mktemp("doors")
    (home / "mine.py").write_text(OWN.replace("{mark}", str(home / "called")))
    found = serve(home, "mine.py")
    yield found
    stop(found)


@long
def test_a_training_of_a_helper_starts_nothing(lab: Served) -> None:
    live: Any = Live(lab)
    for game in ("mine:getoutput:cmd=touch called", "mine:helper:cmd=touch called", "mine:run", "../mine.py"):
        told = live.tell("training.start", name="thief", game=game, learner="q", opponent="random", games=5)
        assert "error" in told
    told = live.tell("table.open", game="mine:getoutput:cmd=touch called", moves=[], seats=["human", "human"])
    assert "error" in told
    live.close()
    assert not (lab.folder.parent / "called").exists()
    assert not [kept for kept in lab.folder.glob("*") if kept.name != OWNERS]
