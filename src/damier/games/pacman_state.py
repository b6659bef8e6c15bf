"""A state of Pacman: what is in it, how far things are from each other, and the maze that it is."""

from __future__ import annotations

from typing import NamedTuple

from damier.games.maze import ROW, WORD, Ghost, Maze, words

ZERO = 1 << 31
"""What a score of 0 is written as: a state holds no negative numbers."""
GOES_ON, WON, CAUGHT = 0, 1, 2


class PacmanState(NamedTuple):
    """Places and directions as in `damier.games.maze`; food and capsules are words of 62 cells,
    ghosts are numbered from player 1.
    """

    mover: int
    score: int  # of Pacman, more ZERO
    end: int
    pacman: int
    facing: int
    food: tuple[int, ...]
    capsules: tuple[int, ...]
    ghosts: tuple[int, ...]
    headings: tuple[int, ...]
    fears: tuple[int, ...]
    homes: tuple[int, ...]


def whoever_moves(s: PacmanState) -> PacmanState:
    """States that differ in whose turn it is count as one (spec D, "Pacman state file")."""
    return PacmanState(
        0, s.score, GOES_ON, s.pacman, s.facing, s.food, s.capsules, s.ghosts, s.headings, s.fears, s.homes
    )


def half_cells(place: int, other: int) -> int:
    """The distance of two places in half-cells, rows and columns added."""
    return abs((place >> 7) - (other >> 7)) + abs((place & ROW - 1) - (other & ROW - 1))


def in_contact(place: int, other: int) -> bool:
    """Whether two places are at most 0.7 cells apart, rows and columns added: half a cell, or none."""
    return half_cells(place, other) <= 1


def snapped(place: int) -> int:
    """The nearest whole cell; from between two, the one above or to the right."""
    if place & 1:
        return place + 1
    return place - ROW if place & ROW else place


def start_of(maze: Maze) -> PacmanState:
    """The state of a maze, Pacman to move."""
    size = maze.width * maze.height
    places, headings, fears, homes = (tuple(ghost[field] for ghost in maze.ghosts) for field in range(4))
    return PacmanState(
        0,
        ZERO + maze.score,
        GOES_ON,
        maze.pacman,
        maze.facing,
        words(maze.food, size),
        words(maze.capsules, size),
        places,
        headings,
        fears,
        homes,
    )


def maze_of(maze: Maze, s: PacmanState) -> Maze:
    """A state as a maze with what stands in it: what a state file holds."""
    cells = range(maze.width * maze.height)
    food, capsules = (
        tuple(cell for cell in cells if part[cell // WORD] >> cell % WORD & 1)
        for part in (s.food, s.capsules)
    )
    ghosts = tuple(Ghost(*fields) for fields in zip(s.ghosts, s.headings, s.fears, s.homes, strict=True))
    return Maze(maze.walls, food, capsules, s.pacman, s.facing, ghosts, s.score - ZERO)


def bits_of(maze: Maze) -> tuple[int | tuple[int, ...], ...]:
    """The width of every field of a state."""
    size, ghosts = maze.width * maze.height, len(maze.ghosts)
    place = (2 * maze.height * ROW).bit_length()
    cells = tuple(min(WORD, size - first) for first in range(0, size, WORD))
    return (
        max(1, ghosts.bit_length()),
        32,
        2,
        place,
        3,
        cells,
        cells,
        (place,) * ghosts,
        (3,) * ghosts,
        (6,) * ghosts,
        (place,) * ghosts,
    )
