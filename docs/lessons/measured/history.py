"""What history.md says of Pacman, which document S2 names beside its machines (row A-62)."""

from __future__ import annotations

from collections.abc import Callable

from damier import load
from damier.core.job import Job
from damier.lab.agents import Lab, searcher

MAZE, ROUNDS = "pacman:layout=maze", 4


def pacman() -> str:
    game = load(MAZE)
    player = searcher(Lab(game, Job(jit=True)), f"alphabeta:rounds={ROUNDS},evaluate=score,ties=first")
    found = player.decide(game.start, (), 0, False)
    return (
        f"In `{MAZE}`, with {game.players - 1} ghosts, one decision that looks {ROUNDS} rounds ahead,"
        f" {ROUNDS * game.players} moves of {game.players} players, looks at {found.nodes:,} positions."
    )


BLOCKS: dict[str, Callable[[], str]] = {
    "history-pacman": pacman,
}
PICTURES: dict[str, Callable[[], str]] = {}
