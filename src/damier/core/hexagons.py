"""A board of hexagons, as data: rows of cells, each row shifted by half a cell against the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

from damier.core.errors import BadGame
from damier.core.grid import Look
from damier.core.words import message

ROW = sqrt(3) / 2
"""How far apart two rows are, in widths of a cell: hexagons stand on a corner."""
HEIGHT = 2 / sqrt(3)
"""How high a cell is, in its own widths."""


@dataclass(frozen=True)
class Hexagons:
    """A board of hexagons, numbered row by row from the top left.

    `rows` holds one character a cell, `.` or a space for a free one, and `looks` gives characters a
    picture, as in a Grid. `indents` says by how many half cells every row begins further right than
    the leftmost can; without it every row begins half a cell after the row above, so that rows of
    one length are a rhombus, as in Hex. `columns` are labels above the cells of the first row,
    `lines` labels before each row, and `caption` is a line below the board. `edges` are the pieces
    that top and bottom, and left and right, of a rhombus belong to.

    Raises BadGame where `edges` are given to another shape, or `indents` to only some rows.
    """

    rows: tuple[str, ...]
    looks: dict[str, Look] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()
    indents: tuple[int, ...] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        if self.indents and len(self.indents) != len(self.rows):
            raise BadGame(
                message(
                    "Hexagons: {n} indents for {rows} rows; every row has one",
                    n=len(self.indents),
                    rows=len(self.rows),
                )
            )
        if self.edges and not (len(self.edges) == 2 and self.is_rhombus):
            raise BadGame(message("Hexagons: edges are two pieces, and those of a rhombus"))

    @classmethod
    def rhombus(
        cls,
        width: int,
        height: int,
        pieces: Mapping[str, int],
        looks: dict[str, Look] | None = None,
        columns: tuple[str, ...] = (),
        lines: tuple[str, ...] = (),
        edges: tuple[str, ...] = (),
        caption: str = "",
    ) -> Hexagons:
        """A board of Hex with `pieces`, each a set of cells: cell c is bit c, numbered row by row
        from the top left.

        >>> Hexagons.rhombus(3, 2, {"X": 0b000011, "O": 0b100000}, edges=("X", "O")).rows
        ('XX.', '..O')
        """
        marks = ["."] * (width * height)
        for piece, cells in pieces.items():
            for cell in range(width * height):
                if cells >> cell & 1:
                    marks[cell] = piece
        text = "".join(marks)
        rows = tuple(text[row * width : (row + 1) * width] for row in range(height))
        return cls(rows, looks or {}, columns, lines, edges, caption=caption)

    @property
    def places(self) -> int:
        """How many cells there are."""
        return sum(map(len, self.rows))

    @property
    def is_rhombus(self) -> bool:
        """Whether all rows are of one length, and each begins half a cell after the row above."""
        regular = all(begin == row + self.starts[0] for row, begin in enumerate(self.starts))
        return regular and len({len(row) for row in self.rows}) == 1

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where every row begins, in half cells."""
        return self.indents or tuple(range(len(self.rows)))

    @cached_property
    def by_rows(self) -> tuple[tuple[int, ...], ...]:
        """The cells of every row, from left to right."""
        found: list[tuple[int, ...]] = []
        first = 0
        for row in self.rows:
            found.append(tuple(range(first, first + len(row))))
            first += len(row)
        return tuple(found)

    @cached_property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """The middle of every cell, from the top left, in widths of a cell."""
        left = min(self.starts, default=0)
        return tuple(
            ((begin - left) / 2 + column + 0.5, row * ROW + HEIGHT / 2)
            for row, (begin, cells) in enumerate(zip(self.starts, self.rows, strict=True))
            for column in range(len(cells))
        )

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, in widths of a cell."""
        if not self.places:
            return 0.0, 0.0
        return max(x for x, _y in self.centres) + 0.5, (len(self.rows) - 1) * ROW + HEIGHT

    def centre(self, cell: int) -> tuple[float, float]:
        return self.centres[cell]

    def piece(self, cell: int) -> str:
        """The character in a cell."""
        return "".join(self.rows)[cell]

    def name_of(self, cell: int) -> str:
        """What a cell is called, where both its column and its row have a label."""
        row = next(number for number, cells in enumerate(self.by_rows) if cell in cells)
        column = cell - self.by_rows[row][0]
        named = row < len(self.lines) and column < len(self.columns)
        return self.columns[column] + self.lines[row] if named else ""
