"""Programs as agents: what they are told, what they answer, and how they lose by what they do instead."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from at_work import wait_until
from commands import Captured, beginning
from foreign import FIRST, answering, foreign, limited, pipes, played, reason
from lasting import later

from damier import load
from damier.agents.isolation import read_command
from damier.agents.process import IN_A_ROW, ONE_IN, SPARE, Followed, Trust
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.lab.agents import Lab, agent

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
call, data = beginning()

TOLD = """
import json, sys
with open({log!r}, "a") as log:
    for line in sys.stdin:
        log.write(line)
        log.flush()
        message = json.loads(line)
        if message["type"] == "position":
            print(json.dumps({{"move": message["legal"][-1]}}), flush=True)
"""


def test_an_agent_is_told_each_game_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with foreign(tmp_path, TOLD.format(log=str(log))) as player:
        records, faults = played(player, 20)
    assert not faults
    games: list[list[dict]] = []
    for message in map(json.loads, log.read_text().splitlines()):
        games += [[]] if message["type"] == "new_game" else []
        games[-1].append(message)
    assert len(games) == 20
    assert len({game[0]["seed"] for game in games}) == 20
    for (begin, *positions, end), record in zip(games, records, strict=True):
        seat = record.players.index("agent")
        assert begin["seat"] == seat
        assert begin["game"] == "tictactoe"
        assert begin["options"] == {"misere": False}
        assert end == {"type": "end", "payoff": record.payoffs[seat], "fault": ""}
        for number, message in enumerate(positions):
            assert message["moves"] == list(record.moves[: seat + 2 * number])
            position = load("tictactoe").position().play(*message["moves"])
            assert message["legal"] == list(position.moves)
            assert message["state"] == list(position.state)
            assert message["board"] == position.game.show(position.state)
            assert message["player"] == seat
            assert 0 < message["seconds_left"] <= begin["limits"]["game_seconds"]


BROKEN = {
    "ends": ("sys.exit(3)", "it ended, with exit code 3"),
    "raises": ("1 / 0", "it ended, with exit code 1 (ZeroDivisionError: division by zero)"),
    "ends itself": ("os.kill(os.getpid(), signal.SIGKILL)", "it was ended by SIGKILL"),
    "closes its output": ("os.close(1); time.sleep(60)", "it closed its streams"),
    "hangs": ("time.sleep(60)", "it took more than its 0.3 s for a move"),
    "says nothing of sense": ("answer = 'cell 4'", "its answer is not JSON: "),
    "says too little": ("answer = '{}'", 'its answer must be {"move": TEXT} or {"resign": true}'),
    "says too much": ("answer = answer[:-1] + ', \"win\": 1}'", "its answer: there is no win;"),
    "is no object": ("answer = '[]'", "its answer is not an object such as"),
    "is deep": (
        "answer = '[' * 30_000",
        "its answer holds more than any file of its kind: more than 64 lists",
    ),
    "is endless": ("answer = ' ' * 100_000", "it answered a line of more than 65,536 bytes"),
    "is no text": ("os.write(1, b'\\xff\\n'); continue", "its answer is not UTF-8"),
    "plays what is not there": ('answer = \'{"move": "z9"}\'', "z9 is not a legal move here"),
    "says what is wrong": ('answer = \'{"fault": "own.py:3: KeyError"}\'', "own.py:3: KeyError"),
    "says a format": (
        'answer = \'{"fault": {"code": "{n.foo}", "n": 1, "values": {}}}\'',
        'its answer must be {"move": TEXT} or {"resign": true}',
    ),
    "says a width": (
        'answer = \'{"fault": {"code": "{n:>700000000}", "values": {"n": "x"}}}\'',
        'its answer must be {"move": TEXT} or {"resign": true}',
    ),
    "says a number without end": (
        'answer = \'{"fault": {"number": 1\' + "0" * 400 + \', "form": ".9g"}}\'',
        'its answer must be {"move": TEXT} or {"resign": true}',
    ),
    "says a plural without its number": (
        'answer = \'{"fault": {"code": "after {n} game", "n": 2, "values": {}}}\'',
        'its answer must be {"move": TEXT} or {"resign": true}',
    ),
    "plays a number": ("answer = '{\"move\": 4}'", 'its answer must be {"move": TEXT}'),
}


ALIKE = (
    "is no object",
    "plays a number",
    "says a width",
    "says a number without end",
    "says a plural without its number",
)
"""An object that is not such as was asked for, as others are."""


@pytest.mark.parametrize("how", [later(how) if how in ALIKE else how for how in BROKEN])
def test_what_an_agent_does_instead_of_playing_loses_it_the_game(how: str, tmp_path: Path) -> None:
    statement, said = BROKEN[how]
    before = pipes()
    limits = limited() if how == "hangs" else None
    with foreign(tmp_path, answering(statement), limits) as player:
        assert reason(player).startswith(said)
        _records, faults = played(player, 2)
        assert len(faults) == 2  # and it is there for the next game
        assert "not asked any more" not in faults[0]
    wait_until(lambda: pipes() <= before)  # a thread closes the last of them


def test_speaking_without_being_asked_loses_the_next_game(tmp_path: Path) -> None:
    with foreign(tmp_path, answering('answer += "\\n" + answer')) as player:
        assert reason(player) == "it wrote to its standard output without being asked"


def test_the_time_of_a_game_is_counted(tmp_path: Path) -> None:
    with foreign(tmp_path, answering("time.sleep(60)"), limited(seconds=30.0, game_seconds=0.2)) as player:
        assert reason(player) == "it took more than its 0.2 s for a game"


def test_who_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    limits = limited(start_seconds=0.1)
    with foreign(tmp_path, "import time; time.sleep(60)", limits, game="mnk:width=7,height=7") as player:
        assert reason(player) == "it took more than its 0.3 s for a move"


def test_standard_error_has_a_limit(tmp_path: Path) -> None:
    with foreign(tmp_path, answering("sys.stderr.write('x' * 2000)"), limited(errors=1000)) as player:
        records, faults = played(player, 2)
        assert not records[0].fault
        assert faults[1] == "agent: it printed more than 1,000 bytes (by print, or to its standard error)"


def test_an_agent_may_resign(tmp_path: Path) -> None:
    with foreign(tmp_path, answering("answer = '{\"resign\": true}'")) as player:
        records, faults = played(player, 3, swap=0)
    assert not faults
    assert all(record.resigned and record.payoffs == (-1, 1) for record in records)


def test_a_thousand_games_of_hanging_take_the_time_of_three(tmp_path: Path) -> None:
    with foreign(tmp_path, answering("time.sleep(60)"), limited()) as player:
        _records, faults = played(player, 1000)
    assert len(faults) == 1000
    waited = [fault for fault in faults.values() if "0.3 s" in fault]
    assert len(waited) == IN_A_ROW
    assert faults[999] == "agent: it is not asked any more: 3 games were lost by its process"


def test_who_breaks_down_now_and_then_is_trusted_for_a_while() -> None:
    trust, lost = Trust(), 0
    for game in range(10_000):
        if trust.lost:
            break
        trust.game()
        if game % 2 == 0:
            trust.breakdown()
            lost += 1
    assert SPARE < lost <= SPARE + 1 + lost * 2 // ONE_IN + 1
    trust = Trust()
    for game in range(10_000):
        trust.game()
        if game % 100 == 0:
            trust.breakdown()
        assert not trust.lost


def test_the_moves_of_others_are_found() -> None:
    """Also of several in a row, and of dice."""
    game = load("pacman")
    followed, s = Followed(game), game.start
    for _ply in range(game.players):
        s = game.play(s, game.legal(s)[-1])
    assert followed.go_to(s)
    assert len(followed.moves or []) == game.players
    assert game.position().play(*followed.moves or ()).state == s


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("", "is no command: empty"),
        ("'", "is no command"),
        ("no-such-program", "there is no program no-such-program"),
        ("./none", "there is no program ./none"),
        ("./data.txt", "cannot be run as a program; chmod +x ./data.txt lets it"),
    ],
)
def test_what_is_no_program_is_refused(
    run: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("")
    with pytest.raises(BadInput, match=said.replace(".", "[.]").replace("+", "[+]")):
        read_command(run)


def test_a_path_is_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "agent"
    path.write_text(f"#!{sys.executable}\n{FIRST}")
    path.chmod(0o755)
    lab = Lab(load("tictactoe"), Job())
    assert agent(lab, "./agent").text == "process:run=./agent"
    assert agent(lab, "process:run=./agent,seconds=1.5,isolated=false").text == (
        "process:run=./agent,seconds=1.5,isolated=false"
    )
    assert agent(lab, "./agent:seconds=1.5").text == agent(lab, "./agent,seconds=1.5").text
    (tmp_path / "my agent").symlink_to(path)
    assert agent(lab, "./my agent:seconds=1.5").text == "process:run='./my agent',seconds=1.5"
    too_long = "more than 0 and at most 86400 seconds, not 100000"
    for bound, said in (("seconds=0", "more than 0"), ("memory=1", "from 16"), ("seconds=100000", too_long)):
        with pytest.raises(BadInput, match=said):
            agent(lab, f"./agent,{bound}")
    with pytest.raises(BadInput, match="there is no program"):
        agent(lab, "./other")
    found = data(capsys, "match", "tictactoe", "./agent", "random", "--games", "5")
    assert found["agents"] == ["process:run=./agent", "random"]
    assert "faults" not in found
    code, out, _err = call(capsys, "play", "hexapawn", "./agent", "random", "--seed", "1")
    assert code == 0
    assert "(process:run=./agent) plays a1a2" in out


def test_a_broken_agent_ends_a_single_game_with_one_line(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "agent.py"
    path.write_text("import json; raise SystemExit('no licence')")
    code, _out, err = call(capsys, "play", "hexapawn", f"process:run=python {path}", "random")
    assert code == 2
    assert err.strip().endswith("it ended, with exit code 1 (no licence)")


def test_where_nothing_isolates_isolated_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("damier.agents.isolation.no_isolation", lambda: "there is no bwrap")
    path = tmp_path / "agent.py"
    path.write_text(FIRST)
    text = f"process:run=python {path}"
    for command in ("match", "play"):
        code, _out, err = call(capsys, command, "hexapawn", text, "random", "--isolated")
        assert code == 2
        assert err.strip() == "damier: agents cannot be isolated here: there is no bwrap"
    code, _out, err = call(capsys, "match", "hexapawn", text, "random", "--games", "2")
    assert code == 0
    assert "with all your rights" in err


BUSY = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "position":
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        print(json.dumps({"move": message["legal"][0]}), flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="nothing says who waits")
def test_who_waits_for_a_processor_is_not_late(tmp_path: Path) -> None:
    """On one processor with two others, a fifth of a second takes three; whoever sleeps so long is late.

    So does the whole game of two moves: its clock has 1 s.
    """
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    others = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(2)
    ]
    try:
        limits = limited(seconds=0.4, game_seconds=1.0)
        with foreign(tmp_path, BUSY, limits, game="nim:matches=4,take=1") as player:
            records, faults = played(player, 1)
        with foreign(
            tmp_path, FIRST.replace("if message", "time.sleep(0.8)\n    if message"), limits
        ) as player:
            said = reason(player)
    finally:
        os.sched_setaffinity(0, allowed)
        for other in others:
            other.kill()
            other.wait()
    assert faults == {}
    assert records[0].finished
    assert "0.4" in said
