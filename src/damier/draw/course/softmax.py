"""The shares of a softmax as one bar, and the random number that falls into it (document [S0], row
A-22).
"""

from __future__ import annotations

from math import exp

from damier.core.words import _
from damier.draw.course.strokes import SMALL, TEXT, arrow
from damier.draw.svg import SvgBlock, document, label, tag

VALUES = (1, 2, 3)
CLASSES = ("quiet", "bad", "good")
WIDTH, HEIGHT, TOP = 520.0, 40.0, 52.0
RANDOM, DRAWN = 0.55, "rand"
"""The number that is drawn, and what the document calls it."""
BELOW = "₁₂₃"


def softmax_svg() -> str:
    """The bar of three values; above it where a number between 0 and 1 points."""
    powers = [exp(value) for value in VALUES]
    x, parts, told = 0.0, [], []
    for n, (value, power) in enumerate(zip(VALUES, powers, strict=True)):
        width = WIDTH * power / sum(powers)
        parts.append(tag("rect", class_=f"d-area-{CLASSES[n]}", x=x, y=TOP, width=width - 1.5, height=HEIGHT))
        parts.append(label(f"Q{BELOW[n]}", x + width / 2, TOP + HEIGHT / 2, TEXT, class_="d-value"))
        parts.append(label(f"Q = {value}", x + width / 2, TOP + HEIGHT + 15, SMALL))
        told.append(f"Q{n + 1} = {value}")
        x += width
    at = RANDOM * WIDTH
    parts.append(arrow((at, 24), (at, TOP - 2)))
    parts.append(label(DRAWN, at, 12, TEXT, class_="d-mono"))
    parts.append(label("0", 0, TOP - 10, SMALL, "start", "d-quiet"))
    parts.append(label("1", WIDTH, TOP - 10, SMALL, "end", "d-quiet"))
    return document(
        SvgBlock(WIDTH, TOP + HEIGHT + 26, "".join(parts)), _("The softmax as a bar"), ", ".join(told)
    )
