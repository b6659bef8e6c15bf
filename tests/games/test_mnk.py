"""Tic-tac-toe and its family: the reference values of spec C, the index of row A-64, and MENACE's
boxes counted from the rules.
"""

from __future__ import annotations

import pytest
from lasting import later

from damier import BadInput, load
from damier.core.job import Job
from damier.core.rules import State
from damier.games.mnk import stones, straight_lines, symmetries_of_board
from damier.search.exact import exact
from damier.solve import count, count_games, solve
from tests.reached import states_of

GAME = load("tictactoe")


def test_positions_and_ends_are_those_of_the_reference() -> None:
    counts = count(GAME)
    assert counts.states == 5478
    assert counts.by_ply == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert (counts.terminals, counts.wins, counts.losses, counts.draws) == (958, 626, 316, 16)


def test_positions_up_to_symmetry_are_those_of_the_reference() -> None:
    counts = count(GAME, symmetric=True)
    assert counts.states == 765
    assert counts.by_ply == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert (counts.terminals, counts.wins, counts.losses, counts.draws) == (138, 91, 44, 3)


def test_complete_games_are_those_of_the_reference() -> None:
    assert count_games(GAME) == (131184, 46080, 77904)
    assert sum(count_games(GAME)) == 255168
    assert sum(count_games(GAME, symmetric=True)) == 26830


def test_the_tree_has_549946_nodes() -> None:
    nodes: dict[State, int] = {}

    def below(s: State) -> int:
        if s not in nodes:
            nodes[s] = 1 + sum(below(GAME.play(s, move)) for move in GAME.legal(s))
        return nodes[s]

    assert below(GAME.start) == 549946


@pytest.mark.parametrize("text", ["tictactoe:misere=true", "mnk:width=4,misere=true"])
def test_its_summary_says_who_loses_in_misere_play(text: str) -> None:
    assert load(text).summary.endswith(" loses")


@pytest.mark.parametrize("text", ["tictactoe", "tictactoe:misere=true"])
def test_tictactoe_is_a_draw_also_in_misere_play(text: str) -> None:
    game = load(text)
    solution = solve(game)
    assert (solution.value(game.start), solution.distance(game.start)) == ("draw", None)


@pytest.mark.parametrize(
    ("text", "value"),
    [("mnk", "draw"), later(("mnk:width=4,height=3", "win")), later(("mnk:width=3,height=4", "win"))],
)
def test_values_of_small_boards(text: str, value: str) -> None:
    game = load(text)
    assert solve(game).value(game.start) == value


@pytest.mark.parametrize("text", ["mnk:width=4,height=3", later("mnk:width=3,height=4")])
def test_who_begins_wins_with_one_column_more_or_one_row(text: str) -> None:
    game = load(text)
    assert exact(game, game.start, Job(jit=False)).bounds.low > 0


def test_values_after_a_few_moves() -> None:
    solution = solve(GAME)
    fork = GAME.position().play("0", "1", "3")  # crosses on 0 and 3 threaten 6
    assert solution.value(fork.state) == "loss"
    assert solution.distance(fork.state) == 4
    assert solution.distance(GAME.position().play("0", "1", "3", "4").state) == 1


def test_the_index_of_the_v_function_document() -> None:
    board = [1, 2, 0, 0, 1, 0, 0, 0, 0]
    s = stones("".join(".XO"[cell] for cell in board))
    assert GAME.id(s) == 11016
    assert GAME.position().play("0", "1", "4").id == 11016
    assert GAME.id(GAME.start) == 0


def test_the_index_is_different_in_every_position() -> None:
    ids = [GAME.id(s) for s in states_of(GAME)]
    assert len(set(ids)) == len(ids) == 5478
    assert max(ids) < 3**9 == 19683


def test_a_square_has_eight_symmetries_a_rectangle_four_a_row_two_a_cell_one() -> None:
    assert [len(symmetries_of_board(*size)) for size in ((3, 3), (4, 3), (3, 4), (5, 1), (1, 5), (1, 1))] == [
        8,
        4,
        4,
        2,
        2,
        1,
    ]


def test_lines_of_some_boards() -> None:
    assert sorted(straight_lines(3, 3, 3)) == sorted((0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124))
    assert len(straight_lines(7, 6, 4)) == 69
    assert len(straight_lines(15, 15, 5)) == 572
    assert straight_lines(2, 2, 3) == ()
    assert straight_lines(3, 1, 1) == (1, 2, 4)


def test_both_players_with_a_line_at_once_cannot_come_up_but_a_full_board_with_a_line_is_won() -> None:
    # X completes 0 4 8 with the last stone
    last = GAME.position().play("0", "1", "2", "3", "4", "5", "7", "6", "8")
    assert last.over
    assert last.payoffs == (1, -1)


@pytest.mark.parametrize(
    "options",
    [
        "width=0",
        "height=0",
        "width=20,height=4",
        "width=63,height=1",
        "in_a_row=0",
        "width=-3,height=-3",
        "in_a_row=-1",
    ],
)
def test_a_size_out_of_range_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="mnk"):
        load(f"mnk:{options}")


# ------------------------------------------------------------------------------------------
# MENACE


def test_menace_has_304_boxes() -> None:
    boxes = boxes_of(0)
    assert [sum(ply(s) == n for s in boxes) for n in (0, 2, 4, 6)] == [1, 12, 108, 183]
    assert len(boxes) == 304


def test_34_more_positions_have_one_forced_move() -> None:
    forced = {
        canonical(s)
        for s in states_of(GAME)
        if GAME.mover(s) == 0 and not GAME.over(s) and len(GAME.legal(s)) == 1
    }
    assert len(forced) == 34


def test_17_of_the_last_boxes_are_lost_whatever_is_played() -> None:
    """The 287 of some texts: 304 without them."""
    solution = solve(GAME)
    lost = [s for s in boxes_of(0) if ply(s) == 6 and solution.value(s) == "loss"]
    assert len(lost) == 17


def test_a_machine_that_moves_second_has_289_boxes() -> None:
    boxes = boxes_of(1)
    assert [sum(ply(s) == n for s in boxes) for n in (1, 3, 5, 7)] == [3, 38, 153, 95]


@pytest.mark.parametrize(("stages", "beads"), [((4, 3, 2, 1), 1720), ((8, 4, 2, 1), 1798)])
def test_beads_of_menace_with_symmetric_moves_merged(stages: tuple[int, ...], beads: int) -> None:
    assert sum(stages[ply(s) // 2] * len(kinds_of_moves(s)) for s in boxes_of(0)) == beads


def boxes_of(player: int) -> set[State]:
    """The positions of a player with at least two empty cells, one for all its images."""
    return {
        canonical(s)
        for s in states_of(GAME)
        if GAME.mover(s) == player and not GAME.over(s) and len(GAME.legal(s)) >= 2
    }


def kinds_of_moves(s: State) -> set[int]:
    """The moves of a position, one for all its images under the symmetries that leave the position
    as it is.
    """
    same = [symmetry for symmetry in range(GAME.symmetries()) if GAME.turn(s, symmetry) == s]
    return {min(GAME.turn_move(move, symmetry) for symmetry in same) for move in GAME.legal(s)}


def canonical(s: State) -> State:
    return min(GAME.turn(s, symmetry) for symmetry in range(GAME.symmetries()))


def ply(s: State) -> int:
    return GAME.ply(s)
