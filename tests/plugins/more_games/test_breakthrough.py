"""Breakthrough: rules against naive ones on matrices, values of small boards."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from lasting import later

from damier import ONGOING, BadInput, Job
from damier.core.rules import loss_in, win_in
from damier.plugins.more_games.breakthrough import breakthrough
from damier.search.exact import exact
from tests.oracles import by_recursion

LETTERS = "abcdefghijklmnop"


@dataclass(frozen=True)
class NaiveBreakthrough:
    """A state is a tuple of rows of `W`, `B` and `.`, the top row first, and who moves."""

    width: int
    height: int

    @property
    def start(self) -> tuple[tuple[str, ...], int]:
        full = ["W" * self.width] * 2
        return ("B" * self.width, "B" * self.width, *["." * self.width] * (self.height - 4), *full), 0

    def mover(self, s: Any) -> int:
        return s[1]

    def moves(self, s: Any) -> list[str]:
        board, mover = s
        own, step = ("W", -1) if mover == 0 else ("B", 1)
        found = []
        for row in range(self.height):
            for column in range(self.width):
                if board[row][column] != own or not 0 <= row + step < self.height:
                    continue
                for aside in (-1, 0, 1):
                    if 0 <= column + aside < self.width:
                        there = board[row + step][column + aside]
                        if there == "." or (aside and there != own):
                            found.append(self._name(row, column) + self._name(row + step, column + aside))
        return found

    def play(self, s: Any, name: str) -> Any:
        board, mover = [list(row) for row in s[0]], s[1]
        middle = next(i for i in range(1, len(name)) if name[i].isalpha())
        (row, column), (to_row, to_column) = self._cell(name[:middle]), self._cell(name[middle:])
        board[to_row][to_column], board[row][column] = board[row][column], "."
        return tuple("".join(row) for row in board), 1 - mover

    def result(self, s: Any) -> int | None:
        board = s[0]
        text = "".join(board)
        if "W" in board[0] or "B" not in text:
            return 1
        return -1 if "B" in board[-1] or "W" not in text else None

    def rows(self, s: Any) -> list[str]:
        return list(s[0])

    def _name(self, row: int, column: int) -> str:
        return f"{LETTERS[column]}{self.height - row}"

    def _cell(self, name: str) -> tuple[int, int]:
        return self.height - int(name[1:]), LETTERS.index(name[0])


def named(game: Any, s: Any) -> dict[str, int]:
    """The moves of a state by name."""
    found = game.legal(s)
    names = {game.name_move(s, move): move for move in found}
    assert len(names) == len(found)
    assert all(0 < move < 1 << 62 for move in found)
    return names


@pytest.mark.parametrize(("width", "height"), [(2, 4), (3, 5), (5, 4), (8, 8), (16, 16), (7, 9)])
def test_random_games_agree_with_the_naive_rules(width: int, height: int) -> None:
    game, rules = breakthrough(width, height), NaiveBreakthrough(width, height)
    for seed in range(8):
        chosen, s, naive = Random(seed), game.start, rules.start
        while True:
            assert list(game.grid(s).rows) == rules.rows(naive)
            assert s.mover == rules.mover(naive)
            result, outcome = rules.result(naive), game.outcome(s)
            assert (None if outcome == ONGOING else outcome * (1 - 2 * s.mover)) == result
            if result is not None:
                break
            moves = named(game, s)
            assert sorted(moves) == sorted(rules.moves(naive))
            name = chosen.choice(sorted(moves))
            s, naive = game.play(s, moves[name]), rules.play(naive, name)


@pytest.mark.parametrize(("width", "height"), [(2, 4), (2, 5), later((3, 4)), later((2, 6))])
def test_small_boards_have_the_values_of_the_naive_rules(width: int, height: int) -> None:
    game, rules = breakthrough(width, height), NaiveBreakthrough(width, height)
    assert value_of(game) == by_recursion(rules)[rules.start].value


def value_of(game: Any) -> int:
    """Of the start, for the first player, by plain recursion over the rules."""
    known: dict[Any, int] = {}

    def mover_gets(s: Any) -> int:
        if s not in known:
            outcome = game.outcome(s)
            known[s] = (
                outcome
                if outcome != ONGOING
                else max(-mover_gets(game.play(s, m)) for m in named(game, s).values())
            )
        return known[s]

    return mover_gets(game.start)


@pytest.mark.parametrize(("width", "height"), [(2, 4), (2, 5), later((3, 4)), later((2, 6))])
def test_exact_search_finds_the_values_of_the_naive_rules(width: int, height: int) -> None:
    """No position comes back, as every move brings a pawn nearer to the other side."""
    game, rules = breakthrough(width, height), NaiveBreakthrough(width, height)
    found = exact(game, game.start, job=Job(jit=False))
    assert found.complete
    value, plies = by_recursion(rules)[rules.start]
    assert found.bounds.low == (win_in(plies) if value > 0 else loss_in(plies))


def test_a_mirror_turns_states_and_moves_alike() -> None:
    game = breakthrough(5, 6)
    chosen, s = Random(2), game.start
    while game.outcome(s) == ONGOING:
        moves = list(named(game, s).values())
        turned = game.turn(s, 1)
        assert game.turn(turned, 1) == s
        assert {game.turn_move(move, 1) for move in moves} == set(named(game, turned).values())
        move = chosen.choice(moves)
        assert game.turn(game.play(s, move), 1) == game.play(turned, game.turn_move(move, 1))
        s = game.play(s, move)


def test_features_count_pawns_and_steps() -> None:
    game = breakthrough()
    s = game.play(game.start, named(game, game.start)["c2d3"])
    assert (game.features["pawns"](s), game.features["advance"](s)) == (0, 1)
    assert len(named(game, game.start)) == 22


@pytest.mark.parametrize(("width", "height"), [(1, 8), (17, 8), (8, 3), (8, 17)])
def test_a_size_out_of_range_is_refused(width: int, height: int) -> None:
    with pytest.raises(BadInput, match="breakthrough: a board"):
        breakthrough(width, height)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("BB/BB/WW/WW", "a position is its rows"),
        ("WB/B./.W/W. white", "has won already"),
        ("WW/B./.B/.. black", "two pawns on the last row"),
        ("BB/BB/BW/WW white", "at most 4 pawns"),
        ("../../.W/WW white", "has won already"),
        ("BB/BX/WW/WW white", "row 2, column 2"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        breakthrough(2, 4).read_position(text)


def test_positions_are_written_by_rows() -> None:
    game = breakthrough(2, 4)
    assert game.write_position(game.start) == "BB/BB/WW/WW white"
    assert game.read_position("B./BB/.W/W. black") == game.read_position(" B./BB/.W/W.   black ")
