"""damier's chess against python-chess: positions of random games, the same moves, ends and notation.

python-chess is under the GPL: only these tests know it.
"""

from __future__ import annotations

import io
from random import Random

import pytest
from chess_walks import STANDARD, random_line, random_positions
from lasting import later, shortly

from damier import load
from damier.core.game import read_position, written_position
from damier.core.rules import ONGOING
from damier.games.chess import from_fen, legal_moves, san, to_fen, uci
from damier.games.chess_pgn import game_from, read_pgn, read_san, write_pgn
from damier.games.chess_rules import RANK_6, START, ChessState, checkers, is_dead, outcome, play

chess = pytest.importorskip("chess")
pgn = pytest.importorskip("chess.pgn")


@pytest.mark.parametrize(
    ("games", "share", "named"), [(18, 0.1, 5), later((40, 0.05, 1)), later((2000, 0.05, 1))]
)
def test_moves_ends_and_notation_are_the_same(games: int, share: float, named: int) -> None:
    """And the names of moves, in each position or every fifth."""
    seen = list(random_positions(games, share))
    assert len(seen) > 300
    assert sum(bool(s.rights & RANK_6) for s in seen) > 20
    assert sum(bool(checkers(s)) for s in seen) > 20
    assert sum(any(move >> 12 for move in legal_moves(s)) for s in seen) > 8
    for number, s in enumerate(seen):
        board = chess.Board(to_fen(s))
        assert board.is_valid()
        assert to_fen(s) == board.fen()
        assert bool(checkers(s)) == board.is_check()
        assert is_dead(s) == board.is_insufficient_material()
        if is_dead(s):
            continue
        assert {uci(s, move) for move in legal_moves(s)} == {move.uci() for move in board.legal_moves}
        assert (outcome(s) == -1) == board.is_checkmate()
        assert (outcome(s) == 0) == board.is_stalemate()
        assert (outcome(s) == ONGOING) == any(board.legal_moves)
        if number % named:
            continue
        names = {san(s, move): move for move in legal_moves(s)}
        assert all(board.san(chess.Move.from_uci(uci(s, move))) == name for name, move in names.items())
        assert all(read_san(s, name) == move for name, move in list(names.items())[::9])


@pytest.mark.parametrize("games", [6, later(500)])
def test_every_position_of_a_game_is_the_same(games: int) -> None:
    chosen = Random(7)
    for number in range(games):
        fen = list(STANDARD.values())[number % len(STANDARD)]
        board, position = chess.Board(fen), read_position(load("chess"), fen)
        for s, move in random_line(from_fen(fen), chosen):
            board.push_uci(uci(s, move))
            after = play(s, move)
            position = position.after(move)
            assert written_position(position) == board.fen()
            assert to_fen(after, board.halfmove_clock, board.fullmove_number) == board.fen()


@pytest.mark.parametrize("games", [4, later(12)])
@pytest.mark.parametrize("en_passant", ["legal", "xfen", "fen"])
def test_every_way_to_write_a_passed_cell_is_read(en_passant: str, games: int) -> None:
    chosen = Random(5)
    for _game in range(games):
        board = chess.Board()
        for s, move in random_line(START, chosen, 60):
            assert from_fen(board.fen(en_passant=en_passant)) == s
            board.push_uci(uci(s, move))


def random_game(seed: int, fen: str) -> tuple[ChessState, list[int]]:
    start = from_fen(fen)
    return start, [move for _s, move in random_line(start, Random(seed), 120)]


@pytest.mark.parametrize("seed", shortly(range(8), 0, 1, 2, 3))
def test_games_that_are_written_here_are_read_there(seed: int) -> None:
    start, moves = random_game(seed, list(STANDARD.values())[seed % len(STANDARD)])
    text = write_pgn(game_from(start, moves, "1/2-1/2", White="Ada", Round="1"))
    game = pgn.read_game(io.StringIO(text))
    assert game.errors == []
    assert game.headers["White"] == "Ada"
    assert game.headers["Result"] == "1/2-1/2"
    board = game.board()
    for s, move in zip(states(start, moves), game.mainline_moves(), strict=False):
        assert board.fen() == to_fen(s, board.halfmove_clock, board.fullmove_number)
        board.push(move)
    assert len(list(game.mainline_moves())) == len(moves)
    assert all(len(line) < 80 for line in text.split("\n\n", 1)[1].splitlines())


def states(s: ChessState, moves: list[int]) -> list[ChessState]:
    found = [s]
    for move in moves:
        found.append(play(found[-1], move))
    return found


@pytest.mark.parametrize("seed", shortly(range(8), 0, 1, 2, 3))
def test_games_that_are_written_there_are_read_here(seed: int) -> None:
    start, moves = random_game(100 + seed, list(STANDARD.values())[seed % len(STANDARD)])
    game = pgn.Game({"White": "Ada", "Black": "Béla"})
    board = chess.Board(to_fen(start))
    if start != START:
        game.setup(board)
    node, chosen = game, Random(seed)
    for s, move in zip(states(start, moves), moves, strict=False):
        other = chosen.choice(legal_moves(s))
        played = node.add_variation(chess.Move.from_uci(uci(s, move)))
        if other != move:
            side = node.add_variation(chess.Move.from_uci(uci(s, other)), comment="or (else) 1-0")
            side.nags.add(4)
        played.comment, node = "a {strange one".replace("{", "(") if chosen.random() < 0.3 else "", played
    game.headers["Result"] = "*"
    (read,) = read_pgn(str(game).splitlines(keepends=True))
    assert list(read.moves) == moves
    assert read.tags["Black"] == "Béla"
    assert read.states == states(start, moves)
