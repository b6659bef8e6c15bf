"""Places of a board on a picture, with the room of its labels, and the pieces that stand there.

Every look has a shape of its own: light and dark discs differ by a groove, not by colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from math import cos, pi, sin
from typing import NamedTuple, TypeAlias

from damier.core.board import HEIGHT, Board, Hexagons, NumberBoard, Points
from damier.draw.svg import CHARACTER, corners, label, moved, number, tag
from damier.draw.text import columns_of, is_free, is_heaps

READABLE = 30
"""Largest width of a board, in sizes of its text: on a telephone, 350 pixels wide, text has 11."""
RIM = 0.18
"""Width of the coloured edges of a board of hexagons, in cells."""


class BoardFrame(NamedTuple):
    """Geometry of a board on a picture, its labels apart.

    Attributes:
        centres: the middle of every place
        width, height: of the room that a piece has
        left, top: of the board
        across, down: the width and height of the board
        font: of its labels
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
        return tag("polygon", points=corners(hexagon(x, y, (1 - 2 * inset) * frame.width)), **attributes)
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


# Chessmen: six outlines of our own, and the lines on them, in hundredths of a cell around its
# centre.
#
# White men are light with lines in ink, black men dark with light lines. Every outline is another, so
# that no man is known by its colour alone.

COMMAND = re.compile(r"([A-Z])([^A-Z]*)")
"""A command of a path, and its numbers."""
FOOT = "M-25 38V33.5Q-25 29 -20.5 29H20.5Q25 29 25 33.5V38Z"


class Chessman(NamedTuple):
    """An outline, parts laid over it, and the lines drawn on it."""

    outline: str
    lines: str


MEN = {
    "pawn": Chessman(
        f"M-15 29C-15 20 -6.5 16 -6.5 2H6.5C6.5 16 15 20 15 29Z{FOOT}M-12 4Q0 -2 12 4Q0 9 -12 4Z"
        "M0 1A13 13 0 1 1 0 -25A13 13 0 1 1 0 1Z",
        "M-17 33.5H17",
    ),
    "rook": Chessman(
        f"M-18 29L-14.5 -7H14.5L18 29Z{FOOT}M-21 -28H-12.5V-21.5H-4.5V-28H4.5V-21.5H12.5V-28H21V-11"
        "Q21 -7 17 -7H-17Q-21 -7 -21 -11Z",
        "M-17 33.5H17M-13 -14H13M-13.5 22H13.5",
    ),
    "knight": Chessman(
        "M-16.5 29C-17.5 17 -1 13 -3 -2C-8 2.5 -13.5 3.5 -18 8.5C-21.5 12.5 -27.5 10.5 -28 5C-27.5 -2 -21 -9"
        " -17.5 -17.5C-15.5 -22.5 -12.5 -25.5 -8.5 -27.5L-7.5 -38L2 -30.5C18.5 -28.5 26 -8 22 10"
        f"C20.5 17 19.5 22 19.5 29Z{FOOT}",
        "M-17 33.5H17M5.5 -24C15.5 -17 18 -2 13.5 13M-11 -16.5H-9.9M-23.5 5.5L-21.6 4",
    ),
    "bishop": Chessman(
        f"M-14 29C-14 23 -9 20 -9 11H9C9 20 14 23 14 29Z{FOOT}M-13.5 13Q0 7 13.5 13Q0 18 -13.5 13Z"
        "M0 -33C12.5 -21.5 16 -13 16 -5C16 4 9.5 9.5 0 9.5S-16 4 -16 -5C-16 -13 -12.5 -21.5 0 -33Z"
        "M0 -31.5A4.5 4.5 0 1 1 0 -40.5A4.5 4.5 0 1 1 0 -31.5Z",
        "M-17 33.5H17M0 -17.5V1M-7.5 -9.5H7.5",
    ),
    "queen": Chessman(
        f"M-20 22L-31.5 -14L-16.5 3L-17 -24L-5.5 -1.5L0 -29L5.5 -1.5L17 -24L16.5 3L31.5 -14L20 22"
        f"Q0 16 -20 22Z{FOOT}M-21 29Q-21 20.5 0 20.5T21 29Z"
        "M-31.5 -13A4 4 0 1 1 -31.5 -21A4 4 0 1 1 -31.5 -13ZM-17 -23A4 4 0 1 1 -17 -31A4 4 0 1 1 -17 -23Z"
        "M0 -28A4.4 4.4 0 1 1 0 -36.8A4.4 4.4 0 1 1 0 -28Z"
        "M17 -23A4 4 0 1 1 17 -31A4 4 0 1 1 17 -23ZM31.5 -13A4 4 0 1 1 31.5 -21A4 4 0 1 1 31.5 -13Z",
        "M-17 33.5H17M-16 13Q0 8.5 16 13",
    ),
    "king": Chessman(
        f"M-19 22C-21.5 12 -32 6 -32 -6C-32 -21 -8 -24.5 0 -9C8 -24.5 32 -21 32 -6C32 6 21.5 12 19 22"
        f"Q0 16 -19 22Z{FOOT}M-21 29Q-21 20.5 0 20.5T21 29Z"
        "M-2.8 -41H2.8V-35.5H8.5V-30H2.8V-17.5Q0 -14 -2.8 -17.5V-30H-8.5V-35.5H-2.8Z",
        "M-17 33.5H17M-15.5 13Q0 8.5 15.5 13M0 -8V8",
    ),
}


def chessman(kind: str, white: bool, x: float, y: float, size: float) -> str:
    """A man in the middle of a cell of that size."""
    side, lines = ("d-light", "d-groove") if white else ("d-dark", "d-etched")
    outline, lines_on_it = scaled(kind, size)
    drawn = tag("path", class_=side, d=outline, stroke_linejoin="round", stroke_width=0.026 * size)
    drawn += tag("path", class_=lines, d=lines_on_it, stroke_linecap="round", stroke_width=0.026 * size)
    return moved(drawn, x, y)


@cache
def scaled(kind: str, size: float) -> Chessman:
    """A man for cells of that size."""
    return Chessman(*(COMMAND.sub(partial(_scaled, size / 100), path) for path in MEN[kind]))


def _scaled(factor: float, command: re.Match[str]) -> str:
    """A command of a path; of an arc's seven numbers three are an angle and flags."""
    letter, numbers = command[1], [float(text) for text in command[2].split()]
    fixed = (2, 3, 4) if letter == "A" else ()
    return letter + " ".join(number(n if i % 7 in fixed else n * factor) for i, n in enumerate(numbers))


CHESSMEN: dict[str, Callable[[float, float, float], str]] = {
    f"{side}_{kind}": partial(chessman, kind, side == "white") for side in ("white", "black") for kind in MEN
}
"""Functions that draw each around x, y, by its look."""


DISC = 0.37
"""Radius of a disc, in cells."""
LINE = 0.11
"""Width of a line between two dots, in cells."""


Shape: TypeAlias = Callable[[float, float, float], str]
"""Drawing around x, y, in cells of a size."""


def pieces(board: Board, frame: BoardFrame, *, apart: bool = False) -> str:
    """Everything that stands on the board; numbers are part of its places. Where they are to be told
    `apart`, each is a group that says where it stands, and what it is.
    """
    if isinstance(board, NumberBoard):
        return ""
    drawn = []
    for place in range(board.places):
        piece = board.piece(place)
        if not is_free(piece):
            look = board.looks.get(piece, "")
            shape = SHAPES.get(look)
            x, y = frame.centre(place)
            if isinstance(board, Points) and look not in ("light", "dark", "white_stone", "black_stone"):
                drawn.append(circle(x, y, DISC * frame.height, "d-square"))  # no line crosses it
            body = shape(x, y, frame.height) if shape else label(piece, x, y, 0.6 * frame.height)
            if apart and look != "wall":
                body = tag("g", body, class_="d-piece", data_on=place, data_look=look or piece)
            drawn.append(body)
    return "".join(drawn)


def circle(x: float, y: float, radius: float, class_: str, **attributes: object) -> str:
    return tag("circle", class_=class_, cx=x, cy=y, r=radius, **attributes)


def _cross(x: float, y: float, size: float) -> str:
    arm = 0.26 * size
    path = (
        f"M{x - arm:.2f} {y - arm:.2f}L{x + arm:.2f} {y + arm:.2f}M{x - arm:.2f} {y + arm:.2f}L{x + arm:.2f}"
        f" {y - arm:.2f}"
    )
    return tag("path", class_="d-cross", d=path, stroke_width=0.11 * size)


def discs(*parts: tuple[float, str, float | None]) -> Shape:
    """Return the shape of discs around one centre: radius, class and stroke of each, in cells."""

    def shape(x: float, y: float, size: float) -> str:
        return "".join(
            circle(x, y, radius * size, class_, stroke_width=stroke and stroke * size)
            for radius, class_, stroke in parts
        )

    return shape


def _stone(class_: str, x: float, y: float, size: float) -> str:
    """A lens of slate or shell, with the light that falls on its upper left."""
    shine = circle(x - 0.15 * size, y - 0.16 * size, 0.12 * size, "d-shine")
    return circle(x, y, 0.455 * size, class_, stroke_width=0.02 * size) + shine


def king(disc: Shape, crown: str) -> Shape:
    """Return the shape of a disc with a crown of a class on it."""
    return lambda x, y, size: disc(x, y, size) + _crown(x, y, size, crown)


def _crown(x: float, y: float, size: float, class_: str) -> str:
    """Three points on a band: not a sign of colour, so that it reads on both kinds of disc."""
    half, top, foot = 0.16 * size, y - 0.12 * size, y + 0.11 * size
    points = [(-half, foot), (-half, top), (-half / 2, y), (0, top), (half / 2, y), (half, top), (half, foot)]
    corners = " ".join(f"{x + right:.2f},{height:.2f}" for right, height in points)
    return tag("polygon", class_=class_, points=corners, stroke_width=0.035 * size)


def _match(x: float, y: float, size: float) -> str:
    """A stick with a head, upright."""
    width, top, height = 0.1 * size, y - 0.38 * size, 0.78 * size
    stick = tag(
        "rect",
        class_="d-wood",
        x=x - width / 2,
        y=top,
        width=width,
        height=height,
        rx=0.02 * size,
        stroke_width=0.5,
    )
    return stick + tag(
        "ellipse", class_="d-head", cx=x, cy=top + 0.02 * size, rx=0.085 * size, ry=0.12 * size
    )


def _wall(x: float, y: float, size: float) -> str:
    return tag("rect", class_="d-wall", x=x - size / 2, y=y - size / 2, width=size, height=size)


def _pacman(x: float, y: float, size: float) -> str:
    """A disc with an open mouth."""
    radius, lip = 0.4 * size, 0.24 * size
    reach = (radius**2 - lip**2) ** 0.5
    path = (
        f"M{x:.2f} {y:.2f}L{x + reach:.2f} {y - lip:.2f}A{radius:.2f} {radius:.2f} 0 1 0 {x + reach:.2f}"
        f" {y + lip:.2f}Z"
    )
    return tag("path", class_="d-pacman", d=path, stroke_width=0.03 * size)


def _ghost(x: float, y: float, size: float) -> str:
    eyes = "".join(
        circle(x + side * 0.13 * size, y - 0.08 * size, 0.08 * size, "d-eye", stroke_width=0.03 * size)
        for side in (-1, 1)
    )
    return _sheet(x, y, size, "d-ghost") + eyes


def _scared(x: float, y: float, size: float) -> str:
    """A ghost whose mouth trembles."""
    eyes = "".join(circle(x + side * 0.12 * size, y - 0.1 * size, 0.045 * size, "d-food") for side in (-1, 1))
    mouth = "L".join(
        f"{x + (n - 2) * 0.1 * size:.2f} {y + (0.08 if n % 2 else 0.16) * size:.2f}" for n in range(5)
    )
    return (
        _sheet(x, y, size, "d-scared")
        + eyes
        + tag("path", class_="d-cross", d=f"M{mouth}", stroke_width=0.04 * size)
    )


def _sheet(x: float, y: float, size: float, class_: str) -> str:
    """The outline of a ghost: a round head, a hem of three folds."""
    half, hem, fold = 0.34 * size, y + 0.38 * size, 0.34 * size / 3
    folds = "".join(f"l{-fold:.2f} {-fold:.2f}l{-fold:.2f} {fold:.2f}" for _fold in range(3))
    path = (
        f"M{x - half:.2f} {hem:.2f}V{y - 0.04 * size:.2f}A{half:.2f} {half:.2f} 0 0 1 {x + half:.2f}"
        f" {y - 0.04 * size:.2f}V{hem:.2f}{folds}Z"
    )
    return tag("path", class_=class_, d=path, stroke_width=0.03 * size)


def _line(across: bool, x: float, y: float, size: float) -> str:
    """A line between the dots of the cells on both sides of it."""
    d = f"M{x - size:.2f} {y:.2f}h{2 * size:.2f}" if across else f"M{x:.2f} {y - size:.2f}v{2 * size:.2f}"
    return tag("path", class_="d-line-ink", d=d, stroke_width=LINE * size)


def _owned(x: float, y: float, size: float) -> str:
    """A box whose four lines are drawn."""
    half = 0.82 * size
    return tag(
        "rect", class_="d-shade", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=0.1 * size
    )


LIGHT = discs((DISC, "d-light", 0.03), (0.62 * DISC, "d-groove", 0.025))
DARK = discs((DISC, "d-dark", 0.03))
SHAPES: dict[str, Shape] = {
    "cross": _cross,
    "ring": discs((0.28, "d-ring", 0.11)),
    "light": LIGHT,
    "dark": DARK,
    "light_king": king(LIGHT, "d-dark"),
    "dark_king": king(DARK, "d-light"),
    "white": LIGHT,
    "black": DARK,
    "red": DARK,
    "yellow": LIGHT,
    "white_stone": partial(_stone, "d-light"),
    "black_stone": partial(_stone, "d-dark"),
    "match": _match,
    "wall": _wall,
    "food": discs((0.08, "d-food", None)),
    "capsule": discs((0.2, "d-food", None), (0.1, "d-eye", 0.02)),
    "pacman": _pacman,
    "ghost": _ghost,
    "scared": _scared,
    "dot": discs((0.15, "d-food", None)),
    "across": partial(_line, True),
    "upright": partial(_line, False),
    "owned": _owned,
    **CHESSMEN,
}
