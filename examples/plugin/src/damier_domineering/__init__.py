"""Domineering (Göran Andersson, 1973): dominoes in turn, upright and across; who cannot move loses."""

from typing import NamedTuple

from damier import ONGOING, Game, Grid, position_of


class State(NamedTuple):
    taken: int  # cells, row by row from the top left
    mover: int


def domineering(width: int = 5, height: int = 5) -> Game:
    board = (1 << width * height) - 1
    left = sum(1 << row * width for row in range(height))
    step = (width, 1)  # from the first cell of a domino to its second
    letters = tuple("abcdefghijklmnopqrstuvwxyz"[:width])

    def moves(s: State) -> int:
        free = board & ~s.taken
        return free & free >> width if s.mover == 0 else free & (free & ~left) >> 1

    def play(s: State, move: int) -> State:
        return State(s.taken | move | move << step[s.mover], 1 - s.mover)

    def outcome(s: State) -> int:
        return ONGOING if moves(s) else -1

    def name_move(s: State, move: int) -> str:
        cells = position_of(move), position_of(move) + step[s.mover]
        return "".join(f"{letters[cell % width]}{height - cell // width}" for cell in cells)

    def grid(s: State) -> Grid:
        lines = tuple(str(height - row) for row in range(height))
        return Grid.of(width, height, {"#": s.taken}, {"#": "dark"}, letters, lines)

    summary = "dominoes upright and across; who cannot move loses"
    words = {"name_move": name_move, "grid": grid, "title": "Domineering", "summary": summary}
    return Game("domineering", State(0, 0), moves, play, outcome, bits=(width * height, 1), **words)
