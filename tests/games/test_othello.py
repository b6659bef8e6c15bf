"""Othello against rules on a dictionary of cells, published counts and the value of 4 × 4."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from lasting import later, long
from lines_of_play import leaves, random_line

from damier import BadInput, Game, load
from damier.core.bits import popcount, reseed
from damier.core.job import Job
from damier.core.moves import random_move
from damier.core.rules import TOP, State
from damier.core.solution import AnySolution
from damier.search.exact import exact
from damier.solve import solve

Cells = dict[tuple[int, int], str]
DIRECTIONS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


def naive_turned(board: Cells, size: int, cell: tuple[int, int], colour: str) -> list[tuple[int, int]]:
    """What a disc on `cell` would turn over."""
    turned = []
    for right, down in DIRECTIONS:
        run, (x, y) = [], (cell[0] + right, cell[1] + down)
        while board.get((x, y), colour) != colour:
            run.append((x, y))
            x, y = x + right, y + down
        if board.get((x, y)) == colour:
            turned += run
    return turned


def naive_moves(board: Cells, size: int, colour: str) -> dict[str, list[tuple[int, int]]]:
    """Where `colour` may place a disc, and what it turns over."""
    cells = [(x, y) for y in range(size) for x in range(size) if (x, y) not in board]
    found = {cell: naive_turned(board, size, cell, colour) for cell in cells}
    return {f"{'abcdefghijklmnop'[x]}{y + 1}": run for (x, y), run in found.items() if run}


def naive_start(size: int) -> Cells:
    left, right = size // 2 - 1, size // 2
    return {(left, left): "O", (right, right): "O", (right, left): "X", (left, right): "X"}


def rows_of(board: Cells, size: int) -> tuple[str, ...]:
    return tuple("".join(board.get((x, y), ".") for x in range(size)) for y in range(size))


@pytest.mark.parametrize(
    ("size", "games"),
    [(4, 40), later((6, 15)), (8, 4), later((8, 12)), (10, 1), later((10, 3)), later((16, 1))],
)
def test_random_games_are_those_of_rules_on_a_dictionary(size: int, games: int) -> None:
    game = load(f"othello:size={size}")
    passes = 0
    for seed in range(games):
        position, board, colour, other = game.position(), naive_start(size), "X", "O"
        chosen = Random(seed)
        while True:
            mine, theirs = naive_moves(board, size, colour), naive_moves(board, size, other)
            assert game.grid(position.state).rows == rows_of(board, size)
            assert position.over == (not mine and not theirs)
            if position.over:
                break
            assert sorted(position.moves) == sorted(mine or ["pass"])
            name = chosen.choice(position.moves)
            position = position.play(name)
            if mine:
                placed = ("abcdefghijklmnop".index(name[0]), int(name[1:]) - 1)
                board |= dict.fromkeys([*mine[name], placed], colour)
            passes += not mine
            colour, other = other, colour
        lead = sum(1 if disc == "X" else -1 for disc in board.values())
        assert position.payoffs == ((lead > 0) - (lead < 0), (lead < 0) - (lead > 0))
    assert passes or size > 8


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("othello", [4, 12, 56, 244, 1396, 8200]),  # published: aartbik.com, "perft for Reversi"
        ("othello:size=4", [4, 12, 44, 128, 424, 1256]),
    ],
)
def test_lines_of_play_are_as_many_as_published(text: str, counts: list[int]) -> None:
    assert leaves(load(text), len(counts)) == counts


FOUR = load("othello:size=4")


@cache
def lead(s: State) -> int:
    """Discs of the mover less those of the other, after best play by both on 4 × 4."""
    if FOUR.over(s):
        return popcount(s.mine) - popcount(s.theirs)
    return max(-lead(FOUR.play(s, move)) for move in FOUR.legal(s))


def test_on_four_by_four_the_second_player_wins_by_eight_discs() -> None:
    """11 to 3, as published [Feinstein93] for perfect play on 4 × 4."""
    assert lead(FOUR.start) == -8


@pytest.mark.parametrize("text", ["othello:size=4", "othello:size=4,discs=true"])
def test_a_search_proves_what_naive_recursion_says(text: str) -> None:
    """At the end of games in some of which both sides pass."""
    game, job, passes = load(text), Job(jit=False), 0
    in_discs = game.text.endswith("discs=true")
    for seed in range(12):
        for s, name in random_line(game, seed):
            if popcount(s.mine | s.theirs) < 10 or game.over(s):
                continue
            found = exact(game, s, job, units=in_discs, moves=False)
            low, known = found.bounds.low, lead(FOUR.as_state(tuple(s))) * (1 if game.mover(s) == 0 else -1)
            assert found.complete
            assert low == known if in_discs else (low > 0) - (low < 0) == (known > 0) - (known < 0), s
            passes += name == "pass"
    assert passes > 3


@pytest.mark.parametrize("size", [4, 6, 8, 12])
def test_no_disc_goes_and_no_pass_follows_a_pass(size: int) -> None:
    game = load(f"othello:size={size}")
    for seed in range(20 if size < 10 else 2):
        before = None
        for s, name in random_line(game, seed):
            discs = popcount(s.mine | s.theirs)
            assert s.mine & s.theirs == 0
            if before is not None:
                last, last_name = before
                assert discs == popcount(last.mine | last.theirs) + (last_name != "pass")
                assert (last_name, name) != ("pass", "pass")
            before = (s, name)


@pytest.mark.parametrize("size", [4, 6, 8, 16])
def test_positions_are_read_as_they_are_written(size: int) -> None:
    game = load(f"othello:size={size}")
    for s, _name in random_line(game, size):
        assert game.read_position(game.write_position(s)) == s


def test_a_position_that_cannot_be_is_refused_in_one_line() -> None:
    game = load("othello:size=4")
    for text, reason in [
        ("", "a position is its rows joined by / and, after a space, who moves: black | white"),
        ("..../.OX./.XO./....", "who moves: black | white"),
        ("..../.OX./.XO./.... green", "who moves: black | white"),
        ("..../.OX./.XO. black", "a position of 3 rows; this board has 4"),
        ("..../.OX./.XO./... black", "row 4 has 3 cells; on this board it has 4"),
        ("..../.OX./.XO./..x. black", "row 4, column 3: x is none of . X O"),
        ("..../.OX./.X../.... black", "discs on the four cells in the middle"),
        ("\x1b[2J", "who moves"),
    ]:
        with pytest.raises(BadInput) as refusal:
            game.read_position(text)
        assert reason in str(refusal.value)
        assert str(refusal.value).isprintable()


@pytest.mark.parametrize("size", [0, 2, 5, 18, -8])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(BadInput, match="even number from 4 to 16"):
        load(f"othello:size={size}")


def test_features_are_those_of_black_whoever_moves() -> None:
    game: Game = load("othello:size=4")
    s = game.read_position("XX../.OX./.XO./...O white")
    assert {name: feature(s) for name, feature in game.features.items()} == {
        "discs": 1,
        "mobility": len(naive_moves(cells_of("XX...OX..XO....O"), 4, "X"))
        - len(naive_moves(cells_of("XX...OX..XO....O"), 4, "O")),
        "corners": 0,
    }


def cells_of(board: str) -> Cells:
    return {(cell % 4, cell // 4): disc for cell, disc in enumerate(board) if disc != "."}


@cache
def solved(text: str) -> AnySolution:
    return solve(load(text))


@long
def test_by_discs_the_second_player_wins_the_small_board_by_eight() -> None:
    """11 to 3, as published [Feinstein93] for perfect play on 4 × 4."""
    start = load("othello:size=4").start
    assert solved("othello:size=4,discs=true").score(start) == -8
    assert solved("othello:size=4").score(start) < 0


@long
@pytest.mark.parametrize("text", ["othello:size=4", "othello:size=4,discs=true"])
def test_a_search_proves_what_all_positions_solved_say(text: str) -> None:
    """From the start, and along a game in which both sides pass."""
    game = load(text)
    everything, rng, passes = solved(text), [0], 0
    in_discs = game.text.endswith("discs=true")
    for number in range(12):
        reseed(rng, 5, number)
        s = game.start
        while not game.over(s):
            found = exact(game, s, units=in_discs, moves=False)
            known = int(everything.score(s))
            if not found.units and known:
                known = (1 if known > 0 else -1) * (TOP - (everything.distance(s) or 0))
            assert found.complete
            assert found.bounds.low == known, s
            move = random_move(rng, game.legal(s))
            passes += game.name_move(s, move) == "pass"
            s = game.play(s, move)
    assert passes > 3
