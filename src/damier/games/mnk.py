"""k in a row on a board of m columns by n rows: tic-tac-toe (3, 3, 3) and its family.

Cells are numbered row by row from the top left. Cell c is bit c of a set of stones and of a set of
moves:

    0 1 2
    3 4 5
    6 7 8

>>> from damier import load
>>> load("tictactoe").position().play("4").moves
('0', '1', '2', '3', '5', '6', '7', '8')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount, position_of
from damier.core.board import Grid, read_rows, require_alternation, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.game import Game, require
from damier.core.moves import MOVES
from damier.core.rules import ONGOING
from damier.core.words import N_, _

LARGEST = 19
"""Rows, and columns, of the largest board."""


PIECES = ("X", "O")


class MnkState(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int  # stones of the player who has just moved


def mnk(width: int = 3, height: int = 3, in_a_row: int = 3, misere: bool = False) -> Game:
    """The m,n,k-game: who first owns `in_a_row` cells on a straight line wins; in misère play, loses."""
    cells = width * height
    require(
        min(width, height) > 0 and (cells <= MOVES or max(width, height) <= LARGEST),
        _(
            "mnk: a board of {width} × {height} cells; it has at most 62 cells, or {most} × {most}",
            width=width,
            height=height,
            most=LARGEST,
        ),
    )
    require(in_a_row > 0, _("mnk: in_a_row={n}; it is at least 1", n=in_a_row))
    board = (1 << cells) - 1
    lines = (
        listed_lines(width, height, in_a_row)
        if cells <= MOVES
        else lines_along(directions(width, height, in_a_row), in_a_row, board)
    )
    is_made, begun, open_threats = lines
    turns = symmetries_of_board(width, height)
    payoff_of_their_line = 1 if misere else -1

    def moves(s: MnkState) -> int:
        return board & ~(s.mine | s.theirs)

    def play(s: MnkState, move: int) -> MnkState:
        return MnkState(s.theirs, s.mine | move)

    def outcome(s: MnkState) -> int:
        if is_made(s.theirs):  # only the player who has just moved can have made one
            return payoff_of_their_line
        return 0 if s.mine | s.theirs == board else ONGOING

    def ply(s: MnkState) -> int:
        return popcount(s.mine | s.theirs)

    def mover(s: MnkState) -> int:
        return popcount(s.mine | s.theirs) & 1

    def open_lines(s: MnkState) -> int:
        """Lines that only crosses have begun, less those that only rings have."""
        lead = begun(s.mine, s.theirs) - begun(s.theirs, s.mine)
        return lead if mover(s) == 0 else -lead

    def threats(s: MnkState) -> int:
        """Lines that lack one cross, less those that lack one ring."""
        lead = open_threats(s.mine, s.theirs) - open_threats(s.theirs, s.mine)
        return lead if mover(s) == 0 else -lead

    def turn_move(stones: int, symmetry: int) -> int:
        turned = 0
        while stones:
            stone = lowest(stones)
            stones ^= stone
            turned |= bit(turns[symmetry][position_of(stone)])
        return turned

    def turn(s: MnkState, symmetry: int) -> MnkState:
        return MnkState(turn_move(s.mine, symmetry), turn_move(s.theirs, symmetry))

    def crosses_and_rings(s: MnkState) -> tuple[int, int]:
        return (s.mine, s.theirs) if mover(s) == 0 else (s.theirs, s.mine)

    def planes(s: MnkState, player: int) -> tuple[int, int]:
        return (s.mine, s.theirs) if mover(s) == player else (s.theirs, s.mine)

    def grid(s: MnkState) -> Grid:
        crosses, rings = crosses_and_rings(s)
        return Grid.of(width, height, {"X": crosses, "O": rings}, {"X": "cross", "O": "ring"})

    def place(s: MnkState, move: int) -> tuple[int, ...]:
        return (position_of(move),)

    def write_position(s: MnkState) -> str:
        return written_rows(grid(s).rows, PIECES[mover(s)])

    def read_position(text: str) -> MnkState:
        (crosses, rings), player = read_rows(text, width, height, PIECES, PIECES)
        require_alternation(popcount(crosses), popcount(rings), player)
        s = MnkState(crosses, rings) if player == 0 else MnkState(rings, crosses)
        require(
            not is_made(s.mine),
            _("{piece} has a line, and is to move: the game was over before", piece=PIECES[player]),
        )
        return s

    def ternary(s: MnkState) -> int:
        """The board in base 3, cell 0 most significant, free 0, X 1, O 2 (row A-64)."""
        crosses, rings = crosses_and_rings(s)
        return sum(
            (crosses >> cell & 1) * 3 ** (cells - 1 - cell)
            + 2 * (rings >> cell & 1) * 3 ** (cells - 1 - cell)
            for cell in range(cells)
        )

    return Game(
        "mnk",
        MnkState(0, 0),
        moves,
        play,
        outcome,
        mover=mover,
        ply=ply,
        bits=(cells, cells),
        symmetries=len(turns),
        turn=turn,
        turn_move=turn_move,
        planes=planes,
        plane_layout=PlaneLayout(height, width, (OWN, OTHER)),
        actions=cells,
        features={"lines": open_lines, "threats": threats},
        states=sum(comb(cells, stones) * comb(stones, stones // 2) for stones in range(cells + 1)),
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        id=ternary,
        sides=(N_("X"), N_("O")),
        title=N_("k in a row"),
        summary=(
            N_("Who makes k in a row, on m columns by n rows, loses")
            if misere
            else N_("k in a row on m columns by n rows")
        ),
        description=(
            N_(
                "Cross and ring mark a free cell by turns. Enough marks in a row, across, down or diagonally,"
                " lose. A full board is a draw."
            )
            if misere
            else N_(
                "Cross and ring mark a free cell by turns. Enough marks in a row, across, down or diagonally,"
                " win. A full board is a draw."
            )
        ),
    )


def tictactoe(misere: bool = False) -> Game:
    """Three in a row on three by three."""
    game = mnk(3, 3, 3, misere)
    game.name, game.title = "tictactoe", N_("Tic-tac-toe")
    game.summary = (
        N_("Who makes three in a row, on three by three, loses")
        if misere
        else N_("Three in a row on three by three")
    )
    return game


def listed_lines(width: int, height: int, length: int) -> LineRules:
    """The rules for lines of `length` cells on a board with few of them."""
    # no set of stones is -1: on a small board nobody can win
    lines = straight_lines(width, height, length) or (-1,)

    def is_made(stones: int) -> bool:
        for line in lines:  # noqa: SIM110  no generator where Numba compiles
            if stones & line == line:
                return True
        return False

    def begun(mine: int, theirs: int) -> int:
        count = 0
        for line in lines:
            count += line > 0 and mine & line != 0 and theirs & line == 0
        return count

    def open_threats(mine: int, theirs: int) -> int:
        count = 0
        for line in lines:
            count += line > 0 and popcount(mine & line) == length - 1 and theirs & line == 0
        return count

    return LineRules(is_made, begun, open_threats)


def straight_lines(width: int, height: int, length: int) -> tuple[int, ...]:
    """Every set of `length` cells in a row: rightwards, downwards, and along both diagonals."""
    lines = {
        sum(1 << (row + down * i) * width + column + right * i for i in range(length))
        for row in range(height)
        for column in range(width)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + down * (length - 1) < height and 0 <= column + right * (length - 1) < width
    }
    return tuple(sorted(lines))


def symmetries_of_board(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Return where each cell goes under the symmetries of the board, the identity first: eight for a
    square, four for a rectangle.
    """
    found: dict[tuple[int, ...], None] = {}
    for transpose in (False, True) if width == height else (False,):
        for flip_rows in (False, True):
            for flip_columns in (False, True):
                cells = []
                for row in range(height):
                    for column in range(width):
                        r = height - 1 - row if flip_rows else row
                        c = width - 1 - column if flip_columns else column
                        cells.append(c * width + r if transpose else r * width + c)
                found[tuple(cells)] = None  # one-row boards have fewer
    return tuple(found)


def stones(text: str) -> MnkState:
    """The state of a board written row by row with `X`, `O` and `.` or spaces, X having started.

    >>> stones("XO..X....")
    MnkState(mine=2, theirs=17)
    """
    crosses = sum(1 << cell for cell, mark in enumerate(text) if mark == "X")
    rings = sum(1 << cell for cell, mark in enumerate(text) if mark == "O")
    return MnkState(crosses, rings) if popcount(crosses) == popcount(rings) else MnkState(rings, crosses)


# Lines on boards that have too many to list them: a line is found by shifting a whole set of stones
# along it.
#
# A line starts at its lowest bit, and its cells lie `step` bits apart; `starts` are the cells from which a
# whole line fits the board. Where cell c is bit c, row by row, lines run right, down, or along one of the
# diagonals.
#
#     pairs = stones & stones >> step    fours = pairs & pairs >> 2 * step    fives = fours & fours >> step


class LineRules(NamedTuple):
    """Functions about the lines of a board."""

    is_made: Callable[[int], bool]
    """is_made(stones): whether they hold a whole line."""
    begun: Callable[[int, int], int]
    """begun(mine, theirs): lines that hold some of mine and none of theirs."""
    open_threats: Callable[[int, int], int]
    """open_threats(mine, theirs): lines that lack one of mine, and hold none of theirs."""


def lines_along(ways: Iterable[tuple[int, int]], length: int, board: int) -> LineRules:
    """The rules for lines of `length` cells; `ways` are their steps, each with where they start."""
    is_made: Callable[[int], bool] = _never
    begun: Callable[[int, int], int] = _none
    open_threats: Callable[[int, int], int] = _none
    for step, starts in ways:
        if not starts:
            continue
        is_made = _or_along(is_made, step, starts, length)
        begun = _and_begun(begun, step, starts, length, board)
        open_threats = _and_threats(open_threats, step, starts, length, board)
    return LineRules(is_made, begun, open_threats)


def directions(width: int, height: int, length: int) -> list[tuple[int, int]]:
    """Return how far apart the cells of a line are, and where lines start: right, down, both diagonals.

    >>> [(step, starts.bit_count()) for step, starts in directions(15, 15, 5)]
    [(1, 165), (15, 165), (16, 121), (14, 121)]
    """

    def starts(columns: range, rows: range) -> int:
        return sum(1 << row * width + column for row in rows for column in columns)

    every_row, every_column = range(height), range(width)
    high, left, right = range(height - length + 1), range(width - length + 1), range(length - 1, width)
    return [
        (1, starts(left, every_row)),
        (width, starts(every_column, high)),
        (width + 1, starts(left, high)),
        (width - 1, starts(right, high)),
    ]


def _never(stones: int) -> bool:
    return False


def _none(mine: int, theirs: int) -> int:
    return 0


def _or_along(before: Callable[[int], bool], step: int, starts: int, length: int) -> Callable[[int], bool]:
    held: Callable[[int], int] = _all
    known = 1  # from each cell of `held` on, so many cells are held
    while 2 * known < length:
        held, known = _and_further(held, known * step), 2 * known
    held = _and_further(held, (length - known) * step)

    def is_made(stones: int) -> bool:
        return held(stones) & starts != 0 or before(stones)

    return is_made


def _all(stones: int) -> int:
    return stones


def _and_further(before: Callable[[int], int], places: int) -> Callable[[int], int]:
    def held(stones: int) -> int:
        found = before(stones)
        return found & found >> places

    return held


def _and_begun(
    before: Callable[[int, int], int], step: int, starts: int, length: int, board: int
) -> Callable[[int, int], int]:
    def begun(mine: int, theirs: int) -> int:
        without, some = starts & ~theirs, starts & mine
        for cell in range(1, length):
            without &= ~(theirs >> cell * step)
            some |= starts & mine >> cell * step
        return popcount(without & some & board) + before(mine, theirs)

    return begun


def _and_threats(
    before: Callable[[int, int], int], step: int, starts: int, length: int, board: int
) -> Callable[[int, int], int]:
    def open_threats(mine: int, theirs: int) -> int:
        without = starts & ~theirs
        all_so_far, all_but_one = starts & mine, starts & ~mine
        for cell in range(1, length):
            without &= ~(theirs >> cell * step)
            held = mine >> cell * step
            all_but_one = all_but_one & held | all_so_far & ~held
            all_so_far &= held
        return popcount(without & all_but_one & board) + before(mine, theirs)

    return open_threats
