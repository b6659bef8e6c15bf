"""damier's games against naive rules on strings and matrices, over every position that can be
reached.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from lasting import later
from lockstep import FAMILIES, pairs
from oracles import (
    ConnectFour,
    Known,
    Mnk,
    Nim,
    Pawns,
    Rules,
    best_moves,
    by_iteration,
    by_recursion,
    census,
    complete_games,
    lines_of,
)

from damier import Position, load
from damier.core.job import Job
from damier.solve import count, count_games, divide, perft, solve

LARGER = ("tictactoe", "tictactoe misere", "connect_four 3 4 3", "connect_four 4 3 3")
"""Those of which others of FAMILIES say the same."""
PLAIN = Job(jit=False)
every_family = pytest.mark.parametrize(
    ("text", "rules"),
    [later(family) if name in LARGER else family for name, family in FAMILIES.items()],
    ids=FAMILIES.keys(),
)
LARGE: dict[str, tuple[str, Rules]] = {
    "connect_four": ("connect_four", ConnectFour()),
    "connect_four 8 6": ("connect_four:width=8,height=6", ConnectFour(8, 6, 4)),
    "connect_four 5 7 3": ("connect_four:width=5,height=7,in_a_row=5", ConnectFour(5, 7, 5)),
    "connect_four 9 6": ("connect_four:width=9,height=6", ConnectFour(9, 6, 4)),
    "connect_four 9 8": ("connect_four:width=9,height=8", ConnectFour(9, 8, 4)),
    "connect_four 10 7 5": ("connect_four:width=10,height=7,in_a_row=5", ConnectFour(10, 7, 5)),
    "connect_four 16 4 5": ("connect_four:width=16,height=4,in_a_row=5", ConnectFour(16, 4, 5)),
    "mnk 6 6 4": ("mnk:width=6,height=6,in_a_row=4", Mnk(6, 6, 4)),
    "mnk 7 5 3 misere": ("mnk:width=7,height=5,misere=true", Mnk(7, 5, 3, True)),
    "octapawn": ("octapawn", Pawns(4, 4)),
    "octapawn loss": ("octapawn:blocked=loss", Pawns(4, 4, "loss")),
    "pawns 5 4": ("pawns:width=5,height=4", Pawns(5, 4)),
    "pawns 3 9": ("pawns:width=3,height=9,blocked=loss", Pawns(3, 9, "loss")),
    "nim 1000": ("nim:matches=1000,take=7", Nim((1000,), 7)),
    "nim 30 20 10": ("nim:heaps=30-20-10", Nim((30, 20, 10), 0)),
}


LIKE_OTHERS = (
    "connect_four 9 6",
    "connect_four 10 7 5",
    "connect_four 16 4 5",
    "octapawn",
    "pawns 3 9",
    "nim 1000",
)


@cache
def met_in(text: str) -> list[tuple[Position, Any]]:
    """Every position of one of FAMILIES with its naive state."""
    return pairs(load(text), rules_of(text))


@cache
def known_of(text: str) -> dict[Any, Known]:
    return by_recursion(rules_of(text))


def rules_of(text: str) -> Rules:
    return next(rules for other, rules in FAMILIES.values() if other == text)


def result_of(payoffs: tuple[int, ...] | None) -> int | None:
    return None if payoffs is None else payoffs[0]


@every_family
def test_every_position_has_the_moves_mover_end_payoffs_and_board_of_the_naive_rules(
    text: str, rules: Rules
) -> None:
    for position, s in met_in(text):
        result = rules.result(s)
        assert list(position.moves) == (rules.moves(s) if result is None else [])
        assert position.mover == rules.mover(s)
        assert result_of(position.payoffs) == result
        if not text.startswith("nim"):
            assert list(position.game.grid(position.state).rows) == rules.rows(s)


@pytest.mark.parametrize(
    ("text", "rules"),
    [later(board) if name in LIKE_OTHERS else board for name, board in LARGE.items()],
    ids=LARGE.keys(),
)
def test_random_games_of_large_boards_agree_with_the_naive_rules(text: str, rules: Rules) -> None:
    chosen = Random(7)
    for _game in range(6):
        position, s = load(text).position(), rules.start
        while True:
            assert position.mover == rules.mover(s)
            assert result_of(position.payoffs) == rules.result(s)
            if position.over:
                break
            assert list(position.moves) == rules.moves(s)
            name = chosen.choice(position.moves)
            position, s = position.play(name), rules.play(s, name)


@every_family
def test_counts_agree_with_a_naive_walk(text: str, rules: Rules) -> None:
    found, counted = census(rules), count(load(text), job=PLAIN)
    assert counted.by_ply == found.by_ply
    assert (counted.wins, counted.draws, counted.losses) == (found.wins, found.draws, found.losses)
    assert counted.states == sum(found.by_ply)
    assert counted.terminals == found.wins + found.draws + found.losses


@every_family
def test_complete_games_agree_with_a_naive_walk(text: str, rules: Rules) -> None:
    assert count_games(load(text)) == complete_games(rules)


@every_family
def test_perft_and_divide_agree_with_a_naive_walk(text: str, rules: Rules) -> None:
    game = load(text)
    leaves = [lines_of(rules, rules.start, plies) for plies in (1, 2, 3, 4)]
    assert perft(game, 4, job=PLAIN) == leaves
    if rules.result(rules.start) is None:
        assert divide(game, 3, job=PLAIN) == {
            name: lines_of(rules, rules.play(rules.start, name), 2) for name in rules.moves(rules.start)
        }
        position = game.position().play(rules.moves(rules.start)[0])
        assert perft(game, 3, position.state, job=PLAIN) == [
            lines_of(rules, rules.play(rules.start, rules.moves(rules.start)[0]), n) for n in (1, 2, 3)
        ]


@every_family
def test_values_distances_and_best_moves_agree_with_a_naive_solver(text: str, rules: Rules) -> None:
    game = load(text)
    solution, known = solve(game, job=PLAIN), known_of(text)
    met = met_in(text)
    assert len(solution) == len(met) == len(known)
    for position, s in met:
        ours = 1 if rules.mover(s) == 0 else -1
        assert solution.value(position.state) == {1: "win", 0: "draw", -1: "loss"}[ours * known[s].value]
        assert solution.distance(position.state) == known[s].plies
        if not position.over:
            keeping, fastest = best_moves(rules, known, s)
            assert {
                position.game.name_move(position.state, move)
                for move in bits_of(solution.best_moves(position.state))
            } == keeping
            assert {
                position.game.name_move(position.state, move)
                for move in bits_of(solution.fastest_moves(position.state))
            } == fastest


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        later(FAMILIES["tictactoe misere"]),
        *(FAMILIES[name] for name in ("hexapawn loss", "nim 1 3 5 7", "connect_four 3 3 3")),
    ],
)
def test_the_two_naive_solvers_agree(text: str, rules: Rules) -> None:
    """Recursion and rounds to a fixed point are two ways to the same values."""
    assert known_of(text) == by_iteration(rules)


@pytest.mark.parametrize("name", ["hexapawn", "pawns 4 3 loss", "pawns 3 5", "pawns 1 2"])
def test_both_views_of_a_pawn_position_are_the_naive_ids(name: str) -> None:
    text, rules = FAMILIES[name]
    assert isinstance(rules, Pawns)
    for position, s in met_in(text):
        assert position.id == [rules.id(s), rules.id_of_black(s)]


def bits_of(moves: int) -> list[int]:
    return [1 << bit for bit in range(62) if moves >> bit & 1]
