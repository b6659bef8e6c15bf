"""A matchbox as data: a position, and beads of a colour for each of its moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from damier.core.position import Position


@dataclass(frozen=True)
class Matchbox:
    """One box of a machine that draws its moves as beads.

    number    of the box in its machine, from 1
    stage     decisions of the machine before it in a game
    position  the one on its label
    beads     how many for each move that has a colour, by the move, lowest bit first
    """

    number: int
    stage: int
    position: Position
    beads: Mapping[int, int]

    @property
    def total(self) -> int:
        """Beads in the box."""
        return sum(self.beads.values())
