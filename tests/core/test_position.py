"""A position, the object for people."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import pytest

from damier import ONGOING, Game, IllegalMove, load
from damier.core.game import line


class Left(NamedTuple):
    left: int
    mover: int


def named(*names: str) -> Game:
    """A game of one move, with these names."""
    return Game(
        "named",
        Left(1, 0),
        lambda s: (1 << len(names)) - 1,
        lambda s, move: Left(0, move.bit_length()),
        lambda s: ONGOING if s.left else 0,
        mover=lambda s: 0,
        bits=(1, 4),
        name_move=lambda s, move: names[move.bit_length() - 1],
    )


def test_a_position_does_not_change() -> None:
    position = load("tictactoe").position()
    after = position.play("4")
    assert position.moves == tuple("012345678")
    assert after.moves == tuple("01235678")
    with pytest.raises(AttributeError):
        position.state = after.state  # type: ignore[misc]


def test_no_agent_can_make_a_move_legal() -> None:
    position = load("tictactoe").position().play("4")
    named: Any = position.named_moves
    with pytest.raises(TypeError):
        named["4"] = 1 << 4
    assert "4" not in position.moves
    assert copy.deepcopy(position) is position


def test_several_moves_at_once() -> None:
    position = load("tictactoe").position()
    assert position.play("0", "1", "2") == position.play("0").play("1").play("2")
    assert position.play() == position


def test_letters_may_be_large_or_small_where_one_move_is_meant() -> None:
    position = load("hexapawn").position()
    assert position.play("A1A2") == position.play("a1a2")


@pytest.mark.parametrize("wanted", ["aB", "Ab", "ab", "AB"])
def test_an_exact_name_is_never_taken_for_its_neighbour(wanted: str) -> None:
    for names in (("aB", "Ab", "ab", "AB"), ("aB", "Ab"), ("ab", "AB")):
        if wanted in names:
            assert named(*names).position().play(wanted).state.mover == names.index(wanted) + 1


def test_an_accent_may_be_written_as_a_letter_of_its_own() -> None:
    position = named("\u00e9t\u00e9", "hiver").position()
    assert position.read("e\u0301te\u0301") == position.read("\u00c9T\u00c9") == 1


def test_a_line_holds_every_position_the_first_included() -> None:
    positions = line(load("nim:matches=5"), ["1", "2"])
    assert [position.state.matches for position in positions] == [5, 4, 2]


def test_a_bad_move_of_a_line_is_named_by_its_number() -> None:
    with pytest.raises(IllegalMove, match="move 3: 4 "):
        line(load("tictactoe"), ["4", "0", "4"])


def test_payoffs_and_moves_at_the_end() -> None:
    position = load("tictactoe").position().play(*"01437")
    assert not position.over
    won = load("tictactoe").position().play(*"03142")
    assert (won.over, won.payoffs, won.moves) == (True, (1, -1), ())
    with pytest.raises(IllegalMove, match="over"):
        won.play("8")


def test_a_number_is_a_move_where_moves_are_named_by_numbers() -> None:
    position = load("tictactoe").position()
    assert position.play(4, 0) == position.play("4", "0")
    for wrong in (16, -1, True, None, ["4"], 4.0):
        with pytest.raises(IllegalMove, match="is not a legal move here; legal: 0 1 2"):
            position.play(wrong)  # type: ignore[arg-type]


def test_control_characters_in_a_move_are_shown_escaped() -> None:
    with pytest.raises(IllegalMove) as refusal:
        load("tictactoe").position().play("\x1b]0;x\x07")
    assert str(refusal.value).isprintable()


def test_the_id_is_none_where_no_document_gives_one() -> None:
    assert load("connect_four").position().id is None
    assert load("nim").position().id is None


def test_moves_of_one_digit_may_be_written_without_commas() -> None:
    game = load("connect_four")
    assert line(game, ["4453"])[-1].state == game.position().play("4", "4", "5", "3").state
    assert (
        line(load("nim:matches=16"), ["12"])[-1].state
        == load("nim:matches=16").position().play("1", "2").state
    )
    with pytest.raises(IllegalMove):
        line(load("chess"), ["44"])
