"""Games of a match that others play, in other processes or on other machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from damier.core.loop import Played
from damier.core.words import Text


class PlayedGames(NamedTuple):
    """Games of consecutive numbers, what came of them, the faults in them by number, and how many
    seconds they took.
    """

    games: range
    played: Played
    faults: dict[int, Text]
    seconds: float


class OtherPlayers(Protocol):
    """Who plays the games of a table elsewhere, in plain Python or compiled (`jit`); what came of them in
    their order.

    seconds  that a chunk of games should take
    """

    seconds: float

    def play(self, chunks: Iterable[range], *, jit: bool) -> Iterator[PlayedGames]: ...


class Hire(NamedTuple):
    """Gives others who play the same games, as long as a block lasts.

    compiled  whether also compiled games: not where they are processes of this machine, whose cores
              share those games already
    """

    others: Callable[[], AbstractContextManager[OtherPlayers]]
    compiled: bool
