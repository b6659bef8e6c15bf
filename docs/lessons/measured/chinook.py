"""What chinook.md says: draughts by search, by evaluation and by tables, document S2 (row A-62)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from damier import load
from damier.core.analysis import Analysis, Limit, evaluation
from damier.core.endgames import NOTHING, Probe
from damier.core.job import Job
from damier.core.rules import State
from damier.plugins.large.endgame_tables import EndgameTables, build, open_tables
from damier.search.selective import Recipe, selective
from measured.writing import holds, table

GAME = load("draughts")
PIECES = 4
FIRST_POSITION = "W:W6,11:B3,K25"
OPENING = ("11-15", "23-19", "9-14", "27-23", "8-11", "22-18")
DEPTHS, PLIES, POSITIONS = (10, 14, 18, 22), 9, 300
NEAR_KINGS = (1, 2, 3, 4, 29, 30, 31, 32)
"""Squares on which a man of one side or the other would have become a king."""


@cache
def tables() -> EndgameTables:
    """The tables of four pieces; their folder is gone again."""
    with tempfile.TemporaryDirectory() as folder:
        build(GAME, PIECES, Path(folder), Job(jit=True), 1)
        return open_tables(Path(folder), GAME)


def at(written: str) -> State:
    assert GAME.read_position is not None
    return GAME.read_position(written)


def searched(s: State, plies: int, probe: Probe = NOTHING, *, blind: bool = False) -> Analysis:
    """A selective search that deep; a blind one stops there, whatever may be taken."""
    judge = evaluation(GAME, GAME.evaluation)
    recipe = Recipe(evaluation=judge, probe=probe, quiescence=not blind, extensions=not blind)
    return selective(GAME, s, Limit(plies=plies), recipe, job=Job(jit=True), explain=False)


def sums() -> str:
    """The evaluation of a position, term by term."""
    judge, s = evaluation(GAME, GAME.evaluation), at(FIRST_POSITION)
    seen = [-feature(s) for feature in judge.features]  # White, who moves here, is player 2
    rows = [
        (f"`{name}`", f"{weight:g}", f"{value:+g}", f"{weight * value:+.2f}")
        for name, weight, value in zip(judge.names, judge.weights, seen, strict=True)
    ]
    total = sum(weight * value for weight, value in zip(judge.weights, seen, strict=True))
    return table(("feature f", "weight w", "f(s)", "w · f(s)"), [*rows, ("sum", "", "", f"{total:+.2f}")])


def guesses() -> str:
    """How often evaluations name the winner where the table knows one."""
    decided = [(s, score) for s in drawn_at_random(2, 2, 1_000) if (score := tables().score(s))]
    rows = []
    for text in ("kings", "men", "men+kings", GAME.evaluation):
        judge = evaluation(GAME, text)
        signs = [
            sum(w * f(s) for w, f in zip(judge.weights, judge.features, strict=True))
            * (score if GAME.mover(s) == 0 else -score)
            for s, score in decided
        ]
        counts = (sum(x > 0 for x in signs), sum(x == 0 for x in signs), sum(x < 0 for x in signs))
        rows.append((f"`evaluate={text}`", *(f"{count:,}" for count in counts)))
    return table((f"{len(decided)} won positions", "the winner", "nobody", "the loser"), rows)


def horizon() -> str:
    """A search that stops in the middle of an exchange, and one that does not."""
    s = GAME.position().play(*OPENING).state
    rows = []
    for plies in range(1, 7):
        found = (searched(s, plies, blind=blind) for blind in (True, False))
        rows.append((str(plies), *(f"{one.value:+}" for one in found)))
    return table(("plies", "`quiescence=false,extensions=false`", "with both"), rows)


def slices() -> str:
    """What is in the tables, by the number of pieces."""
    rows = []
    for pieces in range(2, PIECES + 1):
        there = [one for one in tables().slices if len(one.slice.name.replace("-", "")) == pieces]
        positions = sum(one.counts.positions for one in there)
        longest = max(one.counts.longest_win for one in there)
        rows.append((str(pieces), f"{positions:,}", str(longest)))
    return table(("pieces", "positions", "longest win, in plies"), rows)


def won() -> str:
    """What the table says of the First Position."""
    s = at(FIRST_POSITION)
    moves = tables().solution(s).explain(s)
    rows = [
        (f"`{GAME.name_move(s, move)}`", value, str(distance or ""))
        for move, (value, distance) in moves.items()
    ]
    return table(("move", "leads to", "plies"), rows)


def with_and_without() -> str:
    rows = []
    for plies in DEPTHS:
        alone, asking = (searched(at(FIRST_POSITION), plies, probe) for probe in (NOTHING, tables().probe()))
        rows.append((str(plies), f"{alone.nodes:,}", told(alone), f"{asking.nodes:,}", told(asking)))
    return table(("plies", "nodes without tables", "answer", "nodes with tables", "answer"), rows)


def told(found: Analysis) -> str:
    """What a search answers."""
    return f"{found.value:+}, a guess" if found.distance is None else f"won in {found.distance} plies"


def five() -> str:
    """Three pieces against two: a capture away from the tables."""
    states, counts = drawn_at_random(3, 2, POSITIONS), []
    for probe in (NOTHING, tables().probe()):
        found = [searched(s, PLIES, probe) for s in states]
        counts.append((sum(one.distance is not None for one in found), sum(one.nodes for one in found)))
    (alone, alone_nodes), (asking, asking_nodes) = counts
    return holds(
        asking > 2 * alone and asking_nodes < alone_nodes,
        f"Of {POSITIONS} positions with three pieces against two, drawn at random, a search of {PLIES}"
        f" plies finds who wins in {alone} without tables, looking at {alone_nodes:,} nodes; with the tables"
        f" of {PIECES} pieces in {asking}, looking at {asking_nodes:,}.",
    )


def drawn_at_random(white: int, black: int, number: int) -> list[State]:
    """Positions with so many pieces, some of them kings; the player to move, too."""
    rng, found = Random(6), []
    while len(found) < number:
        squares = rng.sample(range(1, 33), white + black)
        kings = [rng.random() < 0.3 or square in NEAR_KINGS for square in squares]
        names = ["K" * king + str(square) for king, square in zip(kings, squares, strict=True)]
        s = at(f"{rng.choice('BW')}:W{','.join(names[:white])}:B{','.join(names[white:])}")
        if not GAME.over(s):
            found.append(s)
    return found


BLOCKS: dict[str, Callable[[], str]] = {
    "chinook-sum": sums,
    "chinook-guesses": guesses,
    "chinook-horizon": horizon,
    "chinook-slices": slices,
    "chinook-won": won,
    "chinook-tables": with_and_without,
    "chinook-five": five,
}
PICTURES: dict[str, Callable[[], str]] = {}
