"""Monte Carlo tree search: deterministic for a seed, alike in both worlds, exact where it has
proved something, and good at small games.
"""

from __future__ import annotations

import gallery
import pytest
from lasting import long, shortly

from damier import Game, load
from damier.core.analysis import Analysis, Limit
from damier.core.errors import LimitReached, Unsuitable
from damier.core.job import Job
from damier.search.mcts import GrowingTree, mcts
from damier.solve import solve

GAMES = {
    "tictactoe": lambda: load("tictactoe"),
    "connect": lambda: load("connect_four:width=4,height=4"),
    "dice": gallery.dice,
    "three players": lambda: gallery.three_players(9),
    "scored": lambda: gallery.scored(9, 3, -2),
    "tug": gallery.tug,
    "wide": gallery.wide,
}
FACTS = ("value", "values", "visits", "best", "nodes", "plies", "exact", "pv", "stopped")


def facts(found: Analysis) -> list[object]:
    return [getattr(found, name) for name in FACTS]


@pytest.mark.parametrize("name", shortly(GAMES, "tictactoe", "dice"))
def test_plain_and_compiled_grow_the_same_tree(name: str) -> None:
    game: Game = GAMES[name]()
    for seed in (0, 7):
        pure, compiled = (
            mcts(game, game.start, None, 300, seed=seed, job=Job(jit=jit)) for jit in (False, True)
        )
        assert facts(pure) == facts(compiled)


def test_a_seed_decides() -> None:
    game = load("connect_four")
    once, again, other = (
        mcts(game, game.start, None, 200, seed=seed, job=Job(jit=False)) for seed in (1, 1, 2)
    )
    assert facts(once) == facts(again) != facts(other)


@pytest.mark.parametrize("make", [GAMES["tictactoe"], GAMES["connect"]])
def test_the_simulations_are_shared_out_among_the_moves(make: object) -> None:
    game: Game = make()
    found = mcts(game, game.start, None, 200, job=Job(jit=False))
    assert sum(found.visits.values()) in (199, 200)  # the first one of all looks at the root only
    assert set(found.visits) == set(game.legal(game.start))


@long
@pytest.mark.parametrize("text", ["nim", "nim:misere=false,matches=13", "nim:heaps=1-3-4"])
def test_it_finds_the_move_of_the_solver_in_every_won_position_of_nim(text: str) -> None:
    game = load(text)
    solution = solve(game)
    won = [s for s in solution.table.scores if not game.over(s) and solution.value(s) == "win"]
    assert len(won) > 10
    for s in won:
        found = mcts(game, s, None, 20_000, job=Job(jit=True))
        assert found.best & ~solution.best_moves(s) == 0
        assert found.best


@pytest.mark.parametrize(
    "text", shortly(["tictactoe", "hexapawn:blocked=loss", "mnk:width=3,height=2,in_a_row=2"], "tictactoe")
)
def test_what_it_has_proved_is_true(text: str) -> None:
    game = load(text)
    solution = solve(game)
    proved = 0
    for number, s in enumerate(solution.table.scores):
        if not game.over(s) and number % 9 == 0:
            found = mcts(game, s, None, 2000, seed=number, job=Job(jit=True))
            if found.exact:
                proved += 1
                assert found.value == {"win": 1, "draw": 0, "loss": -1}[solution.value(s)]
                assert found.best & ~solution.best_moves(s) == 0
    assert proved > 3


def test_it_never_leaves_the_value_of_tic_tac_toe() -> None:
    """5000 simulations keep the draw in every position that such a player can come to, whatever the
    opponent plays and whoever begins.
    """
    game = load("tictactoe")
    solution = solve(game)
    job = Job(jit=True)
    for seat in (0, 1):
        waiting, seen = [game.start], set()
        while waiting:
            s = waiting.pop()
            if s in seen or game.over(s):
                continue
            seen.add(s)
            if game.mover(s) == seat:
                best = mcts(game, s, None, 5000, job=job).best
                assert best & ~solution.best_moves(s) == 0, s
                waiting.append(game.play(s, best & -best))
            else:
                waiting += [game.play(s, move) for move in game.legal(s)]


def test_a_payoff_above_one_does_not_settle_what_a_larger_one_might() -> None:
    game = gallery.scored(6, 5, -5)
    found = mcts(game, game.start, None, 4000, job=Job(jit=False))
    assert found.value == pytest.approx(solve_scores(game, game.start), abs=0.1)


def solve_scores(game: Game, s: object) -> float:
    """What `s` is worth to player 0."""
    if game.over(s):
        return float(game.payoff(s, 0))
    values = [solve_scores(game, game.play(s, move)) for move in game.legal(s)]
    return max(values) if game.mover(s) == 0 else min(values)


def test_limits() -> None:
    game = load("connect_four")
    assert mcts(game, game.start, Limit(nodes=500), 100_000, job=Job(jit=False)).nodes < 1000
    timed = mcts(game, game.start, Limit(seconds=0.2), 10_000_000, job=Job(jit=False))
    assert timed.stopped
    assert timed.best
    with pytest.raises(LimitReached):
        mcts(game, game.start, None, 100_000, job=Job(memory=1 << 16, jit=False))
    with pytest.raises(Unsuitable, match="mcts"):
        mcts(gallery.secret(), gallery.secret().start)


def test_a_finished_game_has_no_move() -> None:
    game = load("nim:matches=1")
    s = game.play(game.start, 1)
    found = mcts(game, s, None, 10)
    assert (found.best, found.value, found.exact) == (0, 1, True)


@pytest.mark.parametrize("jit", [False, True])
def test_one_simulation_is_enough_to_move(jit: bool) -> None:
    """It only makes the root: no move has been tried, and none is given up for that."""
    game = load("tictactoe")
    found = mcts(game, game.start, simulations=1, job=Job(jit=jit))
    assert found.best == game.moves(game.start)


def test_a_position_with_more_moves_than_a_byte_counts_keeps_them_in_compiled_code() -> None:
    game = load("go:size=13")
    tree = GrowingTree(game, game.start, 0, 1.4, jit=False)
    tree.run(2)
    before = list(tree.arrays.child_count[:1])
    tree.compile()
    assert before == [170] == tree.arrays.child_count[:1].tolist()
