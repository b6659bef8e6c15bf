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

from collections.abc import Callable
from pathlib import Path

from damier.core.bits import Rng, lowest, popcount, position_of
from damier.core.defaults import Rule
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.keys import setter
from damier.core.player import AnyKernel, sample_move
from damier.core.rules import State
from damier.core.words import N_, message
from damier.games.maze import DIRECTIONS, HALVES, ROW, SCARED, STEPS, STOP, WORD, Maze, read_layout, words
from damier.games.pacman_board import FOOD, caption, cells_of_move, grid_of
from damier.games.pacman_file import load
from damier.games.pacman_state import (
    CAUGHT,
    GOES_ON,
    WON,
    ZERO,
    PacmanState,
    bits_of,
    half_cells,
    in_contact,
    snapped,
    start_of,
    whoever_moves,
)
from damier.games.pacman_text import read_state, written_state

CELLS = 15
"""How many cells share a word of ways: four bits each."""


def pacman(layout: str = "maze", start: str = "", ghosts: int | None = None, stop: bool = True) -> Game:
    """Pacman in a `layout`, or as a state file says (`start`), with the first so many `ghosts`;
    `stop` lets Pacman wait.
    """
    maze = load(Path(start)) if start else read_layout(layout)
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
        seen_as=whoever_moves,
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
        """What becomes of Pacman and a ghost where they are."""
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


# A ghost of Pacman that mostly comes nearer, and flees when it is scared (document [S2]; issue C,
# item 5).


class ChasingPlayer:
    """Every legal move is as likely but, with the probability `share`, one of those that come
    nearest to Pacman; a scared ghost goes far.
    """

    compiles, learns = False, False

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

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """How likely each legal move is. Raises Unsuitable for Pacman's own moves."""
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
    """How far from Pacman a move leaves the ghost that makes it, in half-cells, rows and columns
    added.
    """
    ghost = s.mover - 1
    step = STEPS[position_of(move)]
    return half_cells(s.pacman, s.ghosts[ghost] + (step if s.fears[ghost] else 2 * step))
