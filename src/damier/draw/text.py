"""A position as text, for a terminal of any width of board: the values of moves stand in the free
cells where there is room for them, else in a list below.

>>> from damier import load
>>> print(board_text(load("hexapawn").position().play("b1b2")))
3  B B B
2  . W .
1  W . W
   a b c
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from unicodedata import combining, east_asian_width

from damier.core.board import Board, Grid, Hexagons, NumberBoard, Points
from damier.core.game import Game, Position
from damier.core.moves import move_in_words
from damier.core.rules import CHANCE, State
from damier.core.solution import AnyValue, PayoffValue, Value, payoff_of, word_of
from damier.core.words import _, ngettext, printable

# Moves with what is known about them, ready to be drawn: a picture says it in signs and numbers, since
# colour alone would be lost on many people.

SIGNS: dict[Value, str] = {"win": "+", "draw": "0", "loss": "-"}


MARGIN = 2e-6
"""Payoffs that differ by no more are as good."""


@dataclass(frozen=True)
class MoveMark:
    """One legal move on a picture, and what it leads to for who plays it.

    Attributes:
        move: the move, a set of one
        name: the move in the game's own words
        cells: where it happens: one place for a stone put down, for a piece that goes all that it touches
            from the first to the last; none where nothing shows it
        value: what it leads to, None where that is not known
        distance: plies from before the move to the end, None where that is not known or nothing forces an end
        best: whether it keeps the value of the position
        payoff: the payoff that it leads to, of games whose values are payoffs
        written: the move as people write it, where that is not its name
    """

    move: int
    name: str
    cells: tuple[int, ...] = ()
    value: Value | None = None
    distance: int | None = None
    best: bool = False
    payoff: PayoffValue | None = None
    written: str = ""

    @property
    def text(self) -> str:
        """The move as a person reads it; what is asked and answered is its name."""
        return self.written or move_in_words(self.name)

    @property
    def short(self) -> str:
        """The value in a few characters, nothing where it is not known.

        >>> MoveMark(1, "a1a2", value="win", distance=3).short, MoveMark(2, "b1b2", value="draw").short
        ('+3', '0')
        """
        if self.payoff is not None:
            return str(self.payoff)
        if self.value is None:
            return ""
        return SIGNS[self.value] + (
            "" if self.value == "draw" or self.distance is None else str(self.distance)
        )

    @property
    def words(self) -> str:
        """Return the same in a sentence."""
        if self.payoff is not None:
            return _("{move} {worth}", move=self.text, worth=self.payoff.words)
        if self.value == "win" and self.distance is not None:
            return ngettext(
                "{move} wins in {n} ply", "{move} wins in {n} plies", self.distance, move=self.text
            )
        if self.value == "loss" and self.distance is not None:
            return ngettext(
                "{move} loses in {n} ply", "{move} loses in {n} plies", self.distance, move=self.text
            )
        if self.value == "win":
            return _("{move} wins", move=self.text)
        if self.value == "loss":
            return _("{move} loses", move=self.text)
        return _("{move} draws", move=self.text) if self.value else _("{move} is legal", move=self.text)


def move_marks(
    game: Game, s: State, explained: Mapping[int, tuple[AnyValue, int | None]] | None = None
) -> list[MoveMark]:
    """A mark for every legal move of `s`, in the game's own order; `explained` is what
    `Solution.explain` says of them, as far as it is known.

    >>> from damier import load
    >>> game = load("nim:matches=3")
    >>> [mark.short for mark in move_marks(game, game.start, {1: ("loss", 4), 2: ("win", 2), 4: ("loss", 1)})]
    ['-4', '+2', '-1']
    """
    known = explained or {}
    most = max((payoff_of(value) for value, _distance in known.values()), default=0.0) - MARGIN
    marks = []
    for move in game.legal(s):
        value, distance = known.get(move, (None, None))
        cells = tuple(game.place(s, move)) if game.place else ()
        marks.append(
            MoveMark(
                move,
                game.name_move(s, move),
                cells,
                None if value is None else word_of(value),
                distance,
                value is not None and game.mover(s) != CHANCE and payoff_of(value) >= most,
                value if isinstance(value, PayoffValue) else None,
                game.say_move(s, move),
            )
        )
    return marks


def legend(marks: Iterable[MoveMark] = ()) -> str:
    """Return what the short texts mean."""
    kinds = {mark.payoff.kind for mark in marks if mark.payoff}
    if kinds:
        return (
            _("n % the chance to win")
            if kinds == {"chance"}
            else _("+n wins by n, 0 draw, -n loses by n")
            if kinds == {"margin"}
            else _("the payoff that a move leads to")
        )
    return _("+n wins in n plies, 0 draw, -n loses in n plies")


def grid_of(position: Position) -> Board | None:
    """The board of a position as data; None where the game gives none, or one without places."""
    board = position.game.grid(position.state) if position.game.grid else None
    return board if board and board.places else None


def is_free(piece: str) -> bool:
    """Return whether a character of a board stands for an empty place."""
    return piece in ". "


def is_heaps(board: Board) -> bool:
    """Return whether a board is rows of matches: there a cell without a match is no place where something
    could be put.
    """
    return isinstance(board, Grid) and "match" in board.looks.values()


def count_in_row(board: Board, row: int) -> int:
    """Return how many places of a row are taken."""
    return sum(not is_free(piece) for piece in board.rows[row])


def alone_in_their_cell(marks: Iterable[MoveMark], board: Board) -> dict[int, MoveMark]:
    """By place, the marks that can be shown in it: those of moves that concern one cell only and
    share it with no other such move.
    """
    in_cells = [mark for mark in marks if len(mark.cells) == 1 and 0 <= mark.cells[0] < board.places]
    sharing = Counter(mark.cells for mark in in_cells)
    return {mark.cells[0]: mark for mark in in_cells if sharing[mark.cells] == 1}


# A position as text.


LINE = 78
"""The most characters in a line of the list of moves."""


def board_text(position: Position, marks: Iterable[MoveMark] | None = None) -> str:
    """The board, and the moves of `marks` with what they lead to: `*` follows those that keep the
    value.
    """
    marks = list(marks or ())
    grid = grid_of(position)
    in_cells: dict[int, MoveMark] = {}
    if grid and not isinstance(grid, NumberBoard):
        in_cells = {
            cell: mark for cell, mark in alone_in_their_cell(marks, grid).items() if is_free(grid.piece(cell))
        }
        board = board_lines(
            grid, {cell: _starred(mark, mark.short or mark.name) for cell, mark in in_cells.items()}
        )
    else:
        board = own_lines(position)
    used_marks = set(in_cells.values())
    listed = _in_columns(
        [_starred(mark, f"{mark.name} {mark.short}".strip()) for mark in marks if mark not in used_marks]
    )
    explanation = (
        [_("{legend}; * keeps the value", legend=legend(marks))] if any(mark.value for mark in marks) else []
    )
    return "\n\n".join(["\n".join(lines) for lines in (board, listed + explanation) if lines])


def player_in_words(game: Game, player: int) -> str:
    """Return a player within a sentence: White, or player 1."""
    return game.name_side(player) or _("player {n}", n=player + 1)


def own_lines(position: Position) -> list[str]:
    """The board as its game writes it, safe to show."""
    return [printable(line, LINE * 10) for line in position.game.show(position.state).splitlines()]


def _starred(mark: MoveMark, text: str) -> str:
    return printable(text) + ("*" if mark.best else "")


def _in_columns(entries: list[str]) -> list[str]:
    """The entries side by side, one below the other, in as many columns as fit."""
    width = max((columns_of(entry) for entry in entries), default=0)
    across = max(1, (LINE + 3) // (width + 3))
    rows = [entries[i : i + across] for i in range(0, len(entries), across)]
    return ["   ".join(padded(entry, width) for entry in row).rstrip() for row in rows]


# A board as rows of characters: cells one below the other, points with the lines between them,
# hexagons shifted row by row; each with its labels.

BROAD = 4
"""Characters from a point to the next where lines between them are drawn."""


def board_lines(board: Board, notes: Mapping[int, str]) -> list[str]:
    """The rows of a board with their labels, `notes` by place instead of what stands there."""
    if isinstance(board, Hexagons):
        lines = _hexagon_lines(board, notes)
    elif isinstance(board, NumberBoard):
        lines = [printable(row) for row in board.rows]
    elif isinstance(board, Points):
        lines = _point_lines(board, notes)
    else:
        lines = _cell_lines(board, notes)
    return lines + ([printable(board.caption)] if board.caption else [])


def columns_of(text: str) -> int:
    """Return how many columns a text takes on a terminal: Chinese characters and most emoji take two.

    >>> columns_of("+3"), columns_of("棋")
    (2, 2)
    """
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def padded(text: str, width: int) -> str:
    return text + " " * (width - columns_of(text))


def _cell_lines(grid: Grid, notes: Mapping[int, str]) -> list[str]:
    texts = [[_on_place(grid, cell, notes) for cell in row] for row in grid.by_rows]
    widest = max(columns_of(text) for row in texts for text in row)
    labels = [printable(label) for label in grid.columns[: grid.width]]
    widths = [max(widest, columns_of(label)) for label in labels] + [widest] * (grid.width - len(labels))
    if is_heaps(grid):
        for row, cells in enumerate(texts):
            cells.append(f" ({count_in_row(grid, row)})")  # nobody wants to count 16 matches
        widths.append(0)
    lines = [
        before + _joined(cells, widths)
        for before, cells in zip(_margins(grid, len(texts)), texts, strict=True)
    ]
    return _with_columns(grid, [line.rstrip() for line in lines], _joined(labels, widths))


def _hexagon_lines(board: Hexagons, notes: Mapping[int, str]) -> list[str]:
    """Half a cell is half as many characters, so that a row begins between two cells of the row
    above; the columns are named above the first row.
    """
    texts = [[_on_place(board, cell, notes) for cell in row] for row in board.by_rows]
    labels = [printable(label) for label in board.columns[: len(board.rows[0])]]
    widest = max(columns_of(text) for row in [*texts, labels] for text in row)
    width = widest + 1 - widest % 2  # odd, and a space: half of it is a whole number
    least = min(board.starts)
    lines = [
        " " * ((begin - least) * (width + 1) // 2) + before + _joined(cells, [width] * len(cells))
        for begin, before, cells in zip(board.starts, _margins(board, len(texts)), texts, strict=True)
    ]
    margin = len(_margins(board, 1)[0]) + (board.starts[0] - least) * (width + 1) // 2 if labels else 0
    # a column leads down to the right: its name stands where it comes from
    above = " " * max(0, margin - (width + 1) // 2) + _joined(labels, [width] * len(labels))
    return [line.rstrip() for line in ([above] if labels else []) + lines]


def _point_lines(board: Points, notes: Mapping[int, str]) -> list[str]:
    """Points in columns and rows, closer than they are where nothing lies between; on a board whose
    points say by themselves how they are joined, no lines.
    """
    texts = [_on_place(board, point, notes) for point in range(board.places)]
    labels = [printable(label) for label in board.columns[: len(board.across)]]
    widest = max(columns_of(text) for text in [*texts, *labels])
    broad = max(widest + 1, 2 if board.is_lattice else BROAD)
    slanting = any(_is_slanting(board, join) for join in board.joins)
    places = [
        (broad * board.across.index(x), (2 if slanting else 1) * board.heights.index(y))
        for x, y in board.spots
    ]
    drawn = {} if board.is_lattice else _drawn_lines(board, places)
    for (x, y), text in zip(places, texts, strict=True):
        drawn |= {(x + i, y): " " for i in range(1, columns_of(text))}
        drawn[x, y] = text
    margins = _margins(board, len(board.heights))
    rows = []
    for row in range(max(y for _x, y in places) + 1):
        before = (
            margins[row // 2 if slanting else row] if not slanting or row % 2 == 0 else " " * len(margins[0])
        )
        rows.append((before + _written({x: text for (x, y), text in drawn.items() if y == row})).rstrip())
    return _with_columns(board, rows, _joined(labels, [broad - 1] * len(labels)))


def _drawn_lines(board: Points, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The characters of the lines between points, by column and row."""
    drawn: dict[tuple[int, int], str] = {}
    for one, other in board.joins:
        (x, y), (to_x, to_y) = places[one], places[other]
        steps = abs(to_x - x) if y == to_y else abs(to_y - y)
        sign = "-" if y == to_y else "|" if x == to_x else "\\" if (to_x > x) == (to_y > y) else "/"
        for step in range(1, steps):
            drawn.setdefault(
                (x + round(step * (to_x - x) / steps), y + round(step * (to_y - y) / steps)), sign
            )
    return drawn


def _is_slanting(board: Points, join: tuple[int, int]) -> bool:
    (x, y), (to_x, to_y) = (board.spots[point] for point in join)
    return x != to_x and y != to_y


def _written(texts: Mapping[int, str]) -> str:
    """A row of which it is known what stands from which column on."""
    line, at = "", 0
    for column, text in sorted(texts.items()):
        if column >= at:
            line += " " * (column - at) + text
            at = column + columns_of(text)
    return line


def _on_place(board: Board, place: int, notes: Mapping[int, str]) -> str:
    piece = board.piece(place)
    if is_heaps(board) and is_free(piece):
        return notes.get(place) or " "
    star = isinstance(board, Points) and place in board.stars and is_free(piece)
    return notes.get(place) or ("+" if star else printable(piece))


def _margins(board: Board, rows: int) -> list[str]:
    """Return what stands before each row: its label, if rows have labels."""
    names = [printable(label) for label in board.lines[:rows]]
    names += [""] * (rows - len(names))
    margin = max(map(columns_of, names), default=0)
    return [" " * (margin - columns_of(name)) + name + "  " if margin else "" for name in names]


def _with_columns(board: Board, lines: list[str], labels: str) -> list[str]:
    """The names of columns below the rows."""
    margin = columns_of(_margins(board, len(board.rows))[0])
    return [*lines, (" " * margin + labels).rstrip()] if labels else lines


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(padded(cell, width) for cell, width in zip(cells, widths, strict=False))


# What a learner knows, as text: one line a position, its values under the numbers of the moves
# (row A-23, the Q-table's window).

LONGEST_NAME = 24


@dataclass(frozen=True)
class TableLine:
    """A position by name, and what is written under each column, by the number of the move."""

    name: str
    cells: Mapping[int, str]


def position_name(game: Game, s: State) -> str:
    """The document's number of a position as its mover sees it (rows A-4 and A-5); where there is
    none, the board in one line.
    """
    if game.id is None:
        return printable("/".join(line.strip() for line in game.show(s).splitlines()), LONGEST_NAME)
    found, mover = game.id(s), game.mover(s)
    return str(found if isinstance(found, int) else found[0 if mover == CHANCE else mover])


def table_lines(
    lines: Sequence[TableLine],
    marked: int | None = None,
    marker: str = ">",
    heads: Mapping[int, str] = MappingProxyType({}),
) -> list[str]:
    """The head of the table, and its lines; that of number `marked` begins with `marker`, as no
    colour need tell it.

    A column is headed by its number, unless `heads` has other words for it.
    """
    columns = sorted({column for line in lines for column in line.cells})
    names = max((columns_of(line.name) for line in lines), default=0)
    titles = {column: heads.get(column, str(column)) for column in columns}
    widths = {
        column: max(len(titles[column]), *(len(line.cells.get(column, "")) for line in lines))
        for column in columns
    }
    head = " " * (names + 2) + "".join(f"  {titles[column]:>{widths[column]}}" for column in columns)
    drawn = [head]
    for number, line in enumerate(lines):
        room = " " * (names - columns_of(line.name))
        before = (
            (marker if number == marked else " ")
            + " "
            + (room + line.name if line.name.isdecimal() else line.name + room)
        )
        drawn.append(
            (
                before + "".join(f"  {line.cells.get(column, ''):>{widths[column]}}" for column in columns)
            ).rstrip()
        )
    return drawn
