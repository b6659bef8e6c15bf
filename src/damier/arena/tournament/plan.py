"""What a tournament is: its game, its entrants and its rules. Whatever is the same in all of these is
the same tournament, whenever and on however many processors it is played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from damier.arena.tournament.pairing import OpenRoundRobin, System, system_for
from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.json_types import JsonValue
from damier.core.option_text import written
from damier.core.words import message


class Entrant(NamedTuple):
    """An agent that takes part.

    name    as it stands in the table; no other entrant has the same
    text    what makes it: a name with options, or the path of a file
    sha256  of all that it plays by: whoever edits a file enters another agent
    """

    name: str
    text: str
    sha256: str


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament before its first game.

    game, options  the name of the game and its options, as a record has them
    game_sha256    of the file of a user's game, else empty
    entrants       in the order of their names
    games          for each pair, at both seats in turn
    max_plies      a longer game is stopped, and counts as a draw
    is_open        whether entrants come while it is played: then they do not tell it from others
    """

    game: str
    options: Mapping[str, JsonValue]
    game_sha256: str
    entrants: tuple[Entrant, ...]
    seed: int
    games: int
    max_plies: int
    is_open: bool = False

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2 and not self.is_open:
            raise BadInput(message("a tournament needs two agents at least; {n} given", n=len(names)))
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise BadInput(
                message("two agents are called {name}; each needs a name of its own", name=twice[0])
            )

    @property
    def system(self) -> System:
        return (OpenRoundRobin if self.is_open else system_for)(len(self.entrants))

    @property
    def game_text(self) -> str:
        """The game as it is written on the command line."""
        return written(self.game, self.options)

    @property
    def digest(self) -> str:
        """What tells this tournament from any other.

        More games a pair go on with the same tournament, unless they would change who meets whom.
        """
        facts = {
            "game": self.game,
            "options": dict(self.options),
            "game_sha256": self.game_sha256,
            "entrants": [[entrant.name, entrant.sha256] for entrant in self.entrants],
            "seed": self.seed,
            "max_plies": self.max_plies,
            "games": self.games if self.system.adaptive else None,
        }
        if self.is_open:
            facts |= {"entrants": None, "open": True}
        return hashlib.sha256(to_json(facts).encode()).hexdigest()
