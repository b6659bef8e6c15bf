"""What is there is not lost: files that a command would replace, and games that were played before
it was stopped.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lasting import shortly

from damier.arena import match as playing
from damier.arena.records import GameRecord, Recorder, Records
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.lab.games import load
from tests.commands import Captured, beginning

call, data = beginning()
RANDOM = ("match", "nim", "random", "random", "--pure", "--jobs", "1")


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ------------------------------------------------------------------------------------------
# the record of a match


class Stopped:
    """Stops a match when so many games are kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, games: int, stop: Callable[[], object]) -> None:
        keep = Recorder.keep

        def keep_and_stop(recorder: Recorder, records: list[GameRecord]) -> None:
            keep(recorder, records)
            if recorder.games >= games:
                stop()

        monkeypatch.setattr(Recorder, "keep", keep_and_stop)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def ask_to_end() -> None:
    signal.raise_signal(signal.SIGTERM)


def fail() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(("stop", "code"), [(interrupt, 130), (ask_to_end, 130), (fail, 1)])
@pytest.mark.parametrize("there", [False, True])
def test_games_of_a_match_that_was_stopped_are_kept(
    there: bool,
    stop: Callable[[], object],
    code: int,
    capsys: Captured,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = tmp_path / "games.jsonl"
    if there:
        record.write_text("old")
    Stopped(monkeypatch, 40, stop)
    ended, _out, err = call(capsys, *RANDOM, "--games", "1000", "--record", str(record))
    kept = tmp_path / "games.interrupted.jsonl" if there else record
    assert ended == code, err
    assert str(kept) in err
    assert files(tmp_path) == sorted({"games.jsonl", kept.name})
    assert not there or record.read_text() == "old"
    shown = data(capsys, "show", str(kept))
    assert shown["sealed"]
    assert 40 <= shown["games"] < 1000


def test_a_second_match_that_was_stopped_keeps_the_games_of_the_first(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "games.jsonl"
    record.write_text("old")
    Stopped(monkeypatch, 20, interrupt)
    for seed in "12":
        assert call(capsys, *RANDOM, "--games", "1000", "--seed", seed, "--record", str(record))[0] == 130
    assert files(tmp_path) == ["games.interrupted.jsonl", "games.interrupted2.jsonl", "games.jsonl"]


def test_a_match_that_was_stopped_before_its_first_game_leaves_nothing(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_args: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "play_games", stopped)
    code, _out, err = call(capsys, *RANDOM, "--record", str(tmp_path / "games.jsonl"))
    assert (code, files(tmp_path)) == (130, [])
    assert "kept" not in err


def test_a_whole_match_replaces_the_file_at_its_end(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    record.write_text("old")
    table = MatchSetup(load("nim"), (RandomPlayer(), RandomPlayer()), 1, record=True)
    with Recorder(record) as recorder:
        playing.match(table, 100, Job(jit=False), keep=recorder.keep)
        assert (record.read_text(), files(tmp_path)) == ("old", ["games.jsonl"])
    assert len(list(Records(record))) == 100


def test_a_killed_match_leaves_the_old_file(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    record.write_text("old")
    script = """
import os, signal, sys
from damier.arena.records import Recorder
from damier.cli.main import build, run
keep = Recorder.keep
def keep_and_die(recorder, records):
    keep(recorder, records)
    os.kill(os.getpid(), signal.SIGKILL)
Recorder.keep = keep_and_die
run(build(), sys.argv[1:])
"""
    ended = subprocess.run([sys.executable, "-c", script, *RANDOM, "--record", str(record)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert record.read_text() == "old"
    assert len(files(tmp_path)) <= 2
    assert all(name.startswith(".games.jsonl.") for name in files(tmp_path) if name != "games.jsonl")


# ------------------------------------------------------------------------------------------
# a full disk


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """No file may be longer than so many bytes, from when it is called."""
    # Python takes no notice where less than all of its bytecode could be written
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


WRITERS = {
    "solution": ("solve", "tictactoe", "--pure", "--out", "{}.solution"),
    "board": ("solve", "tictactoe", "--pure", "-o", "{}.svg"),
    "agent": ("train", "nim", "q", "--games", "200", "--pure", "--overwrite", "--out", "{}.json"),
    "curve": ("train", "nim", "q", "--games", "200", "--pure", "--curve", "{}.svg"),
    "graph": ("graph", "nim", "--merged", "-o", "{}.svg"),
    "dot": ("graph", "nim", "--merged", "-o", "{}.dot"),
    "exercise": ("exercise", "minimax", "-o", "{}.svg"),
    "boxes": ("matchboxes", "nim", "-o", "{}.svg"),
    "png": ("graph", "nim", "--merged", "-o", "{}.png"),
    "pdf": ("graph", "nim", "--merged", "-o", "{}.pdf"),
}


@pytest.mark.parametrize("what", shortly(WRITERS, "solution", "agent", "graph", "exercise", "pdf"))
def test_a_full_disk_is_a_limit_and_what_was_there_stays(
    what: str, capsys: Captured, tmp_path: Path, full_disk: Callable[[int], None]
) -> None:
    arguments = [argument.format(tmp_path / "file") for argument in WRITERS[what]]
    path = Path(arguments[-1])
    path.write_text("old")
    full_disk(500)
    code, out, err = call(capsys, *arguments)
    full_disk(resource.RLIM_INFINITY)
    assert (code, out) == (3, out), err
    assert err.strip().splitlines()[-1].startswith("damier: ")
    assert "cannot be written" in err
    assert path.read_text() == "old"
    assert set(files(tmp_path)) <= {path.name, "file.previous.json"}


@pytest.mark.parametrize("size", shortly([4000, 5000, 6001, 9000], 4000, 6001))
def test_games_played_until_the_disk_is_full_are_kept(
    size: int, capsys: Captured, tmp_path: Path, full_disk: Callable[[int], None]
) -> None:
    record = tmp_path / "games.jsonl"
    full_disk(size * 10)
    code, _out, err = call(capsys, *RANDOM, "--games", "5000", "--record", str(record))
    full_disk(resource.RLIM_INFINITY)
    assert code == 3, err
    assert "cannot be written" in err
    assert str(record) in err
    assert data(capsys, "show", str(record))["games"] > 10
    assert files(tmp_path) == ["games.jsonl"]


# ------------------------------------------------------------------------------------------------------ the
# agent of a training


def test_another_training_asks_before_it_takes_a_file(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    train = ("train", "nim", "q", "--games", "50", "--pure", "--out", str(path))
    assert call(capsys, *train)[0] == 0
    first = path.read_bytes()
    code, out, err = call(capsys, *train, "--seed", "2")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--resume" in err
    assert "--overwrite" in err
    assert path.read_bytes() == first
    assert files(tmp_path) == ["agent.json"]

    assert call(capsys, *train, "--seed", "2", "--overwrite", "--checkpoint-every", "10")[0] == 0
    second = path.read_bytes()
    assert second != first
    assert (tmp_path / "agent.previous.json").read_bytes() == first
    assert data(capsys, "show", str(tmp_path / "agent.previous.json"))["games"] == 50

    assert call(capsys, *train, "--seed", "2", "--resume")[0] == 0
    assert (path.read_bytes(), (tmp_path / "agent.previous.json").read_bytes()) == (second, first)
    assert call(capsys, *train, "--seed", "3", "--overwrite")[0] == 0
    assert (tmp_path / "agent.previous.json").read_bytes() == second
    assert files(tmp_path) == ["agent.json", "agent.previous.json"]


def test_a_new_file_has_no_earlier_generation(capsys: Captured, tmp_path: Path) -> None:
    train = ("train", "nim", "q", "--games", "50", "--pure", "--out", str(tmp_path / "agent.json"))
    assert call(capsys, *train, "--overwrite")[0] == 0
    assert files(tmp_path) == ["agent.json"]


@pytest.mark.parametrize("options", [["--resume", "--overwrite", "--out", "x.json"], ["--overwrite"]])
def test_what_excludes_each_other_is_refused(
    options: list[str], capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, "train", "nim", "q", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--overwrite" in err
    assert os.listdir() == []


def test_no_game_is_played_before_the_question(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    path.write_text(json.dumps({"anything": 1}))
    assert call(capsys, "train", "nim", "q", "--games", str(10**12), "--out", str(path))[0] == 2


def test_show_writes_what_it_is_asked_to_write_or_says_that_it_does_not(
    capsys: Captured, tmp_path: Path
) -> None:
    record, agent, picture = (str(tmp_path / name) for name in ("r.jsonl", "a.json", "x.svg"))
    assert call(capsys, "match", "nim", "random", "random", "--games", "2", "-o", record)[0] == 0
    assert call(capsys, "train", "nim", "mean", "--games", "4", "-o", agent)[0] == 0
    code, out, err = call(capsys, "show", record, "-o", picture)
    assert (code, out) == (2, "")
    assert err == f"damier: -o {picture}: nothing is written of {record}; --json prints it\n"
    code, out, err = call(capsys, "show", agent, "--of", "random")
    assert (code, out) == (2, "")
    assert "go with the store of a tournament" in err
    assert not Path(picture).exists()
    code, out, _err = call(capsys, "show", agent, "-o", picture)
    assert out.endswith(f"written to {picture}\n")
    assert Path(picture).exists()
