"""The education of a machine of matchboxes as pictures: its rules in three moves, the games in which it can
still be beaten, the beads that were taken out of it, and all of that on one card to hand on.

What moves has a class (`d-goes-…`, `d-gone`, `d-new`); the page that a picture is part of says how, or not
at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from damier.core.board import Grid
from damier.core.words import _, grouped, ngettext
from damier.draw.background import ground, material
from damier.draw.board import unlabelled
from damier.draw.frame import bare_frame
from damier.draw.matchbox import BeadKind, bead
from damier.draw.pieces import pieces
from damier.draw.svg import CHARACTER, SvgBlock, document, label, moved, polyline, tag

CELL = 20.0
"""Height of a cell of the rules: the page moves a piece by so many units."""


class RuleScene(NamedTuple):
    """Board on which one piece goes: rows without it and what it takes, where it is and how it goes (the
    end of its class), what it takes.
    """

    still: Sequence[str]
    goes: Sequence[str]
    way: str
    gone: Sequence[str]


FREE = ("...", "...", "...")
PAWN_RULES = (
    RuleScene(("bbb", "...", ".ww"), ("...", "...", "w.."), "ahead", FREE),
    RuleScene(("b.b", "...", ".ww"), ("...", "w..", "..."), "across", (".b.", "...", "...")),
    RuleScene(("..b", "b..", "..w"), ("...", ".w.", "..."), "home", FREE),
)
"""A pawn steps ahead, takes across, reaches the far side."""


def rules_svg(grid: Grid, scenes: Sequence[RuleScene], title: str) -> str:
    """Small boards side by side; `grid` says what the pieces `w` and `b` look like."""
    looks = {"w": grid.looks[grid.rows[-1][0]], "b": grid.looks[grid.rows[0][0]]}
    bare = unlabelled(grid)
    assert isinstance(bare, Grid)
    frame, drawn, left = bare_frame(bare, CELL), [], 0.0
    for scene in scenes:
        board = [
            replace(bare, rows=tuple(rows), looks=looks) for rows in (scene.still, scene.gone, scene.goes)
        ]
        body = ground(board[0], frame) + pieces(board[0], frame)
        body += tag("g", pieces(board[1], frame), class_="d-gone") if any(map(str.strip, scene.gone)) else ""
        body += tag("g", pieces(board[2], frame), class_=f"d-goes-{scene.way}")
        drawn.append(moved(tag("g", body, class_=material(board[0])), left, 0))
        left += frame.across + 0.6 * CELL
    return document(SvgBlock(left - 0.6 * CELL, frame.down, "".join(drawn)), title, "", 2)


# In how many games it can still be beaten, game by game: a line that falls.

LINE_WIDTH, LINE_HEIGHT, FONT = 300.0, 84.0, 11.0
FEWEST = 8
"""Games that the line has room for at least."""


def falling_block(counts: Sequence[int], width: float = LINE_WIDTH) -> SvgBlock:
    """The counts before the first game, and after each: the first, the last and what fits between them are
    written at the line.
    """
    top, foot = 16.0, LINE_HEIGHT - 8
    step = (width - 44) / max(FEWEST, len(counts) - 1)
    places = [
        (14 + step * game, foot - (foot - top) * count / max(1, counts[0]))
        for game, count in enumerate(counts)
    ]
    falls = [0, *(n for n, (one, next_) in enumerate(pairwise(counts), 1) if next_ != one)]
    written = [0]
    for game in falls[1:]:
        if places[game][0] - places[written[-1]][0] >= 26:
            written.append(game)
    if falls[-1] not in written:
        written = [game for game in written if game == 0 or places[falls[-1]][0] - places[game][0] >= 26]
        written.append(falls[-1])
    drawn = [tag("path", class_="d-rule", d=polyline([(14, foot), (width - 10, foot)]), stroke_width=1.0)]
    if len(places) > 1:
        drawn.append(tag("path", class_="d-line-good", d=polyline(places), stroke_width=2.5, pathLength="1"))
    drawn += [tag("circle", class_="d-area-good", cx=x, cy=y, r=3.2) for x, y in (places[n] for n in falls)]
    drawn += [label(grouped(counts[n]), places[n][0], places[n][1] - 10, FONT) for n in written]
    return SvgBlock(width, LINE_HEIGHT, "".join(drawn))


def falling_svg(counts: Sequence[int]) -> str:
    """That line alone."""
    return document(falling_block(counts), _("Games in which it can be beaten"), falling_in_words(counts), 0)


def falling_in_words(counts: Sequence[int]) -> str:
    """The counts that differ, one after the other.

    >>> falling_in_words([47, 41, 41, 0])
    '47 → 41 → 0'
    """
    return " → ".join(grouped(count) for n, count in enumerate(counts) if n == 0 or counts[n - 1] != count)


# The beads that were taken out, in a jar that stays.

JAR_ROW, JAR_BEAD = 6, 9.5
JAR_WIDTH, JAR_HEIGHT = 2 * JAR_BEAD * JAR_ROW + 10, 84.0


def jar_block(taken: Sequence[BeadKind], new: int = 0) -> SvgBlock:
    """A jar with the beads that were put there, the last `new` of them marked as those that fall into it
    now. It grows where they need more room.
    """
    height = max(JAR_HEIGHT, 2 * JAR_BEAD * -(-len(taken) // JAR_ROW) + 22)
    glass = (
        f"M8 3H{JAR_WIDTH - 8:g}M10 3V11Q1 14 1 22V{height - 9:g}Q1 {height - 1:g} 9 {height - 1:g}"
        f"H{JAR_WIDTH - 9:g}Q{JAR_WIDTH - 1:g} {height - 1:g} {JAR_WIDTH - 1:g} {height - 9:g}V22"
        f"Q{JAR_WIDTH - 1:g} 14 {JAR_WIDTH - 10:g} 11V3"
    )
    drawn = []
    for place, kind in enumerate(taken):
        row, across = divmod(place, JAR_ROW)
        x, y = 5 + JAR_BEAD * (2 * across + 1), height - 4 - JAR_BEAD * (2 * row + 1)
        fresh = "d-new" if place >= len(taken) - new else None
        drawn.append(tag("g", bead(kind, x, y, 0.94 * JAR_BEAD), class_=fresh))
    drawn.append(tag("path", class_="d-edge", d=glass, stroke_width=1.6))
    return SvgBlock(JAR_WIDTH, height, "".join(drawn))


def jar_svg(taken: Sequence[BeadKind], new: int = 0) -> str:
    """That jar alone."""
    said = ngettext("{n} bead has been taken out.", "{n} beads have been taken out.", len(taken))
    return document(jar_block(taken, new), _("The beads that were taken out"), said, 1)


# All of it on a card.

CARD = (600.0, 315.0)
"""The shape in which pictures of links are shown."""


def card_svg(title: str, lines: Iterable[str], counts: Sequence[int], taken: Sequence[BeadKind]) -> str:
    """A card: what came of it, in words; the line that fell, and the jar."""
    width, height = CARD
    jar, fall = jar_block(taken), falling_block(counts, 290)
    drawn = [label(title, 30, 44, min(26, 540 / (CHARACTER * len(title))), "start")]
    drawn += [label(line, 30, 82 + 24 * n, 15, "start", "d-quiet") for n, line in enumerate(lines)]
    for block, left, factor in ((fall, 10.0, 1.5), (jar, 440.0, 1.1)):
        larger = tag("g", block.body, transform=f"scale({factor})")
        drawn.append(moved(larger, left, height - factor * block.height - 22))
    drawn.append(label("damier", width - 20, 20, 15, "end"))
    return document(SvgBlock(width, height, "".join(drawn)), title, falling_in_words(counts), 0)
