"""`damier gtp`: an agent as a GTP engine, on standard input and output, for any program that speaks it.

Only the protocol goes to standard output: what an agent prints goes to standard error.
"""

from __future__ import annotations

import os

from damier.cli.options import AnySeed, Isolated, Work, checked_seed
from damier.cli.output import remarks
from damier.cli.uci import EngineAgent, EngineGame, played_by_engines, refuse_game


def gtp(
    agent: EngineAgent = "",
    /,
    *,
    game: EngineGame = "go:size=19,komi=7.5",
    isolated: Isolated = False,
    seed: AnySeed = None,
    work: Work | None = None,
) -> None:
    from damier.core.child_process import take_streams
    from damier.core.game import Game
    from damier.lab.engines import GtpEngine, Thinker, usual_agent
    from damier.lab.games import load
    from damier.lab.lab import Lab

    refuse_game(agent)
    asked, answers = take_streams()
    job, notes = (work or Work(quiet=True)).job()
    chosen = checked_seed(seed)

    def make(game: Game) -> Thinker:
        lab = Lab(game, job, seed=chosen, isolated=isolated)
        return Thinker(lab, agent or usual_agent(game), [chosen])

    engine = GtpEngine(played_by_engines(load(game)), make, load)
    for raw in asked:
        left = engine.hear(raw.decode(errors="replace")).encode()
        while left:
            left = left[os.write(answers.fileno(), left) :]
        remarks(notes)
        notes.clear()
        if engine.ended:
            return
