"""A board as rows of characters: cells one below the other, points with the lines between them,
hexagons shifted row by row; each with its labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from unicodedata import combining, east_asian_width

from damier.core.board import Board
from damier.core.grid import Grid
from damier.core.hexagons import Hexagons
from damier.core.number_board import NumberBoard
from damier.core.points import Points
from damier.core.words import printable
from damier.draw.marks import count_in_row, is_free, is_heaps

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
    """How many columns a text takes on a terminal: Chinese characters and most emoji take two.

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
    """What stands before each row: its label, if rows have labels."""
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
