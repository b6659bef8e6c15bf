"""Draughts written plainly, on a dictionary of squares: row and column from the top left.

A move is its path, a tuple of the numbers of squares, with the set of squares of what it takes.
"""

from __future__ import annotations

from typing import NamedTuple

Square = tuple[int, int]
Board = dict[Square, str]  # b w men, B W kings
ALL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


class NaiveMove(NamedTuple):
    path: tuple[Square, ...]
    taken: frozenset[Square]


class NaiveDraughts:
    """The rules of one variant: `width` squares, whether men take backwards, whether kings fly."""

    def __init__(self, international: bool) -> None:
        self.width = 10 if international else 8
        self.international = international
        rows = 4 if international else 3
        self.start: Board = {}
        for row in range(self.width):
            for column in range(self.width):
                if (row + column) % 2 and (row < rows or row >= self.width - rows):
                    self.start[row, column] = "b" if row < rows else "w"
        self.first = "w" if international else "b"

    def number(self, square: Square) -> int:
        return square[0] * self.width // 2 + square[1] // 2 + 1

    def inside(self, square: Square) -> bool:
        return 0 <= square[0] < self.width and 0 <= square[1] < self.width

    def moves(self, board: Board, colour: str) -> list[NaiveMove]:
        """Every path; what has the same start, goal and taken pieces is still listed apart."""
        own = [square for square, piece in board.items() if piece.lower() == colour]
        jumps = [move for square in own for move in self.jumps_of(board, square, colour)]
        if jumps and self.international:
            most = max(len(move.taken) for move in jumps)
            return [move for move in jumps if len(move.taken) == most]
        return jumps or [move for square in own for move in self.steps_of(board, square)]

    def steps_of(self, board: Board, square: Square) -> list[NaiveMove]:
        piece = board[square]
        directions = ALL if piece.isupper() else self.forwards(piece)
        found = []
        for down, right in directions:
            for far in range(1, self.width if self.international and piece.isupper() else 2):
                goal = (square[0] + far * down, square[1] + far * right)
                if not self.inside(goal) or goal in board:
                    break
                found.append(NaiveMove((square, goal), frozenset()))
        return found

    def forwards(self, piece: str) -> list[Square]:
        return [(1, -1), (1, 1)] if piece.lower() == "b" else [(-1, -1), (-1, 1)]

    def jumps_of(self, board: Board, square: Square, colour: str) -> list[NaiveMove]:
        piece = board[square]
        without = {place: other for place, other in board.items() if place != square}
        return self.jumps_on(without, piece, colour, NaiveMove((square,), frozenset()))

    def jumps_on(self, board: Board, piece: str, colour: str, so_far: NaiveMove) -> list[NaiveMove]:
        """All ways to go on from the last square of a path to its end."""
        found = []
        flying = self.international and piece.isupper()
        directions = ALL if self.international or piece.isupper() else self.forwards(piece)
        row, column = so_far.path[-1]
        for down, right in directions:
            line = [(row + far * down, column + far * right) for far in range(1, self.width)]
            line = [square for square in line if self.inside(square)]
            at = next((i for i, square in enumerate(line) if square in board), len(line))
            if at == len(line) or (at > 0 and not flying):
                continue
            jumped = line[at]
            if board[jumped].lower() == colour or jumped in so_far.taken:
                continue
            for landing in line[at + 1 : None if flying else at + 2]:
                if landing in board:
                    break
                further = NaiveMove((*so_far.path, landing), so_far.taken | {jumped})
                found += self.jumps_on(board, piece, colour, further) or [further]
        return found

    def after(self, board: Board, move: NaiveMove) -> Board:
        start, goal = move.path[0], move.path[-1]
        piece = board[start]
        left = {place: other for place, other in board.items() if place != start and place not in move.taken}
        crowned = goal[0] == (self.width - 1 if piece.lower() == "b" else 0)
        return left | {goal: piece.upper() if crowned else piece}

    def names(self, moves: list[NaiveMove]) -> dict[tuple[int, int, frozenset[Square]], set[str]]:
        """By start, goal and taken pieces, how the field could write a move."""
        found: dict[tuple[int, int, frozenset[Square]], set[str]] = {}
        for move in moves:
            numbers = [self.number(square) for square in move.path]
            name = ("x" if move.taken else "-").join(map(str, numbers))
            found.setdefault((numbers[0], numbers[-1], move.taken), set()).add(name)
        return found

    def rows(self, board: Board) -> tuple[str, ...]:
        return tuple(
            "".join(
                board.get((row, column), "." if (row + column) % 2 else " ") for column in range(self.width)
            )
            for row in range(self.width)
        )
