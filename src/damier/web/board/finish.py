"""What a game was won by, where that is a line on the board."""

from __future__ import annotations

from damier.core.grid import Grid
from damier.draw.marks import grid_of
from damier.web.board.session import GameSession

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_line(session: GameSession) -> tuple[int, ...]:
    """The cells of the line through the last stone that ended the game; none where nothing was won, or
    not by a line.
    """
    position = session.position
    board, length = grid_of(position), line_length(session)
    if not (length and position.over and position.payoffs and any(position.payoffs) and session.at):
        return ()
    before, name = session.positions[session.at - 1], session.moves[session.at - 1]
    if not isinstance(board, Grid) or session.game.place is None:
        return ()
    last = session.game.place(before.state, before.read(name))[-1]
    runs = (run_through(board, last, *direction) for direction in DIRECTIONS)
    return next((run for run in runs if len(run) >= length), ())


def line_length(session: GameSession) -> int:
    """How many in a row end a game; 0 where nothing does."""
    if session.game.name == "tictactoe":
        return 3
    length = session.game.options.get("in_a_row", 0)
    return length if isinstance(length, int) else 0


def run_through(board: Grid, cell: int, down: int, right: int) -> tuple[int, ...]:
    """The longest row of pieces like that of `cell`, both ways, in order."""
    piece = board.piece(cell)

    def along(sign: int) -> list[int]:
        row, column = divmod(cell, board.width)
        found: list[int] = []
        while True:
            row, column = row + sign * down, column + sign * right
            inside = 0 <= row < board.height and 0 <= column < board.width
            if not inside or board.piece(row * board.width + column) != piece:
                return found
            found.append(row * board.width + column)

    return (*reversed(along(-1)), cell, *along(1))
