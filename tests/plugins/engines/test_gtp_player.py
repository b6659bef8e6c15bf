"""GTP engines as agents: what they are told, what is made of their answers, and how they lose."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from commands import Captured, beginning
from engines import GNUGO, KNOWN, QUICK, QUICK_TO_MOVE, fake_gtp, heard, with_gnugo
from foreign import played

from damier import load
from damier.agents.process import ProcessPlayer
from damier.core.bits import reseed
from damier.core.errors import AgentFault, BadInput
from damier.core.game import Position, read_position
from damier.core.moves import random_move
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.plugins.engines.gtp import GtpTalk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
call, data = beginning()
LATER = time.monotonic() + 3600
EMPTY = ["boardsize 5", "clear_board", "komi 0"]


def commands(folder: Path) -> list[str]:
    """What an engine was told, without the numbers."""
    return [line.partition(" ")[2] if line[:1].isdigit() else line for line in heard(folder)]


def test_an_engine_is_told_the_moves_that_are_new(tmp_path: Path) -> None:
    with fake_gtp(tmp_path, ("c3", "PASS", "resign"), before=("komi 3",)) as player:
        position, choices = player.game.position(), []
        for reply in ("D4", "E5", ""):
            move = player.choose(player.game, position.state, [0])
            choices.append(player.game.name_move(position.state, move) if move else "resigns")
            if move:
                position = position.play(choices[-1], reply)
    assert choices == ["C3", "pass", "resigns"]
    assert commands(tmp_path) == [
        "protocol_version",
        "list_commands",
        "komi 3",
        *EMPTY,
        *EMPTY,
        "genmove black",
        "play white D4",
        "genmove black",
        "play white E5",
        "genmove black",
        "quit",
    ]


def test_a_position_without_its_line_is_set_up_stone_by_stone(tmp_path: Path) -> None:
    with fake_gtp(tmp_path, ("A1",)) as player:
        position = read_position(player.game, "O..../...../..X../.O.../...X. white pass")
        player.choose(player.game, position.state, [0])
    assert commands(tmp_path)[5:] == [
        *EMPTY,
        "play white A5",
        "play black C3",
        "play white B2",
        "play black D1",
        "play black pass",
        "genmove white",
        "quit",
    ]


def test_a_move_that_the_engine_refuses_is_set_up(tmp_path: Path) -> None:
    once = "not os.path.exists(log.name + '2')"
    refused = f"if rest == ['white', 'D4'] and {once}: sign = '?'; open(log.name + '2', 'w')"
    with fake_gtp(tmp_path, ("C3", "B2", "A1"), first=refused) as player:
        position = player.game.position()
        for reply in ("D4", "E5"):
            move = player.choose(player.game, position.state, [0])
            position = position.play(player.game.name_move(position.state, move), reply)
        player.choose(player.game, position.state, [0])
    told = commands(tmp_path)
    after = told.index("play white D4") + 1
    assert told[after : after + 6] == [*EMPTY, "play white D4", "play black C3", "genmove black"]
    assert told[after + 6 :] == ["play white E5", "genmove black", "quit"]


AT_THE_START = {
    "another version": ({"version": "1"}, "it speaks GTP 1, not 2"),
    "another game": ({"game": "othello"}, "it plays go, not othello:size=8,discs=false"),
    "no level": ({"before": ("level 5",)}, "it does not know the command level"),
    "no such board": (
        {"first": "if word == 'boardsize': sign, said = '?', 'unacceptable size'"},
        "it refused boardsize 5: unacceptable size",
    ),
    "hangs": ({"first": "time.sleep(60)", "limits": QUICK}, "it took more than 0.6 s to begin"),
    "another number": ({"first": "number = '99'", "limits": QUICK}, "it took more than 0.6 s to begin"),
    "endless": (
        {"first": "while True: print('=' + number)"},
        "it answered more than 10,000 lines",
    ),
    "ends": ({"first": "sys.exit(7)"}, "it ended, with exit code 7"),
    "speaks another language": (
        {"first": "print('hello', flush=True); sys.exit(0)"},
        "it ended, with exit code 0",
    ),
}


@pytest.mark.parametrize("how", AT_THE_START)
def test_an_engine_that_does_not_begin_is_told_of_at_once(how: str, tmp_path: Path) -> None:
    options, said = AT_THE_START[how]
    with fake_gtp(tmp_path, **options) as player, pytest.raises(BadInput) as raised:  # type: ignore[arg-type]
        player.start()
    assert str(raised.value) == f"gtp:engine: {said}"


IN_A_GAME = {
    "plays what is not legal": ("if word == 'genmove': said = 'Z9'", "Z9 is not a legal move here"),
    "answers nothing": ("if word == 'genmove': said = ''", "it answered without a move"),
    "refuses and does not say why": ("if word == 'genmove': sign, said = '?', ''", "it refused genmove: ?"),
    "refuses": (
        "if word == 'genmove': sign, said = '?', 'no idea'",
        "it refused genmove: no idea",
    ),
    "ends": ("if word == 'genmove': sys.exit(3)", "it ended, with exit code 3"),
    "raises": (
        "if word == 'genmove': 1 / 0",
        "it ended, with exit code 1 (ZeroDivisionError: division by zero)",
    ),
    "hangs": ("if word == 'genmove': time.sleep(60)", "it took more than its 0.3 s for a move"),
}


@pytest.mark.parametrize("how", IN_A_GAME)
def test_what_an_engine_does_instead_of_playing_loses_it_the_game(how: str, tmp_path: Path) -> None:
    statement, said = IN_A_GAME[how]
    kept = {"limits": QUICK_TO_MOVE} if "0.3 s" in said else {}
    with fake_gtp(tmp_path, first=statement, **kept) as player:  # type: ignore[arg-type]
        _records, faults = played(player, 2, swap=0)
    assert faults == {0: f"gtp:engine: {said}", 1: f"gtp:engine: {said}"}


def test_an_engine_may_resign(tmp_path: Path) -> None:
    with fake_gtp(tmp_path, ("RESIGN",)) as player:
        records, faults = played(player, 2, swap=0)
    assert not faults
    assert all(record.resigned for record in records)


def test_another_game_is_set_up_by_its_notation(tmp_path: Path) -> None:
    known, answer = (*KNOWN, "damier-game"), "if word == 'damier-game': said = 'othello:size=4,discs=false'"
    with fake_gtp(tmp_path, ("a1",), game="othello:size=4,discs=false", known=known, first=answer) as player:
        position = read_position(player.game, "..../.OX./.XO./.... white")
        with pytest.raises(AgentFault, match="a1 is not a legal move here"):
            player.choose(player.game, position.state, [0])
    assert commands(tmp_path)[4:] == [
        "clear_board",
        "damier-position ..../.OX./.XO./.... white",
        "genmove white",
        "quit",
    ]


@with_gnugo
def test_gnu_go_plays(capsys: Captured) -> None:
    seats = f"gtp:run={GNUGO} --mode gtp --chinese-rules,level=1", "random"
    report = data(capsys, "match", "go:size=5,komi=0.5", *seats, "--games", "4", "--swap-seats", "--quiet")
    assert report["wins"] >= 3
    assert "faults" not in report


@with_gnugo
def test_gnu_go_has_the_board_that_is_set_up() -> None:
    """Random positions of every kind, each set up without its line, as GNU Go then lists the stones."""
    game = load("go:size=7")
    player = agent(Lab(game), f"gtp:run={GNUGO} --mode gtp,level=0")
    assert isinstance(player, ProcessPlayer)
    talk, channel = player.talk, player.channel
    assert isinstance(talk, GtpTalk)
    assert channel is not None
    rng = [0]
    for walk in range(12):
        reseed(rng, 3, walk)
        position = game.position()
        for _ply in range(4 + 7 * walk):
            if position.over:
                break
            position = Position(game, game.play(position.state, random_move(rng, game.moves(position.state))))
        talk.set_up(channel, position, LATER)
        for mark, colour in (("X", "black"), ("O", "white")):
            stones = talk.must(channel, f"list_stones {colour}", LATER).split()
            cells = {divmod(cell, 7) for cell, found in enumerate(position.board) if found == mark}
            assert {("ABCDEFG".index(stone[0]), 7 - int(stone[1:])) for stone in stones} == {
                (column, row) for row, column in cells
            }
