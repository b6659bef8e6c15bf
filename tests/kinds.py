"""One game in every form that moves and fields may have: what holds of one form must hold of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from damier.core.bits import lowest
from damier.core.game import Game

WIDE_MOVES = 100
"""Bits of a set of moves that no word holds."""


def as_list(game: Game) -> Game:
    """The same game with its moves in a list: each is the bit that it is in the set."""
    given = game.given["moves"]

    def moves(s: Any, found: list[int]) -> None:
        left = given(s)
        while left:
            move = lowest(left)
            left ^= move
            found.append(move)

    return formed(game, moves=moves, most_moves=64)


def as_wide_set(game: Game) -> Game:
    """The same game with more bits in a set of moves than a word has."""
    return formed(game, most_moves=WIDE_MOVES)


def as_wide_fields(game: Game) -> Game:
    """The same game with a first field that no word holds."""
    first, *others = game.bits
    assert isinstance(first, int)
    return formed(game, bits=(first + 70, *others))


def as_wide_fields_and_bits(game: Game) -> Game:
    """The same game with a first field that no word holds, and moves that one holds."""
    first, *others = game.bits
    assert isinstance(first, int)
    return formed(game, bits=(first + 70, *others), most_moves=62)


FORMS: dict[str, Callable[[Game], Game]] = {
    "list": as_list,
    "wide set": as_wide_set,
    "wide fields": as_wide_fields,
    "wide fields, bits": as_wide_fields_and_bits,
}


def formed(game: Game, **changed: Any) -> Game:
    """A game like `game`, with some parameters changed."""
    given: dict[str, Any] = {
        **game.given,
        "bits": game.bits,
        "symmetries": game.symmetries(),
        "players": game.players,
        "features": game.features,
        "states": game.states,
        "grid": game.grid,
        "name_move": lambda s, move: game.name_move(s, move),
        **changed,
    }
    made = Game(game.name, game.start, **given)
    made.options = dict(game.options)
    return made
