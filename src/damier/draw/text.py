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

from collections.abc import Iterable, Mapping, Sequence
from unicodedata import combining, east_asian_width

from damier.core.grid import Grid
from damier.core.position import Position
from damier.core.words import _, printable
from damier.draw.marks import MoveMark, alone_in_their_cell, count_in_row, grid_of, is_free, is_heaps, legend

LINE = 78
"""The most characters in a line of the list of moves."""


def board_text(position: Position, marks: Iterable[MoveMark] | None = None) -> str:
    """The board, and the moves of `marks` with what they lead to: `*` follows those that keep the
    value.
    """
    marks = list(marks or ())
    grid = grid_of(position)
    in_cells: dict[int, MoveMark] = {}
    if grid:
        in_cells = {
            cell: mark for cell, mark in alone_in_their_cell(marks, grid).items() if is_free(grid.piece(cell))
        }
        board = _grid_lines(
            grid, {cell: _starred(mark, mark.short or mark.name) for cell, mark in in_cells.items()}
        )
    else:
        board = own_lines(position)
    shown = set(in_cells.values())
    listed = _in_columns(
        [_starred(mark, f"{mark.name} {mark.short}".strip()) for mark in marks if mark not in shown]
    )
    explanation = (
        [_("{legend}; * keeps the value", legend=legend(marks))] if any(mark.value for mark in marks) else []
    )
    paragraphs = ["\n".join(lines) for lines in (board, listed + explanation) if lines]
    return "\n\n".join(paragraphs)


def own_lines(position: Position) -> list[str]:
    """The board as its game writes it, safe to show."""
    return [printable(line, LINE * 10) for line in position.game.show(position.state).splitlines()]


def _grid_lines(grid: Grid, notes: Mapping[int, str]) -> list[str]:
    """The rows of a board with their labels, `notes` in the place of pieces."""
    texts = [
        [_in_cell(grid, row * grid.width + column, notes) for column in range(grid.width)]
        for row in range(grid.height)
    ]
    widest = max(columns_of(text) for row in texts for text in row)
    labels = [printable(label) for label in grid.columns[: grid.width]]
    widths = [max(widest, columns_of(label)) for label in labels] + [widest] * (grid.width - len(labels))
    if is_heaps(grid):
        for row, cells in enumerate(texts):
            cells.append(f" ({count_in_row(grid, row)})")  # nobody wants to count 16 matches
        widths.append(0)
    margin = max((columns_of(printable(label)) for label in grid.lines), default=0)
    lines = []
    for row, cells in enumerate(texts):
        label = printable(grid.lines[row]) if row < len(grid.lines) else ""
        lines.append(_joined(label, margin, cells, widths))
    return (
        lines
        + ([_joined("", margin, labels, widths)] if labels else [])
        + ([printable(grid.caption)] if grid.caption else [])
    )


def _in_cell(grid: Grid, cell: int, notes: Mapping[int, str]) -> str:
    piece = grid.piece(cell)
    return notes.get(cell) or (" " if is_heaps(grid) and is_free(piece) else printable(piece))


def _joined(label: str, margin: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    before = " " * (margin - columns_of(label)) + label + "  " if margin else ""
    return (
        before + " ".join(_padded(cell, width) for cell, width in zip(cells, widths, strict=False))
    ).rstrip()


def _starred(mark: MoveMark, text: str) -> str:
    return printable(text) + ("*" if mark.best else "")


def _in_columns(entries: list[str]) -> list[str]:
    """The entries side by side, one below the other, in as many columns as fit."""
    width = max((columns_of(entry) for entry in entries), default=0)
    across = max(1, (LINE + 3) // (width + 3))
    rows = [entries[i : i + across] for i in range(0, len(entries), across)]
    return ["   ".join(_padded(entry, width) for entry in row).rstrip() for row in rows]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns_of(text))


def columns_of(text: str) -> int:
    """How many columns a text takes on a terminal: Chinese characters and most emoji take two.

    >>> columns_of("+3"), columns_of("棋")
    (2, 2)
    """
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
