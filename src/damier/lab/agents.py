"""Agents by name: `random`, `perfect:prefer=fastest,ties=first`, `human`."""

from __future__ import annotations

from collections.abc import Callable

from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.player import Player, RandomPlayer
from damier.core.words import N_, _
from damier.lab.options import read_options, unknown
from damier.solve import PerfectPlayer, solve
from damier.solve.perfect import Prefer, Ties

AgentFactory = Callable[..., Player]


def random(game: Game, job: Job) -> Player:
    return RandomPlayer()


def perfect(game: Game, job: Job, prefer: Prefer | None = None, ties: Ties = "random") -> Player:
    try:
        solution = solve(game, job=job)
    except LimitReached as error:
        raise LimitReached(_("perfect play needs {game} solved: {reason}", game=game.text, reason=error), error.reached) from error
    return PerfectPlayer(solution, prefer, ties)


def human(game: Game, job: Job) -> Player:
    raise NotImplementedError


AGENTS: dict[str, tuple[AgentFactory, str]] = {
    "random": (random, N_("every legal move is as likely")),
    "perfect": (perfect, N_("keeps the exact value; prefer=value|fastest, ties=first|last|random")),
}
