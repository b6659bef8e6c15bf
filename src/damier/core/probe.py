"""What a table knows of a position, asked by a search as if it were a rule.

A search names `probe` and is given `held`; `instantiate(search, game, bind=probe.bindings)` binds
the stub to the function of a table, or to one that knows nothing (`NOTHING`), which costs nothing
when compiled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from damier.core.compile import Bindings
from damier.core.player import Arrays
from damier.core.rules import State

UNKNOWN: Final = 1 << 40
"""What `probe` answers of a position that no table holds: larger than any score."""


def probe(s: State, held: Arrays) -> int:
    """The score of `s` to its mover, as `core.score` makes them (exact value and distance), or
    UNKNOWN where no table holds it. A position that is over may be asked too.
    """
    raise TypeError


def nothing_known(s: State, held: Arrays) -> int:
    """`probe` without a table."""
    return UNKNOWN


@dataclass(frozen=True)
class Probe:
    """What a search binds, and what it hands to `probe`: the same bindings serve plain and compiled
    engines, and so do the arrays.

    most_pieces  how many pieces the largest position has that is held, as the game counts them; 0
                 where nothing is
    """

    bindings: Bindings = field(default_factory=lambda: {probe: nothing_known})
    arrays: Arrays = ()
    most_pieces: int = 0


NOTHING: Final = Probe()
"""Where there is no table."""
