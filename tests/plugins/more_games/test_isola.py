"""Isola: rules against naive ones on dictionaries, values of small boards, positions as text."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from lasting import long

from damier import ONGOING, BadInput, Job, load
from damier.core.job import Notes
from damier.plugins.more_games.isola import isola
from damier.solve import perft, solve

Cell = tuple[int, int]
LETTERS = "abcdefghijk"


class Board(NamedTuple):
    """Where the mover and the other stand, and which cells are out."""

    mine: Cell
    theirs: Cell
    out: frozenset[Cell]


class NaiveIsola(NamedTuple):
    """Columns from 0 on the left, rows from 1 at the bottom."""

    width: int
    height: int

    @property
    def start(self) -> Board:
        middle = (self.width - 1) // 2
        return Board((self.width - 1 - middle, 1), (middle, self.height), frozenset())

    def moves(self, board: Board) -> dict[str, Board]:
        found = {}
        cells = {(x, y) for x in range(self.width) for y in range(1, self.height + 1)}
        x, y = board.mine
        steps = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & cells
        for goal in steps - {board.mine, board.theirs} - board.out:
            for out in cells - {goal, board.theirs} - board.out:
                found[f"{name(goal)}-{name(out)}"] = Board(board.theirs, goal, board.out | {out})
        return found

    def value(self, board: Board, known: dict[Board, int]) -> int:
        """What it is worth to the mover."""
        if board not in known:
            following = self.moves(board).values()
            known[board] = max((-self.value(after, known) for after in following), default=-1)
        return known[board]


def name(cell: Cell) -> str:
    return f"{LETTERS[cell[0]]}{cell[1]}"


@pytest.mark.parametrize(("width", "height"), [(2, 3), (3, 4), (6, 8), (7, 9), (11, 11)])
def test_random_games_agree_with_the_naive_rules(width: int, height: int) -> None:
    rules = NaiveIsola(width, height)
    for seed in range(3):
        chosen, position, board = Random(seed), isola(width, height).position(), rules.start
        for _ply in range(60):
            following = rules.moves(board)
            assert set(position.moves) == set(following)
            if not following:
                break
            move = chosen.choice(sorted(following))
            position, board = position.play(move), following[move]
        assert position.over == (not rules.moves(board))


@pytest.mark.parametrize(("width", "height"), [(2, 3), (3, 2), (3, 3), (2, 4)])
def test_small_boards_have_the_values_of_the_naive_rules(width: int, height: int) -> None:
    rules, game = NaiveIsola(width, height), isola(width, height)
    solution = solve(game)
    assert solution.score(game.start) * rules.value(rules.start, {}) > 0


def test_a_mirror_turns_states_and_moves_alike() -> None:
    game, chosen = isola(5, 4), Random(1)
    s = game.start
    while game.outcome(s) == ONGOING:
        moves, turned = game.legal(s), game.turn(s, 1)
        assert game.turn(turned, 1) == s
        assert {game.turn_move(move, 1) for move in moves} == set(game.legal(turned))
        move = chosen.choice(moves)
        assert game.turn(game.play(s, move), 1) == game.play(turned, game.turn_move(move, 1))
        s = game.play(s, move)


@pytest.mark.parametrize(("width", "height"), [(1, 8), (12, 8), (2, 2), (5, 12)])
def test_a_size_out_of_range_is_refused(width: int, height: int) -> None:
    with pytest.raises(BadInput, match="isola: a board"):
        isola(width, height)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("O./../X.", "a position is its rows"),
        ("OO/../X. first", "one X and one O"),
        ("O./.#/X. first", "cannot be the turn of player 1"),
        ("O./.?/X. first", "row 2, column 2"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        isola(2, 3).read_position(text)


def test_plain_and_compiled_count_alike() -> None:
    game, notes = load("isola:width=3,height=3"), Notes()
    assert perft(game, 3, job=Job(jit=True, note=notes)) == perft(game, 3, job=Job(jit=False))
    assert notes == []


@long
def test_plain_and_compiled_agree() -> None:
    game = load("isola:width=3,height=3")
    values = [solve(game, job=Job(jit=jit)).explain(game.start) for jit in (False, True)]
    assert values[0] == values[1]
