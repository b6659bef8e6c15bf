"""`damier uci`: agents as engines, asked by python-chess and line by line."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest
from commands import Captured, beginning

from damier import load
from damier.core.loop import MatchSetup
from damier.lab.agents import agent
from damier.lab.games import Lab

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
COMMAND = [sys.executable, "-m", "damier", "uci"]
call, _data = beginning("uci")
SEARCHER = "alphabeta:plies=2,evaluate=0.01*pawns+0.03*knights+0.05*rooks+0.09*queens"
PATIENCE = 60.0


class Talk:
    """A command that is spoken to, line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.alarm = threading.Timer(PATIENCE, self.process.kill)
        self.alarm.start()

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        """The lines up to the first that begins so; the test fails where none does."""
        assert self.process.stdout is not None
        found: list[str] = []
        for line in self.process.stdout:
            found.append(line.rstrip("\n"))
            if line.startswith(word):
                return found
        raise AssertionError((word, found, self.process.communicate()))

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def talk() -> Iterator[Talk]:
    """Chess, by an agent that searches without end where nothing stops it."""
    it = Talk(SEARCHER, "--pure", "--seed", "1")
    yield it
    it.alarm.cancel()
    it.process.kill()
    it.process.communicate()


def piped(text: str, *arguments: str) -> tuple[list[str], str]:
    """What is answered to some lines, and what stands on standard error; it ends by itself."""
    done = subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_python_chess_plays_and_analyses() -> None:
    command = [*COMMAND, SEARCHER, "--pure", "--seed", "3"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE) as engine:
        assert engine.id["name"].startswith("damier ")
        board = chess.Board()
        limits = (
            chess.engine.Limit(depth=1),
            chess.engine.Limit(nodes=60),
            chess.engine.Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01),
            chess.engine.Limit(time=0.02),
        )
        for ply in range(16):
            move = engine.play(board, limits[ply % len(limits)]).move
            assert move in board.legal_moves
            board.push(move)
        mate = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        found = engine.analyse(mate, chess.engine.Limit(depth=2))
        assert found["score"] == chess.engine.PovScore(chess.engine.Mate(1), chess.WHITE)
        assert found["pv"] == [chess.Move.from_uci("a1a8")]
        only = [chess.Move.from_uci("a1a2"), chess.Move.from_uci("e1e2")]
        assert engine.play(mate, chess.engine.Limit(depth=1), root_moves=only).move in only
        with engine.analysis(board) as analysis:
            deepest = next(info for info in analysis if info.get("depth", 0) == 2)
            assert deepest["pv"][0] in board.legal_moves
        assert analysis.wait().move in board.legal_moves


def test_an_endless_search_stops_when_it_is_told_and_answers_meanwhile(talk: Talk) -> None:
    talk.say("position startpos moves e2e4", "go infinite")
    talk.until("info depth 1")
    talk.say("isready", "an unknown line", "stop")
    assert "readyok" in talk.until("bestmove")
    talk.say("go infinite", "stop", "stop", "go depth 1", "isready")
    for _search in range(2):
        move = talk.until("bestmove")[-1].split()[1]
        assert move in load("chess").position().play("e2e4").moves
    talk.say("go infinite")
    talk.until("info depth 1")
    talk.say("quit")
    code, out, err = talk.end()
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("bestmove")


def test_a_move_that_was_pondered_on_gets_its_clock(talk: Talk) -> None:
    talk.say("position startpos", "go\tponder wtime 100 btime 100")
    talk.until("info depth 2")
    talk.say("ponderhit")
    talk.until("bestmove")
    talk.say("go ponder wtime 100 btime 100", "stop")
    talk.until("bestmove")
    talk.say("quit")
    assert talk.end()[0] == 0


def test_who_goes_away_leaves_nothing_running(talk: Talk) -> None:
    talk.say("position startpos", "go infinite")
    talk.until("info depth 1")
    assert talk.process.stdin is not None
    talk.process.stdin.close()
    talk.process.stdin = None
    code, out, _err = talk.end()
    assert code == 0
    assert out.splitlines()[-1].startswith("bestmove")


def test_ctrl_c_ends_it(talk: Talk) -> None:
    talk.say("position startpos", "go infinite")
    talk.until("info depth 1")
    talk.process.send_signal(signal.SIGINT)
    talk.process.wait(300)  # before its input ends, which would end the search, too
    code, _out, err = talk.end()
    assert code == 130
    assert err == "damier: interrupted\n"


def test_what_was_ordered_is_done_where_the_input_ends() -> None:
    lines, err = piped("position startpos\ngo depth 1\n\ngo nodes 50\nxyzzy\n", SEARCHER, "--pure")
    assert [line.split()[0] for line in lines if not line.startswith("info")] == ["bestmove", "bestmove"]
    assert err == ""


def test_answers_come_in_the_order_of_what_was_said_though_all_came_at_once() -> None:
    lines, _err = piped("uci\nposition startpos\ngo depth 1\nisready\n", SEARCHER, "--pure")
    words = [line.split()[0] for line in lines]
    assert words.index("uciok") < words.index("readyok")
    assert "bestmove" in words


def test_what_cannot_be_read_is_told_and_not_played() -> None:
    lines, _err = piped(
        "position startpos moves e2e5\ngo depth 1\nposition fen what\ngo\n"
        "position startpos moves f2f3 e7e5 g2g4 d8h4\n"
        "go depth 1\nsetoption name Agent value nobody\nsetoption name Agent value random\nuci\n",
        SEARCHER,
        "--pure",
    )
    assert lines[0].startswith("info string move 1: e2e5 is not a legal move here; legal: ")
    assert lines[1] == "bestmove (none)"
    assert lines[2].startswith("info string what is no position of chess: ")
    assert lines[3:5] == ["bestmove (none)", "bestmove (none)"]  # a mate on the board
    assert lines[5].startswith("info string no agent is called nobody;")
    assert "option name Agent type string default random" in lines
    assert lines[-1] == "uciok"


def test_threads_are_an_option_and_change_no_decision_of_a_depth() -> None:
    asked = "position startpos moves e2e4\n{}go depth 2\nuci\n"
    one, _err = piped(asked.format(""), SEARCHER, "--seed", "1")
    several, _err = piped(asked.format("setoption name Threads value 2\n"), SEARCHER, "--seed", "1")
    wrong, _err = piped(asked.format("setoption name Threads value many\n"), SEARCHER, "--seed", "1")
    assert "option name Threads type spin default 1 min 1 max 256" in one
    moves = [line for line in one if line.startswith("bestmove")]
    assert len(moves) == 1
    for lines in (several, wrong):
        assert [line for line in lines if line.startswith("bestmove")] == moves


def test_between_words_there_may_be_any_white_space() -> None:
    """As the protocol says; what is one word is one word."""
    (mine, theirs, wrong, none), _err = piped(
        "position\tstartpos\tmoves  e2e4\ngo\n"
        "position  fen 6k1/5ppp/8/8/8/8/8/R3K3\tw -  - 0 1\tmoves a1a8\ngo\n"
        "position startposition\ngo\n",
        "random",
    )
    assert mine.removeprefix("bestmove ") in load("chess").position().play("e2e4").moves
    assert (theirs, none) == ("bestmove (none)", "bestmove (none)")  # a mate on the board
    assert wrong.startswith("info string startposition is no position of chess: ")


def test_an_agent_that_cannot_be_had_leaves_the_present_one() -> None:
    """A name that there is, of an agent that this game is too large for, or of one that ends at once."""
    lines, err = piped(
        "setoption name Agent value perfect\nsetoption name Agent value uci:run=true\n"
        "position startpos\ngo depth 1\n",
        "random",
    )
    assert lines[0].startswith("info string perfect play needs the game solved: chess has up to ")
    assert lines[1].startswith("info string uci:run=true: ")
    assert lines[2].startswith("bestmove ")
    assert (len(lines), err) == (3, "")


def test_what_is_told_is_of_the_moves_to_choose_from() -> None:
    position = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\n"
    lines, _err = piped(
        f"{position}go depth 1 searchmoves a1a2 e1e2\ngo depth 1\n",
        "alphabeta:plies=1,evaluate=0.05*rooks,ties=first",
        "--pure",
    )
    told, chosen, free, mate = lines
    assert chosen.removeprefix("bestmove ") == told.partition(" pv ")[2] == "a1a2"
    assert " score cp 5 " in told
    assert " score mate 1 " in free
    assert mate == "bestmove a1a8"


def test_wrong_words_on_the_command_line_are_one_line(capsys: Captured) -> None:
    for arguments, said in (
        (["nobody"], "damier: no agent is called nobody;"),
        (["random", "--game", "chesss"], "damier: no game is called chesss;"),
        (["random", "--game", "pig"], "damier: engines play games of two players, without dice or secrets;"),
        (["random", "--game", "pacman"], "damier: engines play games of two players"),
        (["human"], "damier: human is no engine:"),
    ):
        code, out, err = call(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(said)
    assert piped("", "expectimax", "--game", "nim") == ([], "")


def test_only_the_protocol_goes_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(
        "def choose(position):\n    print('hello')\n    return position.moves[-1]\n"
    )
    lines, err = piped("position startpos\ngo\n", str(tmp_path / "talker.py"))
    assert lines == [f"bestmove {load('chess').position().moves[-1]}"]
    assert "hello" in err


def test_a_fault_of_an_agent_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def choose(position):\n    return 1 // 0\n")
    lines, _err = piped("position startpos\ngo\n", str(tmp_path / "broken.py"))
    assert lines[0].startswith("info string broken.py:2: ")
    assert lines[1:] == ["bestmove (none)"]


def test_other_games_are_spoken_in_their_own_words() -> None:
    lines, _err = piped(
        "uci\nposition startpos moves 4 0 2\ngo\nposition O../.XX/..O X\ngo\n"
        "position ..O/.X./X.. O moves 0 3\ngo\nposition XO/OX X\ngo\n",
        "perfect:prefer=fastest,ties=first",
        "--game",
        "tictactoe",
    )
    assert lines[4:6] == ["option name Game type string default tictactoe:misere=false", "uciok"]
    assert lines[6:9] == ["bestmove 6", "bestmove 3", "bestmove 1"]
    assert lines[9].startswith("info string ")
    assert lines[10] == "bestmove (none)"


def test_both_sides_of_the_dialect_understand_each_other(tmp_path: Path) -> None:
    """In every game an agent plays the same moves at home and as an engine."""
    (tmp_path / "last.py").write_text("def choose(position):\n    return position.moves[-1]\n")
    for name in ("connect_four", "hexapawn"):
        game = load(name)
        at_home = str(tmp_path / "last.py")
        engine = f"uci:run=python -m damier uci {at_home} --game {name},seconds=60,isolated=false"
        lines = []
        for written in (at_home, engine):
            players = agent(Lab(game), written), agent(Lab(game), at_home)
            setup = MatchSetup(game, players, 3, record=True, strict=True)
            lines.append(setup.play(0, 2, jit=False).lines)
        assert lines[0] == lines[1]
