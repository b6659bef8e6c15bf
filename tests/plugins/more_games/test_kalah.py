"""Kalah against naive rules on lists, and against the table of the published solution."""

from __future__ import annotations

from random import Random

import pytest
from lasting import shortly

from damier import BadInput, load
from damier.core.job import Job
from damier.core.solution import ValueSolution
from damier.solve import perft, solve

Board = tuple[tuple[int, ...], tuple[int, ...], int, int]
"""The pits of who is to move and of the other, each from its left; the seeds that each has stored."""


def sow(board: Board, pit: int, empty_capture: bool) -> tuple[Board, bool]:
    """What follows from the side of the same player, and whether it moves again."""
    mine, theirs = list(board[0]), list(board[1])
    stored, pits = board[2], len(mine)
    hand, mine[pit] = mine[pit], 0
    ring = [("mine", i) for i in range(pits)] + [("store", 0)] + [("theirs", i) for i in range(pits)]
    at = pit
    while hand:
        at = (at + 1) % len(ring)
        hand -= 1
        where, i = ring[at]
        if where == "mine":
            mine[i] += 1
        elif where == "theirs":
            theirs[i] += 1
        else:
            stored += 1
    where, i = ring[at]
    if where == "mine" and mine[i] == 1 and (theirs[pits - 1 - i] or empty_capture):
        stored += 1 + theirs[pits - 1 - i]
        mine[i] = theirs[pits - 1 - i] = 0
    return (tuple(mine), tuple(theirs), stored, board[3]), where == "store"


def margin(board: Board, empty_capture: bool, done: dict[Board, int]) -> int:
    """By how much who is to move wins."""
    mine, theirs, stored, others = board
    if not any(mine) or not any(theirs):
        return stored + sum(mine) - others - sum(theirs)
    if board not in done:
        found = []
        for pit in range(len(mine)):
            if mine[pit]:
                after, again = sow(board, pit, empty_capture)
                turned = (after[1], after[0], after[3], after[2])
                found.append(
                    margin(after, empty_capture, done) if again else -margin(turned, empty_capture, done)
                )
        done[board] = max(found)
    return done[board]


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(("pits", "seeds"), [(1, 2), (1, 3), (1, 6), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_the_margin_is_that_of_naive_rules(pits: int, seeds: int, empty_capture: bool) -> None:
    row = (seeds,) * pits
    right = margin((row, row, 0, 0), empty_capture, {})
    game = load(f"kalah:pits={pits},seeds={seeds},empty_capture={str(empty_capture).lower()}")
    found = solve(game)
    if isinstance(found, ValueSolution):
        assert found.score(game.start) == right
    else:
        assert right == {"win": 1, "draw": 0, "loss": -1}[found.value(game.start)]


PUBLISHED = {1: "DLWLWD", 2: "WLLLWW", 3: "DWW"}
"""By pits, for 1, 2, 3 … seeds: whether the first player wins, draws or loses [Irving00]."""


@pytest.mark.parametrize(
    ("pits", "seeds"), [(pits, seeds) for pits, row in PUBLISHED.items() for seeds in range(1, len(row) + 1)]
)
def test_who_wins_is_what_is_published(pits: int, seeds: int) -> None:
    found = solve(load(f"kalah:pits={pits},seeds={seeds}"))
    value = found.value(found.start)
    word = value.word if isinstance(found, ValueSolution) else value
    assert word[0].upper() == PUBLISHED[pits][seeds - 1]


@pytest.mark.parametrize(("pits", "seeds"), [(4, 3), (6, 4), (12, 12)])
def test_random_games_are_those_of_naive_rules(pits: int, seeds: int) -> None:
    for seed in range(30):
        chosen, empty_capture = Random(seed), seed % 2 == 1
        game = load(f"kalah:pits={pits},seeds={seeds},empty_capture={str(empty_capture).lower()}")
        s, board, mover = game.start, ((seeds,) * pits, (seeds,) * pits, 0, 0), 0
        while not game.over(s):
            assert s.mover == mover
            assert game.moves(s) == sum(1 << pit for pit in range(pits) if board[0][pit])
            pit = chosen.choice([pit for pit in range(pits) if board[0][pit]])
            board, again = sow(board, pit, empty_capture)
            s = game.play(s, 1 << pit)
            if not again:
                board, mover = (board[1], board[0], board[3], board[2]), 1 - mover
        mine, theirs, stored, others = board
        assert not any(mine) or not any(theirs)
        assert game.payoff(s, mover) == stored + sum(mine) - others - sum(theirs)


@pytest.mark.parametrize("pits", shortly([4, 6], 6))
def test_a_board_wider_than_a_word_counts_as_a_smaller_one_does(pits: int) -> None:
    """Plain and compiled alike; with 6 pits the seeds take 78 bits."""
    game = load(f"kalah:pits={pits},seeds=4")
    assert bool(game.wide) == (pits == 6)
    assert perft(game, 5, job=Job(jit=True)) == perft(game, 5, job=Job(jit=False))


def test_the_board_is_shown_as_it_lies() -> None:
    position = load("kalah:pits=3,seeds=3").position()
    assert str(position) == " 3  3  3\n 3  3  3 >\nstores: 0 to 0"
    assert str(position.play("2")) == " 3  3  4 <\n 3  0  4\nstores: 1 to 0"
    assert position.play("1").moves == ("2", "3")  # the last seed is stored: the same player again


@pytest.mark.parametrize("options", ["pits=0", "seeds=0", "pits=6,seeds=13", "pits=13,seeds=4"])
def test_a_board_that_cannot_be_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="kalah"):
        load(f"kalah:{options}")
