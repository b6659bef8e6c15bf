"""The command of document S4 (rows A-77 to A-81): its seven sample commands, and rl before, during
and after training.
"""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from at_work import has_loaded, interrupted, one_object, wait_until
from commands import beginning
from lasting import later
from own_agents import CENTRE, LEARNER, written

from damier.cli.tictactoe import command
from damier.core import tiers

Captured = pytest.CaptureFixture[str]


call, data = beginning(app=command)


@pytest.fixture(autouse=True)
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """So few games are not worth the compiler, however slow a busy machine makes them look."""
    if request.node.get_closest_marker("long") is None:
        monkeypatch.setattr(tiers, "COMPILING_PAYS", math.inf)


def typed(monkeypatch: pytest.MonkeyPatch, cells: str) -> None:
    """What the person at the terminal will type."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(cells) + "\n"))


# ---------------------------------------------------------------- the seven sample commands (row A-81)


def test_two_people(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "03142")
    code, out, _err = call(capsys, "-s", "human", "human")
    assert code == 0
    assert "Player 1 (human) wins." in out


def test_a_person_against_ai(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "0" + "012345678" * 4)  # cells that are taken are asked for again
    code, out, _err = call(capsys, "-s", "human", "ai")
    assert code == 0
    assert "Player 1 (human) wins." not in out


def test_a_person_against_rl_that_knows_nothing(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = set()
    for seed in range(12):
        typed(monkeypatch, "4" + "012345678" * 4)
        played = data(capsys, "-s", "human", "rl", "--seed", str(seed))
        assert "training" not in played
        answers.add(played["moves"][1])
    assert len(answers) > 4  # at random, of eight cells


@pytest.mark.parametrize("games", [2000, later(10_000)])
def test_a_person_against_rl_trained_by_ai(
    games: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "0" + "012345678" * 4)
    played = data(capsys, "-s", "human", "rl", "-p", str(games), "ai", "--seed", "1")
    (training,) = played["training"]
    assert (training["player"], training["games"], training["wins"]) == (1, games, 0)
    assert played["moves"][:2] == ["0", "4"]  # ai opens in the corner; only the centre does not lose


def test_random_against_ai(capsys: Captured) -> None:
    score = data(capsys, "-t", "1000", "random", "ai", "--seed", "1")
    assert (score["games"], score["wins"]) == (1000, 0)


@pytest.mark.parametrize("games", ["8000", later("20000"), later("100000")])
def test_rl_trained_by_random_beats_ai_at_beating_random(games: str, capsys: Captured) -> None:
    ai = data(capsys, "-t", "1000", "random", "ai", "--seed", "1")
    rl = data(capsys, "-t", "1000", "random", "rl", "-p", games, "--seed", "1")
    assert rl["training"][0]["trainer"] == "random"
    # losses of random: the intervals do not touch
    assert rl["interval"]["losses"][0] > ai["interval"]["losses"][1]


FEW = pytest.mark.parametrize("games", ["2000", later("20000"), later("100000")])


@FEW
def test_training_by_ai_does_not_transfer_to_random(games: str, capsys: Captured) -> None:
    ai = data(capsys, "-t", "1000", "random", "ai", "--seed", "1")
    rl = data(capsys, "-t", "1000", "random", "rl", "-p", games, "ai", "--seed", "1")
    assert rl["training"][0]["wins"] == 0
    assert rl["training"][0]["positions"] < 100  # ai always answers alike: little is seen
    assert rl["interval"]["losses"][1] < ai["interval"]["losses"][0]


# ---------------------------------------------------------------- learning, and playing what was learnt


@FEW
def test_without_training_rl_learns_during_the_games(games: str, capsys: Captured) -> None:
    short = data(capsys, "-t", "300", "random", "rl", "--seed", "2")
    long = data(capsys, "-t", games, "random", "rl", "--seed", "2")
    assert long["interval"]["losses"][0] > short["interval"]["losses"][1]


@pytest.mark.parametrize("games", ["4000", later("20000")])
def test_trained_rl_learns_no_more(games: str, capsys: Captured) -> None:
    """Without practice and without learning, it stays at random: 737 of 1260 games won by X, 121 of
    420 by O.
    """
    score = data(capsys, "-t", games, "rl", "random", "-p", "0", "--seed", "3")
    assert score["training"][0]["games"] == 0
    low, high = score["interval"]["wins"]
    assert low < 737 / 1260 < high


def test_the_same_seed_gives_the_same_games(capsys: Captured) -> None:
    def told(seed: int) -> Any:
        score = data(capsys, "-t", "100", "rl", "random", "-p", "500", "--seed", str(seed))
        return score["wins"], score["draws"], score["plies"], score["training"][0]["wins"]

    assert told(5) == told(5)
    assert told(5) != told(6)


@pytest.mark.parametrize("names", [("rl", "random"), ("random", "rl")])
def test_rl_trains_at_the_seat_where_it_will_sit(capsys: Captured, names: tuple[str, str]) -> None:
    score = data(capsys, "-t", "10", *names, "-p", "2000", "random", "--seed", "1")
    (training,) = score["training"]
    assert training["player"] == names.index("rl")
    first = training["player"] == 0
    assert (training["wins"] / 2000 > 0.6) == first  # who starts wins more: 0.58 and 0.29 at random


# ---------------------------------------------------------------- two learners


def test_two_learners_train_each_other(capsys: Captured) -> None:
    score = data(capsys, "-t", "100", "rl", "rl", "-p", "1000", "--seed", "1")
    (training,) = score["training"]  # the same games
    assert (training["player"], training["trainer"], training["games"]) == (0, "mean", 1000)
    assert training["each_other"] is True
    said = call(capsys, "-t", "1", "rl", "rl", "-p", "50", "--seed", "1")[1].splitlines()[0]
    assert said.startswith("rl at seat 1 and rl at seat 2 trained each other, in the same 50 games")


def test_agents_are_called_as_the_document_calls_them(capsys: Captured) -> None:
    out = call(capsys, "-s", "ai", "rl", "-p", "50", "--seed", "1")[1]
    assert out.startswith("rl at seat 2 trained 50 games against ai: ")
    assert "Player 1 (ai) plays 0" in out
    assert "Player 2 (rl) plays " in out
    assert "perfect" not in out


@pytest.mark.parametrize("games", ["500", later("4000")])
def test_two_learners_have_a_trainer_each(games: str, capsys: Captured) -> None:
    score = data(capsys, "-t", "100", "rl", "rl", "-p", games, "ai", "--seed", "1")
    assert [training["player"] for training in score["training"]] == [0, 1]
    assert all(training["wins"] == 0 for training in score["training"])
    assert score["training"][0]["positions"] != score["training"][1]["positions"]


def test_the_memories_of_two_learners_are_apart() -> None:
    from damier.cli.tictactoe import AGENTS, Practice, practised
    from damier.lab.agents import Lab, agent
    from damier.lab.games import load
    from damier.learn.player import LearningPlayer

    lab = Lab(load("tictactoe"))
    first, second = agent(lab, AGENTS["rl"]), agent(lab, AGENTS["rl"])
    assert isinstance(first, LearningPlayer)
    assert isinstance(second, LearningPlayer)
    practised(lab, (first, second), Practice(500, None), 1)
    assert not first.learns
    assert not second.learns
    movers = [{lab.game.mover(row.state) for row in player.memory.rows()} for player in (first, second)]
    assert movers == [{0}, {1}]
    assert first.memory.games == second.memory.games == 500


@pytest.mark.parametrize("games", [2000, later(4000), later(60_000)])
def test_an_rl_trainer_learns_too(games: int, capsys: Captured) -> None:
    """Against one that only ever played at random, rl would win as often as against the random
    player.
    """
    rl, random = (
        data(capsys, "-t", "1", "rl", "random", "-p", str(games), trainer, "--seed", "1")["training"][0]
        for trainer in ("rl", "random")
    )
    assert rl["trainer"] == "mean"
    assert rl["wins"] < random["wins"] - games / 12


def test_a_person_among_many_games(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "012345678" * 20)
    score = data(capsys, "-t", "3", "human", "rl", "--seed", "1")
    assert score["games"] == 3


# ---------------------------------------------------------------- what is said, and what is refused


def test_training_is_told_in_one_line(capsys: Captured) -> None:
    code, out, err = call(capsys, "-t", "10", "random", "rl", "-p", "100", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("rl at seat 2 trained 100 games against random: ")


def test_ones_own_agent_plays_and_trains_rl(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import json, sys\nfor line in sys.stdin:\n    said = json.loads(line)\n"
    program += "    if 'legal' in said:\n        print(json.dumps({'move': said['legal'][0]}), flush=True)\n"
    codes = {
        "mine": "def play(position, place: int = 0):\n    return position.moves[place]\n",
        "wrong": "def play(position):\n    return 9\n",
        "program": program,
    }
    for name, code in codes.items():
        (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    assert data(capsys, "-s", "mine.py:place=-1", "mine.py")["moves"][:4] == ["8", "0", "7", "1"]
    assert data(capsys, "-s", "process:run=python program.py", "ai")["moves"][0] == "0"
    score = data(capsys, "-t", "20", "mine.py", "rl", "-p", "50", "mine.py", "--seed", "1")
    assert score["training"][0]["trainer"] == "mine.py"
    lost = data(capsys, "-t", "5", "wrong.py", "random")
    assert (lost["losses"], len(lost["faults"])) == (5, 5)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-t", "5", "gone.py", "ai"], "gone.py is not a file"),
        (["-s", "./gone", "ai"], "there is no program ./gone"),
        (["-s", "mcts", "ai"], "no agent is called mcts"),
        (["-t", "5", "random", "ai", "-p", "10"], "here is neither"),
        (["-t", "5", "random", "rl", "-p", "x"], "-p x: it must be a number of games"),
        (["-t", "5", "random", "rl", "-p", "-3"], "-p"),
        (["-t", "5", "random", "rl", "-p", "9999999999999"], "number of games"),
        (["-t", "5", "random", "rl", "-p", "10", "nobody"], "nobody"),
        (["-t", "5", "random", "rl", "-p", "10", "ai", "ai"], "one trainer at most"),
        (["-t", "5", "random", "rl", "-p", "10", "human"], "a person cannot be the trainer"),
        (["-s", "human", "rl", "-p", "10"], "a person cannot be the trainer"),
        (["-t", "0", "random", "rl"], "-t 0"),
        (["-t", "5", "random", "rl", "-p"], "-p"),
        (["-s", "rl", "rl", "-t", "5", "rl", "rl"], "-t"),
        (["-p", "10"], "-s"),
    ],
)
def test_refused_in_one_line(capsys: Captured, arguments: list[str], says: str) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert says in err


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child there")
@pytest.mark.parametrize(
    "arguments",
    [
        later((["-t", "5", "random", "rl", "-p", "900000000000"],)),
        ["-t", "900000000000", "random", "rl"],
    ],
)
def test_ctrl_c(arguments: list[str]) -> None:
    code = (
        "import sys, damier.cli.main; from damier.cli.tictactoe import main; print('ready', file=sys.stderr,"
        " flush=True); main(sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "ready\n"
    wait_until(has_loaded(process, "libllvmlite"), process)  # the first games have been played
    out, err = interrupted(process)
    assert "interrupted" in err
    found = one_object(out)
    if "-p" not in arguments:
        assert found["games"] > 0  # what was played is reported


# ---------------------------------------------------------------- the report that the document asks for


def test_the_report_holds_the_results_of_the_commands(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.cli.tictactoe.COMMANDS", ("-t 20 random ai", "-t 20 random rl -p 50 ai"))
    path = tmp_path / "rapport.txt"
    assert data(capsys, "--report", str(path), "--seed", "3") == {"report": str(path), "seed": 3}
    text = path.read_text()
    assert text.count("$ ./tictactoe -t 20 random") == 2
    assert "rl at seat 2 trained 50 games" in text
    code, out, _err = call(capsys, "-t", "20", "random", "ai", "--seed", "3")
    assert code == 0
    assert all(line.rstrip() in text for line in out.strip().splitlines() if "games/s" not in line)
    code, _out, err = call(capsys, "--report", str(path), "-p", "3")
    assert code == 2
    assert "--report takes no -p" in err


# ---------------------------------------------------------------- a student's own agent in their place


def test_a_file_that_learns_takes_the_place_of_rl(tmp_path: Path, capsys: Captured) -> None:
    path = str(written(tmp_path, LEARNER))
    code, out, err = call(capsys, "-t", "100", "random", path, "-p", "1000", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith(f"{path} at seat 2 trained 1,000 games against random: ")
    trained = data(capsys, "-t", "400", "random", path, "-p", "2000", "ai", "--seed", "1")
    untrained = data(capsys, "-t", "400", "random", path, "-p", "0", "--seed", "1")
    assert trained["training"][0]["trainer"].startswith("perfect")
    assert untrained["losses"] < trained["losses"]  # the first is random


def test_a_file_that_only_plays_sits_at_any_seat_and_loses_by_its_faults(
    tmp_path: Path, capsys: Captured
) -> None:
    centre, wrong = str(written(tmp_path, CENTRE)), "def play(position):\n    return 'nowhere'"
    assert data(capsys, "-t", "5", centre, "ai")["games"] == 5
    code, out, _err = call(capsys, "-s", "random", centre, "--seed", "4")
    assert (code, f"Player 2 ({centre}) plays 4" in out) == (0, True)
    faulty = data(capsys, "-t", "5", str(written(tmp_path, wrong, "wrong.py")), "random")
    assert (faulty["losses"], len(faulty["faults"])) == (5, 5)
    code, _out, err = call(capsys, "-t", "5", centre, "random", "-p", "10")
    assert (code, "here is neither" in err) == (2, True)
