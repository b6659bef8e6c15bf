"""The kinds of boards that a game may be drawn on.

Each has numbered places: `places` is how many, `centre(place)` where one lies, `piece(place)` what
stands on it, `name_of(place)` what it is called, `by_rows` which lie side by side; `rows` are the
pieces as text, `looks` their pictures, `extent` is the size of all. `columns` and `lines` are
labels, `caption` is a line below.

>>> Grid(("X.", ".O")).places, Hexagons(("X.", ".O")).places, Points("X.", ((0, 0), (1, 0))).places
(4, 4, 2)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from damier.core.errors import BadGame, BadInput
from damier.core.words import message, plural, printable

# What a board looks like, as data: `draw` turns it into text and into pictures, and no game knows
# how.

Look: TypeAlias = Literal[
    "cross",
    "ring",
    "light",
    "dark",
    "light_king",
    "dark_king",
    "white",
    "black",
    "red",
    "yellow",
    "white_stone",
    "black_stone",
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


def rows_of(width: int, height: int, pieces: Mapping[str, int]) -> tuple[str, ...]:
    """The rows of a board of `pieces`, each a set of places: place p is bit p, numbered row by row from the
    top left.
    """
    marks = ["."] * (width * height)
    for piece, places in pieces.items():
        for place in range(width * height):
            if places >> place & 1:
                marks[place] = piece
    text = "".join(marks)
    return tuple(text[row * width : (row + 1) * width] for row in range(height))


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
        return cls(rows_of(width, height, pieces), looks or {}, columns, lines)

    @property
    def width(self) -> int:
        return max((len(row) for row in self.rows), default=0)

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def places(self) -> int:
        """Return how many cells there are."""
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
        """Return what a cell is called: by its number or, where both have a label, by its column and row."""
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


# A board of places that hold numbers, as data: pits of seeds, points of players, dice, the points of
# backgammon with its bar, and what a player may press.

PlaceLook: TypeAlias = Literal["pit", "store", "score", "die", "button", "point", "rail"]


class NumberPlace(NamedTuple):
    """A rectangle of a board.

    Attributes:
        look: how it is drawn
        x, y: its top left corner, 1 being the room of a piece
        width, height: its size, in the same
        words: what it is and what is in it, for who does not see it
        number: that is in it; of a die None while it is in the air (active), or where nobody knows it
        label: what is written on it or beside it
        active: whether it is the turn of its player, or it may be pressed
        pieces: the looks of the pieces that lie in it, from its outer edge on
    """

    look: PlaceLook
    x: float
    y: float
    width: float
    height: float
    words: str
    number: int | None = None
    label: str = ""
    active: bool = False
    pieces: tuple[Look, ...] = ()


@dataclass(frozen=True)
class NumberBoard:
    """A board of such `spots`, numbered in their order; `caption` is a line below it.

    As text it is what the game shows: numbers of any size are no characters of a row.
    """

    spots: tuple[NumberPlace, ...]
    caption: str = ""
    looks: ClassVar[dict[str, Look]] = {}
    columns: ClassVar[tuple[str, ...]] = ()
    lines: ClassVar[tuple[str, ...]] = ()

    def thrown(self, face: int) -> NumberBoard:
        """The board with its dice showing what was thrown last, which a state need not know."""
        spots = (spot._replace(number=face) if spot.look == "die" else spot for spot in self.spots)
        return replace(self, spots=tuple(spots))

    @property
    def places(self) -> int:
        """Return how many places there are."""
        return len(self.spots)

    @cached_property
    def by_rows(self) -> tuple[tuple[int, ...], ...]:
        """The places of every height from the top, each from left to right.

        >>> one, two = (NumberPlace("pit", x, 0, 1, 1, "") for x in (1, 0))
        >>> NumberBoard((one, two)).by_rows
        ((1, 0),)
        """
        return tuple(
            tuple(
                sorted((p for p in range(self.places) if self.spots[p].y == y), key=lambda p: self.spots[p].x)
            )
            for y in sorted({spot.y for spot in self.spots})
        )

    @property
    def rows(self) -> tuple[str, ...]:
        """The places of every height in words."""
        return tuple(", ".join(self.piece(place) for place in row) for row in self.by_rows)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height."""
        return (
            max((spot.x + spot.width for spot in self.spots), default=0.0),
            max((spot.y + spot.height for spot in self.spots), default=0.0),
        )

    def centre(self, place: int) -> tuple[float, float]:
        """The middle of a place, from the top left of the board."""
        spot = self.spots[place]
        return spot.x + spot.width / 2, spot.y + spot.height / 2

    def piece(self, place: int) -> str:
        """Return what a place is, and what is in it, in words."""
        return self.spots[place].words

    def name_of(self, place: int) -> str:
        """Nothing: its words say what a place is."""
        return ""


# A board of points and lines, as data: stones of Go stand where lines cross, men of morris where
# lines meet, and any graph with places is such a board.


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
        (marks,) = rows_of(len(spots), 1, pieces)
        return cls(marks, spots, paths, looks or {}, columns, lines, stars, names)

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
        """Return how many points there are."""
        return len(self.spots)

    @property
    def rows(self) -> tuple[str, ...]:
        """Return what stands on the points, row by row, one character a point."""
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
        """Return whether every row and every column of the board is full and one line: then the points say
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
        """Return where a point lies, from the top left of the board."""
        x, y = self.spots[point]
        return x - self.across[0] + 0.5, y - self.heights[0] + 0.5

    def piece(self, point: int) -> str:
        """The character on a point."""
        return self.marks[point]

    def name_of(self, point: int) -> str:
        """Return what a point is called, nothing where neither names nor labels say it."""
        if point < len(self.names):
            return self.names[point]
        x, y = self.spots[point]
        column, row = self.across.index(x), self.heights.index(y)
        named = column < len(self.columns) and row < len(self.lines)
        return self.columns[column] + self.lines[row] if named else ""


# A board of hexagons, as data: rows of cells, each row shifted by half a cell against the next.

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
        return cls(rows_of(width, height, pieces), looks or {}, columns, lines, edges, caption=caption)

    @property
    def places(self) -> int:
        """Return how many cells there are."""
        return sum(map(len, self.rows))

    @property
    def is_rhombus(self) -> bool:
        """Return whether all rows are of one length, and each begins half a cell after the row above."""
        regular = all(begin == row + self.starts[0] for row, begin in enumerate(self.starts))
        return regular and len({len(row) for row in self.rows}) == 1

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Return where every row begins, in half cells."""
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
        """Return what a cell is called, where both its column and its row have a label."""
        row = next(number for number, cells in enumerate(self.by_rows) if cell in cells)
        column = cell - self.by_rows[row][0]
        named = row < len(self.lines) and column < len(self.columns)
        return self.columns[column] + self.lines[row] if named else ""


Board: TypeAlias = Grid | Hexagons | NumberBoard | Points


# A board as one line of text: the rows of the board joined by `/` and, after a space, a word for
# who moves. The form for games whose field has none of its own.
#
# >>> written_rows(("X.", ".O"), "black")
# 'X./.O black'
# >>> read_rows("X./.O black", 2, 2, ("X", "O"), ("black", "white"))
# ((1, 8), 0)

FREE = "."


def written_rows(rows: Sequence[str], mover: str) -> str:
    """The rows of a board, the top one first, and who moves."""
    return f"{'/'.join(rows)} {mover}"


def read_rows(
    text: str, width: int, height: int, pieces: Sequence[str], movers: Sequence[str]
) -> tuple[tuple[int, ...], int]:
    """For each of `pieces` the set of its cells, numbered row by row from the top left; and the
    number of the mover.

    Raises BadInput, which says what is wrong and in which row.
    """
    words = text.split()
    if len(words) != 2 or words[1] not in movers:
        raise BadInput(
            message(
                "{text}: a position is its rows joined by / and, after a space, who moves: {movers}",
                text=printable(text, 80),
                movers=" | ".join(movers),
            )
        )
    board = read_board(words[0], width, height, (FREE, *pieces))
    sets = tuple(sum(1 << cell for cell, mark in enumerate(board) if mark == piece) for piece in pieces)
    return sets, movers.index(words[1])


def read_board(text: str, width: int, height: int, marks: Sequence[str]) -> str:
    """The cells of a board whose rows are joined by `/`, row by row from the top left; each is one of
    `marks`. Raises BadInput, which says what is wrong and in which row.

    >>> read_board("X./.O", 2, 2, ".XO")
    'X..O'
    """
    rows = text.split("/")
    if len(rows) != height:
        raise BadInput(
            plural(
                "a position of {n} row; this board has {height}",
                "a position of {n} rows; this board has {height}",
                len(rows),
                height=height,
            )
        )
    for number, row in enumerate(rows, 1):
        _check_row(row, number, width, marks)
    return "".join(rows)


def require_alternation(first: int, second: int, mover: int) -> None:
    """Raises BadInput unless as many pieces stand on the board as two players place by turns, one each."""
    if first - second != mover:
        raise BadInput(
            message(
                "pieces of the first player: {first}, of the second: {second}; they place one each, by"
                " turns, so it cannot be the turn of player {mover}",
                first=first,
                second=second,
                mover=mover + 1,
            )
        )


def _check_row(row: str, number: int, width: int, marks: Sequence[str]) -> None:
    if len(row) != width:
        raise BadInput(
            plural(
                "row {row} has {n} cell; on this board it has {width}",
                "row {row} has {n} cells; on this board it has {width}",
                len(row),
                row=number,
                width=width,
            )
        )
    for column, mark in enumerate(row, 1):
        if mark not in marks:
            raise BadInput(
                message(
                    "row {n}, column {column}: {mark} is none of {marks}",
                    n=number,
                    column=column,
                    mark=printable(mark),
                    marks=" ".join(marks),
                )
            )
