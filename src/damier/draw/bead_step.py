"""The boxes that were opened in a game, the beads drawn from them, and room for what they hold after
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from damier.core.words import _
from damier.draw.fill_in import BOX, FONT, NOTHING, FillInLine, answer_box, fill_in_block
from damier.draw.matchbox import BeadKind, bead
from damier.draw.svg import CHARACTER, SvgBlock, document, label, stacked, tag
from damier.draw.text import columns_of
from damier.draw.tree import LEAST, left_in, text_block

COLUMN, ROW, RADIUS = 104.0, 46.0, 12.0


class BeadBox(NamedTuple):
    """A box as it was opened: its beads by kind, and the kind that was drawn."""

    beads: Sequence[int]
    drawn: int


def boxes_block(boxes: Sequence[BeadBox], filled: Mapping[str, str]) -> SvgBlock:
    """One line a box: of every kind a bead, how many there were, and a box for how many there are."""
    drawn, left = [], 74.0
    for number, box in enumerate(boxes, 1):
        y = ROW * (number - 1)
        drawn.append(label(_("box {n}", n=number), 0, y + ROW / 2, FONT, "start"))
        for place, count in enumerate(box.beads):
            x, kind = left + COLUMN * place, BeadKind(place)
            drawn.append(bead(kind, x + RADIUS, y + ROW / 2, RADIUS))
            if place == box.drawn:
                ring = {"cx": x + RADIUS, "cy": y + ROW / 2, "r": RADIUS + 3, "stroke_width": 3}
                drawn.append(tag("circle", class_="d-line-ring", **ring))
            drawn.append(label(f"{count} →", x + 2 * RADIUS + 6, y + ROW / 2, FONT, "start"))
            drawn.append(answer_box(f"box:{number}:{kind.letter}", x + 56, y + 8, 0.85 * BOX, filled))
    return SvgBlock(left + COLUMN * max(len(box.beads) for box in boxes), ROW * len(boxes), "".join(drawn))


def bead_step_svg(
    title: str,
    boxes: Sequence[BeadBox],
    lines: Sequence[FillInLine],
    filled: Mapping[str, str] = NOTHING,
    said: Sequence[str] = (),
    *,
    headed: bool = True,
) -> str:
    """The picture as SVG text; `said` are sentences below it."""
    drawn = boxes_block(boxes, filled)
    width = max(LEAST, drawn.width, columns_of(title) * CHARACTER * 14) if headed else drawn.width
    heading = SvgBlock(width, 22, label(title, 0, 10, 14, "start"))
    blocks = [*([heading] if headed else []), drawn, fill_in_block(lines, filled, width)]
    if said:
        blocks.append(text_block(list(said), width))
    description = "\n".join([*map(in_words, boxes), *(line.text for line in lines), *said])
    return document(
        stacked([left_in(block, max(each.width for each in blocks)) for block in blocks]), title, description
    )


def in_words(box: BeadBox) -> str:
    """A box for those who do not see it."""
    beads = ", ".join(f"{BeadKind(place).letter} {count}" for place, count in enumerate(box.beads))
    return _("beads {beads}; drawn: {letter}", beads=beads, letter=BeadKind(box.drawn).letter)
