"""The board of Pacman for people: the cells as data, a line on what they do not show, the cells of
a move.
"""

from __future__ import annotations

from damier.core.bits import position_of
from damier.core.board import Grid
from damier.core.words import _, ngettext
from damier.games.maze import HALVES, STEPS, Maze
from damier.games.pacman_state import ZERO, PacmanState, maze_of, snapped

FOOD = "·"  # in a grid, a full stop is a free cell


def grid_of(maze: Maze, s: PacmanState) -> Grid:
    """The board.

    A ghost between two cells is drawn on the nearest, and over Pacman if it stands there too.
    """
    now = maze_of(maze, s)
    marks = list("".join(maze.walls))
    for mark, cells in ((FOOD, now.food), ("o", now.capsules), ("P", (maze.cell(s.pacman),))):
        for cell in cells:
            marks[cell] = mark
    for ghost in now.ghosts:
        marks[maze.cell(snapped(ghost.place))] = "S" if ghost.fear else "G"
    text = "".join(marks)
    rows = tuple(text[first : first + maze.width] for first in range(0, len(text), maze.width))
    return Grid(
        rows,
        {"%": "wall", FOOD: "food", "o": "capsule", "P": "pacman", "G": "ghost", "S": "scared"},
        caption=caption(s),
    )


def caption(s: PacmanState) -> str:
    """What the board does not show: the score, and the fears of the ghosts."""
    said = [_("Score {score}", score=s.score - ZERO)]
    for number, fear in enumerate(s.fears, 1):
        if fear:
            said.append(
                ngettext(
                    "ghost {ghost} is scared for {n} more move",
                    "ghost {ghost} is scared for {n} more moves",
                    fear,
                    ghost=number,
                )
            )
    return "; ".join(said)


def cells_of_move(maze: Maze, s: PacmanState, move: int) -> tuple[int, ...]:
    """From which cell to which a move goes."""
    step = 2 * STEPS[position_of(move)]
    place = s.pacman if s.mover == 0 else s.ghosts[s.mover - 1]
    if place & HALVES:
        return maze.cell(place - step // 2), maze.cell(place + step // 2)
    return (maze.cell(place), maze.cell(place + step)) if step else (maze.cell(place),)
