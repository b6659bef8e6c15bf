"""The font of PNG and PDF: one that the converter brings along, so that a picture has the same
bytes whatever fonts a machine has (docs/decisions/0013).

It has no sister of one width, so a board that is written as text gets a place for each of its
characters.
"""

from __future__ import annotations

import re
from html import unescape

from damier.draw.svg import CHARACTER, MONO, SANS, escaped, number

SHIPPED = '"Liberation Sans"'
STAND_INS = str.maketrans({"✕": "×"})
"""Signs that it lacks, and what is drawn for them."""
NARROWED = 0.7
"""Size of the signs of such a line, for one unit of what a font of one width would have: a W then
is as wide as its place.
"""
LINE = re.compile(
    r'<text class="d-mono" x="([-\d.]+)" y="([-\d.]+)" font-size="([-\d.]+)"'
    r' text-anchor="start">([^<]*)</text>'
)


def in_shipped_font(svg: str) -> str:
    """The picture in the font that the converter has everywhere."""
    return LINE.sub(_placed, svg).replace(SANS, SHIPPED).replace(MONO, SHIPPED).translate(STAND_INS)


def _placed(line: re.Match[str]) -> str:
    """A line of text whose characters stand below one another in every line, as in a font of one
    width.
    """
    text, size = unescape(line[4]), float(line[3])
    width = CHARACTER * size
    places = " ".join(number(float(line[1]) + (place + 0.5) * width) for place in range(len(text)))
    return (
        f'<text class="d-mono" x="{places}" y="{line[2]}" font-size="{number(NARROWED * size)}"'
        f' text-anchor="middle">{escaped(text)}</text>'
    )
