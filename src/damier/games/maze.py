"""The maze of Pacman: where things stand, as text, as data and as a file.

A layout is lines of `%` walls, `.` food, `o` capsules, `G` ghosts, `P` Pacman and spaces. Ghosts
are numbered from left to right and, in one column, from the bottom. A scared ghost may stand
between two cells, so places count in half-cells, from the top left, one int each:

    place = 128 × row of half-cells + column of half-cells
    a step of half a cell: North -128, South +128, East +1, West -1

Cells are numbered row by row from the top left. A set of cells is laid into words of 62 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from damier.core.errors import BadFile, UnknownName
from damier.core.files import read_text
from damier.core.json_data import JsonBounds, read_json, require_keys, whole_number
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, message

DIRECTIONS = ("North", "South", "East", "West", "Stop")
NORTH, SOUTH, EAST, WEST, STOP = range(5)
ROW = 128
"""From a half-cell to the one below it."""
STEPS = (-ROW, ROW, 1, -1, 0)
"""Half a cell in each direction."""
HALVES = ROW | 1
"""The bits of a place that say that it is between two cells."""

LAYOUTS = Path(__file__).parent / "layouts"
LARGEST = 63
"""Rows and columns of a maze at most."""
MOST_GHOSTS = 16
SCARED = 40
"""Number of its own moves for which a ghost is scared."""
WORD = 62


class Ghost(NamedTuple):
    place: int
    heading: int
    fear: int  # how many of its moves it is still scared for
    home: int  # the place where it comes back when it was eaten


class Maze(NamedTuple):
    """Walls, top row first, and what stands between them; food and capsules are numbers of cells."""

    walls: tuple[str, ...]
    food: tuple[int, ...]
    capsules: tuple[int, ...]
    pacman: int  # a place
    facing: int
    ghosts: tuple[Ghost, ...]
    score: int = 0

    @property
    def width(self) -> int:
        return len(self.walls[0])

    @property
    def height(self) -> int:
        return len(self.walls)

    def is_wall(self, place: int) -> bool:
        """Return whether a place on whole cells is a wall."""
        row, column = place // (2 * ROW), place % ROW // 2
        return self.walls[row][column] == "%"

    def ways(self, place: int) -> int:
        """The directions in which a whole cell is open, as a set."""
        return sum(1 << way for way in (NORTH, SOUTH, EAST, WEST) if not self.is_wall(place + 2 * STEPS[way]))

    def cell(self, place: int) -> int:
        """The number of the cell at a place on whole cells."""
        return place // (2 * ROW) * self.width + place % ROW // 2

    def place(self, cell: int) -> int:
        return place_of(*divmod(cell, self.width))


def place_of(row: int, column: int) -> int:
    """The place of a whole cell, rows counted from the top."""
    return 2 * (row * ROW + column)


def words(cells: Iterable[int], size: int) -> tuple[int, ...]:
    """A set of cells out of `size`, as words of 62 bits."""
    chosen = set(cells)
    return tuple(
        sum(1 << bit for bit in range(WORD) if first + bit in chosen) for first in range(0, size, WORD)
    )


def layouts() -> list[str]:
    """The names of the layouts that damier brings, the smallest first."""
    return sorted(
        (path.stem for path in LAYOUTS.glob("*.txt")),
        key=lambda name: ((LAYOUTS / f"{name}.txt").stat().st_size, name),
    )


def read_layout(name: str) -> Maze:
    """The layout of that name, or in the text file of that path. Raises UnknownName, BadFile."""
    path = LAYOUTS / f"{name}.txt"
    if name not in layouts():
        path = Path(name)
        if path.suffix != ".txt":
            raise UnknownName(
                message(
                    "no layout is called {name}; there are {names}, or the path of a file: MAZE.txt",
                    name=name,
                    names=" ".join(layouts()),
                )
            )
    text = read_text(path, 2 * LARGEST * LARGEST)
    try:
        return parse_layout(text)
    except BadFile as error:
        raise BadFile(message("{path}: {error}", path=path, error=error)) from None


def parse_layout(text: str) -> Maze:
    """The maze of a layout. Raises BadFile."""
    rows = text.rstrip("\n").split("\n")
    walls = checked_walls(tuple("".join("%" if mark == "%" else " " for mark in row) for row in rows))
    found: dict[str, list[tuple[int, int]]] = {mark: [] for mark in "%.oGP "}
    for row, line in enumerate(rows):
        for column, mark in enumerate(line):
            if mark not in found:
                raise BadFile(
                    message(
                        "line {row}, column {column}: {mark} means nothing in a layout",
                        row=row + 1,
                        column=column + 1,
                        mark=mark,
                    )
                )
            found[mark].append((row, column))
    if len(found["P"]) != 1:
        raise BadFile(message("a layout has one P, for Pacman; here there are {n}", n=len(found["P"])))
    food, capsules = (tuple(row * len(walls[0]) + column for row, column in found[mark]) for mark in ".o")
    homes = [
        place_of(row, column) for row, column in sorted(found["G"], key=lambda place: (place[1], -place[0]))
    ]
    ghosts = tuple(Ghost(home, STOP, 0, home) for home in homes)
    return checked(Maze(walls, food, capsules, place_of(*found["P"][0]), STOP, ghosts))


def checked_walls(walls: tuple[str, ...]) -> tuple[str, ...]:
    """The rows of a maze, if they can be one. Raises BadFile."""
    width = len(walls[0])
    if not (3 <= width <= LARGEST and 3 <= len(walls) <= LARGEST):
        raise BadFile(
            message(
                "{width} columns and {height} rows; a maze has from 3 to {n} of each",
                width=width,
                height=len(walls),
                n=LARGEST,
            )
        )
    for row, line in enumerate(walls):
        if len(line) != width:
            raise BadFile(
                message(
                    "row {row} has {n} columns, the first row {width}", row=row + 1, n=len(line), width=width
                )
            )
        for column, mark in enumerate(line):
            if mark not in "% ":
                raise BadFile(
                    message(
                        "walls: row {row}, column {column}: {mark} is neither % nor a space",
                        row=row + 1,
                        column=column + 1,
                        mark=mark,
                    )
                )
            if mark == " " and (row in (0, len(walls) - 1) or column in (0, width - 1)):
                raise BadFile(
                    message(
                        "row {row}, column {column}: the border of a maze is a wall",
                        row=row + 1,
                        column=column + 1,
                    )
                )
    return walls


def checked(maze: Maze) -> Maze:
    """The maze, if a game can stand like that. Raises BadFile."""
    if not maze.food:
        raise BadFile(message("there is no food: the game would be over"))
    return checked_figures(maze)


def checked_figures(maze: Maze) -> Maze:
    """The maze, if things can stand so in it, whether the game is over or not. Raises BadFile."""
    for what, cells in ((_("food"), maze.food), (_("a capsule"), maze.capsules)):
        if len(set(cells)) < len(cells):
            raise BadFile(message("{what} is twice in one cell", what=what))
        if any(maze.is_wall(maze.place(cell)) for cell in cells):
            raise BadFile(message("{what} is in a wall", what=what))
    if maze.is_wall(maze.pacman):
        raise BadFile(message("Pacman is in a wall"))
    if len(maze.ghosts) > MOST_GHOSTS:
        raise BadFile(message("{n} ghosts; there are at most {most}", n=len(maze.ghosts), most=MOST_GHOSTS))
    for number, ghost in enumerate(maze.ghosts, 1):
        if fault := fault_of(maze, ghost):
            raise BadFile(message("ghost {n} {fault}", n=number, fault=fault))
    return maze


def fault_of(maze: Maze, ghost: Ghost) -> str:
    """Return what makes a ghost impossible; nothing where it is not."""
    between = ghost.place & HALVES
    step = STEPS[ghost.heading]
    if between and (between == HALVES or abs(step) != between):
        return _("is between two cells, and its direction is not from one to the other")
    if between and not ghost.fear:
        return _("is between two cells, and not scared")
    for place in (
        (ghost.home, ghost.place - step, ghost.place + step) if between else (ghost.home, ghost.place)
    ):
        if maze.is_wall(place):
            return _("is in a wall")
        if not maze.ways(place):
            return _("cannot move: it has walls on all sides")
    return ""


# A state of Pacman as a file, damier-pacman/1: read, checked as a whole, and written.
#
# In the file x goes to the right and y upwards, both from 0 and in whole cells or halves; rows of
# walls run from the top.

MAZE_FORMAT = "damier-pacman/1"
MAZE_BOUNDS = JsonBounds(1 << 22, 100_000, 200_000)
LARGEST_SCORE = 10**9


def read_maze_file(path: Path) -> Maze:
    """The maze in a file. Raises BadFile, with what is wrong."""
    try:
        return maze_from_json(read_json(path, MAZE_FORMAT, MAZE_BOUNDS))
    except BadFile as error:
        raise (
            error if str(path) in str(error) else BadFile(message("{path}: {error}", path=path, error=error))
        ) from None


def maze_from_json(data: Mapping[str, JsonValue]) -> Maze:
    """The maze that plain data describes. Raises BadFile."""
    require_keys(data, ("format", "walls", "food", "capsules", "pacman", "score", "ghosts"), _("the state"))
    lines = json_list(data, "walls")
    rows = [row for row in lines if isinstance(row, str)]
    if not rows or len(rows) < len(lines):
        raise BadFile(message("walls is a list of rows, such as {example}", example='"%%%%%"'))
    walls = checked_walls(tuple(rows))
    height, width = len(walls), len(walls[0])

    def cell(pair: JsonValue, what: str) -> int:
        place = place_in(walls, pair, what)
        return place // (2 * ROW) * width + place % ROW // 2

    food, capsules = (
        tuple(cell(pair, what) for pair in json_list(data, what, height * width))
        for what in ("food", "capsules")
    )
    pacman = json_mapping(data.get("pacman"), "pacman")
    require_keys(pacman, ("x", "y", "direction"), "pacman")
    score = whole_number(data.get("score", 0))
    if score is None or abs(score) > LARGEST_SCORE:
        raise BadFile(
            message(
                "score is {score}; it must be a whole number up to {most}",
                score=data["score"],
                most=LARGEST_SCORE,
            )
        )
    ghosts = tuple(
        ghost_of(walls, ghost, number)
        for number, ghost in enumerate(json_list(data, "ghosts", MOST_GHOSTS), 1)
    )
    place = place_in(walls, [pacman.get("x"), pacman.get("y")], "pacman")
    return checked(Maze(walls, food, capsules, place, direction_of(pacman, "pacman"), ghosts, score))


def ghost_of(walls: tuple[str, ...], data: JsonValue, number: int) -> Ghost:
    """One ghost. Raises BadFile."""
    name = f"ghost {number}"
    ghost = json_mapping(data, name)
    require_keys(ghost, ("x", "y", "direction", "scared", "start"), name)
    fear = whole_number(ghost.get("scared", 0))
    if fear is None or not 0 <= fear <= SCARED:
        raise BadFile(
            message(
                "{name}: scared is {fear}; it is from 0 to {most}",
                name=name,
                fear=ghost["scared"],
                most=SCARED,
            )
        )
    place = place_in(walls, [ghost.get("x"), ghost.get("y")], name, halves=True)
    return Ghost(
        place, direction_of(ghost, name), fear, place_in(walls, ghost.get("start"), f"{name}, start")
    )


def place_in(walls: tuple[str, ...], pair: JsonValue, what: str, *, halves: bool = False) -> int:
    """The place of [x, y]. Raises BadFile."""
    if not isinstance(pair, list) or len(pair) != 2 or not all(type(n) in (int, float) for n in pair):
        raise BadFile(
            message("{what}: {place} is not a place; a place is two numbers, x and y", what=what, place=pair)
        )
    inside = 0 <= pair[0] <= len(walls[0]) - 1 and 0 <= pair[1] <= len(walls) - 1
    if not inside or not all((2 * n if halves else n) == int(2 * n if halves else n) for n in pair):
        limits = {"x": len(walls[0]) - 1, "y": len(walls) - 1}
        raise BadFile(
            message(
                "{what}: {place} is no cell; x is from 0 to {x} and y from 0 to {y}",
                what=what,
                place=pair,
                **limits,
            )
        )
    return int(2 * (len(walls) - 1 - pair[1])) * ROW + int(2 * pair[0])


def direction_of(data: Mapping[str, JsonValue], what: str) -> int:
    """The number of a direction; standing still where none is given. Raises BadFile."""
    word = data.get("direction", DIRECTIONS[STOP])
    if word not in DIRECTIONS:
        raise BadFile(
            message(
                "{what}: direction is {word}; it is one of {words}",
                what=what,
                word=word,
                words=" ".join(DIRECTIONS),
            )
        )
    return DIRECTIONS.index(word)


def json_list(data: Mapping[str, JsonValue], name: str, most: int = 1000) -> list[JsonValue]:
    """A list that must be there. Raises BadFile."""
    found = data.get(name)
    if not isinstance(found, list):
        raise BadFile(message("{name} is missing, or is no list", name=name))
    if len(found) > most:
        raise BadFile(
            message("{name} has {n} entries; there are at most {most}", name=name, n=len(found), most=most)
        )
    return found


def json_mapping(data: JsonValue, name: str) -> JsonObject:
    """An object that must be there. Raises BadFile."""
    if not isinstance(data, dict):
        raise BadFile(message("{name} is missing, or is no object", name=name))
    return data


def maze_as_json(maze: Maze) -> JsonObject:
    """A maze as plain data."""
    top = maze.height - 1

    def at(place: int) -> list[float]:
        return [place % ROW / 2, top - place // ROW / 2]

    def cells(numbers: tuple[int, ...]) -> list[list[int]]:
        return [[cell % maze.width, top - cell // maze.width] for cell in numbers]

    x, y = map(int, at(maze.pacman))
    ghosts: list[JsonObject] = []
    for ghost in maze.ghosts:
        place, home = at(ghost.place), [int(n) for n in at(ghost.home)]
        ghosts.append(
            {
                "x": place[0],
                "y": place[1],
                "direction": DIRECTIONS[ghost.heading],
                "scared": ghost.fear,
                "start": home,
            }
        )
    return {
        "format": MAZE_FORMAT,
        "walls": list(maze.walls),
        "food": cells(maze.food),
        "capsules": cells(maze.capsules),
        "pacman": {"x": x, "y": y, "direction": DIRECTIONS[maze.facing]},
        "score": maze.score,
        "ghosts": ghosts,
    }
