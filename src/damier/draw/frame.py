"""Geometry of a board on a picture: its places, and the room of its labels."""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

from damier.core.board import HEIGHT, Board, Hexagons, NumberBoard
from damier.draw.annotations import is_heaps
from damier.draw.svg import CHARACTER, corners, tag
from damier.draw.text import columns_of

READABLE = 30
"""Largest width of a board, in sizes of its text: on a telephone, 350 pixels wide, text has 11."""
RIM = 0.18
"""Width of the coloured edges of a board of hexagons, in cells."""


class BoardFrame(NamedTuple):
    """Geometry of a board on a picture, its labels apart.

    centres        the middle of every place
    width, height  of the room that a piece has
    left, top      of the board
    across, down   the width and height of the board
    font           of its labels
    """

    centres: tuple[tuple[float, float], ...]
    width: float
    height: float
    left: float
    top: float
    across: float
    down: float
    font: float

    def centre(self, place: int) -> tuple[float, float]:
        return self.centres[place]

    def corner(self, place: int) -> tuple[float, float]:
        """The top left corner of the room of a place."""
        x, y = self.centres[place]
        return x - self.width / 2, y - self.height / 2


def bare_frame(board: Board, size: float, left: float = 0, top: float = 0) -> BoardFrame:
    """A board without labels, its corner at left, top; a place is `size` units high, a match half as
    wide.
    """
    width = size / 2 if is_heaps(board) else size
    across, down = board.extent
    centres = tuple((left + x * width, top + y * size) for x, y in map(board.centre, range(board.places)))
    return BoardFrame(centres, width, size, left, top, across * width, down * size, font_of(board) * size)


def frame_of(board: Board, size: float) -> BoardFrame:
    """A board in a `board_block`, where its labels and its coloured edges have room."""
    font = font_of(board) * size
    longest = max((columns_of(text) for text in board.lines), default=0)
    room = longest * CHARACTER * font + 0.5 * font if longest else 0.0
    if not isinstance(board, Hexagons):
        return bare_frame(board, size, room)
    top = rim_of(board) * size + (1.4 * font if board.columns else 0.0)
    return bare_frame(board, size, room + (slope_of(board) if room else rim_of(board)) * size, top)


def rim_of(board: Board) -> float:
    """Return how far coloured edges reach beyond the cells, in cells."""
    return 1.4 * RIM if isinstance(board, Hexagons) and board.edges else 0.0


def slope_of(board: Board) -> float:
    """Return how far they reach beside a row: there the edge slants, half a cell for a row."""
    return HEIGHT * (0.5 + RIM) * HEIGHT - 0.5 if rim_of(board) else 0.0


def font_of(board: Board) -> float:
    """The size of labels, in places: on a large board larger, so that they can be read where all of
    it is as small as a hand; the edges of hexagons take some of its room.
    """
    across = board.extent[0] + 2 * rim_of(board)
    return min(0.68, max(0.24, 1.1 * across / READABLE))


def readable(frame: BoardFrame) -> float:
    """The least size of text on a board; beside heaps stands how much is left of them."""
    return (1.3 if frame.width < frame.height else 1.1) * frame.across / READABLE


def outline(board: Board, frame: BoardFrame, place: int, inset: float, **attributes: object) -> str:
    """The shape of a place, smaller by a part `inset` of it on every side: a hexagon, or a
    rectangle around a cell or a point.
    """
    x, y = frame.centre(place)
    if isinstance(board, Hexagons):
        outer = hexagon(x, y, (1 - 2 * inset) * frame.width)
        return tag("polygon", points=corners(outer), **attributes)
    if isinstance(board, NumberBoard):
        spot, gap = board.spots[place], 2 * inset * frame.height
        width, height = spot.width * frame.width - gap, spot.height * frame.height - gap
        corners_of = {"rx": 0.2 * frame.height, "width": width, "height": height}
        return tag("rect", x=x - width / 2, y=y - height / 2, **corners_of, **attributes)
    width, height = (1 - 2 * inset) * frame.width, (1 - 2 * inset) * frame.height
    return tag("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, **attributes)


def hexagon(x: float, y: float, width: float) -> list[tuple[float, float]]:
    """The corners of a hexagon that stands on one, the topmost first, then clockwise."""
    radius = width / 3**0.5
    return [(x + radius * sin(n * pi / 3), y - radius * cos(n * pi / 3)) for n in range(6)]
