"""Moves on a picture: arrows, and badges that say what a move leads to.

Moves cross each other and end in the same cell, so a badge lies anywhere along its arrow where it
covers no other badge and no arrowhead.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import NamedTuple

from damier.core.board import Board
from damier.draw.annotations import MoveMark, is_free
from damier.draw.frame import BoardFrame, readable
from damier.draw.pieces import DISC
from damier.draw.svg import BOLD, SvgBlock, escaped, label, number, tag
from damier.draw.text import columns_of

ALONG = (0.45, 0.4, 0.5, 0.35, 0.3, 0.55, 0.25, 0.2, 0.6, 0.15, 0.1, 0.65, 0.05, 0.7)
"""Where along an arrow a badge may lie, the best first."""
ROUNDS = 8
"""How often every badge may look for a better place: two arrows that cross are settled in two
rounds, rows of them in a few more.
"""


class Box(NamedTuple):
    """A rectangle around x, y."""

    x: float
    y: float
    width: float
    height: float

    def overlap(self, other: Box) -> float:
        """The area that two boxes share."""
        across = (self.width + other.width) / 2 - abs(self.x - other.x)
        down = (self.height + other.height) / 2 - abs(self.y - other.y)
        return max(0.0, across) * max(0.0, down)


class Arrow(NamedTuple):
    """What a move from one cell to another looks like: from x, y by dx, dy."""

    mark: MoveMark
    x: float
    y: float
    dx: float
    dy: float

    def at(self, part: float) -> tuple[float, float]:
        """The point at a part of its length."""
        return self.x + part * self.dx, self.y + part * self.dy


def cell_badges(marks: dict[int, MoveMark], board: Board, frame: BoardFrame) -> str:
    """Badges in cells: in the middle of a free one, at the foot of a piece."""
    longest = max((len(mark.short or mark.said) for mark in marks.values()), default=0)
    widest = frame.width / (BOLD * max(1, longest))  # no wider than the cell
    size = min(max(0.26 * frame.height, readable(frame)), widest)
    drawn = []
    for cell, mark in marks.items():
        x, y = frame.centre(cell)
        foot = 0.0 if is_free(board.piece(cell)) else 0.5 * frame.height - 0.85 * size
        text = mark.short or mark.said
        drawn.append(_moving(mark, badge(mark, text, x, y + foot, size, 0.97 * frame.width)))
    return "".join(drawn)


def arrows(marks: Iterable[MoveMark], board: Board, frame: BoardFrame) -> str:
    """Moves from one place to another, and what they lead to where it is known; a move of several
    steps has its arrow at the last one.
    """
    drawn = [_arrow(mark, board, frame) for mark in marks]
    size = max(0.19 * frame.height, readable(frame))
    valued = [arrow for arrow in drawn if arrow.mark.short]
    badges = [
        _moving(arrow.mark, badge(arrow.mark, arrow.mark.short, box.x, box.y, size))
        for arrow, box in zip(valued, _places(valued, size), strict=True)
    ]
    in_order = sorted(drawn, key=lambda arrow: arrow.mark.best)  # best moves are seen whole
    shapes = (
        _moving(arrow.mark, _way(arrow.mark, frame) + _shape(arrow, frame.height)) for arrow in in_order
    )
    return "".join(shapes) + "".join(badges)


def chips(marks: Iterable[MoveMark], size: float, width: float) -> SvgBlock:
    """Moves in words, each with its badge, in as many columns as fit in `width`."""
    marks = list(marks)
    name_width = max((columns_of(mark.said) for mark in marks), default=0) * BOLD * size
    badge_width = max((_extent(mark.short, size)[0] for mark in marks if mark.short), default=0)
    across, down = name_width + badge_width + 2 * size, 2 * size
    columns = min(len(marks), max(1, int((width + size) // across)))
    drawn = []
    for number_, mark in enumerate(marks):
        x, y = number_ % columns * across, (number_ // columns + 0.5) * down
        name = label(mark.said, x, y, size, "start", "d-mono")
        shown = (
            badge(mark, mark.short, x + name_width + 0.4 * size + badge_width / 2, y, size)
            if mark.short
            else ""
        )
        drawn.append(_moving(mark, name + shown))
    return SvgBlock(columns * across - size, -(-len(marks) // columns) * down, "".join(drawn))


def badge(mark: MoveMark, text: str, x: float, y: float, size: float, room: float | None = None) -> str:
    """A text on a coloured ground, no wider than `room`; a thick outline says that the move keeps the
    value.
    """
    width, height = _extent(text, size)
    class_ = f"d-{mark.value or 'none'}{' d-best' if mark.best else ''}"
    outline = 0.2 * size if mark.best else 0.08 * size
    width = min(width, room - outline) if room else width
    box = tag(
        "rect",
        class_=class_,
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=height / 2,
        stroke_width=outline,
    )
    return box + label(text, x, y, size, class_="d-value")


def _extent(text: str, size: float) -> tuple[float, float]:
    return max(1.5, BOLD * len(text) + 0.6) * size, 1.5 * size


def _moving(mark: MoveMark, body: str) -> str:
    return tag("g", tag("title", escaped(mark.words)), body, data_move=mark.name)


def _way(mark: MoveMark, frame: BoardFrame) -> str:
    """The steps of a move before its last one."""
    if len(mark.cells) < 3:
        return ""
    points = "L".join(f"{number(x)} {number(y)}" for x, y in map(frame.centre, mark.cells[:-1]))
    return tag("path", class_="d-line-quiet", d=f"M{points}", stroke_width=0.05 * frame.height)


def _arrow(mark: MoveMark, board: Board, frame: BoardFrame) -> Arrow:
    """From the edge of the piece that goes to the middle of a free cell, or to the edge of what is
    taken.
    """
    (x, y), (to_x, to_y) = frame.centre(mark.cells[-2]), frame.centre(mark.cells[-1])
    length = hypot(to_x - x, to_y - y)
    begin = 0.6 * DISC * frame.height / length
    end = 1 - (-0.04 if is_free(board.piece(mark.cells[-1])) else 0.55 * DISC) * frame.height / length
    return Arrow(
        mark,
        x + begin * (to_x - x),
        y + begin * (to_y - y),
        (end - begin) * (to_x - x),
        (end - begin) * (to_y - y),
    )


def _places(drawn: list[Arrow], size: float) -> list[Box]:
    """Where the badges lie: each in turn goes to the place along its arrow that covers least of the
    other badges and arrows.
    """
    choices: list[list[tuple[Box, float]]] = []  # places, and how much of the arrows each covers
    for arrow in drawn:
        obstacles = [_head(arrow, size)] + [
            box for other in drawn if other is not arrow for box in _grains(other, size)
        ]
        width, height = _extent(arrow.mark.short, size)
        # with some air around
        places = [Box(*arrow.at(part), width + 0.3 * size, height + 0.3 * size) for part in ALONG]
        choices.append([(place, sum(map(place.overlap, obstacles))) for place in places])
    chosen = [places[0][0] for places in choices]
    for _round in range(ROUNDS):
        for i, places_and_costs in enumerate(choices):
            others = chosen[:i] + chosen[i + 1 :]
            chosen[i] = min(
                places_and_costs, key=lambda choice: choice[1] + sum(map(choice[0].overlap, others))
            )[0]
    return chosen


def _head(arrow: Arrow, size: float) -> Box:
    return Box(*arrow.at(0.92), 0.8 * size, 0.8 * size)


def _grains(arrow: Arrow, size: float) -> list[Box]:
    """An arrow as a row of small boxes and its head."""
    return [Box(*arrow.at(part / 8), 0.4 * size, 0.4 * size) for part in range(8)] + [_head(arrow, size)]


def _shape(arrow: Arrow, size: float) -> str:
    """One outline, so that it stands out from whatever it crosses."""
    length = hypot(arrow.dx, arrow.dy)
    along, aside = (arrow.dx / length, arrow.dy / length), (-arrow.dy / length, arrow.dx / length)
    thin = (0.05 if arrow.mark.best else 0.028) * size
    wide, neck = 0.1 * size, length - 0.2 * size
    outline = ((0, thin), (neck, thin), (neck, wide), (length, 0), (neck, -wide), (neck, -thin), (0, -thin))
    points = (
        (arrow.x + a * along[0] + b * aside[0], arrow.y + a * along[1] + b * aside[1]) for a, b in outline
    )
    class_ = f"d-{arrow.mark.value or 'none'}{' d-best' if arrow.mark.best else ''}"
    written = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return tag(
        "polygon",
        class_=class_,
        points=written,
        stroke_width=(0.03 if arrow.mark.best else 0.02) * size,
        stroke_linejoin="round",
    )
