"""`damier train` stopped by Ctrl-C or killed at any instant: the file opens, and going on ends in
the same bytes.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from at_work import PATIENCE, has_loaded, spent, wait_until
from lasting import later, shortly

from damier import load
from damier.cli.main import build, run
from damier.core.job import uninterrupted
from damier.learn.action_values import Memory
from damier.learn.store import load as agent_in
from tests.learn.scripted import learner, play, tables

GAME, LEARNER = "hexapawn", "q:preset=hexapion"


def started(
    path: Path, games: int, *more: str, agent: str = LEARNER, **environment: str
) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "damier.cli.main", *line(path, games, *more, agent=agent)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | environment
    )


def line(path: Path, games: int, *more: str, agent: str = LEARNER) -> list[str]:
    words = ["--games", str(games), "--out", str(path), "--seed", "3", "--resume"]
    return ["train", GAME, agent, *words, *more]


def trained(path: Path, games: int, *more: str, agent: str = LEARNER) -> None:
    """By the same command line, in this process."""
    assert run(build(), line(path, games, *more, agent=agent)) == 0


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until there is a checkpoint."""
    wait_until(path.exists, process)


@pytest.mark.parametrize(
    ("agent", "times", "games"),
    [
        ("q:alike=true", 1, 5_000),
        later(("q:alike=true", 2, 5_000)),
        later((LEARNER, 5, 12_000)),
        later(("q:alike=true", 5, 12_000)),
    ],
)
def test_killed_at_random_moments(agent: str, times: int, games: int, tmp_path: Path) -> None:
    opponent = (
        ["--opponent", "random"] if agent == LEARNER else ["--opponent", "v:epsilon=0.3", "--seat", "2"]
    )
    whole, parts = tmp_path / "whole" / "agent.json", tmp_path / "parts" / "agent.json"
    whole.parent.mkdir()
    parts.parent.mkdir()
    trained(whole, games, "--pure", *opponent, agent=agent)
    dice, killed, game = random.Random(agent), 0, load(GAME)
    while killed < times:
        process = started(
            parts,
            games,
            "--pure",
            "--checkpoint-every",
            str(dice.choice([1, 10, 64])),
            *opponent,
            agent=agent,
        )
        wait_for(parts, process)
        enough = spent(process) + 0.6 * dice.random()
        wait_until(lambda: process.poll() is not None or spent(process) >= enough)
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        found = agent_in(parts, game)
        assert found.games == found.memories[0].games == found.curve.games
        if found.games == games:
            break
    assert killed >= (times + 1) // 2
    trained(parts, games, "--pure", *opponent, agent=agent)
    assert parts.read_bytes() == whole.read_bytes()
    assert list(parts.parent.iterdir()) == [parts]


@pytest.mark.parametrize("speed", shortly(["--pure", "--compiled"], "--pure"))
def test_ctrl_c_saves(speed: str, tmp_path: Path) -> None:
    path, whole = tmp_path / "agent.json", tmp_path / "whole.json"
    process = started(path, 10**9, speed, "--checkpoint-every", "700", "--json")
    wait_for(path, process)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert code == 130, err
    assert "Traceback" not in err
    assert "--resume" in err
    games = agent_in(path, load(GAME)).games
    told = json.loads(out)
    assert told["games"] == games == sum(block["games"] for block in told["curve"])
    assert list(tmp_path.iterdir()) == [path]
    if speed == "--pure":
        for file in (path, whole):
            trained(file, games + 100, speed)
        assert table(path) == table(whole)


def table(path: Path) -> object:
    """What was learnt, and how; the blocks of a curve that was to be of 10**9 games are larger."""
    data = json.loads(path.read_text())
    return data["tables"], data["games"], data["parameters"]


def test_ctrl_c_while_compiling(tmp_path: Path) -> None:
    """With nothing compiled yet: an interrupt on the way over to compiled code loses nothing."""
    path, whole = tmp_path / "agent.json", tmp_path / "whole.json"
    process = started(path, 10**9, "--checkpoint-every", "32", "--json", DAMIER_CACHE=str(tmp_path / "cache"))
    wait_until(has_loaded(process, "libllvmlite"), process)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, "fault" in err) == (130, False), err
    games = agent_in(path, load(GAME)).games
    assert json.loads(out)["games"] == games
    trained(whole, games)
    assert table(path) == table(whole)


def test_an_interrupt_waits_for_the_outermost_block() -> None:
    done = []

    def blocks() -> None:
        with uninterrupted():
            with uninterrupted():
                signal.raise_signal(signal.SIGINT)
                done.append("inner")
            done.append("outer")
        done.append("never")

    with pytest.raises(KeyboardInterrupt):
        blocks()
    assert done == ["inner", "outer"]


def test_a_table_that_is_not_moved_over_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    player = learner(load(GAME), "q", "hexapion")
    play(player, None, "a1a2 b3a2 b1a2 c3c2")
    before = tables([player])

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Memory, "indexed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        player.memory.arrays(jit=True)
    assert tables([player]) == before
    play(player, None, "b1b2 a3a2 b2c3")
    assert player.memory.games == 2
