"""What the searches of games find, and with how many nodes, on settings of every kind: `python -m
tests.search.recorded` writes it down anew.

The file was written by the engines as they were before they became one; whatever is done to them
since, the same nodes, values and lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import gallery

from damier import Game, load
from damier.core.analysis import Limit, evaluation
from damier.core.job import Job
from damier.core.rules import State
from damier.search.alphabeta import Options, Windows, alphabeta
from damier.search.exact import Prover, exact
from damier.search.proof_store import Bounds
from damier.search.running import CUTS, DEPTH_CUTOFFS, ENDLESS, Run

FILE = Path(__file__).with_name("recorded.json")
EXAMPLES = Path(__file__).parents[2] / "examples"

GAMES: dict[str, Callable[[], Game]] = {
    "tictactoe": lambda: load("tictactoe"),
    "hexapawn": lambda: load("hexapawn:blocked=loss"),
    "nim": lambda: load("nim:heaps=1-2-3"),
    "connect_four": lambda: load("connect_four:width=4,height=4"),
    "graph": lambda: gallery.graph(seed=3, nodes=24, cycles=False),
    "cycles": lambda: gallery.graph(seed=5, nodes=24),
    "morris": lambda: load(f"{EXAMPLES}/three_mens_morris.py"),
    "tug": gallery.tug,
    "scored": lambda: gallery.scored(8, 3, -2),
}
"""With cycles and without, with hooks and without, payoffs beyond 1, players that move several
times in a row.
"""

KINDS = list(product(("weak", "strict"), (False, True), (False, True), (False, True), ("full", "null")))
UNLIKE = [kind for kind in KINDS if not kind[2] and kind[0] == "weak"]
LIMITS = {"plies 4": Limit(plies=4), "nodes 300": Limit(plies=7, nodes=300)}
ASKED = [(-inf, inf, True), (-inf, inf, False), (0, inf, True), (-1, 1, True), (0, 0, False), (-1, 0, True)]
PROVEN = {
    "tictactoe": (0, 4),
    "connect_four:width=4,height=4": (4, 9),
    "mnk:width=4,height=3": (2, 6),
    "connect_four": (28, 33),
}


def settings() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every setting by its name, and what is to be written down of it, in plain Python."""
    job = Job(jit=False)
    for (name, make), (text, limit), kind in product(GAMES.items(), LIMITS.items(), KINDS):
        yield (
            f"{name}; {text}; {words(kind)}",
            lambda make=make, limit=limit, kind=kind: decision(make(), options(kind), limit, job),
        )
    for text, kind in product(("lines+10*threats", "0.3*lines-threats"), KINDS):
        yield f"judged by {text}; {words(kind)}", lambda text=text, kind=kind: judged(text, kind, job)
    yield from engines(GAMES, ASKED, PROVEN, jit=False)


def compiled_settings() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Some of them compiled: every engine once."""
    yield from engines(["connect_four"], ASKED[::4], list(PROVEN)[:0:-2], jit=True)


def engines(
    games: Iterable[str], asked: Iterable[tuple[float, float, bool]], proven: Iterable[str], *, jit: bool
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The engines by themselves."""
    for name, (alpha, beta, weak), kind in product(games, asked, UNLIKE):
        text = f"{name}; between {alpha} and {beta}, {'weak' if weak else 'strict'}; {words(kind)}"
        yield (
            text,
            lambda name=name, kind=kind, of=(alpha, beta, weak): between(
                GAMES[name](), options(kind), *of, jit=jit
            ),
        )
    for name in proven:
        for plies in range(*PROVEN[name]):
            yield (
                f"{name}; exactly, after {plies} plies",
                lambda name=name, plies=plies: proof(load(name), plies, jit=jit),
            )


def words(kind: tuple[Any, ...]) -> str:
    prune, table, deepen, order, window = kind
    return " ".join([prune, *("table",) * table, *("deepen",) * deepen, *("order",) * order, window])


def options(kind: tuple[Any, ...], **more: Any) -> Options:
    prune, table, deepen, order, window = kind
    return Options(prune, table, deepen, order, window=window, **more)


def decision(game: Game, chosen: Options, limit: Limit, job: Job) -> Any:
    """One search, explained, and the best moves of one that is not."""
    found = alphabeta(game, game.start, limit, chosen, job=job)
    values = {str(move): value for move, value in found.values.items()}
    quick = alphabeta(game, game.start, limit, chosen, job=job, explain=False)
    facts = [
        found.value,
        values,
        found.best,
        found.nodes,
        found.explored,
        found.plies,
        found.exact,
        found.stopped,
        found.pv,
        found.distance,
    ]
    return [*facts, quick.best, quick.nodes]


def judged(text: str, kind: tuple[Any, ...], job: Job) -> Any:
    game = load("connect_four:width=4,height=4")
    return decision(game, options(kind, evaluation=evaluation(game, text)), Limit(plies=4), job)


def between(game: Game, chosen: Options, alpha: float, beta: float, weak: bool, *, jit: bool) -> Any:
    """What the engine returns between two bounds, one depth after the other with one table, and
    what it counted.
    """
    run = Run(game, jit, marking=True)
    windows, found = Windows(run, chosen), []
    for plies in (2, 4, 5) if chosen.table else (4,):  # what one depth leaves behind must not settle another
        run.begin(ENDLESS)
        value = windows.value(game.start, plies, alpha, beta, weak)
        found.append(
            [value, run.nodes, run.explored, int(run.count[CUTS]), int(run.count[DEPTH_CUTOFFS]), run.left]
        )
    return found


def proof(game: Game, plies: int, *, jit: bool) -> Any:
    """The exact score of a few positions after random moves: question by question with one small
    table, and of all moves at once.
    """
    found = []
    prover = Prover(game, jit, 1 << 12)
    prover.run.begin(ENDLESS)
    for seed in range(4):
        s, bounds = walk(game, plies, seed), Bounds()
        prover.narrow(s, bounds)
        answered = exact(game, s, Job(jit=jit))
        moves = {str(move): bounds.low for move, bounds in answered.children.items()}
        found.append([bounds.low, prover.run.nodes, answered.bounds.low, moves, answered.nodes])
    return found


def walk(game: Game, plies: int, seed: int) -> State:
    """A position after so many random moves, at which the game is not over."""
    chosen, s = Random(seed), game.start
    while game.ply(s) < plies:
        s = game.play(s, chosen.choice(game.legal(s)))
        if game.over(s):
            s = game.start
    return s


def as_data(found: Any) -> Any:
    """What is left of it in JSON."""
    return json.loads(json.dumps(found))


def main() -> None:
    found = {name: record() for name, record in settings()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    FILE.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
