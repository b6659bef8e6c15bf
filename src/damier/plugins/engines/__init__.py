"""Engines for chess, Go and other games: those of others as agents, agents as engines (docs/engines.md)."""

from damier.core.words import N_
from damier.lab.plugins import AgentKind, Command

UCI = AgentKind(
    "damier.plugins.engines.engine:uci",
    N_("an engine in UCI"),
    N_("an engine for chess in a process of its own, asked in UCI: run=stockfish,elo=1800"),
    program=True,
)
GTP = AgentKind(
    "damier.plugins.engines.engine:gtp",
    N_("an engine in GTP"),
    N_("an engine for Go in a process of its own, asked in GTP: run=gnugo"),
    program=True,
)
AS_UCI_ENGINE = Command(
    "damier.plugins.engines.commands:uci", N_("an agent as a UCI engine: chess and other games")
)
AS_GTP_ENGINE = Command(
    "damier.plugins.engines.commands:gtp", N_("an agent as a GTP engine: Go and other games")
)
