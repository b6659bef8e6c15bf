"""A position of Pacman as one line of text: the rows of the board, and behind them what it does not show.

    %%%%%%%/%P_.G_%/%%%%%%% pacman -3 P1,1,East G4,1,West .4,1

The rows are those of the text board, joined by `/`, with `_` for a cell that holds nothing. Then who moves
(`pacman`, `ghost1` …), with `won` or `caught` where the game is over; the score; Pacman and every ghost,
in the order of their numbers: G, or S while it is scared, the place, where it is heading and, of a scared
one, for how many of its moves that lasts. Last, food (.) and capsules (o) on which somebody stands. Places
are counted as in a state file: x to the right, y upwards, from 0; between two cells a ghost is at a half.
The walls, and where ghosts come back, are those of the maze.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from damier.core.errors import BadInput
from damier.core.words import message, printable
from damier.games.maze import DIRECTIONS, HALVES, ROW, SCARED, STOP, Ghost, Maze, checked_figures
from damier.games.pacman_board import FOOD, grid_of
from damier.games.pacman_file import LARGEST_SCORE
from damier.games.pacman_state import CAUGHT, GOES_ON, WON, PacmanState, in_contact, maze_of, start_of
from damier.games.rows_text import read_board

FREE = "_"
MARKS = "%.oPGS" + FREE
ENDS = {WON: "won", CAUGHT: "caught"}
PACMAN, GHOST = "pacman", "ghost"
PLACE = r"([0-9]{1,2}(?:\.5)?),([0-9]{1,2}(?:\.5)?)"
FIGURE = re.compile(rf"([PGS]){PLACE},({'|'.join(DIRECTIONS)})(?:,([0-9]{{1,2}}))?")
BELOW = re.compile(rf"([.o]){PLACE}")
SCORE = re.compile(r"-?[0-9]{1,10}")


def written_state(maze: Maze, s: PacmanState) -> str:
    """A state on one line."""
    now, rows = maze_of(maze, s), written_rows(maze, s)
    board = "".join(rows)
    below = [
        mark + written_place(maze, maze.place(cell))
        for mark, cells in ((".", now.food), ("o", now.capsules))
        for cell in cells
        if board[cell] != mark
    ]
    ghosts = [written_ghost(maze, ghost) for ghost in now.ghosts]
    pacman = f"P{written_place(maze, now.pacman)},{DIRECTIONS[now.facing]}"
    over = [ENDS[s.end]] if s.end != GOES_ON else []
    return " ".join(["/".join(rows), who(s.mover), *over, str(now.score), pacman, *ghosts, *below])


def written_rows(maze: Maze, s: PacmanState) -> list[str]:
    """The rows of the text board, every sign one that is no space."""
    return [row.replace(FOOD, ".").replace(" ", FREE) for row in grid_of(maze, s).rows]


def written_ghost(maze: Maze, ghost: Ghost) -> str:
    place = f"{written_place(maze, ghost.place)},{DIRECTIONS[ghost.heading]}"
    return f"S{place},{ghost.fear}" if ghost.fear else f"G{place}"


def written_place(maze: Maze, place: int) -> str:
    """x and y, in cells.

    >>> from damier.games.maze import read_layout
    >>> written_place(read_layout("corridor"), 2 * ROW + 3)
    '1.5,1'
    """
    return f"{place % ROW / 2:g},{maze.height - 1 - place // ROW / 2:g}"


def who(mover: int) -> str:
    return f"{GHOST}{mover}" if mover else PACMAN


def read_state(maze: Maze, text: str) -> PacmanState:
    """The state that is written so, in the maze of a game.

    Raises BadInput, which says what is wrong, for one that no game can come to.
    """
    board, *words = text.split() or [""]
    marks = read_board(board, maze.width, maze.height, MARKS)
    refuse_other_walls(maze, marks)
    movers = [who(mover) for mover in range(1 + len(maze.ghosts))]
    mover = taken(words, "|".join(movers))
    over = taken(words, "|".join(ENDS.values()))
    score = taken(words, SCORE.pattern)
    if mover is None or score is None or abs(int(score)) > LARGEST_SCORE:
        raise BadInput(
            message(
                "{text}: after its rows a position says who moves ({movers}), won or caught if the game is"
                " over, and the score",
                text=printable(text, 80),
                movers=" | ".join(movers),
            )
        )
    pacman, facing, ghosts = read_figures(maze, words)
    food, capsules = (
        cells_of(maze, marks, mark, [*below(maze, words[1 + len(ghosts) :], mark)]) for mark in ".o"
    )
    now = Maze(maze.walls, food, capsules, pacman, facing, ghosts, int(score))
    end = next((end for end, word in ENDS.items() if word == over), GOES_ON)
    refuse_halves(now)
    s = start_of(checked_figures(now))._replace(mover=movers.index(mover), end=end)
    refuse_other_board(maze, s, marks)
    if s != start_of(maze):
        refuse_impossible(now, s)
    return s


def taken(words: list[str], pattern: str) -> str | None:
    """The first word, taken away if it is such a one."""
    fits = bool(words) and re.fullmatch(pattern, words[0]) is not None
    return words.pop(0) if fits else None


def refuse_other_walls(maze: Maze, marks: str) -> None:
    """Raises BadInput where the walls are not those of the maze."""
    for cell, (mark, wall) in enumerate(zip(marks, "".join(maze.walls), strict=True)):
        if (mark == "%") != (wall == "%"):
            row, column = divmod(cell, maze.width)
            raise BadInput(
                message(
                    "row {n}, column {column}: the walls of this maze are others",
                    n=row + 1,
                    column=column + 1,
                )
            )


def read_figures(maze: Maze, words: list[str]) -> tuple[int, int, tuple[Ghost, ...]]:
    """Where Pacman is and faces, and the ghosts. Raises BadInput."""
    figures = [FIGURE.fullmatch(word) for word in words[: 1 + len(maze.ghosts)]]
    kinds = "".join(found[1] if found else "?" for found in figures)
    if not re.fullmatch(f"P[GS]{{{len(maze.ghosts)}}}", kinds):
        raise BadInput(
            message(
                "after the score stand Pacman and {n} ghosts, such as {examples}",
                n=len(maze.ghosts),
                examples="P1,1,East G4,1,West S3.5,1,East,9",
            )
        )
    stood = [found for found in figures if found]
    places = [(read_place(maze, found[2], found[3]), DIRECTIONS.index(found[4])) for found in stood]
    fears = [int(found[5] or 0) for found in stood]
    for number, (kind, fear) in enumerate(zip(kinds, fears, strict=True)):
        if (kind == "S") != (1 <= fear <= SCARED) or (kind != "S" and fear):
            raise BadInput(
                message(
                    "{word}: a scared ghost (S) says for how many moves, 1 to {most}, and nobody else does",
                    word=words[number],
                    most=SCARED,
                )
            )
    ghosts = tuple(
        Ghost(place, heading, fear, ghost.home)
        for (place, heading), fear, ghost in zip(places[1:], fears[1:], maze.ghosts, strict=True)
    )
    return (*places[0], ghosts)


def read_place(maze: Maze, x: str, y: str) -> int:
    """The place of two numbers. Raises BadInput."""
    column, row = int(2 * float(x)), int(2 * (maze.height - 1 - float(y)))
    if not (column <= 2 * (maze.width - 1) and row >= 0):
        raise BadInput(message("{x},{y} is no place of this maze", x=x, y=y))
    return row * ROW + column


def below(maze: Maze, words: list[str], mark: str) -> Iterator[int]:
    """The cells with food, or with capsules, on which somebody stands. Raises BadInput."""
    for word in words:
        found = BELOW.fullmatch(word)
        if not found or "." in found[2] + found[3]:
            raise BadInput(
                message(
                    "{word}: last stand food (.) and capsules (o) on which somebody stands, such as .4,1",
                    word=printable(word),
                )
            )
        if found[1] == mark:
            yield maze.cell(read_place(maze, found[2], found[3]))


def cells_of(maze: Maze, marks: str, mark: str, hidden: list[int]) -> tuple[int, ...]:
    """The cells with food, or with capsules, by their numbers."""
    return tuple(sorted([*hidden, *(cell for cell, here in enumerate(marks) if here == mark)]))


def refuse_halves(now: Maze) -> None:
    """Raises BadInput where Pacman is between two cells, as only a scared ghost can be."""
    if now.pacman & HALVES:
        raise BadInput(message("Pacman is between two cells"))


def refuse_other_board(maze: Maze, s: PacmanState, marks: str) -> None:
    """Raises BadInput where the rows do not show what stands behind them."""
    shown = "".join(written_rows(maze, s))
    for cell, (mark, wanted) in enumerate(zip(marks, shown, strict=True)):
        if mark != wanted:
            row, column = divmod(cell, maze.width)
            raise BadInput(
                message(
                    "row {n}, column {column} shows {mark}; by what stands behind the rows it is {wanted}",
                    n=row + 1,
                    column=column + 1,
                    mark=mark,
                    wanted=wanted,
                )
            )


def refuse_impossible(now: Maze, s: PacmanState) -> None:
    """Raises BadInput for what no move leads to: food that is left or gone against what is said of the
    end, or a ghost that has met Pacman, and nothing has come of it.
    """
    if (s.end == WON) != (not now.food):
        raise BadInput(
            message("there is no food: the game is won")
            if not now.food
            else message("food is left: nobody has won")
        )
    met = [ghost for ghost in now.ghosts if in_contact(now.pacman, ghost.place)]
    if any(ghost.fear for ghost in met):
        raise BadInput(message("a scared ghost has met Pacman: it would have been eaten"))
    # one that was eaten may come back to where Pacman stands
    catching = [ghost for ghost in met if (ghost.place, ghost.heading) != (ghost.home, STOP)]
    if s.end == GOES_ON and catching:
        raise BadInput(message("a ghost has met Pacman: he would be caught"))
    if s.end == CAUGHT and not met:
        raise BadInput(message("no ghost has met Pacman: nobody is caught"))
