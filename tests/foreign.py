"""Agents of others for tests: small programs in Python, written to a file and sat at a table."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from damier import load
from damier.agents.isolation import AgentLimits, launch, no_isolation, read_command
from damier.agents.process import ProcessPlayer
from damier.arena.match import match
from damier.arena.records import GameRecord
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer

FIRST = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "position":
        print(json.dumps({"move": message["legal"][0]}), flush=True)
"""
"""Plays the first legal move."""

QUICK = AgentLimits(seconds=0.3, game_seconds=2.0)
"""For agents that hang."""

sandboxed = pytest.mark.skipif(bool(no_isolation()), reason=f"no isolation: {no_isolation()}")


@contextlib.contextmanager
def foreign(
    folder: Path,
    source: str,
    limits: AgentLimits | None = None,
    *,
    isolated: bool = False,
    game: str = "tictactoe",
    name: str = "agent.py",
) -> Iterator[ProcessPlayer]:
    """A player whose program is `source`; its process has ended at the end of the block."""
    path = folder / name
    path.write_text(source)
    command = read_command(f"python {path}") if name.endswith(".py") else read_command(str(path))
    player = ProcessPlayer(load(game), launch(command, limits or AgentLimits(), isolated)[0], path.stem)
    try:
        yield player
    finally:
        player.close()


def played(player: ProcessPlayer, games: int, swap: int = 1) -> tuple[list[GameRecord], dict[int, str]]:
    """Some games against the random player: their records, and the faults by the number of the game."""
    table = MatchSetup(player.game, (player, RandomPlayer()), 4, swap=swap, record=True, strict=False)
    records: list[GameRecord] = []
    score = match(table, games, Job(), keep=records.extend)
    assert score.games == games
    return records, {number: str(fault) for number, fault in table.faults.of_game.items()}


def reason(player: ProcessPlayer, games: int = 1) -> str:
    """Why its first game was lost, without its name."""
    records, faults = played(player, games, swap=0)
    assert records[0].resigned
    assert records[0].payoffs == (-1, 1)
    assert str(records[0].fault) == faults[0]
    return faults[0].partition(": ")[2]


def pipes() -> set[str]:
    """The pipes and sockets that this process holds: what an agent is spoken to by."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # that of the listing itself
            found.add(os.readlink(f"/proc/self/fd/{number}"))
    return {name for name in found if name.startswith(("pipe:", "socket:"))}


def answering(*statements: str, before: str = "") -> str:
    """A program that, when it is to move for the second time in a game, does this instead."""
    lines = "\n            ".join(statements)
    return f"""
import json, os, signal, sys, time
{before}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "new_game":
        asked = 0
    elif message["type"] == "position":
        asked += 1
        answer = json.dumps({{"move": message["legal"][0]}})
        if asked == 2:
            {lines}
        print(answer, flush=True)
"""


def limited(**values: float) -> AgentLimits:
    return replace(QUICK, **values)
