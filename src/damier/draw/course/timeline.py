"""The line of time of the rewards, from the side of player 1 (document [S0], rows A-7 to A-9): what
falls between two decisions is read at the second; and the sequences {s, r, a} that are kept of it.
"""

from __future__ import annotations

from damier.core.words import _
from damier.draw.course.strokes import SMALL, TEXT, arrow, stroke
from damier.draw.svg import SvgBlock, document, label, tag

STEP = 148.0
LEFT = 46.0
AXIS = 92.0
MOVES = (("1", 0), ("2", 0), ("1", 10), ("2", -10), ("1", 0), ("2", 0))
"""Who moves, and what player 1 gains by it."""


def timeline_svg() -> str:
    """Six moves of two players, the rewards that they bring player 1, and where it reads them."""
    width = LEFT + STEP * len(MOVES) / 1.5
    step = STEP / 1.5
    parts = [
        arrow((10, AXIS), (width + 24, AXIS), "quiet"),
        label(_("time"), width + 24, AXIS - 14, SMALL, "end", "d-quiet"),
    ]
    told = []
    for place, (who, gain) in enumerate(MOVES):
        x = LEFT + place * step
        mine = who == "1"
        parts.append(
            tag("circle", class_="d-light" if mine else "d-dark", cx=x, cy=AXIS, r=10.0, stroke_width=1.5)
        )
        parts.append(label(_("White") if mine else _("Black"), x, AXIS + 24, SMALL))
        if gain:
            parts.append(
                label(
                    f"{gain:+d}".replace("-", "−"),
                    x,
                    AXIS - 26,
                    15,
                    class_="d-area-good" if gain > 0 else "d-area-bad",
                )
            )
            parts.append(label(_("captures"), x, AXIS - 46, SMALL, class_="d-quiet"))
            told.append(f"{_('White') if mine else _('Black')}: {gain:+d}")
    for place in (2, 4):
        x, before = LEFT + place * step, LEFT + (place - 2) * step
        total = sum(gain for _who, gain in MOVES[place - 2 : place])
        y = AXIS + 48
        parts.append(
            stroke(((before + 8, y - 6), (before + 8, y), (x - 4, y), (x - 4, y - 6)), "d-line-quiet", 1.4)
        )
        parts.append(
            label(_("White reads {sum}", sum=total if place == 2 else "?"), (before + x) / 2, y + 15, TEXT)
        )
    return document(
        SvgBlock(width + 30, AXIS + 76, "".join(parts)), _("The rewards in time"), "\n".join(told)
    )
