"""The beads in matchboxes: kinds told apart by a colour to buy, and by a letter, since colour alone
would be lost on many people.

A machine of few different moves has a kind for each, as MENACE has one for each cell; in any other,
each box gives the first kinds to its own moves, as M. Gardner's hexapawn machine does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

from damier.core.matchbox import Matchbox
from damier.core.words import N_, _, printable
from damier.draw.svg import SvgBlock, document, tag

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
        return LETTERS[self.number]

    @property
    def hue(self) -> Hue:
        return HUES[self.number % len(HUES)]

    @property
    def name(self) -> str:
        """The colour in words; those after the twelfth are the same colours with dots painted on.

        >>> BeadKind(3).name, BeadKind(15).name
        ('black', 'black, 1 dot painted on')
        """
        colour, dots = _(self.hue.name), self.number // len(HUES)
        return _("{colour}, {n} dot painted on", colour=colour, n=dots) if dots else colour


class Kinds:
    """Which kind of bead stands for which move in the boxes of one machine.

    moves  what a kind means, where that is the same in every box
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
    hue, size = kind.hue, 1.25 * radius
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
