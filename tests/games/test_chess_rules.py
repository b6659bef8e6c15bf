"""The rules of chess: published perft, ends of games, castling, and taking in passing."""

from __future__ import annotations

import pytest
from chess_walks import STANDARD, random_positions
from lasting import later

from damier.core.rules import ONGOING
from damier.games.chess import from_fen, legal_moves, to_fen, uci
from damier.games.chess_pgn import read_san
from damier.games.chess_rules import ChessState, is_dead, moves, outcome, play

PERFT = {  # chessprogramming.org, "Perft results"
    "start": (20, 400, 8902, 197281),
    "kiwipete": (48, 2039, 97862),
    "position 3": (14, 191, 2812, 43238),
    "position 4": (6, 264, 9467),
    "position 5": (44, 1486, 62379),
    "position 6": (46, 2079, 89890),
}


def perft(s: ChessState, depth: int) -> int:
    """Lines of so many plies; a game that is over has none."""
    legal = legal_moves(s)
    return sum(perft(play(s, move), depth - 1) for move in legal) if depth > 1 else len(legal)


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        *((name, depth) for name in PERFT for depth in (1, 2)),
        ("start", 3),
        ("position 3", 3),
        ("position 4", 3),
        *(later((name, 3)) for name in ("kiwipete", "position 5", "position 6")),
        later(("start", 4)),
        later(("position 3", 4)),
    ],
)
def test_leaves_are_those_that_are_published(name: str, depth: int) -> None:
    assert perft(from_fen(STANDARD[name]), depth) == PERFT[name][depth - 1]


@pytest.mark.parametrize("name", PERFT)
def test_colours_may_be_swapped(name: str) -> None:
    assert perft(from_fen(STANDARD[name])._replace(mover=1), 2) == PERFT[name][1]


def legal_count(s: ChessState) -> int:
    found: list[int] = []
    moves(s, found)
    return len(found)


@pytest.mark.parametrize(
    ("fen", "worth"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),  # fool's mate
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", -1),
        ("6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", -1),  # smothered
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", 0),
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),  # dead by its pieces
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0),
        ("4kb2/8/8/8/8/8/8/4K3 b - - 0 1", 0),
        ("4kb2/8/8/8/8/8/8/2B1K3 b - - 0 1", 0),  # both bishops on dark cells
        ("2b1k3/8/8/8/8/8/8/2B1K3 b - - 0 1", ONGOING),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", ONGOING),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", ONGOING),
        ("4kn2/8/8/8/8/8/8/2B1K3 w - - 0 1", ONGOING),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ONGOING),
        ("k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1", ONGOING),  # dead, but not by its pieces
    ],
)
def test_games_end_by_mate_stalemate_and_dead_pieces(fen: str, worth: int) -> None:
    assert outcome(from_fen(fen)) == worth


@pytest.mark.parametrize(("games", "least"), [(16, 5), later((40, 15))])
def test_a_game_is_over_exactly_where_no_move_is_legal_or_the_pieces_are_dead(games: int, least: int) -> None:
    ends = 0
    for s in random_positions(games, share=0.2):
        assert (outcome(s) != ONGOING) == (is_dead(s) or legal_count(s) == 0)
        ends += outcome(s) != ONGOING
    assert ends >= least


def named(fen: str) -> set[str]:
    s = from_fen(fen)
    return {uci(s, move) for move in legal_moves(s)}


@pytest.mark.parametrize(
    ("fen", "castles"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1g1", "e1c1"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", {"e8g8", "e8c8"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1", {"e1c1"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", set()),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", set()),  # in check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", {"e1c1"}),  # over an attacked cell
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", {"e1c1"}),  # to one
        ("4k3/8/8/8/3r4/8/8/R3K2R w KQ - 0 1", {"e1g1"}),
        ("4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1", {"e1g1"}),
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", {"e1g1", "e1c1"}),  # only the rook passes there
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", set()),  # over pieces
        ("4k3/8/8/8/8/7b/8/R3K2R w KQ - 0 1", {"e1c1"}),
    ],
)
def test_castling(fen: str, castles: set[str]) -> None:
    assert named(fen) & {"e1g1", "e1c1", "e8g8", "e8c8"} == castles


@pytest.mark.parametrize(
    ("fen", "move", "rights"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1d1", "kq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "kq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1g1", "Qkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b1", "Kkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h8", "Qq"),  # a rook takes a rook
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "a8a1", "Kk"),
        ("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "b7a8n", "KQk"),
    ],
)
def test_rights_to_castle_are_lost_by_moving_and_by_being_taken(fen: str, move: str, rights: str) -> None:
    s = from_fen(fen)
    assert to_fen(play(s, read_san(s, move))).split()[2] == rights


@pytest.mark.parametrize(
    ("fen", "move", "passed"),
    [
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "e3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "-"),  # no pawn beside it
        ("4k3/8/8/8/7p/8/P7/4K3 w - - 0 1", "a2a4", "-"),  # none round the edge
        ("4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1", "e7e5", "e6"),
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", "-"),  # pinned to its king
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", "-"),  # two pawns leave the row at once
        ("8/8/8/8/k1p1p2R/8/3P4/4K3 w - - 0 1", "d2d4", "d3"),  # one of two may
        ("8/8/8/1k6/3p4/8/2P5/4K3 w - - 0 1", "c2c4", "c3"),  # the pawn gives check
    ],
)
def test_a_cell_is_passed_only_where_a_pawn_can_be_taken_there(fen: str, move: str, passed: str) -> None:
    s = from_fen(fen)
    assert to_fen(play(s, read_san(s, move))).split()[3] == passed


def test_pawns_become_four_kinds_of_pieces() -> None:
    assert named("3r4/4P2k/8/8/8/8/8/K7 w - - 0 1") >= {
        goal + kind for goal in ("e7e8", "e7d8") for kind in "qrbn"
    }


def test_every_way_to_the_same_position_gives_the_same_state() -> None:
    def after(*line: str) -> ChessState:
        s = from_fen(STANDARD["start"])
        for move in line:
            s = play(s, read_san(s, move))
        return s

    assert after("e4", "e5", "Nf3", "Nc6") == after("Nf3", "Nc6", "e4", "e5")
    assert after("e3", "e6", "e4", "e5") == after("e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8")
    assert after("e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8") != after("e4", "e5")
