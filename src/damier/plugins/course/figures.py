"""The figures of the guided sheets by their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from typing import NamedTuple

from damier.core.words import N_, _
from damier.draw.svg import Anchor, SvgBlock, arrow_head, document, label, moved, polyline, tag
from damier.learn.q import softmax

# The sequence of {s, r, a} of one game, and the two ways to learn from it (document [S0], rows A-17
# and A-19).

TRIPLES = 5
TRIPLE_STEP = 135.0
TRIPLE_BELOW = "₀₁₂₃₄₅"


def triples_svg() -> str:
    """Five decisions, each with the state, the reward read there and the action; the pass backwards."""
    width, parts = TRIPLES * TRIPLE_STEP + 70, []
    for n in range(TRIPLES):
        x = n * TRIPLE_STEP
        parts += [
            tag("rect", class_="d-cell", x=x, y=30.0, width=TRIPLE_STEP - 22, height=44.0, rx=6),
            label(
                f"{{s{TRIPLE_BELOW[n]}, r{TRIPLE_BELOW[n]}, a{TRIPLE_BELOW[n]}}}",
                x + (TRIPLE_STEP - 22) / 2,
                52,
                TEXT,
                class_="d-mono",
            ),
            arrow((x + TRIPLE_STEP - 21, 52), (x + TRIPLE_STEP - 2, 52), "quiet"),
        ]
        if n:
            parts.append(arrow((x + 30, 86), (x - 52, 86), "good"))
    parts += [
        tag("rect", class_="d-win", x=TRIPLES * TRIPLE_STEP, y=30.0, width=60.0, height=44.0, rx=6),
        label("+100", TRIPLES * TRIPLE_STEP + 30, 52, TEXT, class_="d-value"),
        arrow((TRIPLES * TRIPLE_STEP + 20, 86), (TRIPLES * TRIPLE_STEP - 52, 86), "good"),
        label(_("the game goes on"), 0, 12, SMALL, "start", "d-quiet"),
        label(_("one pass backwards carries the value to the first decision"), width - 6, 106, SMALL, "end"),
    ]
    words = ", ".join(f"{{s{n}, r{n}, a{n}}}" for n in range(TRIPLES))
    return document(SvgBlock(width, 116, "".join(parts)), _("The sequence of a game"), f"{words} → +100")


# The line of time of the rewards, from the side of player 1 (document [S0], rows ): what
# falls between two decisions is read at the second; and the sequences {s, r, a} that are kept of it.

TIME_STEP = 148.0
TIME_LEFT = 46.0
TIME_AXIS = 92.0
TIME_MOVES = (("1", 0), ("2", 0), ("1", 10), ("2", -10), ("1", 0), ("2", 0))
"""Movers, and what player 1 gains by each move."""


def timeline_svg() -> str:
    """Six moves of two players, the rewards that they bring player 1, and where it reads them."""
    width = TIME_LEFT + TIME_STEP * len(TIME_MOVES) / 1.5
    step = TIME_STEP / 1.5
    parts = [
        arrow((10, TIME_AXIS), (width + 24, TIME_AXIS), "quiet"),
        label(_("time"), width + 24, TIME_AXIS - 14, SMALL, "end", "d-quiet"),
    ]
    sentences = []
    for place, (who, gain) in enumerate(TIME_MOVES):
        x = TIME_LEFT + place * step
        mine = who == "1"
        parts += [
            tag(
                "circle", class_="d-light" if mine else "d-dark", cx=x, cy=TIME_AXIS, r=10.0, stroke_width=1.5
            ),
            label(_("White") if mine else _("Black"), x, TIME_AXIS + 24, SMALL),
        ]
        if gain:
            parts += [
                label(
                    f"{gain:+d}".replace("-", "−"),
                    x,
                    TIME_AXIS - 26,
                    15,
                    class_="d-area-good" if gain > 0 else "d-area-bad",
                ),
                label(_("captures"), x, TIME_AXIS - 46, SMALL, class_="d-quiet"),
            ]
            sentences.append(
                _("{name}: {value}", name=_("White") if mine else _("Black"), value=f"{gain:+d}")
            )
    for place in (2, 4):
        x, before = TIME_LEFT + place * step, TIME_LEFT + (place - 2) * step
        total = sum(gain for _who, gain in TIME_MOVES[place - 2 : place])
        y = TIME_AXIS + 48
        parts += [
            stroke(((before + 8, y - 6), (before + 8, y), (x - 4, y), (x - 4, y - 6)), "d-line-quiet", 1.4),
            label(_("White reads {sum}", sum=total if place == 2 else "?"), (before + x) / 2, y + 15, TEXT),
        ]
    return document(
        SvgBlock(width + 30, TIME_AXIS + 76, "".join(parts)), _("The rewards in time"), "\n".join(sentences)
    )


# The shares of a softmax as one bar, and the random number that falls into it (document [S0], row
#

SOFTMAX_VALUES = (1, 2, 3)
SOFTMAX_CLASSES = ("quiet", "bad", "good")
SOFTMAX_WIDTH, SOFTMAX_HEIGHT, SOFTMAX_TOP = 520.0, 40.0, 52.0
SOFTMAX_RANDOM, SOFTMAX_NAME = 0.55, "rand"
"""The number that is drawn, and what the document calls it."""
SOFTMAX_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SOFTMAX_LEAST = 40.0
"""The narrowest share that has its name and its value written."""


def softmax_svg(
    values: Sequence[float] = SOFTMAX_VALUES, drawn: float = SOFTMAX_RANDOM, temperature: float = 1.0
) -> str:
    """The bar of some values; above it where a number between 0 and 1 points."""
    x, parts, sentences = 0.0, [], []
    for n, (value, share) in enumerate(zip(values, softmax(values, temperature), strict=True)):
        width = SOFTMAX_WIDTH * share
        parts.append(
            tag(
                "rect",
                class_=f"d-area-{SOFTMAX_CLASSES[n % len(SOFTMAX_CLASSES)]}",
                x=x,
                y=SOFTMAX_TOP,
                width=max(0.0, width - 1.5),
                height=SOFTMAX_HEIGHT,
            )
        )
        if width >= SOFTMAX_LEAST:
            name = f"Q{str(n + 1).translate(SOFTMAX_BELOW)}"
            middle = SOFTMAX_TOP + SOFTMAX_HEIGHT / 2
            parts.append(label(name, x + width / 2, middle, TEXT, class_="d-value"))
            below = SOFTMAX_TOP + SOFTMAX_HEIGHT + 15
            parts.append(label(f"Q = {value:g}", x + width / 2, below, SMALL))
        sentences.append(f"Q{n + 1} = {value:g}")
        x += width
    at = drawn * SOFTMAX_WIDTH
    parts += [
        arrow((at, 24), (at, SOFTMAX_TOP - 2)),
        label(SOFTMAX_NAME, at, 12, TEXT, class_="d-mono"),
        label("0", 0, SOFTMAX_TOP - 10, SMALL, "start", "d-quiet"),
        label("1", SOFTMAX_WIDTH, SOFTMAX_TOP - 10, SMALL, "end", "d-quiet"),
    ]
    return document(
        SvgBlock(SOFTMAX_WIDTH, SOFTMAX_TOP + SOFTMAX_HEIGHT + 26, "".join(parts)),
        _("The softmax as a bar"),
        ", ".join(sentences),
    )


# Forty plies in a row, as far as Deep Blue followed some lines (document [S2]; M. Campbell, A. J. Hoane
# and F. Hsu, "Deep Blue", 2002 [DeepBlue02]): beside them the 8 plies of the slides' own sum.

PLIES, SLIDE_PLIES, PLIES_A_ROW = 40, 8, 20
PLY_STEP, PLY_RADIUS = 32.0, 11.0


def plies_svg() -> str:
    """Two rows of twenty, the sides in turn."""
    parts = []
    for ply in range(PLIES):
        row, column = divmod(ply, PLIES_A_ROW)
        x, y = PLY_RADIUS + column * PLY_STEP, 46 + row * 56
        parts.append(
            tag(
                "circle",
                class_="d-light" if ply % 2 == 0 else "d-dark",
                cx=x,
                cy=y,
                r=PLY_RADIUS,
                stroke_width=1.4,
            )
        )
        if (ply + 1) % 10 == 0 or ply in (0, SLIDE_PLIES - 1):
            parts.append(label(str(ply + 1), x, y + PLY_RADIUS + 11, SMALL, class_="d-quiet"))
    end = PLY_RADIUS + (SLIDE_PLIES - 1) * PLY_STEP + PLY_RADIUS
    parts += [
        stroke(((0, 30), (0, 24), (end, 24), (end, 30)), "d-line-good", 1.6),
        label(_("8 plies: alpha-beta at a million nodes"), 0, 10, SMALL, "start"),
        label(
            _("40 plies: single lines of Deep Blue"),
            (PLIES_A_ROW - 1) * PLY_STEP + 2 * PLY_RADIUS,
            138,
            SMALL,
            "end",
        ),
    ]
    return document(
        SvgBlock((PLIES_A_ROW - 1) * PLY_STEP + 2 * PLY_RADIUS, 146, "".join(parts)),
        _("Forty plies"),
        _("Forty discs, light and dark in turn: twenty moves of each side."),
    )


# The machines of the slides on one line, from 1950 to 2017 (document [S2], row A-62): C. E. Shannon
# [Shannon50], the first computer player of draughts [S2], A. L. Samuel [Samuel59], Chinook
# [Schaeffer96], Deep Blue [DeepBlue02], checkers solved [Schaeffer07], AlphaGo [Silver16], and its match
# against Ke Jie [KeJie17].

YEARS_WIDTH, YEARS_AXIS = 750.0, 150.0
FIRST_YEAR, LAST_YEAR = 1950, 2017
YEARS_LEFT, YEARS_RIGHT = 30.0, 600.0


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
    parts = [arrow((10, YEARS_AXIS), (YEARS_WIDTH - 10, YEARS_AXIS), "quiet")]
    for event in EVENTS:
        x = YEARS_LEFT + (YEARS_RIGHT - YEARS_LEFT) * (event.year - FIRST_YEAR) / (LAST_YEAR - FIRST_YEAR)
        up = event.height > 0
        end = YEARS_AXIS - event.height
        parts += [
            stroke(((x, YEARS_AXIS), (x, end + (4 if up else -4))), "d-line-quiet", 1.2),
            tag("circle", class_="d-area-good", cx=x, cy=YEARS_AXIS, r=5.0),
        ]
        anchor = event.anchor
        at = x + {"start": -6, "end": 6, "middle": 0}[anchor]
        lines = (f"{event.year}  {_(event.title)}", _(event.words))
        top = end - 22 if up else end + 8
        parts += [
            tag("g", label(lines[0], at, top, TEXT, anchor), font_weight="bold"),
            label(lines[1], at, top + 17, SMALL, anchor),
        ]
    description = "\n".join(
        _("{name}: {value}", name=event.year, value=f"{_(event.title)}, {_(event.words)}") for event in EVENTS
    )
    return document(
        SvgBlock(YEARS_WIDTH, 2 * YEARS_AXIS, "".join(parts)), _("Machines, 1950 to 2017"), description
    )


# The 14 numbered actions of hexapawn, from the side of whoever moves (document [S0], row A-6).

ACTION_CELL = 82.0
ACTION_COLUMNS = 3
ACTIONS = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2))
"""From which column to which, in the order of the numbers of one row."""
ACTION_BADGE = 11.5


def actions_svg() -> str:
    """Two boards: the actions that start in the home row, and those that start in the middle row."""
    home, middle = action_board(2, 0, _("from the home row")), action_board(1, 7, _("from the middle row"))
    gap = 36.0
    body = home.body + moved(middle.body, home.width + gap, 0)
    lines = [
        _(
            "{name}: {value}",
            name=number + 7 * row,
            value=f"{'abc'[start]}{row + 1} → {'abc'[end]}{row + 2}",
        )
        for row in (0, 1)
        for number, (start, end) in enumerate(ACTIONS)
    ]
    return document(
        SvgBlock(2 * home.width + gap, home.height, body),
        _("The 14 numbered actions of hexapawn"),
        "\n".join(lines),
    )


def action_board(row: int, first: int, title: str) -> SvgBlock:
    """A board with the actions of one of its rows; row 0 is the far one."""
    cells = [
        tag(
            "rect",
            class_="d-square",
            x=column * ACTION_CELL,
            y=line * ACTION_CELL,
            width=ACTION_CELL - 2,
            height=ACTION_CELL - 2,
        )
        for line in range(ACTION_COLUMNS)
        for column in range(ACTION_COLUMNS)
    ]
    pawns = [
        tag(
            "circle",
            class_="d-light",
            cx=(column + 0.5) * ACTION_CELL,
            cy=(row + 0.5) * ACTION_CELL,
            r=13.0,
            stroke_width=1.5,
        )
        for column in range(ACTION_COLUMNS)
    ]
    arrows, badges = [], []
    for n, (start, end) in enumerate(ACTIONS):
        x, y = (start + 0.5) * ACTION_CELL, (row + 0.5) * ACTION_CELL
        to_x, to_y = (end + 0.5) * ACTION_CELL, (row - 0.5) * ACTION_CELL
        lean = 0.0 if start == end else 9.0 if end > start else -9.0
        begin, finish = (x + lean, y - 15), (to_x - lean, to_y + 6)
        arrows.append(arrow(begin, finish, "good" if start == end else "bad"))
        at = 0.62 if start == end else 0.3  # two captures cross: each n stands near its pawn
        x, y = begin[0] + at * (finish[0] - begin[0]), begin[1] + at * (finish[1] - begin[1])
        badges += [
            tag("circle", class_="d-hole", cx=x, cy=y, r=ACTION_BADGE, stroke_width=1.2),
            label(str(first + n), x, y, SMALL),
        ]
    below = label(title, ACTION_COLUMNS * ACTION_CELL / 2, ACTION_COLUMNS * ACTION_CELL + 14, TEXT)
    return SvgBlock(
        ACTION_COLUMNS * ACTION_CELL,
        ACTION_COLUMNS * ACTION_CELL + 26,
        "".join((*cells, *pawns, *arrows, *badges)) + below,
    )


FIGURES: dict[str, Callable[[], str]] = {
    "actions": actions_svg,
    "machines": machines_svg,
    "plies": plies_svg,
    "softmax": softmax_svg,
    "timeline": timeline_svg,
    "triples": triples_svg,
}


# What the figures of the guided sheets share: lines, arrows, sizes of text.

TEXT = 13.0
SMALL = 12.0
"""The smallest text of a figure, in pixels as it is drawn: never below 11."""


def stroke(
    points: tuple[tuple[float, float], ...],
    class_: str = "d-line-ink",
    width: float = 1.6,
) -> str:
    """A line through some points."""
    return tag("path", class_=class_, d=polyline(points), stroke_width=width)


def arrow(start: tuple[float, float], end: tuple[float, float], colour: str = "ink") -> str:
    """A line with a head at its end."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y) or 1.0
    foot = (to_x - 9 * ((to_x - x) / length), to_y - 9 * ((to_y - y) / length))
    return stroke((start, foot), f"d-line-{colour}", 1.8) + arrow_head(start, end, colour, 9)
