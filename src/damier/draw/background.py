"""The ground that pieces stand on: cells, a panel of holes, lines that cross, hexagons; and the labels
around.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, sqrt

from damier.core.board import Board, Grid, Hexagons, Look, NumberBoard, NumberPlace, Points
from damier.core.words import grouped
from damier.draw.pieces import (
    CHESSMEN,
    DISC,
    RIM,
    SHAPES,
    BoardFrame,
    circle,
    hexagon,
    outline,
    readable,
    rim_of,
    slope_of,
)
from damier.draw.svg import BOLD, CHARACTER, corners, label, number, polyline, tag
from damier.draw.text import columns_of, is_free, is_heaps

Corner = tuple[float, float]

EDGES: dict[Look, str] = {"light": "d-light", "dark": "d-dark", "ring": "d-area-ring", "cross": "d-food"}
"""The colour of an edge, by the look of the pieces that it belongs to."""
THIN = 0.03
"""Width of a line of a board, in places."""
STAR = 0.1
"""Radius of a dot on a point, in places."""


def material(board: Board) -> str | None:
    """Return the class of what a board is made of, which says the colours of all that stands on it: a rack,
    felt, wood, squares of two woods; None for paper.
    """
    looks = set(board.looks.values())
    if not isinstance(board, Grid):
        men = {"light", "dark", "white_stone", "black_stone"}
        wood = {Points: "m-wood", Hexagons: "m-comb"}
        return wood.get(type(board)) if looks & men else None
    if looks & {"red", "yellow"}:
        return "m-rack"
    if looks & {"white", "black"}:
        return "m-felt"
    # squares as in chess or draughts: men stand on them, and they have names
    named = board.numbers or (board.columns and board.lines)
    return "m-inlay" if named and looks & {"light", "dark", *CHESSMEN} else None


def ground(board: Board, frame: BoardFrame) -> str:
    """The board without its pieces."""
    if isinstance(board, Hexagons):
        cells = (outline(board, frame, cell, 0, class_="d-cell") for cell in range(board.places))
        return "".join(cells) + _rims(board, frame)  # the rims last: no cell hides half of their outline
    if isinstance(board, NumberBoard):
        return number_places(board, frame)
    return _lines(board, frame) if isinstance(board, Points) else _cells(board, frame)


def labels(board: Board, frame: BoardFrame) -> str:
    """The names of columns and rows."""
    if isinstance(board, Hexagons):
        return _slanted(board, frame)
    xs = sorted({frame.centre(place)[0] for place in range(board.places)})
    ys = sorted({frame.centre(place)[1] for place in range(board.places)})
    below = frame.top + frame.down + label_room(frame) / 2 + 0.05 * frame.height
    drawn = [
        label(text, x, below, frame.font, class_="d-quiet")
        for text, x in zip(board.columns, xs, strict=False)
    ]
    drawn += [
        label(text, frame.left - 0.5 * frame.font, y, frame.font, "end", "d-quiet")
        for text, y in zip(board.lines, ys, strict=False)
    ]
    return "".join(drawn)


def label_room(frame: BoardFrame) -> float:
    """Return how much room the labels of columns take below a board."""
    return max(0.5 * frame.height, 1.4 * frame.font)


def _slanted(board: Hexagons, frame: BoardFrame) -> str:
    """Columns above the first row, rows before their first cells."""
    rim = rim_of(board) * frame.height
    above = frame.top - rim - 0.7 * frame.font
    drawn = [
        label(text, frame.centre(cell)[0], above, frame.font, class_="d-quiet")
        for text, cell in zip(board.columns, board.by_rows[0], strict=False)
    ]
    for text, cells in zip(board.lines, board.by_rows, strict=False):
        if cells:
            x, y = frame.centre(cells[0])
            before = x - (0.5 + slope_of(board)) * frame.width - 0.5 * frame.font
            drawn.append(label(text, before, y, frame.font, "end", "d-quiet"))
    return "".join(drawn)


def _cells(grid: Grid, frame: BoardFrame) -> str:
    """Squares as in chess where rows and columns have names, a panel of holes for other discs,
    plain cells for all else; matches lie on the table, and dots on paper.
    """
    cells = range(grid.places)
    board = {"x": frame.left, "y": frame.top, "width": frame.across, "height": frame.down}
    if is_heaps(grid):
        return ""
    if "dot" in grid.looks.values():
        return _dotted(grid, frame)
    made = material(grid)
    if made == "m-felt":
        felt = "".join(
            outline(grid, frame, cell, 0, class_="d-square", stroke_width=THIN * frame.height)
            for cell in cells
        )
        return felt + tag("rect", class_="d-edge", stroke_width=2 * THIN * frame.height, **board)
    if made != "m-rack" and not {"light", "dark", *CHESSMEN} & set(grid.looks.values()):
        return "".join(outline(grid, frame, cell, 0, class_="d-cell") for cell in cells)
    if made == "m-inlay":
        squares = (
            outline(
                grid,
                frame,
                cell,
                0,
                class_="d-shade" if _is_shaded(grid, cell) else "d-square",
            )
            for cell in cells
        )
        return "".join(squares) + _numbers(grid, frame) + tag("rect", class_="d-edge", **board)
    holes = (circle(*frame.centre(cell), DISC * frame.width, "d-hole") for cell in cells)
    return tag("rect", class_="d-panel", rx=0.12 * frame.width, **board) + "".join(holes)


def _dotted(grid: Grid, frame: BoardFrame) -> str:
    """Return where lines between dots may be drawn: from the first dot to the last of every other row and
    column.
    """
    left, top = frame.centre(0)
    right, foot = frame.centre(grid.places - 1)
    rows = (top + row * frame.height for row in range(0, grid.height, 2))
    columns = (left + column * frame.width for column in range(0, grid.width, 2))
    ways = [f"M{number(left)} {number(y)}H{number(right)}" for y in rows]
    ways += [f"M{number(x)} {number(top)}V{number(foot)}" for x in columns]
    return "".join(
        tag("path", class_="d-rule", d=way, stroke_dasharray="2 6", stroke_width=2) for way in ways
    )


def _numbers(grid: Grid, frame: BoardFrame) -> str:
    """Return what each cell is called, in its corner; below a piece it could not be read."""
    drawn, font = [], max(0.16 * frame.height, readable(frame))
    for cell, text in enumerate(grid.numbers):
        x, y = frame.corner(cell)
        if text and is_free(grid.piece(cell)):
            drawn.append(label(text, x + 0.4 * font, y + 0.6 * font, font, "start", "d-number"))
    return "".join(drawn)


def _is_shaded(grid: Grid, cell: int) -> bool:
    """As in chess, the square at the bottom left is dark."""
    row, column = divmod(cell, grid.width)
    return (grid.height - 1 - row + column) % 2 == 0


def _lines(board: Points, frame: BoardFrame) -> str:
    """A board with its lines; dots where it has stars, or, where not all lines cross on it as on a
    board of Go, on every point.
    """
    drawn = [
        tag(
            "rect",
            class_="d-square",
            x=frame.left,
            y=frame.top,
            width=frame.across,
            height=frame.down,
            rx=0.12 * frame.width,
        )
    ]
    for path in board.paths:
        if len(path) > 1:
            way = polyline(map(frame.centre, path))
            drawn.append(tag("path", class_="d-edge", d=way, stroke_width=THIN * frame.height))
    dots = board.stars or (() if board.is_lattice else range(board.places))
    drawn += [circle(*frame.centre(point), STAR * frame.height, "d-star") for point in dots]
    return "".join(drawn)


def _rims(board: Hexagons, frame: BoardFrame) -> str:
    """The edges of a rhombus, in the colours of those who join them: top and bottom, left and
    right.
    """
    if not board.edges:
        return ""
    drawn = []
    for number_, band in enumerate(_bands(board, frame)):
        look = board.looks.get(board.edges[number_ % 2], "cross")
        drawn.append(
            tag(
                "polygon",
                class_=EDGES.get(look, "d-area-quiet"),
                points=corners(band),
                stroke_width=2 * THIN * frame.height,
                stroke_linejoin="round",
            )
        )
    return "".join(drawn)


def _bands(board: Hexagons, frame: BoardFrame) -> list[list[Corner]]:
    """The bands along the top, the right, the bottom and the left of a rhombus: its cells inside, a
    straight line outside.

    They part in the sharp corners at a corner of the cell there, in the blunt ones in the middle of
    a side. Corners of a cell are numbered as `hexagon` gives them: 0 is the top.
    """
    shapes = [hexagon(x, y, frame.width) for x, y in frame.centres]
    wide = [hexagon(x, y, (1 + 2 * RIM) * frame.width) for x, y in frame.centres]
    rows = board.by_rows
    sides = [  # the cells of each side clockwise, and the corners of each of them
        (rows[0], (5, 0, 1)),
        ([row[-1] for row in rows], (0, 1, 2)),
        (rows[-1][::-1], (2, 3, 4)),
        ([row[0] for row in reversed(rows)], (3, 4, 5)),
    ]
    bands = []
    for side, (cells, turn) in enumerate(sides):
        inner = [shapes[cell][corner] for cell in cells for corner in turn]
        first, last = wide[cells[0]], wide[cells[-1]]
        # a side begins in a sharp corner and ends in a blunt one, or the other way round
        if side % 2 == 0:
            inner[-1] = _between(inner[-2], inner[-1])
            outer = [_blunt(last, turn[1]), first[turn[1]], first[turn[0]]]
        else:
            inner[0] = _between(inner[0], inner[1])
            outer = [last[turn[2]], last[turn[1]], _blunt(first, turn[0])]
        bands.append(inner + outer)
    return bands


def _blunt(shape: list[Corner], corner: int) -> Corner:
    """Return where the straight lines outside of two bands meet: beyond the middle of the side after this
    corner, as far as makes either line touch a corner of the larger hexagon.
    """
    x, y = _between(shape[0], shape[3])
    out_x, out_y = _between(shape[corner], shape[(corner + 1) % 6])
    return x + (out_x - x) * 4 / 3, y + (out_y - y) * 4 / 3


def _between(one: Corner, other: Corner) -> Corner:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


# Boards of numbers: pits with their seeds, points, dice, a board of backgammon, what can be pressed.

MOST_SEEDS = 60
"""Of more seeds than that only the number tells."""
SEED = 0.062
"""Radius of a seed, in places."""
GOLDEN = pi * (3 - sqrt(5))
"""The angle from a seed to the next: none lies on another (H. Vogel, "A better way to construct the
sunflower head", 1979 [Vogel79]).
"""
SPOTS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)
"""Places of the spots of a die, by the number that it shows."""


class DrawnPlace:
    """A place as it is drawn: `left`, `top`, `width` and `height` in units of the picture, `size` that of
    1, and the font of what explains.
    """

    def __init__(self, spot: NumberPlace, frame: BoardFrame) -> None:
        self.spot, self.size = spot, frame.height
        self.left, self.top = frame.left + spot.x * self.size, frame.top + spot.y * self.size
        self.width, self.height = spot.width * self.size, spot.height * self.size
        self.x, self.y = self.left + self.width / 2, self.top + self.height / 2
        self.small = max(0.26 * self.size, readable(frame))

    def box(self, class_: str, inset: float, corner: float, stroke: float = 0.02) -> str:
        """Its rectangle, smaller by `inset` on every side, all in places."""
        gap = inset * self.size
        return tag(
            "rect",
            class_=class_,
            x=self.left + gap,
            y=self.top + gap,
            width=self.width - 2 * gap,
            height=self.height - 2 * gap,
            rx=corner * self.size,
            stroke_width=stroke * self.size,
        )

    def written(self, text: str, y: float, font: float, class_: str | None = None) -> str:
        """A line in its middle, smaller where it would be wider than the place."""
        widest = 0.9 * self.width / (max(1, columns_of(text)) * (BOLD if class_ else CHARACTER))
        return label(text, self.x, y, min(font, widest), class_=class_)


def number_places(board: NumberBoard, frame: BoardFrame) -> str:
    """All places, with what is in them."""
    rooms = [DrawnPlace(spot, frame) for spot in board.spots]
    ground = ""
    if any(spot.look in ("pit", "point") for spot in board.spots):
        ground = tag(
            "rect",
            class_="d-square",
            x=frame.left,
            y=frame.top,
            width=frame.across,
            height=frame.down,
            rx=0.3 * frame.height,
        )
    return ground + "".join(DRAWN[room.spot.look](room) for room in rooms)


def _pit(room: DrawnPlace) -> str:
    """A hole with its seeds, its number towards the other side, its name towards its player."""
    spot, radius = room.spot, 0.44 * room.size
    hole = tag("circle", class_="d-shade", cx=room.x, cy=room.y, r=radius, stroke_width=0.05 * room.size)
    if spot.active:
        hole += tag("circle", class_="d-line-good", cx=room.x, cy=room.y, r=radius, stroke_width=3.0)
    beside = room.height / 2 - 0.24 * room.size
    return (
        hole
        + _seeds(spot.number or 0, room.x, room.y, 0.8 * radius, 0.8 * radius, room.size)
        + label(grouped(spot.number or 0), room.x, room.y + _inwards(room) * beside, 0.34 * room.size)
        + label(spot.label, room.x, room.y - _inwards(room) * beside, room.small, class_="d-quiet")
    )


def _store(room: DrawnPlace) -> str:
    """A long hole; the number above its seeds, its player's name below."""
    spot = room.spot
    hole = room.box("d-shade", 0.08, 0.4)
    if spot.active:
        hole += room.box("d-line-good", 0.08, 0.4, 3.0 / room.size)
    across, down = 0.3 * room.width, 0.5 * room.height - 0.85 * room.size
    return (
        hole
        + _seeds(spot.number or 0, room.x, room.y, across, down, room.size)
        + room.written(grouped(spot.number or 0), room.top + 0.48 * room.size, 0.42 * room.size)
        + room.written(spot.label, room.top + room.height - 0.42 * room.size, room.small)
    )


def _seeds(count: int, x: float, y: float, across: float, down: float, size: float) -> str:
    """So many seeds in an ellipse; a few lie together in its middle."""
    if count > MOST_SEEDS:
        return ""
    part = min(1.0, sqrt(count / 9))
    drawn = []
    for seed in range(count):
        far = part * sqrt((seed + 0.5) / count) if count > 1 else 0.0
        drawn.append(
            tag(
                "circle",
                class_="d-food",
                cx=x + across * far * cos(seed * GOLDEN),
                cy=y + down * far * sin(seed * GOLDEN),
                r=SEED * size,
            )
        )
    return "".join(drawn)


def _score(room: DrawnPlace) -> str:
    """A number in large, what it is above it; a thick frame says whose turn it is."""
    spot = room.spot
    frame = room.box("d-cell", 0.06, 0.14)
    if spot.active:
        frame += room.box("d-line-good", 0.06, 0.14, 0.05)
    number = "" if spot.number is None else grouped(spot.number)
    return (
        frame
        + room.written(spot.label, room.top + 0.4 * room.size, room.small, "d-quiet")
        + room.written(number, room.top + 0.62 * room.height, 0.7 * room.size)
    )


def _die(room: DrawnPlace) -> str:
    """The face that fell; a question mark while it is in the air."""
    spot, step = room.spot, 0.24 * room.size
    face = room.box("d-light", 0.16, 0.2, 0.03)
    if spot.number is None or not 0 < spot.number < len(SPOTS):
        return face + label("?" * spot.active, room.x, room.y, 0.7 * room.size, class_="d-on-light")
    return face + "".join(
        tag("circle", class_="d-dark", cx=room.x + across * step, cy=room.y + down * step, r=0.09 * room.size)
        for across, down in SPOTS[spot.number]
    )


def _point(room: DrawnPlace) -> str:
    """A triangle from the edge of the board, every second one shaded, its number at its foot."""
    edge, inner = _ends(room)
    foot = edge + _inwards(room) * 0.55 * room.size
    corners = ((room.left, foot), (room.left + room.width, foot), (room.x, inner))
    shape = tag(
        "polygon",
        class_="d-shade" if (room.spot.number or 0) % 2 else "d-cell",
        points=" ".join(f"{x:.2f},{y:.2f}" for x, y in corners),
        stroke_width=0.02 * room.size,
    )
    middle = edge + _inwards(room) * 0.3 * room.size
    return shape + label(room.spot.label, room.x, middle, room.small, class_="d-quiet") + _stack(room)


def _rail(room: DrawnPlace) -> str:
    """The bar, or where checkers lie that are off."""
    middle = _ends(room)[0] + _inwards(room) * 0.3 * room.size
    return room.box("d-cell", 0.04, 0.1) + room.written(room.spot.label, middle, room.small) + _stack(room)


def _stack(room: DrawnPlace) -> str:
    """The checkers of a place, from the edge of the board on."""
    first, step = _ends(room)[0] + _inwards(room) * 1.05 * room.size, _inwards(room) * 0.86 * room.size
    return "".join(
        SHAPES[look](room.x, first + number * step, room.size) for number, look in enumerate(room.spot.pieces)
    )


def _inwards(room: DrawnPlace) -> int:
    """Return the direction of the middle of the board: below what stands at its top."""
    return 1 if room.spot.y == 0 else -1


def _ends(room: DrawnPlace) -> tuple[float, float]:
    """The height of the edge of the board, and of the other end of a place."""
    foot = room.top + room.height
    return (room.top, foot) if room.spot.y == 0 else (foot, room.top)


def _button(room: DrawnPlace) -> str:
    """Return a button: what can be pressed is filled; its words stand a little high, over what the move is
    worth.
    """
    spot = room.spot
    y = room.y - 0.17 * room.size
    if not spot.active:
        return room.box("d-cell", 0.06, 0.2) + room.written(spot.label, y, 0.4 * room.size, "d-quiet")
    return room.box("d-win", 0.06, 0.2) + room.written(spot.label, y, 0.4 * room.size, "d-value")


DRAWN: dict[str, Callable[[DrawnPlace], str]] = {
    "pit": _pit,
    "store": _store,
    "score": _score,
    "die": _die,
    "button": _button,
    "point": _point,
    "rail": _rail,
}
