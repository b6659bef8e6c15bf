"""The machines of the slides on one line, from 1950 to 2017 (document [S2], row A-62): C. E. Shannon
[Shannon50], the first computer player of draughts [S2], A. L. Samuel [Samuel59], Chinook
[Schaeffer96], Deep Blue [DeepBlue02], checkers solved [Schaeffer07], AlphaGo [Silver16], and its match
against Ke Jie [KeJie17].
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.words import N_, _
from damier.draw.course.strokes import SMALL, TEXT, arrow, stroke
from damier.draw.svg import Anchor, SvgBlock, document, label, tag

WIDTH, AXIS = 750.0, 150.0
FIRST, LAST = 1950, 2017
LEFT, RIGHT = 30.0, 600.0


class MachineEvent(NamedTuple):
    """A year, two lines of words, how high they stand over the line (below where negative), and where
    they lie beside their year.
    """

    year: int
    title: str
    words: str
    height: float
    anchor: Anchor


EVENTS = (
    MachineEvent(1950, N_("Draughts and chess"), N_("the first player; Shannon’s plan"), 60, "start"),
    MachineEvent(1959, N_("Samuel’s draughts"), N_("learns from its own games"), -60, "start"),
    MachineEvent(1994, N_("Chinook"), N_("champion of checkers; Tinsley"), 60, "middle"),
    MachineEvent(1997, N_("Deep Blue"), N_("beats Kasparov, 3½ to 2½"), -60, "middle"),
    MachineEvent(2007, N_("Checkers solved"), N_("perfect play is a draw"), 112, "end"),
    MachineEvent(2016, N_("AlphaGo"), N_("beats Lee Sedol, 4 to 1"), -112, "end"),
    MachineEvent(2017, N_("AlphaGo"), N_("beats Ke Jie, 3 to 0"), 60, "start"),
)


def machines_svg() -> str:
    """The line, its years in their true distance."""
    parts = [arrow((10, AXIS), (WIDTH - 10, AXIS), "quiet")]
    for event in EVENTS:
        x = LEFT + (RIGHT - LEFT) * (event.year - FIRST) / (LAST - FIRST)
        up = event.height > 0
        end = AXIS - event.height
        parts.append(stroke(((x, AXIS), (x, end + (4 if up else -4))), "d-line-quiet", 1.2))
        parts.append(tag("circle", class_="d-area-good", cx=x, cy=AXIS, r=5.0))
        anchor = event.anchor
        at = x + {"start": -6, "end": 6, "middle": 0}[anchor]
        lines = (f"{event.year}  {_(event.title)}", _(event.words))
        top = end - 22 if up else end + 8
        parts.append(tag("g", label(lines[0], at, top, TEXT, anchor), font_weight="bold"))
        parts.append(label(lines[1], at, top + 17, SMALL, anchor))
    told = "\n".join(f"{event.year}: {_(event.title)}, {_(event.words)}" for event in EVENTS)
    return document(SvgBlock(WIDTH, 2 * AXIS, "".join(parts)), _("Machines, 1950 to 2017"), told)
