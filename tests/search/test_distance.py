"""In how many plies a game ends, as a search says it: the solver's distances in every position of
the small games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import gallery
import pytest
from lasting import long

from damier import load
from damier.core.analysis import Analysis, Limit, evaluation
from damier.core.compile import instantiate
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.search.alphabeta import Options, alphabeta
from damier.search.minimax import minimax
from damier.solve import solve
from damier.solve.reach import representative

PURE = Job(jit=False)
WORTH = {"win": 1, "draw": 0, "loss": -1}
SMALL = (
    "hexapawn",
    "hexapawn:blocked=loss",
    "nim:matches=13",
    "nim:heaps=1-2-3,misere=false",
    "mnk:width=3,height=2,in_a_row=2",
    "pawns:width=2,height=5",
)


@pytest.mark.parametrize(
    "options",
    [Options(), Options(table=True, deepen=True, order=True, window="null")],
    ids=["plain", "all options"],
)
@pytest.mark.parametrize("text", SMALL)
def test_value_distance_and_best_moves_are_the_solvers_in_every_position(text: str, options: Options) -> None:
    game = load(text)
    solution = solve(game)
    for s in solution.table.scores:
        found = alphabeta(game, s, Limit(), options, job=Job(jit=False))
        assert (found.value, found.distance) == (WORTH[solution.value(s)], solution.distance(s))
        if not game.over(s):
            assert found.best == solution.best_moves(s)


@long
def test_the_start_and_every_position_of_tic_tac_toe_from_four_plies_on() -> None:
    """One of each eight that are alike."""
    game = load("tictactoe")
    solution = solve(game)
    one_of_eight = instantiate(representative, game, jit=False)
    for s in {one_of_eight(s): s for s in solution.table.scores}.values():
        if 0 < game.ply(s) < 4:  # these take as long as all others
            continue
        found = alphabeta(game, s, Limit(), Options(table=True), job=PURE)
        assert (found.value, found.distance) == (WORTH[solution.value(s)], solution.distance(s))


def test_a_player_may_move_several_times_in_a_row() -> None:
    for seed in range(60):
        game = gallery.graph(seed=seed, nodes=18, cycles=False)
        solution = solve(game)
        for search in (minimax, alphabeta):
            found = search(game, game.start, job=PURE)
            assert (found.value, found.distance) == (
                WORTH[solution.value(game.start)],
                solution.distance(game.start),
            )


@long
@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_compiled_it_is_the_same(search: Callable[..., Analysis]) -> None:
    game = load("hexapawn:blocked=loss")
    solution = solve(game)
    assert {search(game, game.start, job=Job(jit=jit)).distance for jit in (False, True)} == {
        solution.distance(game.start)
    }


def test_a_forced_win_has_its_distance_though_the_search_was_limited() -> None:
    game = load("connect_four:width=4,height=4,in_a_row=3")
    solution = solve(game, job=PURE)
    assert solution.value(game.start) == "win"
    for plies in range(1, 8):
        found = alphabeta(game, game.start, Limit(plies=plies), job=PURE)
        within = plies >= solution.distance(game.start)
        assert (found.value, found.distance) == ((1, solution.distance(game.start)) if within else (0, None))


def test_where_positions_come_back() -> None:
    game = gallery.tug()
    solution = solve(game)
    for s in solution.table.scores:
        if solution.value(s) != "draw":
            assert alphabeta(
                game, s, Limit(plies=12), Options(table=True), job=PURE
            ).distance == solution.distance(s)


def test_who_is_only_judged_to_be_better_has_not_won() -> None:
    game = load("hexapawn")
    found = alphabeta(
        game,
        game.position().play("a1a2").state,
        Limit(plies=2),
        Options(evaluation=evaluation(game, "pawns+2*advance")),
        job=PURE,
    )
    assert found.value != 0
    assert (found.exact, found.distance) == (False, None)


@pytest.mark.parametrize(("soon", "late"), [(1, 5), (1, 1), (3, 2)])
@pytest.mark.parametrize("search", [minimax, alphabeta])
def test_no_end_is_told_at_which_less_is_won(search: Callable[..., Analysis], soon: int, late: int) -> None:
    """Player 0 takes `soon` at once, or `late` after three plies."""

    class Wait(NamedTuple):
        at: int
        mover: int

    game = Game(
        "wait",
        Wait(0, 0),
        moves=lambda s: 0b11 if s.at == 0 else 0b1,
        play=lambda s, move: Wait(4 if s.at == 0 and move == 1 else s.at + 1, 1 - s.mover),
        over=lambda s: s.at >= 3,
        payoff=lambda s, player: (soon if s.at == 4 else late) * (1 - 2 * player),
        bits=(3, 1),
        acyclic=True,
    )
    found = search(game, game.start, job=PURE)
    assert found.value == max(soon, late)
    assert found.distance == (1 if soon >= late else None)
    end = played(game, game.start, found.pv)
    assert game.over(end)
    assert game.payoff(end, 0) == found.value


@pytest.mark.parametrize("text", SMALL)
def test_the_line_of_best_play_ends_when_it_is_said_to_end(text: str) -> None:
    game = load(text)
    for s in solve(game).table.scores:
        for options in (Options(), Options(table=True, deepen=True, order=True)):
            found = alphabeta(game, s, Limit(), options, job=PURE)
            if found.distance is not None:
                assert len(found.pv) == found.distance
                assert game.over(played(game, s, found.pv))
                assert not found.pv or found.pv[0] & found.best


def test_minimax_tells_the_same_line_as_alpha_beta_where_somebody_wins() -> None:
    game = load("hexapawn:blocked=loss")
    for s in solve(game).table.scores:
        assert minimax(game, s, job=PURE).pv == alphabeta(game, s, job=PURE).pv


def played(game: Game, s: State, line: tuple[int, ...]) -> State:
    for move in line:
        s = game.play(s, move)
    return s
