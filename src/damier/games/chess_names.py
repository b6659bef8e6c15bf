"""A position of chess as its players see it: letters of pieces, names of cells and of moves.

The rules number cells from the mover's own side; people number them from White's.
"""

from __future__ import annotations

from damier.games.chess_rules import BISHOP, KNIGHT, QUEEN, ROOK, ChessState, turned_over

FILES = "abcdefgh"
PROMOTED = {KNIGHT: "n", BISHOP: "b", ROOK: "r", QUEEN: "q"}


def seen_by_white(s: ChessState) -> ChessState:
    """The board as White sees it, whoever is to move: `mine` are White's pieces."""
    return turned_over(s) if s.mover else s


def letter_sets(s: ChessState) -> dict[str, int]:
    """The cells of every kind of piece by its letter, a capital for White; a1 is bit 0."""
    board = seen_by_white(s)
    kinds = {
        "K": board.kings,
        "Q": board.diagonal & board.straight,
        "R": board.straight & ~board.diagonal,
        "B": board.diagonal & ~board.straight,
        "N": board.knights,
        "P": board.pawns,
    }
    white = {letter: cells & board.mine for letter, cells in kinds.items()}
    return white | {letter.lower(): cells & board.theirs for letter, cells in kinds.items()}


def board_rows(s: ChessState) -> tuple[str, ...]:
    """The eight rows from the top, a letter for a piece, `.` for a free cell."""
    marks = ["."] * 64
    for letter, cells in letter_sets(s).items():
        for cell in range(64):
            if cells >> cell & 1:
                marks[cell] = letter
    text = "".join(marks)
    return tuple(text[row * 8 : row * 8 + 8] for row in range(7, -1, -1))


def cell_name(cell: int) -> str:
    """The name of a cell as White numbers them.

    >>> cell_name(0), cell_name(63)
    ('a1', 'h8')
    """
    return f"{FILES[cell & 7]}{(cell >> 3) + 1}"


def cells_of_move(s: ChessState, move: int) -> tuple[int, int]:
    """Where a move starts and ends, as White numbers the cells."""
    turned = 56 if s.mover else 0
    return move & 63 ^ turned, move >> 6 & 63 ^ turned


def uci(s: ChessState, move: int) -> str:
    """A move as engines write it: `e2e4`, `e7e8q`; castling is the move of the king, `e1g1`."""
    start, goal = cells_of_move(s, move)
    return cell_name(start) + cell_name(goal) + PROMOTED.get(move >> 12, "")
