"""Where an agent first goes wrong, as data."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.json_types import JsonObject
from damier.core.position import Position
from damier.core.solution import AnyValue, as_data


@dataclass(frozen=True)
class Mistake:
    """A move that gives away what the position was worth.

    position  where it is played, reached by `moves`, the names of all moves from the start
    seat      who plays it, from 0
    played    the move; `share` how likely the agent is to play it
    before    what the position is worth to the agent; `after` what it is worth once it has moved
    right     the moves that keep the value
    punished  the line of best play by which the opponent makes use of it, to the end of the game
    """

    position: Position
    seat: int
    moves: tuple[str, ...]
    played: str
    share: float
    before: AnyValue
    after: AnyValue
    right: tuple[str, ...]
    punished: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """The mistake as plain data."""
        return {
            "moves": list(self.moves),
            "board": str(self.position),
            "seat": self.seat,
            "played": self.played,
            "share": self.share,
            "before": as_data(self.before),
            "after": as_data(self.after),
            "right": list(self.right),
            "punished": list(self.punished),
        }
