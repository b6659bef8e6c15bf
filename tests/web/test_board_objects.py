"""Boards as objects: who sits there, moves as people write them, what lies beside the board, which way it
stands, how its pieces go.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from damier import load
from damier.core.words import speaking


def shown(visitor: Any, game: str, moves: str = "", **asked: Any) -> Any:
    """A position, as the server answers."""
    question = {"game": game, "moves": moves, "1": "human", "2": "human", **asked}
    return visitor.request.post("/ask/board.show", data=question).json()


def words(html: str) -> str:
    """A part of a page without its tags."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        ("chess", "e2e4", "Black is to move."),
        ("go:size=5", "", "Black is to move."),
        ("othello", "", "Black is to move."),
        ("connect_four", "4", "Yellow is to move."),
        ("draughts", "", "Black is to move."),
        ("draughts:variant=international", "", "White is to move."),
        ("tictactoe", "4", "O is to move."),
        ("hex:size=4", "", "Black is to move."),
        ("nim", "", "Player 1 is to move."),
    ],
)
def test_sides_are_called_as_in_each_game(visitor: Any, game: str, moves: str, said: str) -> None:
    assert said in words(shown(visitor, game, moves)["parts"]["status"])


def test_moves_of_chess_are_said_as_people_write_them(visitor: Any) -> None:
    found = shown(visitor, "chess", "e2e4,e7e5,g1f3")
    assert words(found["parts"]["line"]).startswith("The game so far 1. e4 2. e5 3. Nf3")
    assert "Last move: Nf3" in words(found["parts"]["status"])
    assert found["state"]["moves"] == ["e2e4", "e7e5", "g1f3"]  # the address keeps its codes
    assert found["state"]["said"]["b8c6"] == "Nc6"
    assert ">Nc6</button>" in found["parts"]["moves"]


def test_the_pieces_of_chess_have_the_letters_of_the_language() -> None:
    position = load("chess").position()
    with speaking("fr"):
        assert position.game.say_move(position.state, position.read("g1f3")) == "Cf3"
        assert position.game.name_side(1) == "Noir"
