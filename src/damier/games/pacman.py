"""Pacman (Toru Iwatani, Namco, 1980) as a game in turns: player 0 is Pacman, every ghost a player
of its own (document [S2], rows A-56 to A-58).

The rules and the numbers are those of the teaching version (John DeNero and Dan Klein, "Teaching
introductory artificial intelligence with Pac-Man", EAAI 2010 [DeNeroKlein10]): a move of Pacman
costs 1, food gains 10, the last food 500, being caught costs 500, a scared ghost eaten gains 200.

>>> from damier import load
>>> position = load("pacman:layout=corridor").position()
>>> position.moves
('East', 'Stop')
>>> position.play("East", "East").payoffs
(508,)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from damier.core.bits import Rng, lowest, popcount, position_of
from damier.core.board import Grid, read_board
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.keys import setter
from damier.core.player import AskedPlayer, sample_move
from damier.core.rules import Rule, State
from damier.core.words import N_, _, message, ngettext, printable
from damier.games.maze import (
    DIRECTIONS,
    HALVES,
    LARGEST_SCORE,
    ROW,
    SCARED,
    STEPS,
    STOP,
    WORD,
    Ghost,
    Maze,
    checked_figures,
    read_layout,
    read_maze_file,
    words,
)

CELLS = 15
"""Number of cells that share a word of ways: four bits each."""


def pacman(layout: str = "maze", start: str = "", ghosts: int | None = None, stop: bool = True) -> Game:
    """Pacman in a `layout`, or as a state file says (`start`), with the first so many `ghosts`;
    `stop` lets Pacman wait.
    """
    maze = read_maze_file(Path(start)) if start else read_layout(layout)
    if ghosts is not None:
        if not 0 <= ghosts <= len(maze.ghosts):
            raise BadInput(
                message("pacman: ghosts={n}; this maze has from 0 to {most}", n=ghosts, most=len(maze.ghosts))
            )
        maze = maze._replace(ghosts=maze.ghosts[:ghosts])
    players = 1 + len(maze.ghosts)
    moves, play = rules(maze, len(maze.ghosts), 1 << STOP if stop else 0)

    def over(s: PacmanState) -> bool:
        return s.end != GOES_ON

    def payoff(s: PacmanState, player: int) -> int:
        return s.score - ZERO if player == 0 else ZERO - s.score

    def reward(s: PacmanState, move: int) -> int:
        gain = play(s, move).score - s.score
        return gain if s.mover == 0 else -gain

    game = Game(
        "pacman",
        start_of(maze),
        moves,
        play,
        over=over,
        payoff=payoff,
        reward=reward,
        seen_as=without_mover,
        actions=len(DIRECTIONS),
        features=features(maze, len(maze.ghosts)),
        bits=bits_of(maze),
        players=players,
        name_move=lambda s, move: DIRECTIONS[position_of(move)],
        grid=lambda s: grid_of(maze, s),
        place=lambda s, move: cells_of_move(maze, s, move),
        write_position=lambda s: written_state(maze, s),
        read_position=lambda text: read_state(maze, text),
        show=lambda s: "\n".join([*(row.replace(FOOD, ".") for row in grid_of(maze, s).rows), caption(s)]),
        title=N_("Pacman"),
        summary=N_("Eat all the food before a ghost catches you"),
        description=N_(
            "Food is worth 10 points, the last of it 500 more; every step costs one. A ghost that meets"
            " Pacman costs 500 and ends the game, unless it is scared: then it is worth 200. A capsule scares"
            " all ghosts for a while."
        ),
    )
    game.options = ({"start": start} if start else {"layout": layout}) | {
        "ghosts": len(maze.ghosts),
        "stop": stop,
    }
    return game


def rules(
    maze: Maze, ghosts: int, stop: int
) -> tuple[Callable[[PacmanState], int], Callable[[PacmanState, int], PacmanState]]:
    """`moves` and `play`.

    Only walls and counts are constants here: all else is in the state, so that one compilation
    serves every start.
    """
    width, count = maze.width, len(words((), maze.width * maze.height))
    open_ways = [
        0 if mark == "%" else maze.ways(maze.place(cell)) for cell, mark in enumerate("".join(maze.walls))
    ]
    ways = tuple(
        sum(open_ << 4 * n for n, open_ in enumerate(open_ways[first : first + CELLS]))
        for first in range(0, len(open_ways), CELLS)
    )
    with_word, with_ghost = setter(count), setter(ghosts)
    all_scared = (SCARED,) * ghosts
    after_pacman = 1 if ghosts else 0

    def ways_from(place: int) -> int:
        cell = (place >> 8) * width + (place >> 1 & 63)
        return ways[cell // CELLS] >> 4 * (cell % CELLS) & 15

    def moves_of_pacman(s: PacmanState) -> int:
        return ways_from(s.pacman) | stop

    def moves(s: PacmanState) -> int:
        if s.mover == 0:
            return moves_of_pacman(s)
        heading, place = s.headings[s.mover - 1], s.ghosts[s.mover - 1]
        if place & HALVES:
            return 1 << heading
        open_ = ways_from(place)
        # directions are numbered in pairs: back is the other of the pair
        onward = open_ & ~(1 << (heading ^ 1))
        return onward if onward else open_

    def meet(s: PacmanState, ghost: int) -> PacmanState:
        """Return what becomes of Pacman and a ghost where they are."""
        if not in_contact(s.pacman, s.ghosts[ghost]):
            return s
        if s.fears[ghost] > 0:
            places, headings, fears = (
                with_ghost(s.ghosts, ghost, s.homes[ghost]),
                with_ghost(s.headings, ghost, STOP),
                with_ghost(s.fears, ghost, 0),
            )
            return PacmanState(
                s.mover,
                s.score + 200,
                s.end,
                s.pacman,
                s.facing,
                s.food,
                s.capsules,
                places,
                headings,
                fears,
                s.homes,
            )
        if s.end == WON:
            return s
        return PacmanState(
            s.mover,
            s.score - 500,
            CAUGHT,
            s.pacman,
            s.facing,
            s.food,
            s.capsules,
            s.ghosts,
            s.headings,
            s.fears,
            s.homes,
        )

    def eat(s: PacmanState, direction: int) -> PacmanState:
        """Pacman's move, before any contact."""
        place = s.pacman + 2 * STEPS[direction]
        cell = (place >> 8) * width + (place >> 1 & 63)
        word, bit = cell // WORD, 1 << cell % WORD
        score, end = s.score - 1, s.end
        food, capsules, fears = s.food, s.capsules, s.fears
        if food[word] & bit:
            food = with_word(food, word, food[word] ^ bit)
            score += 10
            left = 0
            for part in food:
                left |= part
            if left == 0:
                score += 500
                end = WON
        if capsules[word] & bit:
            capsules = with_word(capsules, word, capsules[word] ^ bit)
            fears = all_scared
        facing = s.facing if direction == STOP else direction
        return PacmanState(
            after_pacman, score, end, place, facing, food, capsules, s.ghosts, s.headings, fears, s.homes
        )

    def play_alone(s: PacmanState, move: int) -> PacmanState:
        return eat(s, position_of(move))

    def move_pacman(s: PacmanState, direction: int) -> PacmanState:
        s = eat(s, direction)
        for ghost in range(ghosts):
            s = meet(s, ghost)
        return s

    def move_ghost(s: PacmanState, direction: int) -> PacmanState:
        ghost = s.mover - 1
        fear, place = s.fears[ghost], s.ghosts[ghost]
        place += STEPS[direction] if fear > 0 else 2 * STEPS[direction]
        if fear == 1:
            place = snapped(place)
        fears = with_ghost(s.fears, ghost, fear - 1 if fear > 0 else 0)
        places, headings = with_ghost(s.ghosts, ghost, place), with_ghost(s.headings, ghost, direction)
        mover = 0 if s.mover == ghosts else s.mover + 1
        return meet(
            PacmanState(
                mover,
                s.score,
                s.end,
                s.pacman,
                s.facing,
                s.food,
                s.capsules,
                places,
                headings,
                fears,
                s.homes,
            ),
            ghost,
        )

    def play(s: PacmanState, move: int) -> PacmanState:
        direction = position_of(move)
        return move_pacman(s, direction) if s.mover == 0 else move_ghost(s, direction)

    return (moves, play) if ghosts else (moves_of_pacman, play_alone)


# What an evaluation of Pacman weighs (document [S2], rows ).


def features(maze: Maze, ghosts: int) -> dict[str, Rule]:
    """Return what an evaluation weighs: the score, how much food is left, 1 / the distance to the nearest
    food, the distance to the nearest ghost that is not scared (row A-57). Distances are in cells, rows
    and columns added; where there is nothing to be near to, they count 0.
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


# A ghost of Pacman that mostly comes nearer, and flees when it is scared (document [S2]).


class ChasingPlayer(AskedPlayer):
    """Every legal move is as likely but, with the probability `share`, one of those that come
    nearest to Pacman; a scared ghost goes far.
    """

    def __init__(self, game: Game, share: float = 0.8) -> None:
        if not isinstance(game.start, PacmanState):
            raise Unsuitable(message("chase plays the ghosts of pacman; {game} has none", game=game.text))
        if not 0 <= share <= 1:
            raise BadInput(message("chase: share={share}; it is from 0 to 1", share=share))
        self.share = share

    @property
    def text(self) -> str:
        return f"chase:share={self.share:g}"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return sample_move(self.probabilities(game, s), rng)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """Return the probability of each legal move. Raises Unsuitable for Pacman's own moves."""
        if game.mover(s) == 0:
            raise Unsuitable(message("chase plays the ghosts of pacman; Pacman himself needs another agent"))
        assert isinstance(s, PacmanState)
        legal = game.legal(s)
        ways = {move: distance_after(s, move) for move in legal}
        wanted = max(ways.values()) if s.fears[s.mover - 1] else min(ways.values())
        wished = [move for move in legal if ways[move] == wanted]
        return {
            move: (1 - self.share) / len(legal) + (self.share / len(wished) if move in wished else 0.0)
            for move in legal
        }


def distance_after(s: PacmanState, move: int) -> int:
    """Return how far from Pacman a move leaves the ghost that makes it, in half-cells, rows and columns
    added.
    """
    ghost = s.mover - 1
    step = STEPS[position_of(move)]
    return half_cells(s.pacman, s.ghosts[ghost] + (step if s.fears[ghost] else 2 * step))


# A state of Pacman: what is in it, how far things are from each other, and the maze that it is.

ZERO = 1 << 31
"""Code of a score of 0: a state holds no negative numbers."""
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


def without_mover(s: PacmanState) -> PacmanState:
    """States that differ in whose turn it is count as one."""
    return PacmanState(
        0, s.score, GOES_ON, s.pacman, s.facing, s.food, s.capsules, s.ghosts, s.headings, s.fears, s.homes
    )


def half_cells(place: int, other: int) -> int:
    """The distance of two places in half-cells, rows and columns added."""
    return abs((place >> 7) - (other >> 7)) + abs((place & ROW - 1) - (other & ROW - 1))


def in_contact(place: int, other: int) -> bool:
    """Return whether two places are at most 0.7 cells apart, rows and columns added: half a cell, or none."""
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


# The board of Pacman for people: the cells as data, a line on what they do not show, the cells of
# a move.

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
    """Return what the board does not show: the score, and the fears of the ghosts."""
    sentences = [_("Score {score}", score=s.score - ZERO)]
    for number, fear in enumerate(s.fears, 1):
        if fear:
            sentences.append(
                ngettext(
                    "ghost {ghost} is scared for {n} more move",
                    "ghost {ghost} is scared for {n} more moves",
                    fear,
                    ghost=number,
                )
            )
    return "; ".join(sentences)


def cells_of_move(maze: Maze, s: PacmanState, move: int) -> tuple[int, ...]:
    """From which cell to which a move goes."""
    step = 2 * STEPS[position_of(move)]
    place = s.pacman if s.mover == 0 else s.ghosts[s.mover - 1]
    if place & HALVES:
        return maze.cell(place - step // 2), maze.cell(place + step // 2)
    return (maze.cell(place), maze.cell(place + step)) if step else (maze.cell(place),)


# A position of Pacman as one line of text: the rows of the board, and behind them what it does not show.
#
#     %%%%%%%/%P_.G_%/%%%%%%% pacman -3 P1,1,East G4,1,West .4,1
#
# The rows are those of the text board, joined by `/`, with `_` for a cell that holds nothing. Then who moves
# (`pacman`, `ghost1` …), with `won` or `caught` where the game is over; the score; Pacman and every ghost,
# in the order of their numbers: G, or S while it is scared, the place, where it is heading and, of a scared
# one, for how many of its moves that lasts. Last, food (.) and capsules (o) on which somebody stands. Places
# are counted as in a state file: x to the right, y upwards, from 0; between two cells a ghost is at a half.
# The walls, and where ghosts come back, are those of the maze.

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
    """Return where Pacman is and faces, and the ghosts. Raises BadInput."""
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
    drawing = "".join(written_rows(maze, s))
    for cell, (mark, wanted) in enumerate(zip(marks, drawing, strict=True)):
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
