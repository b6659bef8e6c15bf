"""Marks say in signs, in numbers and in words what a move leads to."""

from __future__ import annotations

import pytest

from damier import load
from damier.core.board import Grid
from damier.draw import MoveMark, move_marks
from damier.draw.text import alone_in_their_cell
from damier.solve.dispatch import solve


@pytest.mark.parametrize(
    ("value", "distance", "short", "words"),
    [
        ("win", 3, "+3", "x wins in 3 plies"),
        ("win", 1, "+1", "x wins in 1 ply"),
        ("loss", 4, "-4", "x loses in 4 plies"),
        ("draw", None, "0", "x draws"),
        ("draw", 2, "0", "x draws"),
        ("win", None, "+", "x wins"),
        ("loss", None, "-", "x loses"),
        (None, None, "", "x is legal"),
    ],
)
def test_each_value_has_its_text(value, distance, short, words):
    mark = MoveMark(1, "x", (0,), value, distance)
    assert (mark.short, mark.words) == (short, words)


def test_marks_follow_the_solution():
    game = load("hexapawn:blocked=loss")
    after = game.position().play("b1b2")
    marks = move_marks(game, after.state, solve(game).explain(after.state))
    assert [mark.name for mark in marks] == list(after.moves)
    assert {mark.name: mark.short for mark in marks} == {
        "c3c2": "-2",
        "c3b2": "+5",
        "a3b2": "+5",
        "a3a2": "-2",
    }
    assert {mark.name for mark in marks if mark.best} == {"c3b2", "a3b2"}
    assert {mark.name: mark.cells for mark in marks}["c3b2"] == (2, 4)


def test_best_moves_are_those_of_the_solution():
    game = load("nim:heaps=1-3-5-7")
    solution = solve(game)
    state = game.position().play("4:2").state
    assert sum(
        mark.move for mark in move_marks(game, state, solution.explain(state)) if mark.best
    ) == solution.best_moves(state)


def test_moves_of_which_nothing_is_known_have_no_value():
    game = load("tictactoe")
    marks = move_marks(game, game.start, {1: ("draw", None)})
    assert [mark.value for mark in marks] == ["draw"] + [None] * 8
    assert [mark.best for mark in marks] == [True] + [False] * 8
    assert not any(mark.best for mark in move_marks(game, game.start))


def test_a_finished_game_has_no_marks():
    over = load("tictactoe").position().play("0", "3", "1", "4", "2")
    assert move_marks(over.game, over.state, {}) == []


def test_marks_that_share_a_cell_or_lie_outside_are_not_shown_in_one():
    marks = [
        MoveMark(1, "a", (0,)),
        MoveMark(2, "b", (0,)),
        MoveMark(4, "c", (1,)),
        MoveMark(8, "d", (0, 1)),
        MoveMark(16, "e"),
        MoveMark(32, "f", (9,)),
    ]
    assert alone_in_their_cell(marks, Grid(("..",))) == {1: marks[2]}
