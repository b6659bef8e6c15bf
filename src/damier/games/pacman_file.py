"""A state of Pacman as a file, damier-pacman/1 (spec D): read, checked as a whole, and written.

In the file x goes to the right and y upwards, both from 0 and in whole cells or halves; rows of
walls run from the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from damier.core.errors import BadFile
from damier.core.json_data import JsonBounds, read_json, require_keys, whole_number, write_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, message
from damier.games.maze import DIRECTIONS, MOST_GHOSTS, ROW, SCARED, STOP, Ghost, Maze, checked, checked_walls

FORMAT = "damier-pacman/1"
BOUNDS = JsonBounds(1 << 22, 100_000, 200_000)
LARGEST_SCORE = 10**9


def load(path: Path) -> Maze:
    """The maze in a file. Raises BadFile, with what is wrong."""
    try:
        return maze_of(read_json(path, FORMAT, BOUNDS))
    except BadFile as error:
        raise (
            error if str(path) in str(error) else BadFile(message("{path}: {error}", path=path, error=error))
        ) from None


def save(maze: Maze, path: Path) -> None:
    """Writes a maze, in one step. Raises BadInput if the place cannot be written."""
    write_json(path, facts(maze), BOUNDS)


def maze_of(data: Mapping[str, JsonValue]) -> Maze:
    """The maze that plain data describes. Raises BadFile."""
    require_keys(data, ("format", "walls", "food", "capsules", "pacman", "score", "ghosts"), _("the state"))
    lines = listed(data, "walls")
    rows = [row for row in lines if isinstance(row, str)]
    if not rows or len(rows) < len(lines):
        raise BadFile(message("walls is a list of rows, such as {example}", example='"%%%%%"'))
    walls = checked_walls(tuple(rows))
    height, width = len(walls), len(walls[0])

    def cell(pair: JsonValue, what: str) -> int:
        place = place_in(walls, pair, what)
        return place // (2 * ROW) * width + place % ROW // 2

    food, capsules = (
        tuple(cell(pair, what) for pair in listed(data, what, height * width))
        for what in ("food", "capsules")
    )
    pacman = mapping(data.get("pacman"), "pacman")
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
        ghost_of(walls, ghost, number) for number, ghost in enumerate(listed(data, "ghosts", MOST_GHOSTS), 1)
    )
    place = place_in(walls, [pacman.get("x"), pacman.get("y")], "pacman")
    return checked(Maze(walls, food, capsules, place, direction_of(pacman, "pacman"), ghosts, score))


def ghost_of(walls: tuple[str, ...], data: JsonValue, number: int) -> Ghost:
    """One ghost. Raises BadFile."""
    name = f"ghost {number}"
    ghost = mapping(data, name)
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


def listed(data: Mapping[str, JsonValue], name: str, most: int = 1000) -> list[JsonValue]:
    """A list that must be there. Raises BadFile."""
    found = data.get(name)
    if not isinstance(found, list):
        raise BadFile(message("{name} is missing, or is no list", name=name))
    if len(found) > most:
        raise BadFile(
            message("{name} has {n} entries; there are at most {most}", name=name, n=len(found), most=most)
        )
    return found


def mapping(data: JsonValue, name: str) -> JsonObject:
    """An object that must be there. Raises BadFile."""
    if not isinstance(data, dict):
        raise BadFile(message("{name} is missing, or is no object", name=name))
    return data


def facts(maze: Maze) -> JsonObject:
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
        "format": FORMAT,
        "walls": list(maze.walls),
        "food": cells(maze.food),
        "capsules": cells(maze.capsules),
        "pacman": {"x": x, "y": y, "direction": DIRECTIONS[maze.facing]},
        "score": maze.score,
        "ghosts": ghosts,
    }
