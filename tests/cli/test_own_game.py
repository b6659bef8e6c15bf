"""A user's game at the command line may not take the machine, and what does not end, or goes too
deep, is named with its file and line.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from at_work import PATIENCE, interrupted, one_object, started
from commands import Captured, beginning, ctrl_c
from lasting import later, shortly

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no such bounds elsewhere")

__all__ = ["ctrl_c"]  # a fixture
call, _data = beginning()
GAME = """
from typing import NamedTuple
from damier import ONGOING, Game, position_of

class State(NamedTuple):
    total: int
    mover: int

kept = []

def deep(n):
    return deep(n + 1)

def race(at: int = 1500) -> Game:
    def moves(s):
        if s.total >= at:
            {what}
        return 3
    def play(s, move):
        return State(s.total + position_of(move) + 1, 1 - s.mover)
    def outcome(s):
        return -1 if s.total >= 3000 else ONGOING
    return Game("race", State(0, 0), moves, play, outcome, mover=lambda s: s.mover)
"""
ENDLESS, GREEDY, DEEP = "while True: pass", "while True: kept.append(bytearray(1_000_000))", "deep(0)"
STUBBORN = """while True:
                try:
                    while True: pass
                except BaseException: pass"""


def game(folder: Path, what: str) -> str:
    path = folder / "race.py"
    path.write_text(GAME.replace("{what}", what))
    return str(path)


IMPATIENT = """
import sys
from damier.cli import own_game
from damier.cli.entry import damier

own_game.LOOK, own_game.LONG, own_game.ROOM = 0.05, 0.3, own_game.ROOM // 4
sys.argv[0] = "damier"
damier()
"""


def impatient(*arguments: str) -> subprocess.Popen[str]:
    """The same as `started`, but damier looks more often whether a rule comes back, waits a tenth of the
    time, and has a quarter of the memory for itself.
    """
    command = [sys.executable, "-c", IMPATIENT, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


STARTS = pytest.mark.parametrize("start", [impatient, later(started)])
Start = Callable[..., "subprocess.Popen[str]"]


def told(process: subprocess.Popen[str]) -> str:
    """The first line on standard error."""
    assert process.stderr is not None
    return process.stderr.readline()


@STARTS
@pytest.mark.parametrize("at", [0, later(1500)])  # found by the trial run, and far from the start
def test_memory_is_bounded(tmp_path: Path, at: int, start: Start) -> None:
    process = start("solve", f"{game(tmp_path, GREEDY)}:at={at}", "--pure", "--memory", "0.1", "--json")
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3, err
    sentence = one_object(out)["error"]
    assert sentence.startswith("race.py:17: ")
    assert "--memory" in sentence


def test_an_answer_that_is_refused_far_from_the_start_is_no_fault_of_damier(tmp_path: Path) -> None:
    process = started("graph", f"{game(tmp_path, 'return 0')}:at=500", "--quiet")
    _out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, err
    assert re.match(r"damier: race\.py:\d+: ValueError: moves gives no move though", err)


@pytest.mark.parametrize("tier", ["--pure", later("--compiled")])
def test_a_game_that_is_not_greedy_runs_within_the_bounds(tmp_path: Path, tier: str) -> None:
    process = started(
        "count",
        game(tmp_path, "pass"),
        tier,
        "--memory",
        "0.1",
        "--json",
        DAMIER_CACHE=str(tmp_path / "cache"),
    )
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert one_object(out)["states"] > 3000


SOLVE, MATCH, TRAIN = ["solve", "--pure"], ["match", "random", "random", "--pure"], ["train", "q", "--pure"]


@pytest.mark.parametrize(
    ("line", "at"),
    shortly([(SOLVE, 0), (SOLVE, 100), (MATCH, 0), (MATCH, 100), (TRAIN, 0), (TRAIN, 100)], (SOLVE, 0)),
)
def test_a_rule_that_does_not_end_is_named_and_ctrl_c_ends_it(
    tmp_path: Path, line: list[str], at: int
) -> None:
    process = impatient(line[0], f"{game(tmp_path, ENDLESS)}:at={at}", *line[1:], "--json")
    assert "race.py:17: moves: the function moves has not come back" in told(process)
    out, err = interrupted(process)
    assert "interrupted; race.py:17" in err
    assert isinstance(one_object(out), dict)


@STARTS
def test_a_file_that_does_not_end_is_named(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "endless.py"
    path.write_text("\n\nwhile True: pass\n")
    process = start("solve", str(path), "--json")
    assert "endless.py:3: <module>: the file itself has not come back" in told(process)
    interrupted(process)


@STARTS
def test_a_rule_that_catches_everything_ends_at_the_second_ctrl_c(tmp_path: Path, start: Start) -> None:
    process = start("solve", game(tmp_path, STUBBORN), "--pure", "--json")
    assert "has not come back" in told(process)
    while process.poll() is None:  # the first is caught; the second may still count as the same
        process.send_signal(2)
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            continue
    assert process.returncode == 130
    assert process.stdout is not None
    assert one_object(process.stdout.read()) == {"error": "interrupted"}


@pytest.mark.parametrize("what", shortly([ENDLESS, "while len(kept) < 10**12: kept[:] = [0]"], ENDLESS))
def test_seconds_end_a_rule_that_does_not(tmp_path: Path, what: str) -> None:
    process = impatient("solve", f"{game(tmp_path, what)}:at=0", "--seconds", "0.5", "--pure", "--json")
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3, err
    assert "--seconds" in json.loads(out)["error"]


@pytest.mark.parametrize("at", [later(0), 1500])
def test_a_rule_that_calls_itself_for_ever_is_named(tmp_path: Path, at: int) -> None:
    process = started("solve", f"{game(tmp_path, DEEP)}:at={at}", "--pure")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, ""), err
    assert "race.py:" in err
    assert "lines of play" not in err


SOLVED, COUNTED, PLAYED = ("solve", "{game}"), ("count", "{game}"), ("match", "{game}", "random", "random")
RAISED = ("KeyboardInterrupt", "SystemExit", "GeneratorExit", "BaseException(1)")


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize(
    ("command", "raised", "at"),
    shortly(
        product((SOLVED, COUNTED, PLAYED), RAISED, (0, 1500)),
        *((SOLVED, raised, 1500) for raised in RAISED),
        (SOLVED, RAISED[0], 0),
        (COUNTED, RAISED[0], 1500),
        (PLAYED, RAISED[0], 1500),
        (PLAYED, RAISED[1], 0),
    ),
)
def test_whatever_a_rule_raises_is_told_as_its_fault(
    tmp_path: Path, capsys: Captured, command: tuple[str, ...], raised: str, at: int
) -> None:
    path = game(tmp_path, f"raise {raised}")
    line = (*(argument.format(game=f"{path}:at={at}") for argument in command), "--pure")
    code, out, err = call(capsys, *line)
    assert (code, out) == (2, "")
    assert re.match(rf"damier: race.py:\d+: (moves\(.*\) raised )?{raised[:13]}", err), err


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (
            "AssertionError",
            2,
            "race.py:17: AssertionError, in the state State(total=1500, mover=0)",
        ),  # a bare assert has no words
        ("RecursionError('mine')", 2, "race.py:17: RecursionError: mine"),  # no line of play is too long
        ("MemoryError", 3, "race.py:17: moves: it takes more memory than there is for it (--memory)"),
    ],
)
def test_what_is_raised_far_from_the_start_is_told_as_it_is(
    tmp_path: Path, raised: str, code: int, said: str
) -> None:
    process = started("match", f"{game(tmp_path, f'raise {raised}')}:at=1500", "random", "random", "--pure")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (code, "", f"damier: {said}\n")


def test_a_player_that_there_is_not_is_told_with_the_state(tmp_path: Path, capsys: Captured) -> None:
    path = Path(game(tmp_path, "pass"))
    path.write_text(
        path.read_text().replace("mover=lambda s: s.mover", "mover=lambda s: 7 * (s.total == 1700)")
    )
    code, out, err = call(capsys, "match", str(path), "random", "random", "--pure")
    assert (code, out) == (2, "")
    assert re.search(
        r"mover gives a player .*, in the state State\(total=1700, mover=[01]\)$", err.strip()
    ), err


def test_a_file_that_ends_the_process_is_named(tmp_path: Path) -> None:
    path = tmp_path / "leaves.py"
    path.write_text(
        "import os\n\ndef play(position):\n    if not os.fork():\n        os._exit(0)\n    os._exit(7)\n"
    )
    process = started("match", "nim", str(path), "random", "--games", "3")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (7, "")
    assert err == "damier: leaves.py:6: play: os._exit has ended this command\n"


def test_a_name_that_asserts_far_from_the_start_is_told_without_more_words(tmp_path: Path) -> None:
    path = Path(game(tmp_path, "pass"))
    names = "name_move=lambda s, m: 'ab'[m > 1] if s.total < 150 else late()"
    path.write_text(
        path.read_text().replace("mover=lambda s: s.mover", f"mover=lambda s: s.mover, {names}")
        + "\ndef late():\n    assert False\n"
    )
    process = started("replay", str(path), "--moves", ",".join("b" * 80), "--lang", "fr")
    _out, err = process.communicate(timeout=PATIENCE)  # what a catalogue says of no text is its own head
    assert (process.returncode, err) == (2, "damier: race.py:26\u00a0: AssertionError\n")


def test_a_file_and_a_name_with_options_are_listed_with_what_they_were_given(
    tmp_path: Path, capsys: Captured
) -> None:
    own = game(tmp_path, "pass")
    listed = _data(capsys, "games", f"{own}:at=7", "nim:heaps=3", "tictactoe")
    assert listed["options"][f"{own}:at=7"] == {"at": 7}
    assert listed["options"]["nim:heaps=3"]["heaps"] == "3"
    code, out, err = call(capsys, "games", own)
    assert (code, err) == (0, "")
    assert "at=1500" in out


def test_an_option_without_a_value_is_listed_too(tmp_path: Path, capsys: Captured) -> None:
    path = Path(game(tmp_path, "pass"))
    path.write_text(path.read_text().replace("at: int = 1500", "at: int = 1500, most: int | None = None"))
    listed = _data(capsys, "games", str(path), f"{path}:most=3")["options"]
    assert listed == {str(path): {"at": 1500, "most": None}, f"{path}:most=3": {"at": 1500, "most": 3}}
    assert " most= " in call(capsys, "games", str(path))[1]
