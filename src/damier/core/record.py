"""What happened in a game, as data; a line of a record file (JSON Lines) is one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from damier.core.json_types import JsonObject, JsonValue
from damier.core.solution import Value, worth


@dataclass(frozen=True)
class GameRecord:
    """A game that was played: who played which moves, and what it was worth to each."""

    game: str
    options: Mapping[str, JsonValue]
    players: tuple[str, ...]
    moves: tuple[str, ...]
    payoffs: tuple[int, ...]
    seed: int
    number: int = 0  # which game of a match: the random numbers come from stream `number` of `seed`
    finished: bool = True  # False where the limit of plies stopped it: then every payoff is 0
    resigned: bool = False  # the player to move gave up

    @property
    def outcome(self) -> Value:
        """What the game was to the first player."""
        return worth(self.payoffs[0])

    def as_json(self) -> JsonObject:
        """The record as plain data, its outcome included."""
        return asdict(self) | {"outcome": self.outcome}
