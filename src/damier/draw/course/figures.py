"""The figures of the guided sheets by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from damier.core.words import N_, _
from damier.draw.course.softmax import softmax_svg
from damier.draw.course.strokes import SMALL, TEXT, arrow, stroke
from damier.draw.course.timeline import timeline_svg
from damier.draw.course.triples import triples_svg
from damier.draw.svg import Anchor, SvgBlock, document, label, moved, tag

# Forty plies in a row, as far as Deep Blue followed some lines (document [S2]; M. Campbell, A. J. Hoane
# and F. Hsu, "Deep Blue", 2002 [DeepBlue02]): beside them the 8 plies of the slides' own sum.

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


# The machines of the slides on one line, from 1950 to 2017 (document [S2], row A-62): C. E. Shannon
# [Shannon50], the first computer player of draughts [S2], A. L. Samuel [Samuel59], Chinook
# [Schaeffer96], Deep Blue [DeepBlue02], checkers solved [Schaeffer07], AlphaGo [Silver16], and its match
# against Ke Jie [KeJie17].

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


# The 14 numbered actions of hexapawn, from the side of whoever moves (document [S0], row A-6).

CELL = 82.0
COLUMNS = 3
ACTIONS = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
"""From which column to which, in the order of the numbers of one row."""
BADGE = 11.5


def actions_svg() -> str:
    """Two boards: the actions that start in the home row, and those that start in the middle row."""
    home, middle = board(2, 0, _("from the home row")), board(1, 7, _("from the middle row"))
    gap = 36.0
    body = home.body + moved(middle.body, home.width + gap, 0)
    lines = [
        f"{number + 7 * row}: {'abc'[start]}{row + 1} → {'abc'[end]}{row + 2}"
        for row in (0, 1)
        for number, (start, end) in enumerate(ACTIONS)
    ]
    return document(
        SvgBlock(2 * home.width + gap, home.height, body),
        _("The 14 numbered actions of hexapawn"),
        "\n".join(lines),
    )


def board(row: int, first: int, title: str) -> SvgBlock:
    """A board with the actions of one of its rows; row 0 is the far one."""
    cells = [
        tag("rect", class_="d-square", x=column * CELL, y=line * CELL, width=CELL - 2, height=CELL - 2)
        for line in range(COLUMNS)
        for column in range(COLUMNS)
    ]
    pawns = [
        tag(
            "circle",
            class_="d-light",
            cx=(column + 0.5) * CELL,
            cy=(row + 0.5) * CELL,
            r=13.0,
            stroke_width=1.5,
        )
        for column in range(COLUMNS)
    ]
    arrows, badges = [], []
    for number, (start, end) in enumerate(ACTIONS):
        x, y = (start + 0.5) * CELL, (row + 0.5) * CELL
        to_x, to_y = (end + 0.5) * CELL, (row - 0.5) * CELL
        lean = 0.0 if start == end else 9.0 if end > start else -9.0
        begin, finish = (x + lean, y - 15), (to_x - lean, to_y + 6)
        arrows.append(arrow(begin, finish, "good" if start == end else "bad"))
        at = 0.62 if start == end else 0.3  # two captures cross: each number stands near its pawn
        badges.append(
            badge(
                str(first + number),
                begin[0] + at * (finish[0] - begin[0]),
                begin[1] + at * (finish[1] - begin[1]),
            )
        )
    below = label(title, COLUMNS * CELL / 2, COLUMNS * CELL + 14, TEXT)
    return SvgBlock(COLUMNS * CELL, COLUMNS * CELL + 26, "".join((*cells, *pawns, *arrows, *badges)) + below)


def badge(text: str, x: float, y: float) -> str:
    """A number on a disc."""
    return tag("circle", class_="d-hole", cx=x, cy=y, r=BADGE, stroke_width=1.2) + label(text, x, y, SMALL)


FIGURES: dict[str, Callable[[], str]] = {
    "actions": actions_svg,
    "machines": machines_svg,
    "plies": plies_svg,
    "softmax": softmax_svg,
    "timeline": timeline_svg,
    "triples": triples_svg,
}
