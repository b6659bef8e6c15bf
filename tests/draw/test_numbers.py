"""Boards of numbers: seeds are as many as are counted, a die shows what was thrown, and text stays as the
game writes it.
"""

from __future__ import annotations

import re

import pytest

from damier import load
from damier.core.board import NumberBoard
from damier.draw.background import MOST_SEEDS, SPOTS
from damier.draw.board import Touch, board_block, board_svg
from damier.draw.text import board_text, grid_of, move_marks
from tests.draw.test_svg import assert_inside, badge_boxes, parsed


def board(text: str, *moves: str) -> NumberBoard:
    found = grid_of(load(text).position().play(*moves))
    assert isinstance(found, NumberBoard)
    return found


@pytest.mark.parametrize("text", ["kalah", "kalah:pits=1,seeds=1", "kalah:pits=5,seeds=3"])
def test_every_seed_is_drawn_and_stays_inside(text: str) -> None:
    position = load(text).position()
    seeds = sum(spot.number or 0 for spot in board(text).spots)
    svg = board_svg(position)
    assert seeds == 2 * position.game.options["pits"] * position.game.options["seeds"]
    assert svg.count('class="d-food"') == seeds
    assert_inside(parsed(svg))


def test_more_seeds_than_can_be_counted_are_a_number_only() -> None:
    svg = board_svg(load(f"kalah:pits=1,seeds={MOST_SEEDS + 1}").position())
    assert 'class="d-food"' not in svg
    assert svg.count(f">{MOST_SEEDS + 1}<") == 2


def test_pits_stand_where_the_players_have_them() -> None:
    found = board("kalah", "3")
    left, right = found.spots[7], found.spots[3]
    assert (left.look, right.look, right.number) == ("store", "store", 1)
    assert left.x < min(spot.x for spot in found.spots if spot.look == "pit") < right.x
    firsts, seconds = found.spots[:3], found.spots[4:7]
    assert [spot.x for spot in firsts] == [spot.x for spot in reversed(seconds)]
    assert all(spot.y > other.y for spot in firsts for other in seconds)
    assert [spot.active for spot in found.spots[3:]] == [False, True, True, True, True]


def test_a_move_of_kalah_is_marked_on_its_pit() -> None:
    position = load("kalah").position().play("3", "1")
    values = dict.fromkeys(position.game.legal(position.state), ("draw", None))
    marks = move_marks(position.game, position.state, values)
    assert len(badge_boxes(parsed(board_svg(position, marks)))) == len(marks) == 2


@pytest.mark.parametrize("face", range(1, len(SPOTS)))
def test_a_die_has_as_many_spots_as_it_shows(face: int) -> None:
    body = board_block(board("pig", "2"), touch=Touch(thrown=face)).body
    assert body.count('class="d-dark"') == face


def test_a_die_in_the_air_asks_and_one_that_is_not_known_is_blank() -> None:
    in_the_air, known = (board_block(board("pig", *moves)).body for moves in ((), ("2",)))
    assert re.findall(">([?]?)</text>", in_the_air).count("?") == 1
    assert "?" not in known
    assert 'class="d-dark"' not in in_the_air + known


def test_what_cannot_be_pressed_is_no_button() -> None:
    buttons = [spot for spot in board("pig").spots if spot.look == "button"]
    assert [spot.active for spot in buttons] == [False, False]
    assert all(spot.active for spot in board("pig", "2").spots if spot.look == "button")


def test_as_text_such_a_board_is_what_its_game_shows() -> None:
    position = load("kalah").position()
    assert board_text(position) == position.game.show(position.state)
