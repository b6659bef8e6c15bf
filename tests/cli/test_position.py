"""`--position`: a command begins where the game's own notation says."""

from __future__ import annotations

import pytest
from commands import Captured, beginning

from damier import load
from damier.core.position import read, written

call, data = beginning()
BEFORE_A_WIN = "X.O/.X./O.. X"


def test_what_replay_prints_is_read_back(capsys: Captured) -> None:
    states = data(capsys, "replay", "tictactoe", "--moves", "4,0,8")["states"]
    for state in states:
        again = data(capsys, "replay", "tictactoe", "--position", state["position"])
        assert again["states"][0] == state


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "tictactoe"),
        ("search", "tictactoe", "minimax"),
        ("perft", "tictactoe", "--depth", "2"),
        ("tree", "tictactoe", "--plies", "2"),
        ("graph", "tictactoe", "--plies", "2"),
    ],
)
def test_a_position_is_as_good_as_the_moves_that_lead_there(
    capsys: Captured, command: tuple[str, ...]
) -> None:
    by_moves = data(capsys, *command, "--moves", "0,2,4,6")
    by_position = data(capsys, *command, "--position", BEFORE_A_WIN)
    for found in (by_moves, by_position):
        found.pop("seconds", None)
    assert by_position == by_moves


def test_moves_go_on_from_a_position(capsys: Captured) -> None:
    states = data(capsys, "replay", "tictactoe", "--position", BEFORE_A_WIN, "--moves", "8")["states"]
    assert states[-1]["payoffs"] == [1, -1]


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("tictactoe", "X.O/.X./..O O", "turn of player 2"),
        ("tictactoe", "XXX/OO./... X", "turn of player 1"),
        ("tictactoe", "XXX/OOO/... X", "game was over before"),
        ("tictactoe", "XO/.X./..O X", "row 1 has 2 cells"),
        ("tictactoe", "X?O/.X./..O X", "row 1, column 2"),
        ("tictactoe", "x" * 300, "a position is its rows"),
        ("connect_four", "/".join(["......."] * 4 + ["...X...", "......."]) + " O", "hangs in the air"),
        ("hexapawn", "BBB/W../W.W black", None),
        ("hexapawn", "BBB/WWW/W.. white", "at most 3 pawns"),
        ("hexapawn", "W../.B./... white", "won already"),
        ("nim", "17 first", "at most 16"),
        ("nim", "4 third", "first | second"),
        ("pacman", "anything", "reads no positions"),
    ],
)
def test_what_is_no_legal_position_is_refused_in_one_line(
    capsys: Captured, game: str, text: str, words: str | None
) -> None:
    code, _out, err = call(capsys, "replay", game, "--position", text)
    if words is None:
        assert code == 0
        return
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("game", "moves", "text"),
    [
        ("connect_four:width=4,height=3", "1,1,2", "..../O.../XX.. O"),
        ("hexapawn", "a1a2", "BBB/W../.WW black"),
        ("nim:heaps=1-3", "2:2", "1/1 second"),
        ("pig", "3", None),
    ],
)
def test_positions_are_written_in_one_line(game: str, moves: str, text: str | None) -> None:
    loaded = load(game)
    position = loaded.position().play(*moves.split(","))
    if text is None:
        assert "\n" not in written(position)
        return
    assert written(position) == text
    assert read(loaded, text) == position
