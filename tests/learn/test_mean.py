"""Mean scores by hand (row A-77)."""

from __future__ import annotations

from collections import Counter

import pytest

from damier import load
from damier.core.bits import reseed
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.learn.action_values import Row
from tests.learn.scripted import both, learner, play, position

WON, LOST, DRAWN = "0 3 1 4 2", "0 3 1 4 8 5", "0 3 1 4 5 2 6 7 8"


def test_morpion_after_one_two_and_three_games() -> None:
    """A mean of 0 with a count of 1 at first: r / 2 after the first game."""
    game = load("tictactoe")
    x = learner(game, "mean", "morpion")
    opened = position(game, "0 3 1 4")

    play(x, None, WON)
    assert both(x, game.start) == {str(cell): (0.5, 2) if cell == 0 else (0.0, 1) for cell in range(9)}
    assert both(x, opened) == {"2": (0.5, 2), "5": (0.0, 1), "6": (0.0, 1), "7": (0.0, 1), "8": (0.0, 1)}

    play(x, None, LOST)
    # 0 at the start: (0 + 1 - 1) / 3 = 0; 8: -1 / 2
    assert both(x, game.start)["0"] == (pytest.approx(0), 3)
    assert both(x, opened)["8"] == (-0.5, 2)
    assert both(x, opened)["2"] == (0.5, 2)

    play(x, None, WON)
    # 0 at the start: (0 + 1 - 1 + 1) / 4; 2: (0 + 1 + 1) / 3
    assert both(x, game.start)["0"] == (pytest.approx(1 / 4), 4)
    assert both(x, opened)["2"] == (pytest.approx(2 / 3), 3)

    play(x, None, DRAWN)
    # 0 at the start: (0 + 1 - 1 + 1 + 0) / 5; 5: (0 + 0) / 2
    assert both(x, game.start)["0"] == (pytest.approx(1 / 5), 5)
    assert both(x, opened)["5"] == (0.0, 2)
    assert (x.memory.games, x.memory.decisions, x.memory.epsilon) == (4, 3 + 3 + 3 + 5, 0.25)


def test_the_second_seat() -> None:
    game = load("tictactoe")
    o = learner(game, "mean", "morpion")
    play(None, o, WON)
    assert both(o, position(game, "0"))["3"] == (-0.5, 2)
    play(None, o, LOST)
    assert both(o, position(game, "0"))["3"] == (pytest.approx(0), 3)


def test_what_was_gained_later_belongs_to_a_move() -> None:
    """With a reward of 1 a pawn: b1b2 (lost one, won one, lost one, then took one and drew): scores
    0 after the last gain, from the end.
    """
    game = load("hexapawn")
    white = learner(game, "mean", event=1.0, prior_count=0, last_event=True)
    play(white, None, "b1b2 a3b2 a1b2 c3b2 c1b2")
    # c1b2: took one, drew: 1. a1b2: took one, lost one, then that: 1. b1b2: lost one, then that: 0.
    found = [
        value
        for row in white.memory.rows()
        for value, count in zip(row.values, row.counts, strict=True)
        if count
    ]
    assert found == pytest.approx([0.0, 1.0, 1.0])


def test_ties_at_random_and_a_quarter_of_moves_too() -> None:
    game = load("tictactoe")
    x = learner(game, "mean", "morpion")
    moves = tuple(game.legal(game.start))
    x.memory.fill([Row(game.start, moves, (0.5, 0, 0, 0, 0.5, 0, 0, 0, -1.0), (2,) * 9)])
    assert x.probabilities(game, game.start) == {move: 0.5 if move in (1, 16) else 0.0 for move in moves}
    found, rng = Counter[int](), [0]
    for number in range(2000):
        reseed(rng, 1, number)
        found[x.choose(game, game.start, rng)] += 1
    assert set(found) == {1, 16}
    assert found[1] / 2000 == pytest.approx(0.5, abs=0.05)


def test_exploration_while_learning() -> None:
    """Epsilon 0.25: of the first moves, a quarter is drawn among all nine; of those one in nine is
    the best one too.
    """
    game = load("tictactoe")
    x = learner(game, "mean", "morpion", prior_count=1 << 30)
    moves = tuple(game.legal(game.start))
    x.memory.fill([Row(game.start, moves, tuple(float(move == 16) for move in moves), (1 << 30,) * 9)])
    played = MatchSetup(game, (x, RandomPlayer()), seed=2, record=True, limit=16).play(0, 2000, jit=False)
    share = sum(line[0] == 16 for line in played.lines) / 2000
    assert share == pytest.approx(0.75 + 0.25 / 9, abs=0.04)
