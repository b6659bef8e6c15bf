"""`damier tree`: what it reports, draws, tells step by step and refuses."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import beginning
from lasting import later

from damier.cli.main import build, run
from damier.cli.tree import page
from damier.trees.explicit import search
from damier.trees.replay import Replay
from damier.trees.tree_text import parse

EXAMPLES = Path(__file__).parents[2] / "examples"
Captured = pytest.CaptureFixture[str]


call, data = beginning("tree")


@pytest.fixture
def classic(tmp_path: Path) -> str:
    nodes: dict[str, Any] = {
        "max": {"player": 0, "moves": [["Left", "min1"], ["Middle", "min2"], ["Right", "min3"]]}
    }
    letters = iter("ABCDEFGHI")
    for number, values in enumerate(([3, 12, 8], [2, 4, 6], [14, 5, 2]), 1):
        leaves = [(next(letters), value) for value in values]
        nodes[f"min{number}"] = {"player": 1, "moves": [[name.lower(), name] for name, _value in leaves]}
        nodes |= {name: {"terminal": True, "value": value} for name, value in leaves}
    path = tmp_path / "classic.json"
    path.write_text(json.dumps({"format": "damier-tree/1", "players": 2, "root": "max", "nodes": nodes}))
    return str(path)


def test_a_tree_is_its_text_or_the_name_of_an_example(capsys: Captured) -> None:
    """The brackets of the slides, as in the web lab."""
    written = data(capsys, "((3 12 8) (2 4 6) (14 5 2))")
    named = data(capsys, "classic")
    assert (written["value"], written["evaluated"]) == (3, named["evaluated"])
    assert data(capsys, "single", "--algorithm", "minimax")["value"] == 8
    assert call(capsys, "singel")[0] == 2


def test_the_pseudo_code_stands_beside_the_tree_in_a_wide_terminal() -> None:
    replay = Replay(search(parse("((3 12 8) (2 4 6) (14 5 2))"), "alphabeta", trace=True))
    places = set()
    for n in range(1, len(replay) + 1):
        lines = page(replay, n, "classic", 110, 40)
        code = [line.partition("▸")[2].strip() for line in lines if "▸" in line]
        assert code, n
        places |= {line.index("▸") for line in lines if "▸" in line}
    assert len(places) == 1, "it keeps its place"
    assert any("▸         if v ≤ α return v" in line for line in page(replay, 14, "classic", 110, 40))
    assert not any("▸" in line for line in page(replay, 14, "classic", 60, 40))
    assert not any("▸" in line for line in page(replay, 14, "classic", 110, 16))


def test_the_classic_tree_as_json(capsys: Captured, classic: str) -> None:
    found = data(capsys, classic, "--algorithm", "alphabeta")
    assert (found["action"], found["best_actions"], found["value"]) == ("Left", ["Left"], 3)
    assert found["generated"] == ["max", "min1", "A", "B", "C", "min2", "D", "min3", "G", "H", "I"]
    assert found["evaluated"] == ["A", "B", "C", "D", "G", "H", "I"]
    (cut,) = found["cutoffs"]
    assert (cut["node"], cut["cause"]) == ("min2", "MIN already has 2 ≤ α = 3: MAX will not come here")
    assert (cut["bound"], cut["value"], cut["limit"], cut["left_out"]) == ("alpha", 2, 3, ["e", "f"])
    assert data(capsys, classic, "--algorithm", "minimax")["nodes"] == 13
    assert data(capsys, classic, "--algorithm", "maxn")["value"] == [3, -3]
    assert data(capsys, classic, "--algorithm", "expectimax")["action"] == "Left"
    assert data(capsys, classic)["algorithm"] == "alphabeta"


def test_a_tree_is_named_by_its_text(capsys: Captured, classic: str, tmp_path: Path) -> None:
    text = "((3 12 8) (2 4 6) (14 5 2))"
    found = data(capsys, text)
    for key in ("value", "nodes", "leaves", "algorithm"):
        assert found[key] == data(capsys, classic)[key]
    assert found["tree"] == text
    assert data(capsys, "max(chance(1/4:8 3/4:20) 3)")["algorithm"] == "expectimax"
    assert data(capsys, "p1(p2([3 1 5] [4 2 0]) p2([2 6 1] [0 0 9]))")["algorithm"] == "maxn"
    saved = tmp_path / "saved.json"
    data(capsys, text, "--save", str(saved))
    assert data(capsys, str(saved))["value"] == 3
    assert call(capsys, text)[1].startswith(text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("((3 12",), "character 7 of the tree: a ) is missing"),
        (("((3,,8))",), "character 5 of the tree: a leaf without a value"),
        (("(3 12)", "--moves", "a"), "--moves and --position go with a game; (3 12) is a tree"),
        (("(3 12)", "--position="), "--moves and --position go with a game; (3 12) is a tree"),
        (("(3 12)", "--evaluate", "lines"), "--evaluate goes with a game; (3 12) is a tree"),
    ],
)
def test_what_is_wrong_with_a_tree_as_text_is_said(
    capsys: Captured, line: tuple[str, ...], said: str
) -> None:
    code, _out, err = call(capsys, *line)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_steps_as_json(capsys: Captured, classic: str) -> None:
    steps = data(capsys, classic, "--step")["steps"]
    assert steps[0] == {
        "kind": "enter",
        "node": "max",
        "ply": 0,
        "move": None,
        "value": None,
        "alpha": None,
        "beta": None,
        "words": "MAX moves at max: α = -∞, β = ∞",
    }
    (cut,) = (step for step in steps if step["kind"] == "cut")
    assert (cut["node"], cut["move"], cut["value"], cut["alpha"], cut["beta"]) == ("min2", "d", 2, 3, None)
    assert cut["words"] == "MIN already has 2 ≤ α = 3: MAX will not come here; not looked at: e, f"
    assert steps[-1]["kind"] == "return"


def test_the_tree_as_text(capsys: Captured, classic: str) -> None:
    code, out, _err = call(capsys, classic)
    assert code == 0
    assert " ├── Middle → ▼ min2 ≤ 2 [3, ∞]" in out
    assert "├╌✕ e → E (not looked at)" in out
    assert "value 3; best move: Left" in out
    assert "7 of 9 leaves read, 11 of 13 nodes searched, 1 cut\n" in out
    code, out, _err = call(capsys, classic, "--step")
    assert "  14  MIN already has 2 ≤ α = 3" in out


def test_a_tree_of_a_game(capsys: Captured) -> None:
    found = data(capsys, "nim:matches=4", "--algorithm", "minimax")
    assert (found["action"], found["value"], found["nodes"]) == ("3", 1, 15)
    assert found["generated"][:4] == ["start", "1", "1,1", "1,1,1"]
    found = data(capsys, "tictactoe", "--moves", "0,4,1,7,2")
    assert (found["action"], found["value"], found["nodes"]) == (None, 1, 1)
    found = data(capsys, "tictactoe", "--rounds", "1", "--algorithm", "minimax")
    assert (found["plies"], found["leaves"], found["value"]) == (2, 72, 0)
    assert data(capsys, "tictactoe", "--plies", "0")["value"] == 0


def test_what_chance_and_other_payoffs_are_searched_with(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    ends = {"a": {"value": 1}, "b": {"value": 5}}
    path.write_text(
        json.dumps(
            {
                "format": "damier-tree/1",
                "root": "r",
                "nodes": {"r": {"player": "chance", "moves": [["x", "a"], ["y", "b"]]}, **ends},
            }
        )
    )
    found = data(capsys, str(path))
    assert (found["algorithm"], found["value"], found["action"]) == ("expectimax", 3, None)
    code, _out, err = call(capsys, str(path), "--algorithm", "alphabeta")
    assert (code, err.count("\n")) == (2, 1)
    ends = {"a": {"value": [1, 1]}, "b": {"value": [2, 0]}}
    path.write_text(
        json.dumps(
            {
                "format": "damier-tree/1",
                "root": "r",
                "nodes": {"r": {"player": 1, "moves": [["x", "a"], ["y", "b"]]}, **ends},
            }
        )
    )
    found = data(capsys, str(path))
    assert (found["algorithm"], found["value"], found["action"]) == ("maxn", [1, 1], "x")


@pytest.mark.parametrize(
    ("players", "nodes", "algorithm"),
    [
        (
            2,
            {
                "r": {"player": 0, "moves": [["x", "d"]]},
                "d": {"player": "chance", "moves": [["y", "e"]]},
                "e": {"value": 2},
            },
            "expectimax",
        ),
        (
            2,
            {
                "r": {"player": 1, "moves": [["x", "d"]]},
                "d": {"player": "chance", "moves": [["y", "e"]]},
                "e": {"value": 2},
            },
            "maxn",
        ),
        (
            3,
            {
                "r": {"player": 1, "moves": [["x", "d"]]},
                "d": {"player": "chance", "moves": [["y", "e"]]},
                "e": {"value": 2},
            },
            "expectimax",
        ),
        (3, {"r": {"player": 2, "moves": [["x", "e"]]}, "e": {"value": [3, -3, -3]}}, "alphabeta"),
        (3, {"r": {"player": 2, "moves": [["x", "e"]]}, "e": {"value": [3, -3, 0]}}, "maxn"),
        (1, {"r": {"player": 0, "moves": [["x", "e"]]}, "e": {"value": 3}}, "alphabeta"),
    ],
)
def test_the_usual_algorithm(
    players: int, nodes: dict[str, Any], algorithm: str, capsys: Captured, tmp_path: Path
) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"format": "damier-tree/1", "players": players, "root": "r", "nodes": nodes}))
    assert data(capsys, str(path))["algorithm"] == algorithm


def test_the_usual_algorithm_of_a_game(capsys: Captured) -> None:
    assert data(capsys, f"{EXAMPLES}/stag_hunt.py", "--plies", "2")["algorithm"] == "maxn"
    assert data(capsys, f"{EXAMPLES}/stag_hunt.py")["value"] == [8, 8]
    assert data(capsys, f"{EXAMPLES}/dice_nim.py", "--plies", "5")["algorithm"] == "maxn"
    assert data(capsys, "hexapawn", "--plies", "3")["algorithm"] == "alphabeta"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing.json"], 2, "cannot be read"),
        (["{classic}", "--moves", "1"], 2, "--moves and --position go with a game"),
        (["{classic}", "--plies", "1", "--rounds", "1"], 2, "exclude each other"),
        (["{classic}", "--evaluate", "pawns"], 2, "--evaluate goes with a game"),
        (["hexapawn", "--plies", "2", "--evaluate", "beauty"], 2, "pawns advance"),
        ([f"{EXAMPLES}/stag_hunt.py", "--plies", "2", "--evaluate", "x"], 2, "they gain together"),
        (["{classic}", "--plies", "-1"], 2, "from 0"),
        (["{classic}", "--rounds", "0"], 2, "from 1"),
        (["{classic}", "--plies", "1"], 2, "node min1 has no value and no evaluation"),
        (["{classic}", "--algorithm", "minimax", "--prune", "strict"], 2, "--prune goes with alphabeta"),
        (["{classic}", "--algorithm", "best"], 2, "best"),
        (["{classic}", "-o", "picture.gif"], 2, ".svg .png .pdf"),
        (["{classic}", "--step", "-o", "picture.svg"], 2, "many pictures need"),
        (["tictactoe"], 3, "549,946 nodes"),
        later((["connect_four"], 3, "more than")),
        (["tictactoe", "--moves", "9"], 2, "not a legal move"),
        (["checkers"], 2, "checkers"),
        ([f"{EXAMPLES}/stag_hunt.py", "--algorithm", "alphabeta"], 2, "maxn handles it"),
        ([f"{EXAMPLES}/kuhn_poker.py", "--plies", "2"], 2, "hides information"),
        ([f"{EXAMPLES}/dice_nim.py", "--plies", "2", "--algorithm", "minimax"], 2, "chance moves at node"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, said: str, capsys: Captured, classic: str) -> None:
    found, out, err = call(capsys, *(argument.replace("{classic}", classic) for argument in arguments))
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert said in err


def test_where_the_tree_of_a_game_stops_it_is_judged(capsys: Captured) -> None:
    for text, evaluate in (("hexapawn", "2*pawns+0.5*advance"), ("pacman:layout=corridor", "score")):
        found = data(capsys, text, "--plies", "3", "--evaluate", evaluate)
        assert found["algorithm"] == "alphabeta"
        code = run(build(), ["search", text, f"alphabeta:plies=3,evaluate={evaluate}", "--json"])
        searched = json.loads(capsys.readouterr().out)
        assert (code, found["value"], found["values"]) == (0, searched["value"], searched["values"])
        assert found["best_actions"] == searched["best_moves"]
    assert data(capsys, "pacman", "--plies", "2")["algorithm"] == "alphabeta"


def test_a_tree_is_saved_and_shown(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "nim.json"
    saved = data(capsys, "nim:matches=4", "--save", str(path))
    assert {key: value for key, value in data(capsys, str(path)).items() if key != "tree"} == {
        key: value for key, value in saved.items() if key != "tree"
    }
    assert run(build(), ["show", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["format"], shown["nodes"], shown["lines"], shown["moves"]) == (
        "damier-tree/1",
        15,
        7,
        {"1": "1", "2": "2", "3": "3"},
    )
    assert call(capsys, "nim:matches=4", "--save", str(tmp_path / "nim.txt"))[0] == 2


def test_pictures(capsys: Captured, classic: str, tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    assert call(capsys, classic, "-o", str(picture))[0] == 0
    texts = [element.text for element in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
    assert {"≤\u00a02", "[3,\u00a0∞]", "Left", "min2"} <= set(texts)
    folder = tmp_path / "steps"
    folder.mkdir()
    assert call(capsys, classic, "--step", "-o", str(folder))[0] == 0
    pictures = sorted(folder.iterdir())
    assert [path.name for path in pictures[:2]] == ["step-00.svg", "step-01.svg"]
    steps = data(capsys, classic, "--step")["steps"]
    assert len(pictures) == len(steps) + 1
    assert len({ElementTree.parse(path).getroot().get("width") for path in pictures}) == 1  # nothing moves
    assert call(capsys, classic, "--step", "-o", str(tmp_path / "s-%d.svg"))[0] == 0
    assert (tmp_path / "s-26.svg").read_text() == pictures[-1].read_text()


def test_a_tree_too_large_to_draw(capsys: Captured, tmp_path: Path) -> None:
    code, _out, err = call(capsys, "tictactoe", "--plies", "4", "-o", str(tmp_path / "t.svg"))
    assert (code, err.count("\n")) == (3, 1)
    assert "3,610 nodes to draw" in err
    assert call(capsys, "tictactoe", "--plies", "4")[0] == 0


class Terminal:
    """damier at a terminal of its own."""

    def __init__(self, *arguments: str, term: str = "xterm") -> None:
        self.ours, theirs = pty.openpty()
        environment = os.environ | {"TERM": term, "COLUMNS": "100", "LINES": "30"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "damier", "tree", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        self.text, self.read = "", 0

    def until(self, wanted: str) -> None:
        """Reads on until something comes that has not come before."""
        end = time.monotonic() + 300
        while wanted not in self.text[self.read :]:
            assert time.monotonic() < end, self.text[self.read :]
            if select.select([self.ours], [], [], 0.2)[0]:
                self.text += os.read(self.ours, 65536).decode(errors="replace")
        self.read = self.text.index(wanted, self.read) + len(wanted)

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def end(self) -> int:
        """The exit code, once all has been read."""
        while True:
            try:
                data = os.read(self.ours, 65536)
            except OSError:
                break
            if not data:
                break
            self.text += data.decode(errors="replace")
        os.close(self.ours)
        return self.process.wait(300)


def test_keys(classic: str) -> None:
    terminal = Terminal(classic, "--step")
    terminal.until("step 0 of 26")
    for key, wanted in (
        ("\x1b[C", "step 1 of 26"),
        (" ", "step 2 of 26"),
        ("\x1b[D", "step 1 of 26"),
        ("c", "step 14 of 26"),
    ):
        terminal.press(key)
        terminal.until(wanted)
    terminal.until("MAX will not come here")
    terminal.press("\x1b[C\x1b[C")
    terminal.until("step 16 of 26")
    for key, wanted in (("\x1b[F", "step 26 of 26"), ("\x1b[C", "step 26 of 26"), ("\x1b[H", "step 0 of 26")):
        terminal.press(key)
        terminal.until(wanted)
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.text.count("\x1b[?1049h") == terminal.text.count("\x1b[?1049l") == 1
    assert "best move: Left" in terminal.text


def test_ctrl_c_leaves_the_terminal_as_it_was(classic: str) -> None:
    terminal = Terminal(classic, "--step")
    terminal.until("step 0 of 26")
    os.kill(terminal.process.pid, signal.SIGINT)
    assert terminal.end() == 130
    assert "\x1b[?1049l" in terminal.text
    assert "Traceback" not in terminal.text


def test_lines_where_keys_cannot_be_read(classic: str) -> None:
    terminal = Terminal(classic, "--step", term="dumb")
    for line, wanted in (
        ("", "step 0 of 26"),
        ("n\n", "step 1 of 26"),
        ("\n", "step 2 of 26"),
        ("p\n", "step 1 of 26"),
        ("c\n", "step 14 of 26"),
    ):
        terminal.press(line)
        terminal.until(wanted)
    terminal.press("q\n")
    assert terminal.end() == 0
