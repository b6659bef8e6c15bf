"""The moves of a root searched by several threads: whatever a search tells is what one thread finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import gallery
import pytest
from lasting import long, shortly
from processes import run

from damier import load
from damier.core.analysis import Analysis, Limit
from damier.core.job import Job
from damier.search.alphabeta import Options, alphabeta
from damier.search.lookahead import RootMoves
from damier.search.minimax import expectimax, maxn, minimax
from damier.search.running import ENDLESS, Run

ALL = Options("strict", True, True, True, window="null")

SEARCHES: dict[str, Callable[..., Analysis]] = {
    "minimax": minimax,
    "expectimax": expectimax,
    "maxn": maxn,
    "plain": alphabeta,
    "strict": lambda *given, **more: alphabeta(*given, Options("strict"), **more),
    "ordered": lambda *given, **more: alphabeta(*given, Options(order=True, deepen=True), **more),
    "null windows": lambda *given, **more: alphabeta(*given, Options(window="null"), **more),
    "null windows with a table": lambda *given, **more: alphabeta(*given, ALL, **more),
    "with a table": lambda *given, **more: alphabeta(*given, Options(table=True, deepen=True), **more),
}
GAMES = {
    "connect_four": (load("connect_four:width=4,height=4"), 7),
    "graph": (gallery.graph(seed=5, nodes=24), 6),  # where positions come back
    "hexapawn": (load("hexapawn:blocked=loss"), 9),
    "scored": (gallery.scored(8, 3, -2), 8),
    "tictactoe": (load("tictactoe"), 6),
}
OFTEN = [
    ("tictactoe", "expectimax", True),
    ("tictactoe", "minimax", True),
    *(("tictactoe", "plain", explain) for explain in (True, False)),
    ("tictactoe", "with a table", False),
]
"""Engines that other tests compile too."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what is soon over is shared."""
    monkeypatch.setattr("damier.search.lookahead.ALONE", -1.0)


@pytest.mark.parametrize(
    ("name", "search", "explain"), shortly(product(GAMES, SEARCHES, (True, False)), *OFTEN)
)
def test_nothing_depends_on_how_many_there_are(name: str, search: str, explain: bool) -> None:
    game, plies = GAMES[name]

    def found(jobs: int) -> Analysis:
        job = Job(jit=True, jobs=jobs)
        return replace(
            SEARCHES[search](game, game.start, Limit(plies=plies), job=job, explain=explain), seconds=0.0
        )

    one = found(1)
    assert found(2) == one
    assert found(3) == one


def asked(values: list[float], jobs: int) -> tuple[list[float | None], int, list[tuple[int, float]]]:
    """What is found of moves that are worth so much, each with as many nodes as it is asked about with
    another alpha; the nodes; and what was asked.
    """
    game, asked_for = load("connect_four"), list[tuple[int, float]]()
    run = Run(game, True, marking=False, jobs=jobs)
    run.begin(ENDLESS)
    moves = game.legal(game.start)

    def searcher(own: Run, thread: int) -> Callable[[Any, float], float]:
        def ask(child: Any, alpha: float) -> float:
            number = next(n for n, move in enumerate(moves) if game.play(game.start, move) == child)
            asked_for.append((number, alpha))
            own.count[0] += 1 + number + 10 * int(alpha)
            return values[number]

        return ask

    alpha, found = 0.0, list[float | None]()
    with RootMoves(run, moves, searcher) as root:
        for number in range(len(moves)):
            value = root.value(number, alpha)
            found.append(value)
            alpha = max(alpha, value or 0.0)
    return found, run.nodes, asked_for


@pytest.mark.parametrize("jobs", [2, 3, 8])
def test_what_was_found_with_another_alpha_is_searched_again(jobs: int) -> None:
    values = [1.0, 3.0, 2.0, 5.0, 4.0, 6.0, 0.0]
    one, nodes, in_order = asked(values, 1)
    assert one == values
    several, counted, asked_for = asked(values, jobs)
    assert (several, counted) == (one, nodes)
    assert set(in_order) <= set(asked_for)


def test_what_a_thread_raises_is_raised() -> None:
    game = load("connect_four")
    run = Run(game, True, marking=False, jobs=2)
    run.begin(ENDLESS)

    def searcher(own: Run, thread: int) -> Callable[[Any, float], float]:
        def ask(child: Any, alpha: float) -> float:
            if thread:
                raise ZeroDivisionError
            return 0.0

        return ask

    with RootMoves(run, game.legal(game.start), searcher) as root:
        assert root.value(0, 0.0) == 0.0
        with pytest.raises(ZeroDivisionError):
            root.value(1, 0.0)


def test_so_many_nodes_are_counted_by_one_thread() -> None:
    game = load("tictactoe")
    found = [
        alphabeta(game, game.start, Limit(nodes=9_000), job=Job(jit=True, jobs=jobs), explain=False)
        for jobs in (1, 3)
    ]
    assert found[0].stopped
    assert replace(found[0], seconds=0) == replace(found[1], seconds=0)


INTERRUPTED = """
import os, signal, threading
from damier import load
from damier.core.analysis import Limit
from damier.core.job import Job
from damier.search import lookahead
from damier.search.alphabeta import Options, alphabeta

game = load("connect_four")
job = Job(jit=True, jobs=3)
alphabeta(game, game.start, Limit(plies=2), job=job, explain=False)
lookahead.ALONE = -1.0
put = lookahead.RootMoves._next

def interrupting(self):
    number = put(self)
    if number is not None and number >= 3:
        os.kill(os.getpid(), signal.SIGINT)
    return number

lookahead.RootMoves._next = interrupting
found = alphabeta(game, game.start, Limit(plies=11), job=job, explain=False)
print(found.interrupted, found.stopped, threading.active_count())
"""


@long
def test_ctrl_c_ends_all_threads(tmp_path: Path) -> None:
    assert run(INTERRUPTED, tmp_path) == "True True 1"
