"""The boxes of a machine as parts of a page: what lies in one, and all of a stage."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from damier.core.diagram import Matchbox
from damier.core.words import _
from damier.draw.matchbox import Kinds, bead_svg, entries_of, heading_of, matchbox_svg, size_of_all
from damier.lab.agents import Lab
from damier.lab.matchboxes import Machine, MachineBoxes, MachineSize
from damier.learn.action_values import Memory
from damier.web import pages
from damier.web.matchboxes.played import Entry

Size: TypeAlias = tuple[float, float, float]


class Bead(NamedTuple):
    """A move of a box: its bead as a picture, and how likely it is."""

    picture: str
    colour: str
    move: str
    beads: int
    share: str
    drawn: bool


def beads_of(box_set: BoxSet, box: Matchbox, drawn: int = 0) -> list[Bead]:
    """The beads of a box, one line a move."""
    total = box.total
    return [
        Bead(
            pages.picture(bead_svg(e.kind)),
            e.kind.name,
            e.mark.name,
            e.beads,
            percent(e.beads, total),
            e.mark.move == drawn,
        )
        for e in entries_of(box, box_set.kinds)
    ]


def percent(part: int, total: int) -> str:
    """A share, rounded."""
    # Translators: a percentage.
    return _("{n}%", n=round(100 * part / total)) if total else "–"


def fitting(box_set: BoxSet, boxes: Sequence[Matchbox]) -> Size:
    """The size that all these boxes fit in."""
    return size_of_all(boxes, box_set.kinds) if boxes else (0, 0, 0)


def stages_of(box_set: BoxSet) -> list[int]:
    return sorted({box.stage for box in box_set.machine.boxes})


def boxes_part(box_set: BoxSet, known: Known, stage: int, most: int) -> str:
    """The boxes of one stage, those that have come up first."""
    opened = {box.number for box in box_set.opened(known.memory)}
    boxes = [box for box in box_set.boxes(known.memory) if box.stage == stage]
    groups = [
        (_("Opened in a game"), [box for box in boxes if box.number in opened]),
        (_("Not yet met"), [box for box in boxes if box.number not in opened]),
    ]
    size = fitting(box_set, [box for _heading, found in groups for box in found[:most]])
    shown = [
        (
            heading,
            len(found),
            [(box.number, pages.picture(matchbox_svg(box, box_set.kinds, size))) for box in found[:most]],
        )
        for heading, found in groups
        if found
    ]
    return pages.part(
        "matchboxes_boxes.html",
        stage=stage,
        groups=shown,
        most=most,
        more=any(len(found) > most for _heading, found in groups),
    )


def found_part(box_set: BoxSet, box: Matchbox) -> str:
    """One box alone."""
    return pages.part(
        "matchboxes_found.html",
        heading=heading_of(box),
        picture=pages.picture(matchbox_svg(box, box_set.kinds)),
        beads=beads_of(box_set, box),
        stage=box.stage + 1,
    )


# A machine of matchboxes: its boxes, which never change, and what it came to know in
# the games that were played with it.

MOST = MachineSize(positions=30_000, boxes=3_000)
"""The largest machine of a page: it is built within a second or two."""


class Result(NamedTuple):
    """Games of a machine against somebody, counted for the machine; an empty opponent is a person."""

    opponent: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Known:
    """What a machine knows after some games, and how these ended."""

    memory: Memory
    results: tuple[Result, ...] = ()

    @property
    def games(self) -> int:
        return sum(result.games for result in self.results)


class BoxSet(MachineBoxes):
    """All boxes of one machine, in the order of their numbers, as they are before the first game.

    known  what the machine knows after some lists of games: seed and games -> table
    """

    def __init__(self, lab: Lab, machine: Machine) -> None:
        super().__init__(lab, machine)
        self.known: OrderedDict[tuple[int, tuple[Entry, ...]], Known] = OrderedDict()
        self.kinds = Kinds(machine.boxes)
