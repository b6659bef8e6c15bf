"""A board as a small picture: the same, without what could not be read there."""

from __future__ import annotations

import re

import pytest

from damier import load
from damier.draw.board import board_svg, thumbnail_svg
from damier.draw.text import grid_of
from tests.draw.samples import hostile_game


@pytest.mark.parametrize("name", ["hexapawn", "connect_four", "draughts", "go", "hex", "nim"])
def test_a_thumbnail_names_no_column_row_or_cell(name: str) -> None:
    position = load(name).position()
    grid = grid_of(position)
    assert grid is not None
    names = {*grid.columns, *grid.lines, *getattr(grid, "numbers", ())} - {""}
    small, whole = (re.findall(r"<text[^>]*>([^<]*)<", draw(position)) for draw in (thumbnail_svg, board_svg))
    assert not names & set(small)
    assert names & set(whole) or not names
    grounds = [
        re.findall(r'class="(d-(?:cell|hole|panel|square|shade|groove)[^"]*)"', draw(position))
        for draw in (thumbnail_svg, board_svg)
    ]
    assert grounds[0] == grounds[1]


def test_a_thumbnail_of_no_board_is_its_words() -> None:
    position = hostile_game(grid=False).position()
    assert thumbnail_svg(position) == board_svg(position)


@pytest.mark.parametrize(("name", "numbers"), [("kalah", ["3"] * 6 + ["0"] * 2), ("pig", ["0"] * 3)])
def test_a_thumbnail_of_numbers_is_a_board_with_them(name: str, numbers: list[str]) -> None:
    drawn = thumbnail_svg(load(name).position())
    assert "d-mono" not in drawn.split("</style>")[1]
    assert sorted(re.findall(r"<text[^>]*>([0-9]+)<", drawn)) == sorted(numbers)
