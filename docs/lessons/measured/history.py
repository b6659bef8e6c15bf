"""What history.md says that damier does beside the programs of document S2 (row A-62)."""

from __future__ import annotations

from collections.abc import Callable

from damier import load
from damier.core.analysis import Limit
from damier.core.job import Job
from damier.lab.agents import Lab, searcher
from damier.search.alphabeta import Options, alphabeta
from damier.search.minimax import minimax
from damier.solve import solve
from measured.writing import Untrue, table

SOLVED = (
    "tictactoe",
    "hexapawn:blocked=loss",
    "octapawn:blocked=loss",
    "connect_four:width=4,height=4",
    "nim:heaps=1-3-5-7",
)
BOARD, PLIES = "connect_four", 8
MAZE, ROUNDS = "pacman:layout=maze", 4


def solved() -> str:
    rows = []
    for text in SOLVED:
        solution = solve(load(text))
        start = solution.game.start
        rows.append(
            (f"`{text}`", f"{len(solution):,}", solution.value(start), str(solution.distance(start) or ""))
        )
    return table(("game", "positions in the table", "the first player's value", "in plies"), rows)


def searched() -> str:
    game, job = load(BOARD), Job(jit=True)
    found = [minimax(game, game.start, Limit(plies=PLIES), job=job, explain=False)]
    found += [
        alphabeta(game, game.start, Limit(plies=PLIES), options, job=job, explain=False)
        for options in (Options(), Options(table=True, order=True))
    ]
    if len({(one.value, one.best) for one in found}) != 1:
        raise Untrue("pruning changes neither the value nor the best moves")
    names = ("`minimax`", "`alphabeta`", "`alphabeta:table=true,order=true`")
    return table(
        (f"`{BOARD}`, {PLIES} plies", "positions looked at"),
        [(name, f"{one.nodes:,}") for name, one in zip(names, found, strict=True)],
    )


def pacman() -> str:
    game = load(MAZE)
    player = searcher(Lab(game, Job(jit=True)), f"alphabeta:rounds={ROUNDS},evaluate=score,ties=first")
    found = player.decide(game.start, 0, False)
    return (
        f"In `{MAZE}`, with {game.players - 1} ghosts, one decision that looks {ROUNDS} rounds ahead,"
        f" {ROUNDS * game.players} moves of {game.players} players, looks at {found.nodes:,} positions."
    )


BLOCKS: dict[str, Callable[[], str]] = {
    "history-solved": solved,
    "history-searched": searched,
    "history-pacman": pacman,
}
PICTURES: dict[str, Callable[[], str]] = {}
