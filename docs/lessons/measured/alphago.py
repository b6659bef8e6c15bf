"""What alphago.md says: Monte Carlo tree search, document S2 (row A-62)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from damier import load
from damier.core.analysis import Analysis
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import each, holds as among
from damier.core.rules import State
from damier.core.solution import Solution
from damier.search.mcts import mcts
from damier.solve import solve
from measured.writing import holds, table

GO = load("go:size=5")
BOARD = load("connect_four:width=5,height=4")
UCT, EVERYWHERE = 1.4, 1_000.0
"""The exploration constant of `mcts`; and one so large that every move is tried as often."""
EACH = 4_000
"""Random games a first move."""
CELLS = {
    "the centre": ("C3",),
    "beside it": ("B3", "C2", "C4", "D3"),
    "diagonal to it": ("B2", "B4", "D2", "D4"),
    "an edge, in the middle": ("A3", "C1", "C5", "E3"),
    "an edge, near a corner": ("A2", "A4", "B1", "B5", "D1", "D5", "E2", "E4"),
    "a corner": ("A1", "A5", "E1", "E5"),
    "pass": ("pass",),
}
SIMULATIONS = (100, 1_000, 10_000, 100_000)
OPENING = 4
"""Plies after which the positions come up in which moves are counted."""


def grown(game: Game, s: State, simulations: int, c: float, seed: int) -> Analysis:
    return mcts(game, s, simulations=simulations, c=c, seed=seed, job=Job(jit=True))


def at_random() -> str:
    """What random games say of the first move of Go."""
    start = GO.start
    found = grown(GO, start, EACH * len(list(each(GO.moves(start)))), EVERYWHERE, 0)
    worth = {GO.name_move(start, move): value for move, value in found.values.items()}
    rows, means = [], []
    for place, cells in CELLS.items():
        values = [float(worth[cell]) for cell in cells]
        means.append(sum(values) / len(values))
        rows.append((place, str(len(cells)), f"{means[-1]:+.2f}"))
    holds(means[5] < means[4] < means[3] < min(means[:3]), "random games know the middle from the border")
    return table(("first move", "cells", "mean payoff of random games"), rows)


def growth() -> str:
    """Where the simulations of UCT go."""
    rows = []
    for simulations in SIMULATIONS:
        found = grown(GO, GO.start, simulations, UCT, 0)
        most = max(found.visits, key=lambda move: found.visits[move])
        share = found.visits[most] / simulations
        name = GO.name_move(GO.start, most)
        rows.append((f"{simulations:,}", f"`{name}`", f"{share:.0%}", str(found.plies), f"{found.nodes:,}"))
    header = ("simulations", "the move", "its share of them", "plies of its line", "nodes of the tree")
    return table(header, rows)


@cache
def solution() -> Solution:
    return solve(BOARD, job=Job(jit=True))


@cache
def mixed() -> list[State]:
    """Positions in which some moves keep the value and others do not."""
    states = {BOARD.start}
    for _ply in range(OPENING):
        states = {BOARD.play(s, move) for s in states for move in each(BOARD.moves(s))}
    return [s for s in sorted(states) if not BOARD.over(s) and solution().best_moves(s) != BOARD.moves(s)]


def right(simulations: int, c: float) -> int:
    """In how many of these positions the move keeps the value: the move of UCT, or the one with the best
    mean where every move is tried as often.
    """
    count = 0
    for seed, s in enumerate(mixed()):
        found = grown(BOARD, s, simulations, c, seed)
        move = next(each(found.best)) if c == UCT else max(found.values, key=lambda m: found.values[m])
        count += among(solution().best_moves(s), move)
    return count


def strength() -> str:
    """How many right moves simulations buy."""
    counts = {c: [right(simulations, c) for simulations in SIMULATIONS] for c in (EVERYWHERE, UCT)}
    flat, guided = counts[EVERYWHERE], counts[UCT]
    holds(guided[-1] > guided[0] and guided[-1] > flat[-1], "UCT learns what flat averages never see")
    rows = [
        (name, *(f"{count}/{len(mixed())}" for count in counts[c]))
        for name, c in (("every move as often, `c=1000`", EVERYWHERE), ("UCT, `c=1.4`", UCT))
    ]
    return table(("the move keeps the value", *(f"{n:,} simulations" for n in SIMULATIONS)), rows)


def width() -> str:
    """What must be tried once before anything can be tried again."""
    rows = []
    for text in ("connect_four", "go:size=5", "go:size=9", "go:size=19"):
        game = load(text)
        count = len(list(each(game.moves(game.start))))
        rows.append((f"`{text}`", f"{count:,}", f"{count**2:,}", f"{count**3:,}"))
    return table(("to try once each", "one ply", "two plies", "three plies"), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "alphago-random": at_random,
    "alphago-growth": growth,
    "alphago-strength": strength,
    "alphago-width": width,
}
PICTURES: dict[str, Callable[[], str]] = {}
