"""A value and its interval as a line of characters, between the ends of a scale.

>>> interval_text((0.2, 0.5, 0.6), 0.0, 1.0, 21)
'    ├─────●─┤       │'
"""

from __future__ import annotations

from typing import NamedTuple


class IntervalSigns(NamedTuple):
    """What is drawn: the ends of the interval, what is between, the value, the end of the scale."""

    left: str
    right: str
    between: str
    value: str
    end: str


LINES = IntervalSigns("├", "┤", "─", "●", "│")
PLAIN = IntervalSigns("[", "]", "-", "o", "|")


def interval_signs(encoding: str) -> IntervalSigns:
    """The signs that a stream of this encoding takes."""
    return LINES if encoding.lower().startswith("utf") else PLAIN


def interval_text(
    interval: tuple[float, float, float],
    low: float,
    high: float,
    width: int,
    signs: IntervalSigns = LINES,
) -> str:
    """Low end, value and high end of an interval on a scale from `low` to `high`, where its end is
    marked; what lies outside is drawn at the edge.
    """
    left, value, right = (
        max(0, min(width - 1, round((one - low) / (high - low) * (width - 1)) if high > low else width - 1))
        for one in interval
    )
    line = [" "] * (width - 1) + [signs.end]
    line[left : right + 1] = signs.between * (right + 1 - left)
    line[left], line[right] = signs.left, signs.right
    line[value] = signs.value
    return "".join(line)
