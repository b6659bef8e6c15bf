"""What the figures of the guided sheets share: lines, arrows, sizes of text."""

from __future__ import annotations

from math import hypot

from damier.draw.svg import number, tag

TEXT = 13.0
SMALL = 12.0
"""The smallest text of a figure, in pixels as it is drawn: never below 11."""


def stroke(
    points: tuple[tuple[float, float], ...],
    class_: str = "d-line-ink",
    width: float = 1.6,
    dashes: str | None = None,
) -> str:
    """A line through some points."""
    d = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return tag("path", class_=class_, d=d, stroke_width=width, stroke_dasharray=dashes)


def arrow(
    start: tuple[float, float], end: tuple[float, float], colour: str = "ink", width: float = 1.8
) -> str:
    """A line with a head at its end."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y) or 1.0
    along, across = ((to_x - x) / length, (to_y - y) / length), 4.5
    foot = (to_x - 9 * along[0], to_y - 9 * along[1])
    corners = (
        (to_x, to_y),
        (foot[0] - across * along[1], foot[1] + across * along[0]),
        (foot[0] + across * along[1], foot[1] - across * along[0]),
    )
    head = " ".join(f"{number(a)},{number(b)}" for a, b in corners)
    return stroke((start, foot), f"d-line-{colour}", width) + tag(
        "polygon", class_=f"d-area-{colour}", points=head
    )
