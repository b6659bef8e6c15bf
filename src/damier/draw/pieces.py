"""Pieces.

Every look has a shape of its own: light and dark discs differ by a groove, not by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable

from damier.core.board import Board, NumberBoard, Points
from damier.draw.annotations import is_free
from damier.draw.chessmen import CHESSMEN
from damier.draw.frame import BoardFrame
from damier.draw.svg import label, tag

DISC = 0.37
"""Radius of a disc, in cells."""
LINE = 0.11
"""How broad a line between two dots is, in cells."""


def pieces(board: Board, frame: BoardFrame) -> str:
    """Everything that stands on the board; numbers are part of its places."""
    if isinstance(board, NumberBoard):
        return ""
    drawn = []
    for place in range(board.places):
        piece = board.piece(place)
        if not is_free(piece):
            look = board.looks.get(piece, "")
            shape = SHAPES.get(look)
            x, y = frame.centre(place)
            if isinstance(board, Points) and look not in ("light", "dark"):
                drawn.append(circle(x, y, DISC * frame.height, "d-square"))  # no line crosses it
            drawn.append(shape(x, y, frame.height) if shape else label(piece, x, y, 0.6 * frame.height))
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


def _ring(x: float, y: float, size: float) -> str:
    return circle(x, y, 0.28 * size, "d-ring", stroke_width=0.11 * size)


def _light(x: float, y: float, size: float) -> str:
    disc = circle(x, y, DISC * size, "d-light", stroke_width=0.03 * size)
    return disc + circle(x, y, 0.62 * DISC * size, "d-groove", stroke_width=0.025 * size)


def _dark(x: float, y: float, size: float) -> str:
    return circle(x, y, DISC * size, "d-dark", stroke_width=0.03 * size)


def _light_king(x: float, y: float, size: float) -> str:
    return _light(x, y, size) + _crown(x, y, size, "d-dark")


def _dark_king(x: float, y: float, size: float) -> str:
    return _dark(x, y, size) + _crown(x, y, size, "d-light")


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


def _food(x: float, y: float, size: float) -> str:
    return circle(x, y, 0.08 * size, "d-food")


def _capsule(x: float, y: float, size: float) -> str:
    return circle(x, y, 0.2 * size, "d-food") + circle(x, y, 0.1 * size, "d-eye", stroke_width=0.02 * size)


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


def _dot(x: float, y: float, size: float) -> str:
    return circle(x, y, 0.15 * size, "d-food")


def _across(x: float, y: float, size: float) -> str:
    """A line between the dots of the cells beside it."""
    return tag(
        "path", class_="d-line-ink", d=f"M{x - size:.2f} {y:.2f}h{2 * size:.2f}", stroke_width=LINE * size
    )


def _upright(x: float, y: float, size: float) -> str:
    return tag(
        "path", class_="d-line-ink", d=f"M{x:.2f} {y - size:.2f}v{2 * size:.2f}", stroke_width=LINE * size
    )


def _owned(x: float, y: float, size: float) -> str:
    """A box whose four lines are drawn."""
    half = 0.82 * size
    return tag(
        "rect", class_="d-shade", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=0.1 * size
    )


SHAPES: dict[str, Callable[[float, float, float], str]] = {
    "cross": _cross,
    "ring": _ring,
    "light": _light,
    "dark": _dark,
    "light_king": _light_king,
    "dark_king": _dark_king,
    "white": _light,
    "black": _dark,
    "match": _match,
    "wall": _wall,
    "food": _food,
    "capsule": _capsule,
    "pacman": _pacman,
    "ghost": _ghost,
    "scared": _scared,
    "dot": _dot,
    "across": _across,
    "upright": _upright,
    "owned": _owned,
    **CHESSMEN,
}
