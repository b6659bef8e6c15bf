"""What was proven before of single positions, as searches ask for it: they know no files."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from damier.core.rules import State


class ProvenScore(NamedTuple):
    """low, high  the least and the most score of a position, for player 0 (`core.score`); of payoffs, in
               units
    move       one that leads to the score, where that is exact and one is known
    nodes      what the proof cost, in positions looked at
    """

    low: int
    high: int
    move: int | None = None
    nodes: int = 0


class Proofs(Protocol):
    """What is known of positions of one game."""

    def look(self, s: State) -> ProvenScore | None:
        """What is known of a position."""

    def note(self, s: State, proven: ProvenScore) -> None:
        """Takes in what was proven of a position; what is known of it already stays known."""
