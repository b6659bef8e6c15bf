"""Moves of chess as people write them: standard algebraic notation, SAN (FIDE, *Laws of Chess*
[Fide23], appendix C; S. J. Edwards, 1994 [Edwards94], section 8.2.3).

Written as the standard says. Read more freely: `0-0` for `O-O`, with or without `x`, `=`, `+`, `#`
and marks such as `!?`, with more of the start than is needed (`e2-e4`), and in the form of UCI (`g1f3`).

>>> from damier.games.chess_rules import START
>>> san(START, read_san(START, "g1f3"))
'Nf3'
"""

from __future__ import annotations

import re

from damier.core.bits import bit
from damier.core.errors import IllegalMove
from damier.core.rules import ONGOING
from damier.core.words import message
from damier.games.chess_names import FILES, PROMOTED, cell_name, cells_of_move, uci
from damier.games.chess_rules import ChessState, checkers, moves, outcome, play

MOVE = re.compile(r"([KQRBNP]?)([a-h]?)([1-8]?)([x:-]?)([a-h][1-8])=?([QRBNqrbn]?)(?: ?e\.p\.)?")
CASTLING = re.compile(r"([O0])-\1(-\1)?")
END = re.compile(r"[+#]{0,2}[!?]{0,2}$")
LONGEST = 20


def legal_moves(s: ChessState) -> list[int]:
    """The legal moves in the order of the rules; none where the game is over."""
    found: list[int] = []
    if outcome(s) == ONGOING:
        moves(s, found)
    return found


def piece_letter(s: ChessState, cell: int) -> str:
    """The piece on `cell`, a set of one as the rules number cells: `K`, `Q`, `R`, `B`, `N`, or `P`."""
    if cell & s.kings:
        return "K"
    if cell & s.diagonal:
        return "Q" if cell & s.straight else "B"
    return "R" if cell & s.straight else "N" if cell & s.knights else "P"


def castling_side(s: ChessState, move: int) -> str:
    """`O-O` or `O-O-O` for a move that castles, else nothing."""
    start, goal = move & 63, move >> 6 & 63
    if not bit(start) & s.kings or abs(start - goal) != 2:
        return ""
    return "O-O" if goal > start else "O-O-O"


def san(s: ChessState, move: int) -> str:
    """A legal move in standard algebraic notation."""
    child = play(s, move)
    mate = outcome(child) == -1
    return bare_san(s, move) + ("#" if mate else "+" if checkers(child) else "")


def bare_san(s: ChessState, move: int) -> str:
    """The same without the sign of check or mate."""
    castles = castling_side(s, move)
    if castles:
        return castles
    start, goal = cells_of_move(s, move)
    letter = piece_letter(s, bit(move & 63))
    takes = "x" if bit(move >> 6 & 63) & s.theirs else ""
    if letter == "P":
        takes = takes or ("x" if start & 7 != goal & 7 else "")  # in passing
        kind = PROMOTED.get(move >> 12, "").upper()
        return (FILES[start & 7] if takes else "") + takes + cell_name(goal) + (f"={kind}" if kind else "")
    return letter + told_apart(s, move, letter) + takes + cell_name(goal)


def told_apart(s: ChessState, move: int, letter: str) -> str:
    """As much of the start as tells the move from others of equal pieces to the same cell: the
    column, else the row, else both.
    """
    start, goal = cells_of_move(s, move)
    rivals = [
        cells_of_move(s, other)[0]
        for other in legal_moves(s)
        if other != move and cells_of_move(s, other)[1] == goal and piece_letter(s, bit(other & 63)) == letter
    ]
    name = cell_name(start)
    if not rivals:
        return ""
    if all(rival & 7 != start & 7 for rival in rivals):
        return name[0]
    return name[1] if all(rival >> 3 != start >> 3 for rival in rivals) else name


def read_san(s: ChessState, text: str) -> int:
    """The legal move that is written `text`. Raises IllegalMove."""
    wanted = text.strip()
    core = END.sub("", wanted) if len(wanted) <= LONGEST else ""
    fitting = fitting_moves(s, core)
    if len(fitting) == 1:
        return fitting[0]
    if outcome(s) != ONGOING:
        raise IllegalMove(message("{move}: the game is over, there is nothing left to play", move=wanted))
    if len(fitting) > 1:
        choices = " ".join(sorted(san(s, move) for move in fitting))
        raise IllegalMove(
            message("{move} can be read as several moves here: {moves}", move=wanted, moves=choices)
        )
    legal = " ".join(sorted(san(s, move) for move in legal_moves(s)))
    raise IllegalMove(message("{move} is not a legal move here; legal: {moves}", move=wanted, moves=legal))


def fitting_moves(s: ChessState, text: str) -> list[int]:
    """The legal moves that `text`, without marks at its end, can mean."""
    castles = CASTLING.fullmatch(text)
    if castles:
        side = "O-O-O" if castles[2] else "O-O"
        return [move for move in legal_moves(s) if castling_side(s, move) == side]
    parts = MOVE.fullmatch(text)
    if not parts:
        return []
    letter, column, row, takes, goal, kind = parts.groups()
    to_goal = [move for move in legal_moves(s) if cell_name(cells_of_move(s, move)[1]) == goal]
    named = [move for move in to_goal if uci(s, move) == text]
    if named:
        return named
    if not letter and not column:
        if takes in ("x", ":"):
            return []
        column = goal[0]  # a pawn that takes says from where

    def fits(move: int) -> bool:
        start = cell_name(cells_of_move(s, move)[0])
        return (
            column in ("", start[0])
            and row in ("", start[1])
            and PROMOTED.get(move >> 12, "") == kind.lower()
            and piece_letter(s, bit(move & 63)) == (letter or "P")
        )

    return [move for move in to_goal if fits(move)]
