"""Counts side by side as bars, their numbers on them, with levels to compare them to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from damier.core.words import grouped
from damier.draw.svg import CHARACTER, SvgBlock, document, label, tag
from damier.draw.text import columns_of

HEIGHT, WIDTH, GAP = 130.0, 27.0, 4.0
FONT, SMALL = 14.0, 13.0
HEAD = 1.8 * FONT


class Bar(NamedTuple):
    name: str
    amount: int


class Level(NamedTuple):
    """A line across all bars, and what it says."""

    name: str
    amount: int


def bars_svg(bars: Sequence[Bar], marked: int, levels: Sequence[Level], title: str) -> str:
    """The picture as SVG text; the bar number `marked` has a frame, and its name an arrow."""
    highest = max([1, *(bar.amount for bar in bars), *(level.amount for level in levels)])
    widths = [max(WIDTH, columns_of(bar.name) * CHARACTER * SMALL) for bar in bars]
    room = max(columns_of(level.name) for level in levels) * CHARACTER * SMALL if levels else 0.0
    width = sum(widths) + GAP * len(bars) + room
    drawn, x = [], 0.0
    for number, (bar, wide) in enumerate(zip(bars, widths, strict=True)):
        drawn.append(column(bar, x, wide, HEIGHT * bar.amount / highest, is_marked=number == marked))
        x += wide + GAP
    drawn += [line(level, x, HEAD + HEIGHT * (1 - level.amount / highest), room) for level in levels]
    described = "\n".join(f"{name}: {grouped(amount)}" for name, amount in (*bars, *levels))
    return document(SvgBlock(width, HEAD + HEIGHT + 2 * FONT, "".join(drawn)), title, described)


def column(bar: Bar, x: float, wide: float, high: float, *, is_marked: bool) -> str:
    """One bar, its count above it, its name below."""
    foot = HEAD + HEIGHT
    left = x + (wide - WIDTH) / 2
    parts = [
        tag(
            "rect",
            class_="d-area-good" if is_marked else "d-area-quiet",
            x=left,
            y=foot - high,
            width=WIDTH,
            height=high,
        ),
        label(grouped(bar.amount), x + wide / 2, foot - high - 0.7 * FONT, FONT),
        label(bar.name, x + wide / 2, foot + FONT, SMALL, "middle", None if is_marked else "d-quiet"),
    ]
    if is_marked:
        parts.append(
            tag(
                "rect",
                class_="d-line-ink",
                x=left - 2,
                y=foot - high - 2,
                width=WIDTH + 4,
                height=high + 4,
                stroke_width=2,
            )
        )
    return "".join(parts)


def line(level: Level, width: float, y: float, room: float) -> str:
    """A level, its words at the right end."""
    drawn = tag(
        "path",
        class_="d-line-ink",
        d=f"M0 {y:.2f}L{width:.2f} {y:.2f}",
        stroke_width=1.0,
        stroke_dasharray="5 4",
    )
    return drawn + label(level.name, width + room, y, SMALL, "end")


class IntervalSigns(NamedTuple):
    """Signs that an interval is drawn with: its ends, what is between, the value, the end of the scale."""

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
    """Return an interval (low end, value, high end) as characters on a scale from `low` to `high`, where its
    end is marked; what lies outside is drawn at the edge.

    >>> interval_text((0.2, 0.5, 0.6), 0.0, 1.0, 21)
    '    ├─────●─┤       │'
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
