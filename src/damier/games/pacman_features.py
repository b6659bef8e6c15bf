"""What an evaluation of Pacman weighs (document [S2], rows A-55 and A-57)."""

from __future__ import annotations

from damier.core.bits import lowest, popcount, position_of
from damier.core.defaults import Rule
from damier.games.maze import ROW, WORD, Maze
from damier.games.pacman_state import ZERO, PacmanState, half_cells


def features(maze: Maze, ghosts: int) -> dict[str, Rule]:
    """What an evaluation weighs: the score, how much food is left, 1 / the distance to the nearest
    food, the distance to the nearest ghost that is not scared (row A-57). Distances are in cells,
    rows and columns added; where there is nothing to be near to, they count 0.
    """
    width = maze.width

    def score(s: PacmanState) -> float:
        return float(s.score - ZERO)

    def food(s: PacmanState) -> float:
        left = 0
        for part in s.food:
            left += popcount(part)
        return float(left)

    def near_food(s: PacmanState) -> float:
        nearest, first = ROW, 0
        row, column = s.pacman >> 8, s.pacman >> 1 & 63
        for part in s.food:
            left = part
            while left:
                bit = lowest(left)
                left ^= bit
                cell = first + position_of(bit)
                nearest = min(nearest, abs(cell // width - row) + abs(cell % width - column))
            first += WORD
        return 1.0 / max(nearest, 1) if nearest < ROW else 0.0

    def ghost(s: PacmanState) -> float:
        nearest = 4 * ROW
        for number in range(ghosts):
            if s.fears[number] == 0:
                nearest = min(nearest, half_cells(s.pacman, s.ghosts[number]))
        return nearest / 2.0 if nearest < 4 * ROW else 0.0

    return {"score": score, "food": food, "near_food": near_food} | ({"ghost": ghost} if ghosts else {})
