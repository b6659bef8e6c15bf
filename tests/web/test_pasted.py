"""A whole game that is pasted where a position is set up: what stands on the board at its end."""

from __future__ import annotations

import pytest

from damier import load
from damier.core.errors import BadInput
from damier.core.game import read_position, written_position
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.rooms.board import pasted
from damier.web.settings import Settings

PGN = '[Event "?"]\n\n1. e4 e5 2. Nf3 {a comment} Nc6 3. Bb5 *'
PDN = '[GameType "21"]\n\n1. 11-15 22-18 2. 15x22 *'
SGF = "(;GM[1]SZ[9]KM[6.5];B[ee];W[ce];B[])"


@pytest.mark.parametrize(
    ("game", "text", "moves"),
    [
        ("chess", PGN, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]),
        ("chess", "1. e4 e5", ["e2e4", "e7e5"]),
        ("draughts", PDN, ["11-15", "22-18", "15x22"]),
        ("go", SGF, ["E5", "C5", "pass"]),
    ],
)
def test_a_game_is_its_last_position(game: str, text: str, moves: list[str]) -> None:
    found = load(game)
    assert pasted(found, text) == written_position(found.position().play(*moves))


def test_a_position_stays_as_it_is_and_a_wrong_game_is_told() -> None:
    chess = load("chess")
    fen = written_position(chess.position())
    assert pasted(chess, fen) == fen
    assert read_position(chess, fen).state == chess.start
    with pytest.raises(BadInput, match="Ke3"):
        pasted(chess, "1. e4 e5 2. Ke3")
    with pytest.raises(BadInput, match="no game of"):
        pasted(load("go:size=7"), SGF)


def test_play_from_here_comes_first() -> None:
    found = board.boards_edit(Registry(Settings()), Params({"game": "chess", "position": PGN}))["parts"][
        "editor"
    ]
    assert found.index("Play from here") < found.index("data-editor-board")
    assert "r1bqkbnr" in found
    assert "PGN" in found
