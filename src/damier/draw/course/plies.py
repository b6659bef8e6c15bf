"""Forty plies in a row, as far as Deep Blue followed some lines (document [S2]; M. Campbell, A. J. Hoane
and F. Hsu, "Deep Blue", 2002 [DeepBlue02]): beside them the 8 plies of the slides' own sum.
"""

from __future__ import annotations

from damier.core.words import _
from damier.draw.course.strokes import SMALL, stroke
from damier.draw.svg import SvgBlock, document, label, tag

PLIES, SLIDES, ROW = 40, 8, 20
STEP, RADIUS = 32.0, 11.0


def plies_svg() -> str:
    """Two rows of twenty, the sides in turn."""
    parts = []
    for ply in range(PLIES):
        row, column = divmod(ply, ROW)
        x, y = RADIUS + column * STEP, 46 + row * 56
        parts.append(
            tag(
                "circle",
                class_="d-light" if ply % 2 == 0 else "d-dark",
                cx=x,
                cy=y,
                r=RADIUS,
                stroke_width=1.4,
            )
        )
        if (ply + 1) % 10 == 0 or ply in (0, SLIDES - 1):
            parts.append(label(str(ply + 1), x, y + RADIUS + 11, SMALL, class_="d-quiet"))
    end = RADIUS + (SLIDES - 1) * STEP + RADIUS
    parts.append(stroke(((0, 30), (0, 24), (end, 24), (end, 30)), "d-line-good", 1.6))
    parts.append(label(_("8 plies: alpha-beta at a million nodes"), 0, 10, SMALL, "start"))
    parts.append(
        label(_("40 plies: single lines of Deep Blue"), (ROW - 1) * STEP + 2 * RADIUS, 138, SMALL, "end")
    )
    return document(
        SvgBlock((ROW - 1) * STEP + 2 * RADIUS, 146, "".join(parts)),
        _("Forty plies"),
        _("Forty discs, light and dark in turn: twenty moves of each side."),
    )
