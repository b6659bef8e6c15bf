"""Matchboxes as pictures: one box seen from above, its drawer open, and a whole machine on one
sheet.

On the label, every move that has a colour is marked with a bead of it; in the drawer lie the beads,
each row of one kind with its move.
"""

from __future__ import annotations

import itertools
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

from damier.core.board import Board
from damier.core.display import Displayed
from damier.core.game import Position
from damier.core.words import N_, _, grouped, ngettext, printable
from damier.draw.board import Box, board_block
from damier.draw.pieces import DISC, BoardFrame, frame_of
from damier.draw.svg import (
    CHARACTER,
    SvgBlock,
    board_text_block,
    document,
    escaped,
    label,
    line_block,
    moved,
    number,
    polyline,
    stacked,
    style,
    table_of,
    tag,
)
from damier.draw.text import (
    MoveMark,
    columns_of,
    count_in_row,
    grid_of,
    is_free,
    is_heaps,
    move_marks,
    own_lines,
)

BOARD = 112.0
"""The largest height of a board on a label, in units of the picture; it may be twice as wide."""
WIDEST = 1600.0
"""Width of a sheet."""
SINGLE = 8
"""The most beads of one kind that are drawn one by one."""
ALONG = (0.72, 0.6, 0.5, 0.82, 0.4)
"""Parts of its arrow where the bead of a move may lie, the best first."""
PAD, ROW, RADIUS, FONT = 8.0, 15.0, 6.0, 9.0


@dataclass(frozen=True)
class Matchbox(Displayed):
    """One box of a machine that draws its moves as beads.

    Attributes:
        number: of the box in its machine, from 1
        stage: decisions of the machine before it in a game
        position: the one on its label
        beads: how many for each move that has a colour, by the move, lowest bit first
    """

    number: int
    stage: int
    position: Position
    beads: Mapping[int, int]

    @property
    def total(self) -> int:
        """Beads in the box."""
        return sum(self.beads.values())


class MoveBeads(NamedTuple):
    """A move of a box: its kind of bead, and how many."""

    mark: MoveMark
    kind: BeadKind
    beads: int

    @property
    def played(self) -> str:
        """The move that a bead stands for."""
        return f"→ {short(self.mark.name)}"


def entries_of(box: Matchbox, kinds: Kinds) -> list[MoveBeads]:
    """The moves of a box that have beads of their own."""
    marks = {mark.move: mark for mark in move_marks(box.position.game, box.position.state)}
    return [MoveBeads(marks[move], kind, box.beads[move]) for move, kind in kinds.of(box).items()]


def label_block(box: Matchbox, entries: Sequence[MoveBeads], drawn_move: int = 0) -> SvgBlock:
    """The position of a box, a bead on every move that the board can show; a ring around that of
    the move drawn.
    """
    grid = grid_of(box.position)
    if grid is None:
        return board_text_block(own_lines(box.position), 10)
    plain = board_block(grid, (), 100)
    size = 100 * min(2 * BOARD / plain.width, BOARD / plain.height)
    board, frame = board_block(grid, (), size), frame_of(grid, size)
    placed: list[Box] = []
    drawn = [board.body]
    for entry in entries:
        if entry.mark.cells and all(0 <= cell < grid.places for cell in entry.mark.cells):
            arrow, places = bead_places(entry.mark.cells, grid, frame)
            x, y = best_place(places, placed)
            radius = places[0].width / 2
            ring = (
                tag("circle", class_="d-ring", cx=x, cy=y, r=1.2 * radius, stroke_width=0.28 * radius)
                if entry.mark.move == drawn_move
                else ""
            )
            drawn.append(tag("g", arrow + bead(entry.kind, x, y, radius) + ring, data_move=entry.mark.name))
    return SvgBlock(board.width, board.height, "".join(drawn))


def bead_places(cells: Sequence[int], grid: Board, frame: BoardFrame) -> tuple[str, list[Box]]:
    """The arrow of a move, if it goes from one cell to another, and where its bead may lie."""
    if len(cells) > 1:
        arrow, points = arrow_of(cells, frame)
        return arrow, [Box(x, y, 0.42 * frame.height, 0.42 * frame.height) for x, y in points]
    side = min(0.6 * frame.height, 0.92 * frame.width)
    x, y = frame.centre(cells[0])
    foot = 0.0 if is_free(grid.piece(cells[0])) else (frame.height - side) / 2
    return "", [Box(x, y + foot, side, side)]


def arrow_of(cells: Sequence[int], frame: BoardFrame) -> tuple[str, list[tuple[float, float]]]:
    """A move from one cell to another, and where its bead may lie."""
    (x, y), (to_x, to_y) = frame.centre(cells[0]), frame.centre(cells[-1])
    dx, dy = to_x - x, to_y - y
    length = hypot(dx, dy) or 1.0
    along, size = (dx / length, dy / length), frame.height
    x, y = x + DISC * size * along[0], y + DISC * size * along[1]
    barbs = [
        (to_x - 0.16 * size * (along[0] + side * along[1]), to_y - 0.16 * size * (along[1] - side * along[0]))
        for side in (-0.7, 0.7)
    ]
    points = [(x, y), (to_x, to_y), barbs[0], (to_x, to_y), barbs[1]]
    start = frame.centre(cells[0])
    return tag("path", class_="d-cross", d=polyline(points), stroke_width=0.05 * size), [
        (start[0] + part * dx, start[1] + part * dy) for part in ALONG
    ]


def best_place(places: Iterable[Box], placed: list[Box]) -> tuple[float, float]:
    """The first place that covers least of what is placed already; it is placed now."""
    best = min(places, key=lambda place: sum(map(place.overlap, placed)))
    placed.append(best)
    return best.x, best.y


def beads_block(entries: Sequence[MoveBeads], drawn_move: int = 0) -> SvgBlock:
    """The beads of a box, a row for each kind: one by one where they are few, else as a number,
    then the move. The row of the move drawn is framed.
    """
    widths = [
        (
            RADIUS * 2 * entry.beads
            if 0 < entry.beads <= SINGLE
            else RADIUS * 2.4 + CHARACTER * FONT * len(times(entry.beads))
        )
        for entry in entries
    ]
    names = max(widths) + 6
    drawn = []
    for row, entry in enumerate(entries):
        y = (row + 0.5) * ROW
        if 0 < entry.beads <= SINGLE:
            drawn += [
                bead(entry.kind, (2 * place + 1) * RADIUS, y, 0.94 * RADIUS) for place in range(entry.beads)
            ]
        else:
            drawn.append(
                bead(entry.kind, RADIUS, y, 0.94 * RADIUS)
                + label(times(entry.beads), 2.4 * RADIUS, y, FONT, "start")
            )
        drawn.append(label(entry.played, names, y, FONT, "start", "d-quiet"))
    width = names + CHARACTER * FONT * max(columns_of(entry.played) for entry in entries)
    rows = [row for row, entry in enumerate(entries) if entry.mark.move == drawn_move]
    drawn += [
        tag(
            "rect",
            class_="d-ring",
            x=-3.0,
            y=row * ROW + 0.5,
            width=width + 6,
            height=ROW - 1,
            rx=4,
            stroke_width=1.6,
        )
        for row in rows
    ]
    return SvgBlock(width, ROW * len(entries), "".join(drawn))


def beads_line(entry: MoveBeads) -> SvgBlock:
    """Return how many beads of one kind, as a line of text, and their move."""
    text = f"{times(entry.beads)} {entry.played}"
    drawn = bead(entry.kind, RADIUS, ROW / 2, 0.94 * RADIUS) + label(
        text, 2.4 * RADIUS, ROW / 2, FONT, "start"
    )
    return SvgBlock(2.4 * RADIUS + CHARACTER * FONT * columns_of(text), ROW, drawn)


def times(count: int) -> str:
    return f"× {grouped(count)}"


def heading_of(box: Matchbox) -> str:
    """The number of the box; matches in one heap are counted, since nobody can see how many there
    are.
    """
    grid = grid_of(box.position)
    if grid and is_heaps(grid) and len(grid.rows) == 1:
        return ngettext(
            "box {number}: {n} match", "box {number}: {n} matches", count_in_row(grid, 0), number=box.number
        )
    return _("box {number}", number=box.number)


def matchbox_block(
    box: Matchbox,
    kinds: Kinds,
    sleeve: float = 0,
    drawer: float = 0,
    height: float = 0,
    drawn_move: int = 0,
    *,
    taken: bool = False,
) -> SvgBlock:
    """A box seen from above: the sleeve with its label on the left, the drawer pulled out of it to
    the right; at least so large.

    `drawn_move` is the move on the label whose bead was drawn. Where it is `taken` out, the drawer is a
    part of the picture that a page can slide (`d-drawer`), with the bead that leaves it (`d-taken`).
    """
    entries = entries_of(box, kinds)
    board, beads = label_block(box, entries, drawn_move), beads_block(entries, drawn_move)
    sleeve, drawer = max(sleeve, board.width + 4 * PAD), max(drawer, beads.width + 2 * PAD)
    height = max(height, board.height + 18 + 4 * PAD, beads.height + 4 * PAD)
    width = sleeve + drawer
    pulled = tag(
        "rect",
        class_="d-cell",
        x=sleeve - 10,
        y=PAD / 2,
        width=drawer + 10,
        height=height - PAD,
        rx=2,
        stroke_width=1.5,
    )
    pulled += tag(
        "rect", class_="d-wood", x=width - 5, y=PAD / 2, width=5.0, height=height - PAD, rx=1, stroke_width=1
    )
    lying = moved(beads.body, sleeve + PAD, (height - beads.height) / 2)
    if taken:
        leaving = moved(leaving_bead(entries, drawn_move), sleeve + PAD, (height - beads.height) / 2)
        pulled, lying = tag("g", pulled, lying, leaving, class_="d-drawer"), ""
    drawn = pulled + tag("rect", class_="d-wood", width=sleeve, height=height, rx=3, stroke_width=1)
    drawn += tag(
        "rect", class_="d-paper", x=PAD, y=PAD, width=sleeve - 2 * PAD, height=height - 2 * PAD, rx=2
    )
    drawn += label(heading_of(box), sleeve / 2, PAD + 10, 11)
    drawn += moved(
        board.body, (sleeve - board.width) / 2, 18 + PAD + (height - 2 * PAD - 18 - board.height) / 2
    )
    drawn += lying
    return SvgBlock(
        width, height, tag("g", tag("title", escaped(in_words(box, entries))), drawn, data_box=box.number)
    )


def leaving_bead(entries: Sequence[MoveBeads], move: int) -> str:
    """Return the bead of a move that is no longer counted, where it lay."""
    row, entry = next((row, entry) for row, entry in enumerate(entries) if entry.mark.move == move)
    place = 2 * entry.beads + 1 if entry.beads < SINGLE else 1
    return tag("g", bead(entry.kind, place * RADIUS, (row + 0.5) * ROW, 0.94 * RADIUS), class_="d-taken")


def in_words(box: Matchbox, entries: Sequence[MoveBeads]) -> str:
    """A box for those who do not see it."""
    beads = ", ".join(
        _(
            "{move} {n} × {letter} {colour}",
            move=e.mark.name,
            n=e.beads,
            letter=e.kind.letter,
            colour=e.kind.name,
        )
        for e in entries
    )
    return _(": ").join([heading_of(box), " / ".join(own_lines(box.position)), beads])


def matchbox_svg(
    box: Matchbox,
    kinds: Kinds,
    size: tuple[float, float, float] = (0, 0, 0),
    drawn_move: int = 0,
    *,
    taken: bool = False,
) -> str:
    """One box alone; `size` is that of a machine (`size_of_all`), so that pictures of its boxes fit
    one another.
    """
    return document(
        matchbox_block(box, kinds, *size, drawn_move=drawn_move, taken=taken),
        heading_of(box),
        in_words(box, entries_of(box, kinds)),
        2,
    )


def machine_svg(boxes: Sequence[Matchbox], title: str) -> str:
    """A whole machine on one sheet, stage by stage, with the kinds of beads that it needs."""
    kinds = Kinds(boxes)
    sleeve, drawer, height = size_of_all(boxes, kinds)
    across = max(1, min(int((WIDEST + 2 * PAD) / (sleeve + drawer + 2 * PAD)), len(boxes)))
    room = max(across * (sleeve + drawer + 2 * PAD) - 2 * PAD, line_block(title, 22, 640).width)
    blocks = [line_block(title, 22, room), legend_block(kinds, room)]
    for stage, found in itertools.groupby(boxes, lambda box: box.stage):
        of_stage = list(found)
        heading = _(
            "Decision {stage} of the machine: {boxes}, {beads}",
            stage=stage + 1,
            boxes=ngettext("{n} box", "{n} boxes", len(of_stage)),
            beads=beads_in_words(of_stage),
        )
        blocks.append(line_block(heading, 15, room))
        drawn = [matchbox_block(box, kinds, sleeve, drawer, height) for box in of_stage]
        blocks.append(table_of(drawn, across, 2 * PAD, room))
    return document(stacked(blocks, 16), title, description_of(boxes, kinds), 24)


def size_of_all(boxes: Iterable[Matchbox], kinds: Kinds) -> tuple[float, float, float]:
    """Sleeve, drawer and height that all boxes of a machine fit in."""
    found = [
        (label_block(box, entries), beads_block(entries))
        for box in boxes
        for entries in [entries_of(box, kinds)]
    ]
    sleeve, drawer = (
        max(board.width for board, _beads in found) + 4 * PAD,
        max(beads.width for _board, beads in found) + 2 * PAD,
    )
    return sleeve, drawer, max(max(board.height + 18, beads.height) + 4 * PAD for board, beads in found)


def beads_in_words(boxes: Iterable[Matchbox]) -> str:
    """Return how many beads are in some boxes."""
    beads = sum(box.total for box in boxes)
    return ngettext("{n} bead", "{n} beads", beads, n=grouped(beads))


def description_of(boxes: Sequence[Matchbox], kinds: Kinds) -> str:
    """The machine in words: its boxes are described one by one inside."""
    beads = ", ".join(
        _("{n} × {letter} {colour}", n=n, letter=kind.letter, colour=kind.name) for kind, n in kinds.needed()
    )
    return _("Beads, by the letter on them: {kinds}", kinds=beads)


def legend_block(kinds: Kinds, room: float) -> SvgBlock:
    """Every kind of bead: its letter, its colour, its move where that is the same in all boxes, and
    how many there are.
    """
    blocks = []
    for kind, count in kinds.needed():
        move = kinds.moves.get(kind)
        text = (
            _("{colour}: move {move}, × {n}", colour=kind.name, move=short(move), n=grouped(count))
            if move
            else _("{colour} × {n}", colour=kind.name, n=grouped(count))
        )
        blocks.append(
            SvgBlock(
                24 + CHARACTER * 13 * columns_of(text) + 16,
                22,
                bead(kind, 9, 11, 9) + label(text, 24, 11, 13, "start"),
            )
        )
    widest = max(block.width for block in blocks)
    return table_of(
        [SvgBlock(widest, block.height, block.body) for block in blocks], max(1, int(room / widest)), 0, room
    )


# The beads in matchboxes: kinds told apart by a colour to buy, and by a letter, since colour alone
# would be lost on many people.
#
# A machine of few different moves has a kind for each, as MENACE has one for each cell; in any other,
# each box gives the first kinds to its own moves, as M. Gardner's hexapawn machine does.

LETTERS = ascii_uppercase + ascii_lowercase + digits
FEW = 9
"""The most different moves of a machine that gives each move a kind of its own."""
LONGEST = 14
"""Characters of the name of a move that are shown."""


class Hue(NamedTuple):
    name: str
    fill: str
    ink: str


BLACK, WHITE = "#1f2730", "#ffffff"
HUES = (  # the nine of MENACE, row by row; the same by day and by night, since beads are
    Hue(N_("white"), "#ffffff", BLACK),
    Hue(N_("lilac"), "#c8a2e0", BLACK),
    Hue(N_("silver"), "#c4cad0", BLACK),
    Hue(N_("black"), "#1f2730", WHITE),
    Hue(N_("gold"), "#e3c34a", BLACK),
    Hue(N_("green"), "#26803f", WHITE),
    Hue(N_("amber"), "#f28c1e", BLACK),
    Hue(N_("red"), "#c9252d", WHITE),
    Hue(N_("pink"), "#f7b3c8", BLACK),
    Hue(N_("blue"), "#2a62b8", WHITE),
    Hue(N_("brown"), "#7a4a24", WHITE),
    Hue(N_("turquoise"), "#4cc3c0", BLACK),
)


class BeadKind(NamedTuple):
    """One kind of bead, numbered from 0; there are as many as a game may have moves."""

    number: int

    @property
    def letter(self) -> str:
        """One letter; where there are more kinds than letters, several.

        >>> BeadKind(61).letter, BeadKind(62).letter, BeadKind(127).letter
        ('9', 'AA', 'BD')
        """
        letters, rest = "", self.number + 1
        while rest:
            rest, last = divmod(rest - 1, len(LETTERS))
            letters = LETTERS[last] + letters
        return letters

    @property
    def hue(self) -> Hue:
        return HUES[self.number % len(HUES)]

    @property
    def name(self) -> str:
        """The colour in words; those after the twelfth are the same colours with dots painted on.

        >>> BeadKind(3).name, BeadKind(15).name, BeadKind(27).name
        ('black', 'black, 1 dot painted on', 'black, 2 dots painted on')
        """
        colour, dots = _(self.hue.name), self.number // len(HUES)
        if not dots:
            return colour
        return ngettext("{colour}, {n} dot painted on", "{colour}, {n} dots painted on", dots, colour=colour)


class Kinds:
    """Kinds of beads that stand for the moves of the boxes of one machine.

    Attributes:
        moves: what a kind means, where that is the same in every box
    """

    def __init__(self, boxes: Iterable[Matchbox]) -> None:
        self.boxes = list(boxes)
        names = {
            name_of(box, move): None
            for move in sorted({move for box in self.boxes for move in box.beads})
            for box in self.boxes
            if move in box.beads
        }
        self._by_name = (
            {name: BeadKind(number) for number, name in enumerate(names)} if len(names) <= FEW else {}
        )
        self.moves = {kind: name for name, kind in self._by_name.items()}

    def of(self, box: Matchbox) -> Mapping[int, BeadKind]:
        """The kind of every move of a box."""
        if not self._by_name:
            return {move: BeadKind(number) for number, move in enumerate(box.beads)}
        return {move: self._by_name[name_of(box, move)] for move in box.beads}

    def needed(self) -> Iterator[tuple[BeadKind, int]]:
        """Every kind, and how many beads of it are in all boxes."""
        beads: Counter[BeadKind] = Counter()
        for box in self.boxes:
            for move, kind in self.of(box).items():
                beads[kind] += box.beads[move]
        yield from sorted(beads.items())


def name_of(box: Matchbox, move: int) -> str:
    """A move in the words of its game."""
    return box.position.game.name_move(box.position.state, move)


def short(name: str) -> str:
    """A name safe to show, and never so long that a box grows out of shape."""
    text = printable(name)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def bead(kind: BeadKind, x: float, y: float, radius: float) -> str:
    """A bead with its letter, its middle at x, y."""
    hue, size = kind.hue, 1.25 * radius / max(1.0, 0.7 * len(kind.letter))
    disc = tag("circle", cx=x, cy=y, r=radius, fill=hue.fill, stroke="#5b6672", stroke_width=0.1 * radius)
    # a class, since the style of all text has a colour already
    ink = "d-on-light" if hue.ink == BLACK else "d-on-dark"
    return disc + tag(
        "text",
        kind.letter,
        class_=ink,
        fill=hue.ink,
        x=x,
        y=y + 0.36 * size,
        font_size=size,
        text_anchor="middle",
    )


def bead_svg(kind: BeadKind) -> str:
    """One bead alone, as small as a letter in a line of text."""
    return document(SvgBlock(18, 18, bead(kind, 9, 9, 8.4)), kind.name, kind.letter, 0)


# A machine of matchboxes to print, cut out and build: pages of A4 as SVG, in points.

MM = 72 / 25.4
PAGE_WIDTH, PAGE_HEIGHT = 210 * MM, 297 * MM
PAGE_MARGIN = 15 * MM
LABEL_WIDTH, LABEL_HEIGHT = 53 * MM, 36 * MM
"""Size of the top of a usual matchbox."""
LABELS_ACROSS, LABELS_DOWN = 3, 7
PAGE_FONT, PAGE_LINE = 9.5, 14.0

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
    return [page_svg(body, title, n, len(bodies)) for n, body in enumerate(bodies, 1)]


def page_svg(body: str, title: str, n: int, of: int) -> str:
    """A page, complete in itself, with its number at the foot."""
    foot = label(
        _("{title}: page {n} of {of}", title=printable(title, 100), n=n, of=of),
        PAGE_WIDTH / 2,
        PAGE_HEIGHT - 0.5 * PAGE_MARGIN,
        7,
        class_="d-quiet",
    )
    size = {"width": number(PAGE_WIDTH), "height": number(PAGE_HEIGHT)}
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
        yield SheetLine(heading, 12, 12, 12 + 4 * PAGE_LINE)
        for paragraph in paragraphs:
            for place, text in enumerate(wrapped(paragraph, PAGE_WIDTH - 2 * PAGE_MARGIN)):
                yield SheetLine(text, PAGE_FONT, 4 if place == 0 else 0, PAGE_LINE)


def instruction_bodies(title: str, sections: Sections, example: SvgBlock) -> Iterator[str]:
    """The instructions, on as many pages as they take; the first shows a box."""
    picture = fitted(example, PAGE_WIDTH - 2 * PAGE_MARGIN, 110)
    titles = wrapped(title, PAGE_WIDTH - 2 * PAGE_MARGIN, 14)
    drawn = [page_line(text, PAGE_MARGIN + 20 * row, 14) for row, text in enumerate(titles)]
    y = PAGE_MARGIN + 20 * len(titles) + 12
    drawn.append(moved(picture.body, (PAGE_WIDTH - picture.width) / 2, y))
    y += picture.height + 12
    for text, font, above, room in lines_of(sections):
        if y + above + room > PAGE_HEIGHT - PAGE_MARGIN - PAGE_LINE:
            yield "".join(drawn)
            drawn, y = [], PAGE_MARGIN
        drawn.append(page_line(text, y + above, font))
        y += above + 1.5 * font
    yield "".join(drawn)


def label_bodies(boxes: Sequence[Matchbox], kinds: Kinds) -> Iterator[str]:
    """The labels between the lines to cut along, in the order of their numbers."""
    left, top = (PAGE_WIDTH - LABELS_ACROSS * LABEL_WIDTH) / 2, PAGE_MARGIN + 6
    for first in range(0, len(boxes), LABELS_ACROSS * LABELS_DOWN):
        drawn = []
        for place, box in enumerate(boxes[first : first + LABELS_ACROSS * LABELS_DOWN]):
            corner = (left + place % LABELS_ACROSS * LABEL_WIDTH, top + place // LABELS_ACROSS * LABEL_HEIGHT)
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
    fitted_text = fitted(content, *room)
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
        fitted_text.body,
        pad + (room[0] - fitted_text.width) / 2,
        pad + head + (room[1] - fitted_text.height) / 2,
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
    """Return how many beads of each kind, in columns."""
    lines = [beads_line(entry) for entry in entries]
    rows = -(-len(lines) // columns)
    width, height = max(block.width for block in lines) + 8, lines[0].height
    drawn = [
        moved(block.body, place // rows * width, place % rows * height) for place, block in enumerate(lines)
    ]
    return SvgBlock(columns * width - 8, rows * height, "".join(drawn))


def bead_bodies(kinds: Kinds) -> Iterator[str]:
    """Yield the pages of the beads to buy."""
    needed = list(kinds.needed())
    end = PAGE_MARGIN + 36 + CHARACTER * 11 * max(len(grouped(count)) for _kind, count in needed)
    rows = int((PAGE_HEIGHT - 2 * PAGE_MARGIN - 80) / 26)
    for first in range(0, len(needed), rows):
        drawn = [
            page_line(_("Beads"), PAGE_MARGIN, 17),
            page_line(
                _("{n} in all", n=grouped(sum(count for _kind, count in needed))), PAGE_MARGIN + 26, PAGE_FONT
            ),
        ]
        for row, (kind, count) in enumerate(needed[first : first + rows]):
            y = PAGE_MARGIN + 62 + 26 * row
            move = kinds.moves.get(kind)
            text = (
                _("{colour}, for the move {move}", colour=kind.name, move=short(move)) if move else kind.name
            )
            drawn += [
                bead(kind, PAGE_MARGIN + 10, y, 9),
                label(grouped(count), end, y, 11, "end"),
                label(text, end + 16, y, 11, "start"),
            ]
        yield "".join(drawn)


def page_line(text: str, y: float, font: float) -> str:
    """A line of text from the left margin."""
    return label(text, PAGE_MARGIN, y + 0.7 * font, font, "start")


def wrapped(text: str, width: float, font: float = PAGE_FONT) -> list[str]:
    return textwrap.wrap(text, int(width / (CHARACTER * font)), break_on_hyphens=False)


def fitted(block: SvgBlock, width: float, height: float) -> SvgBlock:
    """A block made as large as the room allows."""
    factor = min(width / block.width, height / block.height)
    return SvgBlock(
        block.width * factor, block.height * factor, tag("g", block.body, transform=f"scale({factor:.4f})")
    )
