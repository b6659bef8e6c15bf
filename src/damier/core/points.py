"""A board of points and lines, as data: stones of Go stand where lines cross, men of morris where
lines meet, and any graph with places is such a board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from damier.core.errors import BadGame
from damier.core.grid import Look
from damier.core.words import message


@dataclass(frozen=True)
class Points:
    """A board of points joined by lines, numbered in the order of `spots`.

    `marks` holds one character a point, `.` or a space for a free one, and `looks` gives characters
    a picture, as in a Grid. `spots` says where every point lies: x to the right and y downwards, 1
    being the room of a piece. Each of `paths` is a line that is drawn through some points, one
    after the other; `stars` are points with a dot. `columns` and `lines` are labels of the
    different x from left to right and of the different y from top to bottom, `names` what points
    are called where labels do not say it; `caption` is a line below the board.
    """

    marks: str
    spots: Sequence[tuple[float, float]]
    paths: tuple[tuple[int, ...], ...] = ()
    looks: dict[str, Look] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    stars: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    caption: str = ""

    def __post_init__(self) -> None:
        if len(self.marks) != len(self.spots):
            raise BadGame(
                message(
                    "Points: {n} marks for {points} points; every point has one",
                    n=len(self.marks),
                    points=len(self.spots),
                )
            )
        used = {*self.stars, *(point for path in self.paths for point in path)}
        if not used <= set(range(len(self.spots))):
            raise BadGame(message("Points: there is no point {n}", n=min(used - set(range(len(self.spots))))))

    @classmethod
    def of(
        cls,
        spots: Sequence[tuple[float, float]],
        pieces: Mapping[str, int],
        paths: tuple[tuple[int, ...], ...] = (),
        looks: dict[str, Look] | None = None,
        columns: tuple[str, ...] = (),
        lines: tuple[str, ...] = (),
        stars: tuple[int, ...] = (),
        names: tuple[str, ...] = (),
    ) -> Points:
        """A board of `pieces`, each a set of points: point p is bit p.

        >>> Points.of(((0, 0), (1, 0), (0, 1)), {"X": 0b001, "O": 0b100}, paths=((0, 1, 2, 0),)).rows
        ('X.', 'O')
        """
        marks = ["."] * len(spots)
        for piece, points in pieces.items():
            for point in range(len(spots)):
                if points >> point & 1:
                    marks[point] = piece
        return cls("".join(marks), spots, paths, looks or {}, columns, lines, stars, names)

    @classmethod
    def crossings(
        cls,
        width: int,
        height: int,
        pieces: Mapping[str, int],
        looks: dict[str, Look] | None = None,
        columns: tuple[str, ...] = (),
        lines: tuple[str, ...] = (),
        stars: tuple[int, ...] = (),
    ) -> Points:
        """The crossings of `width` lines by `height`, as a board of Go: point p is bit p, numbered
        row by row from the top left.

        >>> board = Points.crossings(3, 2, {"X": 0b000011}, stars=(4,))
        >>> board.rows, board.paths
        (('XX.', '...'), ((0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5)))
        """
        spots = tuple((column, row) for row in range(height) for column in range(width))
        across = tuple(tuple(range(row * width, (row + 1) * width)) for row in range(height))
        down = tuple(tuple(range(column, width * height, width)) for column in range(width))
        return cls.of(spots, pieces, across + down, looks, columns, lines, stars)

    @property
    def places(self) -> int:
        """How many points there are."""
        return len(self.spots)

    @property
    def rows(self) -> tuple[str, ...]:
        """What stands on the points, row by row, one character a point."""
        return tuple("".join(self.piece(point) for point in row) for row in self.by_rows)

    @cached_property
    def by_rows(self) -> tuple[tuple[int, ...], ...]:
        """The points of every height from the top, each from left to right."""
        return tuple(
            tuple(
                sorted((p for p in range(self.places) if self.spots[p][1] == y), key=lambda p: self.spots[p])
            )
            for y in self.heights
        )

    @cached_property
    def across(self) -> tuple[float, ...]:
        """The different x, from left to right: those that `columns` names."""
        return tuple(sorted({x for x, _y in self.spots}))

    @cached_property
    def heights(self) -> tuple[float, ...]:
        """The different y, from top to bottom: those that `lines` names."""
        return tuple(sorted({y for _x, y in self.spots}))

    @cached_property
    def joins(self) -> tuple[tuple[int, int], ...]:
        """The neighbours that lines join, each two once."""
        pairs = {(min(one, other), max(one, other)) for path in self.paths for one, other in pairwise(path)}
        return tuple(sorted(pairs))

    @cached_property
    def is_lattice(self) -> bool:
        """Whether every row and every column of the board is full and one line: then the points say
        by themselves how they are joined.
        """
        full = len(set(self.spots)) == self.places == len(self.across) * len(self.heights)
        wanted = {
            (min(one, other), max(one, other))
            for row in (*self.by_rows, *zip(*self.by_rows, strict=False))
            for one, other in pairwise(row)
        }
        return full and set(self.joins) == wanted

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height, with half the room of a piece around the outermost points."""
        if not self.spots:
            return 0.0, 0.0
        return self.across[-1] - self.across[0] + 1, self.heights[-1] - self.heights[0] + 1

    def centre(self, point: int) -> tuple[float, float]:
        """Where a point lies, from the top left of the board."""
        x, y = self.spots[point]
        return x - self.across[0] + 0.5, y - self.heights[0] + 0.5

    def piece(self, point: int) -> str:
        """The character on a point."""
        return self.marks[point]

    def name_of(self, point: int) -> str:
        """What a point is called, nothing where neither names nor labels say it."""
        if point < len(self.names):
            return self.names[point]
        x, y = self.spots[point]
        column, row = self.across.index(x), self.heights.index(y)
        named = column < len(self.columns) and row < len(self.lines)
        return self.columns[column] + self.lines[row] if named else ""
