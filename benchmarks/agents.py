"""Agents in processes of their own: moves by second through the line protocol."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.measure import Bar, Bench, Row, Sample, Skipped, build_folder, race
from damier import load
from damier.agents.isolation import AgentLimits, launch, no_isolation, read_command
from damier.agents.process import ProcessPlayer
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer

GAMES = 500
IN_C = Path(__file__).parent.parent / "examples" / "agents" / "random_agent.c"
IN_PYTHON = """
import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "position":
        print(json.dumps({"move": random.choice(message["legal"])}), flush=True)
"""


def command(name: str) -> str:
    """The agent of a row, built. Raises Skipped without a C compiler."""
    if name.endswith("python"):
        source = build_folder() / "agent.py"
        source.write_text(IN_PYTHON)
        return f"python {source}"
    if shutil.which("cc") is None:
        raise Skipped("no C compiler (cc)")
    program = build_folder() / "agent"
    subprocess.run(["cc", "-O2", "-o", program, IN_C], check=True)
    return str(program)


def moves(run: str, *, isolated: bool) -> Sample:
    """Moves by second on the clock of the agent `run`, at tic-tac-toe against the random player."""
    game = load("tictactoe")
    player = ProcessPlayer(game, launch(read_command(run), AgentLimits(), isolated)[0], run)
    table = MatchSetup(game, (player, RandomPlayer()), 1, swap=1, record=True)

    def sample() -> float:
        begun = time.perf_counter()
        lines = table.play(0, GAMES, jit=False).lines
        seconds = time.perf_counter() - begun
        return sum((len(line) + 1 - number % 2) // 2 for number, line in enumerate(lines)) / seconds

    return sample


def talking(name: str) -> Row:
    """Moves by second on the clock of a random agent at tic-tac-toe, in a sandbox, the other's moves and the
    loop in plain Python included, against the same without a sandbox.
    """
    if why := no_isolation():
        raise Skipped(why)
    run = command(name)
    return race(
        name, "moves/s", "without a sandbox", moves(run, isolated=True), moves(run, isolated=False), pairs=5
    )


BENCHES = (
    Bench("process-c", talking, Bar(2_000, of="ours")),
    Bench("process-python", talking, Bar(2_000, of="ours")),
)
