"""Isola (Bernd Kienitz, 1972): step to a cell beside you, then take any free cell out of the board;
who cannot step has lost.

Cells are numbered row by row from the top left; cell c is bit c of a set of cells. The pawns start in
the middle of the short sides; the cell that a pawn leaves can be taken out at once. On 3 by 4, where
the first player X stands at the bottom:

    .  O  .        0  1  2
    .  .  .        3  4  5     a move is goal | taken out << 8: to 7, taking out 10,
    .  .  .        6  7  8     the cell that was left: 7 | 10 << 8
    .  X  .        9 10 11
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount, position_of
from damier.core.board import Grid, read_rows, written_rows
from damier.core.game import Game, require
from damier.core.rules import ONGOING
from damier.core.words import N_, _

LONGEST = 11
"""The most columns, and the most rows."""
LETTERS = "abcdefghijk"
PIECES, MOVERS = ("X", "O", "#"), ("first", "second")
TAKEN_OUT = 8
"""The first bit of the cell that a move takes out."""
GOAL = (1 << TAKEN_OUT) - 1


class IsolaState(NamedTuple):
    mine: int  # the pawn of the player to move
    theirs: int
    free: int  # cells of the board without a pawn
    mover: int


def isola(width: int = 6, height: int = 8) -> Game:
    """Step, and take a cell out of the board: who can step no more has lost."""
    require(
        2 <= width <= LONGEST and 2 <= height <= LONGEST and width * height >= 6,
        _(
            "isola: a board of {width} × {height}; it has from 2 to 11 columns and rows, and at least 6"
            " cells",
            width=width,
            height=height,
        ),
    )
    cells = width * height
    board = (1 << cells) - 1
    left = sum(1 << row * width for row in range(height))
    not_left, not_right = board ^ left, board ^ left << width - 1
    above, below = 1 << (width - 1) // 2, 1 << cells - 1 - (width - 1) // 2

    def beside(pawn: int) -> int:
        """The cells around a pawn, some of them beyond the board's lower end."""
        row = pawn | (pawn & not_left) >> 1 | (pawn & not_right) << 1
        return row << width | row | row >> width

    def moves(s: IsolaState, found: list[int]) -> None:
        goals = beside(s.mine) & s.free
        while goals:
            goal = lowest(goals)
            goals ^= goal
            cell, left_over = position_of(goal), (s.free | s.mine) ^ goal
            while left_over:
                out = lowest(left_over)
                left_over ^= out
                found.append(cell | position_of(out) << TAKEN_OUT)

    def play(s: IsolaState, move: int) -> IsolaState:
        goal, out = bit(move & GOAL), bit(move >> TAKEN_OUT)
        return IsolaState(s.theirs, goal, (s.free | s.mine) & ~(goal | out), 1 - s.mover)

    def outcome(s: IsolaState) -> int:
        return ONGOING if beside(s.mine) & s.free else -1

    def ply(s: IsolaState) -> int:
        """Cells taken out."""
        return cells - 2 - popcount(s.free)

    def room(s: IsolaState) -> int:
        """Steps that the first player has, less those of the second."""
        lead = popcount(beside(s.mine) & s.free) - popcount(beside(s.theirs) & s.free)
        return lead if s.mover == 0 else -lead

    def move_score(s: IsolaState, move: int) -> int:
        """Room for oneself after the move, less the other's."""
        goal, out = bit(move & GOAL), bit(move >> TAKEN_OUT)
        free = (s.free | s.mine) & ~(goal | out)
        return popcount(beside(goal) & free) - popcount(beside(s.theirs) & free)

    def mirrored(cell: int) -> int:
        return cell + width - 1 - 2 * (cell % width)

    def turned(pieces: int) -> int:
        """The board seen in a mirror."""
        rest, found = pieces, pieces & 0
        while rest:
            piece = lowest(rest)
            rest ^= piece
            found |= bit(mirrored(position_of(piece)))
        return found

    def turn(s: IsolaState, symmetry: int) -> IsolaState:
        if symmetry == 0:
            return s
        return IsolaState(turned(s.mine), turned(s.theirs), turned(s.free), s.mover)

    def turn_move(move: int, symmetry: int) -> int:
        if symmetry == 0:
            return move
        return mirrored(move & GOAL) | mirrored(move >> TAKEN_OUT) << TAKEN_OUT

    def name_cell(cell: int) -> str:
        return f"{LETTERS[cell % width]}{height - cell // width}"

    def name_move(s: IsolaState, move: int) -> str:
        return f"{name_cell(move & GOAL)}-{name_cell(move >> TAKEN_OUT)}"

    def place(s: IsolaState, move: int) -> tuple[int, ...]:
        return move & GOAL, move >> TAKEN_OUT

    def grid(s: IsolaState) -> Grid:
        first, second = (s.mine, s.theirs) if s.mover == 0 else (s.theirs, s.mine)
        return Grid.of(
            width,
            height,
            dict(zip(PIECES, (first, second, board & ~(s.free | first | second)), strict=True)),
            {"X": "light", "O": "dark", "#": "wall"},
            tuple(LETTERS[:width]),
            tuple(str(height - row) for row in range(height)),
        )

    def write_position(s: IsolaState) -> str:
        return written_rows(grid(s).rows, MOVERS[s.mover])

    def read_position(text: str) -> IsolaState:
        (first, second, out), mover = read_rows(text, width, height, PIECES, MOVERS)
        require(
            popcount(first) == popcount(second) == 1,
            _("a position of Isola has one X and one O"),
        )
        require(
            popcount(out) % 2 == mover,
            _(
                "{n} cells are taken out, one a move: it cannot be the turn of player {mover}",
                n=popcount(out),
                mover=mover + 1,
            ),
        )
        mine, theirs = (first, second) if mover == 0 else (second, first)
        return IsolaState(mine, theirs, board & ~(first | second | out), mover)

    return Game(
        "isola",
        IsolaState(below, above, board & ~(below | above), 0),
        moves,
        play,
        outcome,
        bits=(cells, cells, cells, 1),
        most_moves=min(8, cells - 2) * (cells - 2),
        ply=ply,
        symmetries=2 if width % 2 else 1,
        turn=turn if width % 2 else None,
        turn_move=turn_move if width % 2 else None,
        move_score=move_score,
        features={"room": room},
        states=cells * cells << cells - 1,
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        sides=(N_("White"), N_("Black")),
        title=N_("Isola"),
        summary=N_("Step, and take a cell out of the board; who cannot step has lost"),
        description=N_(
            "Move your pawn to a free cell beside it, also slantwise, then take any free cell out of the"
            " board. Who cannot step any more has lost."
        ),
    )
