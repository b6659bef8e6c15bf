"""Othello: discs that are enclosed in a straight line turn over; who has more of them at the end wins
(Brian Rose, *Othello: A Minute to Learn… A Lifetime to Master*, 2005 [Rose05]).

Cells are numbered row by row from the top left, a1; cell c is bit c of a set of discs and of a set
of moves. The start on 8 × 8, where the four cells in the middle are taken for ever:

         a  b  c  d  e  f  g  h
    1    0  1  2  3  4  5  6  7
    4   24 25 26  O  X 29 30 31        X Black, who begins
    5   32 33 34  X  O 37 38 39        O White
    8   56 57 58 59 60 61 62 63

Who cannot place a disc passes, if the other one can. A pass is the bit of the cell d4: no disc can
be placed there, and 64 bits are enough.

>>> from damier import load
>>> load("othello").position().moves
('d3', 'c4', 'f5', 'e6')
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount, position_of, reversed_bits
from damier.core.board import Grid, read_rows, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.errors import BadInput
from damier.core.game import Game, require
from damier.core.rules import ONGOING
from damier.core.words import N_, _, message

SIZES = (4, 6, 8, 10, 12, 14, 16)
PIECES, MOVERS = ("X", "O"), ("black", "white")
NOW, CORNER = 3, 4
"""Weights of a reply that is there, and of a corner taken, in the order of moves, where a free cell beside
one's discs counts 1. From nothing but the replies exact search took up to twice the nodes.
"""


class OthelloState(NamedTuple):
    mine: int  # discs of the player to move
    theirs: int
    mover: int  # 0 Black, 1 White


def othello(size: int = 8, discs: bool = False) -> Game:
    """Enclose the other's discs in straight lines to turn them over; most discs win. With `discs` the
    winner wins by as many as it has more: with perfect play on 4 × 4 the second player by 8
    [Feinstein93].
    """
    require(size in SIZES, _("othello: size={size}; it is an even number from 4 to 16", size=size))
    cells, half = size * size, size // 2
    board = (1 << cells) - 1
    left = sum(1 << row * size for row in range(size))
    right = left << size - 1
    inner = board & ~(left | right)  # a line that is not upright ends at the edge: it turns no disc there
    corners = 1 << 0 | 1 << size - 1 | 1 << cells - size | 1 << cells - 1
    white = 1 << (half - 1) * size + half - 1 | 1 << half * size + half
    black = 1 << (half - 1) * size + half | 1 << half * size + half - 1
    passing = 1 << (half - 1) * size + half - 1
    upright, falling, rising = size, size + 1, size - 1

    def line(begin: int, discs: int, step: int) -> tuple[int, int]:
        """The discs in unbroken lines next to `begin`: onwards, and backwards."""
        on, back = begin << step & discs, begin >> step & discs
        for _disc in range(size - 3):  # at most size - 2 discs are turned in a line
            on |= on << step & discs
            back |= back >> step & discs
        return on, back

    def behind(begin: int, discs: int, step: int) -> int:
        """The cells just behind those lines; bits beyond the board may be set."""
        on, back = line(begin, discs, step)
        return on << step | back >> step

    def placeable(mine: int, theirs: int) -> int:
        """The free cells on which a disc of `mine` encloses some of `theirs`."""
        within = theirs & inner
        found = (
            behind(mine, within, 1)
            | behind(mine, theirs, upright)
            | behind(mine, within, falling)
            | behind(mine, within, rising)
        )
        return board & ~(mine | theirs) & found

    def beside(discs: int) -> int:
        """The cells within a step of some discs, and these."""
        wide = discs | (discs & ~right) << 1 | (discs & ~left) >> 1
        return board & (wide | wide << upright | wide >> upright)

    def turned_over(placed: int, mine: int, theirs: int, step: int) -> int:
        """The discs of `theirs` between a new disc and one of `mine`, both ways along a line."""
        on, back = line(placed, theirs, step)
        return (on if on << step & mine else 0) | (back if back >> step & mine else 0)

    def moves(s: OthelloState) -> int:
        cells_to_take = placeable(s.mine, s.theirs)
        return cells_to_take if cells_to_take else passing

    def play(s: OthelloState, move: int) -> OthelloState:
        if move == passing:
            return OthelloState(s.theirs, s.mine, 1 - s.mover)
        within = s.theirs & inner
        turned = (
            turned_over(move, s.mine, within, 1)
            | turned_over(move, s.mine, s.theirs, upright)
            | turned_over(move, s.mine, within, falling)
            | turned_over(move, s.mine, within, rising)
        )
        return OthelloState(s.theirs ^ turned, s.mine | move | turned, 1 - s.mover)

    def outcome(s: OthelloState) -> int:
        if placeable(s.mine, s.theirs) or placeable(s.theirs, s.mine):
            return ONGOING
        lead = popcount(s.mine) - popcount(s.theirs)
        return lead if discs else 1 if lead > 0 else -1 if lead < 0 else 0

    def move_score(s: OthelloState, move: int) -> int:
        """The fewer replies the better, now (those in corners twice) and later, beside the mover's discs; a
        corner can never be turned over.
        """
        child = play(s, move)
        replies = placeable(child.mine, child.theirs)
        later = beside(child.theirs) & ~(child.mine | child.theirs)
        now = popcount(replies) + popcount(replies & corners)
        return (CORNER if move & corners else 0) - NOW * now - popcount(later)

    def plies_left(s: OthelloState) -> int:
        """The free cells, passes left aside."""
        return cells - popcount(s.mine | s.theirs)

    def for_black(s: OthelloState, lead: int) -> int:
        return lead if s.mover == 0 else -lead

    def discs_ahead(s: OthelloState) -> int:
        """Black discs less white ones."""
        return for_black(s, popcount(s.mine) - popcount(s.theirs))

    def mobility(s: OthelloState) -> int:
        """Cells that Black could take if it were his turn, less those that White could."""
        return for_black(s, popcount(placeable(s.mine, s.theirs)) - popcount(placeable(s.theirs, s.mine)))

    def corners_taken(s: OthelloState) -> int:
        """Corners of Black less those of White."""
        return for_black(s, popcount(s.mine & corners) - popcount(s.theirs & corners))

    def turned_set(discs: int, symmetry: int) -> int:
        """By half a turn (1), along the diagonal from a1 (2), or both (3): what keeps the start."""
        round_ = reversed_bits(discs, cells) if symmetry & 1 else discs
        return transposed(round_) if symmetry & 2 else round_

    def transposed(discs: int) -> int:
        rest, found = discs, discs & 0
        while rest:
            disc = lowest(rest)
            rest ^= disc
            row, column = divmod(position_of(disc), size)
            found |= bit(column * size + row)
        return found

    def turn(s: OthelloState, symmetry: int) -> OthelloState:
        return OthelloState(turned_set(s.mine, symmetry), turned_set(s.theirs, symmetry), s.mover)

    def turn_move(move: int, symmetry: int) -> int:
        return move if move == passing else turned_set(move, symmetry)

    def planes(s: OthelloState, player: int) -> tuple[int, int]:
        return (s.mine, s.theirs) if s.mover == player else (s.theirs, s.mine)

    def place(s: OthelloState, move: int) -> tuple[int, ...]:
        return () if move == passing else (position_of(move),)

    def name_move(s: OthelloState, move: int) -> str:
        row, column = divmod(position_of(move), size)
        return "pass" if move == passing else columns[column] + str(row + 1)

    columns = tuple(chr(ord("a") + column) for column in range(size))
    lines = tuple(str(row + 1) for row in range(size))

    def grid(s: OthelloState) -> Grid:
        blacks, whites = (s.mine, s.theirs) if s.mover == 0 else (s.theirs, s.mine)
        pieces = dict(zip(PIECES, (blacks, whites), strict=True))
        return Grid.of(size, size, pieces, {"X": "black", "O": "white"}, columns, lines)

    def write_position(s: OthelloState) -> str:
        return written_rows(grid(s).rows, MOVERS[s.mover])

    def read_position(text: str) -> OthelloState:
        (blacks, whites), mover = read_rows(text, size, size, PIECES, MOVERS)
        middle = white | black
        if middle & ~(blacks | whites):
            raise BadInput(message("a position of Othello has discs on the four cells in the middle"))
        mine, theirs = (blacks, whites) if mover == 0 else (whites, blacks)
        return OthelloState(mine, theirs, mover)

    return Game(
        "othello",
        OthelloState(black, white, 0),
        moves,
        play,
        outcome,
        bits=(cells, cells, 1),
        most_moves=cells,
        acyclic=True,  # a disc is never taken away, and nobody passes twice for the same discs
        symmetries=4,
        turn=turn,
        turn_move=turn_move,
        move_score=move_score,
        plies_left=plies_left,
        planes=planes,
        plane_layout=PlaneLayout(size, size, (OWN, OTHER)),
        actions=cells,
        features={"discs": discs_ahead, "mobility": mobility, "corners": corners_taken},
        evaluation="corners+0.1*mobility",
        states=2 * 2**4 * 3 ** (cells - 4),
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        sides=(N_("Black"), N_("White")),
        title=N_("Othello"),
        summary=N_("Enclosed discs turn over; most discs win"),
        description=N_(
            "Place a disc so that it encloses discs of the other in a straight line between itself and"
            " another of yours: all of these turn over to your colour. Who cannot, passes. When nobody can,"
            " who has more discs wins."
        ),
    )
