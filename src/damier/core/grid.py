"""What a board looks like, as data: `draw` turns it into text and into pictures, and no game knows
how.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Look: TypeAlias = Literal[
    "cross",
    "ring",
    "light",
    "dark",
    "light_king",
    "dark_king",
    "white",
    "black",
    "match",
    "wall",
    "food",
    "capsule",
    "pacman",
    "ghost",
    "scared",
    "dot",
    "across",
    "upright",
    "owned",
    "white_king",
    "white_queen",
    "white_rook",
    "white_bishop",
    "white_knight",
    "white_pawn",
    "black_king",
    "black_queen",
    "black_rook",
    "black_bishop",
    "black_knight",
    "black_pawn",
]


@dataclass(frozen=True)
class Grid:
    """A board of cells, numbered row by row from the top left.

    `rows` holds one character a cell, the top row first, `.` or a space for an empty cell. `looks`
    gives characters a picture; any other is drawn as the letter it is. `columns` and `lines` are
    labels along the bottom and the left, or empty; `caption` is a line below the board for what it
    does not show, such as a score. `numbers` holds what players call each cell, "" for one that is
    never used, where the board has no labels along its sides, as in draughts.
    """

    rows: tuple[str, ...]
    looks: dict[str, Look] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    caption: str = ""
    numbers: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        width: int,
        height: int,
        pieces: Mapping[str, int],
        looks: dict[str, Look] | None = None,
        columns: tuple[str, ...] = (),
        lines: tuple[str, ...] = (),
    ) -> Grid:
        """A board of `pieces`, each a set of cells: cell c is bit c, numbered row by row from the
        top left.

        >>> Grid.of(3, 2, {"X": 0b000011, "O": 0b100000}).rows
        ('XX.', '..O')
        """
        marks = ["."] * (width * height)
        for piece, cells in pieces.items():
            for cell in range(width * height):
                if cells >> cell & 1:
                    marks[cell] = piece
        text = "".join(marks)
        return cls(
            tuple(text[row * width : (row + 1) * width] for row in range(height)), looks or {}, columns, lines
        )

    @property
    def width(self) -> int:
        return max((len(row) for row in self.rows), default=0)

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def places(self) -> int:
        """How many cells there are."""
        return self.width * self.height

    @property
    def by_rows(self) -> tuple[tuple[int, ...], ...]:
        """The cells of every row, from left to right."""
        width = self.width
        return tuple(tuple(range(row * width, (row + 1) * width)) for row in range(self.height))

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, in cells."""
        return float(self.width), float(self.height)

    def centre(self, cell: int) -> tuple[float, float]:
        """The middle of a cell, from the top left, in cells."""
        row, column = divmod(cell, self.width)
        return column + 0.5, row + 0.5

    def name_of(self, cell: int) -> str:
        """What a cell is called: by its number or, where both have a label, by its column and row."""
        if self.numbers:
            return self.numbers[cell]
        row, column = divmod(cell, self.width)
        named = row < len(self.lines) and column < len(self.columns)
        return self.columns[column] + self.lines[row] if named else ""

    def piece(self, cell: int) -> str:
        """The character in a cell."""
        row = self.rows[cell // self.width]
        column = cell % self.width
        return row[column] if column < len(row) else " "
