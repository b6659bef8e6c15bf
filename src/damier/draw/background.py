"""What pieces stand on: cells, a panel of holes, lines that cross, hexagons; and the labels around."""

from __future__ import annotations

from damier.core.board import Board, Grid, Hexagons, Look, NumberBoard, Points
from damier.draw.annotations import is_free, is_heaps
from damier.draw.chessmen import CHESSMEN
from damier.draw.frame import RIM, BoardFrame, hexagon, outline, points_of, readable, rim_of, slope_of
from damier.draw.numbers import number_places
from damier.draw.pieces import DISC, circle
from damier.draw.svg import label, number, tag

Corner = tuple[float, float]

EDGES: dict[Look, str] = {"light": "d-light", "dark": "d-dark", "ring": "d-area-ring", "cross": "d-food"}
"""The colour of an edge, by the look of the pieces that it belongs to."""
THIN = 0.03
"""How broad a line of a board is, in places."""
STAR = 0.1
"""Radius of a dot on a point, in places."""


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
    """How much room the labels of columns take below a board."""
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
    if not {"light", "dark", *CHESSMEN} & set(grid.looks.values()):
        return "".join(outline(grid, frame, cell, 0, class_="d-cell") for cell in cells)
    if grid.numbers or (grid.columns and grid.lines):
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
    """Where lines between dots may be drawn: from the first dot to the last of every other row and column."""
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
    """What each cell is called, in its corner; below a piece it could not be read."""
    drawn, font = [], max(0.16 * frame.height, readable(frame))
    for cell, text in enumerate(grid.numbers):
        x, y = frame.corner(cell)
        if text and is_free(grid.piece(cell)):
            drawn.append(label(text, x + 0.4 * font, y + 0.6 * font, font, "start"))
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
            way = "L".join(f"{number(x)} {number(y)}" for x, y in map(frame.centre, path))
            drawn.append(tag("path", class_="d-edge", d=f"M{way}", stroke_width=THIN * frame.height))
    dots = board.stars or (() if board.is_lattice else range(board.places))
    drawn += [circle(*frame.centre(point), STAR * frame.height, "d-area-quiet") for point in dots]
    return "".join(drawn)


def _rims(board: Hexagons, frame: BoardFrame) -> str:
    """The edges of a rhombus, in the colours of those who join them: top and bottom, left and
    right.
    """
    if not board.edges:
        return ""
    drawn = []
    for number_, corners in enumerate(_bands(board, frame)):
        look = board.looks.get(board.edges[number_ % 2], "cross")
        drawn.append(
            tag(
                "polygon",
                class_=EDGES.get(look, "d-area-quiet"),
                points=points_of(corners),
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
    for side, (cells, corners) in enumerate(sides):
        inner = [shapes[cell][corner] for cell in cells for corner in corners]
        first, last = wide[cells[0]], wide[cells[-1]]
        # a side begins in a sharp corner and ends in a blunt one, or the other way round
        if side % 2 == 0:
            inner[-1] = _between(inner[-2], inner[-1])
            outer = [_blunt(last, corners[1]), first[corners[1]], first[corners[0]]]
        else:
            inner[0] = _between(inner[0], inner[1])
            outer = [last[corners[2]], last[corners[1]], _blunt(first, corners[0])]
        bands.append(inner + outer)
    return bands


def _blunt(shape: list[Corner], corner: int) -> Corner:
    """Where the straight lines outside of two bands meet: beyond the middle of the side after this
    corner, as far as makes either line touch a corner of the larger hexagon.
    """
    x, y = _between(shape[0], shape[3])
    out_x, out_y = _between(shape[corner], shape[(corner + 1) % 6])
    return x + (out_x - x) * 4 / 3, y + (out_y - y) * 4 / 3


def _between(one: Corner, other: Corner) -> Corner:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
