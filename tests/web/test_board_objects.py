"""Boards as objects: who sits there, moves as people write them, what lies beside the board, which way it
stands, how its pieces go.
"""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from damier import load
from damier.core.words import speaking


def shown(http: httpx.Client, game: str, moves: str = "", **asked: Any) -> Any:
    """A position, as the server answers."""
    question = {"game": game, "moves": moves, "1": "human", "2": "human", **asked}
    return http.post("/ask/board.show", json=question).json()


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
def test_sides_are_called_as_in_each_game(http: httpx.Client, game: str, moves: str, said: str) -> None:
    assert said in words(shown(http, game, moves)["parts"]["status"])


def test_moves_of_chess_are_said_as_people_write_them(http: httpx.Client) -> None:
    found = shown(http, "chess", "e2e4,e7e5,g1f3")
    assert words(found["parts"]["line"]).startswith("The game so far 1. e4 2. e5 3. Nf3")
    assert "Last move: Nf3" in words(found["parts"]["status"])
    assert found["state"]["moves"] == ["e2e4", "e7e5", "g1f3"]  # the address keeps its codes
    assert found["state"]["said"]["b8c6"] == "Nc6"
    assert ">Nc6</button>" in found["parts"]["moves"]


@pytest.mark.parametrize(("game", "said"), [("nim", "wins, draws or loses"), ("pig", "the chance to win")])
def test_what_exact_values_say_is_said_of_the_game_at_hand(http: httpx.Client, game: str, said: str) -> None:
    assert said in words(shown(http, game)["parts"]["truth"])


def test_the_pieces_of_chess_have_the_letters_of_the_language() -> None:
    position = load("chess").position()
    with speaking("fr"):
        assert position.game.say_move(position.state, position.read("g1f3")) == "Cf3"
        assert position.game.name_side(1) == "Noir"


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        ("othello", "d3,c3,c4", ["Black 5 5 discs", "White 2 2 discs"]),
        ("go:size=3", "B2,A2,A1,B1,A3", ["Black White 1 stone taken 1 stone taken"]),
        (
            "chess",
            "e2e4,d7d5,e4d5,d8d5,b1c3,d5d2,d1d2",
            ["+8 taken: 1 × black queen, 1 × black pawn", "taken: 2 × white pawn"],
        ),
        ("draughts", "11-15,22-18,15x22", ["Black taken: 1 × light", "White"]),
        ("connect_four", "4", ["Red", "Yellow"]),
    ],
)
def test_what_is_counted_and_taken_lies_beside_the_board(
    http: httpx.Client, game: str, moves: str, said: list[str]
) -> None:
    part = words(shown(http, game, moves)["parts"]["sides"])
    for text in said:
        assert text in part


def test_a_pass_lies_beside_the_board_and_not_among_the_points(http: httpx.Client) -> None:
    parts = shown(http, "go:size=5")["parts"]
    assert words(parts["beside"]) == "pass"
    assert "pass" not in parts["moves"]
    assert words(shown(http, "go:size=5", **{"1": "random"})["parts"]["beside"]) == ""


MATE = "f2f3,e7e5,g2g4,d8h4"
STALEMATE = "k7/8/1Q6/8/8/8/8/K7 b - - 0 1"


def test_check_mate_and_stalemate_are_called_so(http: httpx.Client) -> None:
    check = shown(http, "chess", "e2e4,f7f6,d1h5")["parts"]
    assert words(check["status"]).startswith("Check. Black is to move.")
    assert check["board"].count("d-alarm") == 1
    mate = shown(http, "chess", MATE, show="truth")
    assert words(mate["parts"]["status"]).startswith("Checkmate. Black has won.")
    assert mate["state"]["truth"] == "here"  # nothing more is worked out
    assert "Working out" not in mate["parts"]["truth"]
    stuck = shown(http, "chess", position=STALEMATE)["parts"]
    assert words(stuck["status"]).startswith("Stalemate. A draw.")
    assert "d-alarm" not in stuck["board"]


def test_the_cells_of_the_last_move_are_tinted(http: httpx.Client) -> None:
    assert shown(http, "chess", "e2e4")["parts"]["board"].count("d-tint") == 2
    assert shown(http, "connect_four", "4")["parts"]["board"].count("d-trace") == 1
    assert shown(http, "go:size=5", "C3")["parts"]["board"].count("d-trace") == 1
    assert "d-t" not in shown(http, "chess")["parts"]["board"].replace("d-touch", "")


@pytest.mark.parametrize(
    ("game", "seats", "flip", "flipped"),
    [
        ("chess", ("human", "human"), "", False),
        ("chess", ("random", "human"), "", True),
        ("chess", ("random", "human"), "1", False),
        ("chess", ("human", "random"), "1", True),
        ("kalah", ("random", "human"), "", True),
        ("tictactoe", ("random", "human"), "", False),
        ("go:size=5", ("random", "human"), "1", False),
    ],
)
def test_who_sits_at_the_second_seat_sees_the_board_from_there(
    http: httpx.Client, game: str, seats: tuple[str, str], flip: str, flipped: bool
) -> None:
    found = shown(http, game, flip=flip, **{"1": seats[0], "2": seats[1]})
    assert found["state"]["flipped"] is flipped
    assert found["state"]["query"]["flip"] == flip
    if game == "chess":
        names = re.findall(r'data-cell="(\d+)"', found["parts"]["board"])
        ys = re.findall(r'<rect y?[^>]*y="([\d.]+)"[^>]*data-cell="0"', found["parts"]["board"])
        assert len(names) == 64
        assert ys
