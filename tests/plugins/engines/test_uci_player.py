"""UCI engines as agents: what they are told, what is made of their answers, and how they lose."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from commands import Captured, beginning
from engines import QUICK, QUICK_TO_MOVE, STOCKFISH, fake_uci, heard, with_stockfish
from foreign import pipes, played

from damier import load
from damier.core.errors import AgentFault, BadInput, UnknownName
from damier.core.game import read_position
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.plugins.engines.uci import SearchInfo, read_info, read_option, written_info

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
call, data = beginning()


def test_an_engine_is_told_the_line_of_each_game(tmp_path: Path) -> None:
    with fake_uci(tmp_path, ("g1f3", "f3g1"), wanted={"strength": "4", "clear hash": ""}) as player:
        game, position = player.game, player.game.position()
        for reply in ("g8f6", "f6g8"):
            move = player.choose(game, position.state, [0])
            position = position.play(game.name_move(position.state, move), reply)
        begin = read_position(game, "8/8/8/8/8/8/8/R3K2k w Q - 0 1")
        with pytest.raises(AgentFault, match="uci:engine: g1f3 is not a legal move here"):
            player.choose(game, begin.state, [0])
        player.close()
    assert heard(tmp_path) == [
        "uci",
        "setoption name Strength value 4",
        "setoption name Clear Hash",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos",
        "go nodes 5",
        "isready",
        "position startpos moves g1f3 g8f6",
        "go nodes 5",
        "ucinewgame",
        "isready",
        "position fen 8/8/8/8/8/8/8/R3K2k w Q - 0 1",
        "go nodes 5",
        "quit",
    ]


def test_one_process_plays_all_games(tmp_path: Path) -> None:
    with fake_uci(tmp_path, ("4",), game="tictactoe", options=offering("tictactoe:misere=false")) as player:
        played(player, 3)
    told = heard(tmp_path)
    assert told.count("uci") == 1
    assert told.count("ucinewgame") == 3
    assert told[-1] == "quit"


def offering(game: str) -> str:
    return f'say("option name Game type string default {game}")'


AT_THE_START = {
    "never says uciok": ("time.sleep(60)", "it took more than 0.6 s to begin"),
    "says more and more": ("while True: say('id name x')", "it took more than 0.6 s to begin"),
    "ends": ("sys.exit(3)", "it ended, with exit code 3"),
    "raises": ("1 / 0", "it ended, with exit code 1 (ZeroDivisionError: division by zero)"),
    "says a line without end": ("print('x' * 100_000)", "it answered a line of more than 65,536 bytes"),
}


@pytest.mark.parametrize("how", AT_THE_START)
def test_an_engine_that_does_not_begin_is_told_of_at_once(how: str, tmp_path: Path) -> None:
    statement, said = AT_THE_START[how]
    before = pipes()
    kept = {"limits": QUICK} if "0.6 s" in said else {}
    with fake_uci(tmp_path, options=statement, **kept) as player:
        with pytest.raises(AgentFault) as raised:
            player.start()
        assert str(raised.value) == f"uci:engine: {said}"
        assert player.channel is None
    assert pipes() <= before


IN_A_GAME = {
    "hangs": ("time.sleep(60)", "it took more than its 0.3 s for a move"),
    "says more and more": (
        "while True: say('info depth 1 score cp 1 pv e2e4')",
        "it took more than its 0.3 s for a move",
    ),
    "ends": ("sys.exit(0)", "it ended, with exit code 0"),
    "raises": ("[][1]", "it ended, with exit code 1 (IndexError: list index out of range)"),
    "plays what is not legal": ("answer = 'e2e5'", "e2e5 is not a legal move here"),
    "plays nothing": ("answer = '(none)'", "(none) is not a legal move here"),
    "says nothing": ("answer = ''", "its answer is not bestmove MOVE: bestmove"),
    "is no text": ("os.write(1, b'bestmove \\xff\\n'); continue", "\ufffd is not a legal move here"),
}


@pytest.mark.parametrize("how", IN_A_GAME)
def test_what_an_engine_does_instead_of_playing_loses_it_the_game(how: str, tmp_path: Path) -> None:
    statement, said = IN_A_GAME[how]
    late = "0.3 s" in said
    kept = {"limits": QUICK_TO_MOVE} if late else {}
    with fake_uci(tmp_path, go=statement, **kept) as player:
        _records, faults = played(player, 2, swap=0)
    # an end is seen by its exit code, or first by what it closed
    told = {
        number: re.sub("it closed its streams", "it ended, with exit code 1", str(why))
        for number, why in faults.items()
    }
    assert told == {0: f"uci:engine: {said}", 1: f"uci:engine: {said}"}


def test_noise_is_passed_over(tmp_path: Path) -> None:
    noise = "for n in range(5000): say('info string ' + 'x' * 100)\nsay('info depth'); say(''); say('bogus')"
    with fake_uci(
        tmp_path, ("4",), go=noise, game="tictactoe", options=offering("tictactoe:misere=false")
    ) as player:
        game = player.game
        assert game.name_move(game.start, player.choose(game, game.start, [0])) == "4"


def test_options_are_checked_against_what_the_engine_offers(tmp_path: Path) -> None:
    wrong = {
        "Bogus": (
            "1",
            UnknownName,
            "it has no option Bogus; its options: Strength, Style, UCI_LimitStrength, ",
        ),
        "Strength": ("10", BadInput, "its option Strength=10; it must be a whole number from 1 to 9"),
        "style": ("loud", BadInput, "its option Style=loud; it must be one of calm wild"),
        "UCI_LimitStrength": ("1", BadInput, "its option UCI_LimitStrength=1; it must be true or false"),
    }
    for name, (value, kind, said) in wrong.items():
        with fake_uci(tmp_path, wanted={name: value}) as player, pytest.raises(kind) as raised:
            player.start()
        assert str(raised.value).startswith(f"uci:engine: {said}")


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("tictactoe", "pass", "it plays chess, not tictactoe:misere=false"),
        ("chess", offering("nim"), "it plays nim, not chess"),
    ],
)
def test_an_engine_plays_its_own_game(game: str, options: str, said: str, tmp_path: Path) -> None:
    with fake_uci(tmp_path, game=game, options=options) as player, pytest.raises(BadInput) as raised:
        player.start()
    assert str(raised.value) == f"uci:engine: {said}"


def test_an_option_is_read_as_it_is_written() -> None:
    combo = read_option("option name Style of play type combo default calm var calm var very wild")
    assert combo is not None
    assert (combo.name, combo.default, combo.choices) == ("Style of play", "calm", ("calm", "very wild"))
    assert read_option("option name Book type string default") is not None
    assert read_option("option name Book") is None
    assert read_option("option name Book type magic") is None


def test_what_an_engine_says_of_its_search_is_read() -> None:
    said = "info depth 12 seldepth 20 multipv 1 score mate -3 nodes 900 nps 5 time 7 pv e2e4 e7e5"
    info = read_info(said)
    assert info == SearchInfo(12, None, -3, 900, ("e2e4", "e7e5"))
    assert (info.value, info.distance) == (-1, 6)
    assert SearchInfo(mate=3).distance == 5
    assert SearchInfo(centipawns=-130).value == -1.3
    assert read_info(written_info(info, 0.5)) == info
    for nothing in (
        "info string score cp 5 pv e2e4",
        "info depth 3 score cp 5 lowerbound pv e2e4",
        "info depth 3 multipv 2 score cp 5 pv d2d4",
        "info depth 3 score cp x pv e2e4",
        "info currmove e2e4",
        "info score cp 12",
        "info",
    ):
        assert read_info(nothing) is None


def test_an_engine_explains_itself(tmp_path: Path) -> None:
    told = "say('info depth 7 score cp 25 nodes 99 pv e2e4 e7e5 e1e8'); say('info string done')"
    with fake_uci(tmp_path, go=told) as player:
        found = player.analyse(player.game.start)
        assert (found.value, found.plies, found.nodes, found.exact) == (0.25, 7, 99, False)
        assert found.names(found.best) == ["e2e4"]
        assert len(found.pv) == 2  # what follows is not legal
    with fake_uci(tmp_path) as player, pytest.raises(AgentFault, match="it says nothing of its search"):
        player.analyse(player.game.start)


def test_an_engine_is_not_asked_where_the_game_is_over(tmp_path: Path) -> None:
    with fake_uci(tmp_path, go="say('bestmove (none)')") as player:
        mate = read_position(player.game, "8/8/8/8/8/5k2/6q1/7K w - - 0 1").state
        found = player.analyse(mate)
    assert (found.value, found.exact, found.nodes, found.pv) == (-1, True, 1, ())
    assert found.names(found.best) == []


@pytest.mark.parametrize("name", ["uci", "gtp"])
def test_no_program_is_started_where_none_may_be(name: str, tmp_path: Path) -> None:
    lab = Lab(load("chess" if name == "uci" else "go"), loads_files=False)
    with pytest.raises(BadInput, match=f"{name} is a program: from a page none can be started"):
        agent(lab, f"{name}:run=touch {tmp_path / 'started'}")
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("uci", "uci: run must be given: uci:run=VALUE"),
        (
            "uci:run=no_such_engine",
            "there is no program no_such_engine; a path has a / in it: ./no_such_engine",
        ),
        ("uci:run=cat,seconds=0", "seconds=0.0; it must be above 0"),
        ("uci:run=cat,Strength=5", "uci has no option Strength; its options: run=,seconds=,"),
        ("uci:run=cat,set.Strength", "uci: set.Strength has no value; write set.Strength=VALUE"),
        ("uci:run=true,isolated=false", "uci:run=true,isolated=false: it ended, with exit code 0"),
    ],
)
def test_bad_input_is_one_line(written: str, said: str, capsys: Captured) -> None:
    code, out, err = call(capsys, "match", "chess", written, "random", "--games", "2")
    assert (code, out) == (2, "")
    assert err.startswith(f"damier: {said}")
    assert err.count("\n") == 1


def test_games_with_dice_or_secrets_are_refused(capsys: Captured) -> None:
    code, _out, err = call(capsys, "match", "pig", "uci:run=cat", "random", "--games", "2")
    assert code == 2
    assert err.startswith("damier: uci handles games without chance nodes (dice)")


@with_stockfish
def test_stockfish_plays_within_what_it_is_given(capsys: Captured) -> None:
    written = f"uci:run={STOCKFISH},nodes=200,elo=1500,hash=4,set.Move Overhead=0"
    report = data(capsys, "match", "chess", written, "random", "--games", "2", "--swap-seats", "--quiet")
    assert report["agents"][0] == written
    assert report["wins"] == 2
    assert "faults" not in report


@with_stockfish
def test_stockfish_finds_a_mate_and_tells_it(capsys: Captured) -> None:
    found = data(
        capsys,
        "search",
        "chess",
        f"uci:run={STOCKFISH},plies=12",
        "--position",
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    )
    assert found["best_moves"] == ["a1a8"]
    assert (found["value"], found["distance"], found["exact"]) == (1, 1, True)
    assert found["line"] == ["a1a8"]


@with_stockfish
def test_stockfish_lists_its_options_where_one_is_unknown(capsys: Captured) -> None:
    code, _out, err = call(capsys, "match", "chess", f"uci:run={STOCKFISH},set.Bogus=1", "random")
    assert code == 2
    assert "it has no option Bogus; its options: " in err
    assert "Skill Level" in err
    assert err.count("\n") == 1


@with_stockfish
def test_two_engines_play_each_other_by_the_same_rules(capsys: Captured) -> None:
    """Where a move of one were not legal for the other, for damier or in the line that it is told, a
    game would be lost by a fault.
    """
    seats = [f"uci:run={STOCKFISH},nodes=100", f"uci:run={STOCKFISH},nodes=101"]
    report = data(capsys, "match", "chess", *seats, "--games", "2", "--max-plies", "100", "--quiet")
    assert report["games"] == 2
    assert "faults" not in report


@with_stockfish
@pytest.mark.parametrize(
    ("fen", "best"),
    [
        ("7k/5P2/6K1/8/8/8/8/8 w - - 0 1", {"f7f8q", "f7f8r"}),
        ("4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1", set[str]()),
        ("4k2r/8/8/8/8/8/3PPP2/3QKR2 w - - 0 1", set[str]()),
    ],
)
def test_a_position_without_its_line_is_understood(fen: str, best: set[str]) -> None:
    player = agent(Lab(load("chess")), f"uci:run={STOCKFISH},plies=4")
    position = read_position(load("chess"), fen)
    name = position.game.name_move(position.state, player.choose(position.game, position.state, [0]))
    assert name in (best or position.moves)
