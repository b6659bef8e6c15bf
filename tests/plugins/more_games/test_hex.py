"""Hex: rules against naive ones on strings, values of small boards, chains that cannot be cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest
from lasting import long

from damier import BadInput, Position, load
from damier.core.job import Job, Notes
from damier.core.rules import loss_in, win_in
from damier.search.exact import Prover
from damier.solve import count, perft, solve
from tests.oracles import by_recursion, census
from tests.reached import states_of

LETTERS = "abcdefghijklmnopqrs"


@dataclass(frozen=True)
class NaiveHex:
    """A state is a string of `X`, `O` and `.`, row by row, and who moves."""

    size: int
    swap: bool = False

    @property
    def start(self) -> tuple[str, int]:
        return "." * self.size**2, 0

    def mover(self, s: tuple[str, int]) -> int:
        return s[1]

    def moves(self, s: tuple[str, int]) -> list[str]:
        board, mover = s
        found = [self._name(cell) for cell, mark in enumerate(board) if mark == "."]
        return found + ["swap"] * (self.swap and mover == 1 and "O" not in board)

    def play(self, s: tuple[str, int], name: str) -> tuple[str, int]:
        board, mover = s
        if name == "swap":
            row, column = divmod(board.index("X"), self.size)
            cell, board = column * self.size + row, "." * self.size**2
        else:
            cell = LETTERS.index(name[0]) + (int(name[1:]) - 1) * self.size
            assert board[cell] == "."
        return board[:cell] + "XO"[mover] + board[cell + 1 :], 1 - mover

    def result(self, s: tuple[str, int]) -> int | None:
        return 1 if self._joins(s[0], "X") else -1 if self._joins(s[0], "O") else None

    def rows(self, s: tuple[str, int]) -> list[str]:
        return [s[0][row * self.size : (row + 1) * self.size] for row in range(self.size)]

    def _joins(self, board: str, mark: str) -> bool:
        """Whether X has a chain from the first row to the last, or O from the first column."""
        n = self.size
        stack = [(0, i) if mark == "X" else (i, 0) for i in range(n)]
        seen = set()
        while stack:
            row, column = cell = stack.pop()
            if cell in seen or not (0 <= row < n and 0 <= column < n) or board[row * n + column] != mark:
                continue
            if (row if mark == "X" else column) == n - 1:
                return True
            seen.add(cell)
            stack += [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i != j]
        return False

    def _name(self, cell: int) -> str:
        return f"{LETTERS[cell % self.size]}{cell // self.size + 1}"


def side_by_side(text: str, rules: NaiveHex, seed: int) -> Iterator[tuple[Position, tuple[str, int]]]:
    """The positions of a random game, in both rules."""
    chosen = Random(seed)
    position, s = load(text).position(), rules.start
    while True:
        yield position, s
        if position.over:
            return
        name = chosen.choice(position.moves)
        position, s = position.play(name), rules.play(s, name)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_random_games_agree_with_the_naive_rules(size: int, swap: bool) -> None:
    rules = NaiveHex(size, swap)
    for seed in range(10):
        for position, s in side_by_side(f"hex:size={size},swap={swap}".lower(), rules, seed):
            result = rules.result(s)
            assert list(position.moves) == (rules.moves(s) if result is None else [])
            assert (None if position.payoffs is None else position.payoffs[0]) == result
            assert position.mover == rules.mover(s)
            assert list(position.game.grid(position.state).rows) == rules.rows(s)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_counts_and_values_of_small_boards_agree_with_naive_ones(size: int, swap: bool) -> None:
    rules, game = NaiveHex(size, swap), load(f"hex:size={size},swap={swap}".lower())
    found, counted = census(rules), count(game)
    assert (counted.by_ply, counted.wins, counted.losses, counted.draws) == (
        found.by_ply,
        found.wins,
        found.losses,
        0,
    )
    known, solution = by_recursion(rules), solve(game)
    assert len(known) == len(solution)
    for name in rules.moves(rules.start):
        child, state = known[rules.play(rules.start, name)], game.position().play(name).state
        assert solution.value(state) == {1: "loss", -1: "win"}[child.value]
        assert solution.distance(state) == child.plies


def test_perft_counts_taking_over() -> None:
    assert perft(load("hex:size=4"), 3) == [16, 16 * 15, 16 * 15 * 14]
    assert perft(load("hex:size=4,swap=true"), 3) == [16, 16 * 16, 16 * 15 * 15]


def test_a_stone_that_is_taken_over_lies_mirrored_in_the_other_colour() -> None:
    position = load("hex:size=3,swap=true").position().play("c1", "swap")
    assert position.game.grid(position.state).rows == ("...", "...", "O..")
    assert position.mover == 0
    assert "swap" not in position.play("b2").moves
    assert position.game.ply(position.state) == 2


def test_no_first_player_loses_without_swap_and_all_do_with_it() -> None:
    for size in (2, 3):
        assert solve(load(f"hex:size={size}")).value(load(f"hex:size={size}").start) == "win"
        with_swap = load(f"hex:size={size},swap=true")
        assert solve(with_swap).value(with_swap.start) == "loss"


def test_the_first_stones_that_win_on_3_by_3() -> None:
    rules = NaiveHex(3)
    known = by_recursion(rules)
    winning = {name for name in rules.moves(rules.start) if known[rules.play(rules.start, name)].value > 0}
    assert winning == {"c1", "a2", "b2", "c2", "a3"} == set(winning_openings(3))


@long
def test_the_first_stones_that_win_on_4_by_4_are_the_short_diagonal() -> None:
    assert set(winning_openings(4)) == {"d1", "c2", "b3", "a4"} == openings_by_naive_search(4)


@long
def test_the_first_stones_that_win_on_5_by_5() -> None:
    assert set(winning_openings(5)) == {
        *("e1", "b2", "c2", "d2", "e2", "b3", "c3"),
        *("a5", "d4", "c4", "b4", "a4", "d3"),
    }


def winning_openings(size: int) -> list[str]:
    """By one question each, of larger boards compiled: does the first player win after this?"""
    game = load(f"hex:size={size}")
    prover = Prover(game, size > 3, 1 << 22 if size > 3 else 1 << 12)
    prover.run.begin(1 << 40)
    return [
        name
        for name, move in game.position().named_moves.items()
        if prover.ask(game.play(game.start, move), 1) > 0
    ]


def openings_by_naive_search(size: int) -> set[str]:
    """By plain recursion over strings, the winner alone, each board looked at once."""
    rules = NaiveHex(size)
    known: dict[tuple[str, int], bool] = {}

    def first_wins(s: tuple[str, int]) -> bool:
        if s not in known:
            result = rules.result(s)
            if result is None:
                after = (first_wins(rules.play(s, name)) for name in middle_first(rules.moves(s)))
                known[s] = any(after) if s[1] == 0 else all(after)
            else:
                known[s] = result > 0
        return known[s]

    def middle_first(names: list[str]) -> list[str]:
        middle = (size - 1) / 2
        return sorted(
            names, key=lambda name: abs(LETTERS.index(name[0]) - middle) + abs(int(name[1:]) - 1 - middle)
        )

    return {name for name in rules.moves(rules.start) if first_wins(rules.play(rules.start, name))}


@pytest.mark.parametrize("swap", [False, True])
def test_bounds_hold_and_most_are_exact(swap: bool) -> None:
    """Chains that cannot be cut decide four positions in five of 3 by 3."""
    game = load(f"hex:size=3,swap={swap}".lower())
    solution, exact, going = solve(game), 0, 0
    for s in states_of(game):
        if not game.over(s):
            least, most = game.bounds(s)
            plies = solution.distance(s) or 0
            assert least <= {"win": win_in, "loss": loss_in}[solution.value(s)](plies) <= most
            exact, going = exact + (least == most), going + 1
    assert 0.8 * going < exact < going


def test_bounds_enclose_what_the_naive_rules_say_of_4_by_4() -> None:
    """From some random positions near the end, solved by plain recursion."""
    rules, game = NaiveHex(4), load("hex:size=4")
    met = decided = 0
    for seed in range(30):
        line = side_by_side("hex:size=4", rules, seed)
        position, s = next((position, s) for position, s in line if s[0].count(".") <= 7 or position.over)
        if position.over:
            continue
        value = by_recursion(NaiveFrom(4, False, s))[s]
        plies, won = value.plies or 0, value.value == (1 if position.mover == 0 else -1)
        least, most = game.bounds(position.state)
        assert least <= (win_in(plies) if won else loss_in(plies)) <= most
        met, decided = met + 1, decided + (least > 0 or most < 0)
    assert met > 20
    assert decided > 10


@dataclass(frozen=True)
class NaiveFrom(NaiveHex):
    """The same rules from another beginning."""

    begin: tuple[str, int] = ("", 0)

    @property
    def start(self) -> tuple[str, int]:
        return self.begin


def test_the_path_is_what_each_lacks() -> None:
    game = load("hex:size=5")
    path = game.features["path"]
    assert path(game.start) == 0
    assert path(game.position().play("c3").state) == 1
    assert path(game.position().play("c3", "a1").state) == 0


@pytest.mark.parametrize("options", ["size=0", "size=20", "size=-1"])
def test_a_size_out_of_range_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="hex: size"):
        load(f"hex:{options}")


@long
def test_plain_and_compiled_count_alike() -> None:
    game = load("hex:size=3,swap=true")
    notes = Notes()
    assert count(game, job=Job(jit=True, note=notes)) == count(game, job=Job(jit=False))
    assert notes == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (".../.../... O", "turn of player 2"),
        ("X../.X./..X X", "pieces of the first player: 3"),
        (".X./.X./.XO X", "cannot be the turn"),
        ("OOO/XX./X.. O", "cannot be the turn"),
        ("X.O/X.O/X.O X", "X has joined his edges, and is to move"),
        ("XO./XOO/XXX O", "cannot be the turn"),
        (".../... X", "2 rows"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        load("hex:size=3").read_position(text)


def test_two_chains_from_edge_to_edge_are_refused() -> None:
    with pytest.raises(BadInput, match="X has joined his edges twice"):
        load("hex:size=4").read_position("XOOX/XOOX/XOOX/XO.X O")


def test_taking_over_is_read_where_it_is_allowed() -> None:
    position = load("hex:size=3,swap=true").position().play("c1", "swap", "b2")
    written = position.game.write_position(position.state)
    assert written == ".../.X./O.. O"
    assert position.game.read_position(written) == position.state
    with pytest.raises(BadInput, match="cannot be the turn"):
        load("hex:size=3").read_position(written)
