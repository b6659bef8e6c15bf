"""Chessmen: twelve looks, each of its own shape and name, on squares."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from damier.core.board import Grid, Look
from damier.draw.board import NAMES, board_block, piece_name
from damier.draw.pieces import CHESSMEN, MEN, scaled

LOOKS = [
    look for look in get_args(Look) if look.startswith(("white_", "black_")) and not look.endswith("_stone")
]


def test_every_man_of_both_sides_is_a_look_with_a_name() -> None:
    assert set(LOOKS) == set(CHESSMEN)
    assert len(LOOKS) == 12
    assert [NAMES[look] for look in LOOKS] == [look.replace("_", " ") for look in LOOKS]
    assert piece_name(Grid(("N",), {"N": "white_knight"}), "N") == "white knight"


def test_men_are_told_apart_by_their_outlines_and_sides_by_the_lines_on_them() -> None:
    assert len({man.outline for man in MEN.values()}) == 6
    assert len({draw(0, 0, 100) for draw in CHESSMEN.values()}) == 12


@pytest.mark.parametrize("kind", MEN)
def test_a_man_stands_within_its_cell(kind: str) -> None:
    """Arcs and curves reach no further than the points that they are drawn by."""
    for path in (MEN[kind].outline, MEN[kind].lines):
        assert max(abs(float(number)) for number in re.findall(r"-?\d+(?:\.\d+)?", path)) <= 46


def test_a_man_of_half_the_size_is_half_as_large() -> None:
    assert scaled("pawn", 100).lines == "M-17 33.5H17"
    assert scaled("pawn", 50).lines == "M-8.5 16.75H8.5"
    assert "A6.5 6.5 0 1 1" in scaled("pawn", 50).outline


def test_a_ball_is_two_arcs_that_no_rounding_closes() -> None:
    for kind in MEN:
        ends = re.findall(r"M(\S+ \S+?)A\S+ \S+ 0 1 1 (\S+ \S+?)A", scaled(kind, 8).outline)
        assert all(start != end for start, end in ends)


def test_a_board_of_chessmen_has_squares_and_its_men_where_they_stand() -> None:
    looks: dict[str, Look] = {"K": "white_king", "k": "black_king"}
    body = board_block(Grid((".k", "K."), looks, ("a", "b"), ("2", "1")), size=50).body
    assert body.count('class="d-shade"') == body.count('class="d-square"') == 2
    assert body.count("<path") == 4
    places = re.findall(r"translate\(([\d.]+) ([\d.]+)\)", body)
    (x1, y1), (x2, y2) = ((float(x), float(y)) for x, y in places)
    assert (x1 - x2, y1 - y2) == (50, -50)  # Black's stands right of White's, and above
