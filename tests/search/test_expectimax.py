"""Expectimax and max^n on games against naive versions of themselves, dice, several players and
opponents that are not perfect included.
"""

from __future__ import annotations

from typing import Any

import gallery
import pytest
from lasting import shortly

from damier import Game, load
from damier.core.analysis import Limit, evaluation
from damier.core.errors import Unsuitable
from damier.core.job import Job
from damier.core.player import RandomPlayer
from damier.search.minimax import expectimax, maxn, minimax
from damier.solve.grade import grade
from tests.search import naive_games as naive

PURE = Job(jit=False)
GAMES = {
    "hexapawn": lambda: load("hexapawn"),
    "nim": lambda: load("nim:heaps=1-2-3"),
    "dice": gallery.dice,
    "three players": lambda: gallery.three_players(7),
    "scored": lambda: gallery.scored(8, 3, -2),
    "graph": lambda: gallery.graph(seed=3, nodes=16, cycles=False),
}
COMPILED = ["dice", "three players", "scored"]  # seconds of compiler each
FACTS = ("value", "values", "best", "nodes", "explored", "plies", "exact", "pv")


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("plies", [1, 3, 6])
def test_expectimax_is_what_it_says(make: object, plies: int) -> None:
    game: Game = make()
    for move in (0, *game.legal(game.start)):  # the start, and what follows it: others move first, too
        s = game.play(game.start, move) if move else game.start
        if game.over(s):
            continue
        me = max(0, game.mover(s))
        found = expectimax(game, s, Limit(plies=plies), job=PURE)
        assert found.value == pytest.approx(naive.expectimax(game, s, plies, me))
        for tried, worth in found.values.items():
            assert worth == pytest.approx(naive.expectimax(game, game.play(s, tried), plies - 1, me))


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("plies", [1, 3, 6])
def test_maxn_is_what_it_says(make: object, plies: int) -> None:
    game: Game = make()
    found = maxn(game, game.start, Limit(plies=plies), job=PURE)
    assert found.value == pytest.approx(naive.maxn(game, game.start, plies))
    for tried, worths in found.values.items():
        assert worths == pytest.approx(naive.maxn(game, game.play(game.start, tried), plies - 1))


@pytest.mark.parametrize("name", shortly(COMPILED, "dice"))
@pytest.mark.parametrize("search", [expectimax, maxn])
def test_compiled_they_find_and_count_the_same(search: Any, name: str) -> None:
    game: Game = GAMES[name]()
    for move in (0, *game.legal(game.start)):
        s = game.play(game.start, move) if move else game.start
        for plies in (1, 3, 6) if not game.over(s) else ():
            pure, compiled = (search(game, s, Limit(plies=plies), job=Job(jit=jit)) for jit in (False, True))
            for fact in FACTS:
                assert getattr(pure, fact) == getattr(compiled, fact), fact


@pytest.mark.parametrize("text", ["hexapawn", "nim:matches=9", "mnk:width=3,height=2,in_a_row=2"])
def test_where_payoffs_are_opposed_maxn_is_minimax(text: str) -> None:
    game = load(text)
    both, one = maxn(game, game.start, job=PURE), minimax(game, game.start, job=PURE)
    assert both.best == one.best
    assert both.value == (one.value, -one.value)
    assert both.nodes == one.nodes


def test_expectimax_is_the_best_response_to_random_play() -> None:
    """Row A-63: the ceiling that no perfect player reaches is what expectimax expects, exactly."""
    for text in ("hexapawn", "nim", "hexapawn:blocked=loss"):
        game = load(text)
        ceiling = grade(game, RandomPlayer(), RandomPlayer()).best_against[0].payoff
        assert expectimax(game, game.start, job=PURE).value == pytest.approx(ceiling)


def test_moves_that_are_worth_the_same_are_all_best() -> None:
    """Sums of fractions are rounded: the four corners of tic-tac-toe are alike."""
    game = load("tictactoe")
    found = expectimax(game, game.start, job=Job(jit=True))
    assert found.best == 1 | 1 << 2 | 1 << 6 | 1 << 8
    assert found.value == pytest.approx(191 / 192)


def test_an_evaluation_is_seen_from_the_side_of_who_searches() -> None:
    game = load("hexapawn")
    s = game.play(game.start, game.legal(game.start)[0])
    judged = evaluation(game, "pawns")
    found = expectimax(game, s, Limit(plies=1), judged, job=PURE)
    assert found.values == {move: -game.features["pawns"](game.play(s, move)) for move in game.legal(s)}
    assert maxn(game, s, Limit(plies=1), judged, job=PURE).value == (-found.value, found.value)


def test_secrets_are_refused_by_name() -> None:
    game = gallery.secret()
    for search in (expectimax, maxn):
        with pytest.raises(Unsuitable, match=search.__name__):
            search(game, game.start)


def test_an_evaluation_for_three_players_is_refused() -> None:
    game = gallery.three_players()
    game.features["left"] = lambda s: 1
    with pytest.raises(Unsuitable, match="maxn"):
        maxn(game, game.start, Limit(plies=2), evaluation(game, "left"))
