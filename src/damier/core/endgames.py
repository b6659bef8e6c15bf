"""Slices and numbers of a game's positions with little material, so that a table
of their values needs no keys: what a game gives as its hook `endgames`.

A *slice* holds the positions with the same pieces (king and rook against king, whoever is to move):
play goes to and fro inside, and what leaves it, by a capture or a promotion, never comes back. In a
slice every position has a number, its *place*. A table is one score a place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from damier.core import moves as core_moves
from damier.core.compile import ListedBy
from damier.core.errors import BadGame, Unsuitable
from damier.core.hooks import Endgames, Stages
from damier.core.player import Arrays
from damier.core.rules import State
from damier.core.wide import of_state
from damier.core.words import message

if TYPE_CHECKING:
    from damier.core.compile import Bindings
    from damier.core.game import Game

S = TypeVar("S", bound=State)

MOST_SLICES = 1 << 20
"""A slice has a number below this: tables hold one word a number."""


def endgames_of(game: Game) -> Endgames[State]:
    """The slices of a game. Raises Unsuitable where it gives none."""
    if game.endgames is None:
        raise Unsuitable(
            message("{game} gives no slices of its endings (endgames=): see docs/endgames.md", game=game.text)
        )
    return game.endgames


def checked_stages(game: Game, pieces: int) -> Stages:
    """The slices with up to so many pieces. Raises BadGame where they cannot be laid out."""
    given = endgames_of(game)
    stages = given.stages(pieces)
    every = [one for stage in stages for one in stage]
    numbers, names = {one.number for one in every}, {one.name for one in every}
    if len(numbers) < len(every) or len(names) < len(every):
        raise BadGame(message("{game}: two of its slices have one number, or one name", game=game.text))
    for one in every:
        if not 0 <= one.number < MOST_SLICES or one.places < 1:
            raise BadGame(
                message(
                    "{game}: the slice {name} has the number {number} and {places} places; numbers are from"
                    " 0 to {most}, places at least 1",
                    game=game.text,
                    name=one.name,
                    number=one.number,
                    places=one.places,
                    most=MOST_SLICES - 1,
                )
            )
    return stages


# What engines call of the slices of a game, as if these were rules of its own.


def slice_of(s: State) -> int:
    """The number of the slice that holds `s`; negative: none."""
    raise TypeError


def place_of(s: State) -> int:
    """The place of `s` in its slice; negative: none."""
    raise TypeError


def state_at(slice: int, place: int) -> State:
    """The position at a place of a slice."""
    raise TypeError


def unmoves(s: State) -> list[int]:
    """The moves that may have led to `s` within its slice, as a list."""
    raise TypeError


def unplay(s: State, unmove: int) -> State:
    """The position before a move that may have led to `s`."""
    raise TypeError


def probe_bindings(game: Game) -> Bindings:
    """Return what an engine binds, plain or compiled, that finds a position in a table."""
    given = endgames_of(game)
    return {slice_of: in_a_word(given.slice_of), place_of: in_a_word(given.place_of)}


def bindings(game: Game, *, jit: bool) -> Bindings:
    """Return what engines bind so that the functions of this module are those of a game."""
    given = endgames_of(game)
    bound: Bindings = probe_bindings(game) | {state_at: given.state_at}
    if given.unmoves and given.unplay:
        back = given.unmoves
        # a NamedTuple that stands for a function until the compiler is there
        listed: object = ListedBy(back, game.most_moves()) if jit else listing(back)
        bound |= {unmoves: listed, unplay: given.unplay}  # type: ignore[dict-item]
    return bound


# the same function for the same rule: engines are kept by what they bind
in_a_word = lru_cache(maxsize=256)(of_state)
listing = lru_cache(maxsize=256)(core_moves.listing)


# What a table knows of a position, asked by a search as if it were a rule.
#
# A search names `probe` and is given `held`; `instantiate(search, game, bind=probe.bindings)` binds
# the stub to the function of a table, or to one that knows nothing (`NOTHING`), which costs nothing
# when compiled.

UNKNOWN: Final = 1 << 40
"""What `probe` answers of a position that no table holds: larger than any score."""


def probe(s: State, held: Arrays) -> int:
    """The score of `s` to its mover, as `core.solution` has them (exact value and distance), or
    UNKNOWN where no table holds it. A position that is over may be asked too.
    """
    raise TypeError


def nothing_known(s: State, held: Arrays) -> int:
    """`probe` without a table."""
    return UNKNOWN


@dataclass(frozen=True)
class Probe:
    """Bindings of a search, and the arrays that it hands to `probe`: the same bindings serve plain and
    compiled engines, and so do the arrays.

    Attributes:
        most_pieces: how many pieces the largest position has that is held, as the game counts them; 0 where
            nothing is
    """

    bindings: Bindings = field(default_factory=lambda: {probe: nothing_known})
    arrays: Arrays = ()
    most_pieces: int = 0


NOTHING: Final = Probe()
"""Where there is no table."""
