"""Dots and Boxes: draw a line between two dots; who draws the fourth side of a box owns it, and must
draw again. The end is worth the boxes that one has more than the other.

Horizontal lines come first, row by row from the top left, then the vertical ones. Line e is bit e.
2 by 2 boxes:

    +  0  +  1  +
    6     7     8
    +  2  +  3  +
    9    10    11
    +  4  +  5  +

A position is written as the rows of the board, then the boxes of both players and who moves:
`+-+.+/. . |/+.+.+ 0-0 first`, with `x` in the boxes that are closed.

E. R. Berlekamp, "The Dots and Boxes Game" [Berlekamp00]; J. K. Barker and R. E. Korf, "Solving
Dots-and-Boxes", AAAI 2012 [Barker12].

>>> from damier import load
>>> load("dots_and_boxes:rows=1,columns=1").position().play("h1-1", "v1-1", "v1-2", "h2-1").payoffs
(-1, 1)
"""

from __future__ import annotations

import re
from typing import NamedTuple

from damier.core.bits import each, popcount, position_of
from damier.core.board import Grid, Look, read_board, written_rows
from damier.core.errors import BadInput
from damier.core.game import Game, require
from damier.core.moves import MOVES
from damier.core.words import N_, _, message, printable

LARGEST = 10
"""Rows, and columns, of the largest board with more lines than a word has bits."""
MOVERS = ("first", "second")
SCORE = re.compile(f"(.*) ([0-9]{{1,3}})-([0-9]{{1,3}}) ({'|'.join(MOVERS)})")
LOOKS: dict[str, Look] = {"+": "dot", "-": "across", "|": "upright", "x": "owned"}


class DotsState(NamedTuple):
    drawn: int  # lines
    first: int  # boxes of player 0
    mover: int


class BoardLines(NamedTuple):
    """The lines of a board.

    Attributes:
        boxes: [rows * columns] the four sides of each box, a set of lines
        beside: [lines] the two boxes beside a line, each by its sides; 0 where there is none
        cells: [lines] where a line stands in a grid of dots, lines and boxes
        names: [lines] h and v, with row and column from 1
    """

    boxes: tuple[int, ...]
    beside: tuple[tuple[int, int], ...]
    cells: tuple[int, ...]
    names: tuple[str, ...]


def dots_and_boxes(rows: int = 2, columns: int = 2) -> Game:
    """A board of `rows` by `columns` boxes."""
    require(
        min(rows, columns) > 0 and (lines_of(rows, columns) <= MOVES or max(rows, columns) <= LARGEST),
        _(
            "dots_and_boxes: {rows} × {columns} boxes; from 1 to {most} of both, or at most 62 lines",
            rows=rows,
            columns=columns,
            most=LARGEST,
        ),
    )
    boxes = rows * columns
    lines = laid_out(rows, columns)
    sides, beside = lines.boxes, lines.beside
    all_lines = (1 << len(beside)) - 1
    width = 2 * columns + 1

    def closed(drawn: int, line: int) -> int:
        """Return how many boxes a line has closed that was drawn last."""
        one, two = beside[line]
        return (one != 0 and drawn & one == one) + (two != 0 and drawn & two == two)

    def moves(s: DotsState) -> int:
        return all_lines & ~s.drawn

    def play(s: DotsState, move: int) -> DotsState:
        drawn = s.drawn | move
        gained = closed(drawn, position_of(move))
        if gained == 0:
            return DotsState(drawn, s.first, 1 - s.mover)
        return DotsState(drawn, s.first + gained if s.mover == 0 else s.first, s.mover)

    def over(s: DotsState) -> bool:
        return s.drawn == all_lines

    def payoff(s: DotsState, player: int) -> int:
        margin = 2 * s.first - boxes
        return margin if player == 0 else -margin

    def ply(s: DotsState) -> int:
        return popcount(s.drawn)

    def owned(s: DotsState) -> int:
        """Boxes that are closed."""
        found = 0
        for box in sides:
            found += s.drawn & box == box
        return found

    def reward(s: DotsState, move: int) -> int:
        return closed(s.drawn | move, position_of(move))

    def lead(s: DotsState) -> int:
        """The boxes that player 0 has more than player 1."""
        return 2 * s.first - owned(s)

    def move_score(s: DotsState, move: int) -> int:
        """Boxes are taken first, and third sides drawn last."""
        one, two = beside[position_of(move)]
        drawn = s.drawn | move
        given = (popcount(drawn & one) == 3) + (popcount(drawn & two) == 3)
        return 4 * closed(drawn, position_of(move)) - given

    def canonical(s: DotsState) -> DotsState:
        return DotsState(s.drawn, s.first if s.mover == 0 else owned(s) - s.first, 0)

    def name_move(s: DotsState, move: int) -> str:
        return lines.names[position_of(move)]

    def grid(s: DotsState) -> Grid:
        board = [
            ["+" if not (row | column) & 1 else " " for column in range(width)] for row in range(2 * rows + 1)
        ]
        for line, cell in enumerate(lines.cells):
            row, column = divmod(cell, width)
            board[row][column] = "." if not s.drawn >> line & 1 else "|" if row & 1 else "-"
        for box, side in enumerate(sides):
            if s.drawn & side == side:
                row, column = divmod(box, columns)
                board[2 * row + 1][2 * column + 1] = "x"
        caption = _("boxes: {first} to {second}", first=s.first, second=owned(s) - s.first)
        return Grid(tuple("".join(row) for row in board), looks=LOOKS, caption=caption)

    def place(s: DotsState, move: int) -> tuple[int, ...]:
        return (lines.cells[position_of(move)],)

    def show(s: DotsState) -> str:
        board = grid(s)
        return "\n".join((*board.rows, board.caption))

    def write_position(s: DotsState) -> str:
        return written_rows(grid(s).rows, f"{s.first}-{owned(s) - s.first} {MOVERS[s.mover]}")

    def read_position(text: str) -> DotsState:
        found = SCORE.fullmatch(text.strip())
        if found is None:
            raise BadInput(
                message(
                    "{text}: a position is its rows joined by /, the boxes of both, and who moves: {start}",
                    text=printable(text, 80),
                    start=write_position(start),
                )
            )
        first, second, mover = int(found[2]), int(found[3]), MOVERS.index(found[4])
        board = read_board(found[1], width, 2 * rows + 1, "+-|. x")
        drawn = sum(1 << line for line, cell in enumerate(lines.cells) if board[cell] in "-|")
        s = DotsState(drawn, first, mover)
        drawn_so = "".join(grid(s).rows)
        for cell, (mark, right) in enumerate(zip(board, drawn_so, strict=True)):
            require(
                mark == right,
                _(
                    "row {n}, column {column}: {mark}; with the lines of this position it is {right}",
                    n=cell // width + 1,
                    column=cell % width + 1,
                    mark=repr(mark),
                    right=repr(right),
                ),
            )
        require(
            first + second == owned(s),
            _("{first} and {second} boxes; {n} are closed", first=first, second=second, n=owned(s)),
        )
        require_mover(s)
        require_closer(s)
        return s

    def require_mover(s: DotsState) -> None:
        """Raises BadInput where the other player must be to move: a line that closes no box passes the
        turn, and one closes two boxes only where two that are closed have it between them.
        """
        shared = any(two and s.drawn & one == one and s.drawn & two == two for one, two in beside)
        passed = popcount(s.drawn) - owned(s)
        require(
            shared or passed % 2 == s.mover,
            _(
                "{lines} lines and {n} boxes closed, one at a time: it cannot be the turn of player {mover}",
                lines=popcount(s.drawn),
                n=owned(s),
                mover=s.mover + 1,
            ),
        )

    def require_closer(s: DotsState) -> None:
        """Raises BadInput where the last line must have closed a box, and the player to move has none."""
        of_closed = 0
        for box in sides:
            if s.drawn & box == box:
                of_closed |= box
        own = s.first if s.mover == 0 else owned(s) - s.first
        require(
            own > 0 or of_closed != s.drawn or s.drawn == 0,
            _("all lines are sides of closed boxes: the player to move has closed the last, and owns one"),
        )

    start = DotsState(0, 0, 0)
    return Game(
        "dots_and_boxes",
        start,
        moves,
        play,
        over=over,
        payoff=payoff,
        ply=ply,
        reward=reward,
        canonical=canonical,
        move_score=move_score,
        actions=len(beside),
        features={"lead": lead},
        bits=(len(beside), boxes.bit_length(), 1),
        states=2 * (boxes + 1) << len(beside),
        name_move=name_move,
        grid=grid,
        place=place,
        show=show,
        write_position=write_position,
        read_position=read_position,
        title=N_("Dots and Boxes"),
        summary=N_("Dots and Boxes: the end is worth the boxes that one has more"),
        description=N_(
            "Draw a line between two neighbouring dots. Who draws the fourth side of a box owns it and must"
            " draw again. When all lines are drawn, the boxes are counted."
        ),
    )


def lines_of(rows: int, columns: int) -> int:
    """Return how many lines there are on a board of so many boxes."""
    return (rows + 1) * columns + rows * (columns + 1)


def laid_out(rows: int, columns: int) -> BoardLines:
    """The lines of a board of so many boxes.

    >>> laid_out(1, 1).boxes, laid_out(1, 1).names
    ((15,), ('h1-1', 'h2-1', 'v1-1', 'v1-2'))
    """
    across = (rows + 1) * columns  # how many are horizontal
    boxes = tuple(
        1 << row * columns + column
        | 1 << (row + 1) * columns + column
        | 1 << across + row * (columns + 1) + column
        | 1 << across + row * (columns + 1) + column + 1
        for row in range(rows)
        for column in range(columns)
    )
    beside: list[list[int]] = [[] for _line in range(lines_of(rows, columns))]
    for box in boxes:
        for line in each(box):
            beside[position_of(line)].append(box)
    width = 2 * columns + 1
    horizontal = [divmod(line, columns) for line in range(across)]
    vertical = [divmod(line, columns + 1) for line in range(rows * (columns + 1))]
    cells = [2 * row * width + 2 * column + 1 for row, column in horizontal]
    cells += [(2 * row + 1) * width + 2 * column for row, column in vertical]
    names = [f"h{row + 1}-{column + 1}" for row, column in horizontal]
    names += [f"v{row + 1}-{column + 1}" for row, column in vertical]
    pairs = tuple((found[0], found[1] if len(found) > 1 else 0) for found in beside)
    return BoardLines(boxes, pairs, tuple(cells), tuple(names))
