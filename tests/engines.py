"""Engines for tests: small ones in Python that speak UCI or GTP, and real ones where they are installed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from damier import load
from damier.agents.isolation import GAMES, AgentLimits, launch, read_command
from damier.agents.process import ProcessPlayer
from damier.plugins.engines.gtp import GtpTalk
from damier.plugins.engines.uci import UciPlayer, UciTalk

STOCKFISH, GNUGO = (shutil.which(name) or shutil.which(name, path=GAMES) for name in ("stockfish", "gnugo"))
with_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="no stockfish (scripts/debian installs it)")
with_gnugo = pytest.mark.skipif(GNUGO is None, reason="no gnugo (scripts/debian installs it)")

QUICK = AgentLimits(seconds=0.3, game_seconds=20.0, start_seconds=0.6)
QUICK_TO_MOVE = AgentLimits(seconds=0.3, game_seconds=20.0, start_seconds=60.0)
"""For engines that hang."""
PATIENT = replace(QUICK, seconds=60.0, start_seconds=60.0)
"""For those that do not: also on a machine that does much else."""

UCI_ENGINE = """
import os, sys, time
def say(line): print(line, flush=True)
log = open({log!r}, "a")
moves = 0
for line in sys.stdin:
    line = line.strip()
    print(line, file=log, flush=True)
    word = line.partition(" ")[0]
    {first}
    if word == "uci":
        say("a banner")
        say("id name fake")
        say("option name Strength type spin default 3 min 1 max 9")
        say("option name Style type combo default calm var calm var wild")
        say("option name UCI_LimitStrength type check default false")
        say("option name Clear Hash type button")
        {options}
        say("uciok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        moves += 1
        answer = {moves!r}[(moves - 1) % len({moves!r})]
        {go}
        say("bestmove " + answer)
    elif word == "quit":
        break
"""

GTP_ENGINE = """
import os, sys, time
log = open({log!r}, "a")
known = {known!r}
moves = 0
for line in sys.stdin:
    print(line.strip(), file=log, flush=True)
    number, word, *rest = line.split()
    sign, said = "=", ""
    if word == "protocol_version": said = {version!r}
    elif word == "list_commands": said = chr(10).join(known)
    elif word == "genmove":
        moves += 1
        said = {moves!r}[(moves - 1) % len({moves!r})]
    {first}
    print(sign + number, said + chr(10), flush=True)
    if word == "quit": break
"""
KNOWN = ("protocol_version", "list_commands", "boardsize", "clear_board", "komi", "play", "genmove", "quit")


@contextlib.contextmanager
def fake_uci(
    folder: Path,
    moves: tuple[str, ...] = ("e2e4",),
    *,
    first: str = "pass",
    options: str = "pass",
    go: str = "pass",
    game: str = "chess",
    limits: AgentLimits = PATIENT,
    wanted: Mapping[str, str] | None = None,
) -> Iterator[UciPlayer]:
    """A UCI engine that plays these moves in turn; the statements are what it does besides."""
    source = UCI_ENGINE.format(
        log=str(folder / "log"), first=first, options=options, go=go.replace("\n", "\n        "), moves=moves
    )
    (folder / "engine.py").write_text(source)
    started, _said = launch(read_command(f"python {folder / 'engine.py'}"), limits, False)
    player = UciPlayer(load(game), started, "uci:engine", UciTalk(load(game), wanted or {}, "nodes 5"))
    try:
        yield player
    finally:
        player.close()


@contextlib.contextmanager
def fake_gtp(
    folder: Path,
    moves: tuple[str, ...] = ("C3",),
    *,
    first: str = "pass",
    game: str = "go:size=5",
    known: tuple[str, ...] = KNOWN,
    version: str = "2",
    before: tuple[str, ...] = (),
    limits: AgentLimits = PATIENT,
) -> Iterator[ProcessPlayer]:
    """A GTP engine that plays these moves in turn; the statement is what it does besides."""
    source = GTP_ENGINE.format(
        log=str(folder / "log"), moves=moves, first=first, known=known, version=version
    )
    (folder / "engine.py").write_text(source)
    started, _said = launch(read_command(f"python {folder / 'engine.py'}"), limits, False)
    player = ProcessPlayer(load(game), started, "gtp:engine", GtpTalk(load(game), before, None))
    try:
        yield player
    finally:
        player.close()


def heard(folder: Path) -> list[str]:
    """What an engine was told."""
    return (folder / "log").read_text().splitlines()
