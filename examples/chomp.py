"""Chomp (David Gale, 1974): bite off a square with all below it or to its right; who eats a1 loses."""

from collections import namedtuple

from damier import ONGOING, Game, Grid, position_of

State = namedtuple("State", "left mover")  # the squares that are left, a1 in bit 0, row by row


def chomp(width: int = 5, height: int = 4) -> Game:
    cells = range(width * height)
    at = [divmod(cell, width) for cell in cells]
    bites = tuple(sum(1 << d for d in cells if at[d][0] >= y and at[d][1] >= x) for y, x in at)
    columns, lines = tuple("abcdefghijklmnopqrstuvwxyz"[:width]), tuple(str(row + 1) for row in range(height))

    def play(s: State, move: int) -> State:
        return State(s.left & ~bites[position_of(move)], 1 - s.mover)

    def outcome(s: State) -> int:
        return ONGOING if s.left else 1  # the other player has eaten a1

    def name_move(s: State, move: int) -> str:
        return columns[position_of(move) % width] + lines[position_of(move) // width]

    def grid(s: State) -> Grid:
        squares = "".join("#" if s.left >> cell & 1 else "." for cell in cells)
        return Grid(tuple(squares[c : c + width] for c in cells[::width]), {"#": "dark"}, columns, lines)

    words = {"name_move": name_move, "grid": grid}
    return Game("chomp", State(bites[0], 0), lambda s: s.left, play, outcome, bits=(len(cells), 1), **words)
