"""Positions of chess for tests: the standard ones of perft, and those of random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from damier.games.chess import castling_side, from_fen, legal_moves
from damier.games.chess_rules import RANK_6, ChessState, play

STANDARD = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position 3": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position 4": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "position 5": "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "position 6": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}
ENDINGS = (
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/1p1p1p2/8/k1P1P1P1/8/K7/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/2P1P1P1/r3K2R w K - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "k7/8/8/3bn3/3BN3/8/8/7K w - - 0 1",
)


def random_line(s: ChessState, chosen: Random, plies: int = 300) -> Iterator[tuple[ChessState, int]]:
    """A random game from `s`: every position with the move that is played in it. What is rare comes
    often: a pawn that can be taken in passing, castling, promotion.
    """
    for _ply in range(plies):
        legal = legal_moves(s)
        if not legal:
            return
        rare = [
            move for move in legal if move >> 12 or play(s, move).rights & RANK_6 or castling_side(s, move)
        ]
        move = chosen.choice(rare if rare and chosen.random() < 0.5 else legal)
        yield s, move
        s = play(s, move)


def random_positions(games: int, share: float = 1.0) -> Iterator[ChessState]:
    """Positions of random games from all these starts, each kept with the probability `share`, and
    all in which a pawn can be taken in passing.
    """
    starts = [from_fen(fen) for fen in (*STANDARD.values(), *ENDINGS)]
    chosen = Random(13)
    for number in range(games):
        for s, move in random_line(starts[number % len(starts)], chosen):
            if s.rights & RANK_6 or chosen.random() < share:
                yield s
            last = play(s, move)
        yield last
