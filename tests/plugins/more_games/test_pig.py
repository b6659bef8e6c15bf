"""Pig against plain value iteration over dictionaries, and against what is published."""

from __future__ import annotations

from itertools import product

import pytest
from lasting import later, long

from damier import BadInput, Job, load
from damier.core.player import RandomPlayer
from damier.plugins.more_games.pig import PigState
from damier.search.minimax import expectimax
from damier.solve import solve
from damier.solve.grade import grade
from tests import reached


def naive_pig(target: int) -> dict[tuple[int, int, int], float]:
    """How likely who is to throw or hold wins: own points, those of the other, the sum of this turn."""
    wins = {
        (mine, theirs, turn): 0.0
        for mine in range(target)
        for theirs in range(target)
        for turn in range(target - mine)
    }

    def win(mine: int, theirs: int, turn: int) -> float:
        return 1.0 if mine + turn >= target else wins[mine, theirs, turn]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for mine, theirs, turn in wins:
            lost = 1 - wins[theirs, mine, 0]
            throw = (lost + sum(win(mine, theirs, turn + face) for face in range(2, 7))) / 6
            # nobody holds with nothing: a turn begins with a throw
            hold = 1 - wins[theirs, mine + turn, 0] if turn else 0.0
            better = max(throw, hold)
            change = max(change, abs(better - wins[mine, theirs, turn]))
            wins[mine, theirs, turn] = better
    return wins


@pytest.mark.parametrize(("target", "jit"), [(1, False), (5, False), (12, False), later((12, True))])
def test_every_chance_is_that_of_naive_value_iteration(target: int, jit: bool) -> None:
    found, right = solve(load(f"pig:target={target}"), job=Job(jit=jit)), naive_pig(target)
    assert found.value(found.start).win_probability == pytest.approx(right[0, 0, 0], abs=1e-6)
    states = [s for s in found.table.scores if not found.game.over(s)] if not jit else []
    for s in states:
        mine, theirs = (s.first, s.second) if s.mover == 0 else (s.second, s.first)
        if not s.rolling:
            assert found.value(s).win_probability == pytest.approx(right[mine, theirs, s.turn], abs=1e-6)
            best = [
                found.game.name_move(s, move) for move in found.game.legal(s) if found.best_moves(s) & move
            ]
            assert best


@long
def test_to_a_hundred_points_the_first_player_wins_as_is_published() -> None:
    """0.5306 [Neller04]."""
    found = solve(load("pig"))
    assert len(found) == 1_921_788
    assert found.value(found.start).win_probability == pytest.approx(0.5306, abs=5e-5)
    assert found.bound <= 1e-6


def test_a_tighter_bound_is_kept() -> None:
    game = load("pig:target=6")
    loose, tight = (solve(game, job=Job(jit=False), bound=bound) for bound in (1e-2, 1e-9))
    assert tight.bound <= 1e-9 <= loose.bound
    assert abs(tight.score(game.start) - loose.score(game.start)) <= loose.bound + tight.bound


def test_expectimax_against_random_play_is_the_best_response() -> None:
    """To a point nothing comes back; the first throw decides, or hands the die over."""
    game = load("pig:target=2")
    best = grade(game, RandomPlayer(), RandomPlayer(), Job(jit=False)).best_against[0].payoff
    deep = [expectimax(game, game.start, limit(plies)).value for plies in (4, 8, 12)]
    assert abs(deep[-1] - best) < abs(deep[0] - best) < 1  # type: ignore[operator]
    assert deep[-1] == pytest.approx(best, abs=0.01)


def limit(plies: int) -> object:
    from damier.core.analysis import Limit

    return Limit(plies=plies)


def test_the_turn_goes_on_and_is_lost() -> None:
    position = load("pig:target=20").position().play("6", "roll", "4")
    assert str(position) == "> 1: 0 + 10 / 20\n  2: 0 / 20"
    assert position.moves == ("roll", "hold")
    assert str(position.play("hold")) == "  1: 10 / 20\n> 2: 0 + 0 / 20"
    assert str(position.play("roll", "1")) == "  1: 0 / 20\n> 2: 0 + 0 / 20"
    assert position.play("roll", "6", "roll", "5").payoffs == (1, -1)


@pytest.mark.parametrize("target", [1, 2, 6, 9])
def test_positions_are_read_that_can_be_reached_and_no_others(target: int) -> None:
    game = load(f"pig:target={target}")
    found = set(reached.states_of(game))
    points = range(target + 2)
    for fields in product(points, points, points, range(2), range(2)):
        s = PigState(*fields)
        assert game.write_position
        assert game.read_position
        written = game.write_position(s)
        if s in found:
            assert game.read_position(written) == s
        else:
            with pytest.raises(BadInput):
                game.read_position(written)


@pytest.mark.parametrize("target", [0, -1, 1001])
def test_a_target_out_of_bounds_is_refused(target: int) -> None:
    with pytest.raises(BadInput, match="from 1 to 1000"):
        load(f"pig:target={target}")
