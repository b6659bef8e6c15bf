"""The 14 numbered actions of hexapawn, from the side of whoever moves (document [S0], row A-6)."""

from __future__ import annotations

from damier.core.words import _
from damier.draw.course.strokes import SMALL, TEXT, arrow
from damier.draw.svg import SvgBlock, document, label, moved, tag

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
