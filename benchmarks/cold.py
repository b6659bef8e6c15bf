"""The first minute: commands with an empty cache, and with all that they compile in it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import Bar, Bench, Row, python

TRAINING = ("train", "hexapawn", "q:preset=hexapion", "--games", "50000", "--seed", "1")
MENACE = ("train", "tictactoe", "menace", "--opponent", "perfect", "--games", "50000", "--seed", "1")
TRAININGS = {"cold-training": TRAINING, "cold-menace": MENACE}
TOUR = (
    TRAINING,
    MENACE,
    ("search", "connect_four", "alphabeta:plies=8"),
    ("solve", "connect_four:width=5,height=4"),
    ("match", "connect_four", "random", "random", "--games", "100000"),
    ("grade", "octapawn", "random"),
    ("perft", "connect_four", "--depth", "8"),
)
COMPILED = """
import time
from damier import load
from damier.core.job import Job
from damier.lab.games import Lab
from damier.lab.training import Plan, trainer
lab = Lab(load("tictactoe"))
table = trainer(lab, Plan("menace", "perfect")).training.table
lab.solution("warm")
begun = time.process_time()
assert table.tier.rises(Job(jit=True), 0.0)
print(time.process_time() - begun)
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "damier", *arguments]


def wall(cache: str, *arguments: str) -> float:
    """Seconds that a command takes, with this cache."""
    environment = os.environ | {"DAMIER_CACHE": cache}
    with tempfile.TemporaryDirectory() as folder:
        out = ["-o", str(Path(folder, "agent.json"))]
        begun = time.perf_counter()
        subprocess.run(command(*arguments, *out), env=environment, check=True, capture_output=True)
        return time.perf_counter() - begun


def training(name: str) -> Row:
    """Seconds on the clock of 50,000 games with an empty cache, beside 1.15 times the better of
    plain Python and compiled code from the cache, and 1 s.
    """
    with tempfile.TemporaryDirectory() as warm, tempfile.TemporaryDirectory() as cold:
        wall(warm, *TRAININGS[name], "--compiled")
        better = min(wall(warm, *TRAININGS[name], "--pure"), wall(warm, *TRAININGS[name], "--compiled"))
        ours = wall(cold, *TRAININGS[name])
    limit = 1.15 * better + 1.0
    return Row(name, "s", ours, "1.15 × the better, and 1 s", limit, limit / ours)


def compiler(name: str) -> Row:
    """CPU seconds that it takes to compile the largest engine: MENACE against perfect play."""
    with tempfile.TemporaryDirectory() as cold:
        found = subprocess.run(
            [sys.executable, "-c", COMPILED],
            env=os.environ | {"DAMIER_CACHE": cold},
            check=True,
            capture_output=True,
            text=True,
        )
    return beside_nothing(name, float(found.stdout))


def first_sign(name: str) -> Row:
    """CPU seconds until a command of the tour shows something in a terminal, with an empty cache:
    the slowest of seven.
    """
    with tempfile.TemporaryDirectory() as cold:
        return beside_nothing(name, max(until_sign(cold, *arguments) for arguments in TOUR))


def until_sign(cache: str, *arguments: str) -> float:
    """CPU seconds that a command has spent when its first byte comes."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"DAMIER_CACHE": cache, "TERM": "xterm"}
    process = subprocess.Popen(
        command(*arguments), env=environment, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
    )
    os.close(theirs)
    try:
        os.read(ours, 1)
        numbers = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def warm(name: str) -> Row:
    """CPU seconds of the slowest of three short commands whose engines are in the cache."""
    commands = (
        ("search", "connect_four", "alphabeta:plies=8"),
        ("perft", "connect_four", "--depth", "7"),
        ("match", "tictactoe", "random", "random", "--games", "100000"),
    )
    slowest = 0.0
    for arguments in commands:
        python("-m", "damier", *arguments, "--compiled")
        slowest = max(slowest, min(python("-m", "damier", *arguments)[0] for _try in range(3)))
    return beside_nothing(name, slowest)


def beside_nothing(name: str, seconds: float) -> Row:
    """A row beside a Python that does nothing."""
    nothing = python("-c", "pass")[0]
    return Row(name, "s", seconds, "python -c pass", nothing, nothing / seconds)


BENCHES = (
    Bench("cold-first-sign", first_sign, Bar(0.5, of="ours", most=True)),
    Bench("cold-training", training, Bar(1.0)),
    Bench("cold-menace", training, Bar(1.0)),
    Bench("cold-compiler", compiler, Bar(6.0, of="ours", most=True)),
    Bench("warm-command", warm, Bar(0.9, of="ours", most=True)),
)
