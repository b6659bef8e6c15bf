"""Breakthrough (Dan Troyka, 2000): two rows of pawns each; who brings one to the other side wins.

A pawn goes one step straight on or slantwise onto a free cell, and takes slantwise only. Cells are
numbered row by row from the top left; cell c is bit c of a set of pawns. White stands at the bottom
and goes up. On 3 by 4:

    0  1  2
    3  4  5     a move is start | goal << 8: White's 7 to 3 is 7 | 3 << 8
    6  7  8
    9 10 11

Nobody can be without a move: nothing of his own stands in front of the pawn that is farthest on.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount, position_of, reversed_bits
from damier.core.board import Grid, read_rows, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.game import Game, require
from damier.core.rules import ONGOING
from damier.core.words import N_, _

LONGEST = 16
"""The most columns, and the most rows."""
LETTERS = "abcdefghijklmnop"
PIECES, MOVERS = ("W", "B"), ("white", "black")
GOAL = 8
"""The first bit of the goal of a move."""
START = (1 << GOAL) - 1


class BreakthroughState(NamedTuple):
    white: int  # pawns
    black: int
    mover: int


def breakthrough(width: int = 8, height: int = 8) -> Game:
    """Breakthrough: who first has a pawn on the other side, or has taken all pawns, wins."""
    require(
        2 <= width <= LONGEST and 4 <= height <= LONGEST,
        _(
            "breakthrough: a board of {width} × {height}; it has from 2 to 16 columns and from 4 to 16 rows",
            width=width,
            height=height,
        ),
    )
    cells = width * height
    board = (1 << cells) - 1
    top = (1 << width) - 1
    bottom = top << cells - width
    left = sum(1 << row * width for row in range(height))
    not_left, not_right = board ^ left, board ^ left << width - 1

    def moves(s: BreakthroughState, found: list[int]) -> None:
        taken = s.white | s.black
        if s.mover == 0:
            each(s.white >> width & ~taken, width, found)
            each((s.white & not_left) >> width + 1 & ~s.white, width + 1, found)
            each((s.white & not_right) >> width - 1 & ~s.white, width - 1, found)
        else:
            each(s.black << width & board & ~taken, -width, found)
            each((s.black & not_right) << width + 1 & board & ~s.black, -width - 1, found)
            each((s.black & not_left) << width - 1 & board & ~s.black, 1 - width, found)

    def each(goals: int, back: int, found: list[int]) -> None:
        """Moves to these cells, from those so far back."""
        while goals:
            goal = lowest(goals)
            goals ^= goal
            cell = position_of(goal)
            found.append(cell + back | cell << GOAL)

    def play(s: BreakthroughState, move: int) -> BreakthroughState:
        start, goal = bit(move & START), bit(move >> GOAL)
        if s.mover == 0:
            return BreakthroughState(s.white ^ start | goal, s.black & ~goal, 1)
        return BreakthroughState(s.white & ~goal, s.black ^ start | goal, 0)

    def outcome(s: BreakthroughState) -> int:
        if s.mover == 0:
            return -1 if s.white == 0 or s.black & bottom else ONGOING
        return -1 if s.black == 0 or s.white & top else ONGOING

    def move_score(s: BreakthroughState, move: int) -> int:
        """Pawns that go farthest first; what takes counts as two rows more."""
        row = (move >> GOAL) // width
        takes = (s.white | s.black) & bit(move >> GOAL) != 0
        return (height - 1 - row if s.mover == 0 else row) + 2 * takes

    def pawns(s: BreakthroughState) -> int:
        """White's pawns less Black's."""
        return popcount(s.white) - popcount(s.black)

    def advance(s: BreakthroughState) -> int:
        """Return how many steps White's pawns have gone, less those of Black's."""
        lead = 0
        for row in range(height):
            lead += (height - 1 - row) * popcount(s.white & top << row * width)
            lead -= row * popcount(s.black & top << row * width)
        return lead

    def turn_move(move: int, symmetry: int) -> int:
        if symmetry == 0:
            return move
        start, goal = move & START, move >> GOAL
        return start + width - 1 - 2 * (start % width) | goal + width - 1 - 2 * (goal % width) << GOAL

    def turned(stones: int) -> int:
        """The board seen in a mirror."""
        found = 0
        while stones:
            stone = lowest(stones)
            stones ^= stone
            cell = position_of(stone)
            found |= bit(cell + width - 1 - 2 * (cell % width))
        return found

    def turn(s: BreakthroughState, symmetry: int) -> BreakthroughState:
        return BreakthroughState(turned(s.white), turned(s.black), s.mover) if symmetry == 1 else s

    def planes(s: BreakthroughState, player: int) -> tuple[int, int]:
        """The board turned so that own pawns go up."""
        if player == 0:
            return s.white, s.black
        return reversed_bits(s.black, cells), reversed_bits(s.white, cells)

    def action(s: BreakthroughState, move: int) -> int:
        """Three for each cell of the board that `planes` shows the mover: left, straight on, right."""
        start, goal = move & START, move >> GOAL
        if s.mover == 1:
            start, goal = cells - 1 - start, cells - 1 - goal
        return 3 * start + goal + width - start + 1

    def name_cell(cell: int) -> str:
        return f"{LETTERS[cell % width]}{height - cell // width}"

    def name_move(s: BreakthroughState, move: int) -> str:
        return name_cell(move & START) + name_cell(move >> GOAL)

    def place(s: BreakthroughState, move: int) -> tuple[int, ...]:
        return move & START, move >> GOAL

    def grid(s: BreakthroughState) -> Grid:
        return Grid.of(
            width,
            height,
            {"W": s.white, "B": s.black},
            {"W": "light", "B": "dark"},
            tuple(LETTERS[:width]),
            tuple(str(height - row) for row in range(height)),
        )

    def write_position(s: BreakthroughState) -> str:
        return written_rows(grid(s).rows, MOVERS[s.mover])

    def read_position(text: str) -> BreakthroughState:
        (white, black), player = read_rows(text, width, height, PIECES, MOVERS)
        require(
            max(popcount(white), popcount(black)) <= 2 * width,
            _("a player has at most {n} pawns", n=2 * width),
        )
        s = BreakthroughState(white, black, player)
        before = BreakthroughState(white, black, 1 - player)
        last = white & top if player == 1 else black & bottom
        require(
            outcome(before) == ONGOING and popcount(last) < 2,
            _("the player to move has won already: the game was over before")
            if outcome(before) != ONGOING
            else _("two pawns on the last row: the game was over before"),
        )
        return s

    return Game(
        "breakthrough",
        BreakthroughState(bottom | bottom >> width, top | top << width, 0),
        moves,
        play,
        outcome,
        bits=(cells, cells, 1),
        states=2
        * sum(
            comb(cells, n) * comb(cells - n, m) for n in range(2 * width + 1) for m in range(2 * width + 1)
        ),
        symmetries=2,
        acyclic=True,  # every move brings a pawn nearer to the other side
        turn=turn,
        turn_move=turn_move,
        move_score=move_score,
        planes=planes,
        plane_layout=PlaneLayout(height, width, (OWN, OTHER)),
        action=action,
        actions=3 * cells,
        features={"pawns": pawns, "advance": advance},
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        sides=(N_("White"), N_("Black")),
        title=N_("Breakthrough"),
        summary=N_("Pawns break through to the other side"),
        description=N_(
            "A pawn goes one step straight on or slantwise, onto a free cell; it takes slantwise only. Who"
            " brings a pawn to the last row wins, and so does who takes all pawns."
        ),
    )
