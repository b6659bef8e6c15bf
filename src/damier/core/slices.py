"""What engines call of the slices of a game (`core.endgames`), as if these were rules of its own."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from damier.core import moves as core_moves
from damier.core.compile import Bindings
from damier.core.endgames import endgames_of
from damier.core.representation import ListedBy
from damier.core.rules import State
from damier.core.wide import of_state

if TYPE_CHECKING:
    from damier.core.game import Game


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


def asked(game: Game) -> Bindings:
    """What an engine binds, plain or compiled, that finds a position in a table."""
    given = endgames_of(game)
    return {slice_of: in_a_word(given.slice_of), place_of: in_a_word(given.place_of)}


def bindings(game: Game, *, jit: bool) -> Bindings:
    """What engines bind so that the functions of this module are those of a game."""
    given = endgames_of(game)
    bound: Bindings = asked(game) | {state_at: given.state_at}
    if given.unmoves and given.unplay:
        back = given.unmoves
        # a NamedTuple that stands for a function until the compiler is there
        listed: object = ListedBy(back, game.most_moves()) if jit else listing(back)
        bound |= {unmoves: listed, unplay: given.unplay}  # type: ignore[dict-item]
    return bound


# the same function for the same rule: engines are kept by what they bind
in_a_word = lru_cache(maxsize=256)(of_state)
listing = lru_cache(maxsize=256)(core_moves.listing)
