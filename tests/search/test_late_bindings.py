"""How much care an exact search takes changes no answer, whatever the game; all positions solved are the
oracle.
"""

from __future__ import annotations

from functools import cache

import pytest
from lasting import later

from damier import Game, load
from damier.core.bits import random_below, reseed
from damier.core.job import Job
from damier.core.rules import State
from damier.core.solution import AnySolution
from damier.search import exact as engine
from damier.search.exact import Exact, Prover, exact
from damier.search.proof_store import Bounds
from damier.search.running import ENDLESS
from damier.solve import solve

PLAIN, FAST = Job(jit=False), Job(jit=True)
SELDOM = [(0, 0, 99), (3, 0, 99), (0, 6, 99), (0, 0, 3), (99, 0, 99)]
OFTEN = [(4, 7, 14), (2, 4, 5)]
THRESHOLDS = [*OFTEN, *(later((each,)) for each in SELDOM)]
"""Plies that are played out, from which on children are looked up, and moves looked ahead."""


def after(game: Game, plies: int, seed: int) -> State:
    """The first position after so many random moves at which a game is not over."""
    attempt = 0
    while True:
        rng, s = [0], game.start
        reseed(rng, seed, attempt)
        for _ply in range(plies):
            if not game.over(s):
                legal = game.legal(s)
                s = game.play(s, legal[random_below(rng, len(legal))])
        if not game.over(s):
            return s
        attempt += 1


def with_plies_left(game: Game, plies: int) -> Game:
    """A game that says of how many plies it is, at most."""
    rules, ply = game.rules, game.rules["ply"]
    of_game = {name: game.given[name] for name in ("outcome", "over", "payoff") if name in game.given}
    return Game(
        game.name,
        game.start,
        rules["moves"],
        rules["play"],
        mover=rules["mover"],
        ply=ply,
        bits=game.bits,
        move_score=rules["move_score"],
        plies_left=lambda s: plies - ply(s),
        **of_game,  # type: ignore[arg-type]  # rules, by name
    )


@cache
def solved(text: str, s: State | None = None) -> AnySolution:
    """All that follows a position, solved once for all thresholds."""
    return solve(load(text), s, PLAIN)


@cache
def searched(text: str, s: State) -> Exact:
    """The exact search of a game that says nothing of the plies left."""
    return exact(load(text), s, PLAIN)


BOXES, CONNECT = "dots_and_boxes:rows=2,columns=2", "connect_four:width=4,height=3,in_a_row=3"


def take(monkeypatch: pytest.MonkeyPatch, thresholds: tuple[int, int, int]) -> None:
    for name, plies in zip(("PLAYED_OUT", "LOOKED_UP", "LOOKED_AHEAD"), thresholds, strict=True):
        monkeypatch.setattr(engine, name, plies)


@pytest.mark.parametrize(
    ("text", "thresholds"),
    [
        *(("othello:size=6,discs=true", each) for each in OFTEN),
        ("othello:size=6", OFTEN[0]),
        *(later(("othello:size=6,discs=true", each)) for each in SELDOM),
        *(later(("othello:size=6", each)) for each in (*OFTEN[1:], *SELDOM)),
    ],
)
def test_othello_is_worth_what_all_positions_solved_say(
    text: str, thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    take(monkeypatch, thresholds)
    game, units = load(text), text.endswith("discs=true")
    for seed in range(3):
        s = after(game, 25, seed)
        solution, found = solved(text, s), exact(game, s, PLAIN, units=units)
        assert found.complete
        assert found.bounds.low == solution.score(s)
        assert {move: bounds.low for move, bounds in found.children.items()} == {
            move: solution.score(game.play(s, move)) for move in game.legal(s)
        }


@pytest.mark.parametrize("thresholds", THRESHOLDS)
def test_players_may_move_twice_in_a_row(
    thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dots and Boxes: who closes a box draws the next line too."""
    take(monkeypatch, thresholds)
    game, solution = with_plies_left(load(BOXES), 12), solved(BOXES)
    prover = Prover(game, False, 1 << 12, units=True)
    prover.run.begin(ENDLESS)
    for seed in range(0, 30, 4):
        s, bounds = after(game, seed % 9, seed), Bounds()
        prover.narrow(s, bounds)
        assert bounds.low == bounds.high == solution.score(s)


@pytest.mark.parametrize("thresholds", THRESHOLDS)
def test_distances_are_counted_to_the_end(
    thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    take(monkeypatch, thresholds)
    plain = load(CONNECT)
    careful = with_plies_left(plain, 12)
    for seed in range(8):
        s = after(plain, seed, seed)
        known, found = searched(CONNECT, s), exact(careful, s, PLAIN)
        assert found.complete
        assert (found.bounds, found.children) == (known.bounds, known.children)


def boxes_or_othello(text: str) -> Game:
    """A game that says how many plies are left: Othello does by itself."""
    return load(text) if text.startswith("othello") else with_plies_left(load(text), 17)


LATE = "dots_and_boxes:rows=2,columns=3"


@pytest.mark.parametrize(
    ("text", "key_words", "plies", "jobs"),
    [(LATE, 1, 8, ()), later(("othello:size=6,discs=true", 2, 22, (2, 3)))],
)
def test_plain_and_compiled_take_the_same_care_and_threads_prove_the_same(
    text: str, key_words: int, plies: int, jobs: tuple[int, ...]
) -> None:
    """As much as ever, so that the engine is that of `test_long_search`. Payoffs, also of a game whose keys
    take several words; threads on a game of one word: `test_exact`.
    """
    game = boxes_or_othello(text)
    assert game.key_words == key_words
    for seed in range(3):
        s = after(game, plies, seed)
        plain, fast = exact(game, s, PLAIN, units=True), exact(game, s, FAST, units=True)
        assert plain.nodes == fast.nodes > 500
        assert (plain.bounds, plain.children) == (fast.bounds, fast.children)
    for threads in jobs:
        shared = exact(game, s, Job(jit=True, jobs=threads), units=True)
        assert shared.complete
        assert (shared.bounds, shared.children) == (plain.bounds, plain.children)


def test_a_game_that_says_nothing_is_searched_as_ever() -> None:
    assert engine.late_bindings(load("connect_four")) == {}
    assert engine.look_ahead in engine.late_bindings(load("othello")).values()
