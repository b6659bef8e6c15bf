"""Minimax on games against the slides' own words, the solver, and itself compiled; what it refuses;
how it is stopped.
"""

from __future__ import annotations

from collections.abc import Callable

import gallery
import pytest
from lasting import later, long, shortly

from damier import Game, LimitReached, load
from damier.core.analysis import Analysis, Limit, evaluation
from damier.core.errors import BadInput, Unsuitable
from damier.core.job import Job
from damier.core.moves import each
from damier.search import running
from damier.search.alphabeta import alphabeta
from damier.search.minimax import minimax
from damier.search.running import ENDLESS, Run
from damier.solve import solve
from tests.reached import states_of
from tests.search.naive_games import minimax as naive, nodes

PURE = Job(jit=False)

GAMES = {
    "hexapawn": lambda: load("hexapawn"),
    "hexapawn loss": lambda: load("hexapawn:blocked=loss"),
    "misere": lambda: load("mnk:width=3,height=2,in_a_row=2,misere=true"),
    "nim": lambda: load("nim:heaps=1-2-3"),
    "several moves in a row": lambda: gallery.graph(seed=3, nodes=16, cycles=False),
    "scored": lambda: gallery.scored(8, 3, -2),
    "fences": gallery.fences,
    "mutual": gallery.mutual,
}
# seconds of compiler each
COMPILED = ["tictactoe", "hexapawn loss", "misere", "several moves in a row", "scored", "mutual"]
SMALL = {
    "tictactoe": ("tictactoe", 4),
    "hexapawn": ("hexapawn", 0),
    "nim": ("nim:matches=11", 0),
    "nim normal": ("nim:heaps=1-2-4,misere=false", 0),
    "connect": ("connect_four:width=3,height=3,in_a_row=3", 0),
}


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("plies", [1, 2, 3, 5])
def test_to_every_depth_as_the_slides_write_it(make: object, plies: int) -> None:
    game: Game = make()
    found = minimax(game, game.start, Limit(plies=plies), job=PURE)
    side = 1 if game.mover(game.start) == 0 else -1
    values = {
        move: side * naive(game, game.play(game.start, move), plies - 1) for move in game.legal(game.start)
    }
    assert found.values == values
    assert found.value == side * naive(game, game.start, plies) == max(values.values())
    assert found.best == sum(move for move, value in values.items() if value == found.value)
    assert found.nodes == nodes(game, game.start, plies)


@pytest.mark.parametrize("name", shortly(COMPILED, "tictactoe"))
def test_compiled_it_finds_and_counts_the_same(name: str) -> None:
    game: Game = GAMES[name]() if name in GAMES else load(name)
    s = game.position().play("0", "1").state if name == "tictactoe" else game.start
    for limit in (Limit(plies=4), Limit()):
        pure, compiled = (minimax(game, s, limit, job=Job(jit=jit)) for jit in (False, True))
        for fact in ("value", "values", "best", "nodes", "explored", "plies", "exact", "pv", "distance"):
            assert getattr(pure, fact) == getattr(compiled, fact), fact


@pytest.mark.parametrize(
    ("text", "first_ply"),
    shortly(SMALL.values(), *list(SMALL.values())[1:]),
    ids=SMALL,
)
def test_at_full_depth_it_agrees_with_the_solver_in_every_position(text: str, first_ply: int) -> None:
    game = load(text)
    solution = solve(game)
    job = Job(jit=False)
    checked = 0
    for s in solution.table.scores:
        if not game.over(s) and game.ply(s) >= first_ply:
            found = minimax(game, s, job=job, explain=False)
            assert found.exact
            assert found.value == {"win": 1, "draw": 0, "loss": -1}[solution.value(s)]
            assert found.best == solution.best_moves(s)
            checked += 1
    assert checked >= 20


def test_the_whole_tree_of_tic_tac_toe() -> None:
    """Spec C: 549946 nodes of the tree, 5478 positions."""
    game = load("tictactoe")
    found = minimax(game, game.start, job=Job(jit=True))
    assert (found.nodes, found.explored, found.value, found.plies, found.exact) == (549946, 5478, 0, 9, True)
    assert len(found.pv) == 9


def test_where_it_stops_it_takes_the_evaluation() -> None:
    game = load("hexapawn")
    judged = evaluation(game, "2*pawns+0.5*advance")
    weigh = lambda s: 2.0 * game.features["pawns"](s) + 0.5 * game.features["advance"](s)  # noqa: E731
    for plies in (1, 2, 3):
        found = minimax(game, game.start, Limit(plies=plies), judged, job=PURE)
        assert found.value == naive(game, game.start, plies, weigh)
        assert not found.exact


@pytest.mark.parametrize(
    ("text", "judge", "explain"),
    [("tictactoe", "lines", False), later(("hexapawn", "2*pawns+0.5*advance", True))],
)
def test_compiled_it_takes_the_same_evaluation(text: str, judge: str, explain: bool) -> None:
    game = load(text)
    judged = evaluation(game, judge)
    for plies in (1, 2, 3):
        found, compiled = (
            minimax(game, game.start, Limit(plies=plies), judged, job=Job(jit=jit), explain=explain)
            for jit in (False, True)
        )
        assert (compiled.value, compiled.values, compiled.best) == (found.value, found.values, found.best)
        assert compiled.nodes == found.nodes
        assert not found.exact


@pytest.mark.parametrize(
    ("text", "weights"),
    [("pawns", [1]), ("-pawns", [-1]), ("9*pawns+.5*advance", [9, 0.5]), ("pawns-2*pawns", [-1])],
)
def test_evaluations_are_read(text: str, weights: list[float]) -> None:
    assert list(evaluation(load("hexapawn"), text).weights) == weights


@pytest.mark.parametrize(
    "text", ["pwns", "3*", "pawns advance", "pawns*2", "2pawns", "pawns+", "1e9*pawns", "*pawns"]
)
def test_other_evaluations_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        evaluation(load("hexapawn"), text)
    assert "\n" not in str(caught.value)
    assert "pawns" in str(caught.value)


def test_several_players_against_the_first_are_all_min() -> None:
    game = gallery.three_players(6)
    found = minimax(game, game.start, job=PURE)
    assert found.value == naive(game, game.start, 100)


@pytest.mark.parametrize("make", [gallery.dice, gallery.secret], ids=["dice", "secret"])
def test_what_it_cannot_handle_it_refuses_by_name(make: object) -> None:
    game = make()
    with pytest.raises(Unsuitable, match="minimax"):
        minimax(game, game.start)


def test_a_game_without_end_needs_a_limit() -> None:
    game = gallery.tug()
    assert minimax(game, game.start, Limit(plies=4), job=PURE).value == naive(game, game.start, 4)


def test_nodes_stop_it_and_the_deepest_search_that_came_to_its_end_counts() -> None:
    game = load("tictactoe")
    whole = minimax(game, game.start, Limit(plies=3), job=PURE)
    upto = sum(nodes(game, game.start, plies) for plies in (1, 2, 3))
    exactly = minimax(game, game.start, Limit(nodes=upto), job=PURE)
    assert (exactly.plies, exactly.values, exactly.nodes, exactly.stopped) == (3, whole.values, upto, True)
    less = minimax(game, game.start, Limit(nodes=upto - 1), job=PURE)
    assert (less.plies, less.nodes) == (2, upto - 1)
    with pytest.raises(LimitReached):
        minimax(game, game.start, Limit(nodes=1), job=PURE)


@pytest.mark.parametrize(("search", "jit"), [(minimax, False), (alphabeta, True), later((minimax, True))])
def test_the_clock_stops_it(search: Callable[..., Analysis], jit: bool) -> None:
    game = load("connect_four")
    search(game, game.start, Limit(plies=1), job=Job(jit=jit), explain=False)  # compiled by now
    for seconds in (0.3, 3, 30):  # more where others had the processor for all of it
        found = search(game, game.start, Limit(seconds=seconds), job=Job(jit=jit), explain=False)
        assert found.stopped
        if found.plies >= 2:
            break
    assert found.plies >= 2
    assert found.best in list(each(found.best)) or len(found.values) > 1


def test_more_positions_than_the_set_has_room_for_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SLOTS", 1 << 10)
    game = load("tictactoe")
    assert minimax(game, game.start, job=Job(jit=True)).explored == 5478


@long
def test_more_positions_than_the_set_has_room_for_at_first_on_a_larger_board() -> None:
    game = load("connect_four:width=4,height=4")
    found = minimax(game, game.start, Limit(plies=11), job=Job(jit=True))
    # spec C, by ply
    assert found.explored == sum((1, 4, 16, 52, 160, 436, 1128, 2512, 5084, 9276, 14788, 21720))


@pytest.mark.parametrize("jit", [False, later(True)])
def test_wide_states_are_told_apart(jit: bool) -> None:
    game = gallery.wide()
    run, states = Run(game, jit, marking=True), states_of(game)
    run.begin(ENDLESS)
    for s in [*states, *states]:
        run.look_at(s, 3)
    assert run.explored == len(states) > 10
    assert run.nodes == 2 * len(states)


@long
def test_wide_states_are_told_apart_by_a_search() -> None:
    game = gallery.wide()
    pure, compiled = (minimax(game, game.start, job=Job(jit=jit)) for jit in (False, True))
    assert pure.explored == compiled.explored
    assert pure.explored > 1


@pytest.mark.parametrize(
    "given", [{"plies": 0}, {"rounds": -1}, {"nodes": 0}, {"seconds": 0.0}, {"plies": 1, "rounds": 1}]
)
def test_limits_that_make_no_sense_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        Limit(**given)
