"""What a game was won by, where that is a line on the board."""

from __future__ import annotations

from collections import deque
from math import hypot

from damier.core.grid import Grid
from damier.core.hexagons import Hexagons
from damier.draw.marks import grid_of
from damier.web.board.session import GameSession

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_line(session: GameSession) -> tuple[int, ...]:
    """The cells of the line through the last stone that ended the game, or of the chain from edge to edge;
    none where nothing was won, or not by a line.
    """
    position = session.position
    board, length = grid_of(position), line_length(session)
    if not (position.over and position.payoffs and any(position.payoffs)):
        return ()
    if isinstance(board, Hexagons) and board.edges:
        return min(filter(None, (chain(board, side) for side in (0, 1))), key=len, default=())
    if not (length and session.at):
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


def chain(board: Hexagons, side: int) -> tuple[int, ...]:
    """The shortest chain of pieces that joins the two edges of their own: side 0 is that of top and bottom,
    side 1 that of left and right; none where they are not joined.
    """
    piece = board.edges[side]
    lines = board.by_rows if side == 0 else tuple(zip(*board.by_rows, strict=True))
    came_from = {cell: cell for cell in lines[0] if board.piece(cell) == piece}
    waiting = deque(came_from)
    while waiting:
        cell = waiting.popleft()
        if cell in lines[-1]:
            found = [cell]
            while came_from[found[-1]] != found[-1]:
                found.append(came_from[found[-1]])
            return tuple(found)
        for other in beside(board, cell):
            if board.piece(other) == piece and other not in came_from:
                came_from[other] = cell
                waiting.append(other)
    return ()


def beside(board: Hexagons, cell: int) -> tuple[int, ...]:
    """The cells that touch one: those whose middles are one width away."""
    x, y = board.centre(cell)
    return tuple(
        other for other, (to_x, to_y) in enumerate(board.centres) if 0.9 < hypot(x - to_x, y - to_y) < 1.1
    )
