"""Boxes to be filled in: with a pen, or by a page that lays a field over each; and what stands in them
on a key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from damier.draw.svg import CHARACTER, SvgBlock, label, tag
from damier.draw.text import columns_of

BOX, BOX_HEIGHT = 46.0, 30.0
"""Large enough to write two figures into, by hand."""
FONT, ROW = 13.0, 36.0
NOTHING: Mapping[str, str] = {}


class FillInLine(NamedTuple):
    """A line that asks something: its words, and the key of its answer."""

    text: str
    key: str


def answer_box(key: str, x: float, y: float, width: float = BOX, filled: Mapping[str, str] = NOTHING) -> str:
    """A box, its corner at x, y; `data-blank` says what belongs into it. With an answer, that stands
    there.
    """
    size = {"x": x, "y": y, "width": width, "height": BOX_HEIGHT, "rx": 3}
    if key not in filled:
        return tag("rect", class_="d-paper", **size) + tag("rect", class_="d-edge", **size, data_blank=key)
    frame = tag("rect", class_="d-cell", **size)
    text = label(filled[key], x + width / 2, y + BOX_HEIGHT / 2, FONT)
    return frame + tag("g", text, font_weight="bold")


def fill_in_block(lines: Sequence[FillInLine], filled: Mapping[str, str], width: float) -> SvgBlock:
    """Lines with a box at the end of each."""
    widest = max(columns_of(line.text) for line in lines) * CHARACTER * FONT + 14
    box = max([1.4 * BOX, *(columns_of(text) * 0.7 * FONT + 14 for text in filled.values())])
    drawn = "".join(
        label(line.text, 0, ROW * row + BOX_HEIGHT / 2, FONT, "start")
        + answer_box(line.key, widest, ROW * row, box, filled)
        for row, line in enumerate(lines)
    )
    return SvgBlock(max(width, widest + box), ROW * len(lines), drawn)
