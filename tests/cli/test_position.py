"""`--position`: a command begins where the game's own notation says."""

from __future__ import annotations

import pytest
from commands import Captured, beginning
from lasting import shortly

from damier import load
from damier.core.game import read_position, written_position

call, data = beginning()
BEFORE_A_WIN = "X.O/.X./O.. X"
DOTS = "+-+.+/|x| ./+-+.+/. . ./+.+.+ 0-1 second"
XGID = "XGID=-aaa------------------AAA-:0:0:1:65:0:0:0:0:10"
CORRIDOR = "%%%%%/%P..%/%%%%% pacman 0 P1,1,Stop"


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
        ("pacman", "anything", "a position of 1 row; this board has 11"),
        ("pacman:layout=corridor", CORRIDOR.replace("P1", "P2"), "row 2, column 2 shows P"),
        ("pacman:layout=corridor", CORRIDOR.replace("P1,1", "P١,1"), "such as P1,1,East"),
        ("pacman:layout=corridor", CORRIDOR.replace("0 P", "٠ P"), "and the score"),
        ("kalah", "3-3-3/3-3-3 first", "3-3-3/3-3-3 0-0 first"),
        ("kalah", "3-3/3-3-3 0-0 first", "3-3-3/3-3-3 0-0 first"),
        ("kalah", "3-3-4/3-0-4 0-0 second", "17 seeds; this game has 18"),
        ("kalah", "3-3-4/3-0-4 1-0 third", "who moves"),
        ("dots_and_boxes", DOTS.replace("x", "."), "'.'; with the lines of this position it is 'x'"),
        ("dots_and_boxes", DOTS.replace("+.", "+x", 1), "row 1, column 4: 'x'"),
        ("dots_and_boxes", DOTS.replace("/", "", 1), "a position of 4 rows"),
        ("dots_and_boxes", DOTS.replace("0-1", "1-1"), "1 and 1 boxes; 1 are closed"),
        ("dots_and_boxes", DOTS.replace("0-1 second", "1-0 first"), "turn of player 1"),
        ("dots_and_boxes", DOTS.replace(" 0-1", ""), "the boxes of both"),
        ("dots_and_boxes:rows=1,columns=1", "+-+/|x|/+-+ 1-0 second", "owns one"),
        ("hyper_backgammon", "24-23-22", "XGID=-aaa"),
        ("hyper_backgammon", XGID.replace("0:0:1:", "1:1:1:"), "without cube"),
        ("hyper_backgammon", XGID.replace("A", "B", 1), "4 checkers of one player"),
        ("hyper_backgammon", XGID.replace("=-", "=A").replace("AAA", "AA-"), "bar of the other player"),
        ("hyper_backgammon", XGID.replace("A", "-"), "all checkers off"),
        ("hyper_backgammon", XGID.replace("a", "-"), "no dice any more"),
        ("pig", "11-0 5 third", "11-0 5 second"),
        ("pig", "1-0 5 second", "nobody keeps 1"),
        ("pig", "100-0 0 second rolling", "nobody keeps 1"),
        ("pig", "0-0 0 first", "0 points in this turn"),
        ("pig", "90-0 10 first rolling", "10 are left to the target"),
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
        ("kalah", "2", "3-3-4/3-0-4 1-0 second"),
        ("kalah", "1", "3-3-3/0-4-4 1-0 first"),
        ("dots_and_boxes:rows=1,columns=2", "h1-1,h2-1,v1-1,v1-2", "+-+.+/|x| ./+-+.+ 0-1 second"),
        ("hyper_backgammon", "6-5,24/18+23/18", "XGID=-aaa--------------B---A---:0:0:-1:00:0:0:0:0:10"),
        ("hyper_backgammon:checkers=1", "6-5", "XGID=-a----------------------A-:0:0:1:65:0:0:0:0:10"),
        ("pig", "3", "0-0 3 first"),
        ("pig", "3,roll,4,hold", "7-0 0 second rolling"),
        ("pacman:layout=corridor", "East", "%%%%%/%_P.%/%%%%% pacman -1 P2,1,East"),
    ],
)
def test_positions_are_written_in_one_line(game: str, moves: str, text: str) -> None:
    loaded = load(game)
    position = loaded.position().play(*moves.split(","))
    assert written_position(position) == text
    assert read_position(loaded, text) == position


def test_dice_of_backgammon_are_read_in_either_order() -> None:
    game = load("hyper_backgammon")
    assert (
        read_position(game, XGID.replace(":65:", ":56:"))
        == read_position(game, XGID)
        == game.position().play("6-5")
    )


@pytest.mark.parametrize("speed", shortly(["--pure", "--compiled"], "--pure"))
def test_a_search_counts_the_fifty_moves_of_its_position(capsys: Captured, speed: str) -> None:
    """The last of them neither mates nor takes: the queen is worth nothing then."""
    for clock, value in ((0, 9), (99, 0)):
        text = f"7k/8/8/8/8/8/8/KQ6 w - - {clock} 90"
        line = ("search", "chess", "alphabeta:plies=1,evaluate=9*queens", speed, "--position", text)
        assert data(capsys, *line)["value"] == value


def test_the_clocks_of_a_fen_are_counted_on(capsys: Captured) -> None:
    begin = ("--position", "4k3/8/8/8/8/8/8/R3K3 w - - 98 80")
    states = data(capsys, "replay", "chess", *begin, "--moves", "a1a2,e8e7")["states"]
    assert [state["position"].split(maxsplit=4)[-1] for state in states] == ["98 80", "99 80", "100 81"]
    assert [state["payoffs"] for state in states] == [None, None, [0, 0]]


@pytest.mark.parametrize("text", ["", " "])
@pytest.mark.parametrize(
    "command",
    [
        ("replay", "tictactoe"),
        ("replay", "chess"),
        ("solve", "nim"),
        ("search", "tictactoe", "minimax"),
        ("perft", "tictactoe", "--depth", "1"),
        ("tree", "tictactoe", "--plies", "1"),
        ("graph", "tictactoe", "--plies", "1"),
        ("explore", "nim"),
    ],
)
def test_an_empty_position_is_none(capsys: Captured, command: tuple[str, ...], text: str) -> None:
    code, out, err = call(capsys, *command, f"--position={text}")
    assert (code, out) == (2, "")
    assert "the position is empty; the first one is written " in err
    assert err.count("\n") == 1
