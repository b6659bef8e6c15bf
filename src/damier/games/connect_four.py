"""Connect Four: stones fall to the bottom of a column; four in a row wins (James D. Allen; Victor
Allis, "A Knowledge-based Approach of Connect-Four", 1988 [Allis88]).

A column takes height + 1 bits, the top one always empty. On 7 columns by 6 rows, 49 bits:

     6 13 20 27 34 41 48
     5 12 19 26 33 40 47   top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42   bottom row

The key mine + taken + bottom carries a marker bit above the highest stone of every column, so it
says both which cells are taken and whose they are. On a board of more than 62 bits a key is the
two boards.

>>> from damier import load
>>> load("connect_four").position().moves
('1', '2', '3', '4', '5', '6', '7')
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount, position_of
from damier.core.board import Grid, read_rows, require_alternation, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.game import Game, require
from damier.core.keys import KEY_BITS
from damier.core.rules import ONGOING, loss_in, win_in
from damier.core.words import N_, _
from damier.games.mnk import lines_along

LARGEST = 16
"""Rows, and columns, of the largest board that is wider than a word."""
PIECES = ("X", "O")


class ConnectFourState(NamedTuple):
    mine: int  # stones of the player to move
    taken: int  # stones of both


FOUR = N_("Stones fall to the bottom; four in a row win")
ANY_ROW = N_("Stones fall to the bottom; a row of as many as in_a_row says wins")


def connect_four(width: int = 7, height: int = 6, in_a_row: int = 4) -> Game:
    """Connect Four: who first owns `in_a_row` cells on a straight line wins; a full board is a draw."""
    column_bits = height + 1
    bits = width * column_bits
    require(
        min(width, height) > 0 and (bits <= KEY_BITS or max(width, height) <= LARGEST),
        _(
            "connect_four: {width} columns of {height} rows; there are at most {most} of both, or"
            " width × (height + 1) is at most 62",
            width=width,
            height=height,
            most=LARGEST,
        ),
    )
    require(in_a_row > 1, _("connect_four: in_a_row={n}; it is at least 2", n=in_a_row))
    bottom = sum(1 << column * column_bits for column in range(width))
    board = bottom * ((1 << height) - 1)
    upright, across = in_a_row <= height, in_a_row <= width
    directions = (
        (1, upright),
        (column_bits, across),
        (column_bits - 1, upright and across),
        (column_bits + 1, upright and across),
    )
    nowhere = max(61, bits - 1)  # where no line fits: no cell is so far from another
    steps = tuple(step for step, fits in directions if fits) or (nowhere,)
    # no shift is beyond the int: compiled, that is undefined
    doublings = doublings_to(in_a_row) if steps != (nowhere,) else (1,)
    slants = steps[1:] if upright and across else steps if across else (nowhere,)
    length = in_a_row if across else 2
    cells = width * height
    _made, begun, open_threats = lines_along(
        [(step, first_cells(step, in_a_row, board)) for step, fits in directions if fits], in_a_row, board
    )
    smears = tuple(
        (shift, bottom * ((1 << max(0, column_bits - shift)) - 1))
        for shift in (1, 2, 4, 8, 16, 32)
        if shift < column_bits
    )

    # the rows in which the next cell lies of a column whose free cells are even in number
    next_rows = sum(bottom << row for row in range(height) if (height - row) % 2 == 0)

    def moves(s: ConnectFourState) -> int:
        return (s.taken + bottom) & board

    def play(s: ConnectFourState, move: int) -> ConnectFourState:
        return ConnectFourState(s.mine ^ s.taken, s.taken | move)

    def outcome(s: ConnectFourState) -> int:
        if connected(s.mine ^ s.taken):
            return -1
        return 0 if s.taken == board else ONGOING

    def connected(stones: int) -> bool:
        for step in steps:
            run = stones  # cells from which a run of the length so far starts
            for reach in doublings:
                run &= run >> reach * step
            if run:
                return True
        return False

    def ply(s: ConnectFourState) -> int:
        return popcount(s.taken)

    def mover(s: ConnectFourState) -> int:
        return popcount(s.taken) & 1

    def key(s: ConnectFourState) -> int:
        return s.mine + s.taken + bottom

    def unkey(k: int) -> ConnectFourState:
        below = k  # every bit at or below the marker of its column
        for shift, inside in smears:
            below |= below >> shift & inside
        taken = below >> 1 & board
        return ConnectFourState(k & taken, taken)

    def open_lines(s: ConnectFourState) -> int:
        """Lines that only the first player has begun, less those that only the second has."""
        theirs = s.mine ^ s.taken
        lead = begun(s.mine, theirs) - begun(theirs, s.mine)
        return lead if mover(s) == 0 else -lead

    def threats(s: ConnectFourState) -> int:
        """Lines that lack one stone of the first player, less those that lack one of the second."""
        theirs = s.mine ^ s.taken
        lead = open_threats(s.mine, theirs) - open_threats(theirs, s.mine)
        return lead if mover(s) == 0 else -lead

    def winning(stones: int) -> int:
        """The cells, taken or not, on which one more stone would make a line of these stones."""
        found = 0
        if upright:
            found = board
            for below in range(1, in_a_row):
                found &= stones << below
        for step in slants:
            before = board  # cells with so many stones just before them on the line
            for stones_before in range(length):
                line = before
                for after in range(1, length - stones_before):
                    line &= stones >> after * step
                found |= line
                before &= stones << (stones_before + 1) * step
        return found

    def non_losing_moves(s: ConnectFourState) -> int:
        """The moves that take a cell on which the opponent would win, and give him none just above."""
        legal, theirs = moves(s), winning(s.mine ^ s.taken)
        threatened = legal & theirs
        kept = legal & ~(theirs >> 1)
        if threatened:
            kept &= threatened if threatened & (threatened - 1) == 0 else 0
        return kept | winning(s.mine) & legal

    def bounds(s: ConnectFourState) -> tuple[int, int]:
        """A win or a loss at once; else neither before the moves after next, none that needs more stones
        than there is room for, and none for whom no line is left, or none that an opponent who only follows
        would let come up.
        """
        if winning(s.mine) & moves(s):
            return win_in(1), win_in(1)
        if non_losing_moves(s) == 0:
            return loss_in(2), loss_in(2)
        room, theirs = cells - popcount(s.taken), s.mine ^ s.taken
        least = loss_in(4) if room >= 4 and may_connect_after(theirs, s.taken, room) else 0
        return least, win_in(3) if room >= 3 and may_connect(s.mine, s.taken, room) else 0

    def may_connect(mine: int, taken: int, room: int) -> bool:
        """Return whether the mover can get a line against an opponent who only follows it. Where the free
        cells are even in number, the opponent can answer in the same column, or after the top cell of one in
        another whose free cells are odd in number; so of a column whose free cells are even in number the
        mover gets no second one (claimeven, [Allis88]).
        """
        free = board ^ taken
        if room & 1 == 0:
            free &= next_rows | columns_of((taken + bottom) & board & ~next_rows)
        return connected(mine | free)

    def may_connect_after(theirs: int, taken: int, room: int) -> bool:
        """Return whether the opponent can get a line whatever the mover does: also where the mover plays into
        some column of odd free cells and only follows from there.
        """
        free = board ^ taken
        if room & 1 == 0:
            return connected(theirs | free)
        if connected(theirs | free & next_rows):
            return True
        odd = (taken + bottom) & board & ~next_rows
        tried = odd
        while tried:
            move = lowest(tried)
            tried ^= move
            if not connected(theirs | free & (next_rows | columns_of(odd ^ move))):
                return False
        return True

    def columns_of(stones: int) -> int:
        """The columns in which a set has a cell, all of their cells."""
        below = stones
        for shift, inside in smears:
            below |= below >> shift & inside
        return (below & bottom) * ((1 << height) - 1)

    def move_score(s: ConnectFourState, move: int) -> int:
        """The cells on which the mover would win next, then the columns from the nearer edge: more
        lines pass through the middle.
        """
        column = position_of(move) // column_bits
        return popcount(winning(s.mine | move) & ~s.taken) * width + min(column, width - 1 - column)

    def turn_move(stones: int, symmetry: int) -> int:
        if symmetry == 0:
            return stones
        turned = 0
        while stones:
            stone = lowest(stones)
            stones ^= stone
            column, row = divmod(position_of(stone), column_bits)
            turned |= bit((width - 1 - column) * column_bits + row)
        return turned

    def turn(s: ConnectFourState, symmetry: int) -> ConnectFourState:
        return ConnectFourState(turn_move(s.mine, symmetry), turn_move(s.taken, symmetry))

    def planes(s: ConnectFourState, player: int) -> tuple[int, int]:
        theirs = s.mine ^ s.taken
        return (s.mine, theirs) if mover(s) == player else (theirs, s.mine)

    def action(s: ConnectFourState, move: int) -> int:
        """The column, from the left."""
        return position_of(move) // column_bits

    words = ConnectFourWords(width, height, outcome)
    return Game(
        "connect_four",
        ConnectFourState(0, 0),
        moves,
        play,
        outcome,
        mover=mover,
        ply=ply,
        bits=(bits, bits),
        key=key if bits <= KEY_BITS else None,  # else a key has several words, made of the fields
        unkey=unkey if bits <= KEY_BITS else None,
        symmetries=2 if width > 1 else 1,
        turn=turn,
        turn_move=turn_move,
        move_score=move_score,
        non_losing_moves=non_losing_moves,
        bounds=bounds,
        planes=planes,
        plane_layout=PlaneLayout(
            height,
            width,
            (OWN, OTHER),
            tuple(column * column_bits + row for row in reversed(range(height)) for column in range(width)),
        ),
        action=action,
        actions=width,
        features={"lines": open_lines, "threats": threats},
        states=arrangements(width, height),
        name_move=words.name_move,
        grid=words.grid,
        place=words.place,
        write_position=words.write_position,
        read_position=words.read_position,
        sides=(N_("Red"), N_("Yellow")),
        title=N_("Connect Four"),
        summary=FOUR if in_a_row == 4 else ANY_ROW,
        description=N_(
            "Drop a stone into a column, by turns: it falls to the lowest free place. Enough in a row, in any"
            " direction, win. A full board is a draw."
        ),
    )


class ConnectFourWords(NamedTuple):
    """The board for people: names of moves, the grid, positions as text."""

    width: int
    height: int
    outcome: Callable[[ConnectFourState], int]

    def stone(self, column: int, row: int) -> int:
        """Return the cell of a column and a row, both counted from the bottom left."""
        return 1 << column * (self.height + 1) + row

    def name_move(self, s: ConnectFourState, move: int) -> str:
        return str(position_of(move) // (self.height + 1) + 1)

    def place(self, s: ConnectFourState, move: int) -> tuple[int, ...]:
        column, row = divmod(position_of(move), self.height + 1)
        return ((self.height - 1 - row) * self.width + column,)

    def grid(self, s: ConnectFourState) -> Grid:
        first = s.mine if popcount(s.taken) & 1 == 0 else s.mine ^ s.taken

        def mark(column: int, row: int) -> str:
            stone = self.stone(column, row)
            return "." if not s.taken & stone else "X" if first & stone else "O"

        columns = range(self.width)
        rows = tuple("".join(mark(column, row) for column in columns) for row in reversed(range(self.height)))
        return Grid(rows, {"X": "red", "O": "yellow"}, columns=tuple(str(column + 1) for column in columns))

    def write_position(self, s: ConnectFourState) -> str:
        return written_rows(self.grid(s).rows, PIECES[popcount(s.taken) & 1])

    def read_position(self, text: str) -> ConnectFourState:
        """Return the state of a written position. Raises BadInput."""
        width, height = self.width, self.height
        sets, player = read_rows(text, width, height, PIECES, PIECES)
        require_alternation(popcount(sets[0]), popcount(sets[1]), player)
        first, second = (
            sum(
                self.stone(column, row)
                for column in range(width)
                for row in range(height)
                if cells >> (height - 1 - row) * width + column & 1
            )
            for cells in sets
        )
        taken = first | second
        bottom = sum(self.stone(column, 0) for column in range(width))
        require(
            (taken + bottom) & taken == 0,
            _("a stone hangs in the air: stones fall to the lowest free row"),
        )
        s = ConnectFourState(first if player == 0 else second, taken)
        require(
            self.outcome(ConnectFourState(taken ^ s.mine, taken)) in (ONGOING, 0),
            _("{piece} has a line, and is to move: the game was over before", piece=PIECES[player]),
        )
        return s


def first_cells(step: int, length: int, board: int) -> int:
    """The lowest cells of all lines of `length` cells, one every `step`; a line that left the board would
    pass through the empty bit on top of a column, or beyond the last.
    """
    cells = board
    for further in range(1, length):
        cells &= board >> further * step
    return cells


def doublings_to(length: int) -> tuple[int, ...]:
    """Shifts by which runs of one grow to runs of `length`: each at most doubles what there is.

    >>> doublings_to(4), doublings_to(5)
    ((1, 2), (1, 2, 1))
    """
    shifts, run = [], 1
    while run < length:
        shift = min(run, length - run)
        shifts.append(shift)
        run += shift
    return tuple(shifts)


def arrangements(width: int, height: int) -> int:
    """Return how many boards hold stones without gaps, as many of one colour as of the other or one more:
    a bound on the positions.
    """
    heights = [1]  # heights[n]: ways to pile n stones on the columns so far
    for _column in range(width):
        heights = [
            sum(heights[n - h] for h in range(height + 1) if 0 <= n - h < len(heights))
            for n in range(len(heights) + height)
        ]
    return sum(ways * comb(n, n // 2) for n, ways in enumerate(heights))
