"""Connect Four: the reference values of spec C."""

from __future__ import annotations

import pytest

from damier import BadInput, LimitReached, load
from damier.core.job import Job
from damier.games.connect_four import ConnectFourState, arrangements
from damier.solve import count, solve

BY_PLY_4_4 = [1, 4, 16, 52, 160, 436, 1128, 2512, 5084, 9276, 14788, 21720, 26698, 28922, 24912, 18076, 7244]
BY_PLY_7_6 = [1, 7, 49, 238, 1120, 4263, 16422]


def test_positions_of_4_by_4_by_ply() -> None:
    counts = count(load("connect_four:width=4,height=4"))
    assert counts.by_ply == BY_PLY_4_4
    assert counts.states == 161029


def test_4_by_4_is_drawn() -> None:
    game = load("connect_four:width=4,height=4")
    solution = solve(game)
    assert (len(solution), solution.value(game.start), solution.distance(game.start)) == (
        161029,
        "draw",
        None,
    )
    assert solution.method == "layers"


def test_positions_of_7_by_6_by_ply() -> None:
    game = load("connect_four")
    layer = {game.start}
    for expected in BY_PLY_7_6:
        assert len(layer) == expected
        layer = {game.play(s, move) for s in layer for move in game.legal(s)}


def test_all_positions_of_7_by_6_are_refused_by_their_number() -> None:
    with pytest.raises(LimitReached, match="positions"):
        count(load("connect_four"), job=Job(memory=8 << 30))


def test_stones_fall_and_keys_of_7_by_6_have_49_bits() -> None:
    game = load("connect_four")
    assert game.grid(game.position().play("4", "4", "3").state).rows == (".......",) * 4 + (
        "...O...",
        "..XX...",
    )
    board = sum(0b111111 << 7 * column for column in range(7))
    assert game.key(ConnectFourState(board, board)).bit_length() == 49


def test_a_full_column_takes_no_stone() -> None:
    position = load("connect_four").position().play(*"444444")
    assert position.moves == ("1", "2", "3", "5", "6", "7")


@pytest.mark.parametrize(
    ("moves", "board"),
    [
        ("1212121", "a column"),
        ("1122334", "a row"),
        ("32234514344", "a diagonal upwards"),
        ("42225323314", "a diagonal downwards"),
    ],
)
def test_four_in_a_row_wins_in_every_direction(moves: str, board: str) -> None:
    position = load("connect_four").position()
    for column in moves:
        assert not position.over, board
        position = position.play(column)
    assert position.payoffs == (1, -1), board


def test_four_around_the_edge_do_not_count() -> None:
    """Bit patterns of neighbouring columns must not run into each other."""
    game = load("connect_four")
    top_and_next_bottom = sum(1 << bit for bit in (3, 4, 5, 7))
    assert game.outcome(ConnectFourState(0, top_and_next_bottom)) != -1
    three_at_the_right = sum(1 << bit for bit in (28, 35, 42))
    assert game.outcome(ConnectFourState(0, three_at_the_right)) != -1


def test_the_bound_on_positions_holds_and_grows() -> None:
    assert arrangements(1, 1) == 2
    assert arrangements(4, 4) >= 161029
    assert arrangements(4, 5) >= 1706255
    # all legal positions of 7x6 (J. Tromp)
    assert load("connect_four").states == arrangements(7, 6) > 4_531_985_219_092


@pytest.mark.parametrize(
    "options",
    [
        "width=0",
        "height=0",
        "width=8,height=7",
        "in_a_row=1",
        "in_a_row=0",
        "width=-7",
        "width=62",
        "height=62",
    ],
)
def test_a_size_out_of_range_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="connect_four"):
        load(f"connect_four:{options}")
