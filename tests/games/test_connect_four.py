"""Connect Four: the reference values of spec C."""

from __future__ import annotations

from random import Random

import pytest
from lasting import later, long

from damier import BadInput, LimitReached, Position, load
from damier.core.bits import popcount
from damier.core.job import Job
from damier.core.rules import TOP, win_in
from damier.games.connect_four import ConnectFourState, arrangements, first_cells
from damier.search.alphabeta import alphabeta
from damier.solve import count, perft, solve
from tests.oracles import ConnectFour, lines_of

BY_PLY_4_4 = [1, 4, 16, 52, 160, 436, 1128, 2512, 5084, 9276, 14788, 21720, 26698, 28922, 24912, 18076, 7244]
BY_PLY_7_6 = [1, 7, 49, 238, 1120, 4263, 16422]


@long
def test_positions_of_4_by_4_by_ply() -> None:
    counts = count(load("connect_four:width=4,height=4"), job=Job(jit=False))
    assert counts.by_ply == BY_PLY_4_4
    assert counts.states == 161029


def test_4_by_4_is_drawn() -> None:
    game = load("connect_four:width=4,height=4")
    solution = solve(game, job=Job(jit=True))  # plain Python may be the sooner where much else runs
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
        "width=17,height=4",
        "width=4,height=17",
        "width=32,height=1",
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


@pytest.mark.parametrize(
    "size", [(7, 6, 4), (9, 8, 4), (10, 7, 5), (16, 16, 4), (3, 2, 4), (5, 2, 4), (2, 5, 4)]
)
def test_there_are_as_many_lines_as_on_a_board_of_cells(size: tuple[int, int, int]) -> None:
    width, height, length = size
    board = sum(((1 << height) - 1) << column * (height + 1) for column in range(width))
    found = [first_cells(step, length, board) for step in (1, height, height + 1, height + 2)]
    across, up = max(0, width - length + 1), max(0, height - length + 1)
    assert list(map(popcount, found)) == [width * up, across * up, across * height, across * up]


WIDE = {
    "connect_four:width=9,height=6": ConnectFour(9, 6, 4),  # 63 bits
    "connect_four:width=9,height=8": ConnectFour(9, 8, 4),
    "connect_four:width=10,height=7,in_a_row=5": ConnectFour(10, 7, 5),
    "connect_four:width=16,height=16": ConnectFour(16, 16, 4),
}


@pytest.mark.parametrize(
    ("text", "rules", "jit"),
    [
        *(
            (text, rules, False) if "16" not in text else later((text, rules, False))
            for text, rules in WIDE.items()
        ),
        *(later((text, rules, True)) for text, rules in WIDE.items()),
    ],
)
def test_a_board_wider_than_a_word_counts_as_the_naive_rules_do(
    text: str, rules: ConnectFour, jit: bool
) -> None:
    assert perft(load(text), 3, job=Job(jit=jit)) == [lines_of(rules, rules.start, n) for n in (1, 2, 3)]


def played_until(text: str, seed: int, free: int) -> Position | None:
    """A random game in which nobody makes a line, until so many cells are free; None where somebody must."""
    chosen, position = Random(seed), load(text).position()
    cells = sum(len(row) for row in position.game.grid(position.state).rows)  # type: ignore[misc,union-attr]
    for _ply in range(cells - free):
        quiet = [name for name in position.moves if not position.play(name).over]
        if not quiet:
            return None
        position = position.play(chosen.choice(quiet))
    return position


def naive_score(position: Position) -> int:
    """What the mover gets, and how soon, by trying everything."""
    if position.payoffs is not None:
        payoff = position.payoffs[position.mover]
        return TOP * payoff
    best = -TOP
    for name in position.moves:
        score = -naive_score(position.play(name))
        best = max(best, score - (score > 0) + (score < 0))
    return best


@pytest.mark.parametrize(
    ("text", "jit"),
    [
        later(("connect_four:width=9,height=6,in_a_row=5", True)),
        later(("connect_four:width=9,height=6,in_a_row=5", False)),
        ("connect_four:width=9,height=8,in_a_row=6", False),
        later(("connect_four:width=9,height=8,in_a_row=6", True)),
        ("connect_four:width=13,height=4,in_a_row=4", False),
        later(("connect_four:width=13,height=4,in_a_row=4", True)),
    ],
)
def test_bounds_and_moves_that_do_not_lose_at_once_hold_at_the_end_of_wide_boards(
    text: str, jit: bool
) -> None:
    game, told = load(text), 0
    for seed in range(20):
        position = played_until(text, seed, 7)
        if position is None:
            continue
        score = naive_score(position)
        least, most = game.bounds(position.state)
        assert least <= score <= most, (text, seed)
        told += least == score or most == score
        keeping = game.name_moves(position.state, game.non_losing_moves(position.state))
        for name in set(position.moves) - set(keeping):
            after = position.play(name)
            assert after.payoffs is None, (text, seed, name)
            assert naive_score(after) == win_in(1), (text, seed, name)
        found = alphabeta(game, position.state, job=Job(jit=jit), explain=False)
        assert found.value == (score > 0) - (score < 0), (
            text,
            seed,
        )
    assert told > 5


@pytest.mark.parametrize("text", ["connect_four", "connect_four:width=9,height=8,in_a_row=5"])
def test_features_count_the_lines_of_the_board(text: str) -> None:
    game, chosen = load(text), Random(3)
    length = int(game.options["in_a_row"])  # type: ignore[arg-type]
    for _game in range(10):
        position = game.position()
        while not position.over:
            rows = game.grid(position.state).rows  # type: ignore[misc,union-attr]
            lines = list(lines_of_rows(rows, length))
            begun = sum((set(line) <= set(".X")) - (set(line) <= set(".O")) for line in lines)
            threats = sum(
                (sorted(line) == sorted("X" * (length - 1) + "."))
                - (sorted(line) == sorted("O" * (length - 1) + "."))
                for line in lines
            )
            assert game.features["lines"](position.state) == begun
            assert game.features["threats"](position.state) == threats
            position = position.play(chosen.choice(position.moves))


def lines_of_rows(rows: tuple[str, ...], length: int) -> list[str]:
    """The marks of every line of a board."""
    found = []
    for row in range(len(rows)):
        for column in range(len(rows[0])):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + down * n, column + right * n) for n in range(length)]
                if all(0 <= r < len(rows) and 0 <= c < len(rows[0]) for r, c in cells):
                    found.append("".join(rows[r][c] for r, c in cells))
    return found
