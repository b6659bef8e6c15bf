"""Boards as text, to the letter."""

from __future__ import annotations

import pytest
from lasting import later

from damier import load
from damier.draw import MoveMark, board_text, move_marks
from tests.draw.samples import LONGER, every_game, hostile_game, solved, walk

LEGEND = "+n wins in n plies, 0 draw, -n loses in n plies; * keeps the value"


def lines(text: str) -> str:
    """A text written indented between triple quotes."""
    rows = text.strip("\n").split("\n")
    return "\n".join(row[8:] for row in rows).rstrip()


BARE = {
    "tictactoe 4 0": (
        """
        O . .
        . X .
        . . .
        """
    ),
    "mnk:width=12,height=2 5 17": (
        """
        . . . . . X . . . . . .
        . . . . . O . . . . . .
        """
    ),
    "connect_four:width=10,height=5 5 6 10": (
        """
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . X O . . . X
        1 2 3 4 5 6 7 8 9 10
        """
    ),
    "octapawn b1b2": (
        """
        4  B B B B
        3  . . . .
        2  . W . .
        1  W . W W
           a b c d
        """
    ),
    "pawns:width=2,height=10": (
        """
        10  B B
         9  . .
         8  . .
         7  . .
         6  . .
         5  . .
         4  . .
         3  . .
         2  . .
         1  W W
            a b
        """
    ),
    "nim:heaps=1-3-5-7 4:2": (
        """
        1  |              (1)
        2  | | |          (3)
        3  | | | | |      (5)
        4  | | | | |      (5)
        """
    ),
    "nim 3": (
        """
        | | | | | | | | | | | | |        (13)
        """
    ),
    "nim:matches=100 3": (
        """
        97
        """
    ),
}


@pytest.mark.parametrize("played", BARE)
def test_boards(played):
    game, *moves = played.split()
    assert board_text(load(game).position().play(*moves)) == lines(BARE[played])


def test_str_of_a_position_is_its_board():
    position = load("hexapawn").position().play("b1b2")
    assert str(position) == board_text(position) == "3  B B B\n2  . W .\n1  W . W\n   a b c"


def test_values_stand_in_the_free_cells():
    assert board_text(*solved("tictactoe", "4", "0", "8")) == "O  -4 0*\n-4 X  -4\n0* -4 X\n\n" + LEGEND


LANDED = """
        .   .   O   .
        .   .   X   .
        0*  -10 O   .
        O   X   X   0*
        1   2   3   4
        """
LANDED_OF_FIVE = """
        .  .  O  .  .
        .  .  X  .  .
        0* 0* O  .  .
        O  X  X  0* 0*
        1  2  3  4  5
        """


@pytest.mark.parametrize(("width", "expected"), [(4, LANDED), later((5, LANDED_OF_FIVE))])
def test_values_of_falling_stones_stand_where_they_land(width, expected):
    board = f"connect_four:width={width},height=4"
    assert board_text(*solved(board, *"333321")) == lines(expected) + "\n\n" + LEGEND


def test_values_of_pieces_that_go_are_listed():
    expected = """
        3  B B B
        2  . W .
        1  W . W
           a b c

        c3c2 -2    c3b2 +5*   a3b2 +5*   a3a2 -2
        """
    assert board_text(*solved("hexapawn:blocked=loss", "b1b2")) == lines(expected) + "\n" + LEGEND


def test_a_long_list_takes_several_lines():
    expected = """
        1  |              (1)
        2  | | |          (3)
        3  | | | | |      (5)
        4  | | | | |      (5)

        1:1 -11    2:1 -13    2:2 +12*   2:3 -11    3:1 -11    3:2 -9     3:3 -7
        3:4 -9     3:5 -7     4:1 -11    4:2 -9     4:3 -7     4:4 -9     4:5 -7
        """
    assert board_text(*solved("nim:heaps=1-3-5-7", "4:2")) == lines(expected) + "\n" + LEGEND


def test_games_without_a_board_list_their_moves():
    assert board_text(*solved("nim:matches=100")) == "100\n\n1 -51    2 -51    3 +50*\n" + LEGEND


def test_moves_of_which_nothing_is_known_show_their_names():
    position = load("mnk:width=12,height=2").position().play("5", "17")
    expected = "0  1  2  3  4  X  6  7  8  9  10 11\n12 13 14 15 16 O  18 19 20 21 22 23"
    assert board_text(position, move_marks(position.game, position.state)) == expected
    pawns = load("hexapawn").position()
    assert board_text(pawns, move_marks(pawns.game, pawns.state)).endswith("\n\na1a2   b1b2   c1c2")


def test_moves_that_share_a_cell_are_listed():
    position = load("tictactoe").position()
    marks = [
        MoveMark(1, "a", (0,), "win", 3, True),
        MoveMark(2, "b", (0,), "loss", 2),
        MoveMark(4, "c", (8,), "draw"),
    ]
    assert board_text(position, marks) == f". . .\n. . .\n. . 0\n\na +3*   b -2\n{LEGEND}"


@pytest.mark.parametrize("grid", [True, False])
def test_no_control_character_reaches_the_terminal(grid):
    position = hostile_game(grid).position()
    text = board_text(position, move_marks(position.game, position.state))
    assert all(c == "\n" or c.isprintable() for c in text)


@pytest.mark.parametrize("game", [later(game) if game in LONGER else game for game in every_game()])
def test_every_game_has_a_text_without_trailing_spaces(game):
    for position in walk(game, seed=1):
        for marks in (None, move_marks(position.game, position.state)):
            rows = board_text(position, marks).split("\n")
            assert any(rows)
            assert all(row == row.rstrip() for row in rows)
