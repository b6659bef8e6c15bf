"""A machine of matchboxes: its boxes, which never change, and what it came to know in
the games that were played with it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from damier.draw.beads import Kinds
from damier.lab.agents import Lab
from damier.lab.matchbox_play import MachineBoxes
from damier.lab.matchboxes import Machine, MachineSize
from damier.learn.memory import Memory
from damier.web.matchboxes.played import Entry

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
