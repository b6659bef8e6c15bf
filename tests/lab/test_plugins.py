"""What other packages bring stands beside what is damier's own, and harms nothing where it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lasting import later, long

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"
PIP = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index")
SAFE = "match domineering:width=4,height=4 safe_moves random --games 40 --json --quiet --jobs"
MATCHES = (f"{SAFE} 2", f"{SAFE} 1")
ON_PAGES = """
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board, gallery
from damier.web.settings import Settings

registry = Registry(Settings())
print("domineering" in registry.names, "Domineering" in str(gallery.page(registry, Params({}))))
game = {"game": "domineering", "1": "human", "2": "safe_moves"}
print("safe_moves" in str(board.seats(registry, Params(game))))
print(registry.agent("domineering", "safe_moves").text)
"""
ONE_AFTER_THE_OTHER = """
import sys
from damier.cli.main import build, run

for line in sys.argv[1:]:
    print(run(build(), line.split()))
"""
MODULE = """
from damier import Game, load

def nim(heap: int = 5):
    return load(f"nim:matches={heap}")

def broken() -> Game:
    game = load("nim")
    game.moves = lambda s: -1
    return game

def stopped() -> Game:
    raise SystemExit("never")

def command(n: int = 1) -> None:
    "divides"
    print(1 // (n - 1))

def library(text: str) -> object:
    return nim(int(text)) if text else None
"""
POINTS = """
[damier.games]
nim = others:nim
Capital = others:nim
broken = others:broken
stopped = others:stopped
away = nowhere:game
[damier.agents]
random = others:nim
playing = others:nim
[damier.commands]
solve = others:command
divide = others:command
missing = others:missing
[damier.collections]
library = others:library
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example is installed as anybody installs a package."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([*PIP, "--target", str(folder), str(EXAMPLE)], check=True)
    return folder


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """A folder with a package whose entry points are wrong in one way each."""
    (tmp_path / "others.py").write_text(MODULE)
    facts = tmp_path / "others-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(POINTS)
    return tmp_path


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, *arguments], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True
    )


def damier(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return python(folder, "-m", "damier", *arguments)


def test_a_plug_in_is_listed_and_plays(installed: Path) -> None:
    lines = ("games --json", "games", "games domineering --json", "agents safe_moves --json", *MATCHES)
    said = python(installed, "-c", ONE_AFTER_THE_OTHER, *lines).stdout
    games, all_games, options, agents, shared, alone = said.split("\n0\n")[: len(lines)]
    games = json.loads(games)
    assert "domineering" in games["names"] == sorted(games["names"])
    assert games["packages"]["domineering"] == {"name": "damier-domineering", "version": "1.0"}
    assert "domineering" not in games["options"], "its code has not run"
    assert "damier-domineering 1.0" in all_games
    assert json.loads(options)["options"] == {"domineering": {"width": 5, "height": 5}}
    agents = json.loads(agents)
    assert agents["options"]["safe_moves"] == {"first": True, "seconds": 10.0}
    assert agents["summaries"]["safe_moves"] == "leaves the opponent as few moves as it can"
    found = json.loads(shared)
    assert found["agents"] == ["safe_moves", "random"]
    assert found["wins"] > 20
    assert json.loads(alone)["wins"] == found["wins"]


def test_its_options_are_checked_as_damier_s_are(installed: Path) -> None:
    lines = {
        "play domineering:wide=3 random random": "domineering has no option wide",
        "play domineering:width=x random random": "width=x; it must be a whole number",
        "play domineering safe_moves:last=true random": "safe_moves has no option last",
        "play domineerin random random": "did you mean domineering",
    }
    ended = python(installed, "-c", ONE_AFTER_THE_OTHER, *lines)
    assert ended.stdout.split() == ["2"] * len(lines), ended.stderr
    for words, said in zip(lines.values(), ended.stderr.splitlines(), strict=True):
        assert words in said


def test_it_is_on_the_pages_of_the_web_lab(installed: Path) -> None:
    ended = python(installed, "-c", ON_PAGES)
    assert ended.stdout.split() == ["True", "True", "True", "safe_moves"], ended.stderr


def test_its_command_stands_beside_those_of_damier(installed: Path) -> None:
    said = python(installed, "-c", ONE_AFTER_THE_OTHER, "dominoes --width 4", "--help").stdout
    assert said.startswith("16 13\n0\n")
    assert "how many dominoes each player can place first" in said


def test_what_fails_is_left_out_with_a_line_each(failing: Path) -> None:
    ended = damier(failing, "games", "--json")
    assert ended.returncode == 0
    found = json.loads(ended.stdout)
    assert {"broken", "stopped", "away"} <= set(found["names"]), "nobody has run it"
    assert not {"Capital", "broken"} & set(found["options"])
    assert len(ended.stderr.splitlines()) == 2
    lines = ended.stderr.splitlines()
    names = ("broken", "stopped", "away")
    named = python(failing, "-c", ONE_AFTER_THE_OTHER, *(f"games {name}" for name in names))
    assert named.stdout.split() == ["2", "2", "2"]
    listed = [line.partition("there are: ")[2].split() for line in named.stderr.splitlines()]
    for name, known in zip(names, filter(None, listed), strict=True):
        assert "nim" in known
        assert name not in known
    lines += named.stderr.splitlines()
    said = [line for line in lines if line.startswith("plug-in others: ")]
    for name, why in (
        ("nim", "damier has that name already"),
        ("Capital", "a name has small letters, digits and _ alone"),
        ("broken", "moves"),
        ("stopped", "SystemExit: never"),
        ("away", "No module named 'nowhere'"),
    ):
        assert [line for line in said if f": {name} is left out: " in line and why in line], said
    agents = damier(failing, "agents", "--json")
    assert len(agents.stderr.splitlines()) == 1
    assert (
        {"random"}
        <= set(json.loads(agents.stdout)["names"])
        < {*json.loads(agents.stdout)["names"], "another"}
    )


@long
def test_what_fails_is_not_met_by_who_does_not_ask_for_it(failing: Path) -> None:
    ended = damier(failing, "match", "nim", "random", "random", "--games", "2", "--quiet")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_command_that_fails_is_blamed(failing: Path) -> None:
    listed = python(failing, "-c", ONE_AFTER_THE_OTHER, "divide", "--help")
    assert listed.stdout.startswith("2\n")
    assert "damier: others.py:17: ZeroDivisionError: " in listed.stderr
    assert "Traceback" not in listed.stderr
    assert "divides" in listed.stdout
    assert "others: missing is left out: others:missing is not a function" in listed.stderr.replace(
        "BadInput: ", ""
    )
    assert "others: solve is left out: damier has that name already" in listed.stderr


def test_a_collection_that_fails_is_blamed(failing: Path) -> None:
    asked = [damier(failing, "solve", f"library:{text}", "--json", "--quiet") for text in ("5", "five", "")]
    assert [one.returncode for one in asked] == [0, 2, 2]
    assert "damier: library:five: ValueError: invalid literal for int()" in asked[1].stderr
    assert "damier: library: is no Game" in asked[2].stderr


def test_nothing_of_a_plug_in_is_imported_that_nobody_asks_for(installed: Path) -> None:
    code = "import sys; from damier import load; load('nim'); print('damier_domineering' in sys.modules)"
    assert python(installed, "-c", code).stdout == "False\n"


def test_the_page_says_what_the_example_has() -> None:
    entry_points = (EXAMPLE / "pyproject.toml").read_text().partition("\n[project.entry-points")
    assert (
        "[project.entry-points" + entry_points[2] in (EXAMPLE.parents[1] / "docs" / "plugins.md").read_text()
    )


@pytest.mark.parametrize(
    ("line", "most"),
    [later(("games", 90)), later(("match tictactoe random random --games 2", 150)), ("--help", 30)],
)
def test_a_command_imports_what_it_needs(line: str, most: int, tmp_path: Path) -> None:
    code = (
        "import sys; from damier.cli.entry import damier\n"
        f"sys.argv = ['damier', *{line.split()}]\n"
        "try: damier()\n"
        "finally: print(sum(name.partition('.')[0] == 'damier' for name in sys.modules), file=sys.stderr)"
    )
    assert int(python(tmp_path, "-c", code).stderr.splitlines()[-1]) <= most
