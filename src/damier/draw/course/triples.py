"""The sequence of {s, r, a} of one game, and the two ways to learn from it (document [S0], rows A-17
and A-19).
"""

from __future__ import annotations

from damier.core.words import _
from damier.draw.course.strokes import SMALL, TEXT, arrow
from damier.draw.svg import SvgBlock, document, label, tag

COUNT = 5
STEP = 135.0
BELOW = "₀₁₂₃₄₅"


def triples_svg() -> str:
    """Five decisions, each with the state, the reward read there and the action; the pass backwards."""
    width, parts = COUNT * STEP + 70, []
    for n in range(COUNT):
        x = n * STEP
        parts.append(tag("rect", class_="d-cell", x=x, y=30.0, width=STEP - 22, height=44.0, rx=6))
        parts.append(
            label(
                f"{{s{BELOW[n]}, r{BELOW[n]}, a{BELOW[n]}}}", x + (STEP - 22) / 2, 52, TEXT, class_="d-mono"
            )
        )
        parts.append(arrow((x + STEP - 21, 52), (x + STEP - 2, 52), "quiet"))
        if n:
            parts.append(arrow((x + 30, 86), (x - 52, 86), "good"))
    parts.append(tag("rect", class_="d-win", x=COUNT * STEP, y=30.0, width=60.0, height=44.0, rx=6))
    parts.append(label("+100", COUNT * STEP + 30, 52, TEXT, class_="d-value"))
    parts.append(arrow((COUNT * STEP + 20, 86), (COUNT * STEP - 52, 86), "good"))
    parts.append(label(_("the game goes on"), 0, 12, SMALL, "start", "d-quiet"))
    parts.append(
        label(_("one pass backwards carries the value to the first decision"), width - 6, 106, SMALL, "end")
    )
    words = ", ".join(f"{{s{n}, r{n}, a{n}}}" for n in range(COUNT))
    return document(SvgBlock(width, 116, "".join(parts)), _("The sequence of a game"), f"{words} → +100")
