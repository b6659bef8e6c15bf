"""Chess, by the laws of FIDE but for clocks; every draw that may be claimed is.

Moves are named as engines write them (UCI), positions in FEN; `chess_san` and `chess_pgn` read and
write what people do.

>>> from damier import load
>>> load("chess").position().play("e2e4", "e7e5").moves[:3]
('b1a3', 'b1c3', 'd1e2')
"""

from __future__ import annotations

from damier.core.bits import bit
from damier.core.evaluation import weighed
from damier.core.game import Game
from damier.core.grid import Grid, Look
from damier.core.words import N_, _
from damier.games.chess_attacks import RANK_6
from damier.games.chess_endgames import chess_endgames
from damier.games.chess_exchange import noisy_moves, worth
from damier.games.chess_features import EXPLANATIONS, FEATURES
from damier.games.chess_fen import (
    castling_text,
    clocks_of,
    from_fen,
    passed_text,
    to_fen,
    written_clocks,
)
from damier.games.chess_names import FILES, board_rows, cells_of_move, uci
from damier.games.chess_numbers import WEIGHTS
from damier.games.chess_rules import (
    QUEEN,
    ROOK,
    START,
    ChessState,
    checkers,
    irreversible,
    moves,
    null_move,
    outcome,
    play,
    with_past,
)

LOOKS: dict[str, Look] = {
    "K": "white_king",
    "Q": "white_queen",
    "R": "white_rook",
    "B": "white_bishop",
    "N": "white_knight",
    "P": "white_pawn",
    "k": "black_king",
    "q": "black_queen",
    "r": "black_rook",
    "b": "black_bishop",
    "n": "black_knight",
    "p": "black_pawn",
}


def chess() -> Game:
    """The game of chess."""
    return Game(
        "chess",
        START,
        moves,
        play,
        outcome,
        bits=(64, 64, 64, 64, 64, 64, 64, 64, 1, 1),
        most_moves=256,
        reward=points_gained,
        move_score=promise,
        noisy_moves=noisy_moves,
        null_move=null_move,
        threatened=threatened,
        canonical=up_to_mover,
        with_past=with_past,
        irreversible=irreversible,
        features=FEATURES,
        evaluation=weighed(WEIGHTS),
        explanations=EXPLANATIONS,
        states=bound_on_positions(),
        name_move=uci,
        grid=grid,
        place=place,
        write_position=to_fen,
        read_position=from_fen,
        write_clocks=written_clocks,
        read_clocks=clocks_of,
        endgames=chess_endgames(),
        title=N_("Chess"),
        summary=N_("Chess: give checkmate"),
        description=N_(
            "Attack the other king so that it cannot escape: checkmate. Pieces move by the laws of chess,"
            " with castling, taking in passing and promotion. Stalemate is a draw, and so are a position in"
            " which neither side has the pieces for a checkmate, the third time of one position, and 50 moves"
            " of each side without a pawn move or a capture."
        ),
    )


def points_gained(s: ChessState, move: int) -> int:
    """What a move takes, and what a pawn gains by becoming more, in pawns: a knight or a bishop 3, a
    rook 5, a queen 9.
    """
    start, goal, kind = bit(move & 63), bit(move >> 6 & 63), move >> 12
    gain = 0
    if goal & s.theirs:
        gain = worth(s, goal)
    elif start & s.pawns and goal & s.rights & RANK_6:
        gain = 1
    if kind == QUEEN:
        gain += 8
    elif kind == ROOK:
        gain += 4
    elif kind:
        gain += 2
    return gain


def promise(s: ChessState, move: int) -> int:
    """What is taken, the most first, and by the least of the mover's pieces."""
    gain, piece = points_gained(s, move), bit(move & 63)
    if gain == 0:
        return 0
    return 16 * gain - (0 if piece & s.kings else worth(s, piece))


def threatened(s: ChessState) -> bool:
    """Whether the mover is in check."""
    return checkers(s) != 0


def up_to_mover(s: ChessState) -> ChessState:
    """The board as its mover sees it, as if it were White."""
    return ChessState(
        s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.rights, 0, s.drawn
    )


def bound_on_positions() -> int:
    """An upper bound on the number of positions: the kings on two cells, nothing or one of the ten
    other pieces on each of the rest; who moves, sixteen ways to castle, and at most one of eight
    cells passed.
    """
    return 64 * 63 * 11**62 * 2 * 16 * 9


def grid(s: ChessState) -> Grid:
    """The board from White's side, with what it does not show."""
    facts = [_("check")] if checkers(s) else []
    if castling_text(s) != "-":
        facts.append(_("castling: {rights}", rights=castling_words(castling_text(s))))
    if passed_text(s) != "-":
        facts.append(_("taking in passing: {cell}", cell=passed_text(s)))
    return Grid(board_rows(s), LOOKS, tuple(FILES), tuple("87654321"), ", ".join(facts))


def castling_words(rights: str) -> str:
    """Who may still castle and where, said to people; `rights` as a FEN has them.

    >>> castling_words("Qkq")
    'White long, Black short and long'
    """
    ways = {"kq": _("short and long"), "k": _("short"), "q": _("long")}
    white = ways.get("".join(right.lower() for right in rights if right.isupper()))
    black = ways.get("".join(right for right in rights if right.islower()))
    said = [_("White {ways}", ways=white)] if white else []
    return ", ".join([*said, _("Black {ways}", ways=black)] if black else said)


def place(s: ChessState, move: int) -> tuple[int, ...]:
    """Where a move starts and ends on the grid."""
    start, goal = cells_of_move(s, move)
    return start ^ 56, goal ^ 56
