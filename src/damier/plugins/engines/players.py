"""Engines that others wrote, as agents: `uci:run=stockfish,elo=1800` and `gtp:run=gnugo,level=5`."""

from __future__ import annotations

from damier.agents.isolation import MEBIBYTE, AgentLimits, Launch
from damier.agents.process import ProcessPlayer
from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, require
from damier.core.errors import BadInput
from damier.core.option_text import Option
from damier.core.words import message
from damier.lab.lab import Lab
from damier.lab.programs import Sandbox, launched, program_text
from damier.plugins.engines.gtp import GtpTalk
from damier.plugins.engines.uci import UciPlayer, UciTalk

ARGUMENTS = {"gnugo": "--mode gtp --chinese-rules --positional-superko"}
"""What a program of that name alone is run with: so it speaks GTP, and counts as damier does."""
THINKING = 1.0
"""Seconds for a move where nothing else limits an engine."""
LONG = 3600.0
"""Seconds for a move that nodes or plies limit, and for all moves of a game."""
SLOW = 60.0
"""Seconds for a move of an engine that is told of no time."""
DELAY = 2.0
"""Seconds that an engine may answer later than it was told."""
SETTING = "set."


def uci(
    lab: Lab,
    run: str,
    seconds: float | None = None,
    nodes: int | None = None,
    plies: int | None = None,
    elo: int | None = None,
    threads: int = 1,
    hash: int | None = None,
    game_seconds: float = LONG,
    memory: int = 512,
    folder: bool = False,
    isolated: bool | None = None,
    **set: str,
) -> UciPlayer:
    """The UCI engine that `run` starts, as in a shell.

    seconds, nodes, plies  how far it searches for a move: by default one second
    elo                    the strength to which it is limited
    threads, hash          its processors, and MiB of its table, which come to `memory`
    set.NAME               its option of that name

    Raises BadInput, Unsuitable; AgentFault where it does not begin.
    """
    go = _go(seconds, nodes, plies)
    wanted: dict[str, str] = {name.removeprefix(SETTING): value for name, value in set.items()}
    wanted |= {"Threads": str(threads)} if threads != 1 else {}
    wanted |= {"Hash": str(hash)} if hash is not None else {}
    wanted |= {"UCI_LimitStrength": "true", "UCI_Elo": str(elo)} if elo is not None else {}
    thinking = (THINKING if seconds is None else seconds) + DELAY
    if seconds is None and (nodes is not None or plies is not None):
        thinking = LONG
    limits = AgentLimits(
        thinking, game_seconds, memory=(memory + (hash or 0)) * MEBIBYTE, share=max(2.0, threads + 1.0)
    )
    started = _launched(lab, "uci", run, limits, folder, isolated)
    given: dict[str, Option] = {
        "seconds": seconds,
        "nodes": nodes,
        "plies": plies,
        "elo": elo,
        "threads": threads,
    }
    given |= {"hash": hash, **Sandbox(game_seconds, memory, folder, isolated)._asdict(), **set}
    player = UciPlayer(lab.game, started, program_text(uci, run, given), UciTalk(lab.game, wanted, go))
    player.start()
    return player


def gtp(
    lab: Lab,
    run: str,
    seconds: float | None = None,
    level: int | None = None,
    game_seconds: float = LONG,
    memory: int = 512,
    folder: bool = False,
    isolated: bool | None = None,
) -> ProcessPlayer:
    """The GTP engine that `run` starts, as in a shell.

    seconds  for a move: told to an engine that knows about time; else it takes what it takes
    level    its strength, where it knows the command `level`, as GNU Go does

    Raises BadInput, Unsuitable; AgentFault where it does not begin.
    """
    longest = SLOW if seconds is None else seconds + DELAY
    limits = AgentLimits(longest, game_seconds, memory=memory * MEBIBYTE)
    started = _launched(lab, "gtp", run, limits, folder, isolated)
    given: dict[str, Option] = {"seconds": seconds, "level": level}
    given |= Sandbox(game_seconds, memory, folder, isolated)._asdict()
    talk = GtpTalk(lab.game, [f"level {level}"] if level is not None else [], seconds)
    player = ProcessPlayer(lab.game, started, program_text(gtp, run, given), talk)
    player.start()
    return player


def _go(seconds: float | None, nodes: int | None, plies: int | None) -> str:
    """Return how far an engine searches, as UCI says it. Raises BadInput."""
    for name, value in (("seconds", seconds), ("nodes", nodes), ("plies", plies)):
        if value is not None and value <= 0:
            raise BadInput(message("{name}={n}; it must be above 0", name=name, n=value))
    if nodes is None and plies is None and seconds is None:
        seconds = THINKING
    said = {
        "movetime": None if seconds is None else max(1, round(seconds * 1000)),
        "nodes": nodes,
        "depth": plies,
    }
    return " ".join(f"{word} {value}" for word, value in said.items() if value is not None)


def _launched(
    lab: Lab, name: str, run: str, limits: AgentLimits, folder: bool, isolated: bool | None
) -> Launch:
    """Return how an engine is started. Raises BadInput; Unsuitable, also for a game of another kind."""
    require(lab.game, name, TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE)
    command = f"{run} {ARGUMENTS[run]}" if run in ARGUMENTS else run
    return launched(lab, name, command, limits, folder, isolated)
