"""What a student, a script or an enemy may bring: each ends as the contract says, and nothing runs
that was not asked for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from at_work import PATIENCE
from commands import Captured, beginning
from lasting import later, long, shortly

RACE = """
from typing import NamedTuple
from damier import CHANCE, ONGOING, Game, position_of

class State(NamedTuple):
    total: int
    mover: int

def race(goal: int = 300) -> Game:
    def moves(s):
        {moves}
    def play(s, move):
        return State(s.total + position_of(move) + 1, 1 - s.mover)
    def outcome(s):
        return -1 if s.total >= goal else ONGOING
    def mover(s):
        {mover}
    return Game("race", State(0, 0), moves, play, outcome, mover=mover)
"""


def race(folder: Path, moves: str = "return 3", mover: str = "return s.mover") -> str:
    path = folder / "race.py"
    path.write_text(RACE.format(moves=moves, mover=mover))
    return str(path)


call, _data = beginning()


def test_a_number_of_thousands_of_digits_is_refused_in_a_line(capsys: Captured) -> None:
    code, _out, err = call(capsys, "train", "tictactoe", "q", "--grade-every", "1" * 5000)
    assert (code, err.count("\n"), "a whole number of games above 0" in err) == (2, 1, True)


WRONG_FAR_AWAY = [
    ("return 3 if s.total != 150 else 0", "return s.mover", "no move though the game is not over"),
    ("return 3 if s.total != 150 else -1", "return s.mover", "no move though the game is not over"),
    ("return 3 if s.total != 150 else 1 << 62", "return s.mover", "beyond those that there are"),
    ("return 3", "return s.mover if s.total != 150 else 2", "player that there is not"),
    ("return 3 // (s.total - 150)", "return s.mover", "race.py"),
]


@pytest.mark.parametrize(
    ("moves", "mover", "says", "speed"),
    [
        *((*wrong, "--pure") for wrong in WRONG_FAR_AWAY),
        *shortly(((*wrong, "--compiled") for wrong in WRONG_FAR_AWAY), (*WRONG_FAR_AWAY[1], "--compiled")),
    ],
)
def test_a_rule_that_is_wrong_far_from_the_start_is_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, moves: str, mover: str, says: str, speed: str
) -> None:
    for command, agents in (("solve", []), ("match", ["random", "random", "--games", "50"])):
        code, out, err = call(capsys, command, race(tmp_path, moves, mover), *agents, speed)
        assert (code, out) == (2, ""), (command, err)
        assert says in err
        assert err.count("\n") == 1


def test_a_die_without_weights_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _out, err = call(capsys, "solve", race(tmp_path, mover="return CHANCE"))
    assert code == 2
    assert "chance=" in err


def test_what_a_game_prints_is_not_the_result(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = call(capsys, "solve", race(tmp_path, "print('hello'); return 3") + ":goal=9", "--json")
    assert code == 0
    assert json.loads(out)["value"] == "loss"
    assert "hello" in err


def test_a_solution_does_not_choose_what_runs_here(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game, solution, ran = race(tmp_path), tmp_path / "race.solution", tmp_path / "ran"
    assert call(capsys, "solve", f"{game}:goal=12", "--out", str(solution))[0] == 0
    text = Path(game).read_text()
    Path(game).write_text(f"open({str(ran)!r}, 'w').close()\n{text}")
    code, _out, err = call(capsys, "show", str(solution))
    assert code == 2
    assert "--game" in err
    assert not ran.exists()
    assert call(capsys, "show", str(solution), "--game", f"{game}:goal=12")[0] == 0
    code, _out, err = call(capsys, "show", str(solution), "--game", f"{game}:goal=13")
    assert code == 2


def test_what_is_told_to_be_typed_can_be_where_a_folder_has_a_space(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    game, solution, record = race(folder), str(folder / "race.solution"), str(folder / "race.jsonl")
    assert call(capsys, "solve", f"{game}:goal=12", "--out", solution)[0] == 0
    assert f"give --game '{game}:goal=12'" in call(capsys, "show", solution)[2]
    assert (
        call(capsys, "match", f"{game}:goal=12", "random", "random", "--games=1", "--record", record)[0] == 0
    )
    assert f"give --game '{game}:goal=12'" in call(capsys, "show", record)[2]


def test_a_solution_is_checked_against_rules_that_differ_far_from_the_start(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game, solution = race(tmp_path), tmp_path / "race.solution"
    assert call(capsys, "solve", game, "--out", str(solution))[0] == 0
    race(tmp_path, moves="return 3 if s.total < 298 else 1")
    code, _out, err = call(capsys, "show", str(solution), "--game", game)
    assert code == 2
    assert "rules changed" in err


@long
def test_the_record_of_a_very_long_game_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "long.jsonl"
    game = race(tmp_path) + ":goal=600000"
    assert (
        call(
            capsys,
            "match",
            game,
            "random",
            "random",
            "--games",
            "1",
            "--max-plies",
            "500000",
            "--record",
            str(record),
        )[0]
        == 0
    )
    assert len(record.read_text()) > 1 << 20
    code, out, _err = call(capsys, "show", str(record), "--json")
    assert code == 0
    assert json.loads(out)["games"] == 1


def test_a_link_is_followed_and_a_pipe_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target", tmp_path / "link.svg", tmp_path / "pipe.svg"
    target.write_text("old")
    link.symlink_to(target)
    os.mkfifo(pipe)
    assert call(capsys, "solve", "tictactoe", "-o", str(link))[0] == 0
    assert link.is_symlink()
    assert target.read_text().startswith("<svg")
    code, _out, err = call(capsys, "solve", "tictactoe", "-o", str(pipe))
    assert code == 2
    assert "not a file" in err


@pytest.mark.parametrize(
    "arguments", [["--games", "1.5"], ["--seed", "1e3"], ["--jobs", "two"], ["--max-plies", "9.0"]]
)
def test_numbers_are_whole(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, _out, err = call(capsys, "match", "tictactoe", "random", "random", *arguments)
    assert code == 2
    assert "whole number" in err


def test_a_limit_of_plies_takes_no_memory(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "play", "tictactoe", "random", "random", "--max-plies", str(10**12), "--json")[0] == 0


@pytest.mark.parametrize("depth", ["500", later("600"), later("1000")])
def test_long_lines_are_counted(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        json.loads(call(capsys, "perft", "nim:matches=2000,take=1", "--depth", depth, "--json")[1])["leaves"][
            -1
        ]
        == 1
    )
    found = json.loads(call(capsys, "count", "nim:matches=9999,take=1", "--games", "--json")[1])
    assert (found["states"], found["games"]) == (10_000, 1)


def in_a_shell(line: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("damier", f"{sys.executable} -m damier")
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize(
    "line",
    [
        "PYTHONIOENCODING=ascii damier match tictactoe random random --games 10",
        later("PYTHONIOENCODING=latin-1 damier match --help"),
        later("damier games >&-"),
        later("damier solve tictactoe <&-"),
        "damier perft tictactoe --depth 3 | head -1",
    ],
)
def test_strange_streams_cost_no_traceback(line: str) -> None:
    ended = in_a_shell(line)
    assert "Traceback" not in ended.stderr
    assert "fault of damier" not in ended.stderr
    assert ended.returncode == 0


@pytest.mark.parametrize("closed", shortly([">&-", "2>&-", "<&- >&- 2>&-", "| true"], "<&- >&- 2>&-"))
@pytest.mark.parametrize(
    "line",
    shortly(
        [
            "train nim q --games 100 --pure",
            "sweep nim --learner q:alpha=0.1,0.2 --games 50 --seeds 1 --pure",
            "play nim random random --pure",
            "tree nim:matches=3 --step",
            "exercise alphabeta",
            "uci random --game hexapawn",
            "solve hexapawn --json --pure",
        ],
        "train nim q --games 100 --pure",
    ),
)
def test_closed_streams_cost_nothing(line: str, closed: str) -> None:
    ended = in_a_shell(f"set -o pipefail; damier {line} {closed}")
    assert "Traceback" not in ended.stderr
    assert "fault of damier" not in ended.stderr
    assert ended.returncode == 0


@pytest.mark.parametrize("closed", shortly(["2>&-", "2>/dev/full"], "2>/dev/full"))
def test_what_no_refusal_can_be_written_to_changes_nothing(closed: str) -> None:
    assert in_a_shell(f"damier solve nonsense {closed}").returncode == 2


@long
def test_nobody_reads_a_refusal() -> None:
    """It ends as ever, wherever standard error goes."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "damier", "solve", "nonsense"]
    assert subprocess.run(command, stderr=writing, check=False).returncode == 2


def test_no_file_stands_in_the_place_of_a_stream_that_was_closed(tmp_path: Path) -> None:
    """What an agent prints to the number 1 itself would go into it."""
    agent, record = tmp_path / "loud.py", tmp_path / "games.jsonl"
    agent.write_text(
        "import os\ndef play(position):\n    os.write(1, b'loud')\n    return position.moves[0]\n"
    )
    ended = in_a_shell(f"damier match nim {agent} random --games 3 --record {record} >&- <&-")
    assert ended.returncode == 0, ended.stderr
    assert "loud" not in record.read_text().replace("loud.py", "")


def test_the_game_of_a_record_sends_nothing_to_the_terminal(capsys: Captured, tmp_path: Path) -> None:
    """An own game that nobody named is not looked up, only told: over the table of its games."""
    record = {
        "format": "damier-game/1",
        "game": "x.py\x1b]0;title\x07\u202e",
        "options": {"width": "\x9b31m"},
        "players": ["a", "b"],
        "moves": [],
    }
    record |= {
        "payoffs": [0, 0],
        "seed": 0,
        "number": 0,
        "finished": True,
        "resigned": False,
        "outcome": "draw",
    }
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(record) + "\n")
    code, out, err = call(capsys, "show", str(path))
    assert code == 0
    assert r"x.py\x1b]0;title\x07\u202e:width=\x9b31m" in out
    assert [sign for sign in out + err if not sign.isprintable() and sign != "\n"] == []
