"""`damier gtp`: agents as engines, asked line by line, and playing GNU Go with the test as referee."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from damier import load
from damier.core.loop import MatchSetup
from damier.lab.agents import agent
from damier.lab.games import Lab, load as load_game
from damier.plugins.engines.engine import GtpEngine, Thinker, parsed
from tests.engines import GNUGO, with_gnugo

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
COMMAND = [sys.executable, "-m", "damier", "gtp"]
PATIENCE = 60.0
REQUIRED = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove"),
)
"""What an engine of version 2 must know (section 4.1 of the specification)."""


def engine(game: str = "go:size=5,komi=0.5", written: str = "random") -> GtpEngine:
    return GtpEngine(load(game), lambda chosen: Thinker(Lab(chosen), written, [1]), load_game)


def answers(it: GtpEngine, *lines: str) -> list[str]:
    """What it answers to each, without the blank line at the end, which must be there."""
    found = [it.hear(line) for line in lines]
    assert all(answer.endswith("\n\n") and "\n\n" not in answer[:-2] for answer in found)
    return [answer[:-2] for answer in found]


def test_an_engine_knows_what_it_must() -> None:
    it = engine()
    listed = answers(it, "list_commands")[0].removeprefix("= ").splitlines()
    assert set(REQUIRED) <= set(listed)
    for command in listed:
        assert answers(it, f"known_command {command}") == ["= true"]
    assert answers(it, "known_command x", "known_command", "x") == ["= false", "= false", "? unknown command"]
    assert answers(it, "protocol_version", "name") == ["= 2", "= damier"]


def test_lines_are_read_as_the_specification_says() -> None:
    assert parsed("  7\tname \x07 # comment\n") == ("7", "name", "")
    assert parsed("#name") is None
    assert parsed(" \t \r\n") is None
    it = engine()
    assert it.hear("\n") == ""
    assert it.hear("# play b a1") == ""
    assert answers(it, "3", "12 name", "0012 x") == [
        "?3 unknown command",
        "=12 damier",
        "?0012 unknown command",
    ]


def test_a_game_is_played_and_taken_back() -> None:
    it = engine()
    assert answers(
        it, "play b C3", "play WHITE c4", "play white D4", "play b c4", "play b Z1", "play x a1"
    ) == [
        *("=", "=", "="),
        *("? illegal move", "? illegal move", "? syntax error"),
    ]
    assert it.position.board == "       OO   X            "
    assert answers(it, "undo", "undo", "undo", "undo") == ["=", "=", "=", "? cannot undo"]
    assert answers(it, "play w pass", "play b pass", "final_score", "play b a1", "final_score") == [
        *("=", "=", "= W+0.5", "=", "= B+24.5"),
    ]
    assert answers(it, "showboard")[0].endswith("\n1  X . . . .\n   A B C D E")


def test_what_is_taken_is_gone() -> None:
    it = engine()
    answers(it, "play w A1", "play b A2", "play b B1")
    assert it.position.board == " " * 15 + "X" + " " * 5 + "X" + " " * 3


def test_board_and_komi_are_changed() -> None:
    it = engine()
    answers(it, "play b A1")
    assert answers(it, "komi 3.5", "final_score") == ["=", "= B+21.5"]
    assert answers(it, "boardsize 7", "damier-game") == ["=", "= go:size=7,komi=3.5"]
    assert "X" not in it.position.board
    assert answers(it, "boardsize 1", "boardsize 99", "boardsize x", "komi 0.3", "komi", "komi -2") == [
        *("? unacceptable size", "? unacceptable size", "? syntax error"),
        *("? unacceptable komi", "? syntax error", "="),
    ]
    assert answers(it, "play b A1", "clear_board", "damier-game") == ["=", "=", "= go:size=7,komi=-2.0"]
    assert it.position.moves == load("go:size=7").position().moves


def test_the_clock_says_how_long_is_thought() -> None:
    it = engine()
    assert it.seconds_of_move(0) is None
    assert answers(it, "time_settings 300 0 0") == ["="]
    assert it.seconds_of_move(0) == 10.0
    assert answers(it, "time_left b 60 0", "time_left w 20 4", "time_left b x 1", "time_left b 3") == [
        *("=", "=", "? syntax error", "? syntax error"),
    ]
    assert (it.seconds_of_move(0), it.seconds_of_move(1)) == (2.0, 5.0)
    assert answers(it, "time_settings 0 3 1", "time_settings 1") == ["=", "? syntax error"]
    assert it.seconds_of_move(1) == pytest.approx(2.95)
    answers(it, "time_settings 0 5 0")
    assert it.seconds_of_move(1) is None


def test_other_games_are_played_in_their_own_words() -> None:
    it = engine("othello:size=4")
    assert answers(it, "damier-game", "boardsize 4", "boardsize 8", "komi 1") == [
        *("= othello:size=4,discs=false", "=", "? unacceptable size", "? unknown command"),
    ]
    first = it.position.moves[0]
    assert answers(it, "damier-moves", f"play b {first}", f"play b {first}") == [
        f"= {' '.join(load('othello:size=4').position().moves)}",
        "=",
        "? illegal move: it is the turn of white",
    ]
    assert answers(it, "final_score") == ["? cannot score"]
    while not it.position.over:
        assert answers(it, f"genmove {('black', 'white')[it.position.mover]}")[0].startswith("= ")
    assert answers(it, "genmove b") == ["? the game is over"]
    payoffs = it.position.payoffs
    assert payoffs is not None
    score = "0" if payoffs[0] == 0 else "B+1" if payoffs[0] > 0 else "W+1"
    assert answers(it, "final_score") == [f"= {score}"]
    assert answers(it, "damier-position ..../.OX./.XO./.... white", "damier-position what")[0] == "="
    assert it.position.mover == 1


@contextmanager
def talking(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as process:
        yield process


def said(process: subprocess.Popen[str], command: str) -> str:
    """What a process answers to a command, which it must obey."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{command}\n")
    process.stdin.flush()
    lines: list[str] = []
    while line := process.stdout.readline().rstrip("\n"):
        lines.append(line)
    assert lines[0].startswith("="), (command, lines)
    return "\n".join(lines)[1:].strip()


@with_gnugo
def test_damier_plays_gnu_go_and_they_agree_on_the_board() -> None:
    """The referee hands each the moves of the other. (Their scores are not compared: GNU Go leaves out
    stones that it takes for dead.)
    """
    gnugo = [str(GNUGO), "--mode", "gtp", "--chinese-rules", "--level", "1"]
    with (
        talking([*COMMAND, "mcts:simulations=50", "--pure", "--seed", "2"]) as ours,
        talking(gnugo) as theirs,
    ):
        for command in ("boardsize 5", "clear_board", "komi 0.5"):
            said(ours, command)
            said(theirs, command)
        passes = ply = 0
        board = load("go:size=5,komi=0.5").position()
        while passes < 2 and ply < 60:
            mover, other, colour = (ours, theirs, "black") if ply % 2 == 0 else (theirs, ours, "white")
            move = said(mover, f"genmove {colour}")
            assert move.casefold() != "resign"
            board = board.play(move.replace("PASS", "pass"))
            said(other, f"play {colour} {move}")
            passes = passes + 1 if move.casefold() == "pass" else 0
            ply += 1
        assert said(ours, "damier-moves").split() == list(board.moves)
        stones = {
            colour: sorted(said(theirs, f"list_stones {colour}").split()) for colour in ("black", "white")
        }
        for colour, mark in (("black", "X"), ("white", "O")):
            cells = [divmod(cell, 5) for cell, found in enumerate(board.board) if found == mark]
            assert stones[colour] == sorted(f"{'ABCDE'[column]}{5 - row}" for row, column in cells)
        said(ours, "quit")
        said(theirs, "quit")
        assert ours.wait(PATIENCE) == 0


def test_both_sides_of_the_dialect_understand_each_other(tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text("def choose(position):\n    return position.moves[-1]\n")
    at_home = str(tmp_path / "last.py")
    for name in ("othello:size=4", "go:size=3"):
        game = load(name)
        written = f"gtp:run=python -m damier gtp {at_home} --game {name},isolated=false"
        lines = []
        for text in (at_home, written):
            players = agent(Lab(game), text), agent(Lab(game), at_home)
            setup = MatchSetup(game, players, 3, record=True, strict=True, limit=40)
            lines.append(setup.play(0, 2, jit=False).lines)
        assert lines[0] == lines[1]


def test_the_end_of_the_input_ends_it_and_prints_stay_out_of_the_answers(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text("def choose(position):\n    print('hello')\n    return 'pass'\n")
    done = subprocess.run(
        [*COMMAND, str(tmp_path / "talker.py"), "--game", "go:size=3"],
        input="1 genmove b\n2 name",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (0, "=1 pass\n\n=2 damier\n\n")
    assert "hello" in done.stderr


def test_a_fault_of_an_agent_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def choose(position):\n    return 1 // 0\n")
    it = engine("go:size=3", str(tmp_path / "broken.py"))
    assert answers(it, "genmove b")[0].startswith("? broken.py:2: ")


@pytest.mark.parametrize("command", ["gtp", "uci"])
def test_a_game_in_the_place_of_the_agent_is_told(command: str) -> None:
    done = subprocess.run(
        [*COMMAND[:-1], command, "go:size=5"], input="", capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == "damier: go:size=5 is a game, and here the agent comes first: --game go:size=5\n"
