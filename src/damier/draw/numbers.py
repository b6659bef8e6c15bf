"""Boards of numbers: pits with their seeds, points, dice, a board of backgammon, what can be pressed."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, sqrt

from damier.core.board import NumberBoard, NumberPlace
from damier.core.words import grouped
from damier.draw.frame import BoardFrame, readable
from damier.draw.pieces import SHAPES
from damier.draw.svg import BOLD, CHARACTER, label, tag
from damier.draw.text import columns_of

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
"""Where a die has its spots, by the number that it shows."""


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
    down = 1 if spot.y == 0 else -1  # to the middle of the board
    hole = tag("circle", class_="d-shade", cx=room.x, cy=room.y, r=radius, stroke_width=0.05 * room.size)
    if spot.active:
        hole += tag("circle", class_="d-line-good", cx=room.x, cy=room.y, r=radius, stroke_width=3.0)
    beside = room.height / 2 - 0.24 * room.size
    return (
        hole
        + _seeds(spot.number or 0, room.x, room.y, 0.8 * radius, 0.8 * radius, room.size)
        + label(grouped(spot.number or 0), room.x, room.y + down * beside, 0.34 * room.size)
        + label(spot.label, room.x, room.y - down * beside, room.small, class_="d-quiet")
    )


def _store(room: DrawnPlace) -> str:
    """A long hole; the number above its seeds, its player's name below."""
    spot = room.spot
    hole = room.box("d-shade", 0.08, 0.4)
    if spot.active:
        gap = 0.08 * room.size
        hole += tag(
            "rect",
            class_="d-line-good",
            x=room.left + gap,
            y=room.top + gap,
            width=room.width - 2 * gap,
            height=room.height - 2 * gap,
            rx=0.4 * room.size,
            stroke_width=3.0,
        )
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
    """Which way the middle of the board lies: below what stands at its top."""
    return 1 if room.spot.y == 0 else -1


def _ends(room: DrawnPlace) -> tuple[float, float]:
    """The height of the edge of the board, and of the other end of a place."""
    foot = room.top + room.height
    return (room.top, foot) if room.spot.y == 0 else (foot, room.top)


def _button(room: DrawnPlace) -> str:
    """What can be pressed is filled; its words stand a little high, over what the move is worth."""
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
