"""A machine of matchboxes to print, cut out and build: pages of A4 as SVG, in points."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from damier.core.diagram import Matchbox
from damier.core.words import _, grouped, printable
from damier.draw.matchbox import (
    Kinds,
    MoveBeads,
    bead,
    beads_line,
    entries_of,
    heading_of,
    label_block,
    matchbox_block,
    short,
)
from damier.draw.svg import CHARACTER, SvgBlock, escaped, label, moved, number, style, tag

MM = 72 / 25.4
WIDTH, HEIGHT = 210 * MM, 297 * MM
MARGIN = 15 * MM
LABEL_WIDTH, LABEL_HEIGHT = 53 * MM, 36 * MM
"""What fits on the top of a usual matchbox."""
ACROSS, DOWN = 3, 7
FONT, LINE = 9.5, 14.0

Sections = Sequence[tuple[str, Sequence[str]]]
"""Paragraphs under headings."""


def machine_pages(boxes: Sequence[Matchbox], title: str, sections: Sections) -> list[str]:
    """The pages as SVG: how it is built and played with, the labels to cut out, the beads to buy."""
    kinds = Kinds(boxes)
    bodies = [
        *instruction_bodies(title, sections, matchbox_block(boxes[0], kinds)),
        *label_bodies(boxes, kinds),
        *bead_bodies(kinds),
    ]
    return [page(body, title, n, len(bodies)) for n, body in enumerate(bodies, 1)]


def page(body: str, title: str, n: int, of: int) -> str:
    """A page, complete in itself, with its number at the foot."""
    foot = label(
        _("{title}: page {n} of {of}", title=printable(title, 100), n=n, of=of),
        WIDTH / 2,
        HEIGHT - 0.5 * MARGIN,
        7,
        class_="d-quiet",
    )
    size = {"width": number(WIDTH), "height": number(HEIGHT)}
    return tag(
        "svg",
        tag("title", escaped(title)),
        tag("desc", escaped(_("Page {n} of {of}", n=n, of=of))),
        tag("style", style()),
        body + foot,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {size['width']} {size['height']}",
        role="img",
        class_="damier",
        **size,
    )


class SheetLine(NamedTuple):
    """A line of text, the space above it, and the room that it and what must not be parted from it
    need.
    """

    text: str
    font: float
    above: float
    room: float


def lines_of(sections: Sections) -> Iterator[SheetLine]:
    """All lines of the instructions; a heading stays with the first lines below it."""
    for heading, paragraphs in sections:
        yield SheetLine(heading, 12, 12, 12 + 4 * LINE)
        for paragraph in paragraphs:
            for place, text in enumerate(wrapped(paragraph, WIDTH - 2 * MARGIN)):
                yield SheetLine(text, FONT, 4 if place == 0 else 0, LINE)


def instruction_bodies(title: str, sections: Sections, example: SvgBlock) -> Iterator[str]:
    """The instructions, on as many pages as they take; the first shows a box."""
    picture = fitted(example, WIDTH - 2 * MARGIN, 110)
    titles = wrapped(title, WIDTH - 2 * MARGIN, 14)
    drawn = [line(text, MARGIN + 20 * row, 14) for row, text in enumerate(titles)]
    y = MARGIN + 20 * len(titles) + 12
    drawn.append(moved(picture.body, (WIDTH - picture.width) / 2, y))
    y += picture.height + 12
    for text, font, above, room in lines_of(sections):
        if y + above + room > HEIGHT - MARGIN - LINE:
            yield "".join(drawn)
            drawn, y = [], MARGIN
        drawn.append(line(text, y + above, font))
        y += above + 1.5 * font
    yield "".join(drawn)


def label_bodies(boxes: Sequence[Matchbox], kinds: Kinds) -> Iterator[str]:
    """The labels between the lines to cut along, in the order of their numbers."""
    left, top = (WIDTH - ACROSS * LABEL_WIDTH) / 2, MARGIN + 6
    for first in range(0, len(boxes), ACROSS * DOWN):
        drawn = []
        for place, box in enumerate(boxes[first : first + ACROSS * DOWN]):
            corner = (left + place % ACROSS * LABEL_WIDTH, top + place // ACROSS * LABEL_HEIGHT)
            drawn.append(moved(printed_label(box, entries_of(box, kinds)), *corner))
        yield "".join(drawn)


def printed_label(box: Matchbox, entries: Sequence[MoveBeads]) -> str:
    """The label of one box, with what to put into it, as large as the room allows."""
    pad, head = 6.0, 12.0
    room = (LABEL_WIDTH - 2 * pad, LABEL_HEIGHT - 2 * pad - head)
    board = label_block(box, entries)
    content = max(
        arrangements(board, entries),
        key=lambda block: (min(room[0] / block.width, room[1] / block.height), -block.height),
    )
    shown = fitted(content, *room)
    drawn = tag(
        "rect",
        class_="d-edge",
        width=LABEL_WIDTH,
        height=LABEL_HEIGHT,
        stroke_width=0.5,
        stroke_dasharray="3 2",
    )
    drawn += label(heading_of(box), pad, pad + 3.5, 8, "start")
    drawn += label(_("decision {n}", n=box.stage + 1), LABEL_WIDTH - pad, pad + 3.5, 6.5, "end", "d-quiet")
    return drawn + moved(
        shown.body, pad + (room[0] - shown.width) / 2, pad + head + (room[1] - shown.height) / 2
    )


def arrangements(board: SvgBlock, entries: Sequence[MoveBeads]) -> Iterator[SvgBlock]:
    """The board with its beads to the right of it, and below it."""
    for columns in (1, 2):
        beads = counted(entries, columns)
        height = max(board.height, beads.height)
        body = moved(board.body, 0, (height - board.height) / 2) + moved(
            beads.body, board.width + 12, (height - beads.height) / 2
        )
        yield SvgBlock(board.width + 12 + beads.width, height, body)
    for columns in range(1, len(entries) + 1):
        beads = counted(entries, columns)
        width = max(board.width, beads.width)
        body = moved(board.body, (width - board.width) / 2, 0) + moved(
            beads.body, (width - beads.width) / 2, board.height + 6
        )
        yield SvgBlock(width, board.height + 6 + beads.height, body)


def counted(entries: Sequence[MoveBeads], columns: int) -> SvgBlock:
    """How many beads of each kind, in columns."""
    lines = [beads_line(entry) for entry in entries]
    rows = -(-len(lines) // columns)
    width, height = max(block.width for block in lines) + 8, lines[0].height
    drawn = [
        moved(block.body, place // rows * width, place % rows * height) for place, block in enumerate(lines)
    ]
    return SvgBlock(columns * width - 8, rows * height, "".join(drawn))


def bead_bodies(kinds: Kinds) -> Iterator[str]:
    """What beads to buy."""
    needed = list(kinds.needed())
    end = MARGIN + 36 + CHARACTER * 11 * max(len(grouped(count)) for _kind, count in needed)
    rows = int((HEIGHT - 2 * MARGIN - 80) / 26)
    for first in range(0, len(needed), rows):
        drawn = [
            line(_("Beads"), MARGIN, 17),
            line(_("{n} in all", n=grouped(sum(count for _kind, count in needed))), MARGIN + 26, FONT),
        ]
        for row, (kind, count) in enumerate(needed[first : first + rows]):
            y = MARGIN + 62 + 26 * row
            move = kinds.moves.get(kind)
            text = (
                _("{colour}, for the move {move}", colour=kind.name, move=short(move)) if move else kind.name
            )
            drawn += [
                bead(kind, MARGIN + 10, y, 9),
                label(grouped(count), end, y, 11, "end"),
                label(text, end + 16, y, 11, "start"),
            ]
        yield "".join(drawn)


def line(text: str, y: float, font: float) -> str:
    """A line of text from the left margin."""
    return label(text, MARGIN, y + 0.7 * font, font, "start")


def wrapped(text: str, width: float, font: float = FONT) -> list[str]:
    return textwrap.wrap(text, int(width / (CHARACTER * font)), break_on_hyphens=False)


def fitted(block: SvgBlock, width: float, height: float) -> SvgBlock:
    """A block made as large as the room allows."""
    factor = min(width / block.width, height / block.height)
    return SvgBlock(
        block.width * factor, block.height * factor, tag("g", block.body, transform=f"scale({factor:.4f})")
    )
