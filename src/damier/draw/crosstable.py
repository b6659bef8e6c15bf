"""A cross table: who took how many of the points from whom, a line and a column an agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from damier.core.words import _, printable
from damier.draw.svg import CHARACTER, SvgBlock, document, label, tag
from damier.draw.text import columns_of

CELL, ROW, FONT = 38.0, 24.0, 13.0
LONGEST = 40
"""Characters of a name; a longer one is cut."""
STRONGEST = 0.4
"""Opacity of a cell that took everything, or nothing: text on it is still read easily."""


class CrossLine(NamedTuple):
    """An agent: its place, its name, what is said of it in short, and its share of the points against
    each, from 0 to 1; None where the two have not met.
    """

    place: int
    name: str
    said: str
    scores: Sequence[float | None]


def crosstable_svg(lines: Sequence[CrossLine], title: str) -> str:
    """The picture as SVG text; numbers are percents of the points."""
    names = [printable(line.name, LONGEST) for line in lines]
    places = max(columns_of(str(line.place)) for line in lines) * CHARACTER * FONT
    left = places + 8 + max(map(columns_of, names)) * CHARACTER * FONT + 10
    right = left + CELL * len(lines)
    said = max(columns_of(line.said) for line in lines) * CHARACTER * FONT
    parts = [
        label(str(line.place), left + CELL * (number + 0.5), ROW / 2, FONT, "middle", "d-quiet")
        for number, line in enumerate(lines)
    ]
    for number, (line, name) in enumerate(zip(lines, names, strict=True)):
        middle = ROW * (number + 1.5)
        parts.append(label(str(line.place), places, middle, FONT, "end", "d-quiet"))
        parts.append(label(name, places + 8, middle, FONT, "start"))
        parts += [
            cell(score, left + CELL * column, ROW * (number + 1), is_own=column == number)
            for column, score in enumerate(line.scores)
        ]
        parts.append(label(line.said, right + 10, middle, FONT, "start", "d-quiet"))
    described = "\n".join(
        f"{line.place} {name}: {line.said}" for line, name in zip(lines, names, strict=True)
    )
    block = SvgBlock(right + 10 + said, ROW * (len(lines) + 1), "".join(parts))
    return document(
        block, title, _("Percents of the points that each line took from each column") + "\n" + described
    )


def cell(score: float | None, x: float, y: float, *, is_own: bool) -> str:
    """What one took from another."""
    frame = tag("rect", class_="d-cell", x=x, y=y, width=CELL, height=ROW)
    if is_own:
        return tag("rect", class_="d-shade", x=x, y=y, width=CELL, height=ROW)
    if score is None:
        return frame
    tint = tag(
        "rect",
        class_="d-area-good" if score >= 0.5 else "d-area-bad",
        opacity=STRONGEST * abs(2 * score - 1),
        x=x,
        y=y,
        width=CELL,
        height=ROW,
    )
    return frame + tint + label(percent(score), x + CELL / 2, y + ROW / 2, FONT)


def percent(score: float) -> str:
    """A share in whole percents; not all and not nothing are never shown as all or nothing.

    >>> percent(0.5), percent(0.998), percent(0.001)
    ('50', '>99', '<1')
    """
    if 0.995 <= score < 1:
        return ">99"
    return "<1" if 0 < score < 0.005 else f"{100 * score:.0f}"
